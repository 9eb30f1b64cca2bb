//! Othello on bitboards: legal squares and flipped discs.
//!
//! Bit 8·row + column is a square, a1 (top left) is bit 0. A smaller board lies in the top left
//! corner: squares off it never hold a disc, so no line of discs crosses them, and the code for 8×8
//! serves every size as long as callers only pass squares of the board.
//!
//! **Moves** are found by parallel-prefix fill (Kogge & Stone 1973, as used in chess programs): for
//! each direction the runs of opposing discs next to own ones are followed in steps of 1, 1, 2 and
//! 2 squares (a run has at most six discs), and the squares behind them are the moves.
//!
//! **Flips** along a ray *M* from the square, towards higher bits (as sliding attacks in chess by
//! carry propagation): with the squares off the ray set, adding one carries through the opposing
//! discs to the first other square,
//!
//! > outflank = ((O | ¬M) + 1) & P & M,  flips = (outflank − [outflank ≠ 0]) & M
//!
//! and towards lower bits the first other square is the highest bit of M & ¬O, flips = −2·outflank
//! & M.

/// Rays from each square: the four that lead to higher bits (east, south-west, south, south-east),
/// then their opposites.
pub(super) static RAYS: [[u64; 8]; 64] = {
    const STEPS: [(i32, i32); 8] = [(0, 1), (1, -1), (1, 0), (1, 1), (0, -1), (-1, 1), (-1, 0), (-1, -1)];
    let mut rays = [[0; 8]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            let (down, right) = STEPS[direction];
            let (mut row, mut column) = (square / 8 + down, square % 8 + right);
            while row >= 0 && row < 8 && column >= 0 && column < 8 {
                rays[square as usize][direction] |= 1 << (row * 8 + column);
                row += down;
                column += right;
            }
            direction += 1;
        }
        square += 1;
    }
    rays
};

/// Opposing discs that a horizontal or diagonal line can cross: not those at the left and right
/// edge.
pub(super) const INNER_COLUMNS: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// The squares, empty or not, that close a line of `other` discs begun by an `own` one.
#[inline(always)]
pub(super) const fn outflanking(own: u64, other: u64) -> u64 {
    let inner = other & INNER_COLUMNS;
    outflanking_along(own, inner, 1)
        | outflanking_along(own, inner, 7)
        | outflanking_along(own, other, 8)
        | outflanking_along(own, inner, 9)
}

/// Both directions of one line; `step` is the distance between neighbours.
#[inline(always)]
const fn outflanking_along(own: u64, other: u64, step: u32) -> u64 {
    let mut up = other & (own << step);
    let mut down = other & (own >> step);
    up |= other & (up << step);
    down |= other & (down >> step);
    let pairs_up = other & (other << step);
    let pairs_down = pairs_up >> step;
    up |= pairs_up & (up << (2 * step));
    down |= pairs_down & (down >> (2 * step));
    up |= pairs_up & (up << (2 * step));
    down |= pairs_down & (down >> (2 * step));
    (up << step) | (down >> step)
}

/// The squares of `board` where `own` may place a disc.
#[inline(always)]
pub(super) const fn placements(own: u64, other: u64, board: u64) -> u64 {
    outflanking(own, other) & board & !(own | other)
}

/// Whether there is such a square: line by line, as the first mostly has one.
#[inline(always)]
pub(super) const fn can_place(own: u64, other: u64, board: u64) -> bool {
    let (inner, free) = (other & INNER_COLUMNS, board & !(own | other));
    outflanking_along(own, inner, 1) & free != 0
        || outflanking_along(own, other, 8) & free != 0
        || (outflanking_along(own, inner, 7) | outflanking_along(own, inner, 9)) & free != 0
}

/// The `other` discs that turn over when `own` plays on the empty `square`.
#[inline(always)]
pub(super) const fn flips(own: u64, other: u64, square: u32) -> u64 {
    let rays = &RAYS[(square & 63) as usize];
    let mut turned = 0;
    let mut direction = 0;
    while direction < 4 {
        let ray = rays[direction];
        let outflank = (other | !ray).wrapping_add(1) & own & ray;
        turned |= outflank.wrapping_sub((outflank != 0) as u64) & ray;
        let ray = rays[direction + 4];
        // Bit 0 only matters when it is on the ray and not opposing, and then it is already set.
        let first = (1 << 63) >> ((ray & !other) | 1).leading_zeros();
        let outflank = first & own & ray;
        turned |= (outflank << 1).wrapping_neg() & ray;
        direction += 1;
    }
    turned
}

#[cfg(test)]
mod tests {
    use super::{can_place, flips, placements};
    use tesuji_core::{Rng, Seed};

    /// Flipped discs by walking along each line: the reference.
    fn slow_flips(own: u64, other: u64, square: i32) -> u64 {
        let mut turned = 0;
        for (down, right) in [(0, 1), (1, -1), (1, 0), (1, 1), (0, -1), (-1, 1), (-1, 0), (-1, -1)] {
            let (mut row, mut column, mut run) = (square / 8 + down, square % 8 + right, 0_u64);
            while (0..8).contains(&row) && (0..8).contains(&column) {
                let bit = 1_u64 << (row * 8 + column);
                if own & bit != 0 {
                    turned |= run;
                }
                if other & bit == 0 {
                    break;
                }
                run |= bit;
                row += down;
                column += right;
            }
        }
        turned
    }

    #[test]
    fn flips_and_moves_are_those_of_the_walk() {
        let mut rng = Rng::new(Seed(1));
        for round in 0..20_000 {
            // Boards of every density.
            let filled = match round % 3 {
                0 => rng.next_u64(),
                1 => rng.next_u64() & rng.next_u64(),
                _ => rng.next_u64() | rng.next_u64(),
            };
            let colour = match round % 2 {
                0 => rng.next_u64(),
                _ => rng.next_u64() & rng.next_u64(),
            };
            let (own, other) = (filled & colour, filled & !colour);
            let board = rng.next_u64() | rng.next_u64();
            let mut moves = 0;
            for square in (0..64).filter(|square| filled >> square & 1 == 0) {
                let turned = flips(own, other, square);
                assert_eq!(turned, slow_flips(own, other, square as i32), "{own:x} {other:x} {square}");
                moves |= u64::from(turned != 0) << square;
            }
            assert_eq!(placements(own, other, board), moves & board, "{own:x} {other:x}");
            assert_eq!(can_place(own, other, board), moves & board != 0, "{own:x} {other:x}");
        }
    }
}
