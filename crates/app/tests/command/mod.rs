//! Runs the command line, for tests.

use serde_json::Value;
use std::process::{Command, Output, Stdio};

/// What a command does without input.
pub fn tesuji(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tesuji")).args(arguments).stdin(Stdio::null()).output().expect("the binary runs")
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
