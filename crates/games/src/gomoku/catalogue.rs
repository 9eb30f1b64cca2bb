//! The positions that the program carries: the lines of `crates/games/problems/gomoku/sudden.txt`,
//! sudden wins and deaths after Li 2018, as `sudden-001` and so on.

use super::{Gomoku, Rule};
use std::borrow::Cow;
use std::sync::OnceLock;
use tesuji_core::spec::{Catalogue, Entry};

/// All positions, by id.
pub const PROBLEMS: Catalogue = Catalogue { entries: problems };

const SUDDEN: &str = include_str!("../../problems/gomoku/sudden.txt");

fn problems() -> &'static [Entry] {
    static ENTRIES: OnceLock<Vec<Entry>> = OnceLock::new();
    ENTRIES.get_or_init(|| {
        let lines = SUDDEN.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        lines.enumerate().filter_map(|(number, line)| entry(number + 1, line)).collect()
    })
}

/// The entry of a line: level, size of the board, rows from the top.
fn entry(number: usize, line: &'static str) -> Option<Entry> {
    let (level, rest) = line.split_once(' ')?;
    let (size, _) = rest.split_once(' ')?;
    let what = if matches!(level, "1" | "3") { "win" } else { "death" };
    Some(Entry {
        id: Cow::Owned(format!("sudden-{number:03}")),
        about: Cow::Owned(format!("sudden {what}, level {level}, on {size}×{size}")),
        text: Cow::Borrowed(rest),
    })
}

/// The position of an entry.
///
/// # Errors
/// If the text is not a size and rows, which the tests exclude.
pub(super) fn position(entry: &Entry) -> Result<Gomoku, String> {
    let (size, rows) = entry.text.split_once(' ').ok_or("expected a size and rows")?;
    let size = size.parse().map_err(|_| "expected a size".to_string())?;
    let board = Gomoku::new(size, Rule::Freestyle).map_err(|error| error.to_string())?;
    board.with_text(&rows.replace('/', "")).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::{PROBLEMS, SUDDEN, position};

    #[test]
    fn every_line_is_a_position() {
        let lines = SUDDEN.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).count();
        assert_eq!(PROBLEMS.entries().len(), lines);
        for entry in PROBLEMS.entries() {
            assert!(position(entry).is_ok(), "{}", entry.id);
        }
        let first = PROBLEMS.find("sudden-001").expect("the first");
        assert_eq!(first.about, "sudden win, level 1, on 7×7");
    }
}
