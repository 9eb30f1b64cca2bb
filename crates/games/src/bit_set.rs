//! Fixed-size bit sets over small numbers (points, cells, lines), shared by the games.
//!
//! Sets of up to 64·`WORDS` members are plain arrays of words on the stack. Operators work word by
//! word and compile to straight-line code; the number of words is a constant. Code whose arithmetic
//! is not that of a set (Othello's flips, the shifted rows of `in_a_row`, the connection test and
//! the playouts of Hex) works on plain words.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

/// A set of numbers below 64·`WORDS`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct BitSet<const WORDS: usize>(pub(crate) [u64; WORDS]);

impl<const WORDS: usize> BitSet<WORDS> {
    pub(crate) const EMPTY: BitSet<WORDS> = BitSet([0; WORDS]);

    /// The set with this one member.
    #[inline(always)]
    pub(crate) fn single(member: usize) -> BitSet<WORDS> {
        let mut words = [0; WORDS];
        words[member / 64] = 1 << (member % 64);
        BitSet(words)
    }

    #[inline(always)]
    pub(crate) const fn contains(&self, member: usize) -> bool {
        self.0[member / 64] >> (member % 64) & 1 == 1
    }

    #[inline(always)]
    pub(crate) const fn insert(&mut self, member: usize) {
        self.0[member / 64] |= 1 << (member % 64);
    }

    #[inline(always)]
    pub(crate) const fn remove(&mut self, member: usize) {
        self.0[member / 64] &= !(1 << (member % 64));
    }

    #[inline(always)]
    pub(crate) fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    #[inline(always)]
    pub(crate) fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    #[inline(always)]
    pub(crate) fn intersects(self, other: BitSet<WORDS>) -> bool {
        !(self & other).is_empty()
    }

    #[inline(always)]
    pub(crate) fn is_subset(self, other: BitSet<WORDS>) -> bool {
        self.without(other).is_empty()
    }

    /// The members that `other` does not have.
    #[inline(always)]
    pub(crate) fn without(self, other: BitSet<WORDS>) -> BitSet<WORDS> {
        BitSet(std::array::from_fn(|word| self.0[word] & !other.0[word]))
    }

    /// Removes and returns the smallest member.
    #[inline(always)]
    pub(crate) fn pop_first(&mut self) -> Option<usize> {
        let number = self.0.iter().position(|word| *word != 0)?;
        let bit = self.0[number].trailing_zeros() as usize;
        self.0[number] &= self.0[number] - 1;
        Some(number * 64 + bit)
    }

    /// The members below 64·`HEAD`, in a shorter array.
    #[inline(always)]
    pub(crate) fn head<const HEAD: usize>(&self) -> BitSet<HEAD> {
        BitSet(std::array::from_fn(|word| self.0[word]))
    }
}

/// In ascending order.
impl<const WORDS: usize> Iterator for BitSet<WORDS> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        self.pop_first()
    }
}

impl<const WORDS: usize> FromIterator<usize> for BitSet<WORDS> {
    fn from_iter<I: IntoIterator<Item = usize>>(members: I) -> BitSet<WORDS> {
        let mut set = BitSet::EMPTY;
        members.into_iter().for_each(|member| set.insert(member));
        set
    }
}

impl<const WORDS: usize> BitAnd for BitSet<WORDS> {
    type Output = BitSet<WORDS>;

    #[inline(always)]
    fn bitand(self, other: BitSet<WORDS>) -> BitSet<WORDS> {
        BitSet(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }
}

impl<const WORDS: usize> BitOr for BitSet<WORDS> {
    type Output = BitSet<WORDS>;

    #[inline(always)]
    fn bitor(self, other: BitSet<WORDS>) -> BitSet<WORDS> {
        BitSet(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }
}

impl<const WORDS: usize> BitAndAssign for BitSet<WORDS> {
    #[inline(always)]
    fn bitand_assign(&mut self, other: BitSet<WORDS>) {
        *self = *self & other;
    }
}

impl<const WORDS: usize> BitOrAssign for BitSet<WORDS> {
    #[inline(always)]
    fn bitor_assign(&mut self, other: BitSet<WORDS>) {
        *self = *self | other;
    }
}

/// The complement also has the numbers beyond the board: intersect it with a set of the board.
impl<const WORDS: usize> Not for BitSet<WORDS> {
    type Output = BitSet<WORDS>;

    #[inline(always)]
    fn not(self) -> BitSet<WORDS> {
        BitSet(self.0.map(|word| !word))
    }
}

impl<const WORDS: usize> std::fmt::Debug for BitSet<WORDS> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::BitSet;
    use std::collections::BTreeSet;
    use tesuji_core::{Rng, Seed};

    #[test]
    fn operations_agree_with_a_tree_set() {
        let mut rng = Rng::new(Seed(1));
        for _ in 0..200 {
            let [one, two]: [BTreeSet<usize>; 2] =
                std::array::from_fn(|_| (0..rng.below(90)).map(|_| rng.below(192) as usize).collect());
            let [a, b]: [BitSet<3>; 2] = [&one, &two].map(|set| set.iter().copied().collect());
            let same = |set: BitSet<3>, expected: &BTreeSet<usize>| {
                assert!(set.eq(expected.iter().copied()), "{set:?} {expected:?}");
                assert_eq!(set.count() as usize, expected.len());
                assert_eq!(set.is_empty(), expected.is_empty());
            };
            same(a, &one);
            same(a & b, &(&one & &two));
            same(a | b, &(&one | &two));
            same(a.without(b), &(&one - &two));
            same(a & !b, &(&one - &two));
            assert_eq!(a.intersects(b), !one.is_disjoint(&two));
            assert!((a & b).is_subset(b));
            assert_eq!(a.is_subset(b), one.is_subset(&two));
            let member = rng.below(192) as usize;
            let mut changed = a;
            changed.insert(member);
            assert!(changed.contains(member) && BitSet::single(member).is_subset(changed));
            changed.remove(member);
            assert!(!changed.contains(member));
            assert_eq!(a.contains(member), one.contains(&member));
            same(BitSet([a.head::<1>().0[0], 0, 0]), &one.range(..64).copied().collect());
        }
    }
}
