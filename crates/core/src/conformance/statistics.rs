//! The two chi-square tests of the kit.
//!
//! Seeds are fixed, so a test that passes passes for ever; the threshold only
//! decides how rarely a correct game is refused when it is first written.

use statrs::distribution::{ChiSquared, ContinuousCDF};

/// How improbable a sample may be before it counts as a violation.
const LEAST_PROBABILITY: f64 = 1e-6;

fn tail(chi_square: f64, freedom: usize) -> f64 {
    if freedom == 0 {
        return 1.0;
    }
    let distribution = ChiSquared::new(freedom as f64).expect("a positive number of degrees of freedom");
    1.0 - distribution.cdf(chi_square)
}

/// Whether the counts could come from a uniform distribution; otherwise says how improbable that
/// is.
pub(super) fn uniform(counts: &[u64]) -> Result<(), String> {
    let total: u64 = counts.iter().sum();
    let expected = total as f64 / counts.len() as f64;
    let chi_square = counts.iter().map(|&count| (count as f64 - expected).powi(2) / expected).sum();
    verdict(tail(chi_square, counts.len() - 1))
}

/// Whether two samples of equal size could come from one distribution over ordered categories.
pub(super) fn same(one: &[i64], two: &[i64]) -> Result<(), String> {
    assert_eq!(one.len(), two.len(), "samples of equal size are compared");
    let mut pooled: Vec<i64> = one.iter().chain(two).copied().collect();
    pooled.sort_unstable();
    // Cut the ordered values into bins of at least a sixteenth of the sample each.
    let least = (pooled.len() / 16).max(10);
    let mut upper_edges = Vec::new();
    let mut in_bin = 0;
    for (at, value) in pooled.iter().enumerate() {
        in_bin += 1;
        let last_of_its_value = pooled.get(at + 1) != Some(value);
        if in_bin >= least && last_of_its_value {
            upper_edges.push(*value);
            in_bin = 0;
        }
    }
    let bin = |value: i64| upper_edges.partition_point(|edge| *edge < value);
    let mut counts = vec![[0_u64; 2]; upper_edges.len() + 1];
    for (which, sample) in [one, two].into_iter().enumerate() {
        for value in sample {
            counts[bin(*value)][which] += 1;
        }
    }
    counts.retain(|[a, b]| a + b > 0);
    let chi_square = counts.iter().map(|&[a, b]| (a as f64 - b as f64).powi(2) / (a + b) as f64).sum();
    verdict(tail(chi_square, counts.len() - 1))
}

fn verdict(probability: f64) -> Result<(), String> {
    if probability < LEAST_PROBABILITY {
        return Err(format!("chance makes such a sample with probability {probability:.1e}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{same, tail, uniform};

    /// Published critical values of the chi-square distribution.
    #[test]
    fn tails_match_printed_tables() {
        for (chi_square, freedom, probability) in [(3.841, 1, 0.05), (18.307, 10, 0.05), (29.588, 10, 0.001)] {
            assert!((tail(chi_square, freedom) - probability).abs() < 1e-4);
        }
    }

    #[test]
    fn crooked_samples_are_refused() {
        assert!(uniform(&[1000, 1010, 990]).is_ok());
        assert!(uniform(&[1000, 1300, 990]).is_err());
        let straight: Vec<i64> = (0..4000).map(|n| n % 5).collect();
        let crooked: Vec<i64> = (0..4000).map(|n| (n % 11).min(4)).collect();
        assert!(same(&straight, &straight).is_ok());
        assert!(same(&straight, &crooked).is_err());
    }
}
