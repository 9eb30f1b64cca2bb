//! Student's t test on paired differences.
//!
//! > t = d̄ / (s/√n),  interval d̄ ± t(n−1)·s/√n
//!
//! with d the differences and s their standard deviation. It asks whether the mean difference is
//! 0, for differences that are about normal; node counts are compared by their logarithms.
//! (Student 1908.)

use super::confidence::student_two_sided;
use super::{Confidence, Interval};

/// The result of the test.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PairedT {
    /// The mean difference with its interval.
    pub difference: Interval,
    /// The statistic; infinite where all differences are equal and not 0, 0 where all are 0.
    pub t: f64,
    /// The number of pairs less one.
    pub freedom: u64,
    /// The two-sided p-value.
    pub p_value: f64,
}

/// The test on differences; nothing below two.
#[must_use]
pub fn paired_t(differences: &[f64], confidence: Confidence) -> Option<PairedT> {
    let count = differences.len();
    if count < 2 {
        return None;
    }
    let mean = differences.iter().sum::<f64>() / count as f64;
    let squares = differences.iter().map(|difference| (difference - mean).powi(2)).sum::<f64>();
    let error = (squares / (count - 1) as f64 / count as f64).sqrt();
    let t = if mean == 0.0 { 0.0 } else { mean / error };
    let freedom = count as u64 - 1;
    let difference = Interval::around(mean, confidence.student_reach(freedom) * error);
    Some(PairedT { difference, t, freedom, p_value: student_two_sided(t, freedom) })
}

#[cfg(test)]
mod tests {
    use super::paired_t;
    use crate::statistics::Confidence;

    /// Student's own example (1908, from Cushny and Peebles): additional hours of sleep by two
    /// drugs; t = 4.0621, p = 0.00283.
    #[test]
    fn students_sleep() {
        let differences = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4];
        let found = paired_t(&differences, Confidence::P95).expect("ten pairs");
        assert!((found.t - 4.0621).abs() < 1e-4 && (found.p_value - 0.002_83).abs() < 1e-5, "{found:?}");
        assert!((found.difference.low - 0.7001).abs() < 1e-4 && (found.difference.high - 2.4599).abs() < 1e-4);
    }

    #[test]
    fn equal_differences_are_sure_and_none_is_nothing() {
        assert_eq!(paired_t(&[1.0], Confidence::P95), None);
        let zero = paired_t(&[0.0; 4], Confidence::P95).expect("pairs");
        assert_eq!((zero.t, zero.p_value), (0.0, 1.0));
        let one = paired_t(&[1.0; 4], Confidence::P95).expect("pairs");
        assert_eq!((one.t, one.p_value), (f64::INFINITY, 0.0));
    }
}
