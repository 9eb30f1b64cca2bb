//! Chinese chess against two programs that nobody here wrote.
//!
//! `TESUJI_PYTHON` names a Python with `pyffish` and `open_spiel` (else `python3`);
//! `TESUJI_ORACLE_GAMES` the number of games.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use tesuji_core::{Notation, Outcome, Player, Position, Rng, Seed};
use tesuji_games::xiangqi::{Xiangqi, wxf};

fn games(default: u32) -> u32 {
    std::env::var("TESUJI_ORACLE_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Starts one of our scripts; nothing, and a loud line, if there is no Python with its module.
fn oracle(module: &str, arguments: &[String]) -> Option<Child> {
    let python = std::env::var("TESUJI_PYTHON").unwrap_or_else(|_| "python3".into());
    let present = Command::new(&python).args(["-c", &format!("import {module}")]).stderr(Stdio::null()).status();
    if !present.is_ok_and(|status| status.success()) {
        writeln!(std::io::stderr(), "SKIPPED: xiangqi against {module}, which {python} does not have").expect("stderr");
        return None;
    }
    let name = if module == "pyspiel" { "open_spiel" } else { module };
    let script = format!("{}/../../oracles/{name}_xiangqi.py", env!("CARGO_MANIFEST_DIR"));
    let child =
        Command::new(python).arg("-u").arg(script).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    Some(child.expect("Python starts"))
}

/// Asks all questions of pyffish; the answers come in the same order.
fn ask(questions: Vec<String>) -> Option<Vec<String>> {
    let mut child = oracle("pyffish", &[])?;
    let mut input = child.stdin.take().expect("piped");
    let writer = std::thread::spawn(move || {
        for question in questions {
            writeln!(input, "{question}").expect("the oracle listens");
        }
    });
    let answers: Vec<String> =
        BufReader::new(child.stdout.take().expect("piped")).lines().map(|line| line.expect("text")).collect();
    writer.join().expect("all was written");
    assert!(child.wait().expect("it ends").success(), "the oracle failed");
    Some(answers)
}

fn sorted(position: &Xiangqi) -> String {
    let mut moves: Vec<String> = position.moves().into_iter().map(|mv| position.show_move(mv)).collect();
    moves.sort();
    moves.join(" ")
}

fn sorted_text(text: &str) -> String {
    let mut moves: Vec<&str> = text.split_ascii_whitespace().collect();
    moves.sort_unstable();
    moves.join(" ")
}

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
                // Set up anew, so that an end by repetition or the natural limit does not hide the
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
    let Some(answers) = ask(questions) else { return };
    assert_eq!(answers.len(), positions.len());
    for (position, answer) in positions.iter().zip(&answers) {
        assert_eq!(sorted(position), sorted_text(answer), "{position:?}");
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
    let Some(answers) = ask(questions.clone()) else { return };
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
    let Some(answers) = ask(questions) else { return };
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
    let arguments = [games(25).to_string(), "1".to_string()];
    let Some(mut child) = oracle("pyspiel", &arguments) else { return };
    let fresh = |board: &str| Xiangqi::from_fen(board).expect("a board of a game");
    let (mut position, mut plies, mut over, mut decided) = (Xiangqi::new(), 0_u64, 0, 0);
    for line in BufReader::new(child.stdout.take().expect("piped")).lines() {
        let line = line.expect("text");
        let (word, rest) = line.split_once(' ').expect("a word and more");
        match word {
            "legal" => assert_eq!(sorted(&position), sorted_text(rest), "{position:?}"),
            "play" => position.play(position.read_move(rest).expect("a legal move")),
            "board" => {
                let text = position.to_fen();
                let ours = text.split(' ').next().expect("a board");
                assert_eq!(ours, rest, "{position:?}");
                // Forget what OpenSpiel does not count.
                let side = text.split(' ').nth(1).expect("a side");
                position = fresh(&format!("{ours} {side}"));
                plies += 1;
            }
            // Within OpenSpiel's cap on the length of a game nothing but mate and stalemate ends
            // one.
            "over" => {
                let red: f64 = rest.split(' ').next().and_then(|score| score.parse().ok()).expect("two scores");
                if red != 0.0 {
                    let winner = if red > 0.0 { Player::First } else { Player::Second };
                    assert_eq!(position.outcome(), Some(Outcome::won_by(winner)), "{position:?}");
                    decided += 1;
                } else {
                    assert!(position.outcome().is_none_or(|outcome| outcome.winner().is_none()), "{position:?}");
                }
                over += 1;
                position = Xiangqi::new();
            }
            _ => panic!("unknown line {line}"),
        }
    }
    assert!(child.wait().expect("it ends").success(), "the oracle failed");
    assert_eq!(over, games(25), "every game was compared to its end");
    assert!(plies > 50 * over as u64, "{plies} plies in {over} games");
    writeln!(std::io::stderr(), "{plies} plies of {over} games agree, {decided} of them decided").expect("stderr");
}
