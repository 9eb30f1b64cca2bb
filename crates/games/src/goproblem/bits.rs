//! Sets of up to 256 points, as four words.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

/// The most points a set can hold.
pub(super) const MOST: usize = 256;

/// A set of points in play, by their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Points([u64; 4]);

impl Points {
    pub(super) const NONE: Points = Points([0; 4]);

    #[inline]
    pub(super) fn one(point: usize) -> Points {
        let mut words = [0; 4];
        words[point / 64] = 1 << (point % 64);
        Points(words)
    }

    #[inline]
    pub(super) fn has(self, point: usize) -> bool {
        self.0[point / 64] >> (point % 64) & 1 == 1
    }

    #[inline]
    pub(super) fn insert(&mut self, point: usize) {
        self.0[point / 64] |= 1 << (point % 64);
    }

    #[inline]
    pub(super) fn remove(&mut self, point: usize) {
        self.0[point / 64] &= !(1 << (point % 64));
    }

    #[inline]
    pub(super) fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    #[inline]
    pub(super) fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[inline]
    pub(super) fn touches(self, other: Points) -> bool {
        !(self & other).is_empty()
    }

    #[inline]
    pub(super) fn within(self, other: Points) -> bool {
        (self & !other).is_empty()
    }

    /// Takes out the smallest point.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<usize> {
        let number = self.0.iter().position(|word| *word != 0)?;
        let bit = self.0[number].trailing_zeros() as usize;
        self.0[number] &= self.0[number] - 1;
        Some(number * 64 + bit)
    }
}

/// In rising order.
impl Iterator for Points {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        self.pop()
    }
}

impl FromIterator<usize> for Points {
    fn from_iter<I: IntoIterator<Item = usize>>(points: I) -> Points {
        let mut set = Points::NONE;
        points.into_iter().for_each(|point| set.insert(point));
        set
    }
}

impl BitAnd for Points {
    type Output = Points;

    #[inline]
    fn bitand(self, other: Points) -> Points {
        Points(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }
}

impl BitOr for Points {
    type Output = Points;

    #[inline]
    fn bitor(self, other: Points) -> Points {
        Points(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }
}

impl BitAndAssign for Points {
    #[inline]
    fn bitand_assign(&mut self, other: Points) {
        *self = *self & other;
    }
}

impl BitOrAssign for Points {
    #[inline]
    fn bitor_assign(&mut self, other: Points) {
        *self = *self | other;
    }
}

/// Beware of what lies outside the points in play.
impl Not for Points {
    type Output = Points;

    #[inline]
    fn not(self) -> Points {
        Points(self.0.map(|word| !word))
    }
}

impl std::fmt::Debug for Points {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}
