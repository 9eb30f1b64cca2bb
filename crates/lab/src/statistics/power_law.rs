//! How a cost grows: y ≈ a·x^b.
//!
//! The least-squares line through the logarithms, with its exponent's interval:
//!
//! > b = Σ(x−x̄)(y−ȳ) / Σ(x−x̄)²,  R² = (Σ(x−x̄)(y−ȳ))² / (Σ(x−x̄)²·Σ(y−ȳ)²)
//! > s² = (1−R²)·Σ(y−ȳ)² / (n−2),  b ± t(n−2)·s/√Σ(x−x̄)²
//!
//! A fit is refused where it would say nothing: too few sizes, a narrow range of sizes, or an
//! exponent that the measurements leave open by more than [`WIDEST`] at 95 %. The last is the sign of
//! runs too short to time: R² alone would refuse a cost that does not grow and accept a steep one
//! that is poorly known.

use super::{Confidence, Interval};

/// The fewest different sizes.
pub const FEWEST: usize = 5;
/// The least ratio of the largest size to the smallest.
pub const NARROWEST: f64 = 2.0;
/// The widest reach of the exponent's 95 % interval: exponents half a unit apart must not be
/// confused.
pub const WIDEST: f64 = 0.25;

/// y ≈ factor · x^exponent.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PowerLaw {
    /// The slope in logarithms, with its 95 % interval.
    pub exponent: Interval,
    /// The value at x = 1.
    pub factor: f64,
    /// The share of the variance of ln y that the line explains.
    pub r_squared: f64,
}

/// Why there is no fit.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
pub enum FitError {
    /// Logarithms need positive numbers.
    #[error("measurement {0} is not positive and finite: a power law needs positive sizes and costs")]
    NotPositive(usize),
    /// Too few different sizes.
    #[error("{0} different sizes are too few for a power law: {FEWEST} are needed")]
    TooFew(usize),
    /// The sizes lie close together.
    #[error("the largest size is only {0:.2} times the smallest: a power law needs at least {NARROWEST} times")]
    Narrow(f64),
    /// The exponent is left open.
    #[error(
        "the exponent would be {exponent:.2} ± {reach:.2} (95 %, R² = {r_squared:.2}): too uncertain for a power law, \
         which needs ± {WIDEST} or less; measure longer or over a wider range of sizes"
    )]
    Uncertain {
        /// What the line says.
        exponent: f64,
        /// How far its interval reaches.
        reach: f64,
        /// The share of the variance that the line explains.
        r_squared: f64,
    },
}

impl PowerLaw {
    /// The law through measurements of (size, cost).
    ///
    /// # Errors
    /// If the measurements do not determine a law; the error says what would.
    pub fn fit(points: &[(f64, f64)]) -> Result<PowerLaw, FitError> {
        let positive = |number: f64| number > 0.0 && number.is_finite();
        if let Some(at) = points.iter().position(|&(x, y)| !positive(x) || !positive(y)) {
            return Err(FitError::NotPositive(at + 1));
        }
        let mut sizes: Vec<f64> = points.iter().map(|point| point.0).collect();
        sizes.sort_by(f64::total_cmp);
        sizes.dedup();
        if sizes.len() < FEWEST {
            return Err(FitError::TooFew(sizes.len()));
        }
        let range = sizes[sizes.len() - 1] / sizes[0];
        if range < NARROWEST {
            return Err(FitError::Narrow(range));
        }
        let logarithms: Vec<(f64, f64)> = points.iter().map(|&(x, y)| (x.ln(), y.ln())).collect();
        let count = logarithms.len();
        let mean = |of: &dyn Fn(&(f64, f64)) -> f64| logarithms.iter().map(of).sum::<f64>() / count as f64;
        let (mean_x, mean_y) = (mean(&|point| point.0), mean(&|point| point.1));
        let sum =
            |of: &dyn Fn(f64, f64) -> f64| logarithms.iter().map(|&(x, y)| of(x - mean_x, y - mean_y)).sum::<f64>();
        let (xx, xy, yy) = (sum(&|x, _| x * x), sum(&|x, y| x * y), sum(&|_, y| y * y));
        let exponent = xy / xx;
        let r_squared = if yy > 0.0 { xy * xy / (xx * yy) } else { 1.0 };
        let left = sum(&|x, y| (y - exponent * x).powi(2));
        let error = (left / (count - 2) as f64 / xx).sqrt();
        let reach = Confidence::P95.student_reach(count as u64 - 2) * error;
        if reach > WIDEST {
            return Err(FitError::Uncertain { exponent, reach, r_squared });
        }
        let factor = (mean_y - exponent * mean_x).exp();
        Ok(PowerLaw { exponent: Interval::around(exponent, reach), factor, r_squared })
    }
}

#[cfg(test)]
mod tests {
    use super::{FitError, PowerLaw};
    use tesuji_core::{Rng, Seed};

    fn measured(noise: f64, seed: u64) -> Vec<(f64, f64)> {
        let mut rng = Rng::new(Seed(seed));
        let mut normal = move || (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0;
        (5..=25).map(|n| (f64::from(n), 3.0 * f64::from(n).powf(2.5) * (noise * normal()).exp())).collect()
    }

    #[test]
    fn a_power_law_is_found_again() {
        let law = PowerLaw::fit(&measured(0.0, 1)).expect("a law");
        assert!((law.exponent.estimate - 2.5).abs() < 1e-9 && (law.factor - 3.0).abs() < 1e-9);
        assert!(law.r_squared > 0.999_999);
        let flat: Vec<(f64, f64)> = (1..=9).map(|n| (f64::from(n), 7.0)).collect();
        let law = PowerLaw::fit(&flat).expect("a cost that does not grow");
        assert!(law.exponent.estimate.abs() < 1e-12 && (law.factor - 7.0).abs() < 1e-12, "{law:?}");
    }

    /// Intervals of noisy measurements contain the planted exponent 95 % of the time.
    #[test]
    fn intervals_contain_the_planted_exponent() {
        let inside = (0..4_000).filter(|seed| {
            let law = PowerLaw::fit(&measured(0.1, *seed)).expect("a law");
            law.exponent.contains(2.5)
        });
        let inside = inside.count();
        // 3,800 are expected; three standard deviations are 41.
        assert!((3_759..=3_841).contains(&inside), "{inside} of 4,000");
    }

    /// Two seconds of playouts on 21 boards once gave the exponent 1.35 with R² = 0.69; such a run
    /// is refused with its numbers.
    #[test]
    fn runs_too_short_to_fit_are_refused() {
        let refused = (0..20).filter_map(|seed| PowerLaw::fit(&measured(0.9, seed)).err());
        let refused: Vec<FitError> = refused.collect();
        assert_eq!(refused.len(), 20);
        assert!(refused.iter().all(|error| matches!(error, FitError::Uncertain { .. })), "{refused:?}");
        assert!(refused[0].to_string().contains("measure longer"), "{}", refused[0]);
    }

    #[test]
    fn what_determines_no_law_is_refused() {
        assert_eq!(PowerLaw::fit(&[(2.0, 1.0), (3.0, 2.0)]), Err(FitError::TooFew(2)));
        assert_eq!(PowerLaw::fit(&[(2.0, 1.0), (3.0, 0.0)]), Err(FitError::NotPositive(2)));
        let close: Vec<(f64, f64)> = (20..26).map(|n| (f64::from(n), 1.0)).collect();
        assert_eq!(PowerLaw::fit(&close), Err(FitError::Narrow(1.25)));
    }
}
