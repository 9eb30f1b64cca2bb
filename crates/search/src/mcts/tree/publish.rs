//! Publication of a node's children while other threads read the node: claim, write, publish, open.
//!
//! One thread *claims* the node (compare-and-swap from empty to claimed), writes the children and
//! *publishes* them with a Release store of their place. A thread that reads the place with Acquire
//! sees complete children. The number of children that are open to selection only grows, and each
//! child is opened by exactly one thread.
//!
//! loom checks all interleavings in `tests/publish.rs`, which compiles this file.

use crate::sync::{AtomicU32, Ordering};

/// The node has no children.
const EMPTY: u32 = 0;
/// A thread is writing the children.
const CLAIMED: u32 = u32::MAX;

/// Where a node's children are. They are never at place 0, which is the root's.
#[derive(Clone, Copy)]
pub(crate) struct Children<'a> {
    /// The place of the first child.
    pub(crate) first: &'a AtomicU32,
    /// The number of children in the low half, the number of open ones in the high half.
    pub(crate) counts: &'a AtomicU32,
}

/// The published children of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Published {
    /// The place of the first child.
    pub(crate) first: u32,
    /// The number of children.
    pub(crate) count: u16,
    /// The number of children open to selection.
    pub(crate) open: u16,
}

impl Children<'_> {
    /// Claims the node. The one thread that succeeds must publish or withdraw.
    pub(crate) fn claim(self) -> bool {
        self.first.compare_exchange(EMPTY, CLAIMED, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    /// Makes the node childless: withdraws a claim, or detaches the children.
    pub(crate) fn withdraw(self) {
        self.first.store(EMPTY, Ordering::Release);
    }

    /// Publishes children that have been written.
    pub(crate) fn publish(self, children: Published) {
        self.counts.store(u32::from(children.count) | u32::from(children.open) << 16, Ordering::Relaxed);
        self.first.store(children.first, Ordering::Release);
    }

    /// The children, once published.
    #[inline]
    pub(crate) fn get(self) -> Option<Published> {
        let first = self.first.load(Ordering::Acquire);
        if first == EMPTY || first == CLAIMED {
            return None;
        }
        let counts = self.counts.load(Ordering::Relaxed);
        Some(Published { first, count: counts as u16, open: (counts >> 16) as u16 })
    }

    /// Opens the next child and returns its number; nothing if all are open. No number is returned
    /// twice.
    #[inline]
    pub(crate) fn open_next(self) -> Option<u16> {
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
