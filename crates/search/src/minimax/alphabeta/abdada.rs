//! Simplified ABDADA: a thread defers a move that another thread is searching.
//!
//! Threads that share a table search much of the same tree twice, because the other thread's entry
//! comes too late. Each thread therefore marks the moves it is searching. A later move (never the
//! first) that another thread has marked is deferred until the others are done; by then its value
//! is often in the table, at this depth or a greater one. The marks are hints in a small hash
//! table: a lost or false mark costs time and never changes a value.
//!
//! Reference: Weill, "The ABDADA distributed minimax search algorithm" (1996), in the simplified
//! form with marks outside of the transposition table (Kerrigan, "Simplified ABDADA", 2016).

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Below this depth marks cost more than they save.
pub(super) const MIN_DEPTH: i32 = 3;

const MARKS: usize = 1 << 12;

/// Marks of the moves that threads are searching.
pub(crate) struct MovesInProgress(Box<[AtomicU64]>);

impl MovesInProgress {
    pub(super) fn new() -> MovesInProgress {
        MovesInProgress((0..MARKS).map(|_| AtomicU64::new(0)).collect())
    }

    #[inline]
    fn mark(&self, here: u64, index: u32) -> (u64, &AtomicU64) {
        // Never 0, which means no mark.
        let key = tesuji_core::mix(here ^ u64::from(index) << 32) | 1;
        (key, &self.0[(key >> 32) as usize & (MARKS - 1)])
    }

    /// Whether a thread is searching this move.
    #[inline]
    pub(super) fn contains(&self, here: u64, index: u32) -> bool {
        let (key, mark) = self.mark(here, index);
        mark.load(Relaxed) == key
    }

    /// Marks a move, unless its slot is taken; returns whether it did.
    #[inline]
    pub(super) fn insert(&self, here: u64, index: u32) -> bool {
        let (key, mark) = self.mark(here, index);
        mark.compare_exchange(0, key, Relaxed, Relaxed).is_ok()
    }

    /// Removes a mark that this thread has made.
    #[inline]
    pub(super) fn remove(&self, here: u64, index: u32) {
        self.mark(here, index).1.store(0, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::MovesInProgress;

    #[test]
    fn a_mark_is_seen_until_it_is_removed() {
        let moves = MovesInProgress::new();
        assert!(!moves.contains(7, 3) && moves.insert(7, 3));
        assert!(moves.contains(7, 3) && !moves.insert(7, 3), "taken");
        assert!(!moves.contains(7, 4) && !moves.contains(8, 3));
        moves.remove(7, 3);
        assert!(!moves.contains(7, 3));
    }
}
