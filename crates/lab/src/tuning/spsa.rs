//! SPSA: all parameters at once, from the results of games between two neighbours.
//!
//! With every parameter scaled to [0, 1], in round k = 1, 2, …, K:
//!
//! > Δᵢ = ±1 at random,  cₖ = c·(K/k)^0.101,  aₖ = a·((A + K)/(A + k))^0.602,  A = K/10
//! > θ ← θ + aₖ·(2s − 1)/(2·cₖ)·Δ
//!
//! where s in [0, 1] is the score of θ + cₖΔ against θ − cₖΔ. So a and c are the gains of the last
//! round. 2s − 1 is an unbiased estimate of the difference of two strengths, at the price of one
//! match whatever the number of parameters.
//!
//! Parameters stay within their ranges; neighbours beyond an end are moved back to it. The answer is
//! the mean of θ over the last half of the rounds, which varies less than the last θ (Polyak &
//! Juditsky 1992).
//!
//! References: Spall, "Multivariate stochastic approximation using a simultaneous perturbation
//! gradient approximation", 1992; the exponents and A are those of Spall 1998, as in the tuning of
//! chess programs.

use tesuji_core::{Rng, Seed};

const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;

/// The range of a parameter and where the search begins.
#[derive(Clone, PartialEq, Debug)]
pub struct Range {
    /// Its name.
    pub name: String,
    /// The least value.
    pub low: f64,
    /// The greatest.
    pub high: f64,
    /// The first.
    pub start: f64,
}

/// A range that is none.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum RangeError {
    /// Its ends are no numbers, or in the wrong order.
    #[error("{name}: the range from {low} to {high} is empty; the lower end comes first")]
    Empty {
        /// The parameter.
        name: String,
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
    },
    /// The start lies outside.
    #[error("{name}: the start {start} lies outside of {low} to {high}")]
    Start {
        /// The parameter.
        name: String,
        /// The start.
        start: f64,
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
    },
}

impl Range {
    /// A range.
    ///
    /// # Errors
    /// If it is empty or the start lies outside.
    pub fn new(name: &str, low: f64, high: f64, start: f64) -> Result<Range, RangeError> {
        let name = name.to_string();
        if !(low.is_finite() && high.is_finite() && low < high) {
            return Err(RangeError::Empty { name, low, high });
        }
        if !(low..=high).contains(&start) {
            return Err(RangeError::Start { name, start, low, high });
        }
        Ok(Range { name, low, high, start })
    }

    fn value(&self, scaled: f64) -> f64 {
        self.low + (self.high - self.low) * scaled
    }
}

/// The gains of the last round, for parameters in [0, 1].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gains {
    /// a: how far a won match moves the parameters.
    pub step: f64,
    /// c: how far neighbours are from the parameters.
    pub perturbation: f64,
}

impl Default for Gains {
    fn default() -> Gains {
        Gains { step: 0.002, perturbation: 0.05 }
    }
}

/// What a tuning found.
#[derive(Clone, PartialEq, Debug)]
pub struct Tuned {
    /// The mean of the parameters over the last half of the rounds.
    pub values: Vec<f64>,
    /// The parameters after every round.
    pub path: Vec<Vec<f64>>,
}

/// Tunes for this many rounds. `score` gets the number of the round and two neighbours and answers
/// the score of the first against the second, in [0, 1].
///
/// # Errors
/// The first error of `score`.
pub fn spsa<F>(
    ranges: &[Range],
    rounds: u32,
    gains: Gains,
    seed: Seed,
    mut score: impl FnMut(u32, &[f64], &[f64]) -> Result<f64, F>,
) -> Result<Tuned, F> {
    let mut rng = Rng::new(seed);
    let mut at: Vec<f64> = ranges.iter().map(|range| (range.start - range.low) / (range.high - range.low)).collect();
    let values =
        |scaled: &[f64]| -> Vec<f64> { ranges.iter().zip(scaled).map(|(range, at)| range.value(*at)).collect() };
    let last = f64::from(rounds);
    let stability = last / 10.0;
    let mut path = Vec::with_capacity(rounds as usize);
    for round in 1..=rounds {
        let number = f64::from(round);
        let reach = gains.perturbation * libm::pow(last / number, GAMMA);
        let gain = gains.step * libm::pow((stability + last) / (stability + number), ALPHA);
        let signs: Vec<f64> = at.iter().map(|_| if rng.below(2) == 0 { 1.0 } else { -1.0 }).collect();
        let beside = |side: f64| -> Vec<f64> {
            at.iter().zip(&signs).map(|(at, sign)| (at + side * reach * sign).clamp(0.0, 1.0)).collect()
        };
        let result = 2.0 * score(round, &values(&beside(1.0)), &values(&beside(-1.0)))? - 1.0;
        for (at, sign) in at.iter_mut().zip(&signs) {
            *at = (*at + gain * result / (2.0 * reach) * sign).clamp(0.0, 1.0);
        }
        path.push(values(&at));
    }
    let tail = &path[path.len() / 2..];
    let mean = |number: usize| tail.iter().map(|values| values[number]).sum::<f64>() / tail.len() as f64;
    let answer = if tail.is_empty() { values(&at) } else { (0..ranges.len()).map(mean).collect() };
    Ok(Tuned { values: answer, path })
}

#[cfg(test)]
mod tests {
    use super::{Gains, Range, spsa};
    use tesuji_core::{Rng, Seed};

    /// The strength of an agent with these parameters: 300 Elo lost at a distance of 1 (scaled).
    fn strength(values: &[f64], optimum: &[f64], widths: &[f64]) -> f64 {
        let far = |((value, best), width): ((&f64, &f64), &f64)| ((value - best) / width).powi(2);
        -300.0 * values.iter().zip(optimum).zip(widths).map(far).sum::<f64>()
    }

    /// A match of some games between two strengths, with noise as in real ones.
    fn played(one: f64, other: f64, games: u32, rng: &mut Rng) -> f64 {
        let chance = 1.0 / (1.0 + 10_f64.powf((other - one) / 400.0));
        let wins = (0..games).filter(|_| f64::from(rng.below(1_000_000)) < chance * 1e6).count();
        wins as f64 / f64::from(games)
    }

    #[test]
    fn it_finds_a_planted_optimum() {
        let ranges = [
            Range::new("c", 0.0, 2.0, 1.8).expect("a range"),
            Range::new("bias", -10.0, 10.0, -9.0).expect("a range"),
            Range::new("k", 100.0, 1_100.0, 200.0).expect("a range"),
        ];
        let (optimum, widths) = ([0.6, 4.0, 800.0], [2.0, 20.0, 1_000.0]);
        for seed in 0..5 {
            let mut noise = Rng::new(Seed(1_000 + seed));
            let tuned = spsa(&ranges, 3_000, Gains::default(), Seed(seed), |_, one, other| {
                let of = |values: &[f64]| strength(values, &optimum, &widths);
                Ok::<_, String>(played(of(one), of(other), 16, &mut noise))
            })
            .expect("no failure");
            for ((found, best), width) in tuned.values.iter().zip(optimum).zip(widths) {
                assert!((found - best).abs() < 0.1 * width, "seed {seed}: {:?}", tuned.values);
            }
            let lost = strength(&tuned.values, &optimum, &widths);
            let before = strength(&[1.8, -9.0, 200.0], &optimum, &widths);
            assert!(lost > before / 20.0, "seed {seed}: {lost:.1} Elo below the best, {before:.1} at the start");
        }
    }

    /// Without noise and with one parameter it is gradient ascent: closer with every quarter.
    #[test]
    fn it_climbs_without_noise_and_repeats() {
        let range = [Range::new("x", 0.0, 1.0, 0.1).expect("a range")];
        let run = |seed| {
            let score = |_, one: &[f64], other: &[f64]| {
                let of = |x: f64| -(x - 0.7) * (x - 0.7);
                Ok::<_, String>(0.5 + (of(one[0]) - of(other[0])))
            };
            spsa(&range, 400, Gains { step: 0.01, perturbation: 0.02 }, Seed(seed), score).expect("no failure")
        };
        let tuned = run(3);
        let far = |round: usize| (tuned.path[round - 1][0] - 0.7).abs();
        assert!(far(100) > far(200) && far(200) > far(400) && far(400) < 0.02, "{} {}", far(100), far(400));
        assert_eq!(tuned, run(3), "the seed decides");
    }

    /// An optimum beyond a range is found at its end, and no neighbour lies outside.
    #[test]
    fn it_stays_in_its_ranges() {
        let range = [Range::new("x", 1.0, 3.0, 2.0).expect("a range")];
        let tuned = spsa(&range, 500, Gains { step: 0.02, perturbation: 0.1 }, Seed(1), |_, one, other| {
            assert!(one.iter().chain(other).all(|x| (1.0..=3.0).contains(x)));
            Ok::<_, String>(if one[0] > other[0] { 1.0 } else { 0.0 })
        });
        assert!(tuned.expect("no failure").values[0] > 2.9);
        let none = spsa(&range, 0, Gains::default(), Seed(1), |_, _, _| Err("not asked")).expect("no round");
        assert_eq!(none.values, [2.0]);
        assert!(spsa(&range, 3, Gains::default(), Seed(1), |_, _, _| Err("lost")).is_err());
    }

    #[test]
    fn ranges_are_checked() {
        assert!(Range::new("x", 2.0, 1.0, 1.5).is_err());
        assert!(Range::new("x", f64::NAN, 1.0, 0.5).is_err());
        let outside = Range::new("x", 0.0, 1.0, 1.5).expect_err("outside");
        assert_eq!(outside.to_string(), "x: the start 1.5 lies outside of 0 to 1");
    }
}
