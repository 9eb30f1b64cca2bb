//! `docs/limits.md` and `docs/defaults.md` tell the truth: the figure of each row is that of the
//! constant the row names, and every game stands beside its default agent.

use std::path::Path;

/// The value of an expression of whole numbers, `<<`, `*` and `+`, in the order of Rust.
fn value(expression: &str) -> Option<u64> {
    if let Some((left, right)) = expression.split_once("<<") {
        return Some(value(left)? << value(right)?);
    }
    if let Some((left, right)) = expression.split_once('+') {
        return Some(value(left)? + value(right)?);
    }
    if let Some((left, right)) = expression.split_once('*') {
        return Some(value(left)? * value(right)?);
    }
    expression.trim().replace('_', "").parse().ok()
}

/// `1,000`, `64 KiB`, `16 MiB`, `2 GiB`.
fn figure(text: &str) -> Option<u64> {
    let (number, unit) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
    let shift = match unit {
        "" => 0,
        "KiB" => 10,
        "MiB" => 20,
        "GiB" => 30,
        _ => return None,
    };
    Some(number.replace(',', "").parse::<u64>().ok()? << shift)
}

#[test]
fn every_figure_is_that_of_its_constant() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    let page = read("docs/limits.md");
    let mut rows = 0;
    for line in page.lines().filter(|line| line.starts_with("| ") && line.contains(".rs`")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [_, cap, place] = cells[..] else { panic!("expected three cells: {line}") };
        let names: Vec<&str> = place.split('`').collect();
        let [_, constant, _, path, _] = names[..] else { panic!("expected `CONSTANT` in `file`: {line}") };
        let source = read(path);
        // A constant with its type, or a field with its value.
        let defined = source.match_indices(&format!("{constant}: ")).find_map(|(at, found)| {
            let whole = source[..at].ends_with([' ', '{', '(']);
            let rest = source[at + found.len()..].split([';', ',', '}']).next().filter(|_| whole)?;
            value(rest.split_once('=').map_or(rest, |(_, expression)| expression))
        });
        assert_eq!(defined, figure(cap), "{line}");
        assert!(defined.is_some(), "{line}");
        rows += 1;
    }
    assert!(rows >= 25, "{rows} rows");
}

#[test]
fn every_game_stands_beside_its_default_agent() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/defaults.md");
    let page = std::fs::read_to_string(path).expect("the page");
    for game in tesuji_agents::games() {
        let (name, strongest) = (game.description.name, game.strongest());
        let says = |line: &str| {
            let mut cells = line.split('|').skip(1);
            let is_game = cells.next().is_some_and(|cell| cell.contains(&format!("`{name}`")));
            is_game && cells.next().is_some_and(|cell| cell.trim() == format!("`{strongest}`"))
        };
        assert!(page.lines().any(says), "{name}: {strongest}");
    }
}
