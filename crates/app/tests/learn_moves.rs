//! `learn games`, `learn fit` and `learn evaluate`: files that survive a kill, fits that repeat.

use super::command::{json_of, refuses, tesuji};
use std::path::{Path, PathBuf};

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("learn-moves").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().expect("UTF-8").to_string()
}

/// Plays games of Hex 4×4 into a file.
fn play(file: &str, games: &str) -> serde_json::Value {
    let agent = "mcts(leaf=random)";
    let limits = ["--iterations", "60", "--openings", "2", "--seed", "5"];
    let arguments = ["learn", "games", "hex(size=4,swap=false)", "--agent", agent, "--games", games, "--output", file];
    json_of(&[&arguments[..], &limits, &["--json"]].concat())
}

/// A file that was cut anywhere is completed to the same bytes; also one that is extended later.
#[test]
fn games_go_on_where_they_were_cut() {
    let folder = scratch("cut");
    let (whole, cut) = (path(&folder, "whole.games"), path(&folder, "cut.games"));
    let answer = play(&whole, "6");
    assert_eq!((&answer["games"], &answer["played"], &answer["complete"]), (&6.into(), &6.into(), &true.into()));
    let bytes = std::fs::read(&whole).expect("a file");
    assert_eq!(answer["bytes"], bytes.len());
    for length in [0, 5, 60, bytes.len() / 2, bytes.len() - 1] {
        std::fs::write(&cut, &bytes[..length]).expect("written");
        play(&cut, "6");
        assert_eq!(std::fs::read(&cut).expect("a file"), bytes, "cut at {length}");
    }
    let _ = std::fs::remove_file(&cut);
    play(&cut, "2");
    let answer = play(&cut, "6");
    assert_eq!(answer["played"], 4);
    assert_eq!(std::fs::read(&cut).expect("a file"), bytes, "in two parts");
    // Damage in the middle is no kill.
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 0x40;
    std::fs::write(&cut, &damaged).expect("written");
    let output = tesuji(&["learn", "evaluate", &cut, "--set", "tree"]);
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    // Other settings do not mix into the file.
    let other = ["learn", "games", "hex(size=4,swap=false)", "--agent", "mcts(leaf=random)", "--iterations", "61"];
    refuses(&[&other[..], &["--output", &whole]].concat(), "holds other games");
}

#[test]
fn strengths_are_fitted_repeatably_and_measured() {
    let folder = scratch("fit");
    let [games, one, two, curve] = ["g.games", "one.tbt", "two.tbt", "curve.svg"].map(|name| path(&folder, name));
    play(&games, "25");
    for set in ["playout", "tree"] {
        let fit = ["learn", "fit", &games, "--set", set, "--least", "2", "--json", "--output"];
        let answer = json_of(&[&fit[..], &[&one, "--curve", &curve]].concat());
        json_of(&[&fit[..], &[&two]].concat());
        let bytes = std::fs::read(&one).expect("strengths");
        assert_eq!(bytes, std::fs::read(&two).expect("strengths"), "the same games, the same strengths");
        assert_eq!(answer["games"], 20, "one in five is held out");
        let gain = |row: &serde_json::Value| {
            row["log_evidence"].as_f64().expect("a number") - row["log_evidence_of_uniform"].as_f64().expect("a number")
        };
        assert!(gain(&answer["fitted"]) > 0.05, "better than uniform: {answer}");
        assert!(std::fs::read_to_string(&curve).expect("a drawing").contains("<svg"));
        let measured = json_of(&["learn", "evaluate", &games, "--set", set, "--weights", &one, "--json"]);
        assert_eq!(measured["quality"], answer["held_out"]);
        // Altered, cut, or for other features.
        let mut altered = bytes.clone();
        altered[40] ^= 1;
        std::fs::write(&two, &altered).expect("written");
        refuses(&["learn", "evaluate", &games, "--set", set, "--weights", &two], "checksum");
        std::fs::write(&two, &bytes[..bytes.len() - 3]).expect("written");
        refuses(&["learn", "evaluate", &games, "--set", set, "--weights", &two], "bytes");
        let other = if set == "tree" { "playout" } else { "tree" };
        refuses(&["learn", "evaluate", &games, "--set", other, "--weights", &one], "expected hex-");
    }
}

/// What is built in serves its games; others are refused with a word on where to look.
#[test]
fn learned_patterns_serve_their_games() {
    let recipe = "mcts(select=rave-bias(w=2),expand=widen(mu=1.4),prior=patterns,leaf=patterns(temperature=0.9))";
    for game in ["go(size=5)", "hex(size=5)", "gomoku(size=9)"] {
        let think = ["think", game, "--agent", recipe, "--iterations", "200", "--seed", "3", "--json"];
        let (one, other) = (json_of(&think), json_of(&think));
        assert_eq!(one["iterations"], 200);
        assert_eq!(one["root"], other["root"], "the same seed, the same search");
    }
    refuses(&["think", "othello", "--agent", "mcts(leaf=patterns)", "--iterations", "10"], "tesuji learn weights");
    refuses(
        &["think", "gomoku(rule=renju)", "--agent", "mcts(leaf=patterns)", "--iterations", "10"],
        "learned patterns",
    );
    refuses(
        &["think", "othello", "--agent", "mcts(expand=widen,prior=patterns)", "--iterations", "9"],
        "learned patterns",
    );
    refuses(&["think", "hex", "--agent", "mcts(prior=patterns)", "--iterations", "9"], "no effect");
    let listed = json_of(&["learn", "weights", "--json"]);
    let rows = listed["weights"].as_array().expect("a list");
    let bytes: u64 =
        rows.iter().filter(|row| row["agent"] == "mcts").map(|row| row["bytes"].as_u64().expect("a number")).sum();
    assert!((1..=1_000_000).contains(&bytes), "{bytes} bytes of patterns");
}
