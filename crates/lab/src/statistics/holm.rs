//! Holm's correction for many tests at once.
//!
//! With m tests the smallest p-value is multiplied by m, the next by m − 1, and so on; an adjusted
//! value is never below an earlier one nor above 1. Rejecting where it is at most α keeps the
//! probability of any false rejection within α, whatever the dependence of the tests. (Holm 1979.)

/// The adjusted p-values, in the order given. Values that are not numbers stay what they are and
/// count as tests.
#[must_use]
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|one, other| p_values[*one].total_cmp(&p_values[*other]));
    let mut adjusted = p_values.to_vec();
    let mut least = 0.0_f64;
    for (place, at) in order.into_iter().enumerate().filter(|(_, at)| !p_values[*at].is_nan()) {
        least = least.max(p_values[at] * (p_values.len() - place) as f64).min(1.0);
        adjusted[at] = least;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::holm;

    #[test]
    fn adjusted_by_hand() {
        let found = holm(&[0.01, 0.04, 0.03, 0.005]);
        let expected = [0.03, 0.06, 0.06, 0.02];
        assert!(found.iter().zip(expected).all(|(found, hand)| (found - hand).abs() < 1e-15), "{found:?}");
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }
}
