//! All-moves-as-first statistics of a node: the playouts in which the parent's mover played the
//! node's move at any later time.
//!
//! One word, so that counting a playout is one addition: the number of playouts in the low bits,
//! the sum of their rewards above. The word is full at two million playouts, when these statistics
//! no longer influence selection.

use bytemuck::Zeroable;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tesuji_core::{Player, Score};

/// Count and sum of rewards in one word.
#[derive(Zeroable, Default)]
#[repr(transparent)]
pub(crate) struct Amaf(AtomicU64);

/// Bits of the count.
const COUNT_BITS: u32 = 21;
/// Added to every reward so that sums stay positive; rewards are clamped to ±OFFSET.
const OFFSET: i64 = 1 << 20;

impl Amaf {
    pub(crate) fn clear(&self) {
        self.0.store(0, Relaxed);
    }

    pub(crate) fn copy_from(&self, other: &Amaf) {
        self.0.store(other.0.load(Relaxed), Relaxed);
    }

    /// Adds the few playouts that another word has counted.
    pub(crate) fn add_all(&self, other: &Amaf) {
        let word = other.0.load(Relaxed);
        if word != 0 && !self.is_full() {
            self.0.fetch_add(word, Relaxed);
        }
    }

    /// Whether the count is near its limit. The margin covers what every thread may be about to
    /// add.
    #[inline]
    fn is_full(&self) -> bool {
        self.0.load(Relaxed) & ((1 << COUNT_BITS) - 1) >= (1 << COUNT_BITS) - (1 << 16)
    }

    #[inline]
    fn split(&self) -> (i64, u32) {
        let word = self.0.load(Relaxed);
        let count = word & ((1 << COUNT_BITS) - 1);
        ((word >> COUNT_BITS) as i64 - OFFSET * count as i64, count as u32)
    }

    pub(crate) fn visits(&self) -> u32 {
        self.split().1
    }

    /// The mean reward of `player`.
    pub(crate) fn mean_for(&self, player: Player) -> f64 {
        let (won, visits) = self.record(player);
        won / visits
    }

    /// The sum of `player`'s rewards, in games, and the number of playouts.
    #[inline]
    pub(crate) fn record(&self, player: Player) -> (f64, f64) {
        let (units, count) = self.split();
        let (sum, visits) = (units as f64 * (1.0 / Score::UNITS as f64), f64::from(count));
        (if player == Player::First { sum } else { visits - sum }, visits)
    }

    /// Counts one playout. If two threads count at the same moment, one of the two updates may be
    /// lost as a whole. A playout updates half the moves of the board, and atomic additions would
    /// cost more than the playout.
    #[inline]
    pub(crate) fn add(&self, units: i64) {
        if self.is_full() {
            return;
        }
        let word = self.0.load(Relaxed);
        let one = ((units.clamp(-OFFSET, OFFSET) + OFFSET) as u64) << COUNT_BITS | 1;
        self.0.store(word + one, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::{Amaf, COUNT_BITS};
    use tesuji_core::{Player, Score};

    #[test]
    fn one_word_counts_and_sums() {
        let (amaf, unit) = (Amaf::default(), i64::from(Score::UNITS));
        for reward in [unit, 0, unit / 2, -3 * unit, 5 * unit] {
            amaf.add(reward);
        }
        assert_eq!(amaf.split(), (3 * unit + unit / 2, 5));
        assert!((amaf.mean_for(Player::First) - 0.7).abs() < 1e-12);
        assert!((amaf.mean_for(Player::Second) - 0.3).abs() < 1e-12);
        let full = Amaf::default();
        for _ in 0..1 << COUNT_BITS {
            full.add(unit);
        }
        let (units, count) = full.split();
        assert_eq!(units, i64::from(count) * unit);
        assert!(count > 2_000_000);
    }
}
