//! Chinese chess judged by the rules of Fairy-Stockfish (pyffish) and OpenSpiel.

use std::io::Write;
use tesuji_core::{Notation, Outcome, Player, Position, Rng, Seed};
use tesuji_games::xiangqi::{Xiangqi, wxf};
use tesuji_testing::judge::{Judge, games, legal_moves};

const PYFFISH: Judge = Judge::pyffish("pyffish_xiangqi");

/// The legal moves at about twenty places of every random game, its end included.
#[test]
fn pyffish_lists_the_same_moves() {
    let (mut positions, mut questions) = (Vec::new(), Vec::new());
    for game in 0..games(25) {
        let mut rng = Rng::new(Seed(game.into()));
        let mut position = Xiangqi::new();
        loop {
            let next = position.random_move(&mut rng);
            if rng.below(20) == 0 || next.is_none() || position.in_check() && rng.below(4) == 0 {
                // Set up again, so that an end by repetition or the natural limit does not hide the
                // moves.
                let text = position.to_fen();
                let board = text.split(" - ").next().expect("a board and a side");
                questions.push(format!("legal {board} - - 0 1"));
                positions.push(Xiangqi::from_fen(board).expect("our own text"));
            }
            let Some(mv) = next else { break };
            position.play(mv);
        }
    }
    let Some(answers) = PYFFISH.answers(&questions) else { return };
    for (position, answer) in positions.iter().zip(&answers) {
        let theirs = answer.split_ascii_whitespace().map(str::to_string).collect();
        assert_eq!(legal_moves(position), theirs, "{position:?}");
    }
    writeln!(std::io::stderr(), "{} positions agree", positions.len()).expect("stderr");
}

/// Both sides move a piece to and fro, twice: who has broken a rule? We differ in places, for
/// instance where only a general protects that may not capture back, which pyffish takes for
/// protection; rarely, and never to the opposite verdict.
#[test]
fn pyffish_judges_repetitions_alike() {
    let mut rng = Rng::new(Seed(7));
    let (mut questions, mut verdicts) = (Vec::new(), Vec::new());
    let mut wanted = games(25) * 3;
    while wanted > 0 {
        let mut position = Xiangqi::new();
        for _ in 0..20 + rng.below(300) {
            let Some(mv) = position.random_move(&mut rng) else { break };
            position.play(mv);
        }
        let text = position.to_fen();
        let board = text.split(" - ").next().expect("a board and a side");
        let start = Xiangqi::from_fen(board).expect("our own text");
        for _ in 0..200 {
            let Some((moves, verdict)) = cycle(start, &mut rng) else { continue };
            if verdict == Outcome::DRAW && rng.below(100) != 0 {
                continue;
            }
            questions.push(format!("verdict {board} - - 0 1|{moves}"));
            verdicts.push(verdict);
            wanted -= 1;
            break;
        }
    }
    let Some(answers) = PYFFISH.answers(&questions) else { return };
    let mut different = Vec::new();
    for ((question, verdict), answer) in questions.iter().zip(&verdicts).zip(&answers) {
        let ours = match verdict.winner() {
            Some(Player::First) => "w",
            Some(Player::Second) => "b",
            None => "draw",
        };
        if ours != answer {
            different.push(format!("{question}: {ours}, pyffish says {answer}"));
            assert!(ours == "draw" || answer == "draw", "opposite verdicts: {question}: {ours}, pyffish says {answer}");
        }
    }
    let decided = verdicts.iter().filter(|verdict| **verdict != Outcome::DRAW).count();
    let report = format!("{} of {} verdicts differ, {decided} decided", different.len(), verdicts.len());
    assert!(different.len() * 50 <= verdicts.len(), "{report}:\n{}", different.join("\n"));
    writeln!(std::io::stderr(), "{report}\n{}", different.join("\n")).expect("stderr");
}

/// Two moves and their way back, twice over, from a position; nothing if they cannot be played.
fn cycle(start: Xiangqi, rng: &mut Rng) -> Option<(String, Outcome)> {
    let mut position = start;
    let mut moves = Vec::new();
    for ply in 0..8 {
        let mv = match ply {
            0 | 1 => position.random_move(rng).filter(|mv| position.captured_by(*mv).is_none())?,
            2.. => {
                let text: &String = &moves[ply - 2];
                let (from, to) = text.split_at(2);
                position.read_move(&format!("{to}{from}")).ok()?
            }
        };
        moves.push(position.show_move(mv));
        position.play(mv);
    }
    Some((moves.join(" "), position.outcome()?))
}

/// Moves as pyffish writes them mean the same move to us (soldiers in columns aside, which it
/// numbers in its own way).
#[test]
fn pyffish_writes_moves_that_we_read() {
    let (mut positions, mut questions) = (Vec::new(), Vec::new());
    for game in 0..games(25).min(300) / 10 {
        let mut rng = Rng::new(Seed(game.into()));
        let mut position = Xiangqi::new();
        while let Some(mv) = position.random_move(&mut rng) {
            position.play(mv);
            if rng.below(100) == 0 {
                let text = position.to_fen();
                let board = text.split(" - ").next().expect("a board and a side");
                questions.push(format!("wxf {board} - - 0 1"));
                positions.push(Xiangqi::from_fen(board).expect("our own text"));
            }
        }
    }
    let Some(answers) = PYFFISH.answers(&questions) else { return };
    let mut compared = 0;
    for (position, answer) in positions.iter().zip(&answers) {
        for (mv, text) in answer.split(' ').filter_map(|pair| pair.split_once('=')) {
            if !text.starts_with(|first: char| first.is_ascii_digit()) {
                let read = wxf::read(position, text).map(|mv| position.show_move(mv));
                assert_eq!(read.as_deref(), Ok(mv), "{position:?}: {text}");
                compared += 1;
            }
        }
    }
    assert!(compared > 50, "{compared}");
}

/// OpenSpiel knows no repetition and stops at 500 plies; moves and boards must agree all the way.
#[test]
fn open_spiel_plays_the_same_game() {
    let fresh = |board: &str| Xiangqi::from_fen(board).expect("a board of a game");
    for game in Judge::open_spiel("open_spiel_xiangqi").games(games(25), &[]).unwrap_or_default() {
        let mut position = Xiangqi::new();
        assert!(game.plies.len() > 10, "{} plies", game.plies.len());
        for ply in &game.plies {
            assert_eq!(legal_moves(&position), ply.legal, "{position:?}");
            position.play(position.read_move(&ply.chosen).expect("a legal move"));
            let text = position.to_fen();
            let mut words = text.split(' ');
            let (ours, side) = (words.next().expect("a board"), words.next().expect("a side"));
            assert_eq!(ours, ply.board, "{position:?}");
            // OpenSpiel does not count repetitions: the next ply starts without history.
            position = fresh(&format!("{ours} {side}"));
        }
        // Within OpenSpiel's cap on the length of a game only mate and stalemate end one.
        let red: f64 = game.end.split(' ').next().and_then(|score| score.parse().ok()).expect("two scores");
        if red == 0.0 {
            assert!(position.outcome().is_none_or(|outcome| outcome.winner().is_none()), "{position:?}");
        } else {
            let winner = if red > 0.0 { Player::First } else { Player::Second };
            assert_eq!(position.outcome(), Some(Outcome::won_by(winner)), "{position:?}");
        }
    }
}
