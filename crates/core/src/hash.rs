//! Position hashes: 64 bits, kept incrementally (Zobrist 1970).
//!
//! Why 64 and not 128 bits: `docs/decisions/0002-hash-width.md`.

use crate::random::mix;

/// The hash of a position. Equal positions have equal hashes; different ones
/// differ with probability 1 − 2⁻⁶⁴. Exact code compares positions as well.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PositionHash(pub u64);

/// A source of hash keys: key *i* of a table is a fixed random word, the same on
/// every machine and in every version, and needs no storage.
///
/// ```
/// use tesuji_core::{PositionHash, Zobrist};
///
/// const KEYS: Zobrist = Zobrist::new("my game");
/// // A stone on point 3, then one on point 7, then the first is taken off.
/// let hash = KEYS.key(3) ^ KEYS.key(7) ^ KEYS.key(3);
/// assert_eq!(PositionHash(hash), PositionHash(KEYS.key(7)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Zobrist {
    table: u64,
}

impl Zobrist {
    /// The key table of this name; games take different names so that their hashes have nothing in
    /// common.
    #[must_use]
    pub const fn new(name: &str) -> Zobrist {
        let bytes = name.as_bytes();
        let mut table = 0x7465_7375_6a69_u64;
        let mut at = 0;
        while at < bytes.len() {
            table = mix(table ^ bytes[at] as u64).wrapping_add(at as u64);
            at += 1;
        }
        Zobrist { table: mix(table) }
    }

    /// Key number `index`.
    #[inline]
    #[must_use]
    pub const fn key(self, index: u64) -> u64 {
        mix(self.table.wrapping_add(mix(index.wrapping_add(1))))
    }

    /// The first `N` keys, for games that prefer a table in memory.
    #[must_use]
    pub const fn keys<const N: usize>(self) -> [u64; N] {
        let mut keys = [0; N];
        let mut index = 0;
        while index < N {
            keys[index] = self.key(index as u64);
            index += 1;
        }
        keys
    }
}

#[cfg(test)]
mod tests {
    use super::Zobrist;

    #[test]
    fn keys_are_distinct_and_pinned() {
        let keys: std::collections::HashSet<u64> =
            ["go", "hex", "mnk"].iter().flat_map(|name| (0..10_000).map(|i| Zobrist::new(name).key(i))).collect();
        assert_eq!(keys.len(), 30_000);
        assert_eq!(Zobrist::new("go").keys::<4>()[3], Zobrist::new("go").key(3));
    }
}
