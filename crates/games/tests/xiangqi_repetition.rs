//! Chinese chess: what repetition means, by hand-made cases, by AXF cases, and by a slow judge.

use std::collections::HashMap;
use tesuji_core::{Notation, Outcome, Player, Position, Rng, Seed};
use tesuji_games::xiangqi::{Repetition, Rules, Xiangqi};
use tesuji_testing::{Known, parse, public};

/// Plays moves until they are spent or the game has ended.
fn play(mut position: Xiangqi, moves: &[&str]) -> Xiangqi {
    for text in moves {
        if position.outcome().is_some() {
            break;
        }
        let mv = position.read_move(text).unwrap_or_else(|error| panic!("{position:?}: {error}"));
        position.play(mv);
    }
    position
}

#[test]
fn axf_cases() {
    let Some(text) = public("xiangqi/repetition_axf_cases.json") else { return };
    let cases = parse(&text);
    let cases = cases.list();
    assert_eq!(cases.len(), 33);
    let mut wrong = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        let (fen, moves) = (case.entry("fen").text(), case.entry("moves_ucci").texts());
        let start = Xiangqi::from_fen(fen).unwrap_or_else(|error| panic!("case {number}: {error}"));
        let end = play(start, &moves);
        // The verdict is that of the side to move after all the listed moves.
        let to_move = if moves.len() % 2 == 0 { start.turn() } else { start.turn().other() };
        // One case of the source says only that the game has ended; the judge from outside says
        // how.
        let verdict = match case.entry("expected").text() {
            "repetition (value not asserted)" => case.entry("pyffish_result").text(),
            verdict => verdict,
        };
        let wanted = match verdict {
            "side_to_move_wins" => Some(Outcome::won_by(to_move)),
            "side_to_move_loses" => Some(Outcome::won_by(to_move.other())),
            "draw" => Some(Outcome::DRAW),
            other => panic!("unknown verdict {other}"),
        };
        if end.outcome() != wanted {
            wrong.push(format!("case {number} {fen} {moves:?}: expected {wanted:?}, found {:?}", end.outcome()));
        }
    }
    assert!(wrong.is_empty(), "{} of 33 fail:\n{}", wrong.len(), wrong.join("\n"));
}

fn fen(text: &str) -> Xiangqi {
    Xiangqi::from_fen(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn perpetual_check_loses() {
    let moves = ["e5d5", "d9e9", "d5e5", "e9d9", "e5d5", "d9e9", "d5e5", "e9d9"];
    let start = fen("3k5/9/9/9/4R4/9/9/5A3/9/5K3 w");
    let won_by_black = Some(Outcome::won_by(Player::Second));
    for (repetition, outcome) in
        [(Repetition::Axf, won_by_black), (Repetition::Check, won_by_black), (Repetition::Draw, Some(Outcome::DRAW))]
    {
        let rules = Rules { repetition, ..Rules::default() };
        let before = play(start.with_rules(rules), &moves[..7]);
        assert_eq!(before.outcome(), None, "only the third occurrence counts");
        let after = play(start.with_rules(rules), &moves);
        assert_eq!((after.outcome(), after.move_count()), (outcome, 0), "{after:?}");
    }
}

#[test]
fn perpetual_chase_loses_only_under_the_asian_rules() {
    // The rook chases an unprotected cannon.
    let moves = ["a4a5", "b5b4", "a5a4", "b4b5", "a4a5", "b5b4", "a5a4", "b4b5"];
    let start = fen("3k5/9/9/9/1c7/R8/9/9/9/4KA3 w");
    for (repetition, outcome) in
        [(Repetition::Axf, Outcome::won_by(Player::Second)), (Repetition::Check, Outcome::DRAW)]
    {
        let after = play(start.with_rules(Rules { repetition, ..Rules::default() }), &moves);
        assert_eq!(after.outcome(), Some(outcome), "{after:?}");
    }
    // Protected on both points by a rook on its file, it is not chased.
    let protected = fen("3k5/9/9/1r7/1c7/R8/9/9/9/4KA3 w");
    assert_eq!(play(protected, &moves).outcome(), Some(Outcome::DRAW));
}

#[test]
fn idle_moves_draw_and_irreversible_moves_start_anew() {
    let moves = ["e0d0", "f9e9", "d0e0", "e9f9"];
    let start = fen("5k3/4a4/9/p8/9/9/P8/4B4/9/4KA3 w");
    let twice: Vec<&str> = moves.iter().chain(&moves).copied().collect();
    assert_eq!(play(start, &twice).outcome(), Some(Outcome::DRAW));
    // Soldiers advance between the first and the second time.
    let with_advance: Vec<&str> = moves.iter().chain(&["a3a4", "a6a5"]).chain(&moves).copied().collect();
    let position = play(start, &with_advance);
    assert_eq!(position.outcome(), None, "{position:?}");
    assert_eq!(play(position, &moves).outcome(), Some(Outcome::DRAW));
}

#[test]
fn unmaking_restores_what_was_remembered() {
    let moves = ["e5d5", "d9e9", "d5e5", "e9d9", "e5d5", "d9e9", "d5e5", "e9d9"];
    let mut position = fen("3k5/9/9/9/4R4/9/9/5A3/9/5K3 w");
    let mut undone = Vec::new();
    for text in moves {
        let mv = position.read_move(text).expect("legal");
        undone.push((mv, position.make(mv)));
    }
    assert!(position.outcome().is_some());
    let (mv, undo) = undone.pop().expect("eight moves");
    position.unmake(mv, undo);
    assert_eq!(position.outcome(), None);
    let other = position.read_move("e9f9").expect("legal");
    let undo = position.make(other);
    assert_eq!(position.outcome(), None);
    position.unmake(other, undo);
    position.make(mv);
    assert!(position.outcome().is_some());
}

/// A slow memory: all boards of the game as text. The third equal one, and no other, ends the game.
#[test]
fn a_slow_memory_sees_the_same_repetitions() {
    let mut repeated = 0;
    let starts = [
        "3k5/9/9/9/9/9/9/9/9/4KA3 w",
        "3k5/9/9/9/9/9/9/4B4/9/4K4 b",
        "3ak4/9/9/9/9/9/9/9/4p4/3K5 w",
        "3k5/4a4/9/9/9/9/9/4R4/9/4K4 w",
    ];
    for game in 0..400 {
        let mut rng = Rng::new(Seed(game));
        let mut position = fen(starts[game as usize % starts.len()]);
        let mut seen: HashMap<String, u32> = HashMap::new();
        loop {
            let text = position.to_fen();
            let board = text.split(" - ").next().expect("a board and a side").to_string();
            let times = seen.entry(board.clone()).or_default();
            *times += 1;
            // Without its past the position goes on, unless it is mate.
            let fresh = fen(&board).outcome();
            let limit = position.plies_without_capture() >= 120;
            assert_eq!(position.outcome().is_some(), fresh.is_some() || limit || *times == 3, "{position:?}");
            repeated += u32::from(*times == 3);
            let Some(mv) = position.random_move(&mut rng) else { break };
            position.play(mv);
        }
    }
    assert!(repeated > 100, "{repeated}");
}
