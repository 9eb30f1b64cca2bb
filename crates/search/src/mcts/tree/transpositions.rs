//! Transpositions: equal positions share their children.
//!
//! A table from the hash of a position to the place of its children. A node that is about to be
//! expanded looks here first. If its position has been expanded elsewhere, the node takes over
//! those children with all their statistics. The visits of the two nodes stay separate, because
//! they belong to the moves that lead there (Childs, Brodeur & Kocsis 2008, UCT2). Only for games
//! in which the history does not matter. A slot holds one position; newer ones replace older ones,
//! which only costs sharing.
//!
//! A slot is written without a lock as (hash xor place, place), so that a torn pair matches no hash
//! (Hyatt & Mann 2002). The hash is also stored beside the children, so that a slot which outlived
//! its children does not match.

use super::arena::Tree;
use super::node::NodeId;
use super::publish::Published;
use bytemuck::Zeroable;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Zeroable)]
#[repr(C)]
struct Slot {
    check: AtomicU64,
    place: AtomicU64,
}

/// The table.
pub(crate) struct Transpositions(Box<[Slot]>);

impl Transpositions {
    /// A table of at most `bytes` bytes and at least one slot; nothing if the system refuses.
    pub(crate) fn new(bytes: u64) -> Option<Transpositions> {
        let slots = (bytes as usize / size_of::<Slot>()).max(1);
        let slots = if slots.is_power_of_two() { slots } else { slots.next_power_of_two() / 2 };
        bytemuck::try_zeroed_slice_box(slots).ok().map(Transpositions)
    }

    fn slot(&self, hash: u64) -> &Slot {
        &self.0[hash as usize & (self.0.len() - 1)]
    }

    /// The children of this position, which get one more parent.
    pub(crate) fn share(&self, tree: &Tree, hash: u64) -> Option<(NodeId, u16)> {
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

    /// Inserts the children of this position, which have one parent so far.
    pub(crate) fn insert(&self, tree: &Tree, hash: u64, children: Published) {
        tree.parents[children.first as usize].store(1, Ordering::Relaxed);
        tree.keys[children.first as usize].store(hash, Ordering::Release);
        let place = u64::from(children.first) | u64::from(children.count) << 32;
        let slot = self.slot(hash);
        slot.check.store(hash ^ place, Ordering::Relaxed);
        slot.place.store(place, Ordering::Release);
    }
}
