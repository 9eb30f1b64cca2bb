//! Wilcoxon's signed-rank test.
//!
//! The differences that are not 0 are ranked by size, equal ones sharing the mean of their ranks;
//! W⁺ is the sum of the ranks of positive differences. If both signs are equally likely for every
//! difference, W⁺ lies about n(n+1)/4. It asks nothing of the shape of the differences beyond
//! symmetry. (Wilcoxon 1945.)
//!
//! Up to [`EXACT`] differences the distribution of W⁺ is computed exactly, given the ties: it is
//! that of a sum of independent terms, each 0 or its rank with probability ½. Beyond, W⁺ counts as
//! normal with variance Σ rank²/4, which includes the correction for ties.

use super::confidence::normal_two_sided;

/// Up to this number of differences the p-value is exact.
pub const EXACT: usize = 50;

/// The result of the test.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SignedRank {
    /// The sum of the ranks of positive differences.
    pub positive: f64,
    /// The sum of the ranks of negative differences.
    pub negative: f64,
    /// Differences that are not 0.
    pub count: usize,
    /// The two-sided p-value; 1 without differences.
    pub p_value: f64,
    /// Whether the p-value is exact.
    pub exact: bool,
}

/// The test on differences; zeros are left out. Nothing if one is not a number.
#[must_use]
pub fn signed_rank(differences: &[f64]) -> Option<SignedRank> {
    if differences.iter().any(|difference| difference.is_nan()) {
        return None;
    }
    let mut ordered: Vec<f64> = differences.iter().copied().filter(|difference| *difference != 0.0).collect();
    ordered.sort_by(|one, other| one.abs().total_cmp(&other.abs()));
    // Twice the ranks, so that means of ranks are whole numbers too.
    let mut doubled: Vec<usize> = Vec::with_capacity(ordered.len());
    for tied in ordered.chunk_by(|one, other| one.abs() == other.abs()) {
        let (first, last) = (doubled.len() + 1, doubled.len() + tied.len());
        doubled.extend(std::iter::repeat_n(first + last, tied.len()));
    }
    let total: usize = doubled.iter().sum();
    let positive: usize = ordered.iter().zip(&doubled).filter(|(value, _)| **value > 0.0).map(|(_, rank)| rank).sum();
    let exact = ordered.len() <= EXACT;
    let p_value = if exact {
        exact_two_sided(&doubled, positive.min(total - positive))
    } else {
        let squares: f64 = doubled.iter().map(|rank| (*rank as f64 / 2.0).powi(2)).sum();
        normal_two_sided((positive as f64 - total as f64 / 2.0) / 2.0 / (squares / 4.0).sqrt())
    };
    Some(SignedRank {
        positive: positive as f64 / 2.0,
        negative: (total - positive) as f64 / 2.0,
        count: ordered.len(),
        p_value,
        exact,
    })
}

/// Twice the probability that the sum of some of these ranks is at most `least`, at most 1.
fn exact_two_sided(ranks: &[usize], least: usize) -> f64 {
    let mut probabilities = vec![0.0; least + 1];
    probabilities[0] = 1.0;
    for rank in ranks {
        for sum in (0..=least).rev() {
            let with = if sum >= *rank { probabilities[sum - rank] } else { 0.0 };
            probabilities[sum] = f64::midpoint(probabilities[sum], with);
        }
    }
    (2.0 * probabilities.iter().sum::<f64>()).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::{exact_two_sided, signed_rank};

    /// Table of critical values (Wilcoxon 1945 and any textbook): with 8 differences the sums up to
    /// 3 have p = 10/256 both ways, with 5 all of one sign 2/32.
    #[test]
    fn exact_probabilities_by_hand() {
        let found = signed_rank(&[-1.0, -2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]).expect("numbers");
        assert_eq!((found.negative, found.positive, found.count), (3.0, 33.0, 8));
        // Sums 0, 1, 2 and 3 (as 3 and 1 + 2): five ways of 256, both sides.
        assert!((found.p_value - 10.0 / 256.0).abs() < 1e-15 && found.exact, "{found:?}");
        let all = signed_rank(&[0.1, 0.2, 0.3, 0.4, 0.5]).expect("numbers");
        assert!((all.p_value - 2.0 / 32.0).abs() < 1e-15, "{all:?}");
    }

    /// Ties share ranks: 1, 1, −1 are all of rank 2; W⁻ = 2 or less in 1 + 3 of 8 ways.
    #[test]
    fn ties_and_zeros() {
        let found = signed_rank(&[1.0, 0.0, 1.0, -1.0]).expect("numbers");
        assert_eq!((found.positive, found.negative, found.count), (4.0, 2.0, 3));
        assert_eq!(found.p_value, 1.0);
        assert_eq!(signed_rank(&[0.0, -0.0]).map(|found| found.p_value), Some(1.0));
        assert_eq!(signed_rank(&[1.0, f64::NAN]), None);
    }

    /// Just beyond the border the normal approximation agrees with the exact value.
    #[test]
    fn the_normal_tail_joins_the_exact_one() {
        let differences: Vec<f64> = (1..=51).map(|x| if x % 3 == 0 { -f64::from(x) } else { f64::from(x) }).collect();
        let normal = signed_rank(&differences).expect("numbers");
        let doubled: Vec<usize> = (1..=51).map(|rank| 2 * rank).collect();
        let exact = exact_two_sided(&doubled, (2.0 * normal.negative) as usize);
        assert!(!normal.exact && signed_rank(&differences[..50]).is_some_and(|found| found.exact));
        assert!((exact - normal.p_value).abs() < 0.001, "{exact} {normal:?}");
    }
}
