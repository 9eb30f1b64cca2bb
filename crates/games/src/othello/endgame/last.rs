//! The last empty squares, unrolled: most positions of an endgame search are here, so nothing
//! unnecessary is computed.
//!
//! With one square left the number of flipped discs suffices: with the board otherwise full, every
//! disc that is not own is the opponent's, and a table by line gives the number for both directions
//! at once.

use super::{EndgameSearch, NEIGHBOURS, bit};
use crate::othello::bits::flips;

/// Discs flipped by a disc at a place of a line of eight, by the own discs of the line, all others
/// being opposing.
static TURNED: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut own = 0;
        while own < 256 {
            let mut count = 0;
            let mut at = place + 1;
            while at < 8 && own >> at & 1 == 0 {
                at += 1;
            }
            if at < 8 {
                count += at - place - 1;
            }
            let mut below = 1;
            while below <= place && own >> (place - below) & 1 == 0 {
                below += 1;
            }
            if below <= place {
                count += below - 1;
            }
            table[place][own] = count as u8;
            own += 1;
        }
        place += 1;
    }
    table
};

/// The two diagonals through each square, without it: falling (step 9), rising (step 7).
static DIAGONALS: [[u64; 2]; 64] = {
    let mut table = [[0; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let mut other = 0;
        while other < 64 {
            let (down, right) = (other / 8 - square / 8, other % 8 - square % 8);
            if other != square && down == right {
                table[square as usize][0] |= 1 << other;
            }
            if other != square && down == -right {
                table[square as usize][1] |= 1 << other;
            }
            other += 1;
        }
        square += 1;
    }
    table
};

const FILE: u64 = 0x0101_0101_0101_0101;
/// Gathers the bits of a column (at 0, 8, 16, …) in the highest byte.
const GATHER: u64 = 0x0102_0408_1020_4080;

/// The number of discs that the last disc, on `square`, flips for the owner of `own`; all other
/// discs are the opponent's.
#[inline(always)]
pub(super) fn last_turned(own: u64, square: u32) -> i32 {
    let (column, row) = ((square & 7) as usize, (square >> 3 & 7) as usize);
    let diagonals = &DIAGONALS[(square & 63) as usize];
    let along_row = TURNED[column][(own >> (8 * row) & 0xff) as usize];
    let along_column = TURNED[row][((own >> column & FILE).wrapping_mul(GATHER) >> 56) as usize];
    let falling = TURNED[column][((own & diagonals[0]).wrapping_mul(FILE) >> 56) as usize];
    let rising = TURNED[column][((own & diagonals[1]).wrapping_mul(FILE) >> 56) as usize];
    i32::from(along_row) + i32::from(along_column) + i32::from(falling) + i32::from(rising)
}

impl EndgameSearch<'_> {
    /// The margin with one empty square left, for the mover.
    #[inline(always)]
    fn one(&mut self, own: u64, other: u64, last: u32) -> i32 {
        self.nodes += 1;
        let turned = last_turned(own, last);
        let mine = own.count_ones() as i32;
        if turned != 0 {
            return 2 * (mine + turned + 1) - self.cells;
        }
        let turned = last_turned(other, last);
        if turned != 0 {
            // The mover passes and the opponent fills the board.
            return 2 * (mine - turned) - self.cells;
        }
        self.finished(own, other)
    }

    #[inline(always)]
    fn two(&mut self, own: u64, other: u64, alpha: i32, beta: i32, [a, b]: [u32; 2]) -> i32 {
        self.nodes += 1;
        let mut best = i32::MIN;
        if NEIGHBOURS[a as usize & 63] & other != 0 {
            let turned = flips(own, other, a);
            if turned != 0 {
                best = -self.one(other & !turned, own | turned | bit(a), b);
                if best >= beta {
                    return best;
                }
            }
        }
        if NEIGHBOURS[b as usize & 63] & other != 0 {
            let turned = flips(own, other, b);
            if turned != 0 {
                return best.max(-self.one(other & !turned, own | turned | bit(b), a));
            }
        }
        if best != i32::MIN {
            return best;
        }
        // The mover passes: the opponent's best is the mover's minimum.
        let mut least = i32::MAX;
        let turned = flips(other, own, a);
        if turned != 0 {
            least = self.one(own & !turned, other | turned | bit(a), b);
            if least <= alpha {
                return least;
            }
        }
        let turned = flips(other, own, b);
        if turned != 0 {
            least = least.min(self.one(own & !turned, other | turned | bit(b), a));
        }
        if least == i32::MAX { self.finished(own, other) } else { least }
    }

    fn three(&mut self, own: u64, other: u64, mut alpha: i32, beta: i32, squares: [u32; 3], passed: bool) -> i32 {
        self.nodes += u64::from(!passed);
        let [a, b, c] = squares;
        let mut best = i32::MIN;
        for (square, rest) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
            if NEIGHBOURS[square as usize & 63] & other == 0 {
                continue;
            }
            let turned = flips(own, other, square);
            if turned != 0 {
                let value = -self.two(other & !turned, own | turned | bit(square), -beta, -alpha, rest);
                if value >= beta {
                    return value;
                }
                best = best.max(value);
                alpha = alpha.max(value);
            }
        }
        if best != i32::MIN {
            return best;
        }
        if passed { -self.finished(other, own) } else { -self.three(other, own, -beta, -alpha, squares, true) }
    }

    /// Four empty squares, the most promising first.
    pub(super) fn four(
        &mut self,
        own: u64,
        other: u64,
        mut alpha: i32,
        beta: i32,
        squares: [u32; 4],
        passed: bool,
    ) -> i32 {
        self.nodes += u64::from(!passed);
        let [a, b, c, d] = squares;
        let mut best = i32::MIN;
        for (square, rest) in [(a, [b, c, d]), (b, [a, c, d]), (c, [a, b, d]), (d, [a, b, c])] {
            if NEIGHBOURS[square as usize & 63] & other == 0 {
                continue;
            }
            let turned = flips(own, other, square);
            if turned != 0 {
                let value = -self.three(other & !turned, own | turned | bit(square), -beta, -alpha, rest, false);
                if value >= beta {
                    return value;
                }
                best = best.max(value);
                alpha = alpha.max(value);
            }
        }
        if best != i32::MIN {
            return best;
        }
        if passed { -self.finished(other, own) } else { -self.four(other, own, -beta, -alpha, squares, true) }
    }

    /// Exactly `empty.count_ones()` (one to four) squares left; odd quarters of the board first.
    pub(super) fn few(&mut self, own: u64, other: u64, alpha: i32, beta: i32, empty: u64, odd: u64) -> i32 {
        let mut squares = [0; 4];
        let mut count = 0;
        for mut group in [empty & odd, empty & !odd] {
            while group != 0 {
                squares[count & 3] = group.trailing_zeros();
                count += 1;
                group &= group - 1;
            }
        }
        let [a, b, c, d] = squares;
        match count {
            4 => self.four(own, other, alpha, beta, [a, b, c, d], false),
            3 => self.three(own, other, alpha, beta, [a, b, c], false),
            2 => self.two(own, other, alpha, beta, [a, b]),
            1 => self.one(own, other, a),
            _ => self.finished(own, other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::last_turned;
    use crate::othello::bits::flips;
    use tesuji_core::{Rng, Seed};

    #[test]
    fn the_last_disc_turns_over_what_flips_say() {
        let mut rng = Rng::new(Seed(1));
        for _ in 0..20_000 {
            let discs = if rng.below(2) == 0 { rng.next_u64() } else { rng.next_u64() & rng.next_u64() };
            let square = rng.below(64);
            let own = discs & !(1 << square);
            let other = !discs & !(1 << square);
            assert_eq!(last_turned(own, square), flips(own, other, square).count_ones() as i32, "{own:x} {square}");
        }
    }
}
