//! The pages that name files name files that exist.

use std::path::Path;

/// The pages, and how many paths each names at least.
const PAGES: [(&str, usize); 3] = [("docs/sources.md", 80), ("docs/glossary.md", 0), ("ARCHITECTURE.md", 30)];

/// Whether a word in backquotes is a path of this repository.
fn is_path(word: &str) -> bool {
    let roots = ["crates/", "docs/", "python/", "bench/", "oracles/", "fuzz/", "examples/"];
    roots.iter().any(|root| word.starts_with(root)) && !word.contains([' ', '<', '*', '…'])
}

#[test]
fn every_file_that_is_named_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut missing = Vec::new();
    for (page, least) in PAGES {
        let text = std::fs::read_to_string(root.join(page)).unwrap_or_else(|error| panic!("{page}: {error}"));
        let mut paths = 0;
        for word in text.split('`').skip(1).step_by(2).filter(|word| is_path(word)) {
            paths += 1;
            if !root.join(word).exists() {
                missing.push(format!("{page}: {word}"));
            }
        }
        assert!(paths >= least, "{page}: {paths} paths");
    }
    assert!(missing.is_empty(), "{missing:#?}");
}
