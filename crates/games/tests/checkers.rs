//! The checkers of certificates use the rules and nothing of the code that finds certificates.
//!
//! Privacy does not enforce this: a checker lives in its game's module. So the sources are read. A
//! checker may import the standard library, `tesuji_core` and named items of the rules; and it may
//! call no function that only the finder defines.

use std::collections::BTreeSet;
use std::path::Path;

/// The sources of a game's checker and of its rules, as paths below `src`, and what the checker may
/// import. All other sources in the game's folder count as the finder.
struct Game {
    folder: &'static str,
    checker: &'static [&'static str],
    rules: &'static [&'static str],
    imports: &'static [&'static str],
}

const GAMES: [Game; 4] = [
    Game {
        folder: "gomoku",
        checker: &["gomoku/check.rs"],
        rules: &["gomoku/mod.rs", "gomoku/rules.rs", "gomoku/renju.rs", "gomoku/notation.rs"],
        imports: &["Gomoku", "Point"],
    },
    Game {
        folder: "connect6",
        checker: &["connect6/check.rs"],
        rules: &["connect6/mod.rs", "connect6/rules.rs", "connect6/notation.rs"],
        imports: &["Connect6", "LINE", "Point"],
    },
    Game {
        folder: "hex",
        checker: &["hex/check.rs", "hex/drawing.rs"],
        rules: &["hex/mod.rs"],
        // `drawing.rs` draws what `check.rs` has derived.
        imports: &["Hex", "Move", "SwapRule", "check", "Board", "Connection", "Derivation"],
    },
    Game {
        folder: "goproblem",
        checker: &[
            "goproblem/check/mod.rs",
            "goproblem/check/board.rs",
            "goproblem/check/death.rs",
            "goproblem/check/life.rs",
        ],
        rules: &["goproblem/mod.rs", "goproblem/rules.rs", "goproblem/problem.rs", "goproblem/ending.rs"],
        // `board` and `Board` are the checker's own; `most_plies` is the rule that ends a problem.
        imports: &["GoProblem", "Move", "Place", "board", "Board", "most_plies"],
    },
];

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The sources in a folder, as paths below `root`.
fn list(root: &Path, folder: &str, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(root.join(folder)).expect("a folder") {
        let entry = entry.expect("an entry");
        let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            list(root, &name, found);
        } else if name.ends_with(".rs") {
            found.push(name);
        }
    }
}

/// The identifiers of a text, in order.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|word| !word.is_empty())
}

/// The names of the functions that a source defines.
fn functions(text: &str) -> BTreeSet<String> {
    let all: Vec<&str> = words(text).collect();
    all.windows(2).filter(|pair| pair[0] == "fn").map(|pair| pair[1].to_string()).collect()
}

/// Imports that are not allowed.
fn foreign_imports(text: &str, allowed: &[&str]) -> Vec<String> {
    let statements = text.split(';').filter_map(|statement| Some(statement[statement.rfind("use ")?..].to_string()));
    let is_foreign = |statement: &String| {
        let known = |word: &str| ["use", "super", "pub", "self"].contains(&word) || allowed.contains(&word);
        match words(statement).nth(1) {
            Some("std" | "tesuji_core") => false,
            _ => !words(statement).all(known),
        }
    };
    statements.filter(is_foreign).collect()
}

/// Functions of the finder that a checker calls, although neither it nor the rules define them.
fn foreign_calls(text: &str, finder: &BTreeSet<String>, known: &BTreeSet<String>) -> Vec<String> {
    let called = |name: &&String| [format!(".{name}("), format!("::{name}(")].iter().any(|call| text.contains(call));
    finder.difference(known).filter(called).cloned().collect()
}

#[test]
fn checkers_share_no_code_with_finders() {
    let core: BTreeSet<String> = ["position.rs", "study.rs", "player.rs", "certificate.rs"]
        .iter()
        .flat_map(|file| functions(&read(&format!("../core/src/{file}"))))
        .collect();
    // Methods of the standard library that a finder also has under this name.
    let standard =
        ["collect", "from", "new", "contains", "extend", "index", "insert", "remove", "open", "put", "get", "push"];
    for game in &GAMES {
        let of = |files: &[&str]| -> BTreeSet<String> {
            files.iter().flat_map(|file| functions(&read(&format!("src/{file}")))).collect()
        };
        let mut sources = Vec::new();
        list(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), game.folder, &mut sources);
        let is_finder = |file: &&String| !game.checker.contains(&file.as_str()) && !game.rules.contains(&file.as_str());
        let finder: Vec<&str> = sources.iter().filter(is_finder).map(String::as_str).collect();
        assert_eq!(sources.len() - finder.len(), game.checker.len() + game.rules.len(), "{sources:?}");
        let (finder, own) = (of(&finder), of(game.checker));
        assert!(finder.len() > 10, "{finder:?}");
        let mut known: BTreeSet<String> = of(game.rules).union(&own).chain(&core).cloned().collect();
        known.extend(standard.map(String::from));
        for file in game.checker {
            let text = read(&format!("src/{file}"));
            // Modules of the checker itself, and fully qualified paths.
            let imports = foreign_imports(&text, game.imports);
            assert!(imports.is_empty(), "{file}: {imports:?}");
            assert!(!text.replace("crate::hex)", "").contains("crate::"), "{file} names a path of the crate");
            let calls = foreign_calls(&text, &finder, &known);
            assert!(calls.is_empty(), "{file} calls {calls:?}");
        }
    }
}

/// The test sees what it looks for.
#[test]
fn shared_code_is_seen() {
    let allowed = ["Gomoku", "Point"];
    assert!(foreign_imports("use super::{Gomoku, Point};\nuse std::fmt;\n", &allowed).is_empty());
    assert_eq!(foreign_imports("use super::{Gomoku, Threats};\n", &allowed).len(), 1);
    assert_eq!(foreign_imports("use crate::gomoku::Threats;\n", &allowed).len(), 1);
    let finder = functions("pub fn lives_unconditionally(&self) -> bool {}\nfn new() {}");
    let known = BTreeSet::from(["new".to_string()]);
    assert_eq!(foreign_calls("if position.lives_unconditionally() {", &finder, &known), ["lives_unconditionally"]);
    assert!(foreign_calls("Board::new(position)", &finder, &known).is_empty());
}
