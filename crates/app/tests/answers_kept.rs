//! Answers are not lost: interrupted work prints what it has, and files are whole or not there.

use crate::command::program;
use serde_json::Value;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn start(arguments: &[&str]) -> Child {
    let mut command = program();
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the binary runs")
}

/// The exit code of a program that ended, and its standard output and error.
fn ended(mut child: Child) -> (Option<i32>, String, String) {
    let mut texts = [String::new(), String::new()];
    child.stdout.take().expect("piped").read_to_string(&mut texts[0]).expect("UTF-8");
    child.stderr.take().expect("piped").read_to_string(&mut texts[1]).expect("UTF-8");
    let [stdout, stderr] = texts;
    (child.wait().expect("it ends").code(), stdout, stderr)
}

fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    ended(start(arguments))
}

fn object(text: &str) -> Value {
    assert_eq!(text.lines().count(), 1, "one object: {text}");
    serde_json::from_str(text).expect("JSON")
}

/// Sends a signal once the program catches it: /proc tells which signals are caught.
#[cfg(target_os = "linux")]
fn signal(child: &Child, number: u32, name: &str) {
    let status = format!("/proc/{}/status", child.id());
    let catches = || {
        let text = std::fs::read_to_string(&status).ok()?;
        let caught = text.lines().find_map(|line| line.strip_prefix("SigCgt:"))?;
        Some(u64::from_str_radix(caught.trim(), 16).ok()? >> (number - 1) & 1 == 1)
    };
    let started = Instant::now();
    while catches() != Some(true) {
        assert!(started.elapsed() < Duration::from_secs(60), "{name} is not caught");
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(100));
    let sent = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status().expect("kill runs");
    assert!(sent.success());
}

/// A match that was interrupted looked like one that was complete, and SIGTERM lost everything.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_match_says_so_and_exits_3() {
    for (number, name) in [(2, "INT"), (15, "TERM")] {
        let child = start(&[
            "match",
            "tictactoe",
            "--first",
            "random",
            "--second",
            "random",
            "--games",
            "1000000000",
            "--json",
        ]);
        signal(&child, number, name);
        let (code, stdout, stderr) = ended(child);
        assert_eq!(code, Some(3), "{stderr}");
        let result = object(&stdout);
        assert_eq!(result["complete"], false);
        assert!(result["games"].as_u64().expect("a number") < 1_000_000_000);
    }
    let (code, stdout, _) =
        run(&["match", "tictactoe", "--first", "random", "--second", "random", "--games", "4", "--json"]);
    assert_eq!((code, &object(&stdout)["complete"]), (Some(0), &Value::Bool(true)));
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_search_answers_and_exits_3() {
    for (number, name) in [(2, "INT"), (15, "TERM")] {
        for command in [["think", "--agent", "mcts"], ["solve", "--with", "df-pn"]] {
            let [command, option, agent] = command;
            let child = start(&[command, "hex(size=9)", option, agent, "--time", "100000", "--json"]);
            signal(&child, number, name);
            let (code, stdout, stderr) = ended(child);
            assert_eq!(code, Some(3), "{command}: {stderr}");
            assert_eq!(object(&stdout)["stopped"], "asked");
        }
    }
}

/// With `--json` an error is an object on standard output and the same line on standard error.
#[test]
fn errors_are_json_too() {
    for arguments in [
        &["show", "nothing", "--json"][..],
        &["--json", "think", "tictactoe", "--agent", "nothing"],
        &["think", "tictactoe", "--iterations", "x", "--json"],
        &["--json"],
        &["verify", "tictactoe", "/nonexistent", "--json"],
        &["gtp", "nothing", "--json"],
    ] {
        let (code, stdout, stderr) = run(arguments);
        assert_eq!(code, Some(2), "{arguments:?}: {stderr}");
        let error = object(&stdout)["error"].as_str().expect("text").to_string();
        assert_eq!(stderr, format!("tesuji: {error}\n"), "{arguments:?}");
    }
    let (_, stdout, _) = run(&["show", "nothing"]);
    assert_eq!(stdout, "");
}

/// A folder that is gone after the test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let folder = std::env::temp_dir().join(format!("tesuji-kept-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        Scratch(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a plain name").to_string()
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).expect("the folder");
        entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a plain name")).collect()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A proof that cannot be written was found out after the search, which could take hours.
#[test]
fn a_proof_that_cannot_be_written_is_known_before_the_search() {
    let scratch = Scratch::new("before");
    let wrong = scratch.path("no/such/folder.proof");
    // Without a limit: a search that begins does not end.
    let (code, stdout, stderr) = run(&["solve", "hex(size=11)", "--with", "pn", "--proof", &wrong]);
    assert_eq!((code, stdout.as_str()), (Some(2), ""), "{stderr}");
}

/// The answer is printed although the disk is full, and the exit code says that the machine failed.
#[cfg(target_os = "linux")]
#[test]
fn the_answer_is_printed_although_the_proof_is_lost() {
    let (code, stdout, stderr) = run(&["solve", "tictactoe", "--proof", "/dev/full", "--json"]);
    assert_eq!(code, Some(1), "{stderr}");
    let answer = object(&stdout);
    assert_eq!(answer["status"], "draw");
    assert!(answer["error"].as_str().is_some_and(|error| stderr.contains(error)), "{stdout}{stderr}");
    let (code, stdout, _) = run(&["solve", "tictactoe", "--proof", "/dev/full"]);
    assert!(code == Some(1) && stdout.contains("draw"), "{stdout}");
}

/// A file that was there is replaced by a whole one or kept, and nothing is left beside it.
#[test]
fn files_are_whole_or_kept() {
    let scratch = Scratch::new("whole");
    let proof = scratch.path("t.proof");
    std::fs::write(&proof, "old").expect("a file");
    let (code, ..) = run(&["solve", "hex(size=9)", "--with", "df-pn", "--nodes", "10", "--proof", &proof]);
    assert_eq!((code, std::fs::read(&proof).expect("kept")), (Some(0), b"old".to_vec()));
    let (code, ..) = run(&["solve", "tictactoe", "--proof", &proof]);
    assert!(code == Some(0) && std::fs::read(&proof).expect("written").len() > 100);
    let record = scratch.path("game.sgf");
    assert_eq!(run(&["show", "hex", "--moves", "f6", "--save", &record]).0, Some(0));
    let before = std::fs::read(&record).expect("written");
    assert_eq!(run(&["show", "hex", "--moves", "nowhere", "--save", &record]).0, Some(2));
    assert_eq!(std::fs::read(&record).expect("kept"), before);
    let mut names = scratch.names();
    names.sort();
    assert_eq!(names, ["game.sgf", "t.proof"]);
    let mut file = std::fs::OpenOptions::new().append(true).open(&record).expect("ours");
    file.write_all(b"\n").expect("it can still be written to");
}
