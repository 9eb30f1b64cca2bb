//! README and user guide are true: every `console` block is run and its output compared, and every
//! file that the two pages link to exists. `TESUJI_BLESS=1` rewrites the outputs that changed.

use crate::command::program;

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

/// What differs from machine to machine: `0.006 s` becomes `# s`, and JSON's times and sizes become
/// `#`.
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

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The pages, and how many console blocks each has at least.
const PAGES: [(&str, usize); 2] = [("README.md", 1), ("docs/guide.md", 7)];

fn read(page: &str) -> String {
    std::fs::read_to_string(format!("{ROOT}/{page}")).unwrap_or_else(|error| panic!("{page}: {error}"))
}

#[test]
fn every_console_block_is_true() {
    for (page, least) in PAGES {
        let text = read(page);
        let mut blessed = text.clone();
        let mut blocks = 0;
        for block in text.split("```console\n").skip(1) {
            let block = block.split("```").next().expect("a block");
            let (command, expected) = block.split_once('\n').expect("a command and its output");
            let arguments = words(command.strip_prefix("$ tesuji ").expect("a tesuji command"));
            let output = program().current_dir(ROOT).args(&arguments).output().expect("it runs");
            let (answer, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            let now = format!("{answer}{error}");
            blocks += 1;
            if std::env::var_os("TESUJI_BLESS").is_none() {
                assert_eq!(timeless(&now), timeless(expected), "{page}: $ {command}; TESUJI_BLESS=1 rewrites it");
            } else if timeless(&now) != timeless(expected) {
                // Lines that differ in their times only stay.
                let kept = |line| expected.lines().find(|old| timeless(old) == timeless(line)).unwrap_or(line);
                let lines: Vec<&str> = now.trim_end().lines().map(kept).collect();
                blessed = blessed.replace(block, &format!("{command}\n{}\n", lines.join("\n")));
            }
        }
        if blessed != text {
            std::fs::write(format!("{ROOT}/{page}"), blessed).unwrap_or_else(|error| panic!("{page}: {error}"));
        }
        assert!(blocks >= least, "{page}: {blocks} blocks");
    }
}

#[test]
fn every_link_leads_somewhere() {
    for (page, _) in PAGES {
        let folder = std::path::Path::new(ROOT).join(page);
        let folder = folder.parent().expect("a folder");
        let text = read(page);
        let mut links = 0;
        for link in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link) {
            let file = link.split('#').next().expect("a path");
            assert!(file.is_empty() || folder.join(file).exists(), "{page}: {link}");
            links += 1;
        }
        assert!(links >= 10, "{page}: {links} links");
    }
}
