//! Draws points of a board in proportion to whole weights that change a little from move to move.
//!
//! Every point has a weight for each player; sums are kept for each row and for the board. A change
//! costs a few additions, a draw walks over the rows and then along one: O(√points). A few *local*
//! points, such as those around the last stone, may weigh differently for a single draw: they are
//! listed, and a point drawn from all points that is one of them is drawn again. The expected number
//! of such repetitions is below the largest ratio of a point's own weight to its local one.
//!
//! Weights are whole numbers, so sums are exact in any order and equal on every machine.

use tesuji_core::Rng;

/// A weight of 1.
pub(crate) const UNIT: f64 = 1024.0;
/// The largest weight: with it, sums over the largest board still fit.
const MOST: f64 = 4096.0 * UNIT;
/// Factors of local points are in 1/256.
pub(crate) const FACTOR: f64 = 256.0;
/// Local points of a draw.
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

/// Weights of the points of a board: `POINTS` indices in rows of some stride, rows and columns from
/// 1.
pub(crate) struct Sampler<const POINTS: usize, const ROWS: usize> {
    weights: [[u32; 2]; POINTS],
    rows: [[u32; ROWS]; 2],
    totals: [u32; 2],
    /// The draw for which a point was local last.
    marks: [u32; POINTS],
    draw: u32,
    local: [(u16, u64); MOST_LOCAL],
    count: usize,
}

impl<const POINTS: usize, const ROWS: usize> Sampler<POINTS, ROWS> {
    pub(crate) fn new() -> Self {
        Sampler {
            weights: [[0; 2]; POINTS],
            rows: [[0; ROWS]; 2],
            totals: [0; 2],
            marks: [0; POINTS],
            draw: 0,
            local: [(0, 0); MOST_LOCAL],
            count: 0,
        }
    }

    /// Forgets all sums; every point must then be [written](Sampler::write).
    pub(crate) fn clear(&mut self) {
        self.rows = [[0; ROWS]; 2];
        self.totals = [0; 2];
    }

    /// Gives a point its weights after [`clear`](Sampler::clear).
    #[inline(always)]
    pub(crate) fn write(&mut self, row: usize, index: usize, weights: [u32; 2]) {
        self.weights[index] = weights;
        for (player, weight) in weights.into_iter().enumerate() {
            self.rows[player][row] += weight;
            self.totals[player] += weight;
        }
    }

    /// Gives a point other weights.
    #[inline(always)]
    pub(crate) fn set(&mut self, row: usize, index: usize, weights: [u32; 2]) {
        for (player, weight) in weights.into_iter().enumerate() {
            let change = weight.wrapping_sub(self.weights[index][player]);
            self.rows[player][row] = self.rows[player][row].wrapping_add(change);
            self.totals[player] = self.totals[player].wrapping_add(change);
        }
        self.weights[index] = weights;
    }

    /// The weights of a point.
    #[inline(always)]
    pub(crate) fn get(&self, index: usize) -> [u32; 2] {
        self.weights[index]
    }

    /// A draw begins: no point is local.
    #[inline(always)]
    pub(crate) fn begin(&mut self) {
        self.draw = self.draw.wrapping_add(1);
        self.count = 0;
    }

    /// For this draw, the player's weight of a point is multiplied. Points without weight stay out,
    /// and so does a point that is local already.
    #[inline(always)]
    pub(crate) fn multiply(&mut self, player: usize, index: usize, factor: u64) {
        let weight = self.weights[index][player];
        if weight > 0 && self.marks[index] != self.draw && self.count < MOST_LOCAL {
            self.marks[index] = self.draw;
            self.local[self.count] = (index as u16, times(weight, factor));
            self.count += 1;
        }
    }

    /// Draws a point for a player; nothing if none has weight.
    #[inline(always)]
    pub(crate) fn draw(&self, player: usize, stride: usize, rng: &mut Rng) -> Option<usize> {
        let local = &self.local[..self.count];
        let near: u64 = local.iter().map(|(_, weight)| weight).sum();
        let own: u32 = local.iter().map(|(index, _)| self.weights[usize::from(*index)][player]).sum();
        let far = self.totals[player] - own;
        let mut drawn = below(rng, near + u64::from(far))?;
        if drawn < near {
            for &(index, weight) in local {
                if drawn < weight {
                    return Some(usize::from(index));
                }
                drawn -= weight;
            }
        }
        loop {
            let index = self.place(player, stride, below(rng, u64::from(self.totals[player]))? as u32);
            if self.marks[index] != self.draw {
                return Some(index);
            }
        }
    }

    /// The point at this place of the sum over all points.
    #[inline(always)]
    fn place(&self, player: usize, stride: usize, mut drawn: u32) -> usize {
        let mut row = 1;
        while drawn >= self.rows[player][row] {
            drawn -= self.rows[player][row];
            row += 1;
        }
        let mut index = row * stride + 1;
        while drawn >= self.weights[index][player] {
            drawn -= self.weights[index][player];
            index += 1;
        }
        index
    }

    /// The weight of a point in this draw, and whether all sums are right: for tests.
    #[cfg(test)]
    pub(crate) fn now(&self, player: usize, index: usize) -> u64 {
        let local = self.local[..self.count].iter().find(|(other, _)| usize::from(*other) == index);
        local.map_or(u64::from(self.weights[index][player]), |(_, weight)| *weight)
    }

    /// Whether all sums are right, given the indices of all points.
    #[cfg(test)]
    pub(crate) fn adds_up(&self, points: impl Iterator<Item = usize>) -> bool {
        let mut sums = [0_u32; 2];
        for index in points {
            (0..2).for_each(|player| sums[player] += self.weights[index][player]);
        }
        sums == self.totals && (0..2).all(|player| self.rows[player].iter().sum::<u32>() == sums[player])
    }
}

/// A number below the bound, or nothing if there is none. Biased by less than bound/2⁶⁴.
#[inline(always)]
fn below(rng: &mut Rng, bound: u64) -> Option<u64> {
    (bound > 0).then(|| ((u128::from(rng.next_u64()) * u128::from(bound)) >> 64) as u64)
}

#[cfg(test)]
mod tests {
    use super::{Sampler, factor, weight};
    use tesuji_core::{Rng, Seed};

    #[test]
    fn points_are_drawn_in_proportion() {
        // Two rows of three points, stride 4; the point 9 is local and three times as heavy.
        let mut sampler = Sampler::<16, 4>::new();
        sampler.clear();
        for (index, strength) in [(5, 1.0), (6, 2.0), (7, 0.5), (9, 1.0), (10, 0.25), (11, 4.0)] {
            sampler.write(index / 4, index, [weight(strength), 7]);
        }
        sampler.set(2, 11, [weight(1.25), 3]);
        assert!(sampler.adds_up([5, 6, 7, 9, 10, 11].into_iter()));
        sampler.begin();
        sampler.multiply(0, 9, factor(3.0));
        sampler.multiply(0, 8, factor(3.0));
        let (mut rng, mut counts) = (Rng::new(Seed(1)), [0_u32; 16]);
        for _ in 0..80_000 {
            counts[sampler.draw(0, 4, &mut rng).expect("there are points")] += 1;
        }
        // In all 1 + 2 + 0.5 + 3 + 0.25 + 1.25 = 8: 10,000 draws for each unit.
        for (index, mean) in [(5, 10_000), (6, 20_000), (7, 5_000), (9, 30_000), (10, 2_500), (11, 12_500)] {
            assert!(counts[index].abs_diff(mean) < 500, "{index}: {} for {mean}", counts[index]);
        }
        for index in [5, 6, 7, 9, 10, 11] {
            sampler.set(index / 4, index, [0, 0]);
        }
        sampler.begin();
        assert_eq!(sampler.draw(0, 4, &mut rng), None);
    }
}
