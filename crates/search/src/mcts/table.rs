//! Transpositions: equal positions share their children.
//!
//! A table from the hash of a position to the place of its children. A node about to get children looks here first; if its position has been
//! opened elsewhere it takes those children for its own, with all their statistics (the visits of the two nodes themselves stay apart:
//! they belong to the moves that lead there; Childs, Brodeur & Kocsis 2008, UCT2). Only for games whose past does not matter. A slot holds one
//! position; newer ones replace older ones, which only costs sharing.
//!
//! A slot is written without a lock as (hash xor place, place), so that a torn pair fits no hash (Hyatt & Mann 2002); the hash is also kept
//! beside the children, so that a slot that outlived its children is not believed.

use super::publish::Published;
use super::tree::{NodeId, Tree};
use bytemuck::Zeroable;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Zeroable)]
#[repr(C)]
struct Slot {
    check: AtomicU64,
    place: AtomicU64,
}

/// The table.
pub(super) struct Table(Box<[Slot]>);

impl Table {
    /// Of at most so many bytes, at least one slot; nothing if the system refuses.
    pub(super) fn new(bytes: u64) -> Option<Table> {
        let slots = (bytes as usize / size_of::<Slot>()).max(1);
        let slots = if slots.is_power_of_two() { slots } else { slots.next_power_of_two() / 2 };
        bytemuck::try_zeroed_slice_box(slots).ok().map(Table)
    }

    fn slot(&self, hash: u64) -> &Slot {
        &self.0[hash as usize & (self.0.len() - 1)]
    }

    /// The children of this position, and that they have one more parent.
    pub(super) fn join(&self, tree: &Tree, hash: u64) -> Option<(NodeId, u16)> {
        let slot = self.slot(hash);
        let place = slot.place.load(Ordering::Acquire);
        if place == 0 || slot.check.load(Ordering::Relaxed) ^ place != hash {
            return None;
        }
        let (first, count) = (place as NodeId, (place >> 32) as u16);
        if tree.keys[first as usize].load(Ordering::Acquire) != hash {
            return None;
        }
        tree.parents[first as usize].fetch_add(1, Ordering::Relaxed);
        Some((first, count))
    }

    /// Notes the children of this position, which have one parent so far.
    pub(super) fn note(&self, tree: &Tree, hash: u64, children: Published) {
        tree.parents[children.first as usize].store(1, Ordering::Relaxed);
        tree.keys[children.first as usize].store(hash, Ordering::Release);
        let place = u64::from(children.first) | u64::from(children.count) << 32;
        let slot = self.slot(hash);
        slot.check.store(hash ^ place, Ordering::Relaxed);
        slot.place.store(place, Ordering::Release);
    }
}
