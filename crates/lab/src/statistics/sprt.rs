//! The generalised sequential probability ratio test on pairs of games.
//!
//! Two hypotheses on the strength of a player, H₀ (Elo difference e₀) and H₁ (e₁ > e₀). After each
//! pair the test computes the log-likelihood ratio of the most likely distributions of a pair's
//! points that have the expectation of H₀ and of H₁, and stops when it leaves the interval
//!
//! > (ln(β/(1−α)), ln((1−β)/α))
//!
//! α bounds the probability of accepting H₁ under H₀, β that of accepting H₀ under H₁. (Wald 1945.)
//!
//! **The ratio.** Let p̂ be the observed frequencies of the shares a ∈ {0, ¼, ½, ¾, 1} in N pairs.
//! Among the distributions with Σ p·a = s the likelihood is greatest at
//!
//! > p = p̂ / (1 + x·(a − s)),  with x the root of  Σ p̂·(a − s) / (1 + x·(a − s)) = 0
//!
//! and the ratio is N·Σ p̂·ln(p₁/p₀). For *normalised* hypotheses the constraint is
//! μ − ½ = t·σ instead of an expectation. It is linear in p once μ and σ are held fixed, with the
//! scores a − ½ − t·σ·(1 + ((a − μ)/σ)²)/2 and expectation 0; repeating this converges. (Van den
//! Bergh, "A practical introduction to the GSPRT", 2017, and "Comments on normalized Elo", 2021.)
//!
//! Results not seen yet count as a thousandth of a pair, so that every hypothesis stays possible.
//! The bounds are those of Wald, without correction for overshoot, and the theory is asymptotic:
//! both hypotheses should be so close that dozens of pairs are needed.

use super::elo;

/// Observations of a result that has not been seen.
const UNSEEN: f64 = 1e-3;
/// The shares of the points of a pair.
const SHARES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The scale of the hypotheses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Scale {
    /// Elo differences by the logistic formula.
    #[default]
    Logistic,
    /// Normalised Elo (see [`elo`]).
    Normalised,
}

/// A test with its hypotheses and error rates.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    hypotheses: [f64; 2],
    alpha: f64,
    beta: f64,
    scale: Scale,
}

/// A test that cannot be made.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
pub enum SprtError {
    /// H₁ must lie above H₀.
    #[error("H1 must be above H0, both finite and within ±1000 Elo, such as 0 and 10; these are {0} and {1}")]
    Hypotheses(f64, f64),
    /// Error rates are below one half.
    #[error("error rates lie between 0 and 0.5, such as 0.05; this one is {0}")]
    Rate(f64),
}

/// Where the test stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The ratio is between the bounds: play on.
    Open,
    /// The lower bound was reached.
    AcceptH0,
    /// The upper bound was reached.
    AcceptH1,
}

impl Sprt {
    /// A test of two Elo differences with the error rates α and β.
    ///
    /// # Errors
    /// If the hypotheses are not in order or out of range, or a rate is not between 0 and ½.
    pub fn new(hypotheses: [f64; 2], [alpha, beta]: [f64; 2], scale: Scale) -> Result<Sprt, SprtError> {
        let [lower, upper] = hypotheses;
        if !(lower < upper && lower >= -1000.0 && upper <= 1000.0) {
            return Err(SprtError::Hypotheses(lower, upper));
        }
        match [alpha, beta].into_iter().find(|rate| !(*rate > 0.0 && *rate < 0.5)) {
            Some(rate) => Err(SprtError::Rate(rate)),
            None => Ok(Sprt { hypotheses, alpha, beta, scale }),
        }
    }

    /// The bounds of the log-likelihood ratio.
    #[must_use]
    pub fn bounds(&self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// The log-likelihood ratio of H₁ to H₀ after pairs with 0, ½, 1, 1½ and 2 points; 0 without
    /// pairs.
    #[must_use]
    pub fn ratio(&self, pairs: [u64; 5]) -> f64 {
        if pairs.iter().all(|count| *count == 0) {
            return 0.0;
        }
        let counts = pairs.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let total: f64 = counts.iter().sum();
        let observed = counts.map(|count| count / total);
        let [null, alternative] = self.hypotheses.map(|elo| match self.scale {
            Scale::Logistic => with_expectation(&observed, &SHARES, elo::share(elo)),
            // The deviation of a pair's share is that of a game divided by √2.
            Scale::Normalised => with_distance(&observed, elo / elo::NORMALISED * std::f64::consts::SQRT_2),
        });
        let term = |place: usize| observed[place] * (alternative[place] / null[place]).ln();
        total * (0..5).map(term).sum::<f64>()
    }

    /// Where the test stands after these pairs. The first verdict that is not [`Verdict::Open`]
    /// ends the match.
    #[must_use]
    pub fn verdict(&self, pairs: [u64; 5]) -> Verdict {
        let ([low, high], ratio) = (self.bounds(), self.ratio(pairs));
        if ratio <= low {
            Verdict::AcceptH0
        } else if ratio >= high {
            Verdict::AcceptH1
        } else {
            Verdict::Open
        }
    }
}

/// The most likely distribution for these frequencies, all positive, whose scores have this
/// expectation, which lies between the least and the greatest score.
fn with_expectation(observed: &[f64; 5], scores: &[f64; 5], expectation: f64) -> [f64; 5] {
    let above = scores.map(|score| score - expectation);
    let least = above.into_iter().fold(f64::INFINITY, f64::min);
    let most = above.into_iter().fold(f64::NEG_INFINITY, f64::max);
    // The sum falls from ∞ to −∞ between these. Newton's steps that leave the bracket are replaced
    // by bisection.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let mut x = 0.0;
    for _ in 0..200 {
        let (mut sum, mut slope) = (0.0, 0.0);
        for (frequency, score) in observed.iter().zip(above) {
            let part = score / (1.0 + x * score);
            sum += frequency * part;
            slope -= frequency * part * part;
        }
        if sum > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let step = x - sum / slope;
        let next = if step > low && step < high { step } else { f64::midpoint(low, high) };
        let done = (next - x).abs() <= 1e-14 * (1.0 + x.abs());
        x = next;
        if done {
            break;
        }
    }
    std::array::from_fn(|place| observed[place] / (1.0 + x * above[place]))
}

/// The most likely distribution whose expectation is this number of its own standard deviations
/// above ½.
fn with_distance(observed: &[f64; 5], distance: f64) -> [f64; 5] {
    let mut found = [0.2; 5];
    for _ in 0..100 {
        let sum = |of: &dyn Fn(f64) -> f64| found.iter().zip(SHARES).map(|(p, share)| p * of(share)).sum::<f64>();
        let mean = sum(&|share| share);
        let deviation = sum(&|share| (share - mean).powi(2)).sqrt();
        let linear =
            |share: f64| share - 0.5 - distance * deviation * (1.0 + ((share - mean) / deviation).powi(2)) / 2.0;
        let next = with_expectation(observed, &SHARES.map(linear), 0.0);
        let change = found.iter().zip(next).map(|(old, new)| (old - new).abs()).fold(0.0, f64::max);
        found = next;
        if change < 1e-13 {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{SHARES, Scale, Sprt, SprtError, Verdict, with_distance, with_expectation};
    use tesuji_core::{Rng, Seed};

    fn mean(distribution: &[f64; 5]) -> f64 {
        distribution.iter().zip(SHARES).map(|(p, share)| p * share).sum()
    }

    #[test]
    fn constraints_hold_exactly() {
        let observed = [0.1, 0.15, 0.3, 0.25, 0.2];
        for expectation in [0.05, 0.3, 0.5, 0.6, 0.93] {
            let found = with_expectation(&observed, &SHARES, expectation);
            assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{found:?}");
            assert!((mean(&found) - expectation).abs() < 1e-12, "{found:?}");
        }
        for distance in [-0.5, 0.0, 0.02, 0.4] {
            let found = with_distance(&observed, distance);
            let (average, squares) = (mean(&found), found.iter().zip(SHARES).map(|(p, a)| p * a * a).sum::<f64>());
            let deviation = (squares - average * average).sqrt();
            assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-10, "{found:?}");
            assert!((average - 0.5 - distance * deviation).abs() < 1e-10, "{distance}: {found:?}");
        }
    }

    /// Where pairs are won or lost the constraint fixes the distribution: the ratio is that of two
    /// coins, W·ln(s₁/s₀) + L·ln((1−s₁)/(1−s₀)).
    #[test]
    fn won_and_lost_pairs_are_tosses_of_a_coin() {
        let test = Sprt::new([0.0, 20.0], [0.05; 2], Scale::Logistic).expect("a test");
        let [none, some] = [0.0, 20.0].map(super::elo::share);
        let expected = 600.0 * (some / none).ln() + 400.0 * ((1.0 - some) / (1.0 - none)).ln();
        assert!((test.ratio([400, 0, 0, 0, 600]) - expected).abs() < 1e-2, "{expected}");
    }

    /// Near the hypotheses the ratio is N·(s₁−s₀)·(2·mean − s₀ − s₁)/(2σ²).
    #[test]
    fn the_ratio_is_near_its_normal_approximation() {
        let test = Sprt::new([0.0, 2.0], [0.05; 2], Scale::Logistic).expect("a test");
        let counts = [1000, 2500, 4000, 2600, 1050];
        let (total, observed) = (11_150.0, counts.map(|count| f64::from(count as u32) / 11_150.0));
        let [none, some] = [0.0, 2.0].map(super::elo::share);
        let average = mean(&observed);
        let variance = observed.iter().zip(SHARES).map(|(p, a)| p * (a - average).powi(2)).sum::<f64>();
        let normal = total * (some - none) * (2.0 * average - some - none) / (2.0 * variance);
        assert!((test.ratio(counts) - normal).abs() < 0.01 * normal.abs(), "{} {normal}", test.ratio(counts));
    }

    /// How a match with pairs drawn from a distribution ends.
    fn stops(test: &Sprt, distribution: &[f64; 5], rng: &mut Rng) -> Verdict {
        let (mut pairs, mut played) = ([0; 5], 0);
        loop {
            played += 1;
            let mut rest = rng.unit();
            let drawn = distribution.iter().position(|p| {
                rest -= p;
                rest < 0.0
            });
            pairs[drawn.unwrap_or(4)] += 1;
            match test.verdict(pairs) {
                Verdict::Open if played < 100_000 => {}
                verdict => return verdict,
            }
        }
    }

    /// 1,000 simulated matches under each hypothesis, on both scales: the errors stay within α and β
    /// by three standard deviations, and are not far below them either.
    #[test]
    fn error_rates_hold_on_simulated_matches() {
        let (matches, book) = (1_000_u32, [0.08, 0.22, 0.4, 0.22, 0.08]);
        let (alpha, beta) = (0.05, 0.1);
        for (scale, hypotheses) in [(Scale::Logistic, [0.0, 40.0]), (Scale::Normalised, [0.0, 60.0])] {
            let test = Sprt::new(hypotheses, [alpha, beta], scale).expect("a test");
            let [null, alternative] = hypotheses.map(|elo| match scale {
                Scale::Logistic => with_expectation(&book, &SHARES, super::elo::share(elo)),
                Scale::Normalised => with_distance(&book, elo / super::elo::NORMALISED * 2_f64.sqrt()),
            });
            let mut rng = Rng::new(Seed(18));
            let mut errors = |distribution: &[f64; 5], wrong: Verdict| {
                let verdicts = (0..matches).map(|_| stops(&test, distribution, &mut rng));
                f64::from(verdicts.filter(|verdict| *verdict == wrong).count() as u32) / f64::from(matches)
            };
            for (rate, found) in
                [(alpha, errors(&null, Verdict::AcceptH1)), (beta, errors(&alternative, Verdict::AcceptH0))]
            {
                let deviation = (rate * (1.0 - rate) / f64::from(matches)).sqrt();
                assert!(found < rate + 3.0 * deviation && found > rate / 3.0, "{scale:?}: {found} for {rate}");
            }
        }
    }

    /// The first results never decide alone, whatever they are.
    #[test]
    fn extreme_beginnings_have_finite_ratios() {
        for scale in [Scale::Logistic, Scale::Normalised] {
            let test = Sprt::new([0.0, 10.0], [0.05; 2], scale).expect("a test");
            for pairs in [[0; 5], [0, 0, 0, 0, 1], [1, 0, 0, 0, 0], [0, 0, 50, 0, 0], [0, 0, 0, 0, 3]] {
                let ratio = test.ratio(pairs);
                assert!(ratio.is_finite() && test.verdict(pairs) == Verdict::Open, "{scale:?} {pairs:?}: {ratio}");
            }
        }
        let [low, high] = Sprt::new([0.0, 5.0], [0.05; 2], Scale::Logistic).expect("a test").bounds();
        assert!((low + 2.944_438_979_166_44).abs() < 1e-12 && (high - 2.944_438_979_166_44).abs() < 1e-12);
    }

    #[test]
    fn tests_that_make_no_sense_are_refused() {
        let make = |hypotheses, rates| Sprt::new(hypotheses, rates, Scale::Logistic);
        assert_eq!(make([5.0, 5.0], [0.05; 2]), Err(SprtError::Hypotheses(5.0, 5.0)));
        assert!(make([0.0, f64::NAN], [0.05; 2]).is_err() && make([0.0, 2000.0], [0.05; 2]).is_err());
        assert_eq!(make([0.0, 5.0], [0.05, 0.5]), Err(SprtError::Rate(0.5)));
        assert!(make([0.0, 5.0], [f64::NAN, 0.05]).is_err());
    }
}
