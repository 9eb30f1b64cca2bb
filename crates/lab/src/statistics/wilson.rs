//! Wilson's interval of a share.
//!
//! > (p̂ + z²/2n ± z·√(p̂(1−p̂)/n + z²/4n²)) / (1 + z²/n)
//!
//! Unlike p̂ ± z·√(p̂(1−p̂)/n) it neither collapses at 0 and 1 nor leaves [0, 1]. (Wilson 1927;
//! compared by Newcombe, "Two-sided confidence intervals for the single proportion", 1998.)
//!
//! A mean of scores in [0, 1] that are not all 0 or 1, such as the shares of pairs of games, has
//! another variance v than a share of n trials. It gets the interval of the number of trials with
//! that variance, n = p̂(1−p̂)/v.

use super::{Confidence, Interval};

/// The interval of a share of successes; nothing without trials, or with more successes than
/// trials.
///
/// ```
/// use tesuji_lab::statistics::{Confidence, wilson};
///
/// let share = wilson::of_successes(8, 10, Confidence::P95).expect("ten trials");
/// assert_eq!(format!("{:.3} {:.3}", share.low, share.high), "0.490 0.943");
/// ```
#[must_use]
pub fn of_successes(successes: u64, trials: u64, confidence: Confidence) -> Option<Interval> {
    (trials > 0 && successes <= trials).then(|| of_trials(successes as f64 / trials as f64, trials as f64, confidence))
}

/// The interval of a share of this number of trials, which need not be whole.
pub(super) fn of_trials(share: f64, trials: f64, confidence: Confidence) -> Interval {
    let z = confidence.normal_reach();
    let (scale, middle) = (1.0 + z * z / trials, share + z * z / (2.0 * trials));
    let reach = z * (share * (1.0 - share) / trials + z * z / (4.0 * trials * trials)).sqrt();
    // The ends at 0 and 1 are exact, whatever the rounding.
    let low = if share <= 0.0 { 0.0 } else { ((middle - reach) / scale).clamp(0.0, 1.0) };
    let high = if share >= 1.0 { 1.0 } else { ((middle + reach) / scale).clamp(0.0, 1.0) };
    Interval { estimate: share, low, high }
}

/// Scores in [0, 1] of independent observations, each of one or more games.
///
/// Mean and squared deviations are updated by Welford's method (1962).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Scores {
    count: u64,
    mean: f64,
    deviations: f64,
}

impl Scores {
    /// Scores with the number of their observations.
    #[must_use]
    pub fn of_counts(counts: &[(f64, u64)]) -> Scores {
        let count: u64 = counts.iter().map(|(_, number)| number).sum();
        let sum =
            |of: &dyn Fn(f64) -> f64| counts.iter().map(|(score, number)| of(*score) * *number as f64).sum::<f64>();
        let mean = if count == 0 { 0.0 } else { sum(&|score| score) / count as f64 };
        Scores { count, mean, deviations: sum(&|score| (score - mean).powi(2)) }
    }

    /// Adds the score of one observation. Only numbers in [0, 1] have an interval.
    pub fn add(&mut self, score: f64) {
        self.count += 1;
        let before = score - self.mean;
        self.mean += before / self.count as f64;
        self.deviations += before * (score - self.mean);
    }

    /// The number of observations.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// The mean score; nothing without observations.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then_some(self.mean)
    }

    /// The estimated variance of one observation; nothing below two.
    #[must_use]
    pub fn variance(&self) -> Option<f64> {
        (self.count > 1).then(|| self.deviations / (self.count - 1) as f64)
    }

    /// The mean with its interval; nothing below two observations. Where all scores are alike the
    /// variance is 0, and every game of `games_each` in an observation counts as one trial.
    #[must_use]
    pub fn share(&self, games_each: u32, confidence: Confidence) -> Option<Interval> {
        let variance = self.variance()? / self.count as f64;
        let mean = self.mean.clamp(0.0, 1.0);
        let trials = if self.alike() { self.games(games_each) } else { mean * (1.0 - mean) / variance };
        Some(of_trials(mean, trials, confidence))
    }

    /// The mean's distance from ½ in standard deviations; nothing below two observations. Where all
    /// scores are alike, every game counts as one toss of a fair coin.
    pub(super) fn sigmas_above_half(&self, games_each: u32) -> Option<f64> {
        let variance = self.variance()? / self.count as f64;
        let deviation = if self.alike() { 0.5 / self.games(games_each).sqrt() } else { variance.sqrt() };
        Some((self.mean - 0.5) / deviation)
    }

    fn alike(&self) -> bool {
        self.deviations / self.count as f64 <= 1e-12
    }

    fn games(&self, games_each: u32) -> f64 {
        self.count as f64 * f64::from(games_each)
    }
}

#[cfg(test)]
mod tests {
    use super::{Scores, of_successes};
    use crate::statistics::Confidence;

    /// Newcombe 1998, Table I, method 3: 81 of 263 is 0.2553 to 0.3662, 15 of 148 is 0.0624 to
    /// 0.1605, 0 of 20 is 0 to 0.1611, 1 of 29 is 0.0061 to 0.1718.
    #[test]
    fn intervals_are_those_of_newcombes_table() {
        for (successes, trials, low, high) in
            [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
        {
            let found = of_successes(successes, trials, Confidence::P95).expect("trials");
            assert!((found.low - low).abs() < 5e-5 && (found.high - high).abs() < 5e-5, "{found:?}");
        }
    }

    #[test]
    fn without_trials_there_is_no_interval() {
        assert_eq!(of_successes(0, 0, Confidence::P95), None);
        assert_eq!(of_successes(2, 1, Confidence::P95), None);
        let mut one = Scores::default();
        one.add(1.0);
        assert_eq!((one.mean(), one.share(1, Confidence::P95)), (Some(1.0), None));
    }

    /// Scores of 0 and 1 have the variance of single trials, but for n − 1 in place of n.
    #[test]
    fn decided_games_are_trials() {
        let mut scores = Scores::default();
        for game in 0..101 {
            scores.add(if game < 30 { 1.0 } else { 0.0 });
        }
        let found = scores.share(1, Confidence::P95).expect("games");
        let expected = super::of_trials(30.0 / 101.0, 100.0, Confidence::P95);
        assert!((found.low - expected.low).abs() < 1e-12 && (found.high - expected.high).abs() < 1e-12);
    }
}
