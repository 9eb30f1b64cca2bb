//! Questions about liberties that the sums of chains answer in O(1), without a walk over stones.
//!
//! A chain's word holds count, Σv and Σv² of its pseudo-liberties (`board.rs`): they are one point
//! exactly if count·Σv² = (Σv)². Words of chains that a move would join are added, and what the move
//! itself takes is subtracted.

use super::board::Board;
use super::layout::{CHAIN, EMPTY, Point, SHARES, STONE_SHIFT, stone};
use tesuji_core::Player;

/// Whether all pseudo-liberties of these sums, of which there is one or more, are the same point.
#[inline(always)]
pub(super) const fn is_one_point(word: u64) -> bool {
    let (count, sum, squares) = (word & 0xfff, word >> 12 & 0x1f_ffff, word >> 33);
    (count != 0) & (count * squares == sum * sum)
}

/// The liberty of a chain with these sums, if it is the only one.
#[inline(always)]
pub(super) const fn only_liberty(word: u64) -> Option<usize> {
    // A point is a liberty of at most four stones; 32 bits divide faster.
    if is_one_point(word) { Some(((word >> 12) as u32 & 0x1f_ffff) as usize / (word & 7) as usize) } else { None }
}

impl Board {
    /// The sums of the chain at an index; 0, those of no liberty, where there is no stone.
    #[inline(always)]
    pub(super) fn sums(&self, index: usize) -> u64 {
        self.sums_of(index, 3 << STONE_SHIFT)
    }

    /// The same for stones of some colours only.
    #[inline(always)]
    pub(super) fn sums_of(&self, index: usize, colours: u16) -> u64 {
        let label = self.slots[index].label;
        // An arithmetic mask: a branch would be mispredicted half the time.
        let mask = 0_u64.wrapping_sub(u64::from(label & colours != 0));
        self.liberties[(label & CHAIN) as usize] & mask
    }

    /// Liberties of the new stone's chain, 0, 1 or 2 for more, if it captures nothing.
    pub(super) fn liberties_after(&self, mover: Player, point: Point) -> usize {
        let (own, stride, index) = (stone(mover.index() as u16), self.size() + 1, point.index());
        let around = [index - stride, index - 1, index + 1, index + stride];
        let labels = super::board::at_sides(around, |at| self.slots[at].label);
        let mut sums = 0_u64;
        for side in 0..4 {
            if labels[side] & EMPTY != 0 {
                sums = sums.wrapping_add(SHARES[around[side]]);
            } else if labels[side] & own != 0 {
                // A stone beside the point counts it once as a liberty of its chain.
                sums = sums.wrapping_sub(SHARES[index]);
                if !labels[..side].contains(&labels[side]) {
                    sums = sums.wrapping_add(self.liberties[(labels[side] & CHAIN) as usize]);
                }
            }
        }
        match sums {
            0 => 0,
            sums => 2 - usize::from(is_one_point(sums)),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::go::board::Board;
    use crate::go::layout::Point;
    use crate::go::{Go, GoRules};
    use tesuji_core::{Player, Position, Rng, Seed};

    /// By a walk over the stones of the chains that are joined.
    fn walked(board: &Board, mover: Player, point: Point) -> usize {
        let own = board.neighbours(point).filter(|next| board.stone_at(*next) == Some(mover));
        let mut found: Vec<Point> = own.flat_map(|next| board.liberties(next)).collect();
        found.extend(board.neighbours(point).filter(|next| board.is_empty(*next)));
        found.retain(|next| *next != point);
        found.sort_unstable();
        found.dedup();
        found.len().min(2)
    }

    #[test]
    fn sums_count_as_walks_do() {
        let mut seen = [0_u32; 3];
        for (size, seed) in [(5, 1), (9, 2), (9, 3), (13, 4)] {
            let mut rng = Rng::new(Seed(seed));
            let mut go = Go::new(GoRules { size, ..GoRules::default() }).expect("a board");
            for _ in 0..3 * size * size {
                let Some(mv) = go.playout_move(&mut rng).filter(|_| go.outcome().is_none()) else { break };
                go.play(mv);
                let board = go.board();
                for point in board.points() {
                    let lone =
                        (!board.is_empty(point)).then(|| super::only_liberty(board.sums(point.index()))).flatten();
                    assert_eq!(lone, board.last_liberty(point).map(Point::index), "{point:?}");
                    assert!(!board.is_empty(point) || !super::is_one_point(board.sums(point.index())));
                    for mover in Player::BOTH.into_iter().filter(|_| board.is_empty(point)) {
                        let liberties = board.liberties_after(mover, point);
                        assert_eq!(liberties, walked(board, mover, point), "{mover:?} {point:?} of {board:?}");
                        seen[liberties] += 1;
                    }
                }
            }
        }
        assert!(seen.iter().all(|count| *count > 100), "{seen:?}");
    }
}
