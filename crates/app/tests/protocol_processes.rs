//! The protocols as programs: streams, ends of input, interruptions, names.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};

fn start(arguments: &[&str]) -> (Child, ChildStdin, BufReader<ChildStdout>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tesuji"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let (input, output) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
    (child, input, BufReader::new(output))
}

fn piped(arguments: &[&str], said: &str) -> Output {
    let (mut child, mut input, output) = start(arguments);
    // A program that refuses its arguments may be gone already.
    let _ = input.write_all(said.as_bytes());
    drop(input);
    let stdout = std::io::read_to_string(output).expect("UTF-8").into_bytes();
    let status = child.wait().expect("it ends");
    let stderr = std::io::read_to_string(child.stderr.take().expect("piped")).expect("UTF-8").into_bytes();
    Output { status, stdout, stderr }
}

fn line(output: &mut BufReader<ChildStdout>) -> String {
    let mut line = String::new();
    output.read_line(&mut line).expect("a line");
    line
}

#[test]
fn what_was_asked_before_the_end_of_input_is_answered() {
    let output = piped(&["gtp", "go(size=5)", "--iterations", "200"], "1 genmove b\n2 genmove w\n3 name");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(output.status.success() && output.stderr.is_empty());
    let answers: Vec<&str> = text.split_terminator("\n\n").collect();
    assert_eq!(answers.len(), 3, "{text}");
    assert!(answers[0].starts_with("=1 ") && answers[1].starts_with("=2 ") && answers[2] == "=3 tesuji", "{text}");
    let output = piped(&["uci", "--iterations", "50"], "position startpos\ngo\n");
    assert!(String::from_utf8(output.stdout).expect("UTF-8").contains("bestmove "));
    let output = piped(&["analysis", "tictactoe", "--agent", "oracle"], "{\"id\":\"a\"}\n{\"id\":\"b\"}");
    assert_eq!(String::from_utf8(output.stdout).expect("UTF-8").lines().count(), 2);
}

/// After the end of the input a move has its grace, and is then answered with what is known.
#[test]
fn the_end_of_input_ends_a_move_without_end() {
    let long = ["--time", "100000", "--grace", "0.2"];
    let with = |head: &[&'static str]| [head, &long[..]].concat();
    for said in [
        "time_settings 10000000 0 0\n1 genmove b\n",
        "1 genmove b\n2 name\nquit\n",
        "1 kata-genmove_analyze b 10\n",
        "1 genmove b\n2 genmove w\n3 quit\nname\n",
    ] {
        let output = piped(&with(&["gtp", "go(size=9)"]), said);
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(output.status.success() && text.contains("=1") && text.ends_with("\n\n"), "{said}: {text}");
        assert_eq!(text.matches("\n\n").count(), said.lines().filter(|line| *line != "name").count(), "{said}: {text}");
    }
    // `quit` need not wait for the end of the input.
    let (mut child, mut input, _output) = start(&with(&["gtp", "go(size=9)"]));
    input.write_all(b"genmove b\nquit\n").expect("written");
    assert!(child.wait().expect("it ends").success());
    // More lines than are held, behind a move that would never end.
    let many = format!("1 genmove b\n{}", "name\n".repeat(3000));
    let output = piped(&with(&["gtp", "go(size=9)"]), &many);
    assert_eq!(String::from_utf8(output.stdout).expect("UTF-8").matches("\n\n").count(), 3001);
    for (arguments, said, answer) in [
        (&["gomocup"][..], "START 15\nBEGIN\n", ","),
        (&["uci"], "position startpos\ngo movetime 10000000000\n", "bestmove "),
        (&["ucci"], "position startpos\ngo time 1000000\n", "bestmove "),
        (&["nboard"], "go\n", "=== "),
        (&["nboard"], "hint 2\n", "search "),
        (&["analysis", "go(size=9)"], "{\"id\":\"a\",\"maxTime\":1000000}\n{\"id\":\"b\"}\n", "\"id\":\"b\""),
    ] {
        let output = piped(&with(arguments), said);
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(output.status.success() && text.contains(answer), "{arguments:?}: {text}");
    }
}

/// With a komi that decides the game every move is as good as the pass; still the first move is a
/// stone.
#[test]
fn no_pass_in_the_opening() {
    for (game, said) in [
        ("go(size=7,komi=-100.5)", "genmove b\n"),
        ("go(size=7,komi=100.5)", "genmove w\n"),
        ("go(size=7,komi=100.5)", "play b D4\nlz-genmove_analyze w 1000\n"),
        ("go(size=5,komi=100.5)", "play b C3\ncgos-genmove_analyze w\n"),
    ] {
        let output = piped(&["gtp", game, "--iterations", "300"], said);
        let text = String::from_utf8(output.stdout).expect("UTF-8").to_lowercase();
        let last = text.trim_end().lines().last().unwrap_or_default();
        assert!(last.starts_with("= ") || last.starts_with("play "), "{game}: {text}");
        assert!(!last.contains("pass") && !last.contains("resign"), "{game}: {text}");
    }
    // A pass that wins is played in answer to a pass.
    let output = piped(&["gtp", "go(size=7,komi=100.5)", "--iterations", "300"], "play b pass\ngenmove w\n");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.starts_with("=\n\n= "), "{text}");
}

/// Ids come back, also of lines that are dropped.
#[test]
fn the_id_of_a_line_that_is_too_long() {
    let long = "x".repeat(3 << 20);
    let output = piped(&["gtp", "tictactoe"], &format!("17 play b {long}\n# {long}\n{long}\n18 name\n"));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(text, "?17 the line is too long\n\n? the line is too long\n\n=18 tesuji\n\n");
    let output = piped(&["analysis", "tictactoe"], &format!("{{\"id\":\"a7\",\"moves\":[\"{long}\"]}}\n"));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(text, "{\"error\":\"the line is too long\",\"id\":\"a7\"}\n");
}

#[test]
fn an_analysis_runs_until_a_byte_arrives() {
    let (mut child, mut input, mut output) = start(&["gtp", "go(size=9)"]);
    input.write_all(b"8 lz-analyze b 5\n").expect("written");
    assert_eq!(line(&mut output), "=8\n");
    for _ in 0..3 {
        let update = line(&mut output);
        assert!(update.starts_with("info move ") && update.contains(" pv "), "{update}");
    }
    // Half a word ends it; the word is a command once it is whole.
    input.write_all(b"na").expect("written");
    loop {
        let update = line(&mut output);
        if update == "\n" {
            break;
        }
        assert!(update.starts_with("info move "), "{update}");
    }
    input.write_all(b"me\n").expect("written");
    assert_eq!((line(&mut output), line(&mut output)), ("= tesuji\n".into(), "\n".into()));
    // Without an end of its own, a search ends with the input.
    input.write_all(b"kata-analyze 5\n").expect("written");
    drop(input);
    let rest = std::io::read_to_string(output).expect("UTF-8");
    assert!(rest.starts_with("=\n") && rest.ends_with("\n\n"), "{rest}");
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn an_interrupted_move_is_answered() {
    let (mut child, mut input, mut output) = start(&["gtp", "go(size=9)", "--time", "10000"]);
    input.write_all(b"1 genmove b\n# interrupt\n2 quit\n").expect("written");
    assert!(line(&mut output).starts_with("=1 "));
    assert_eq!(line(&mut output), "\n");
    assert_eq!(line(&mut output), "=2\n");
    assert!(child.wait().expect("it ends").success());
    let (mut child, mut input, mut output) = start(&["uci", "gomoku"]);
    input.write_all(b"position startpos\ngo infinite\nisready\n").expect("written");
    loop {
        if line(&mut output) == "readyok\n" {
            break;
        }
    }
    input.write_all(b"stop\n").expect("written");
    while !line(&mut output).starts_with("bestmove ") {}
    input.write_all(b"go infinite\nquit\n").expect("written");
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn pondering_does_not_disturb_the_game() {
    let (mut child, mut input, mut output) = start(&["gtp", "go(size=5)", "--iterations", "100", "--ponder"]);
    for number in 0..6 {
        let colour = if number % 2 == 0 { 'b' } else { 'w' };
        writeln!(input, "genmove {colour}").expect("written");
        assert!(line(&mut output).starts_with("= "));
        assert_eq!(line(&mut output), "\n");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    drop(input);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn bad_games_are_refused_before_a_word_is_said() {
    for arguments in
        [&["gtp", "nonsense"][..], &["gomocup", "go"], &["nboard", "hex"], &["ucci", "gomoku"], &["uci", "go"]]
    {
        let output = piped(arguments, "name\n");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{arguments:?}");
    }
}

/// Piskvork starts programs by their name alone, and knows brains by it.
#[cfg(unix)]
#[test]
fn a_program_called_pbrain_speaks_gomocup() {
    let folder = std::env::temp_dir().join(format!("tesuji-brain-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let brain = folder.join("pbrain-tesuji");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_tesuji"), &brain).expect("a link");
    let mut child = Command::new(&brain).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the binary runs");
    let mut output = BufReader::new(child.stdout.take().expect("piped"));
    let mut input = child.stdin.take().expect("piped");
    input.write_all(b"START 20\r\nINFO timeout_turn 100\r\nBEGIN\r\n").expect("written");
    assert_eq!(line(&mut output), "OK\n");
    let mv = line(&mut output);
    assert!(mv.trim().split(',').all(|number| number.parse::<u8>().is_ok_and(|number| number < 20)), "{mv}");
    input.write_all(b"END\r\n").expect("written");
    assert!(child.wait().expect("it ends").success());
    std::fs::remove_dir_all(&folder).expect("removed");
}
