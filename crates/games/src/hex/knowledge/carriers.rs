//! Proof sets of won positions: the cells that the winner's play needs, and the loser's other moves
//! that they refute.
//!
//! The *carrier* of a won position is a set of empty cells such that the winner wins whatever the
//! loser owns outside of it. If the mover loses by a move whose successor has the carrier C, every
//! move outside C loses too: the opponent answers as if the first move had been played as well,
//! which only helps the mover (Hex is monotone). So one refutation prunes many moves (the proof
//! sets of Hayward et al. 2003, and of Henderson, Arneson & Hayward 2009).
//!
//! > by a virtual connection: its carrier ∪ the pairs that the winner has captured
//! > the winner moves:  C(successor) ∪ {the move}
//! > the loser moves:   ∪ C(searched successors) ∪ carriers of the half connections that
//! >                    pruned the other moves ∪ the pairs that the winner has captured
//!
//! Fill-in (`inferior.rs`) is invariant under more stones of the loser: dead cells stay dead for
//! either owner; pairs that the loser has captured are the loser's in any case; pairs of the winner
//! stay the winner's as long as both cells are empty, so they belong to the carrier. Dominated
//! cells that were not searched change nothing: if the loser already owns the better cell, the
//! dominated cell is dead or owned, and playing there is a pass. Carriers are stored in a table of
//! fixed size; overwritten entries prune nothing.

use super::Set;
use tesuji_core::Player;

/// The capacity of the table.
const PLACES: usize = 1 << 17;
/// Distinguishes the half connections of an open position from the carrier of a solved one.
const OPEN: u64 = 0x5bd1_e995_7b93_a1c3;

#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    carrier: Set,
}

/// The table. Allocated with the first entry.
pub(super) struct CarrierTable {
    table: Vec<Entry>,
    places: usize,
}

impl Default for CarrierTable {
    fn default() -> CarrierTable {
        CarrierTable { table: Vec::new(), places: PLACES }
    }
}

impl CarrierTable {
    /// The most bytes of a table.
    pub(super) const MOST_BYTES: u64 = (PLACES * size_of::<Entry>()) as u64;

    /// An empty table of at most this many bytes.
    pub(super) fn within(bytes: u64) -> CarrierTable {
        CarrierTable { table: Vec::new(), places: (bytes.min(Self::MOST_BYTES) as usize) / size_of::<Entry>() }
    }

    /// Whether both tables have the same capacity.
    pub(super) fn is_like(&self, other: &CarrierTable) -> bool {
        self.places == other.places
    }

    /// An empty table of the same size.
    pub(super) fn fork(&self) -> CarrierTable {
        CarrierTable { table: Vec::new(), places: self.places }
    }

    pub(super) fn bytes(&self) -> u64 {
        size_of_val(self.table.as_slice()) as u64
    }

    fn key(hash: u64, winner: Player) -> u64 {
        hash ^ if winner == Player::First { 0 } else { OPEN.rotate_left(17) }
    }

    fn put(&mut self, key: u64, carrier: Set) {
        if self.places == 0 {
            return;
        }
        if self.table.is_empty() {
            self.table = vec![Entry::default(); self.places];
        }
        self.table[key as usize % self.places] = Entry { key, carrier };
    }

    fn get(&self, key: u64) -> Option<Set> {
        let place = key as usize % self.places.max(1);
        self.table.get(place).filter(|entry| entry.key == key).map(|entry| entry.carrier)
    }

    /// Records that `winner` wins the position with this hash within `carrier`.
    pub(super) fn won(&mut self, hash: u64, winner: Player, carrier: Set) {
        self.put(CarrierTable::key(hash, winner), carrier);
    }

    /// The carrier of the win of `winner`, if the win is known.
    pub(super) fn carrier(&self, hash: u64, winner: Player) -> Option<Set> {
        self.get(CarrierTable::key(hash, winner))
    }

    /// Records that the mover of the position with this hash searched some moves only, because of
    /// half connections with these carriers.
    pub(super) fn open(&mut self, hash: u64, carriers: Set) {
        self.put(hash ^ OPEN, carriers);
    }

    /// These carriers.
    pub(super) fn half(&self, hash: u64) -> Option<Set> {
        self.get(hash ^ OPEN)
    }
}
