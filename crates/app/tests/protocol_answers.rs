//! Short conversations whose answers are checked by what they mean, not word for word.

use crate::conversation::{Scratch, engine_of, last};
use tesuji::protocol::{Analysis, Dialect, Engine, Gomocup, Gtp, NBoard, Uci, Vertices, serve, talk};
use tesuji_core::Budget;

fn engine(game: &str, agent: &str, iterations: u64) -> Engine {
    engine_of(game, agent, Budget { memory: Some(64 << 20), ..Budget::iterations(iterations) })
}

fn gtp(game: &str, agent: &str, iterations: u64) -> Gtp {
    Gtp::new(engine(game, agent, iterations), Vertices::Native)
}

/// Black is behind whatever happens, so that all moves are equal; two of the four empty points are
/// Black's eyes.
#[test]
fn a_lost_game_does_not_fill_its_eyes() {
    let record = "(;GM[1]SZ[5]KM[9.5]AB[ba][ca][ab][bb][cb][ac][cc][ad][bd][cd][ae][be][ce]\
                  AW[da][db][eb][dc][dd][ed][de][ee]PL[B])";
    let file = Scratch::new("eyes.sgf", record);
    let load = format!("loadsgf {}", file.0.display());
    for agent in ["mcts", "random", "mcts(pass=1)"] {
        for command in ["genmove b", "kgs-genmove_cleanup b", "reg_genmove b", "kata-genmove_analyze b 1000"] {
            let mut gtp = gtp("go(size=5)", agent, 100);
            let answer = last(&mut gtp, &[&load, command]);
            assert!(!answer.contains("internal error") && !answer.starts_with('?'), "{agent} {command}: {answer}");
            let played = answer.trim_end().rsplit(['=', ' ']).next().unwrap_or_default().trim();
            assert!(!["A5", "B3"].contains(&played), "{agent} {command}: {answer}");
        }
    }
}

/// Solved in some hundred nodes with virtual connections; plain df-pn takes millions.
#[test]
fn the_solve_button_knows_virtual_connections() {
    let mut gtp = gtp("hex(size=5,swap=false)", "random", 10);
    assert_eq!(last(&mut gtp, &["dfpn-solve-state black"]), "= black\n\n");
    assert_eq!(last(&mut gtp, &["play black a1", "dfpn-solve-state white"]), "= white\n\n");
    let explained = talk(&mut gtp, "gomill-explain_last_move").0;
    let nodes = explained.split(" nodes").next().and_then(|before| before.rsplit(' ').next()).unwrap_or_default();
    assert!(nodes.replace(',', "").parse::<u64>().is_ok_and(|nodes| nodes < 100_000), "{explained}");
}

/// A komi is no move: taking a move back leaves it, whatever was set up before.
#[test]
fn undo_leaves_the_komi() {
    let mut gtp = gtp("go(size=9)", "random", 10);
    talk(&mut gtp, "fixed_handicap 2");
    talk(&mut gtp, "play w E5");
    talk(&mut gtp, "play w E6");
    assert_eq!(last(&mut gtp, &["komi 0.5", "undo", "get_komi"]), "= 0.5\n\n");
    assert_eq!(talk(&mut gtp, "list_stones w").0, "= E5\n\n");
    assert_eq!(last(&mut gtp, &["undo", "undo", "get_komi"]), "= 0.5\n\n");
    assert_eq!(talk(&mut gtp, "list_stones b").0, "=\n\n");
    assert!(talk(&mut gtp, "undo").0.starts_with('?'));
    assert!(last(&mut gtp, &["play b C3", "komi 3", "printsgf"]).contains("KM[3]"));
    assert_eq!(last(&mut gtp, &["undo", "clear_board", "get_komi"]), "= 3\n\n");
}

/// An engine that chooses where handicap stones go may place fewer than were asked for.
#[test]
fn free_handicaps_place_what_there_is_room_for() {
    let mut gtp = gtp("go(size=9)", "random", 10);
    let answer = talk(&mut gtp, "place_free_handicap 12").0;
    assert_eq!(answer.trim_start_matches("= ").split_whitespace().count(), 9, "{answer}");
    assert_eq!(talk(&mut gtp, "list_stones b").0.split_whitespace().count(), 10);
    for (size, asked, placed) in [("8", "5", 4), ("9", "3", 3), ("19", "300", 9)] {
        talk(&mut gtp, &format!("boardsize {size}"));
        let answer = talk(&mut gtp, &format!("place_free_handicap {asked}")).0;
        assert_eq!(answer.trim_start_matches("= ").split_whitespace().count(), placed, "{answer}");
    }
    for (size, asked) in [("9", "1"), ("9", "81"), ("9", "0"), ("5", "2")] {
        talk(&mut gtp, &format!("boardsize {size}"));
        let answer = talk(&mut gtp, &format!("place_free_handicap {asked}")).0;
        assert_eq!(answer, "? invalid number of stones\n\n", "{size} {asked}");
    }
    // A fixed handicap is that of the rules, or none.
    assert!(last(&mut gtp, &["boardsize 9", "fixed_handicap 12"]).starts_with('?'));
}

/// Programs name limits far beyond the machine; the engine takes what it gets, and moves.
#[test]
fn a_memory_limit_beyond_the_machine_is_no_hindrance() {
    let mut uci = Uci::new(engine("gomoku", "mcts", 100), Dialect::Uci);
    for megabytes in ["100000", "18446744073709551615", "1"] {
        let set = format!("setoption name Hash value {megabytes}");
        let answer = last(&mut uci, &[&set, "position startpos", "go nodes 100"]);
        assert!(answer.contains("bestmove ") && !answer.contains("(none)"), "{megabytes}: {answer}");
    }
    let mut gomocup = Gomocup::new(engine("gomoku", "mcts", 100));
    for bytes in ["99999999999999999", "1", "0"] {
        let answer = last(&mut gomocup, &["START 15", &format!("INFO max_memory {bytes}"), "BEGIN"]);
        assert!(answer.trim().split(',').all(|number| number.parse::<u8>().is_ok()), "{bytes}: {answer}");
    }
    // No limit is what was set up.
    let mut gtp = gtp("tictactoe", "mcts", 100);
    talk(&mut gtp, "tesuji-param memory 9999999999999999");
    assert!(!talk(&mut gtp, "tesuji-param").0.contains("memory 9999999999999999"));
    assert!(last(&mut gtp, &["tesuji-param memory -", "tesuji-param"]).contains("memory 67108864"));
}

/// Handicap and rules go into the record, and the rules come back.
#[test]
fn records_name_handicap_and_rules() {
    let mut first = gtp("go(size=9,scoring=territory,ko=simple)", "random", 10);
    let record = last(&mut first, &["fixed_handicap 3", "play w E5", "printsgf"]);
    assert!(record.contains("HA[3]") && record.contains("RU[Japanese]"), "{record}");
    let file = Scratch::new("handicap.sgf", record.trim_start_matches("= "));
    let mut second = gtp("go(size=19)", "random", 10);
    assert_eq!(last(&mut second, &[&format!("loadsgf {}", file.0.display()), "printsgf"]), record);
    assert!(talk(&mut second, "kata-get-rules").0.contains("TERRITORY"));
    for (rules, name) in [
        ("scoring=area", Some("Chinese")),
        ("ko=simple", Some("Chinese")),
        ("ko=situational", Some("AGA")),
        ("ko=situational,suicide=allowed", Some("NZ")),
        ("suicide=allowed", Some("Tromp-Taylor")),
        ("scoring=territory", None),
        ("scoring=hawk", None),
    ] {
        let record = last(&mut gtp(&format!("go(size=5,{rules})"), "random", 10), &["play b C3", "printsgf"]);
        assert!(!record.contains("HA["), "{record}");
        match name {
            Some(name) => assert!(record.contains(&format!("RU[{name}]")), "{rules}: {record}"),
            None => assert!(!record.contains("RU["), "{rules}: {record}"),
        }
    }
    // An unknown command changes nothing.
    let file = Scratch::new("rules.sgf", "(;GM[1]SZ[5]RU[house rules];B[cc])");
    let load = format!("loadsgf {}", file.0.display());
    assert!(last(&mut gtp("go(scoring=territory)", "random", 10), &[&load, "kata-get-rules"]).contains("TERRITORY"));
}

/// A game that is refused leaves the old one on the board.
#[test]
fn nboard_keeps_its_game_when_another_is_refused() {
    let mut nboard = NBoard::new(engine("othello", "random", 10));
    let board = "---------------------------O*------*O--------------------------- *";
    talk(&mut nboard, &format!("set game (;GM[Othello]BO[8 {board}]B[F5];)"));
    let bad = talk(&mut nboard, &format!("set game (;GM[Othello]BO[8 {board}]B[D3]W[C3]B[A1];)")).0;
    assert!(bad.starts_with("status cannot set the game"), "{bad}");
    // White's answers to f5, and no other moves.
    assert_eq!(talk(&mut nboard, "move D6").0, "");
    assert!(talk(&mut nboard, "set game (;BO[8 nonsense];)").0.starts_with("status cannot set the game"));
    assert_eq!(talk(&mut nboard, "move C4").0, "");
}

#[test]
fn uci_answers_one_of_the_moves_to_search() {
    let mut uci = Uci::new(engine("tictactoe", "oracle", 1_000_000), Dialect::Uci);
    talk(&mut uci, "position startpos moves b2 a1 b1");
    for (asked, answer) in [
        ("go", "bestmove P@b3"),
        ("go searchmoves a2 C3 nodes 100000", "bestmove P@a2"),
        ("go nodes 100000 searchmoves zz c3", "bestmove P@c3"),
        ("go searchmoves zz", "bestmove P@b3"),
        ("go", "bestmove P@b3"),
    ] {
        let said = talk(&mut uci, asked).0;
        assert!(said.lines().last().is_some_and(|line| line.starts_with(answer)), "{asked}: {said}");
    }
    // Three visits look at three moves at most.
    let mut uci = Uci::new(engine("gomoku", "mcts", 3), Dialect::Uci);
    let said = last(&mut uci, &["position startpos", "go searchmoves a1 o15"]);
    assert!(said.contains("bestmove P@a1") || said.contains("bestmove P@o15"), "{said}");
}

/// `stop` is for the search it comes after, also if that one has not begun yet.
#[test]
fn uci_stops_the_search_it_was_told_to() {
    let said = "position startpos\ngo nodes 5000\nposition startpos moves h8\ngo infinite\nstop\n";
    let mut output = Vec::new();
    let mut uci = Uci::new(engine("gomoku", "mcts", 1_000), Dialect::Uci);
    serve(&mut uci, std::io::Cursor::new(said), &mut output).expect("a vector takes everything");
    let text = String::from_utf8(output).expect("UTF-8");
    assert_eq!(text.matches("bestmove ").count(), 2, "{text}");
    let first = text.split("bestmove ").next().unwrap_or_default();
    let nodes = first.rsplit(" nodes ").next().and_then(|after| after.split(' ').next()).unwrap_or_default();
    assert!(nodes.parse::<u64>().is_ok_and(|nodes| nodes >= 5000), "the first search runs to its end: {text}");
    // An option that waits is no search.
    let said = "position startpos\ngo movetime 100000000\nsetoption name MultiPV value 2\nstop\n";
    let mut output = Vec::new();
    let mut uci = Uci::new(engine("gomoku", "mcts", u64::MAX), Dialect::Uci);
    serve(&mut uci, std::io::Cursor::new(said), &mut output).expect("a vector takes everything");
    assert!(String::from_utf8(output).expect("UTF-8").contains("bestmove "));
}

#[test]
fn json_blames_the_field_that_is_wrong() {
    let mut analysis = Analysis::new(engine("go(size=5)", "random", 10));
    for (field, value) in [
        ("komi", "1e300"),
        ("komi", "7.25"),
        ("komi", "20000.5"),
        ("rules", "\"martian\""),
        ("rules", "7"),
        ("boardXSize", "1000"),
    ] {
        let answer = talk(&mut analysis, &format!("{{\"id\":\"a\",\"{field}\":{value}}}")).0;
        let answer: serde_json::Value = serde_json::from_str(&answer).expect("JSON");
        assert!(answer["error"].is_string() && answer["field"] == field, "{field} {value}: {answer}");
    }
    for rules in ["Chinese", "japanese", "tromp-taylor", "AGA", "new-zealand"] {
        let answer = talk(&mut analysis, &format!("{{\"id\":\"a\",\"rules\":\"{rules}\",\"komi\":6.5}}")).0;
        assert!(!answer.contains("error"), "{rules}: {answer}");
    }
}
