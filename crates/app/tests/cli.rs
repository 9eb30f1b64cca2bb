//! The command line as outside checks see it: JSON keys and values, exit codes, one-line errors.

use crate::command::{json_of, program, refuses, tesuji};
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};

/// Sets what depends on the clock to zero.
fn timeless(mut value: Value) -> Value {
    for key in ["seconds", "memory_bytes"] {
        if let Some(entry) = value.get_mut(key) {
            assert!(entry.is_number());
            *entry = json!(0);
        }
    }
    value
}

#[test]
fn golden_perft() {
    let expected = json!({
        "game": "tictactoe", "depth": 9, "nodes": 127_872,
        "per_depth": [9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872], "complete": true, "seconds": 0
    });
    assert_eq!(timeless(json_of(&["perft", "tictactoe", "9", "--json"])), expected);
    let after = json_of(&["--json", "perft", "tictactoe", "2", "--moves", "b2", "a1"]);
    assert_eq!(after["per_depth"], json!([7, 42]));
}

/// Random positions after x moves, of any game; the seed decides which (Zhang's 44 plies of Othello
/// leave 16 squares).
#[test]
fn random_positions_of_any_game() {
    let position = |game: &str, plies: &str, seed: &str| {
        json_of(&["show", game, "--random-plies", plies, "--random-seed", seed, "--json"])
    };
    let othello = position("othello", "44", "7");
    assert_eq!(othello["moves"].as_array().map(Vec::len), Some(44));
    assert_eq!(othello["moves"], position("othello", "44", "7")["moves"]);
    assert_ne!(othello["moves"], position("othello", "44", "8")["moves"]);
    let after = json_of(&["show", "go(size=5)", "--moves", "C3", "--random-plies", "6", "--json"]);
    assert_eq!((after["moves"].as_array().map(Vec::len), &after["moves"][0]), (Some(7), &json!("C3")));
    refuses(&["show", "tictactoe", "--random-plies", "9"], "games end before");
    refuses(&["show", "tictactoe", "--random-seed", "3"], "--random-plies");
}

#[test]
fn golden_think() {
    let game = "tictactoe(position=\"...X.OXOX\")";
    let expected = json!({
        "game": game, "agent": "oracle(by=score)", "moves": [], "turn": "second", "best": "a3",
        "value": 0.5, "bounds": [0.5, 0.5], "line": ["a3", "b3", "c3", "b2"],
        "iterations": 42, "nodes": 42, "depth": 4, "memory_bytes": 0, "seconds": 0, "stopped": "finished", "seed": 1,
        "root": [
            {"move": "a3", "visits": 1, "mean": 0.5, "bounds": [0.5, 0.5], "note": "draws in 4"},
            {"move": "b3", "visits": 1, "mean": 0.0, "bounds": [0.0, 0.0], "note": "loses in 2"},
            {"move": "c3", "visits": 1, "mean": 0.0, "bounds": [0.0, 0.0], "note": "loses in 2"},
            {"move": "b2", "visits": 1, "mean": 0.0, "bounds": [0.0, 0.0], "note": "loses in 2"},
        ]
    });
    assert_eq!(timeless(json_of(&["think", game, "--agent", "oracle", "--json"])), expected);
    // Values are for the side to move, after moves too.
    let won = json_of(&["think", "tictactoe", "--moves", "a1 b1", "a2", "b2", "--agent", "minimax", "--json"]);
    assert_eq!((&won["best"], &won["value"], &won["turn"]), (&json!("a3"), &json!(1.0), &json!("first")));
    let trap = json_of(&["think", "trap", "--agent", "minimax(depth=2)", "--json"]);
    assert_eq!(trap["nodes"], json!(420));
}

#[test]
fn golden_solve() {
    let keys = |answer: &Value| -> Vec<String> { answer.as_object().expect("an object").keys().cloned().collect() };
    let drawn = json_of(&["solve", "tictactoe", "--with", "df-pn", "--json"]);
    for key in ["status", "value", "best", "line", "nodes", "seconds", "memory_bytes", "pn", "dn", "figures"] {
        assert!(keys(&drawn).iter().any(|other| other == key), "{key}");
    }
    assert_eq!((&drawn["status"], &drawn["value"]), (&json!("draw"), &json!(0.5)));
    // For the side to move.
    for (moves, turn, status, value) in [("b2 b1", "first", "win", 1.0), ("b2 b1 a1", "second", "loss", 0.0)] {
        let answer = json_of(&["solve", "tictactoe", "--moves", moves, "--json"]);
        assert_eq!(
            (&answer["turn"], &answer["status"], &answer["value"]),
            (&json!(turn), &json!(status), &json!(value))
        );
    }
    let margin = json_of(&["solve", "othello(size=4)", "--goal", "exact-margin", "--json"]);
    assert_eq!((&margin["status"], &margin["figures"]["greatest margin"]), (&json!("loss"), &json!(-8.0)));
    let asked = json_of(&["solve", "othello(size=4)", "--goal", "margin>=-8", "--with", "pn", "--json"]);
    assert_eq!((&asked["reached"], &asked["goal"]), (&json!(true), &json!("margin>=-8")));
    let graded = json_of(&["solve", "tree(text=\"F(0.3 S(0.7 1))\")", "--json"]);
    assert_eq!((&graded["status"], &graded["value"], &graded["best"]), (&json!("win"), &json!(0.7), &json!("1")));
    let asked = json_of(&["solve", "tree(text=\"F(0.3 S(0.7 1))\")", "--goal", "score>=0.8", "--json"]);
    assert_eq!((&asked["reached"], &asked["status"]), (&json!(false), &json!("unknown")));
    // Knowledge of a game: a win is proved, or nothing is said.
    for (moves, status) in [("h8 a1 i8 a3 j8 a5", "win"), ("h8 a1", "unknown")] {
        let answer = json_of(&["solve", "gomoku", "--moves", moves, "--with", "vcf", "--json"]);
        assert_eq!(answer["status"], json!(status), "{moves}");
    }
    // A solver that was not asked for the goal does not answer it: no victory by fours is no
    // answer.
    let other = json_of(&["solve", "gomoku", "--moves", "h8 a1", "--with", "vcf", "--goal", "first-wins", "--json"]);
    assert_eq!((&other["reached"], &other["status"]), (&Value::Null, &json!("unknown")));
    // Other agents solve too; the goal is judged from their bounds.
    let oracle = json_of(&["solve", "tictactoe", "--with", "oracle", "--goal", "first-wins", "--json"]);
    assert_eq!((&oracle["reached"], &oracle["status"]), (&json!(false), &json!("draw")));
    // What is not solved is unknown, on time, with its numbers.
    let unknown = json_of(&["solve", "hex(size=11)", "--time", "0.3", "--memory", "1MB", "--json"]);
    assert_eq!((&unknown["status"], &unknown["stopped"]), (&json!("unknown"), &json!("time")));
    assert!(unknown["pn"].as_f64().is_some_and(|pn| pn >= 1.0) && unknown["dn"].as_f64().is_some_and(|dn| dn >= 1.0));
    assert!(unknown["memory_bytes"].as_u64().expect("bytes") <= 1_000_000);
    let bench = json_of(&["bench", "solve", "tictactoe", "--seconds", "0.05", "--json"]);
    assert!(bench["nodes_per_second"].as_f64().expect("a speed") > 1_000.0);
}

/// A proof is written, verified, and refused when anything about it is wrong.
#[test]
fn proofs_are_written_and_verified() {
    let path = |name: &str| {
        let path = std::env::temp_dir().join(format!("tesuji-cli-{}-{name}", std::process::id()));
        path.to_str().expect("UTF-8").to_string()
    };
    let (file, other) = (path("one.proof"), path("other.proof"));
    let hex = "hex(size=3,swap=false)";
    for agent in ["df-pn", "pn", "deep-df-pn", "ppn"] {
        let solved = json_of(&["solve", hex, "--moves", "a3", "--with", agent, "--proof", &file, "--json"]);
        assert_eq!((&solved["status"], &solved["proof"]["file"]), (&json!("loss"), &json!(file)));
        let verified = json_of(&["verify", hex, &file, "--json"]);
        assert_eq!((&verified["holds"], &verified["moves"]), (&json!(true), &json!(["a3"])));
        assert_eq!(verified["claims"][0]["at_least"], json!(1.0));
        assert_eq!(verified["claims"][0]["positions"], solved["proof"]["positions"]);
    }
    let draw = json_of(&["solve", "tictactoe", "--proof", &other, "--json"]);
    assert_eq!(draw["status"], json!("draw"));
    assert_eq!(json_of(&["verify", "tictactoe", &other, "--json"])["claims"].as_array().expect("a list").len(), 2);
    let refused = |arguments: &[&str], part: &str| {
        let output = tesuji(arguments);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), stderr.lines().count()), (Some(2), 1), "{arguments:?}: {stderr}");
        assert!(output.stdout.is_empty() && stderr.contains(part), "{arguments:?}: {stderr}");
    };
    refused(&["verify", "hex(size=4,swap=false)", &file], "about another game");
    refused(&["verify", hex, "/no/such/file"], "/no/such/file");
    refused(&["verify", hex, "/dev/zero"], "not an ordinary file");
    refused(&["verify", hex, "Cargo.toml"], "not a proof file");
    let bytes = std::fs::read(&file).expect("written");
    let mut altered = bytes.clone();
    altered[bytes.len() - 12] ^= 1;
    std::fs::write(&other, &altered).expect("written");
    refused(&["verify", hex, &other], "checksum");
    std::fs::write(&other, &bytes[..bytes.len() / 2]).expect("written");
    refused(&["verify", hex, &other], "altered or cut off");
    std::fs::write(&other, "").expect("written");
    refused(&["verify", hex, &other], "not a proof file");
    refused(&["solve", hex, "--goal", "win"], "the goal: expected exact");
    refused(&["solve", hex, "--with", "df-pn(goal=\"win\")"], "expected exact");
    refused(&["solve", hex, "--with", "dfpn"], "did you mean \"df-pn\"?");
    refused(&["solve", hex, "--file", "x"], "hex has no parameter");
    let unwritten = tesuji(&["solve", hex, "--with", "oracle", "--proof", &other]);
    assert_eq!(unwritten.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unwritten.stderr).contains("writes no proofs"));
    assert!(String::from_utf8_lossy(&unwritten.stdout).contains("win for Black"), "the answer is told");
    refused(&["solve", hex, "--proof", "/no/such/folder/x"], "/no/such/folder/x");
    // What was found is told even if its proof does not fit.
    let spent =
        tesuji(&["solve", "othello(size=4)", "--with", "df-pn", "--memory", "2KB", "--proof", &other, "--json"]);
    let answer: Value = serde_json::from_slice(&spent.stdout).expect("JSON");
    assert_eq!((spent.status.code(), &answer["status"]), (Some(2), &json!("loss")));
    let stderr = String::from_utf8_lossy(&spent.stderr);
    assert!(stderr.contains("no proof was written: the proof does not fit into 2000 bytes"), "{stderr}");
    // A problem's file may be called otherwise elsewhere; what it says may not differ.
    let problem = |name: &str| {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../games/problems/connect6");
        std::fs::read_to_string(format!("{folder}/{name}.txt")).expect("a problem")
    };
    let (one, two) = (path("here.txt"), path("there.txt"));
    std::fs::write(&one, problem("vcst-01")).expect("written");
    std::fs::write(&two, problem("vcst-01")).expect("written");
    json_of(&["solve", "connect6", "--file", &one, "--with", "vcst", "--proof", &other, "--json"]);
    let elsewhere = format!("connect6(file=\"{two}\")");
    assert_eq!(json_of(&["verify", &elsewhere, &other, "--json"])["holds"], json!(true));
    refused(&["verify", "connect6", &other], "about another game");
    std::fs::write(&two, problem("vcst-02")).expect("written");
    refused(&["verify", &elsewhere, &other], "the proof does not hold");
    for file in [file, other, one, two] {
        std::fs::remove_file(file).expect("it was there");
    }
}

#[test]
fn golden_show() {
    let shown = json_of(&["show", "tictactoe", "--moves", "b2", "a1", "--json"]);
    let expected = json!({
        "game": "tictactoe", "moves": ["b2", "a1"], "turn": "first", "outcome": null,
        "legal": ["a3", "b3", "c3", "a2", "c2", "b1", "c1"], "hash": "748b6be5d2f0786d",
        "board": {
            "shape": "cells", "columns": ["a", "b", "c"], "rows": ["3", "2", "1"],
            "points": [
                null, null, null, null, {"owner": "first", "letter": "X"}, null,
                {"owner": "second", "letter": "O"}, null, null
            ],
            "captions": ["X to move"]
        }
    });
    assert_eq!(shown, expected);
    let ended = json_of(&["show", "tree(text=\"F(0.3)\")", "--moves", "0", "--json"]);
    assert_eq!(ended["outcome"], json!({"score": 0.3, "margin": -1, "winner": "second"}));
    let full = json_of(&["show", "othello(size=4,position=\"XXX............. X\")", "--json"]);
    assert_eq!(full["outcome"], json!({"score": 1.0, "margin": 3, "winner": "first"}), "an ended position is shown");
    let text = String::from_utf8(tesuji(&["show", "tictactoe", "--moves", "b2"]).stdout).expect("UTF-8");
    assert_eq!(text, "tictactoe\n  a b c\n3 . . .\n2 .(X).\n1 . . .\nO to move\n", "no colours in a pipe");
}

#[test]
fn golden_match() {
    let result = json_of(&["match", "tictactoe", "--first", "oracle", "--second", "random", "--games", "40", "--json"]);
    let keys: Vec<&String> = result.as_object().expect("an object").keys().collect();
    let expected = [
        "complete",
        "draws",
        "elo",
        "first",
        "first_points",
        "first_wins",
        "first_wins_moving_first",
        "game",
        "games",
        "limits",
        "openings",
        "pairs",
        "plies",
        "second",
        "second_wins",
        "seconds",
        "seed",
        "share",
        "superiority",
        "void",
    ];
    assert_eq!(keys, expected);
    let pairs: Vec<u64> = result["pairs"].as_array().expect("a list").iter().filter_map(Value::as_u64).collect();
    assert_eq!(pairs.iter().sum::<u64>(), 20, "every two games are a pair");
    let count = |key: &str| result[key].as_u64().expect("a count");
    assert_eq!(count("first_wins") + count("second_wins") + count("draws") + count("void"), 40);
    assert_eq!((count("second_wins"), count("void")), (0, 0), "the oracle does not lose");
    assert!(count("first_wins") > 25);
    // The same match from the other side, and again: the same games.
    let swapped =
        json_of(&["match", "tictactoe", "--first", "random", "--second", "oracle", "--games", "40", "--json"]);
    assert_eq!(swapped["first_wins"], json!(0));
    let again = json_of(&["match", "tictactoe", "--first", "oracle", "--second", "random", "--games", "40", "--json"]);
    assert_eq!(timeless(again), timeless(result));
}

/// Without an agent the game's strongest thinks, within an end of its own, and its name is in the
/// answer.
#[test]
fn the_strongest_agent_is_the_default() {
    for (game, agent) in
        [("othello", "alpha-beta("), ("go(size=5)", "mcts("), ("go(size=9)", "zero("), ("tictactoe", "oracle(")]
    {
        let answer = json_of(&["think", game, "--nodes", "2000", "--json"]);
        assert!(answer["agent"].as_str().is_some_and(|name| name.starts_with(agent)), "{answer}");
        // Threads are for agents that use them.
        let answer = json_of(&["think", game, "--nodes", "2000", "--threads", "2", "--json"]);
        assert!(answer["best"].is_string(), "{answer}");
    }
    let unlimited = json_of(&["think", "othello(size=8)", "--json"]);
    assert_eq!(unlimited["stopped"], "nodes");
    let match_of = ["match", "othello(size=4)", "--first", "auto", "--second", "auto", "--games", "2", "--json"];
    assert!(json_of(&match_of)["first"].as_str().is_some_and(|name| name.starts_with("alpha-beta(")));
}

/// `verify --rules-only` trusts no certificate: it expands each, or says that it could not.
#[test]
fn certificates_are_expanded_by_the_rules() {
    let path = std::env::temp_dir().join(format!("tesuji-rules-{}.proof", std::process::id()));
    let file = path.to_str().expect("UTF-8");
    json_of(&["solve", "goproblem", "--with", "go-solver", "--proof", file, "--json"]);
    let trusted = json_of(&["verify", "goproblem", file, "--json"]);
    let certificates = trusted["claims"][0]["certificates"].as_u64().expect("a number");
    assert!(certificates > 0, "{trusted}");
    assert_eq!((&trusted["holds"], &trusted["rules_only"]), (&json!(true), &json!(false)));
    let expanded = json_of(&["verify", "goproblem", file, "--rules-only", "--json"]);
    assert_eq!((&expanded["holds"], &expanded["rules_only"]), (&json!(true), &json!(true)));
    assert_eq!(expanded["claims"][0]["certificates"], json!(certificates));
    assert_eq!(expanded["claims"][0]["unexpanded"], json!(0));
    let cut = tesuji(&["verify", "goproblem", file, "--rules-only", "--nodes", "1", "--json"]);
    let answer: Value = serde_json::from_slice(&cut.stdout).expect("JSON");
    assert_eq!((cut.status.code(), &answer["holds"]), (Some(3), &Value::Null));
    assert!(answer["claims"][0]["unexpanded"].as_u64().expect("a number") > 0, "{answer}");
    let stderr = String::from_utf8_lossy(&cut.stderr);
    assert!(stderr.contains("were not expanded within the limits") && stderr.lines().count() == 1, "{stderr}");
    assert_eq!(answer["error"].as_str().map(|error| stderr.contains(error)), Some(true), "{answer}");
    let alone = tesuji(&["verify", "goproblem", file, "--nodes", "5"]);
    assert_eq!(alone.status.code(), Some(2), "--nodes is for --rules-only");
    std::fs::remove_file(path).expect("it was there");
}

/// A file that is no proof is not read, and one that does not fit into memory is refused: `verify`
/// read 3 GB before it looked at the first bytes. The limit of the shell holds for the whole
/// process.
#[cfg(unix)]
#[test]
fn verify_reads_no_more_than_it_must() {
    let path = std::env::temp_dir().join(format!("tesuji-verify-{}.proof", std::process::id()));
    let name = path.to_str().expect("UTF-8").to_string();
    let verify = |memory: &str| {
        let line =
            format!("ulimit -v 1000000; exec '{}' verify tictactoe '{name}'{memory}", env!("CARGO_BIN_EXE_tesuji"));
        let output = Command::new("sh").args(["-c", &line]).output().expect("a shell");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let mut file = std::fs::File::create(&path).expect("a file");
    file.set_len(3 << 30).expect("a hole");
    let (code, complaint) = verify("");
    assert!(code == Some(2) && complaint.contains("not a proof"), "{code:?}: {complaint}");
    file.write_all(b"tesuji proof").expect("written");
    let (code, complaint) = verify("");
    assert!(code == Some(2) && complaint.contains("--memory"), "{code:?}: {complaint}");
    file.set_len(100_000).expect("cut");
    let (code, complaint) = verify(" --memory 64KB");
    assert!(code == Some(2) && complaint.contains("larger than 32000 bytes"), "{code:?}: {complaint}");
    std::fs::remove_file(&path).expect("removed");
}

#[test]
fn golden_lists() {
    let games = json_of(&["games", "--json"]);
    let tictactoe = &games["games"][0];
    assert_eq!((&tictactoe["name"], &tictactoe["parameters"][0]["name"]), (&json!("tictactoe"), &json!("position")));
    let strongest = |name: &str| {
        let list = games["games"].as_array().expect("a list");
        list.iter().find(|game| game["name"] == name).expect(name)["strongest"].clone()
    };
    assert_eq!([strongest("tictactoe"), strongest("go"), strongest("othello")], ["oracle", "mcts", "alpha-beta"]);
    assert_eq!(json_of(&["games", "tictactoe", "--json"])["games"], json!([tictactoe]));
    refuses(&["games", "tictactoes"], "there is no game");
    refuses(&["agents", "mct"], "there is no agent");
    let recipe = String::from_utf8(tesuji(&["agents", "mcts"]).stdout).expect("UTF-8");
    assert!(recipe.contains("ucb1: mean + ") && recipe.contains("c=0.7: exploration constant"), "{recipe}");
    let agents = json_of(&["agents", "--json"]);
    let names: Vec<&Value> = agents["agents"].as_array().expect("a list").iter().map(|agent| &agent["name"]).collect();
    assert_eq!(
        names,
        [
            "mcts",
            "vote",
            "zero",
            "uct",
            "ann",
            "ga",
            "neat",
            "random",
            "rps",
            "expected",
            "minimax",
            "level-k",
            "alpha-beta",
            "endgame",
            "cns",
            "scn",
            "oracle",
            "pn",
            "deep-pn",
            "mcpn",
            "ppn",
            "df-pn",
            "deep-df-pn",
            "gtp",
            "uci",
            "ucci",
            "gomocup",
            "nboard",
            "go-solver",
            "hex-solver",
            "othello-solver",
            "vcf",
            "vct",
            "vcdt",
            "vcst"
        ]
    );
    assert_eq!(agents["agents"][8]["parameters"][0]["default"], json!("1"), "depth of rps");
    // A solver names its game, and is refused elsewhere.
    assert_eq!(json_of(&["agents", "vcf", "--json"])["agents"][0]["games"], json!(["gomoku"]));
    refuses(&["solve", "hex", "--with", "vcf"], "vcf: a solver of gomoku; for this game use hex-solver");
}

/// On a busy machine the time can pass before the first playout: nothing was printed then.
#[test]
fn the_shortest_measurement_is_one() {
    for command in ["playout", "search", "solve", "perft"] {
        let speed = json_of(&["bench", command, "tictactoe", "--seconds", "0.000001", "--json"]);
        assert!(speed["game"].is_string(), "{command}: {speed}");
    }
}

#[test]
fn golden_bench_keys() {
    let playout = json_of(&["bench", "playout", "tictactoe", "--seconds", "0.05", "--json"]);
    assert!(playout["playouts_per_second"].as_f64().expect("a speed") > 1000.0);
    let ratio =
        playout["moves_per_second"].as_f64().expect("a speed") / playout["playouts_per_second"].as_f64().expect("one");
    assert!((ratio - 7.63).abs() < 0.1, "mean length {ratio}");
    let search = json_of(&["bench", "search", "tictactoe", "--seconds", "0.05", "--json"]);
    assert!(search["iterations_per_second"].as_f64().expect("a speed") > 1000.0);
    assert!(search.get("bytes_per_node").is_some());
    let threads = json_of(&["bench", "threads", "tictactoe", "--seconds", "0.02", "--rounds", "2", "--json"]);
    let (rounds, speed) = (threads["rounds"].as_array().expect("rounds"), threads["ratio"].as_f64().expect("a ratio"));
    assert!(rounds.len() == 2 && speed > 0.0 && threads["machine"].as_f64().expect("a factor") > 0.0);
    let complexity = json_of(&["bench", "complexity", "--seconds", "0.3", "--json"]);
    assert_eq!(
        (complexity["sizes"].as_array().expect("a list").len(), complexity["steps"].as_array().expect("a list").len()),
        (21, 6)
    );
    // A run this short may be too noisy to fit: then it says so in place of an exponent.
    assert_ne!(complexity["exponent"].as_f64().is_some_and(f64::is_finite), complexity["refused"].is_string());
    let perft = json_of(&["bench", "perft", "tictactoe", "--seconds", "0.5", "--json"]);
    assert!(perft["nodes_per_second"].as_f64().expect("a speed") > 1000.0);
}

/// Bad input: exit 2, one clear line on stderr, nothing on stdout.
#[test]
fn bad_input_is_answered_in_one_line() {
    let garbage = "(=,\u{7}\"é".repeat(5_000);
    let cases: Vec<(Vec<&str>, &str)> = vec![
        (vec![], "expected a command"),
        (vec!["plya"], "unrecognized subcommand"),
        (vec!["perft", "tictactoo", "3"], "did you mean \"tictactoe\"?"),
        (vec!["perft", "tictactoe", "1000000000"], "expected 1 to 255"),
        (vec!["perft", "tictactoe", "0"], "expected 1 to 255"),
        (vec!["perft", "tictactoe", "-1"], "'-1'"),
        (vec!["perft", "tictactoe", "x"], "invalid value 'x'"),
        (vec!["perft", "tictactoe"], "<DEPTH>"),
        (vec!["show", "mnk(m=3"], "never closed"),
        (vec!["show", "mnk(m=0)"], "whole number from 1 to 26"),
        (vec!["show", "mnk(q=1)"], "no parameter \"q\""),
        (vec!["show", "mnk(k=5)"], "between 1 and the longer side"),
        (vec!["show", "tictactoe", "--moves", "d4"], "move 1: "),
        (
            vec!["show", "tictactoe", "--moves", "a1", "a1"],
            "move 2: the move a1 is not legal here: the square is taken",
        ),
        (vec!["show", &garbage], "expected a name"),
        (vec!["show", "tree(file=\"/\")"], "tree file: /: not an ordinary file"),
        (vec!["show", "tree(file=\"/dev/zero\")"], "not an ordinary file"),
        (vec!["show", "pgame(branching=2147483648)"], "branching of pgame must be"),
        (vec!["show", "go(size=30)"], "size of go must be a whole number from 2 to 25"),
        (vec!["show", "go(komi=0.3)"], "whole or half points"),
        (vec!["show", "go(size=9)", "--moves", "J10"], "move 1"),
        (vec!["show", "go(size=9)", "--moves", "E5", "E5"], "occupied"),
        (vec!["think", "othello(size=4,position=\"XXX............. X\")"], "the game has ended"),
        (vec!["show", "go(move=3)"], "allowed only with sgf"),
        (vec!["show", "go(size=5,handicap=2)"], "no star points"),
        (vec!["show", "goproblem(text=\"board:\\n  A Q\\n2 x +\\n1 + +\")"], "expected the names of the columns, A B"),
        (vec!["show", "goproblem(file=\"Cargo.toml\")"], "Cargo.toml"),
        (vec!["show", "go(sgf=\"/dev/null\")"], "not an ordinary file"),
        (vec!["think", "go", "--agent", "gtp"], "needs cmd"),
        (vec!["think", "tictactoe", "--agent", "gtp(cmd=\"true\")"], "engines play go, hex, othello over GTP"),
        (vec!["think", "go", "--agent", "uci(cmd=\"true\")"], "over UCI, not this game"),
        (vec!["think", "othello(size=6)", "--agent", "nboard(cmd=\"true\")"], "boards of 8×8 only"),
        (vec!["think", "xiangqi", "--agent", "uci(cmd=\"true\",options=\"=1\")"], "expected Name=value"),
        (
            vec!["think", "go", "--agent", "gtp(cmd=\"cat\")", "--iterations", "9"],
            "without words for a limit of iterations",
        ),
        (vec!["think", "go", "--agent", "gtp(cmd=\"/no/such/engine\")"], "cannot start"),
        (vec!["think", "tictactoe", "--agent", "mcts(select=ucb2)"], "did you mean \"ucb1\"?"),
        (vec!["think", "tictactoe", "--agent", "mcts(select=ucb1(c=-1))"], "c of ucb1 must be"),
        (vec!["think", "tictactoe", "--agent", "mcts(select=ucb-e)", "--time", "1"], "select=ucb-e"),
        (vec!["think", "tictactoe", "--agent", "mcts(expand=widen(mu=1))"], "widen needs mu above 1"),
        (vec!["think", "tictactoe", "--agent", "mcts(expand=widen)"], "expand=widen needs a preference"),
        (vec!["think", "tictactoe", "--agent", "mcts(leaf=cut)"], "leaf=cut needs an evaluation"),
        (vec!["think", "tictactoe", "--agent", "mcts(leaf=heuristic)"], "leaf=heuristic needs a preference"),
        (vec!["think", "tictactoe", "--agent", "mcts(backup=implicit)"], "backup=implicit needs an evaluation"),
        (vec!["think", "tictactoe", "--agent", "mcts(backup=combined,share=true)"], "share=false"),
        (vec!["think", "tictactoe", "--agent", "mcts(probe=look,solver=false)"], "solver=true"),
        (vec!["think", "tictactoe", "--agent", "mcts(select=pn,solver=false)"], "solver=true"),
        (vec!["think", "tictactoe", "--agent", "mcts(select=rave,expand=each)"], "expand"),
        (vec!["think", "go", "--agent", "mcts(share=true)"], "share=true"),
        (vec!["think", "tictactoe", "--agent", "mcts", "--memory", "100"], "memory: 100 bytes"),
        (vec!["think", "tictactoe", "--agent", "oracle", "--threads", "2"], "uses one thread"),
        (vec!["think", "tictactoe", "--every", "0"], "--every"),
        (vec!["match", "tictactoe", "--first", "mcts(leaf=cut)", "--second", "random", "--games", "2"], "leaf=cut"),
        (vec!["match", "tictactoe", "--first", "random", "--second", "random", "--openings", "9"], "--openings 9"),
        (vec!["think", "go", "--agent", "oracle", "--moves", "Z99"], "move 1"),
        (vec!["think", "tictactoe", "--agent", "oracel"], "did you mean \"oracle\"?"),
        (vec!["think", "tictactoe", "--agent", "minimax(depth=0)"], "depth of minimax must be"),
        (vec!["think", "tictactoe", "--agent", "minimax(depth=99999999999)"], "depth of minimax must be"),
        (vec!["think", "tictactoe", "--agent", "alpha-beta(depth=0)"], "depth of alpha-beta must be"),
        (vec!["think", "tictactoe", "--agent", "alpha-beta(depth=1000000000)"], "depth of alpha-beta must be"),
        (vec!["think", "tictactoe", "--agent", "alpha-beta(bytes=63)"], "bytes of alpha-beta must be"),
        (vec!["think", "tictactoe", "--agent", "alpha-beta", "--memory", "63"], "at least 64 bytes"),
        (vec!["think", "trap", "--agent", "alpha-beta(evaluation=game)"], "has no evaluation"),
        (vec!["think", "trap", "--agent", "scn(t=10001)"], "t of scn must be"),
        (vec!["think", "trap", "--agent", "cns(step=500,range=100)"], "does not fit"),
        (vec!["think", "tictactoe", "--agent", "endgame"], "no exact endgame solver"),
        (vec!["think", "tictactoe", "--iterations", "-5"], "'-5'"),
        (vec!["think", "tictactoe", "--iterations", "99999999999999999999999"], "--iterations"),
        (vec!["think", "tictactoe", "--time", "nan"], "--time"),
        (vec!["think", "tictactoe", "--memory", "lots"], "--memory"),
        (vec!["think", "tictactoe", "--threads", "0"], "--threads"),
        (vec!["think", "tictactoe", "--seed", "x"], "--seed"),
        (vec!["think", "tictactoe", "--moves", "a1 b1 a2 b2 a3"], "the game has ended"),
        (vec!["match", "tictactoe", "--first", "random"], "--second"),
        (
            vec!["match", "tictactoe", "--first", "random", "--second", "(", "--games", "1"],
            "the second agent: expected a name",
        ),
        (vec!["match", "tictactoe", "--first", "random", "--second", "random", "--games", "0"], "--games"),
        (vec!["match", "tree(text=\"1\")", "--first", "random", "--second", "random"], "ended before it began"),
        (vec!["play", "tictactoe", "--first", "you"], "--first is me, or an agent: unknown agent \"you\""),
        (vec!["bench", "playout", "nogame"], "unknown game"),
        (vec!["bench", "threads", "tictactoe", "--agent", "oracle"], "uses one thread"),
        (vec!["bench", "playout", "tictactoe", "--seconds", "0"], "--seconds"),
        (
            vec!["think", "pgame(branching=9,depth=19)", "--agent", "oracle", "--iterations", "0", "--nodes", "x"],
            "--nodes",
        ),
    ];
    for (arguments, part) in cases {
        refuses(&arguments, part);
    }
}

/// A megabyte of nonsense as a spec: through standard input, as the argument list has no room for
/// it.
#[test]
fn a_megabyte_of_nonsense_is_refused() {
    for nonsense in [vec![b'('; 1 << 20], vec![0xff; 1 << 20], vec![b'a'; 1 << 20], Vec::new()] {
        let mut child = program()
            .args(["show", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        child.stdin.take().expect("piped").write_all(&nonsense).expect("written");
        let output = child.wait_with_output().expect("it ends");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.lines().count() == 1 && stderr.len() < 500, "{stderr}");
    }
}

#[cfg(unix)]
#[test]
fn bytes_that_are_no_text_are_refused() {
    use std::os::unix::ffi::OsStrExt;
    let output = program()
        .args(["show".as_ref(), std::ffi::OsStr::from_bytes(b"tic\xff\xfe")])
        .output()
        .expect("the binary runs");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1);
}

/// Ctrl-C: the search answers with what it has.
#[cfg(unix)]
#[test]
fn an_interrupt_gets_the_answer_so_far() {
    let child = program()
        .args(["think", "mnk(m=6,n=6,k=5)", "--agent", "rps", "--time", "600", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    std::thread::sleep(std::time::Duration::from_millis(800));
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(sent.success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(3));
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(answer["stopped"], json!("asked"));
    assert!(answer["best"].is_string() && answer["iterations"].as_u64().expect("a count") > 0);
}

/// A search that goes on was not stopped.
#[test]
fn only_the_last_line_of_a_stream_says_why_it_ended() {
    let output = tesuji(&["think", "tictactoe", "--agent", "mcts", "--iterations", "30", "--every", "10", "--json"]);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let stopped: Vec<Value> =
        text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON")["stopped"].clone()).collect();
    let (last, before) = stopped.split_last().expect("lines");
    assert!(before.len() >= 2 && before.iter().all(Value::is_null) && last == "iterations", "{text}");
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let mut child = program().arg("games").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

#[test]
fn games_are_saved_and_loaded() {
    let path = std::env::temp_dir().join(format!("tesuji-cli-{}.sgf", std::process::id()));
    let file = path.to_str().expect("UTF-8");
    let saved = json_of(&["show", "hex", "--moves", "d2", "swap", "--save", file, "--json"]);
    let loaded = json_of(&["show", "hex", "--sgf", file, "--json"]);
    assert_eq!(saved, loaded);
    let longer = json_of(&["show", "hex", "--sgf", file, "--moves", "f6", "--json"]);
    assert_eq!(longer["moves"], json!(["d2", "swap", "f6"]));
    let other = tesuji(&["show", "othello", "--sgf", file]);
    assert_eq!(other.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&other.stderr).contains("another game"));
    std::fs::remove_file(path).expect("it was there");
}

/// What `loadsgf` reads, `--sgf` reads: stones set up, moves out of turn, a board of another size.
#[test]
fn records_of_go_with_set_ups_are_saved_and_loaded() {
    let path = std::env::temp_dir().join(format!("tesuji-go-{}.sgf", std::process::id()));
    let file = path.to_str().expect("UTF-8");
    std::fs::write(&path, "(;GM[1]SZ[5]KM[0.5]AB[aa][bb];B[cc];B[dd];W[];AE[cc]PL[W];W[ee])").expect("written");
    let read = json_of(&["show", "go", "--sgf", file, "--json"]);
    assert_eq!(read["moves"], json!(["C3", "D2", "pass", "E1"]));
    assert_eq!(read["game"].as_str().map(|game| game.starts_with("go(size=5,komi=0.5,")), Some(true));
    assert_eq!(read["board"]["points"].as_array().expect("points").iter().filter(|point| !point.is_null()).count(), 4);
    let saved = json_of(&["show", "go", "--sgf", file, "--save", file, "--json"]);
    assert_eq!(read, saved);
    assert_eq!(json_of(&["show", "go", "--sgf", file, "--json"]), read);
    let thought = json_of(&["think", "go", "--sgf", file, "--agent", "mcts", "--iterations", "50", "--json"]);
    assert_eq!(thought["moves"], read["moves"]);
    // A proof names a game and its moves in turn; this is none.
    let proof = tesuji(&["solve", "go", "--sgf", file, "--with", "df-pn", "--nodes", "9", "--proof", "unwritten"]);
    assert_eq!(proof.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&proof.stderr).starts_with("tesuji: --proof: "));
    std::fs::remove_file(path).expect("it was there");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failure() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has one");
    let output = program().arg("games").stdout(full).stderr(Stdio::piped()).output();
    let output = output.expect("it runs");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1);
}

#[test]
fn the_program_tells_its_version() {
    assert!(String::from_utf8_lossy(&tesuji(&["--version"]).stdout).starts_with("tesuji 0."));
}

/// Everything seeded, against the committed fingerprint.
#[test]
fn the_signature_is_the_committed_one() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bench/signature.txt");
    let committed = std::fs::read_to_string(path).expect("bench/signature.txt is committed");
    let now = String::from_utf8(tesuji(&["bench", "signature"]).stdout).expect("UTF-8");
    assert_eq!(
        now, committed,
        "behaviour has changed; if that was meant: tesuji bench signature > bench/signature.txt"
    );
}
