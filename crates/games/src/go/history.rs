//! Past boards, for superko.
//!
//! **Idea.** Past boards are 64-bit hashes: the older ones in a list shared by all copies of a
//! position, the newest in a short array inside the position. A copy costs a reference count and a
//! few hundred bytes.
//!
//! A move can repeat a board only if a stone of its colour stood on the same point before and was
//! captured: one bit per point and colour records this, and most moves need no look-up. (Suicide
//! leaves no stone and is always looked up.) A look-up reads the past boards only if the bit that the
//! hash chooses in a small filter is set: a board that never occurred has a clear one four times in five
//! after a hundred moves.

use super::layout::{Point, SLOTS};
use crate::bit_set::BitSet;
use std::sync::Arc;
use tesuji_core::Player;

const TAIL: usize = 16;
const WORDS: usize = SLOTS / 64;
/// Bits of the filter.
const FILTER: usize = 512;

/// Past boards of one game.
#[derive(Debug)]
pub(super) struct History {
    /// Points where stones of each colour were captured.
    vacated: [BitSet<WORDS>; 2],
    older: Arc<Vec<u64>>,
    tail: [u64; TAIL],
    tail_length: usize,
    /// A bit for each past board, chosen by its hash.
    filter: BitSet<{ FILTER / 64 }>,
    /// Lists that this position owned exclusively before it became a copy of another. Reusing them
    /// avoids allocation in searches that play and return.
    spare: Vec<Arc<Vec<u64>>>,
}

impl Clone for History {
    fn clone(&self) -> History {
        History { older: self.older.clone(), spare: Vec::new(), ..*self }
    }

    #[inline]
    fn clone_from(&mut self, source: &History) {
        if !Arc::ptr_eq(&self.older, &source.older) {
            let own = std::mem::replace(&mut self.older, source.older.clone());
            if Arc::strong_count(&own) == 1 {
                self.spare.push(own);
            }
        }
        self.vacated = source.vacated;
        self.tail = source.tail;
        self.tail_length = source.tail_length;
        self.filter = source.filter;
    }
}

impl History {
    /// A game that begins with this board.
    pub(super) fn beginning_with(hash: u64) -> History {
        let mut history = History {
            vacated: [BitSet::EMPTY; 2],
            older: Arc::new(Vec::new()),
            tail: [0; TAIL],
            tail_length: 0,
            filter: BitSet::EMPTY,
            spare: Vec::new(),
        };
        history.push(hash);
        history
    }

    /// Appends a board.
    pub(super) fn push(&mut self, hash: u64) {
        if self.tail_length == TAIL {
            let tail = self.tail;
            self.own().extend_from_slice(&tail);
            self.tail_length = 0;
        }
        self.tail[self.tail_length] = hash;
        self.tail_length += 1;
        self.filter.insert(hash as usize % FILTER);
    }

    /// The older boards, in a list that only this position owns.
    fn own(&mut self) -> &mut Vec<u64> {
        if Arc::get_mut(&mut self.older).is_none()
            && let Some(mut spare) = self.spare.pop()
            && let Some(list) = Arc::get_mut(&mut spare)
        {
            list.clone_from(&self.older);
            self.older = spare;
        }
        Arc::make_mut(&mut self.older)
    }

    /// Records that a stone of this player was captured here.
    pub(super) fn vacate(&mut self, player: Player, point: Point) {
        self.vacated[player.index()].insert(point.index());
    }

    /// Whether a stone of this player was ever captured here.
    pub(super) fn was_vacated(&self, player: Player, point: Point) -> bool {
        self.vacated[player.index()].contains(point.index())
    }

    /// Whether the board occurred before. Newest first. O(moves so far).
    pub(super) fn contains(&self, hash: u64) -> bool {
        self.filter.contains(hash as usize % FILTER)
            && (self.tail[..self.tail_length].contains(&hash) || self.older.contains(&hash))
    }
}

#[cfg(test)]
mod tests {
    use super::History;

    #[test]
    fn copies_share_the_past_but_not_the_future() {
        let mut trunk = History::beginning_with(1);
        for hash in 2..100 {
            trunk.push(hash);
        }
        let mut branch = trunk.clone();
        for hash in 100..150 {
            trunk.push(hash);
            branch.push(hash + 1_000);
        }
        assert!((1..150).all(|hash| trunk.contains(hash)) && !trunk.contains(1_100));
        assert!((1..100).chain(1_100..1_150).all(|hash| branch.contains(hash)) && !branch.contains(100));
        // Back to the trunk and on again, in the list that the branch had.
        for round in 1..4 {
            let base = 10_000 + round * 1_000;
            branch.clone_from(&trunk);
            assert!((1..150).all(|hash| branch.contains(hash)) && !branch.contains(1_100));
            for hash in base..base + 50 {
                branch.push(hash);
            }
            assert!((1..150).chain(base..base + 50).all(|hash| branch.contains(hash)));
            assert!(!branch.contains(base - 1_000 + 7) && !trunk.contains(base));
        }
    }
}
