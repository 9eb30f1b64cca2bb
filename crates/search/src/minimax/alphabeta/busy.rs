//! Who searches what: threads that put off a move which another one is searching.
//!
//! Threads that share a table search much of the same tree twice, because what the other one finds comes too late. So each marks
//! the moves it is searching; a later move (never the first) that somebody else is busy with is put off until the others are
//! done, and by then its value is often in the table, for this depth or a greater one. The marks are hints in a small hash table: a lost or false one costs time, never a value.
//!
//! Reference: Weill, "The ABDADA distributed minimax search algorithm" (1996), in the simple form with marks outside
//! of the transposition table (Kerrigan, "Simplified ABDADA", 2016).

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Below this depth marking costs more than it saves.
pub(super) const LEAST_DEPTH: i32 = 3;

const MARKS: usize = 1 << 12;

/// The moves that are being searched.
pub(crate) struct Busy(Box<[AtomicU64]>);

impl Busy {
    pub(super) fn new() -> Busy {
        Busy((0..MARKS).map(|_| AtomicU64::new(0)).collect())
    }

    #[inline]
    fn mark(&self, here: u64, index: u32) -> (u64, &AtomicU64) {
        // Never 0, which is no mark.
        let key = tesuji_core::mix(here ^ u64::from(index) << 32) | 1;
        (key, &self.0[(key >> 32) as usize & (MARKS - 1)])
    }

    /// Whether somebody searches this move.
    #[inline]
    pub(super) fn has(&self, here: u64, index: u32) -> bool {
        let (key, mark) = self.mark(here, index);
        mark.load(Relaxed) == key
    }

    /// Marks a move, unless somebody has, or the place is taken; `true` if it did.
    #[inline]
    pub(super) fn begin(&self, here: u64, index: u32) -> bool {
        let (key, mark) = self.mark(here, index);
        mark.compare_exchange(0, key, Relaxed, Relaxed).is_ok()
    }

    /// Takes a mark of one's own away.
    #[inline]
    pub(super) fn end(&self, here: u64, index: u32) {
        self.mark(here, index).1.store(0, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::Busy;

    #[test]
    fn a_mark_is_seen_until_it_is_taken_away() {
        let busy = Busy::new();
        assert!(!busy.has(7, 3) && busy.begin(7, 3));
        assert!(busy.has(7, 3) && !busy.begin(7, 3), "taken");
        assert!(!busy.has(7, 4) && !busy.has(8, 3));
        busy.end(7, 3);
        assert!(!busy.has(7, 3));
    }
}
