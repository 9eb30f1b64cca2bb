//! McNemar's exact test of two yes-or-no answers on the same cases.
//!
//! Of the problems that only one of two solvers solves, b by the first and c by the second, each is
//! equally likely to be of either kind if the solvers are equally good: b is binomial(b + c, ½).
//!
//! > p = min(1, 2·P(X ≤ min(b, c)))
//!
//! (McNemar 1947; the exact form in place of χ².)

use super::{Confidence, Interval, wilson};
use statrs::distribution::{Binomial, DiscreteCDF};

/// The result of the test.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct McNemar {
    /// Cases of the first alone.
    pub only_first: u64,
    /// Cases of the second alone.
    pub only_second: u64,
    /// The first's share of these cases, with Wilson's interval; nothing without such cases.
    pub share: Option<Interval>,
    /// The two-sided p-value.
    pub p_value: f64,
}

/// The test on cases answered with yes by the first alone and by the second alone.
#[must_use]
pub fn mcnemar(only_first: u64, only_second: u64, confidence: Confidence) -> McNemar {
    let cases = only_first + only_second;
    let fair = Binomial::new(0.5, cases).expect("½ is a probability");
    McNemar {
        only_first,
        only_second,
        share: wilson::of_successes(only_first, cases, confidence),
        p_value: (2.0 * fair.cdf(only_first.min(only_second))).min(1.0),
    }
}

#[cfg(test)]
mod tests {
    use super::mcnemar;
    use crate::statistics::Confidence;

    /// By hand: 1 of 6 both ways is 2·(1 + 6)/64; equal numbers have p = 1.
    #[test]
    fn small_cases_by_hand() {
        let p_value = |first, second| mcnemar(first, second, Confidence::P95).p_value;
        assert!((p_value(1, 5) - 14.0 / 64.0).abs() < 1e-14);
        assert!((p_value(10, 0) - 2.0 / 1024.0).abs() < 1e-14);
        assert_eq!((p_value(3, 3), p_value(0, 0)), (1.0, 1.0));
        assert_eq!(mcnemar(0, 0, Confidence::P95).share, None);
    }
}
