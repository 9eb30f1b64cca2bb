//! The positions that the program carries: the files of `crates/games/problems/connect6`.

use crate::built_in::{entries, texts_of};
use std::sync::OnceLock;
use tesuji_core::spec::{Catalogue, Entry};

/// All positions, by id.
pub const PROBLEMS: Catalogue = Catalogue { entries: problems };

fn problems() -> &'static [Entry] {
    static ENTRIES: OnceLock<Vec<Entry>> = OnceLock::new();
    let remark = |text: &'static str| {
        let line = text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or_default();
        line.trim_end_matches('.')
    };
    ENTRIES.get_or_init(|| entries(&TEXTS, remark))
}

static TEXTS: [(&str, &str); 39] = texts_of! { "connect6":
    "vcdt-01",
    "vcdt-02",
    "vcdt-03",
    "vcdt-04",
    "vcdt-05",
    "vcdt-06",
    "vcdt-07",
    "vcdt-08",
    "vcdt-09",
    "vcdt-10",
    "vcdt-11",
    "vcdt-12",
    "vcdt-13",
    "vcdt-14",
    "vcdt-15",
    "vcdt-16",
    "vcdt-17",
    "vcdt-18",
    "vcdt-19",
    "vcdt-20",
    "vcdt-21",
    "vcdt-22",
    "vcdt-23",
    "vcdt-24",
    "vcdt-25",
    "vcdt-26",
    "vcdt-27",
    "vcdt-28",
    "vcdt-29",
    "vcdt-30",
    "vcst-01",
    "vcst-02",
    "vcst-03",
    "vcst-04",
    "vcst-05",
    "vcst-06",
    "vcst-07",
    "vcst-08",
    "vcst-09",
};

#[cfg(test)]
mod tests {
    use super::PROBLEMS;
    use crate::connect6::Connect6Problem;

    #[test]
    fn the_files_are_the_entries() {
        crate::built_in::tests::has_the_files_of("connect6", PROBLEMS.entries());
        for entry in PROBLEMS.entries() {
            assert!(Connect6Problem::from_text(&entry.text).is_ok(), "{}", entry.id);
        }
    }
}
