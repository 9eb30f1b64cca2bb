//! Text for people fits the terminal: `match` printed 240 columns, `bench search` 300. Nothing is
//! cut either: what does not fit goes on in the next line.

use std::process::{Command, Stdio};
use tesuji_testing::skip;
use unicode_width::UnicodeWidthStr;

/// An agent with a long canonical text and a long short one.
const LONG: &str = "mcts(select=bias(c=0.31,w=12.5),expand=widen(mu=1.7),leaf=heuristic(temperature=0.8,playouts=3),\
                    reward=bounded(k=150),ripe=12)";

/// What a command prints at this width.
fn printed(arguments: &[&str], columns: usize) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .args(arguments)
        .env("COLUMNS", columns.to_string())
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .output()
        .expect("it runs");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {error}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn fits(arguments: &[&str], widths: &[usize]) {
    for &columns in widths {
        let text = printed(arguments, columns);
        for line in text.lines() {
            assert!(line.width() <= columns, "{} columns of {columns}: {line}\n{arguments:?}\n{text}", line.width());
        }
        assert!(text.lines().all(|line| !line.ends_with('…')), "something is cut: {text}");
    }
}

#[test]
fn matches_fit_the_terminal() {
    let game = "othello(size=4)";
    fits(&["match", game, "--first", LONG, "--second", "mcts", "--games", "2", "--iterations", "20"], &[60, 80]);
    let text = printed(&["match", game, "--first", LONG, "--second", LONG, "--games", "2", "--iterations", "20"], 80);
    assert_eq!(text.matches("parallel=").count(), 1, "the canonical text stands once: {text}");
}

#[test]
fn measurements_fit_the_terminal() {
    let quick = ["--seconds", "0.01"];
    for arguments in [
        vec!["bench", "playout"],
        vec!["bench", "search", "--agent", LONG, "othello"],
        vec!["bench", "search"],
        vec!["bench", "solve", "othello(size=4)", "--with", "df-pn(goal=\"first-wins\")"],
        vec!["bench", "perft"],
        vec!["bench", "threads", "othello", "--agent", LONG, "--threads", "2", "--rounds", "1"],
    ] {
        fits(&[&arguments[..], &quick].concat(), &[60, 80]);
    }
}

/// Errors were cut in the middle of words.
#[test]
fn errors_fit_the_terminal() {
    let command = format!("{} think tictactoe --agent 'mcts(nothing-like-it=1)'", env!("CARGO_BIN_EXE_tesuji"));
    let mut script = Command::new("script");
    script.args(["-qec", &command, "/dev/null"]).env("COLUMNS", "60").stdin(Stdio::null());
    let Ok(output) = script.output() else {
        return skip("script", "no error is shown at a pseudo-terminal (script is part of util-linux)");
    };
    let text = String::from_utf8(output.stdout).expect("UTF-8").replace('\r', "");
    assert!(text.lines().count() > 1 && text.lines().all(|line| line.width() <= 60), "{text}");
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("mcts has no parameter \"nothing-like-it\"; known: select, "), "{text}");
}

#[test]
fn lists_fit_the_terminal() {
    for arguments in [vec!["games"], vec!["agents"], vec!["games", "go"], vec!["agents", "mcts"]] {
        // Examples are lines to copy: they are not broken in a narrower terminal.
        fits(&arguments, &[80]);
    }
}

#[test]
fn answers_about_a_position_fit_the_terminal() {
    let problem = "goproblem(problem=lin-multi)";
    let position = "othello(position=\"...........................OX......XO........................... X\")";
    for arguments in [
        vec!["think", "othello", "--agent", LONG, "--iterations", "50"],
        vec!["think", position, "--agent", "alpha-beta", "--nodes", "2000"],
        vec!["think", "xiangqi", "--agent", "alpha-beta(depth=3)", "--nodes", "2000"],
        vec!["think", problem, "--agent", "random"],
        vec!["solve", problem, "--with", "df-pn", "--nodes", "2000"],
        vec!["solve", "connect6", "--with", "vcdt", "--moves", "JJ JH JK KI IK HL LH II HH IJ JI"],
        vec!["show", "go", "--moves", "Q16"],
        vec!["show", "xiangqi", "--pieces", "chinese"],
        vec!["show", problem],
        vec!["lab", "show", "vrun-balance", "--quick"],
        vec!["perft", "othello", "4"],
    ] {
        fits(&arguments, &[60, 80]);
    }
}
