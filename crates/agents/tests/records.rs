//! Every game goes into an SGF record and comes back.

use tesuji_agents::{games, start_game};
use tesuji_core::spec::Spec;
use tesuji_core::{Rng, Seed};
use tesuji_games::sgf::{Collection, GameType};

#[test]
fn every_game_survives_its_record() {
    let mut rng = Rng::new(Seed(5));
    for game in games() {
        let start = start_game(&Spec::bare(game.description.name)).expect("starts").position;
        for _ in 0..5 {
            let (mut position, mut moves) = (start.boxed_clone(), Vec::new());
            while position.outcome().is_none() && moves.len() < 60 {
                let legal = position.moves();
                let text = &legal[rng.below(legal.len() as u32) as usize];
                moves.push(position.play(text).expect("legal"));
            }
            let record = start.write_record(game.description.name, &moves).expect("a record");
            let back = start.read_record(record.as_bytes());
            assert_eq!(back, Ok(moves), "{}: {record}", game.description.name);
        }
    }
}

#[test]
fn records_look_as_others_expect() {
    let record = |game: &str, moves: &[&str]| {
        let start = start_game(&game.parse().expect("a spec")).expect("starts").position;
        let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
        start.write_record(game, &moves).expect("a record")
    };
    for (game, moves, expected, number) in [
        ("go(size=9)", &["D4", "pass"][..], ";B[df];W[]", GameType::Go),
        ("gomoku", &["h8", "a15"], ";B[hh];W[aa]", GameType::Gomoku),
        ("hex", &["d2", "swap", "f6"], ";B[d2];W[swap-pieces];B[f6]", GameType::Hex),
        ("othello", &["f5", "d6"], ";B[fe];W[df]", GameType::Othello),
        ("xiangqi", &["h2e2", "h9g7"], ";B[h2e2];W[h9g7]", GameType::ChineseChess),
    ] {
        let text = record(game, moves);
        let found: String = text.split_whitespace().collect();
        assert!(found.contains(expected), "{game}: {text}");
        let parsed = Collection::parse(text.as_bytes()).expect("SGF");
        assert_eq!(parsed.node(parsed.roots()[0]).game_type(), Ok(number), "{game}");
    }
    // Two stones a turn: two nodes of one colour.
    let found: String = record("connect6", &["JJ", "AA", "BB"]).split_whitespace().collect();
    assert!(found.contains(";B[jj];W[as];W[br]"), "{found}");
}

#[test]
fn records_of_other_games_and_illegal_moves_are_refused() {
    let start = |game: &str| start_game(&game.parse().expect("a spec")).expect("starts").position;
    for (game, record, part) in [
        ("hex", "(;GM[1];B[aa])", "another game: GM is 1, expected 11"),
        ("gomoku", "(;GM[4]SZ[19];B[aa])", "a board of 19, this one is 15"),
        ("gomoku", "(;GM[4];B[aa];W[aa])", "move 2"),
        ("gomoku", "(;GM[4];W[aa])", "first player's turn"),
        ("gomoku", "(;GM[4]AB[aa])", "sets stones up"),
        ("othello", "(;GM[2];B[])", "move 1"),
        ("hex", "(;GM[11];B[zz99])", "move 1"),
        ("xiangqi", "(;GM[7];B[a0a9])", "move 1"),
        ("othello", "(;GM[2]", "byte"),
    ] {
        let error = start(game).read_record(record.as_bytes()).expect_err(record).to_string();
        assert!(error.contains(part) && !error.contains('\n'), "{record}: {error}");
    }
    // Hex records written with letters only are understood as well.
    assert_eq!(start("hex").read_record(b"(;GM[11]SZ[11];B[ff])"), Ok(vec!["f6".to_string()]));
}
