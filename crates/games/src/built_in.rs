//! Problems that the program carries, as entries of a catalogue.

use std::borrow::Cow;
use tesuji_core::spec::{ArgumentError, Arguments, Entry};

/// The texts of a folder of problems by the names of their files, which are the ids.
macro_rules! texts_of {
    ($folder:literal: $($id:literal,)*) => {
        [$(($id, include_str!(concat!("../../problems/", $folder, "/", $id, ".txt")))),*]
    };
}
pub(crate) use texts_of;

/// The entries of these texts; `about` tells what a text is.
pub(crate) fn entries(texts: &[(&'static str, &'static str)], about: fn(&'static str) -> &'static str) -> Vec<Entry> {
    let entry = |(id, text): &(&'static str, &'static str)| Entry {
        id: Cow::Borrowed(*id),
        about: Cow::Borrowed(about(text)),
        text: Cow::Borrowed(*text),
    };
    texts.iter().map(entry).collect()
}

/// Refuses two sources of a position.
pub(crate) fn at_most_one(arguments: &Arguments, names: [&'static str; 2]) -> Result<(), ArgumentError> {
    let [one, other] = names;
    if arguments.has(one) && arguments.has(other) {
        return Err(ArgumentError::of(one, format!("{one} and {other} exclude each other")));
    }
    Ok(())
}

#[cfg(test)]
pub(crate) mod tests {
    use tesuji_core::spec::Entry;

    /// Every text file of the folder is an entry, and nothing else is.
    pub(crate) fn has_the_files_of(folder: &str, entries: &[Entry]) {
        let folder = format!("{}/problems/{folder}", env!("CARGO_MANIFEST_DIR"));
        let names = std::fs::read_dir(folder).expect("a folder").map(|file| {
            let name = file.expect("a file").file_name();
            name.to_string_lossy().into_owned()
        });
        let mut files: Vec<String> = names.filter_map(|name| name.strip_suffix(".txt").map(str::to_string)).collect();
        files.sort();
        let ids: Vec<&str> = entries.iter().map(|entry| entry.id.as_ref()).collect();
        assert_eq!(ids, files);
        assert!(entries.iter().all(|entry| !entry.about.is_empty()));
    }
}
