//! The bootstrap interval of a geometric mean of ratios.
//!
//! Work on the same positions is compared by its ratio, and ratios are averaged by the geometric
//! mean: twice and half cancel out. The interval is the percentile bootstrap's: positions are drawn
//! with replacement, as many as there are, many times over, and the middle 95 % of the means are the
//! interval. A position stays together with its ratio, so nothing is assumed of the distribution.
//! (Efron 1979.)

use super::sample::Sample;
use super::{Confidence, Interval};
use tesuji_core::{Rng, Seed};

/// The geometric mean of positive, finite ratios, with its interval from this number of draws. The
/// same seed gives the same interval. Nothing without ratios or draws, or if a ratio is not
/// positive and finite.
#[must_use]
pub fn geometric_mean(ratios: &[f64], draws: u32, seed: Seed, confidence: Confidence) -> Option<Interval> {
    let count = u32::try_from(ratios.len()).ok().filter(|count| *count > 0)?;
    if ratios.iter().any(|ratio| !(*ratio > 0.0 && ratio.is_finite())) {
        return None;
    }
    let logarithms: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
    let estimate = logarithms.iter().sum::<f64>() / f64::from(count);
    let mut rng = Rng::new(seed);
    let mut draw = || (0..count).map(|_| logarithms[rng.below(count) as usize]).sum::<f64>() / f64::from(count);
    let means = Sample::new((0..draws).map(|_| draw()).collect())?;
    let (low, high) = (means.quantile(confidence.tail()), means.quantile(1.0 - confidence.tail()));
    Some(Interval { estimate, low, high }.map(f64::exp))
}

#[cfg(test)]
mod tests {
    use super::geometric_mean;
    use crate::statistics::Confidence;
    use tesuji_core::{Rng, Seed};

    const P95: Confidence = Confidence::P95;

    #[test]
    fn twice_and_half_cancel_out() {
        let found = geometric_mean(&[2.0, 0.5, 4.0, 0.25], 1_000, Seed(1), P95).expect("ratios");
        assert!((found.estimate - 1.0).abs() < 1e-15 && found.low < 0.6 && found.high > 1.7, "{found:?}");
        assert_eq!(Some(found), geometric_mean(&[2.0, 0.5, 4.0, 0.25], 1_000, Seed(1), P95));
        assert_ne!(Some(found), geometric_mean(&[2.0, 0.5, 4.0, 0.25], 1_000, Seed(2), P95));
        for wrong in [&[][..], &[1.0, 0.0], &[1.0, f64::INFINITY], &[f64::NAN]] {
            assert_eq!(geometric_mean(wrong, 1_000, Seed(1), P95), None);
        }
        assert_eq!(geometric_mean(&[1.0], 0, Seed(1), P95), None);
    }

    /// About 95 % of the intervals of 400 samples contain the true mean.
    #[test]
    fn intervals_contain_the_planted_mean() {
        let mut rng = Rng::new(Seed(9));
        let covered = (0..400_u64).filter(|sample| {
            // Sums of twelve uniform numbers are about normal, with variance 1.
            let mut normal = || (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0;
            let ratios: Vec<f64> = (0..40).map(|_| (0.3 + 0.8 * normal()).exp()).collect();
            let found = geometric_mean(&ratios, 400, Seed(*sample), P95).expect("ratios");
            found.contains(0.3_f64.exp())
        });
        let covered = covered.count();
        assert!((364..=392).contains(&covered), "{covered} of 400");
    }
}
