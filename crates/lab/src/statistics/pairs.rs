//! Games in pairs that begin alike, colours exchanged.
//!
//! A pair is one observation: what an opening gives to one colour cancels out, and two games of
//! one opening are not independent. Counting pairs by their points (0, ½, 1, 1½, 2) is the
//! *pentanomial* model of computer chess; the variance of pairs is smaller than that of as many
//! single games where openings favour a colour.
//!
//! The interval of the share is Wilson's (see [`wilson`](super::wilson)); that of the Elo
//! difference is the same, on Elo's scale.

use super::confidence::normal_cdf;
use super::wilson::Scores;
use super::{Confidence, Interval, elo};

/// Shares nearer to 0 or 1 than this are shown as if they were this: the ends of an interval of
/// Elo differences stay finite, at ±2400.
const MARGIN: f64 = 1e-6;

/// The points of a player in pairs of games.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Pairs {
    counts: [u64; 5],
    /// Shares of the points of complete pairs, in [0, 1].
    shares: Scores,
    /// The first game of a pair whose second is not played yet, and its points.
    half: Option<(u64, f64)>,
}

impl Pairs {
    /// Pairs by their points: 0, ½, 1, 1½, 2.
    #[must_use]
    pub fn of_counts(counts: [u64; 5]) -> Pairs {
        let shares: [(f64, u64); 5] = std::array::from_fn(|place| (place as f64 / 4.0, counts[place]));
        Pairs { counts, shares: Scores::of_counts(&shares), half: None }
    }

    /// Adds the points, in [0, 1], of a game; games 2k and 2k + 1 are a pair. A game that is left
    /// out takes its pair with it. Games come in ascending order.
    pub fn add(&mut self, game: u64, points: f64) {
        match self.half.take() {
            Some((first, earlier)) if game == first + 1 => {
                let share = f64::midpoint(earlier, points);
                self.shares.add(share);
                // Graded results count with the nearest half point.
                self.counts[((share * 4.0).round() as usize).min(4)] += 1;
            }
            _ if game.is_multiple_of(2) => self.half = Some((game, points)),
            _ => {}
        }
    }

    /// Complete pairs by their points: 0, ½, 1, 1½, 2.
    #[must_use]
    pub const fn counts(&self) -> [u64; 5] {
        self.counts
    }

    /// The share of the points; nothing below two pairs.
    #[must_use]
    pub fn share(&self, confidence: Confidence) -> Option<Interval> {
        self.shares.share(2, confidence)
    }

    /// The Elo difference behind the share; nothing where one side took everything.
    #[must_use]
    pub fn elo(&self, confidence: Confidence) -> Option<Interval> {
        let share = self.share(confidence).filter(|share| share.estimate > 0.0 && share.estimate < 1.0)?;
        Some(share.map(|share| elo::difference(share.clamp(MARGIN, 1.0 - MARGIN))))
    }

    /// Normalised Elo: the distance from ½ in standard deviations of a game; nothing where all
    /// pairs ended alike.
    #[must_use]
    pub fn normalised_elo(&self) -> Option<f64> {
        let deviation = self.shares.variance().filter(|variance| *variance > 1e-12)?.sqrt();
        Some(elo::NORMALISED * (self.shares.mean()? - 0.5) / (deviation * std::f64::consts::SQRT_2))
    }

    /// The likelihood of superiority: the probability that this player is the stronger one, given
    /// the pairs and no prior opinion, Φ((share − ½)/σ). Nothing below two pairs.
    #[must_use]
    pub fn superiority(&self) -> Option<f64> {
        self.shares.sigmas_above_half(2).map(normal_cdf)
    }
}

#[cfg(test)]
mod tests {
    use super::Pairs;
    use crate::statistics::Confidence;

    const P95: Confidence = Confidence::P95;

    fn pairs(points: &[f64]) -> Pairs {
        let mut pairs = Pairs::default();
        for (game, points) in points.iter().enumerate() {
            pairs.add(game as u64, *points);
        }
        pairs
    }

    /// Wilson's interval of 8 of 10 is [0.490, 0.943] (Newcombe 1998 has the method); a pair of
    /// equal results has the variance of one trial.
    #[test]
    fn pairs_are_one_observation_each() {
        let results = [vec![1.0; 16], vec![0.0; 4]].concat();
        let share = pairs(&results).share(P95).expect("ten pairs");
        assert!((share.estimate - 0.8).abs() < 1e-15);
        // The sample variance divides by n − 1: nine trials instead of ten.
        assert!((share.low - 0.4738).abs() < 1e-4 && (share.high - 0.9467).abs() < 1e-4, "{share:?}");
    }

    /// An opening that decides the game for one colour says nothing of the players: where most
    /// pairs are one win each, the interval is narrower than that of as many single games.
    #[test]
    fn decided_openings_do_not_widen_the_interval() {
        let mut results = Vec::new();
        for pair in 0..50 {
            results.extend(if pair < 8 { [1.0, 1.0] } else { [1.0, 0.0] });
        }
        let counted = pairs(&results);
        assert_eq!(counted.counts(), [0, 0, 42, 0, 8]);
        let share = counted.share(P95).expect("fifty pairs");
        assert!((share.estimate - 0.58).abs() < 1e-12 && share.low > 0.52 && share.high < 0.64, "{share:?}");
        assert_eq!(Pairs::of_counts([0, 0, 42, 0, 8]).counts(), counted.counts());
        let again = Pairs::of_counts([0, 0, 42, 0, 8]).share(P95).expect("fifty pairs");
        assert!((again.low - share.low).abs() < 1e-12 && (again.high - share.high).abs() < 1e-12);
    }

    #[test]
    fn one_sided_matches_have_an_interval_too() {
        let won = pairs(&[1.0; 100]);
        assert_eq!(won.counts(), [0, 0, 0, 0, 50]);
        let share = won.share(P95).expect("fifty pairs");
        assert!(share.estimate == 1.0 && (share.low - 0.963).abs() < 1e-3 && share.high <= 1.0, "{share:?}");
        assert_eq!((won.elo(P95), won.normalised_elo()), (None, None));
        assert!(won.superiority().is_some_and(|likelihood| likelihood > 1.0 - 1e-9));
    }

    /// A void game takes its pair with it, and not the next one.
    #[test]
    fn half_pairs_do_not_count() {
        let mut pairs = Pairs::default();
        for (game, points) in [(0, 1.0), (3, 1.0), (4, 0.5), (5, 0.5), (6, 1.0)] {
            pairs.add(game, points);
        }
        assert_eq!(pairs.counts(), [0, 0, 1, 0, 0]);
        assert_eq!(pairs.share(P95), None);
    }

    /// Equal results give ½, mirrored ones the complement. Twelve pairs won and eight lost: the
    /// mean is 0.6 and the deviation of the mean √(0.24/19), so Φ(0.8898) = 0.8132.
    #[test]
    fn superiority_by_hand() {
        let even = Pairs::of_counts([5, 3, 10, 3, 5]).superiority().expect("pairs");
        assert!((even - 0.5).abs() < 1e-12, "{even}");
        assert_eq!(Pairs::of_counts([0, 0, 9, 0, 0]).superiority(), Some(0.5));
        let better = Pairs::of_counts([8, 0, 0, 0, 12]).superiority().expect("pairs");
        assert!((better - 0.8132).abs() < 1e-4, "{better}");
        let worse = Pairs::of_counts([12, 0, 0, 0, 8]).superiority().expect("pairs");
        assert!((better + worse - 1.0).abs() < 1e-12, "{better} {worse}");
    }

    /// Pairs of ±½ of a half point: σ of a pair is ¼·√(n/(n−1)), of a game √2 times that.
    #[test]
    fn normalised_elo_by_hand() {
        let found = Pairs::of_counts([0, 40, 0, 60, 0]).normalised_elo().expect("pairs");
        let deviation = (0.25_f64 * 0.24 * 100.0 / 99.0).sqrt();
        assert!((found - 800.0 / 10_f64.ln() * 0.05 / (deviation * 2_f64.sqrt())).abs() < 1e-9, "{found}");
    }
}
