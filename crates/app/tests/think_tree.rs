//! `think --tree`, `--record`, `--tree-json`, `--tree-dot`: looking below the root.

use crate::command::{json_of, refuses, tesuji};
use serde_json::Value;
use std::collections::BTreeMap;
use std::process::{Command, Stdio};

const UCT: &str = "mcts(select=ucb1,solver=false)";

fn text_of(arguments: &[&str]) -> String {
    let output = tesuji(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// A file for one test.
fn scratch(name: &str) -> String {
    format!("{}/think-tree-{name}", env!("CARGO_TARGET_TMPDIR"))
}

#[test]
fn the_tree_agrees_with_the_root_report() {
    for agent in [UCT, "mcts", "mcts(select=rave)", "mcts(select=puct,expand=all,fpu=0.5)"] {
        let think = ["think", "othello(size=6)", "--agent", agent, "--iterations", "400", "--json"];
        let answer = json_of(&[&think[..], &["--tree", "--tree-limit", "1000"]].concat());
        let plain = json_of(&think);
        assert_eq!(answer["root"], plain["root"], "{agent}: --tree changes nothing");
        let tree = &answer["tree"];
        assert_eq!((&tree["turn"], &tree["path"]), (&answer["turn"], &Value::from(Vec::<String>::new())));
        let children = tree["children"].as_array().expect("children");
        let root = answer["root"].as_array().expect("moves");
        assert_eq!(children.len(), root.len());
        for entry in root {
            let child = children.iter().find(|child| child["move"] == entry["move"]).expect("every move is a child");
            for key in ["visits", "mean", "bounds", "confidence", "prior"] {
                assert_eq!(child.get(key), entry.get(key), "{agent} {} {key}", entry["move"]);
            }
            assert_eq!(child.get("amaf").map(|amaf| &amaf["mean"]), entry.get("amaf"), "{agent}");
            if let Some(parts) = child.get("selection") {
                let names = ["exploitation", "exploration", "amaf", "bias"];
                let sum: f64 = names.iter().map(|name| number(&parts[name])).sum();
                assert!((sum - number(&parts["value"])).abs() < 1e-8, "{agent}: {parts}");
            }
        }
    }
}

#[test]
fn a_node_below_in_words() {
    let think = ["think", "tictactoe", "--agent", UCT, "--iterations", "500", "--tree", "b2 a1", "--tree-limit", "3"];
    let text = text_of(&think);
    assert!(text.contains("the node after b2 a1 of a tree of"), "{text}");
    assert!(text.contains("… and 4 more children"), "{text}");
    assert!(text.lines().any(|line| line.starts_with("move  visits    mean  value  exploit  explore")), "{text}");
    assert!(text.contains("minimax node: after b2 a1"), "{text}");
    // The moves may also come one by one, before other options.
    let same = ["think", "tictactoe", "--tree", "b2", "a1", "--agent", UCT, "--iterations", "500", "--tree-limit", "3"];
    let tail = |text: &str| text.split_once("the node after").expect("a node").1.to_string();
    assert_eq!(tail(&text), tail(&text_of(&same)));
    // At 40 columns some columns give way, and the table stays a table.
    let narrow = crate::command::program().env("COLUMNS", "40").args(think).output().expect("it runs");
    let narrow = String::from_utf8(narrow.stdout).expect("UTF-8");
    let table = narrow.split_once("the node after").expect("a node").1;
    assert!(table.lines().all(|line| line.chars().count() <= 40), "{table}");
    assert!(table.lines().any(|line| line.starts_with("move  visits    mean  value")), "{table}");
}

/// The records of a whole search, added up here, are the statistics of its tree.
#[test]
fn records_add_up_and_repeat() {
    let think = |record: &str| {
        json_of(&["think", "tictactoe", "--agent", UCT, "--iterations", "120", "--record", record, "--tree", "--json"])
    };
    let answer = think("1..120");
    let records = answer["records"].as_array().expect("records");
    assert_eq!(records.len(), 120);
    let mut books: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    for (number_before, record) in records.iter().enumerate() {
        assert_eq!(record["iteration"], Value::from(number_before + 1));
        let path = record["path"].as_array().expect("a path");
        assert_eq!(path[0]["move"], Value::Null);
        assert_eq!(path[0]["visits"], record["iteration"], "the root has a visit for each iteration");
        if let Some(mv) = path.get(1).and_then(|node| node["move"].as_str()) {
            let entry = books.entry(mv).or_default();
            *entry = (entry.0 + number(&record["visits"]), entry.1 + number(&record["reward"]));
        }
        let rewards: f64 =
            record["playouts"].as_array().expect("playouts").iter().map(|playout| number(&playout["reward"])).sum();
        assert!((rewards - number(&record["reward"])).abs() < 1e-9);
    }
    for child in answer["tree"]["children"].as_array().expect("children") {
        let (visits, reward) = books[child["move"].as_str().expect("a move")];
        assert_eq!(number(&child["visits"]), visits);
        assert!((number(&child["mean"]) - reward / visits).abs() < 1e-8, "{child}");
    }
    let some = think("101..105");
    assert_eq!(some["records"].as_array().expect("records")[..], records[100..105]);
    assert_eq!((&some["tree"], &some["root"]), (&answer["tree"], &answer["root"]));
    let text = text_of(&["think", "tictactoe", "--agent", UCT, "--iterations", "120", "--record", "105"]);
    let moves: Vec<&str> =
        records[104]["path"].as_array().expect("a path").iter().filter_map(|node| node["move"].as_str()).collect();
    assert!(text.contains("iteration 105\n") && text.contains(&format!("  path: {}\n", moves.join(" "))), "{text}");
}

#[test]
fn a_search_that_is_proved_has_fewer_records() {
    let think = ["think", "tictactoe(position=\"XX.OO....\")", "--agent", "mcts", "--record", "1..1000", "--json"];
    let answer = json_of(&think);
    let records = answer["records"].as_array().expect("records").len();
    assert_eq!((answer["stopped"].as_str(), number(&answer["iterations"])), (Some("finished"), records as f64));
}

/// Checks the grammar of what we write: a digraph of attribute, node and edge statements, quoted
/// texts closed, and every end of an edge declared before it.
fn check_dot(text: &str) -> (usize, usize) {
    fn is_quoted(text: &str) -> bool {
        let Some(inside) = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) else { return false };
        let mut escaped = false;
        for letter in inside.chars() {
            match (escaped, letter) {
                (false, '"') => return false,
                (false, '\\') => escaped = true,
                _ => escaped = false,
            }
        }
        !escaped
    }
    let body = text.strip_prefix("digraph tree {\n").and_then(|text| text.strip_suffix("}\n")).expect("a digraph");
    let (mut nodes, mut edges) = (Vec::new(), 0);
    for line in body.lines() {
        let statement = line.trim_start().strip_suffix(';').unwrap_or_else(|| panic!("{line} ends with ;"));
        if let Some((ends, label)) = statement.split_once(" [label=") {
            let label = label.strip_suffix(']').expect("closed");
            match ends.split_once(" -> ") {
                Some((from, to)) => {
                    assert!(nodes.contains(&from) && nodes.contains(&to), "{line}");
                    assert!(is_quoted(label), "{line}");
                    edges += 1;
                }
                None => {
                    let (label, fill) = label.split_once(", fillcolor=").expect("a colour");
                    assert!(is_quoted(label) && is_quoted(fill) && fill.len() == 9, "{line}");
                    nodes.push(ends);
                }
            }
        }
    }
    (nodes.len(), edges)
}

#[test]
fn exported_trees_are_read_back() {
    let [json, dot] = ["tree.json", "tree.dot"].map(scratch);
    let think = ["think", "tictactoe", "--agent", UCT, "--iterations", "800"];
    let limits = ["--tree-depth", "2", "--tree-visits", "5", "--tree-limit", "4"];
    let files = ["--tree-json", &json, "--tree-dot", &dot];
    let answer = json_of(&[&think[..], &limits, &files, &["--tree", "b2", "--json"]].concat());
    let exported: Value = serde_json::from_slice(&std::fs::read(&json).expect("written")).expect("JSON");
    let nodes = exported["nodes"].as_array().expect("nodes");
    assert_eq!((&exported["path"][0], &nodes[0]["parent"]), (&Value::from("b2"), &Value::Null));
    assert_eq!((&nodes[0]["visits"], &nodes[0]["mean"]), (&answer["tree"]["visits"], &answer["tree"]["mean"]));
    for (place, node) in nodes.iter().enumerate().skip(1) {
        let parent = number(&node["parent"]) as usize;
        assert!(parent < place && number(&nodes[parent]["depth"]) + 1.0 == number(&node["depth"]));
        assert!(number(&node["depth"]) <= 2.0 && number(&node["visits"]) >= 5.0);
        assert_eq!((&node["move"], &node["visits"]), (&node["child"]["move"], &node["child"]["visits"]));
        let siblings = nodes.iter().filter(|other| other["parent"] == node["parent"]).count();
        assert!(siblings <= 4, "{siblings}");
    }
    let first: Vec<&Value> = nodes.iter().filter(|node| node["depth"] == 1).map(|node| &node["child"]).collect();
    let shown: Vec<&Value> = answer["tree"]["children"].as_array().expect("children").iter().collect();
    assert_eq!(first.len(), shown.len());
    assert!(shown.iter().all(|child| first.contains(child)), "the children of the node, as --tree shows them");
    let text = std::fs::read_to_string(&dot).expect("written");
    assert_eq!(check_dot(&text), (nodes.len(), nodes.len() - 1));
    // Graphviz itself, where it is installed.
    if let Ok(mut graphviz) = Command::new("dot").args(["-Tcanon", &dot]).stdout(Stdio::null()).spawn() {
        assert!(graphviz.wait().expect("it runs").success(), "dot reads {dot}");
    }
}

#[test]
fn mistakes_are_named() {
    let uct = ["think", "tictactoe", "--agent", UCT, "--iterations", "40"];
    let with = |more: &[&'static str]| [&uct[..], more].concat();
    refuses(&with(&["--tree", "b2 b2"]), "--tree: move 2 below the root: ");
    refuses(&with(&["--tree", "a1 a2 a3 b1 b2 c1"]), "the search has not expanded that node");
    refuses(&with(&["--record", "5..80"]), "the search ends after 40 iterations; --iterations 80 reaches them");
    for (range, part) in [("9..5", "5..9"), ("0..3", "counted from 1"), ("x", "such as 1..20"), ("1..2k", "1,000")] {
        refuses(&[&uct[..], &["--record", range]].concat(), part);
    }
    refuses(&["think", "tictactoe", "--agent", UCT, "--time", "1", "--record", "1..5"], "--iterations N alone");
    refuses(&with(&["--record", "1..5", "--threads", "2"]), "with one thread");
    refuses(&with(&["--record", "1..5", "--every", "5"]), "cannot be used with");
    refuses(&with(&["--tree-limit", "5"]), "--tree");
    refuses(&with(&["--tree", "--tree-depth", "5"]), "--tree-json");
    refuses(&["think", "tictactoe", "--agent", "minimax(depth=2)", "--tree"], "no tree that can be looked into");
    refuses(&["think", "tictactoe", "--agent", "vote", "--iterations", "50", "--tree"], "no tree that can be");
    refuses(&with(&["--tree-json", "/no/such/folder/tree.json"]), "/no/such/folder/tree.json");
}

/// The look from which on the answer stayed what it is at the end.
#[test]
fn the_convergent_move() {
    let think = ["think", "trap", "--agent", "mcts(select=ucb1,solver=false)", "--iterations", "300", "--every", "20"];
    let text = text_of(&[&think[..], &["--json"]].concat());
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let last = lines.last().expect("an answer");
    let settled = number(&last["settled"]);
    for look in &lines {
        if number(&look["iterations"]) >= settled {
            assert_eq!(look["best"], last["best"], "at {}", look["iterations"]);
        }
    }
    let before = lines.iter().rev().find(|look| number(&look["iterations"]) < settled);
    assert!(before.is_none_or(|look| look["best"] != last["best"]), "it settled at {settled}");
    let words = text_of(&think);
    assert!(words.contains(&format!("convergent move: {}, ", last["best"].as_str().expect("a move"))), "{words}");
}
