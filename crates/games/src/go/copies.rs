//! Copies of a board: only the part that its size uses is copied and compared.

use super::board::{Board, Scalars};
use super::layout::{COLOUR, MAX_SIZE, Slot};

impl Board {
    /// The number of entries of the arrays of points and of empty points that this size uses.
    fn used(&self) -> (usize, usize) {
        let size = (self.state.size as usize).min(MAX_SIZE);
        ((size + 2) * (size + 1) + 1, size * size)
    }

    /// A compact copy, to return to.
    #[must_use]
    pub(super) fn save(&self) -> SavedBoard {
        let (points, area) = self.used();
        SavedBoard {
            slots: self.slots.0[..points].into(),
            liberties: self.liberties.0[..points].into(),
            empties: self.empties.0[..area].into(),
            state: self.state,
        }
    }

    /// Overwrites a saved board.
    pub(super) fn save_into(&self, saved: &mut SavedBoard) {
        let (points, area) = self.used();
        if (saved.slots.len(), saved.empties.len()) != (points, area) {
            *saved = self.save();
            return;
        }
        saved.slots.copy_from_slice(&self.slots.0[..points]);
        saved.liberties.copy_from_slice(&self.liberties.0[..points]);
        saved.empties.copy_from_slice(&self.empties.0[..area]);
        saved.state = self.state;
    }

    /// Returns to a saved board of the same size.
    pub(super) fn restore(&mut self, saved: &SavedBoard) {
        self.slots.0[..saved.slots.len()].copy_from_slice(&saved.slots);
        self.liberties.0[..saved.liberties.len()].copy_from_slice(&saved.liberties);
        self.empties.0[..saved.empties.len()].copy_from_slice(&saved.empties);
        self.state = saved.state;
    }
}

/// The part of a board that its size uses.
#[derive(Clone, Debug)]
pub(super) struct SavedBoard {
    slots: Box<[Slot]>,
    liberties: Box<[u64]>,
    empties: Box<[u16]>,
    state: Scalars,
}

impl Clone for Board {
    #[inline(always)]
    fn clone(&self) -> Board {
        Board { slots: self.slots, liberties: self.liberties, empties: self.empties, state: self.state }
    }

    /// Copies only what the size uses: about 2 kB at size 9, 7.5 kB at size 19.
    #[inline]
    fn clone_from(&mut self, source: &Board) {
        if self.state.size != source.state.size {
            *self = source.clone();
            return;
        }
        let (points, area) = source.used();
        self.slots.0[..points].copy_from_slice(&source.slots.0[..points]);
        self.liberties.0[..points].copy_from_slice(&source.liberties.0[..points]);
        self.empties.0[..area].copy_from_slice(&source.empties.0[..area]);
        self.state = source.state;
    }
}

/// Boards are equal if they have the same stones and the same ko point.
impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        let (points, _) = self.used();
        self.state.size == other.state.size
            && self.state.hash == other.state.hash
            && self.state.ko == other.state.ko
            && self.slots.0[..points]
                .iter()
                .zip(&other.slots.0[..points])
                .all(|(a, b)| (a.label ^ b.label) & COLOUR == 0)
    }
}

impl Eq for Board {}
