//! The pages that name files name files that exist, and links between pages lead somewhere.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Pages beside those of `docs/`, and how many files some pages name at least.
const MORE_PAGES: [&str; 5] =
    ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/web/README.md", "web/README.md"];
const LEAST: [(&str, usize); 3] = [("docs/sources.md", 80), ("ARCHITECTURE.md", 60), ("docs/limits.md", 30)];

/// What looks like a file of the repository and is none: a file that runs write, the author's own
/// file, and an address.
const OTHERS: [&str; 3] = ["plan.json", "Go.txt", "/api/v1/openapi.json"];

const ENDINGS: [&str; 7] = [".rs", ".py", ".toml", ".md", ".ts", ".css", ".json"];

/// Whether a word in backquotes names a file or folder of this repository.
fn is_path(word: &str) -> bool {
    let roots = ["crates/", "docs/", "python/", "bench/", "oracles/", "fuzz/", "examples/", "web/", ".ci/"];
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "._-/".contains(letter);
    let is_folder = word.ends_with('/') && word.len() > 1;
    let named = roots.iter().any(|root| word.starts_with(root)) || ENDINGS.iter().any(|ending| word.ends_with(ending));
    (named || is_folder) && word.chars().all(plain) && !OTHERS.contains(&word) && !word.starts_with("target/")
}

/// All files and folders, as paths from the root; a path below `crates/` also without this word and
/// without `src`, as pages shorten it. Each path is there with every beginning cut off, so that
/// `mcts/tree/` is found too.
fn names() -> HashSet<String> {
    let skipped = ["target", "node_modules", ".git", "lab-results", "__pycache__"];
    let (mut names, mut folders) = (HashSet::new(), vec![PathBuf::new()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(Path::new(ROOT).join(&folder)).expect("a folder").map(|it| it.expect("an entry"))
        {
            let name = entry.file_name().into_string().expect("a name in Unicode");
            if skipped.contains(&name.as_str()) {
                continue;
            }
            let path = folder.join(&name);
            if entry.file_type().expect("a type").is_dir() {
                folders.push(path.clone());
            }
            let parts: Vec<&str> = path.iter().map(|part| part.to_str().expect("a name in Unicode")).collect();
            let short: Vec<&str> = parts.iter().copied().filter(|part| *part != "src").collect();
            for parts in [parts, short] {
                names.extend((0..parts.len()).map(|from| parts[from..].join("/")));
            }
        }
    }
    names
}

fn pages() -> Vec<String> {
    let mut pages: Vec<String> = MORE_PAGES.map(String::from).into();
    for folder in ["docs", "docs/decisions"] {
        let entries = std::fs::read_dir(Path::new(ROOT).join(folder)).expect("a folder");
        let files = entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("Unicode"));
        pages.extend(files.filter(|name| name.ends_with(".md")).map(|name| format!("{folder}/{name}")));
    }
    pages
}

/// The text of a page without its blocks of code.
fn prose(page: &str) -> String {
    let text = std::fs::read_to_string(Path::new(ROOT).join(page)).unwrap_or_else(|error| panic!("{page}: {error}"));
    text.split("```").step_by(2).collect()
}

#[test]
fn every_file_that_is_named_exists() {
    let names = names();
    let mut missing = Vec::new();
    for page in pages() {
        let text = prose(&page);
        let paths: Vec<&str> = text.split('`').skip(1).step_by(2).filter(|word| is_path(word)).collect();
        missing.extend(
            paths
                .iter()
                .filter(|word| !names.contains(word.trim_end_matches('/')))
                .map(|word| format!("{page}: {word}")),
        );
        let least = LEAST.iter().find(|(other, _)| *other == page).map_or(0, |(_, least)| *least);
        assert!(paths.len() >= least, "{page}: {} paths", paths.len());
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn every_link_between_pages_leads_somewhere() {
    let (mut links, mut broken) = (0, Vec::new());
    for page in pages() {
        let folder = Path::new(ROOT).join(&page);
        let folder = folder.parent().expect("a folder");
        let text = prose(&page);
        for link in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link) {
            let file = link.split('#').next().expect("a path");
            links += 1;
            if !file.is_empty() && !link.starts_with("http") && !folder.join(file).exists() {
                broken.push(format!("{page}: {link}"));
            }
        }
    }
    assert!(broken.is_empty() && links > 100, "{links} links: {broken:#?}");
}
