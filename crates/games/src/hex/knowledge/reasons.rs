//! Why positions are won: the cells that the winner's play needs, and what follows for the loser's
//! other moves.
//!
//! The *carrier* of a won position is a set of empty cells such that the winner wins whatever the
//! loser has outside of it. If the mover of a position loses by a move whose successor has the
//! carrier C, he also loses by every move outside C: his opponent answers as if the first move had
//! been played as well, which is a gift (Hex is monotone). So one refutation prunes many moves (the
//! proof sets of Hayward et al. 2003, and of Henderson, Arneson & Hayward 2009).
//!
//! > settled by a virtual connection: its carrier ∪ the pairs that the winner has captured
//! > the winner moves:  C(successor) ∪ {his move}
//! > the loser moves:   ∪ C(successors looked at) ∪ the half connections that made the other moves needless ∪ the pairs that the winner has captured
//!
//! Fill-in (`inferior.rs`) is what more stones of the loser leave as it is: dead cells stay dead,
//! whoever gets them; pairs that the loser has captured are his in any case; pairs of the winner
//! stay his as long as both cells are empty, so they belong to the carrier. Dominated cells that
//! were not looked at change nothing: if the loser has the better cell already, the cell is dead or
//! his, and to play there is to pass. Carriers are kept in a table of fixed size; what was
//! overwritten prunes nothing.

use super::Set;
use tesuji_core::Player;

/// Positions that fit.
const PLACES: usize = 1 << 17;
/// Tells the half connections of an open position from the carrier of a solved one.
const OPEN: u64 = 0x5bd1_e995_7b93_a1c3;

#[derive(Clone, Copy, Default)]
struct Reason {
    key: u64,
    carrier: Set,
}

/// The table. Nothing is allocated before the first entry.
pub(super) struct Reasons {
    table: Vec<Reason>,
    places: usize,
}

impl Default for Reasons {
    fn default() -> Reasons {
        Reasons { table: Vec::new(), places: PLACES }
    }
}

impl Reasons {
    /// The most bytes a table takes.
    pub(super) const MOST_BYTES: u64 = (PLACES * size_of::<Reason>()) as u64;

    /// An empty table of at most so many bytes.
    pub(super) fn within(bytes: u64) -> Reasons {
        Reasons { table: Vec::new(), places: (bytes.min(Self::MOST_BYTES) as usize) / size_of::<Reason>() }
    }

    /// Whether it has as many places.
    pub(super) fn is_like(&self, other: &Reasons) -> bool {
        self.places == other.places
    }

    /// An empty table of the same size.
    pub(super) fn fork(&self) -> Reasons {
        Reasons { table: Vec::new(), places: self.places }
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
            self.table = vec![Reason::default(); self.places];
        }
        self.table[key as usize % self.places] = Reason { key, carrier };
    }

    fn get(&self, key: u64) -> Option<Set> {
        let place = key as usize % self.places.max(1);
        self.table.get(place).filter(|reason| reason.key == key).map(|reason| reason.carrier)
    }

    /// The position with this hash is won by `winner`, within `carrier`.
    pub(super) fn won(&mut self, hash: u64, winner: Player, carrier: Set) {
        self.put(Reasons::key(hash, winner), carrier);
    }

    /// The cells that `winner` needs, if it is known that he wins.
    pub(super) fn carrier(&self, hash: u64, winner: Player) -> Option<Set> {
        self.get(Reasons::key(hash, winner))
    }

    /// The mover of the position with this hash looked at some moves only, because of connections
    /// with these carriers.
    pub(super) fn open(&mut self, hash: u64, carriers: Set) {
        self.put(hash ^ OPEN, carriers);
    }

    /// These carriers.
    pub(super) fn half(&self, hash: u64) -> Option<Set> {
        self.get(hash ^ OPEN)
    }
}
