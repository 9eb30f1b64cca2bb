//! Runs the command line, for tests.

use serde_json::Value;
use std::process::{Command, Output, Stdio};

/// The folder in which the tested program looks for the user's files. No test writes a config file
/// there.
pub const USER: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/user");

/// Gives a command a user without a config file: the one who runs the tests may have one.
pub fn without_user(command: &mut Command) -> &mut Command {
    for variable in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "APPDATA", "LOCALAPPDATA"] {
        command.env(variable, USER);
    }
    command
}

/// The program, to be started without the files of the user who runs the tests.
pub fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tesuji"));
    without_user(&mut command);
    command
}

/// What a command does without input.
pub fn tesuji(arguments: &[&str]) -> Output {
    program().args(arguments).stdin(Stdio::null()).output().expect("the binary runs")
}

/// The one JSON object a command prints.
pub fn json_of(arguments: &[&str]) -> Value {
    let output = tesuji(arguments);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(text.lines().count(), 1, "one object on one line: {text}");
    assert!(output.stderr.is_empty(), "nothing on stderr: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_str(&text).expect("JSON")
}

/// Bad input is refused: exit 2, nothing on stdout, one clear line on stderr with this part in it.
pub fn refuses(arguments: &[&str], part: &str) {
    let output = tesuji(arguments);
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let shown: Vec<&str> = arguments.iter().map(|text| text.get(..40).unwrap_or(text)).collect();
    assert_eq!(output.status.code(), Some(2), "{shown:?}: {stderr}");
    assert!(stdout.is_empty(), "{shown:?} printed {stdout}");
    assert_eq!(stderr.lines().count(), 1, "{shown:?}: {stderr}");
    assert!(stderr.contains(part), "{shown:?}: {stderr}");
    assert!(stderr.len() < 2_000, "{shown:?}: {} bytes", stderr.len());
}

/// The names of the commands below a command, as its help lists them.
pub fn commands_of(command: &[&str]) -> Vec<String> {
    let output = tesuji(&[command, &["--help"]].concat());
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let Some((_, list)) = text.split_once("Commands:\n") else { return Vec::new() };
    let names = list.lines().take_while(|line| !line.trim().is_empty()).filter(|line| line.starts_with("  "));
    let names = names.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_string).collect()
}

/// All commands, `bench playout` and its like included.
pub fn all_commands() -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for name in commands_of(&[]) {
        let below = commands_of(&[&name]);
        if below.is_empty() {
            all.push(vec![name]);
        } else {
            all.extend(below.into_iter().map(|below| vec![name.clone(), below]));
        }
    }
    all
}
