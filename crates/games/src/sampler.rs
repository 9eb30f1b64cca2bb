//! Draws points of a board in proportion to whole weights that change a little from move to move.
//!
//! Every point has a weight for each player; sums are kept for each row and for the board. Both
//! players' weights share a word, so that one addition maintains both sums. A change costs three
//! additions; a draw looks at the sums of all rows and at the points of one, O(√points), without a
//! branch that depends on the number drawn: where that number lies cannot be predicted, and a
//! mispredicted branch costs more than all the additions.
//!
//! **Local points**, such as those around the last stone, may weigh otherwise for a single draw. The
//! number is drawn below the sum of all weights *and* of what local points weigh beyond their own:
//! in the first part it names a point by the own weights, in the second a local one. A local point
//! that weighs less than its own is listed too, and if it comes up it is kept with probability new
//! weight / own weight; otherwise the draw is repeated. Both are exact.
//!
//! Weights are whole numbers, so sums are exact in any order and equal on every machine.

use tesuji_core::{Player, Rng};

/// A weight of 1.
pub(crate) const UNIT: f64 = 1024.0;
/// The largest weight: with it, sums over the largest board still fit into 32 bits.
const MOST: f64 = 4096.0 * UNIT;
/// Factors of local points are in 1/256.
pub(crate) const FACTOR: f64 = 256.0;
/// A factor of 1.
const SAME: u64 = FACTOR as u64;
/// Local points of a draw: eight around the last stone and twelve answers, with room.
const MOST_LOCAL: usize = 24;

/// A strength as a weight.
pub(crate) fn weight(strength: f64) -> u32 {
    (strength * UNIT).round().clamp(1.0, MOST) as u32
}

/// A strength as a factor of local points.
pub(crate) fn factor(strength: f64) -> u64 {
    (strength * FACTOR).round().clamp(1.0, 65_536.0 * FACTOR) as u64
}

/// A weight with a factor.
#[inline(always)]
pub(crate) fn times(weight: u32, factor: u64) -> u64 {
    ((u64::from(weight) * factor) >> 8).max(1)
}

/// The weights of a point for both players, in one word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) struct Both(u64);

impl Both {
    /// No weight for either.
    pub(crate) const NONE: Both = Both(0);

    /// The weights of the first and the second player.
    #[inline(always)]
    pub(crate) const fn new([first, second]: [u32; 2]) -> Both {
        Both(first as u64 | (second as u64) << 32)
    }

    /// The weight of a player.
    #[inline(always)]
    pub(crate) const fn of(self, player: Player) -> u32 {
        (self.0 >> (32 * player.index())) as u32
    }

    /// The same without the weight of a player.
    #[inline(always)]
    const fn without(self, player: Player) -> Both {
        Both(self.0 & !(0xffff_ffff << (32 * player.index())))
    }
}

/// A change of a sum: the difference of two words, which may have borrowed from one half for the
/// other; sums of words are right again.
#[derive(Clone, Copy, Default)]
pub(crate) struct Change(u64);

impl std::ops::Add for Change {
    type Output = Change;

    #[inline(always)]
    fn add(self, other: Change) -> Change {
        Change(self.0.wrapping_add(other.0))
    }
}

/// A local point: what it weighs beyond its own weight.
#[derive(Clone, Copy, Default)]
struct Local {
    index: u16,
    extra: u64,
}

/// A local point that weighs less than its own weight.
#[derive(Clone, Copy, Default)]
struct Thinned {
    index: u16,
    weight: u32,
}

/// Weights of the points of a board: `POINTS` indices in rows of some stride, rows and columns from
/// 1.
pub(crate) struct Sampler<const POINTS: usize, const ROWS: usize> {
    weights: [Both; POINTS],
    rows: [u64; ROWS],
    total: u64,
    /// What all local points weigh beyond their own.
    beyond: u64,
    local: [Local; MOST_LOCAL],
    local_count: usize,
    thinned: [Thinned; 2 * MOST_LOCAL],
    thinned_count: usize,
}

impl<const POINTS: usize, const ROWS: usize> Sampler<POINTS, ROWS> {
    pub(crate) fn new() -> Self {
        Sampler {
            weights: [Both::NONE; POINTS],
            rows: [0; ROWS],
            total: 0,
            beyond: 0,
            local: [Local::default(); MOST_LOCAL],
            local_count: 0,
            thinned: [Thinned::default(); 2 * MOST_LOCAL],
            thinned_count: 0,
        }
    }

    /// Forgets all sums; every point must then be [written](Sampler::write).
    pub(crate) fn clear(&mut self) {
        self.rows = [0; ROWS];
        self.total = 0;
    }

    /// Gives a point its weights after [`clear`](Sampler::clear).
    #[inline(always)]
    pub(crate) fn write(&mut self, row: usize, index: usize, weights: Both) {
        self.weights[index] = weights;
        self.rows[row] += weights.0;
        self.total += weights.0;
    }

    /// Gives a point other weights.
    #[inline(always)]
    pub(crate) fn set(&mut self, row: usize, index: usize, weights: Both) {
        let change = self.exchange(index, weights);
        self.add(row, change);
        self.add_in_all(change);
    }

    /// Gives a point other weights, but leaves the sums to be [changed](Sampler::add_around):
    /// points of one row can share that.
    #[inline(always)]
    pub(crate) fn exchange(&mut self, index: usize, weights: Both) -> Change {
        let change = Change(weights.0.wrapping_sub(self.weights[index].0));
        self.weights[index] = weights;
        change
    }

    /// Changes the sums of a row and of those above and below it.
    #[inline(always)]
    pub(crate) fn add_around(&mut self, row: usize, [above, level, below]: [Change; 3]) {
        self.add(row + 1, above);
        self.add(row, level);
        self.add(row - 1, below);
        self.add_in_all(above + level + below);
    }

    #[inline(always)]
    fn add(&mut self, row: usize, change: Change) {
        self.rows[row] = self.rows[row].wrapping_add(change.0);
    }

    #[inline(always)]
    fn add_in_all(&mut self, change: Change) {
        self.total = self.total.wrapping_add(change.0);
    }

    /// Takes a point out of the draws of a player; returns what it was, for [`set`](Sampler::set).
    pub(crate) fn forbid(&mut self, row: usize, index: usize, player: Player) -> Both {
        let weights = self.weights[index];
        self.set(row, index, weights.without(player));
        weights
    }

    /// The weights of a point.
    #[cfg(test)]
    pub(crate) fn get(&self, index: usize) -> Both {
        self.weights[index]
    }

    /// A draw begins: no point is local.
    #[inline(always)]
    pub(crate) fn begin(&mut self) {
        self.beyond = 0;
        self.local_count = 0;
        self.thinned_count = 0;
    }

    /// For this draw, the player's weights of the points around another are multiplied, by two factors in
    /// turn. They are the first local points of the draw.
    #[inline(always)]
    pub(crate) fn multiply_around<const N: usize>(&mut self, player: Player, around: [usize; N], factors: [u64; N]) {
        for place in 0..N {
            self.local[place] = self.local_at(player, around[place], factors[place]);
            self.beyond += self.local[place].extra;
        }
        self.local_count = N;
        if factors.into_iter().fold(false, |any, factor| any | (factor < SAME)) {
            (0..N).for_each(|place| self.thin(player, around[place], factors[place]));
        }
    }

    /// For this draw, the player's weight of a point is multiplied by this instead of what
    /// [`multiply_around`](Sampler::multiply_around) said, if it is one of its points. Further calls are
    /// about other points.
    #[inline(always)]
    pub(crate) fn multiply(&mut self, player: Player, index: usize, factor: u64) {
        let known = self.local[..self.local_count].iter().position(|local| usize::from(local.index) == index);
        let place = known.unwrap_or(self.local_count);
        if place == MOST_LOCAL {
            return;
        }
        if known.is_some() {
            self.beyond -= self.local[place].extra;
            self.thinned[..self.thinned_count]
                .iter_mut()
                .filter(|thinned| usize::from(thinned.index) == index)
                .for_each(|thinned| *thinned = Thinned::default());
        } else {
            self.local_count += 1;
        }
        self.local[place] = self.local_at(player, index, factor);
        self.beyond += self.local[place].extra;
        if factor < SAME {
            self.thin(player, index, factor);
        }
    }

    /// What a point weighs beyond its own weight: nothing if it has none, or if it is to weigh less.
    #[inline(always)]
    fn local_at(&self, player: Player, index: usize, factor: u64) -> Local {
        let extra = (u64::from(self.weights[index].of(player)) * factor.saturating_sub(SAME)) >> 8;
        Local { index: index as u16, extra }
    }

    /// Notes that a point weighs less in this draw.
    #[cold]
    fn thin(&mut self, player: Player, index: usize, factor: u64) {
        let weight = self.weights[index].of(player);
        if factor < SAME && weight > 0 {
            // There is room for each local point and for those that were changed by `multiply`.
            self.thinned[self.thinned_count] = Thinned { index: index as u16, weight: times(weight, factor) as u32 };
            self.thinned_count += 1;
        }
    }

    /// Draws a point for a player; nothing if none has weight.
    #[inline(always)]
    pub(crate) fn draw(&self, player: Player, stride: usize, rng: &mut Rng) -> Option<usize> {
        loop {
            let own = u64::from(Both(self.total).of(player));
            if own == 0 {
                return None;
            }
            let drawn = below(rng, own + self.beyond);
            if drawn >= own {
                return Some(self.local_place(drawn - own));
            }
            let index = self.place(player, stride, drawn as u32);
            if self.thinned_count == 0 || self.is_kept(player, index, rng) {
                return Some(index);
            }
        }
    }

    /// The local point at this place of the sum of what they weigh beyond their own.
    #[inline(always)]
    fn local_place(&self, drawn: u64) -> usize {
        let local = &self.local[..self.local_count];
        usize::from(local[find(drawn, local.iter().map(|local| local.extra)).0].index)
    }

    /// Whether a point that came up is taken.
    #[inline(never)]
    fn is_kept(&self, player: Player, index: usize, rng: &mut Rng) -> bool {
        let thinned = self.thinned[..self.thinned_count].iter().find(|thinned| usize::from(thinned.index) == index);
        let own = u64::from(self.weights[index].of(player));
        thinned.is_none_or(|thinned| below(rng, own) < u64::from(thinned.weight))
    }

    /// The point at this place of the sum over all points.
    #[inline(always)]
    fn place(&self, player: Player, stride: usize, drawn: u32) -> usize {
        let rows = &self.rows[..stride];
        let (row, before) = find(drawn, rows[1..].iter().map(|sum| Both(*sum).of(player)));
        let start = (row + 1) * stride + 1;
        let points = &self.weights[start..start + stride - 1];
        start + find(drawn - before, points.iter().map(|weights| weights.of(player))).0
    }

    /// The weight of a point in this draw: for tests.
    #[cfg(test)]
    pub(crate) fn now(&self, player: Player, index: usize) -> u64 {
        let own = u64::from(self.weights[index].of(player));
        let is_it = |other: u16| usize::from(other) == index;
        if let Some(thinned) = self.thinned[..self.thinned_count].iter().find(|thinned| is_it(thinned.index)) {
            return u64::from(thinned.weight);
        }
        own + self.local[..self.local_count].iter().filter(|local| is_it(local.index)).map(|it| it.extra).sum::<u64>()
    }

    /// Whether all sums are right, given the indices of all points: for tests.
    #[cfg(test)]
    pub(crate) fn adds_up(&self, points: impl Iterator<Item = usize>) -> bool {
        let sum: u64 = points.map(|index| self.weights[index].0).sum();
        sum == self.total
            && self.rows.iter().sum::<u64>() == sum
            && self.weights.iter().map(|it| it.0).sum::<u64>() == sum
    }
}

/// Which of the parts a number falls into that is below their sum, and the sum of those before it.
#[inline(always)]
fn find<T>(drawn: T, parts: impl Iterator<Item = T>) -> (usize, T)
where
    T: Copy + Default + PartialOrd + std::ops::Add<Output = T>,
{
    let (mut place, mut before, mut sum) = (0, T::default(), T::default());
    for (number, part) in parts.enumerate() {
        sum = sum + part;
        // Conditional moves; counting would be vectorised, which is slower for so few.
        (place, before) = if drawn >= sum { (number + 1, sum) } else { (place, before) };
    }
    (place, before)
}

/// A number below the bound, which is not 0. Biased by less than bound/2⁶⁴.
#[inline(always)]
fn below(rng: &mut Rng, bound: u64) -> u64 {
    ((u128::from(rng.next_u64()) * u128::from(bound)) >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::{Both, Sampler, factor, weight};
    use tesuji_core::{Player, Rng, Seed};

    #[test]
    fn points_are_drawn_in_proportion() {
        // Two rows of three points, stride 4; the point 9 is local and three times as heavy, the point
        // 6 local and half as heavy.
        let mut sampler = Sampler::<16, 4>::new();
        sampler.clear();
        for (index, strength) in [(5, 1.0), (6, 4.0), (7, 0.5), (9, 1.0), (10, 0.25), (11, 4.0)] {
            sampler.write(index / 4, index, Both::new([weight(strength), 7]));
        }
        sampler.set(2, 11, Both::new([weight(1.25), 3]));
        assert!(sampler.adds_up([5, 6, 7, 9, 10, 11].into_iter()));
        let player = Player::First;
        sampler.begin();
        sampler.multiply_around(player, [9, 8, 7, 10], [0.5, 3.0, 1.0, 5.0].map(factor));
        sampler.multiply(player, 9, factor(3.0));
        sampler.multiply(player, 10, factor(1.0));
        sampler.multiply(player, 6, factor(0.5));
        let (mut rng, mut counts) = (Rng::new(Seed(1)), [0_u32; 16]);
        for _ in 0..80_000 {
            counts[sampler.draw(player, 4, &mut rng).expect("there are points")] += 1;
        }
        // In all 1 + 2 + 0.5 + 3 + 0.25 + 1.25 = 8: 10,000 draws for each unit.
        for (index, mean) in [(5, 10_000), (6, 20_000), (7, 5_000), (9, 30_000), (10, 2_500), (11, 12_500)] {
            assert!(counts[index].abs_diff(mean) < 500, "{index}: {} for {mean}", counts[index]);
            assert_eq!(sampler.now(player, index), u64::from(mean) * 1024 / 10_000, "{index}");
        }
        assert_eq!(sampler.forbid(2, 11, player), Both::new([weight(1.25), 3]));
        assert_eq!(sampler.get(11), Both::new([0, 3]));
        for index in [5, 6, 7, 9, 10, 11] {
            sampler.set(index / 4, index, Both::NONE);
        }
        sampler.begin();
        assert_eq!(sampler.draw(player, 4, &mut rng), None);
    }
}
