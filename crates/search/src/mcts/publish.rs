//! How a node gets its children while others look on: claim, publish, open.
//!
//! One thread *claims* the node (compare-and-swap from empty to claimed), writes the children, and
//! *publishes* them with a Release store of their place; whoever reads the place with Acquire sees them whole. Which of the
//! published children are open to selection is a counter that only grows; each number is handed out once.
//!
//! Checked by loom over all interleavings in `tests/publish.rs`, which compiles this very file.

use crate::sync::{AtomicU32, Ordering};

/// Nobody has given the node children.
const EMPTY: u32 = 0;
/// Somebody is writing them.
const CLAIMED: u32 = u32::MAX;

/// Where a node's children are. They are never at place 0, which is the root's.
#[derive(Clone, Copy)]
pub(super) struct Children<'a> {
    /// The place of the first.
    pub(super) first: &'a AtomicU32,
    /// How many there are in the low half, how many are open in the high half.
    pub(super) counts: &'a AtomicU32,
}

/// The children of a node, as published.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Published {
    /// The place of the first child.
    pub(super) first: u32,
    /// How many there are.
    pub(super) count: u16,
    /// How many of them are open to selection.
    pub(super) open: u16,
}

impl Children<'_> {
    /// Takes the right, and the duty, to publish or to give up. At most one thread gets it.
    pub(super) fn claim(self) -> bool {
        self.first.compare_exchange(EMPTY, CLAIMED, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    /// Gives the claim back: there are no children after all.
    pub(super) fn give_up(self) {
        self.first.store(EMPTY, Ordering::Release);
    }

    /// Shows the children, which have been written, to everybody.
    pub(super) fn publish(self, children: Published) {
        self.counts.store(u32::from(children.count) | u32::from(children.open) << 16, Ordering::Relaxed);
        self.first.store(children.first, Ordering::Release);
    }

    /// The children, once published.
    #[inline]
    pub(super) fn get(self) -> Option<Published> {
        let first = self.first.load(Ordering::Acquire);
        if first == EMPTY || first == CLAIMED {
            return None;
        }
        let counts = self.counts.load(Ordering::Relaxed);
        Some(Published { first, count: counts as u16, open: (counts >> 16) as u16 })
    }

    /// Opens the next child and answers its number; nothing if all are open. No number is answered twice.
    #[inline]
    pub(super) fn open_next(self) -> Option<u16> {
        let mut counts = self.counts.load(Ordering::Relaxed);
        loop {
            let (count, open) = (counts as u16, (counts >> 16) as u16);
            if open >= count {
                return None;
            }
            match self.counts.compare_exchange_weak(counts, counts + (1 << 16), Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Some(open),
                Err(now) => counts = now,
            }
        }
    }
}
