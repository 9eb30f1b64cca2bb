//! Things that the program carries with it, by id: the problems of a game.
//!
//! A spec names one by a parameter of the kind [`Kind::Entry`](super::Kind::Entry). No file is
//! opened for it, so that a spec of any origin may name it, and it works in any folder.

use std::borrow::Cow;

/// One thing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its name in specs: letters, digits and hyphens, a letter first.
    pub id: Cow<'static, str>,
    /// What it is, in one line.
    pub about: Cow<'static, str>,
    /// Its text, which the game or search reads.
    pub text: Cow<'static, str>,
}

/// The things of one kind, in order.
///
/// ```
/// use std::borrow::Cow::Borrowed;
/// use tesuji_core::spec::{Catalogue, Entry};
///
/// static ENTRIES: [Entry; 1] =
///     [Entry { id: Borrowed("first"), about: Borrowed("a small tree"), text: Borrowed("F(0 1)") }];
/// const TREES: Catalogue = Catalogue { entries: || &ENTRIES };
///
/// assert_eq!(TREES.find("first").map(|entry| entry.text.as_ref()), Some("F(0 1)"));
/// assert!(TREES.find("second").is_none());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Catalogue {
    /// All of them.
    pub entries: fn() -> &'static [Entry],
}

impl Catalogue {
    /// All entries, in order.
    #[must_use]
    pub fn entries(self) -> &'static [Entry] {
        (self.entries)()
    }

    /// The entry of an id.
    #[must_use]
    pub fn find(self, id: &str) -> Option<&'static Entry> {
        self.entries().iter().find(|entry| entry.id == id)
    }
}

/// Two catalogues are one if their entries are the same list.
impl PartialEq for Catalogue {
    fn eq(&self, other: &Catalogue) -> bool {
        std::ptr::eq(self.entries(), other.entries())
    }
}
