//! Ratings of a pool by the model of Bradley and Terry.
//!
//! > P(i beats j) = γᵢ / (γᵢ + γⱼ),  rating = 400·log₁₀ γ
//!
//! A draw counts as half a win for each side, as in the share of the points: at the maximum of the
//! likelihood every player's expected points are the points taken. *Minorisation–maximisation*
//! raises the likelihood at every step,
//!
//! > γᵢ ← wᵢ / Σⱼ nᵢⱼ / (γᵢ + γⱼ),
//!
//! with wᵢ the points of i and nᵢⱼ the games of i against j; from near the maximum Newton's method
//! finishes to the last digits. (Bradley & Terry 1952; Hunter, "MM algorithms for generalized
//! Bradley–Terry models", 2004.)
//!
//! Intervals come from the inverse of the Fisher information, with ratings relative to the mean of
//! the pool. They are those of decided games, so with draws they are too wide rather than too
//! narrow. The games count as independent.

use super::connectivity::groups;
use super::{Confidence, Interval};
use std::fmt;

/// Elo points of one unit of ln γ.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// Results of all players against each other.
#[derive(Clone, PartialEq, Debug)]
pub struct Pool {
    names: Vec<String>,
    /// Points of the row's player against the column's.
    points: Vec<f64>,
}

/// Ratings that do not exist.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RatingError {
    /// The pool falls apart.
    #[error("{0}")]
    Incomparable(Incomparable),
    /// Fewer than two players.
    #[error("ratings need at least two players; there are {0}")]
    Players(usize),
    /// The information about some player is too small for floating-point numbers.
    #[error("the results determine the ratings too weakly: more games between the groups are needed")]
    Weak,
}

/// Groups of players between which no distance can be stated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Incomparable {
    /// The names in each group; players can be compared within a group.
    pub groups: Vec<Vec<String>>,
    /// Whether all groups met: then one of two groups took all points of the other.
    pub met: bool,
}

impl fmt::Display for Incomparable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = if self.met { "one side took every point" } else { "some never met, even through others" };
        write!(f, "these groups of players cannot be compared, since between them {why}: ")?;
        for (number, group) in self.groups.iter().enumerate() {
            let separator = if number == 0 { "" } else { "; " };
            write!(f, "{separator}{{{}}}", group.join(", "))?;
        }
        Ok(())
    }
}

impl Pool {
    /// A pool of players without games.
    #[must_use]
    pub fn new(names: Vec<String>) -> Pool {
        let points = vec![0.0; names.len() * names.len()];
        Pool { names, points }
    }

    /// The players.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Adds games of two players: wins of the first, draws, wins of the second. Games of a player
    /// against itself say nothing and are left out.
    ///
    /// # Panics
    /// If there is no such player.
    pub fn add(&mut self, [first, second]: [usize; 2], [wins, draws, losses]: [u64; 3]) {
        let count = self.names.len();
        assert!(first < count && second < count, "player {first} or {second} of {count}");
        if first != second {
            self.points[first * count + second] += wins as f64 + draws as f64 / 2.0;
            self.points[second * count + first] += losses as f64 + draws as f64 / 2.0;
        }
    }

    fn points(&self, of: usize, against: usize) -> f64 {
        self.points[of * self.names.len() + against]
    }

    fn games(&self, one: usize, other: usize) -> f64 {
        self.points(one, other) + self.points(other, one)
    }

    /// The ratings.
    ///
    /// # Errors
    /// If there are fewer than two players, or not all can be compared: the error names the groups.
    pub fn ratings(&self) -> Result<Ratings, RatingError> {
        let count = self.names.len();
        if count < 2 {
            return Err(RatingError::Players(count));
        }
        let apart = groups(count, |from, to| self.points(from, to) > 0.0);
        if apart.len() > 1 {
            let named = |group: Vec<usize>| group.into_iter().map(|player| self.names[player].clone()).collect();
            let met = groups(count, |one, other| self.games(one, other) > 0.0).len() == 1;
            let groups = apart.into_iter().map(named).collect();
            return Err(RatingError::Incomparable(Incomparable { groups, met }));
        }
        let mut strengths = self.maximised();
        for _ in 0..50 {
            let (gradient, covariance) = (self.gradient(&strengths), self.covariance(&strengths)?);
            let step: Vec<f64> = covariance.chunks(count).map(|row| dot(row, &gradient)).collect();
            // A step of one unit of ln γ at most keeps Newton's method where it converges.
            let length = step.iter().fold(0.0_f64, |most, part| most.max(part.abs()));
            for (strength, part) in strengths.iter_mut().zip(&step) {
                *strength += part / length.max(1.0);
            }
            if length < 1e-13 {
                break;
            }
        }
        let mean = strengths.iter().sum::<f64>() / count as f64;
        strengths.iter_mut().for_each(|strength| *strength -= mean);
        let covariance = self.covariance(&strengths)?;
        Ok(Ratings { strengths, covariance })
    }

    /// ln γ after some steps of minorisation–maximisation.
    fn maximised(&self) -> Vec<f64> {
        let count = self.names.len();
        let won: Vec<f64> = (0..count).map(|player| (0..count).map(|other| self.points(player, other)).sum()).collect();
        let mut gamma = vec![1.0_f64; count];
        for _ in 0..100 {
            let next = |player: usize| {
                let expected = |other: usize| self.games(player, other) / (gamma[player] + gamma[other]);
                won[player] / (0..count).filter(|other| *other != player).map(expected).sum::<f64>()
            };
            let raised: Vec<f64> = (0..count).map(next).collect();
            let scale = (raised.iter().map(|value| value.ln()).sum::<f64>() / count as f64).exp();
            gamma = raised.into_iter().map(|value| value / scale).collect();
        }
        gamma.into_iter().map(f64::ln).collect()
    }

    /// Points taken minus points expected.
    fn gradient(&self, strengths: &[f64]) -> Vec<f64> {
        let surplus = |one: usize, other: usize| {
            self.points(one, other) - self.games(one, other) * expectation(strengths[one] - strengths[other])
        };
        (0..strengths.len()).map(|one| (0..strengths.len()).map(|other| surplus(one, other)).sum()).collect()
    }

    /// The inverse of the Fisher information in the space of strengths with mean 0, row by row.
    ///
    /// The information F is singular along (1, …, 1): F + 11ᵀ/n is not, and its inverse minus 11ᵀ/n
    /// is the inverse wanted.
    fn covariance(&self, strengths: &[f64]) -> Result<Vec<f64>, RatingError> {
        let count = strengths.len();
        let shift = 1.0 / count as f64;
        let mut information = vec![shift; count * count];
        for one in 0..count {
            for other in (0..count).filter(|other| *other != one) {
                let share = expectation(strengths[one] - strengths[other]);
                let part = self.games(one, other) * share * (1.0 - share);
                information[one * count + one] += part;
                information[one * count + other] -= part;
            }
        }
        let mut inverse = inverted(information, count).ok_or(RatingError::Weak)?;
        inverse.iter_mut().for_each(|entry| *entry -= shift);
        Ok(inverse)
    }
}

/// The share of the points that a difference of ln γ promises.
fn expectation(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

/// The inverse of a symmetric positive definite matrix by Gauss and Jordan's method, which needs no
/// exchange of rows for such a matrix; nothing if a pivot vanishes.
fn inverted(mut matrix: Vec<f64>, count: usize) -> Option<Vec<f64>> {
    let scale = matrix.iter().fold(0.0_f64, |most, entry| most.max(entry.abs()));
    for pivot in 0..count {
        let value = matrix[pivot * count + pivot];
        if value.is_nan() || value <= 1e-14 * scale {
            return None;
        }
        let mut pivot_row = matrix[pivot * count..(pivot + 1) * count].to_vec();
        pivot_row[pivot] = 1.0;
        pivot_row.iter_mut().for_each(|entry| *entry /= value);
        for (number, row) in matrix.chunks_mut(count).enumerate() {
            if number == pivot {
                row.copy_from_slice(&pivot_row);
                continue;
            }
            let factor = std::mem::replace(&mut row[pivot], 0.0);
            for (entry, part) in row.iter_mut().zip(&pivot_row) {
                *entry -= factor * part;
            }
        }
    }
    Some(matrix)
}

/// Ratings of a pool on Elo's scale; their mean is 0.
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    /// ln γ, with mean 0.
    strengths: Vec<f64>,
    /// Of the strengths, row by row.
    covariance: Vec<f64>,
}

impl Ratings {
    /// The rating of a player relative to the mean of the pool.
    ///
    /// # Panics
    /// If there is no such player.
    #[must_use]
    pub fn rating(&self, player: usize, confidence: Confidence) -> Interval {
        Self::interval(self.strengths[player], self.covariance(player, player), confidence)
    }

    /// By how much one player is above another.
    ///
    /// # Panics
    /// If there is no such player.
    #[must_use]
    pub fn difference(&self, one: usize, other: usize, confidence: Confidence) -> Interval {
        let variance = self.covariance(one, one) + self.covariance(other, other) - 2.0 * self.covariance(one, other);
        Self::interval(self.strengths[one] - self.strengths[other], variance, confidence)
    }

    /// The players, the strongest first; equal ones in their own order.
    #[must_use]
    pub fn ranking(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.strengths.len()).collect();
        order.sort_by(|one, other| self.strengths[*other].total_cmp(&self.strengths[*one]));
        order
    }

    fn covariance(&self, one: usize, other: usize) -> f64 {
        self.covariance[one * self.strengths.len() + other]
    }

    fn interval(strength: f64, variance: f64, confidence: Confidence) -> Interval {
        Interval::around(ELO * strength, ELO * confidence.normal_reach() * variance.max(0.0).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::{Pool, RatingError};
    use crate::statistics::{Confidence, elo};
    use tesuji_core::{Rng, Seed};

    const P95: Confidence = Confidence::P95;

    fn pool(names: &[&str], results: &[([usize; 2], [u64; 3])]) -> Pool {
        let mut pool = Pool::new(names.iter().map(ToString::to_string).collect());
        results.iter().for_each(|(players, games)| pool.add(*players, *games));
        pool
    }

    /// Two players: the difference is the Elo of the share, its variance 1/(n·p·(1−p)).
    #[test]
    fn two_players_are_a_match() {
        let ratings = pool(&["a", "b"], &[([0, 1], [60, 20, 20])]).ratings().expect("comparable");
        let found = ratings.difference(0, 1, P95);
        let reach = 1.959_963_984_540_054 * super::ELO / (100.0_f64 * 0.7 * 0.3).sqrt();
        assert!((found.estimate - elo::difference(0.7)).abs() < 1e-9, "{found:?}");
        assert!((found.high - found.estimate - reach).abs() < 1e-9, "{found:?}");
        assert!((ratings.rating(0, P95).estimate + ratings.rating(1, P95).estimate).abs() < 1e-9);
        assert_eq!(ratings.ranking(), [0, 1]);
    }

    /// Planted ratings come back: 95 % of the intervals of 200 simulated round robins contain them.
    #[test]
    fn intervals_contain_planted_ratings() {
        let planted = [150.0, 40.0, 0.0, -60.0, -130.0];
        let mut rng = Rng::new(Seed(4));
        let (mut inside, mut all) = (0_u32, 0_u32);
        for _ in 0..200 {
            let mut pool = Pool::new((0..5).map(|player| player.to_string()).collect());
            for one in 0..5 {
                for other in one + 1..5 {
                    let share = elo::share(planted[one] - planted[other]);
                    let wins = (0..40).filter(|_| rng.unit() < share).count() as u64;
                    pool.add([one, other], [wins, 0, 40 - wins]);
                }
            }
            let ratings = pool.ratings().expect("comparable");
            for (one, rating) in planted.into_iter().enumerate() {
                inside += u32::from(ratings.rating(one, P95).contains(rating));
                all += 1;
            }
        }
        let share = f64::from(inside) / f64::from(all);
        assert!((0.92..0.98).contains(&share), "{share}");
    }

    /// A chain of narrow bridges converges slowly by minorisation–maximisation alone; at the end the
    /// expected points are the points taken.
    #[test]
    fn long_chains_are_rated_to_the_last_digits() {
        let mut pool = Pool::new((0..30).map(|player| player.to_string()).collect());
        for player in 0..29 {
            pool.add([player, player + 1], [9, 0, 1]);
        }
        let ratings = pool.ratings().expect("comparable");
        let found = ratings.difference(0, 29, P95).estimate;
        assert!((found - 29.0 * elo::difference(0.9)).abs() < 1e-6, "{found}");
    }

    #[test]
    fn pools_that_fall_apart_name_the_groups() {
        let unmet = pool(&["a", "b", "c", "d"], &[([0, 1], [1, 0, 1]), ([2, 3], [0, 2, 0])]);
        let error = unmet.ratings().expect_err("two islands").to_string();
        assert!(error.contains("{a, b}; {c, d}") && error.contains("never met"), "{error}");
        let swept = pool(&["a", "b", "c"], &[([0, 1], [5, 0, 0]), ([1, 2], [2, 0, 2]), ([0, 2], [3, 0, 0])]);
        let error = swept.ratings().expect_err("a lost nothing").to_string();
        assert!(error.contains("{a}; {b, c}") && error.contains("every point"), "{error}");
        assert_eq!(pool(&["a"], &[]).ratings().expect_err("alone"), RatingError::Players(1));
    }
}
