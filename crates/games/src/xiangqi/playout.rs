//! Drawing a random legal move without listing the moves.
//!
//! On an empty board the piece of slot *i* could reach wᵢ points: 17 for a rook or cannon on any
//! point, and a number from a table for the others. The board stores the wᵢ as bytes. One of the
//! Σwᵢ (piece, point) pairs is drawn; if that is not a legal move, another is drawn. Every legal
//! move is exactly one of the pairs, so all are equally likely; at the start half of the pairs are
//! legal (44 of 88), and in endgames more. Only the drawn move is tested for the safety of the
//! general.
//!
//! The pair of a number follows from the prefix sums of the bytes, all at once: bytes × 0x0101…01
//! has the sums of the first 1, 2, … 8 bytes in its bytes, and one subtraction compares them all
//! with the number (all are below 128).
//!
//! After [`TRIES`] rejections in a row (in check, or without any legal move) the moves are listed.

use super::board::{Board, EMPTY, PieceKind, STEPS, kind_of, place, point_at, side_of};
use std::ops::ControlFlow;
use tesuji_core::Rng;

const ONES: u64 = 0x0101_0101_0101_0101;
const TOPS: u64 = 0x8080_8080_8080_8080;
/// Draws before the moves are listed.
const TRIES: u32 = 48;
/// An upper bound of the number of moves: a side reaches at most 116 points.
const MOST_MOVES: usize = 128;

impl Board {
    /// A legal move, drawn uniformly; `None` if there is none.
    #[inline]
    pub(super) fn draw(&self, checked: bool, rng: &mut Rng) -> Option<(u8, u8)> {
        let half = usize::from(self.side & 1) * 2;
        let sums = [self.weights[half].wrapping_mul(ONES), self.weights[half + 1].wrapping_mul(ONES)];
        let low = sums[0] >> 56;
        let total = (low + (sums[1] >> 56)) as u32;
        for _ in 0..TRIES {
            let ticket = u64::from(rng.below(total));
            let upper = ticket >= low;
            let (ticket, sum) = if upper { (ticket - low, sums[1]) } else { (ticket, sums[0]) };
            let beyond = ((sum | TOPS) - (ticket + 1) * ONES) & TOPS;
            let index = beyond.trailing_zeros() / 8;
            let number = (ticket - ((sum << 8) >> (8 * index) & 0xff)) as u8;
            let slot = 16 * self.side + 8 * u8::from(upper) + index as u8;
            let from = self.point(slot);
            if let Some(to) = self.numbered_target(slot, from, number)
                && self.is_safe(from, to, checked)
            {
                return Some((from, to));
            }
        }
        self.draw_from_list(checked, rng)
    }

    /// The pseudo-legal target that a number below the slot's weight denotes, if there is one.
    #[inline]
    fn numbered_target(&self, slot: u8, from: u8, number: u8) -> Option<u8> {
        let kind = kind_of(slot);
        if kind == PieceKind::Rook || kind == PieceKind::Cannon {
            let (file, rank) = place(from);
            let to = if number < 8 {
                point_at(number + u8::from(number >= file), rank)
            } else {
                point_at(file, number - 8 + u8::from(number - 8 >= rank))
            };
            let prey = self.at(to);
            let screens = u32::from(kind == PieceKind::Cannon && prey != EMPTY);
            return (side_of(prey) != self.side && self.sees(from, to, screens)).then_some(to);
        }
        let table = &STEPS[usize::from(self.side & 1)][kind as usize];
        let (from, number) = (usize::from(from & 127), usize::from(number & 7));
        let to = table.to[from][number];
        (side_of(self.at(to)) != self.side && self.at(table.via[from][number]) == EMPTY).then_some(to)
    }

    #[cold]
    fn draw_from_list(&self, checked: bool, rng: &mut Rng) -> Option<(u8, u8)> {
        let (mut moves, mut count) = ([(0, 0); MOST_MOVES], 0);
        let _ = self.visit_legal::<()>(checked, |from, to| {
            moves[count] = (from, to);
            count += 1;
            ControlFlow::Continue(())
        });
        (count > 0).then(|| moves[rng.below(count as u32) as usize])
    }
}
