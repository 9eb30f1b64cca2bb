//! The README's tour is true: every `console` block is run and its output compared.

use std::process::Command;

/// Splits a command line into words, minding single quotes.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut quoted, mut word) = (Vec::new(), false, String::new());
    for letter in line.chars() {
        match letter {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(std::mem::take(&mut word)),
            other => word.push(other),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

/// What differs from machine to machine: `0.006 s` becomes `# s`, and JSON's times and sizes become `#`.
fn timeless(text: &str) -> String {
    let mut text = text.trim_end().to_string();
    for key in ["\"seconds\":", "\"memory_bytes\":"] {
        if let Some((before, after)) = text.split_once(key) {
            let rest = after.find([',', '}']).map_or("", |end| &after[end..]);
            text = format!("{before}{key}#{rest}");
        }
    }
    let mut lines = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let is_time = |at: usize| {
            let unit = words.get(at + 1).is_some_and(|next| matches!(next.trim_end_matches([';', ',']), "s"));
            unit && words[at].contains('.') && words[at].parse::<f64>().is_ok()
        };
        let kept: Vec<&str> = (0..words.len()).map(|at| if is_time(at) { "#" } else { words[at] }).collect();
        lines.push(kept.join(" "));
    }
    lines.join("\n")
}

#[test]
fn the_tour_is_true() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let readme = std::fs::read_to_string(format!("{root}/README.md")).expect("a README");
    let mut blocks = 0;
    for block in readme.split("```console\n").skip(1) {
        let block = block.split("```").next().expect("a block");
        let (command, expected) = block.split_once('\n').expect("a command and its output");
        let arguments = words(command.strip_prefix("$ tesuji ").expect("a tesuji command"));
        let output =
            Command::new(env!("CARGO_BIN_EXE_tesuji")).current_dir(root).args(&arguments).output().expect("it runs");
        let printed = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(timeless(&printed), timeless(expected), "$ {command}");
        blocks += 1;
    }
    assert!(blocks >= 4, "{blocks} blocks");
}
