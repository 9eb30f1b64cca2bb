//! A game and an agent from outside of the repository have all of it: the command line, GTP,
//! solvers, proofs and matches.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

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

/// A server; it ends with the test.
struct Served(Child);

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The interface that draws every board draws this one: the page has no line about it.
#[test]
fn it_is_played_in_a_browser() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_outside"));
    command.args(["serve", "--port", "0", "--json"]).stdout(Stdio::piped());
    let mut served = Served(command.spawn().expect("the program starts"));
    let mut line = String::new();
    BufReader::new(served.0.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
    let started: Value = serde_json::from_str(&line).expect("JSON");
    let address = started["url"].as_str().and_then(|url| url.strip_prefix("http://")).expect("an address");
    let address = address.trim_end_matches('/');
    let ask = |method: &str, path: &str, body: &str| -> Value {
        let mut stream = TcpStream::connect(address).expect("it listens");
        let head = format!("Host: {address}\r\nConnection: close\r\nContent-Type: application/json\r\n");
        let request = format!("{method} /api/v1/{path} HTTP/1.1\r\n{head}Content-Length: {}\r\n\r\n{body}", body.len());
        stream.write_all(request.as_bytes()).expect("it listens");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("text");
        let (_, body) = answer.split_once("\r\n\r\n").expect("an answer");
        serde_json::from_str(body).expect("JSON")
    };
    assert!(names(&ask("GET", "games", "")["games"]).contains(&"nim"));
    assert!(names(&ask("GET", "agents?game=nim", "")["agents"]).contains(&"greedy"));
    let state = ask("POST", "sessions", r#"{"game":"nim(heap=4)"}"#);
    assert_eq!(
        (&state["geometry"]["shape"], &state["captions"][0]),
        (&"cells".into(), &"4 left, First to move".into())
    );
    assert_eq!(state["pieces"].as_array().expect("a list").iter().filter(|piece| piece.is_object()).count(), 4);
    let moves: Vec<(&str, u64)> = state["legal"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|mv| Some((mv["move"].as_str()?, mv["to"].as_u64()?)))
        .collect();
    assert_eq!(moves, [("1", 3), ("2", 2)]);
    let id = state["id"].as_str().expect("an id");
    // Taking one leaves a multiple of three, which is lost.
    let thought = ask("POST", &format!("sessions/{id}/think"), r#"{"agent":"oracle"}"#);
    assert_eq!((&thought["report"]["best"], &thought["state"]["document"]), (&"1".into(), &"nim(heap=4)~1".into()));
}
