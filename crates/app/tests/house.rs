//! The rules of the house that a reader of the sources can count: which crate knows which, how often
//! types are recovered, games are named and lines are long.

use std::path::{Path, PathBuf};

const CRATES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// The crates of this repository that each may depend on, tests aside (ARCHITECTURE.md has the
/// picture).
const KNOWS: [(&str, &[&str]); 11] = [
    ("core", &[]),
    ("sgf", &["core"]),
    ("proof", &["core"]),
    ("games", &["core", "sgf"]),
    ("search", &["core", "proof"]),
    ("learn", &["core", "search"]),
    ("agents", &["core", "sgf", "proof", "games", "search", "learn"]),
    ("lab", &["core", "search", "learn", "agents"]),
    ("web", &["core", "search", "proof", "agents"]),
    ("python", &["core", "search", "learn", "agents", "lab"]),
    ("app", &["core", "sgf", "search", "learn", "agents", "lab", "web"]),
];

/// The names of crates of this repository among the dependencies of one, tests aside.
fn dependencies(manifest: &str) -> Vec<String> {
    let mut within = false;
    let mut found = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            within = line == "[dependencies]";
        } else if within && let Some(rest) = line.strip_prefix("tesuji-") {
            let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(rest.len());
            found.push(rest[..end].to_string());
        }
    }
    found
}

#[test]
fn every_room_knows_what_it_may() {
    for (name, known) in KNOWS {
        let manifest = std::fs::read_to_string(format!("{CRATES}/{name}/Cargo.toml")).expect("a manifest");
        for other in dependencies(&manifest) {
            assert!(known.contains(&other.as_str()), "{name} depends on {other}; ARCHITECTURE.md says otherwise");
        }
    }
}

/// The files of a crate, with their lines up to the tests in them.
fn sources(name: &str) -> Vec<(PathBuf, Vec<String>)> {
    let (mut folders, mut files) = (vec![Path::new(CRATES).join(name).join("src")], Vec::new());
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
            let is_test = path.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with("tests"));
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") && !is_test {
                let text = std::fs::read_to_string(&path).expect("a file");
                let lines = text.lines().take_while(|line| *line != "#[cfg(test)]").map(String::from);
                files.push((path, lines.collect()));
            }
        }
    }
    assert!(!files.is_empty(), "{name}");
    files
}

/// Lines of crates for which something holds.
fn found<'a>(crates: impl IntoIterator<Item = &'a str>, holds: impl Fn(&Path, &str) -> bool) -> Vec<String> {
    let mut lines = Vec::new();
    for (path, text) in crates.into_iter().flat_map(sources) {
        let here = text.iter().enumerate().filter(|(_, line)| holds(&path, line));
        lines.extend(here.map(|(number, line)| format!("{}:{}: {line}", path.display(), number + 1)));
    }
    lines
}

fn all() -> impl Iterator<Item = &'static str> {
    KNOWS.iter().map(|(name, _)| *name).chain(["testing"])
}

#[test]
fn types_are_recovered_in_few_places() {
    let places = found(["agents"], |_, line| line.contains("downcast"));
    assert!(places.len() <= 4, "{places:#?}");
}

/// The command line asks a position what it can do. It names games as defaults and as other
/// programs' names for variants; the word `go` of UCI and NBoard, Go's way to write points and values
/// of options are no games.
#[test]
fn the_command_line_names_few_games() {
    let names: Vec<&str> = tesuji_agents::games().iter().map(|game| game.description.name).collect();
    let places = found(["app"], |path, line| {
        let is_style = line.contains("native") || line.contains("vertices");
        let is_word = |name: &str| name == "go" && (is_style || path.iter().any(|part| part == "protocol"));
        let named = |name: &&str| line.contains(&format!("\"{name}\"")) || line.contains(&format!("\"{name}("));
        let is_option = line.contains("value_enum");
        !is_option && !line.trim_start().starts_with("//") && names.iter().any(|name| named(name) && !is_word(name))
    });
    assert!(places.len() <= 12, "{places:#?}");
}

#[test]
fn few_lines_are_longer_than_120_columns() {
    let places = found(all(), |_, line| line.chars().count() > 120);
    assert!(places.len() <= 40, "{places:#?}");
}

/// Threads, nodes and callers are no persons.
#[test]
fn no_persons_in_comments() {
    let persons = ["nobody", "somebody", "whoever", "anybody"];
    let places = found(all(), |_, line| {
        let words = line.split(|letter: char| !letter.is_alphabetic());
        words.map(str::to_ascii_lowercase).any(|word| persons.contains(&word.as_str()))
    });
    assert!(places.is_empty(), "{places:#?}");
}
