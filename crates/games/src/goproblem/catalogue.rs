//! The problems that the program carries: the files of `crates/games/problems/go`.

use crate::built_in::{entries, texts_of};
use std::sync::OnceLock;
use tesuji_core::spec::{Catalogue, Entry};

/// All problems, by id.
pub const PROBLEMS: Catalogue = Catalogue { entries: problems };

fn problems() -> &'static [Entry] {
    static ENTRIES: OnceLock<Vec<Entry>> = OnceLock::new();
    let title = |text: &'static str| text.lines().find_map(|line| line.strip_prefix("title: ")).unwrap_or_default();
    ENTRIES.get_or_init(|| entries(&TEXTS, title))
}

static TEXTS: [(&str, &str); 82] = texts_of! { "go":
    "connect-01",
    "connect-02",
    "connect-03",
    "connect-04",
    "connect-05",
    "connect-06",
    "connect-07",
    "connect-08",
    "connect-09",
    "connect-bridge-under",
    "cut-01",
    "cut-02",
    "cut-03",
    "cut-04",
    "cut-05",
    "cut-06",
    "cut-07",
    "cut-08",
    "cut-09",
    "cut-10",
    "cut-11",
    "cut-peep",
    "kill-01",
    "kill-02",
    "kill-03",
    "kill-04",
    "kill-05",
    "kill-06",
    "kill-07",
    "kill-bent-corridor",
    "kill-bent-three",
    "kill-bulky-five",
    "kill-corner-two-rows",
    "kill-five-in-the-corner",
    "kill-inside-or-outside",
    "kill-pyramid-four",
    "kill-seven-on-the-second-line",
    "kill-straight-three",
    "lin-complex-1",
    "lin-complex-2",
    "lin-complex-3",
    "lin-complex-4",
    "lin-complex-5",
    "lin-example",
    "lin-multi",
    "lin-simple-1",
    "lin-simple-2",
    "lin-simple-3",
    "lin-simple-4",
    "lin-simple-5",
    "lin-trap-3",
    "lin-trap-5",
    "race-01",
    "race-02",
    "race-03",
    "race-04",
    "race-05",
    "race-06",
    "race-07",
    "race-08",
    "race-09",
    "race-10",
    "race-11",
    "race-12",
    "race-13",
    "save-01",
    "save-02",
    "save-03",
    "save-04",
    "save-05",
    "save-06",
    "save-07",
    "save-08",
    "save-09",
    "save-10",
    "save-11",
    "save-bulky-five",
    "save-corner-two-rows",
    "save-eye-in-the-corner",
    "save-pyramid-four",
    "save-stone-in-the-corner",
    "save-straight-three",
};

#[cfg(test)]
mod tests {
    use super::PROBLEMS;

    #[test]
    fn the_files_are_the_entries() {
        crate::built_in::tests::has_the_files_of("go", PROBLEMS.entries());
    }
}
