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
