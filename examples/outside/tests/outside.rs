//! A game and an agent from outside of the repository have all of it: the command line, GTP,
//! solvers, proofs and matches.

use serde_json::Value;
use std::io::Write;
use std::process::{Command, Stdio};

/// The exit code and the output of the program.
fn run(arguments: &[&str], input: &str) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_outside"));
    // No config file of the user who runs the tests.
    command.env("XDG_CONFIG_HOME", env!("CARGO_TARGET_TMPDIR")).env("APPDATA", env!("CARGO_TARGET_TMPDIR"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the program starts");
    child.stdin.take().expect("piped").write_all(input.as_bytes()).expect("it listens");
    let output = child.wait_with_output().expect("it ends");
    (output.status.code().expect("no signal"), String::from_utf8(output.stdout).expect("text"))
}

/// The answer of a command for machines.
fn json(arguments: &[&str]) -> Value {
    let (code, output) = run(&[arguments, &["--json"]].concat(), "");
    assert_eq!(code, 0, "{arguments:?}: {output}");
    serde_json::from_str(&output).expect("JSON")
}

fn names(list: &Value) -> Vec<&str> {
    list.as_array().expect("a list").iter().filter_map(|entry| entry["name"].as_str()).collect()
}

#[test]
fn both_are_listed_with_ours() {
    let (games, agents) = (json(&["games"]), json(&["agents"]));
    let (games, agents) = (names(&games["games"]), names(&agents["agents"]));
    assert!(["nim", "hex", "go"].iter().all(|game| games.contains(game)), "{games:?}");
    assert!(["greedy", "mcts", "df-pn", "vcf"].iter().all(|agent| agents.contains(agent)), "{agents:?}");
}

/// Multiples of three are lost, and the proof of it holds.
#[test]
fn it_is_solved_with_a_proof() {
    let file = format!("{}/nim.proof", env!("CARGO_TARGET_TMPDIR"));
    let lost = json(&["solve", "nim(heap=9)", "--proof", &file]);
    assert_eq!((&lost["status"], &lost["agent"].as_str().map(|agent| &agent[..5])), (&"loss".into(), &Some("df-pn")));
    assert_eq!(run(&["verify", "nim(heap=9)", &file], "").0, 0);
    let won = json(&["solve", "nim(heap=10)"]);
    assert_eq!((&won["status"], &won["best"]), (&"win".into(), &"1".into()));
}

#[test]
fn it_is_played_over_gtp() {
    let commands = "1 list_commands\n2 play b 1\n3 genmove w\n4 play b 2\n5 genmove w\n6 quit\n";
    let (code, output) = run(&["gtp", "nim(heap=7)", "--agent", "alpha-beta(depth=8)"], commands);
    assert_eq!(code, 0, "{output}");
    let answer = |id: u32| {
        let mark = format!("={id}");
        let lines = output.split("\n\n").map(str::trim);
        let answer = lines.into_iter().find_map(|text| text.strip_prefix(&mark));
        answer.unwrap_or_else(|| panic!("{id} is refused: {output}")).trim().to_string()
    };
    assert!(answer(1).contains("genmove"));
    assert!(["1", "2"].contains(&answer(3).as_str()), "{output}");
    assert!(["1", "2"].contains(&answer(5).as_str()), "{output}");
}

/// The first player of a heap of ten wins by taking one; an agent of ours knows, the one from
/// outside does not.
#[test]
fn a_match_between_ours_and_the_one_from_outside() {
    let result = json(&["match", "nim(heap=10)", "--first", "oracle", "--second", "greedy", "--games", "4"]);
    assert_eq!((&result["games"], &result["void"]), (&4.into(), &0.into()), "{result}");
    assert!(result["first_wins"].as_u64().expect("a count") >= 2, "{result}");
}

/// An agent from outside serves our games as well.
#[test]
fn the_agent_from_outside_plays_our_games() {
    let found = json(&["think", "tictactoe(position=\"XX.OO....\")", "--agent", "greedy"]);
    assert_eq!(found["best"], "c3", "{found}");
    for game in ["go(size=5)", "hex(size=3)", "xiangqi", "connect6", "othello"] {
        assert!(json(&["think", game, "--agent", "greedy"])["best"].is_string(), "{game}");
    }
}

/// CONTRIBUTING.md shows these very files.
#[test]
fn the_worked_examples_are_these_files() {
    let read = |path: &str| std::fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).expect(path);
    let contributing = read("../../CONTRIBUTING.md");
    for file in ["src/nim.rs", "src/greedy.rs"] {
        let text = read(file);
        let code = text.split_once("\n\n").expect("a head").1;
        assert!(contributing.contains(code), "{file} is not in CONTRIBUTING.md as it is");
    }
}
