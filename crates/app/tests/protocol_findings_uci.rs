//! What clients of UCI and UCCI stumbled over, one test each: cutechess, python-chess, programs of
//! Chinese chess.

use crate::conversation::{engine_of, last};
use crate::protocol_findings::uci;
use std::time::{Duration, Instant};
use tesuji::protocol::{Dialect, Uci, talk};
use tesuji_core::Budget;

/// cutechess forfeits a game in which a stone is not written as a drop.
#[test]
fn cutechess_is_answered_in_drops() {
    let mut uci = Uci::new(engine_of("tictactoe", "oracle", Budget::iterations(1_000_000)), Dialect::Uci);
    let hello = talk(&mut uci, "uci").0;
    let variants = hello.lines().find(|line| line.contains("UCI_Variant")).expect("the option");
    for variant in ["tictactoe", "gomoku", "gomokufreestyle"] {
        assert!(variants.split(' ').any(|word| word == variant), "{variants}");
    }
    let start = ["setoption name UCI_Variant value tictactoe", "ucinewgame"];
    assert_eq!(last(&mut uci, &start), "");
    let said = last(&mut uci, &["position startpos moves P@b2 P@a1 P@b1", "go"]);
    let (info, best) = said.trim_end().rsplit_once('\n').expect("two lines");
    assert!(best.starts_with("bestmove P@b3"), "{said}");
    let line = info.split(" pv ").nth(1).expect("a line");
    assert!(line.split(' ').all(|mv| mv.starts_with("P@")), "{said}");
    // As cutechess sends an opening: ranks from the top, White's pawns first, stones left behind.
    let opening = "position fen 3/1P1/pP1[PPPppp] b - - 0 2";
    assert!(last(&mut uci, &[opening, "go"]).contains("bestmove P@b3"), "the other side blocks");
    // Chinese chess moves pieces.
    assert!(
        last(&mut uci, &["setoption name UCI_Variant value xiangqi", "position startpos", "go nodes 100"])
            .lines()
            .any(|line| line.starts_with("bestmove ") && !line.contains('@'))
    );
}

/// Six in a row win `gomokufreestyle` and not `gomoku`: so cutechess counts.
#[test]
fn cutechess_names_the_rule_of_gomoku() {
    // White fills a1 to c1 and e1 to f1, and then d1.
    let six = "position startpos moves P@a1 P@a15 P@b1 P@c15 P@c1 P@e15 P@e1 P@g15 P@f1 P@i15 P@d1";
    for (variant, goes_on) in [("gomoku", true), ("gomokufreestyle", false)] {
        let mut uci = uci("gomoku", "random");
        let said = last(&mut uci, &[&format!("setoption name UCI_Variant value {variant}"), six, "go"]);
        assert_eq!(said.contains("bestmove P@"), goes_on, "{variant}: {said}");
        assert_eq!(said.contains("bestmove (none)"), !goes_on, "{variant}: {said}");
    }
}

/// python-chess splits an option's line at the words of the protocol, also inside `robust-max`.
#[test]
fn the_agent_option_has_no_word_of_the_protocol() {
    for agent in ["mcts", "auto", "minimax(depth=2)", "vote"] {
        let hello = talk(&mut uci("tictactoe", agent), "uci").0;
        let line = hello.lines().find(|line| line.contains("name Agent")).expect("the option");
        let default = line.split_once(" default ").expect("a default").1;
        assert!(!default.is_empty());
        for word in default.split(|c: char| !c.is_ascii_alphanumeric()) {
            assert!(!["name", "type", "default", "min", "max", "var"].contains(&word), "{line}");
        }
        // What is told is accepted.
        let mut uci = uci("tictactoe", agent);
        assert_eq!(talk(&mut uci, &format!("setoption name Agent value {default}")).0, "", "{agent}");
    }
    // The empty value is the agent of the command line.
    let mut uci = uci("tictactoe", "oracle");
    let said = ["setoption name Agent value random", "setoption name Agent value <empty>", "uci"];
    assert!(last(&mut uci, &said).contains("Agent type string default oracle"));
}

/// `movetime 100` is a tenth of a second, not 100 seconds.
#[test]
fn ucci_reads_the_clock_words_of_uci() {
    let limits = Budget { memory: Some(16 << 20), ..Budget::unlimited() };
    let setup = engine_of("xiangqi", "alpha-beta", Budget { hard_time: Some(Duration::from_secs(1000)), ..limits });
    let mut ucci = Uci::new(setup, Dialect::Ucci);
    for go in ["go movetime 100", "go wtime 4000 btime 4000 winc 10 binc 10", "go wtime 4000 btime 4000 movestogo 30"] {
        let began = Instant::now();
        let said = last(&mut ucci, &["position startpos", go]);
        assert!(said.contains("bestmove "), "{go}: {said}");
        assert!(began.elapsed() < Duration::from_secs(20), "{go}: {:?}", began.elapsed());
    }
    // UCCI's own words count seconds.
    let began = Instant::now();
    last(&mut ucci, &["position startpos", "go time 40 movestogo 40"]);
    assert!(began.elapsed() > Duration::from_millis(200), "{:?}", began.elapsed());
}

/// Scores fall from line to line, every line is searched, and the first one is the move.
#[test]
fn the_lines_of_uci_are_sorted_with_several_threads() {
    for (agent, threads) in [("alpha-beta", 1), ("alpha-beta", 4), ("mcts", 4)] {
        let mut uci = Uci::new(engine_of("xiangqi", agent, Budget::iterations(2_000)), Dialect::Uci);
        for line in ["setoption name MultiPV value 5", &format!("setoption name Threads value {threads}")] {
            talk(&mut uci, line);
        }
        for moves in ["", " moves h3e3", " moves h3e3 h10g8", " moves b1c3 b10c8 h3h7"] {
            let said = last(&mut uci, &[&format!("position startpos{moves}"), "go nodes 20000"]);
            let best = said.lines().last().and_then(|line| line.split(' ').nth(1)).expect("a move");
            let lines: Vec<&str> = said.lines().filter(|line| line.starts_with("info depth")).collect();
            let lines = &lines[lines.len() - 5..];
            let word = |line: &str, name: &str| {
                line.split(' ').skip_while(|word| *word != name).nth(1).expect("a word").to_string()
            };
            let score = |line: &str| match line.split_once(" cp ") {
                Some((_, rest)) => rest.split(' ').next().expect("a score").parse::<i32>().expect("a number"),
                None => {
                    let moves: i32 = word(line, "mate").parse().expect("a number");
                    moves.signum() * 1_000_000 - moves
                }
            };
            let scores: Vec<i32> = lines.iter().map(|line| score(line)).collect();
            assert!(scores.is_sorted_by(|one, other| one >= other), "{agent}, {threads}: {said}");
            assert_eq!(word(lines[0], "pv"), best, "{said}");
            let numbers: Vec<String> = lines.iter().map(|line| word(line, "multipv")).collect();
            assert_eq!(numbers, ["1", "2", "3", "4", "5"], "{said}");
            let mut firsts: Vec<String> = lines.iter().map(|line| word(line, "pv")).collect();
            firsts.sort();
            firsts.dedup();
            assert_eq!(firsts.len(), 5, "{said}");
            if (agent, threads) == ("alpha-beta", 1) {
                // More than the best line is searched, replies and all.
                assert!(lines[1].split(" pv ").nth(1).is_some_and(|pv| pv.contains(' ')), "{said}");
            }
        }
    }
}
