//! Searches by value on the command line: `fit`, `bench scn`, and everything alpha-beta, conspiracy
//! numbers and endgames refuse.

use crate::command::{json_of, refuses, tesuji};
use serde_json::Value;

/// A file of this test's own.
fn file(name: &str) -> String {
    let path = std::env::temp_dir().join(format!("tesuji-values-{}-{name}", std::process::id()));
    path.to_str().expect("UTF-8").to_string()
}

const FIT: [&str; 9] = ["fit", "othello", "--games", "12", "--depth", "1", "--exact", "8", "--json"];

#[test]
fn weights_are_fitted_written_and_the_same_again() {
    let path = file("weights.txt");
    let fitted = json_of(&[&FIT[..], &["--match", "4", "--match-depth", "1", "--output", &path]].concat());
    assert_eq!(fitted["games"], 12);
    assert_eq!(fitted["command"], "tesuji fit othello --games 12 --depth 1 --exact 8 --ridge 0.001 --seed 1");
    let written = std::fs::read_to_string(&path).expect("written");
    std::fs::remove_file(&path).expect("it was there");
    assert_eq!(fitted["weights"], written);
    assert!(written.contains("# Made by: tesuji fit othello --games 12") && written.contains("\nscale "), "{written}");
    let errors = fitted["errors"].as_array().expect("a list");
    let all = errors.last().expect("over all");
    assert_eq!((&all["empties"][0], &all["empties"][1]), (&Value::from(0), &Value::from(60)));
    let positions = |row: &Value| row["positions"].as_u64().expect("a count");
    assert_eq!(errors[..errors.len() - 1].iter().map(positions).sum::<u64>(), positions(all));
    let played = &fitted["match"];
    let count = |key: &str| played[key].as_u64().expect("a count");
    assert_eq!((count("games"), count("wins") + count("draws") + count("losses")), (4, 4));
    assert_eq!(json_of(&FIT)["weights"], fitted["weights"], "the same seed, the same table");
    assert_ne!(json_of(&[&FIT[..], &["--seed", "2"]].concat())["weights"], fitted["weights"]);
}

#[test]
fn weights_of_problems_are_fitted_to_generated_ones() {
    let fit = ["fit", "goproblem", "--games", "80", "--json"];
    let fitted = json_of(&fit);
    assert_eq!(fitted["command"], "tesuji fit goproblem --games 80 --ridge 0.001 --seed 1");
    let features: Vec<&Value> =
        fitted["weights"].as_array().expect("a list").iter().map(|row| &row["feature"]).collect();
    assert_eq!(features, ["constant", "side to move", "eyes", "inner space", "space", "liberties"]);
    for quality in ["quality", "quality_in_force"] {
        assert!(fitted[quality].as_f64().is_some_and(|share| share > 0.6 && share <= 1.0), "{fitted}");
    }
    assert_eq!(json_of(&fit)["weights"], fitted["weights"], "the same seed, the same weights");
    refuses(&["fit", "goproblem", "--match", "4"], "are not played");
}

const SCN: [&str; 12] =
    ["bench", "scn", "--plies", "4", "--nodes", "2000", "--depth", "5", "--handicap-games", "1", "--rounds", "50"];

#[test]
fn conspiracy_numbers_are_measured() {
    let study = json_of(&[&SCN[..], &["--games", "2", "--json"]].concat());
    assert_eq!((&study["won_games"], &study["threshold"]), (&Value::from(2), &Value::from(600)));
    assert_eq!(study["compositions"].as_array().expect("a list").len(), 2);
    assert_eq!(study["areas"].as_array().expect("a list").len(), 3);
    assert_eq!(study["handicaps"].as_array().expect("a list").len(), 14, "seven openings at T = 200 and 600");
    for measure in ["rscn", "value"] {
        let kinds: Vec<&Value> = study[measure].as_array().expect("a list").iter().map(|row| &row["kind"]).collect();
        assert_eq!(kinds, ["won", "drawn", "lost"]);
    }
    // The same positions from a file, as lines and as JSON, play the same games.
    let fens: Vec<&str> = study["compositions"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    let (lines, list) = (file("lines.txt"), file("list.json"));
    std::fs::write(&lines, format!("# two\n{}\n", fens.join("\n"))).expect("written");
    let entries: Vec<Value> = fens.iter().map(|fen| serde_json::json!({"fen": fen, "mate_in": 3})).collect();
    let other = serde_json::json!({"fen": "nonsense", "mate_in": null});
    std::fs::write(&list, Value::from([entries, vec![other]].concat()).to_string()).expect("written");
    for path in [&lines, &list] {
        let again = json_of(&[&SCN[..], &["--games", "9", "--file", path, "--json"]].concat());
        assert_eq!((&again["rscn"], &again["areas"]), (&study["rscn"], &study["areas"]));
        std::fs::remove_file(path).expect("it was there");
    }
    let text = String::from_utf8(tesuji(&[&SCN[..], &["--games", "2"]].concat()).stdout).expect("UTF-8");
    for part in ["RSCN (smaller is better)", "value (larger is better)", "won, lost", "two rooks", "█"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let mated = r#"xiangqi(fen="3k5/3R5/3R5/9/9/9/9/9/9/4K4 b")"#;
    let full = r#"othello(size=4,position="XXX............. X")"#;
    let (bad, empty) = (file("bad.txt"), file("empty.txt"));
    std::fs::write(&bad, "3k5/9 w\n").expect("written");
    std::fs::write(&empty, "# nothing\n").expect("written");
    let mut cases: Vec<(Vec<&str>, &str)> = vec![
        (vec!["think", "xiangqi", "--agent", "alpha-beta(depth=0)"], "from 1 to 1000, not 0"),
        (vec!["think", "xiangqi", "--agent", "alpha-beta(depth=1000000000)"], "from 1 to 1000, not 1000000000"),
        (vec!["think", "xiangqi", "--agent", "scn(depth=0)"], "depth of scn must be"),
        (vec!["think", "xiangqi", "--agent", "scn(depth=1000000000)"], "depth of scn must be"),
        (vec!["think", "xiangqi", "--agent", "alpha-beta(bytes=63)"], "bytes of alpha-beta must be"),
        (
            vec!["think", "xiangqi", "--agent", "alpha-beta", "--memory", "63"],
            "a transposition table needs at least 64 bytes",
        ),
        (vec!["think", "xiangqi", "--agent", "alpha-beta(bytes=8000000000)"], "--memory 8000000000 allows it"),
        (
            vec!["think", "xiangqi", "--agent", "alpha-beta(bytes=65536)", "--memory", "65535"],
            "--memory 65536 allows it",
        ),
        (vec!["think", "othello", "--agent", "endgame(bytes=65536)", "--memory", "4096"], "--memory 65536 allows it"),
        (vec!["think", "xiangqi", "--agent", "cns(step=1,range=10000)", "--memory", "5000000"], "its 44 moves need"),
        (vec!["think", "othello", "--agent", "endgame(bytes=10)"], "bytes of endgame must be"),
        (vec!["think", "trap", "--agent", "alpha-beta(evaluation=game)"], "this game has no evaluation"),
        (vec!["think", "trap", "--agent", "scn(evaluation=game)"], "this game has no evaluation"),
        (vec!["think", "trap", "--agent", "cns(evaluation=game)"], "this game has no evaluation"),
        (vec!["think", "xiangqi", "--agent", "scn(t=10001)"], "from -10000 to 10000, not 10001"),
        (vec!["think", "xiangqi", "--agent", "scn(t=-10001)"], "from -10000 to 10000, not -10001"),
        (vec!["think", "xiangqi", "--agent", "cns(step=500,range=100)"], "does not fit"),
        (vec!["think", "xiangqi", "--agent", "cns(range=10001)"], "range of cns must be"),
        (vec!["think", "xiangqi", "--agent", "cns(confidence=0)"], "confidence of cns must be"),
        (vec!["think", "tictactoe", "--agent", "endgame"], "no exact endgame solver"),
        (vec!["fit", "tictactoe"], "only the weights of othello"),
        (vec!["fit", "othello(size=6)"], "only the weights of othello"),
        (vec!["fit", "othelo"], "did you mean \"othello\"?"),
        (vec!["fit", "othello", "--games", "9"], "--games"),
        (vec!["fit", "othello", "--depth", "0"], "--depth"),
        (vec!["fit", "othello", "--exact", "21"], "--exact"),
        (vec!["fit", "othello", "--ridge", "-1"], "--ridge"),
        (vec!["fit", "othello", "--ridge", "nan"], "--ridge"),
        (vec!["fit", "othello", "--games", "10", "--depth", "1", "--output", "/no/such/folder/x"], "/no/such/folder/x"),
        (vec!["bench", "scn", "--threshold", "10001"], "expected -10000 to 10000"),
        (vec!["bench", "scn", "--threshold", "-10001"], "expected -10000 to 10000"),
        (vec!["bench", "scn", "--games", "0"], "from 1 to 100,000"),
        (vec!["bench", "scn", "--nodes", "0"], "--nodes"),
        (vec!["bench", "scn", "--depth", "0"], "--depth"),
        (vec!["bench", "scn", "--file", "/no/such/file"], "/no/such/file"),
        (vec!["bench", "scn", "--file", "/dev/zero"], "not an ordinary file"),
        (vec!["bench", "scn", "--file", &bad], "position 1: the board has 2 ranks"),
        (vec!["bench", "scn", "--file", &empty], "no position with Red to move"),
    ];
    for agent in ["alpha-beta", "minimax", "scn", "cns"] {
        cases.push((vec!["think", mated, "--agent", agent], "the game has ended"));
        cases.push((vec!["think", full, "--agent", agent], "the game has ended"));
    }
    cases.push((vec!["think", full, "--agent", "endgame"], "the game has ended"));
    for (arguments, part) in cases {
        refuses(&arguments, part);
    }
    std::fs::remove_file(bad).expect("it was there");
    std::fs::remove_file(empty).expect("it was there");
}
