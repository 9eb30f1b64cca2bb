//! The sum of rewards that one iteration found.

/// Rewards of the playouts of an iteration, in score units of the first player.
#[derive(Clone, Copy, Default)]
pub(crate) struct Estimate {
    pub(crate) units: i64,
    pub(crate) squares: u64,
    pub(crate) count: u32,
    /// Whether something at the end of the path has just been proved.
    pub(crate) proved: bool,
}

impl Estimate {
    pub(crate) fn merge(&mut self, other: Estimate) {
        self.units += other.units;
        self.squares = self.squares.saturating_add(other.squares);
        self.count += other.count;
        self.proved |= other.proved;
    }

    /// Whether the iteration was cut off before it found anything.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0 && !self.proved
    }

    pub(crate) fn single(units: i64) -> Estimate {
        // The square of the largest reward fits into 64 bits.
        Estimate { units, squares: units.unsigned_abs() * units.unsigned_abs(), count: 1, proved: false }
    }
}

#[cfg(test)]
mod tests {
    use super::Estimate;
    use tesuji_core::Score;

    /// Zhang 2019, Fig. 5-5: children with equal visits and winning rates 0.5, 0.5, 0.5 (tree a) or
    /// 0.3, 0.3, 0.9 (tree b; the text gives the 0.9) give their parent the same mean.
    #[test]
    fn figure_5_5() {
        let mean = |rates: [i64; 3]| {
            let mut sum = Estimate::default();
            for win in rates.into_iter().flat_map(|wins| (0..10).map(move |playout| playout < wins)) {
                sum.merge(Estimate::single(i64::from(win) * i64::from(Score::UNITS)));
            }
            sum.units as f64 / f64::from(sum.count) / f64::from(Score::UNITS)
        };
        assert_eq!((mean([5, 5, 5]), mean([3, 3, 9])), (0.5, 0.5));
    }
}
