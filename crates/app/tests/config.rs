//! The config file: precedence, who reads it, what is said about it, and its mistakes.

use crate::command::{USER, json_of, program, refuses, tesuji};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::{Output, Stdio};

/// A folder with a config file in it, of one test.
struct Home(PathBuf);

impl Home {
    fn new(name: &str, config: &str) -> Home {
        let folder = std::env::temp_dir().join(format!("tesuji-config-{}-{name}", std::process::id()));
        std::fs::create_dir_all(folder.join("tesuji")).expect("a folder");
        std::fs::write(folder.join("tesuji/config.toml"), config).expect("written");
        Home(folder)
    }

    fn file(&self) -> String {
        self.0.join("tesuji/config.toml").to_str().expect("UTF-8").to_string()
    }

    /// What a command of this user does.
    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = program();
        command.env("XDG_CONFIG_HOME", &self.0).env("APPDATA", &self.0);
        command.args(arguments).stdin(Stdio::null()).output().expect("the binary runs")
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(output.stderr.is_empty(), "JSON says it in the answer");
        serde_json::from_slice(&output.stdout).expect("JSON")
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const MCTS: &str = "agent = \"mcts\"\ntime = 0.05\nthreads = 2\nmemory = \"64MB\"\n";

#[test]
fn the_tests_have_a_user_without_a_config_file() {
    let file = PathBuf::from(USER).join("tesuji/config.toml");
    assert!(!file.exists(), "{} would change the answers of all tests", file.display());
}

#[test]
fn the_command_line_comes_before_the_file_and_the_file_before_what_is_built_in() {
    let home = Home::new("order", MCTS);
    let agent = |answer: &Value| answer["agent"].as_str().expect("an agent").split('(').next().map(str::to_string);
    let built_in = json_of(&["think", "tictactoe", "--json"]);
    assert_eq!((agent(&built_in), &built_in["config"]), (Some("oracle".into()), &Value::Null));
    let from_file = home.json(&["think", "tictactoe", "--json"]);
    assert_eq!(agent(&from_file), Some("mcts".into()));
    assert_eq!(from_file["config"], json!({"file": home.file(), "keys": ["agent", "time", "memory", "threads"]}));
    let typed = home.json(&["think", "tictactoe", "--agent", "minimax", "--memory", "1MB", "--threads", "1", "--json"]);
    assert_eq!((agent(&typed), &typed["config"]["keys"]), (Some("minimax".into()), &json!(["time"])));
    // Any limit that is typed replaces the time of the file.
    let limited = home.json(&["think", "tictactoe", "--iterations", "300", "--threads", "1", "--json"]);
    assert_eq!((&limited["iterations"], &limited["stopped"]), (&json!(300), &json!("iterations")));
    assert_eq!(limited["config"]["keys"], json!(["agent", "memory"]));
    // The threads of the file are for agents that use several.
    assert_eq!(agent(&home.json(&["think", "tictactoe", "--agent", "oracle", "--json"])), Some("oracle".into()));
    assert_eq!(home.json(&["think", "tictactoe", "--no-config", "--json"])["config"], Value::Null);
    let named = json_of(&["think", "tictactoe", "--config", &home.file(), "--json"]);
    assert_eq!(agent(&named), Some("mcts".into()));
}

#[test]
fn text_says_on_standard_error_that_the_file_was_used() {
    let home = Home::new("said", MCTS);
    let output = home.run(&["think", "tictactoe"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(said, format!("tesuji: agent, time, memory, threads from {}\n", home.file()));
    // Nothing was taken, and nothing is said.
    assert!(home.run(&["show", "tictactoe"]).stderr.is_empty());
    let coloured = Home::new("coloured", "colour = \"always\"");
    let shown = coloured.run(&["show", "tictactoe"]);
    assert!(shown.stdout.contains(&0x1b) && !shown.stderr.is_empty());
    let plain = coloured.run(&["show", "tictactoe", "--colour", "never"]);
    assert!(!plain.stdout.contains(&0x1b) && plain.stderr.is_empty());
}

/// The time of a move would end a solver before its proof.
#[test]
fn solve_takes_memory_and_threads_but_no_time() {
    let home = Home::new("solve", "time = 0.000001\nmemory = \"32MB\"\nagent = \"random\"\n");
    let answer = home.json(&["solve", "tictactoe", "--json"]);
    assert_eq!((&answer["status"], &answer["config"]["keys"]), (&json!("draw"), &json!(["memory"])));
}

/// Measurements and engines do not depend on the machine's user.
#[test]
fn other_commands_ignore_the_file_and_its_mistakes() {
    let home = Home::new("ignored", "nonsense");
    for arguments in [
        &["match", "tictactoe", "--first", "random", "--second", "random", "--games", "2", "--json"][..],
        &["bench", "playout", "tictactoe", "--seconds", "0.01", "--json"],
        &["games", "--json"],
        &["gtp"],
        &["uci"],
        &["analysis"],
    ] {
        let output = home.run(arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && said.is_empty(), "{arguments:?}: {said}");
    }
    assert_eq!(home.run(&["show", "tictactoe"]).status.code(), Some(2));
    assert!(home.run(&["show", "tictactoe", "--no-config"]).status.success());
    refuses(&["gtp", "--config", &home.file()], "only play, think, solve and show read a config file");
}

#[test]
fn mistakes_are_told_with_file_line_and_column() {
    for (config, part) in [
        ("time = 1\nagnet = \"mcts\"\n", "config.toml, line 2, column 1: unknown key \"agnet\"; did you mean agent?"),
        ("time = \"long\"\n", "config.toml, line 1, column 8: time: expected a number of seconds, not string"),
        ("agent = \"mcts(c=1)\"\n", "config.toml, line 1, column 9: agent: mcts has no parameter \"c\""),
        ("= 1", "config.toml, line 1, column 1: "),
    ] {
        let home = Home::new("wrong", config);
        let output = home.run(&["think", "tictactoe"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{config}: {said}");
        assert!(output.stdout.is_empty() && said.contains(part), "{config}: {said}");
    }
    refuses(&["think", "tictactoe", "--config", "/no/such/file"], "/no/such/file");
    refuses(&["think", "tictactoe", "--config", "/dev/zero"], "not an ordinary file");
    refuses(&["think", "tictactoe", "--config", "x", "--no-config"], "cannot be used with");
    assert_eq!(tesuji(&["think", "tictactoe", "--no-config", "--json"]).status.code(), Some(0));
}
