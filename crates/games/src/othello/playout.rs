//! Random playouts: a portable loop, and one for processors with AVX2.
//!
//! Both draw the same random numbers and choose the same squares, so a seed gives the same games on
//! every machine; a test compares them. The wide one holds each board four times, once for each
//! line (horizontal, vertical, both diagonals), in one register, and processes all lines at once:
//! the formulas are those of `bits.rs`, except that the first square of a ray towards lower bits is
//! found by smearing, as there is no leading-zero count for four words.
//!
//! Measured on one core (AMD EPYC, best of three alternating runs under load): 8×8 from 467,000 to
//! 603,000 playouts a second, 6×6 from 646,000 to 1,142,000.

use super::{Move, Othello, bits};
use crate::select::select;
use tesuji_core::{Outcome, Player, Rng, Trace};

/// Plays to the end with the best loop for the processor.
#[inline]
pub(super) fn playout<T: Trace<Othello>>(position: &Othello, rng: &mut Rng, trace: &mut T) -> Outcome {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2")
        && std::arch::is_x86_feature_detected!("bmi2")
        && std::arch::is_x86_feature_detected!("popcnt")
    {
        // SAFETY: the processor has the three features that the function is compiled for, as just
        // tested; that is its only requirement.
        #[allow(unsafe_code)]
        return unsafe { wide::playout(position, rng, trace) };
    }
    portable(position, rng, trace)
}

/// Plays to the end on any machine.
#[inline]
fn portable<T: Trace<Othello>>(position: &Othello, rng: &mut Rng, trace: &mut T) -> Outcome {
    let board = position.board();
    let mut player = position.turn;
    let (mut own, mut other) = (position.discs[player.index()], position.discs[player.other().index()]);
    let mut placements = position.placements;
    loop {
        if placements == 0 {
            placements = bits::placements(other, own, board);
            if placements == 0 {
                return position.count(if player == Player::First { [own, other] } else { [other, own] });
            }
            trace.played(player, Move::PASS);
            (own, other) = (other, own);
            player = player.other();
        }
        let square = select(placements, rng.below(placements.count_ones()));
        trace.played(player, Move(square as u8));
        let turned = bits::flips(own, other, square);
        (own, other) = (other & !turned, own | turned | 1 << square);
        player = player.other();
        placements = bits::placements(own, other, board);
    }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use super::super::{Move, Othello, bits};
    use std::arch::x86_64::*;
    use tesuji_core::{Outcome, Player, Rng, Trace};

    /// Plays to the end.
    #[target_feature(enable = "avx2,bmi2,popcnt")]
    pub(super) fn playout<T: Trace<Othello>>(position: &Othello, rng: &mut Rng, trace: &mut T) -> Outcome {
        let board = position.board();
        let mut player = position.turn;
        let mut own = spread(position.discs[player.index()]);
        let mut other = spread(position.discs[player.other().index()]);
        let mut placements = position.placements;
        loop {
            if placements == 0 {
                placements = placements_of(other, own, board);
                if placements == 0 {
                    let discs = [first(own), first(other)];
                    return position.count(if player == Player::First { discs } else { [discs[1], discs[0]] });
                }
                trace.played(player, Move::PASS);
                (own, other) = (other, own);
                player = player.other();
            }
            let rank = rng.below(placements.count_ones());
            let disc = _pdep_u64(1 << rank, placements);
            let square = disc.trailing_zeros();
            trace.played(player, Move(square as u8));
            let turned = flips(own, other, square);
            let kept = _mm256_andnot_si256(turned, other);
            (own, other) = (kept, _mm256_or_si256(own, _mm256_or_si256(turned, spread(disc))));
            player = player.other();
            placements = placements_of(own, other, board);
        }
    }

    /// The same word four times.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn spread(word: u64) -> __m256i {
        _mm256_set1_epi64x(word.cast_signed())
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn words([a, b, c, d]: [u64; 4]) -> __m256i {
        _mm256_set_epi64x(d.cast_signed(), c.cast_signed(), b.cast_signed(), a.cast_signed())
    }

    /// The first word.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn first(lanes: __m256i) -> u64 {
        _mm_cvtsi128_si64(_mm256_castsi256_si128(lanes)).cast_unsigned()
    }

    /// The union of the four words, four times.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn union(lanes: __m256i) -> __m256i {
        let halves = _mm256_or_si256(lanes, _mm256_permute4x64_epi64::<0b01_00_11_10>(lanes));
        _mm256_or_si256(halves, _mm256_shuffle_epi32::<0b01_00_11_10>(halves))
    }

    /// Distances between neighbours along the four lines, once, twice and four times.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn steps(times: u64) -> __m256i {
        words([times, 7 * times, 8 * times, 9 * times])
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn placements_of(own: __m256i, other: __m256i, board: u64) -> u64 {
        const INNER: u64 = bits::INNER_COLUMNS;
        let (one, two) = (steps(1), steps(2));
        let through = _mm256_and_si256(other, words([INNER, INNER, u64::MAX, INNER]));
        let mut up = _mm256_and_si256(through, _mm256_sllv_epi64(own, one));
        let mut down = _mm256_and_si256(through, _mm256_srlv_epi64(own, one));
        up = _mm256_or_si256(up, _mm256_and_si256(through, _mm256_sllv_epi64(up, one)));
        down = _mm256_or_si256(down, _mm256_and_si256(through, _mm256_srlv_epi64(down, one)));
        let pairs_up = _mm256_and_si256(through, _mm256_sllv_epi64(through, one));
        let pairs_down = _mm256_srlv_epi64(pairs_up, one);
        for _ in 0..2 {
            up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, two)));
            down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, two)));
        }
        let found = _mm256_or_si256(_mm256_sllv_epi64(up, one), _mm256_srlv_epi64(down, one));
        let empty = _mm256_andnot_si256(_mm256_or_si256(own, other), spread(board));
        first(_mm256_and_si256(union(found), empty))
    }

    /// The discs that turn over, four times.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn flips(own: __m256i, other: __m256i, square: u32) -> __m256i {
        let [a, b, c, d, e, f, g, h] = bits::RAYS[(square & 63) as usize];
        let (zero, ones) = (_mm256_setzero_si256(), _mm256_set1_epi64x(-1));
        // Towards higher bits: the carry finds the first square that is not opposing.
        let ray = words([a, b, c, d]);
        let carried = _mm256_sub_epi64(_mm256_or_si256(other, _mm256_xor_si256(ray, ones)), ones);
        let outflank = _mm256_and_si256(_mm256_and_si256(carried, own), ray);
        let below = _mm256_sub_epi64(_mm256_add_epi64(outflank, ones), _mm256_cmpeq_epi64(outflank, zero));
        let up = _mm256_and_si256(below, ray);
        // Towards lower bits: all squares behind a square that is not opposing are cleared, which
        // leaves the first.
        let ray = words([e, f, g, h]);
        let stops = _mm256_andnot_si256(other, ray);
        let mut behind = _mm256_srlv_epi64(stops, steps(1));
        behind = _mm256_or_si256(behind, _mm256_srlv_epi64(behind, steps(1)));
        behind = _mm256_or_si256(behind, _mm256_srlv_epi64(behind, steps(2)));
        behind = _mm256_or_si256(behind, _mm256_srlv_epi64(behind, steps(4)));
        let outflank = _mm256_and_si256(_mm256_andnot_si256(behind, stops), own);
        let above = _mm256_sub_epi64(zero, _mm256_add_epi64(outflank, outflank));
        let down = _mm256_and_si256(above, ray);
        union(_mm256_or_si256(up, down))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Empties, Othello};
    use super::{playout, portable};
    use tesuji_core::{RecordMoves, Rng, Seed};

    #[test]
    fn every_machine_plays_the_same_games() {
        for size in [4, 6, 8] {
            let start = Othello::new(size, Empties::Winner).expect("a board");
            let (mut one, mut two) = (Rng::new(Seed(1)), Rng::new(Seed(1)));
            for _ in 0..2_000 {
                let (mut fast, mut plain) = (RecordMoves::default(), RecordMoves::default());
                let outcomes = (playout(&start, &mut one, &mut fast), portable(&start, &mut two, &mut plain));
                assert_eq!(outcomes.0, outcomes.1);
                assert_eq!(fast, plain);
            }
            assert_eq!(one, two);
        }
    }
}
