//! `tesuji games NAME` and `tesuji agents NAME`: a page about one thing.

use crate::command::{json_of, refuses, tesuji};
use serde_json::{Value, json};

fn page(arguments: &[&str]) -> String {
    let output = tesuji(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// All names below a page of JSON: `select`, `ucb1`, `c` and so on.
fn names(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get("name").and_then(Value::as_str).map(str::to_string));
            ["parameters", "parts"].iter().filter_map(|key| fields.get(*key)).for_each(|below| names(below, found));
        }
        Value::Array(entries) => entries.iter().for_each(|entry| names(entry, found)),
        _ => {}
    }
}

/// Parts without parameters were not explained at all.
#[test]
fn a_page_has_every_part_and_every_parameter() {
    let list = json_of(&["agents", "--json"]);
    for agent in list["agents"].as_array().expect("a list") {
        let name = agent["name"].as_str().expect("a name");
        let text = page(&["agents", name]);
        let mut all = Vec::new();
        names(agent, &mut all);
        for part in all {
            let written = text.lines().any(|line| {
                let line = line.trim_start();
                line.starts_with(&format!("{part}: ")) || line.starts_with(&format!("{part}="))
            });
            assert!(written, "{name}: {part} in {text}");
        }
        for line in text.lines().filter(|line| !line.contains('"')) {
            assert!(line.chars().count() <= 100, "{name}: {line}");
        }
    }
    let mcts = page(&["agents", "mcts"]);
    for part in [
        "ucb1: mean + c·√(2 ln N / n)",
        "c=0.7: exploration constant; a number from 0 to 1000",
        "bias=0.02: ",
        "leaf=auto: evaluation of a leaf; one of",
        "uses several threads",
        "10,000 iterations",
        "tesuji think tictactoe --agent 'mcts(select=ucb1(c=0.7))'",
    ] {
        assert!(mcts.contains(part), "{part} in {mcts}");
    }
}

/// The text with every parameter can be copied, blanks and line ends included.
#[test]
fn the_canonical_text_of_a_page_is_a_spec() {
    for (sort, name) in [("agents", "mcts"), ("agents", "alpha-beta"), ("agents", "auto"), ("games", "hex")] {
        let text = page(&[sort, name]);
        let spelled = text.split_once("with every parameter spelled out\n").expect("a section").1;
        let spelled = spelled.split("\n\n").next().expect("a paragraph");
        let listed = json_of(&[sort, spelled, "--json"]);
        assert_eq!(
            listed[sort][0]["canonical"].as_str(),
            Some(spelled.split_whitespace().collect::<String>().as_str())
        );
        assert_eq!(listed, json_of(&[sort, name, "--json"]), "{name}");
    }
    let small = json_of(&["games", "hex(size=5)", "--json"]);
    assert_eq!(small["games"][0]["canonical"], json!("hex(size=5,swap=true)"));
}

/// `agents auto` was refused: there is no agent "auto".
#[test]
fn auto_is_explained_with_the_agent_of_each_game() {
    let auto = json_of(&["agents", "auto", "--json"]);
    let games = json_of(&["games", "--json"]);
    for game in games["games"].as_array().expect("a list") {
        let name = game["name"].as_str().expect("a name");
        assert_eq!(auto["agents"][0]["by_game"][name], game["strongest"], "{name}");
    }
    let text = page(&["agents", "auto"]);
    assert!(text.contains("othello: alpha-beta") && text.contains("resign=0.0: "), "{text}");
    assert!(page(&["agents"]).contains("\nauto: "));
}

#[test]
fn a_page_of_a_game_has_its_moves_solver_and_problems() {
    let text = page(&["games", "connect6"]);
    for part in
        ["moves: one stone each", "default solver: df-pn", "problems: 39; `tesuji problems connect6`", "size=19: "]
    {
        assert!(text.contains(part), "{part} in {text}");
    }
}

/// What a page shows as an example works, but for what only the reader has.
#[test]
fn the_examples_of_pages_work() {
    for (sort, key) in [("games", "games"), ("agents", "agents")] {
        let list = json_of(&[sort, "--json"]);
        for entry in list[key].as_array().expect("a list") {
            let name = entry["name"].as_str().expect("a name");
            let text = page(&[sort, name]);
            let example = text.lines().last().expect("a line").trim().strip_prefix("tesuji ").expect("a command");
            let (command, spec) = example.split_once(" '").expect("a quoted spec");
            let spec = spec.trim_end_matches('\'');
            let words: Vec<&str> = command.split(' ').chain([spec]).collect();
            match words[0] {
                "show" => assert!(tesuji(&words).status.success(), "{example}"),
                "solve" | "think" => {
                    let limited = [&words[..], &["--nodes", "50", "--time", "5"]].concat();
                    let output = tesuji(&limited);
                    let said = String::from_utf8_lossy(&output.stderr);
                    // An agent may refuse tic-tac-toe, but not its own parameters.
                    assert!(output.status.success() || !said.contains("of the spec"), "{example}: {said}");
                }
                other => assert!(other == "play" && spec.contains("./engine"), "{example}"),
            }
        }
    }
    assert!(page(&["games", "goproblem"]).ends_with("tesuji show 'goproblem(problem=connect-01)'\n"));
}

#[test]
fn a_wrong_name_gets_what_was_meant() {
    refuses(&["agents", "mtcs"], "there is no agent \"mtcs\"; did you mean \"mcts\"?");
    refuses(&["agents", "ucb1"], "it is a part of mcts, select=ucb1; see `tesuji agents mcts`");
    refuses(&["games", "chess960"], "there is no game \"chess960\"; there are tictactoe, ");
    refuses(&["games", "hex(size=1)"], "size of hex must be a whole number from 2 to 26");
    refuses(&["games", "("], "expected a name");
}
