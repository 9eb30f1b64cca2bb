//! Relative Single Conspiracy Numbers: which side is closer to T, along a game.
//!
//! For positions P₀ … P_k of a game, with f̂ᵢ(d) the regression line of the Single Conspiracy
//! Numbers over the depths d:
//!
//! > first player to move: RSCNᵢ = f̂ᵢ(10) − f̂ᵢ₊₁(10) (none for i = k);
//! > second player to move: RSCNᵢ = f̂ᵢ(10) − f̂ᵢ₋₁(10)
//!
//! A smaller number is better for the side to move. Infinite numbers are dropped, and so are curves
//! with fewer than four remaining depths. The same fit to the minimax values gives Vlᵢ = ĝᵢ(10).
//! Averages are taken for each side.
//!
//! Reference: Zhang 2019 §4.2–4.3.2. Deviations: averages are plain means (the thesis divides by
//! the number of terms but starts the index at different places). Values of won and lost games
//! (±10,000) are dropped from Vl like infinities.

use super::{Scn, ScnDepth};
use crate::SearchError;
use tesuji_core::{Budget, EVALUATION_LIMIT, NoObserver, Player, Rng, Seed, Studied};

/// The depth at which the regression lines are evaluated.
pub const AT_DEPTH: f64 = 10.0;
/// The fewest depths of a curve that is fitted.
pub const MIN_DEPTHS: usize = 4;

/// The least-squares line through the points, evaluated at `at`; nothing for fewer than four
/// points, or if all have the same abscissa.
#[must_use]
pub fn line_at(points: &[(f64, f64)], at: f64) -> Option<f64> {
    if points.len() < MIN_DEPTHS {
        return None;
    }
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let spread: f64 = points.iter().map(|point| (point.0 - x) * (point.0 - x)).sum();
    if spread == 0.0 {
        return None;
    }
    let slope = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum::<f64>() / spread;
    Some(y + slope * (at - x))
}

/// The fitted number of a curve.
#[must_use]
pub fn number_at_ten(curve: &[ScnDepth]) -> Option<f64> {
    let points: Vec<(f64, f64)> =
        curve.iter().filter_map(|at| Some((f64::from(at.depth), at.number? as f64))).collect();
    line_at(&points, AT_DEPTH)
}

/// The fitted value of a curve.
#[must_use]
pub fn value_at_ten(curve: &[ScnDepth]) -> Option<f64> {
    let points: Vec<(f64, f64)> = curve
        .iter()
        .filter(|at| at.value.abs() < EVALUATION_LIMIT)
        .map(|at| (f64::from(at.depth), f64::from(at.value)))
        .collect();
    line_at(&points, AT_DEPTH)
}

/// The measurement of one position of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Measurement {
    /// The side to move.
    pub turn: Player,
    /// Numbers and values by depth.
    pub curve: Vec<ScnDepth>,
}

/// The averages of one side over a game.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Average {
    /// The mean relative number, if any position has one.
    pub rscn: Option<f64>,
    /// The mean fitted value.
    pub value: Option<f64>,
}

/// The relative number of every position.
#[must_use]
pub fn relative(measurements: &[Measurement]) -> Vec<Option<f64>> {
    let fitted: Vec<Option<f64>> = measurements.iter().map(|measurement| number_at_ten(&measurement.curve)).collect();
    let partner = |at: usize| match measurements[at].turn {
        Player::First => Some(at + 1),
        Player::Second => at.checked_sub(1),
    };
    (0..measurements.len())
        .map(|at| {
            let other = partner(at)
                .filter(|other| measurements.get(*other).is_some_and(|m| m.turn != measurements[at].turn))?;
            Some(fitted[at]? - fitted[other]?)
        })
        .collect()
}

/// The averages of a side along a game.
#[must_use]
pub fn average(measurements: &[Measurement], player: Player) -> Average {
    let mean = |values: Vec<f64>| (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
    let mine = |at: &usize| measurements[*at].turn == player;
    let relative = relative(measurements);
    Average {
        rscn: mean((0..measurements.len()).filter(mine).filter_map(|at| relative[at]).collect()),
        value: mean(
            (0..measurements.len()).filter(mine).filter_map(|at| value_at_ten(&measurements[at].curve)).collect(),
        ),
    }
}

/// The area under the ROC curve: the probability that a number of the first sample is smaller than
/// one of the second, ties counting half. With its standard error (Hanley & McNeil 1982); nothing
/// if a sample is empty.
#[must_use]
pub fn auc(smaller: &[f64], larger: &[f64]) -> Option<(f64, f64)> {
    if smaller.is_empty() || larger.is_empty() {
        return None;
    }
    let pair = |one: &f64, two: &f64| if one < two { 1.0 } else { f64::from(u8::from(one == two)) / 2.0 };
    let sum: f64 = smaller.iter().flat_map(|one| larger.iter().map(move |two| pair(one, two))).sum();
    let (few, many) = (smaller.len() as f64, larger.len() as f64);
    let area = sum / (few * many);
    let (both_smaller, both_larger) = (area / (2.0 - area), 2.0 * area * area / (1.0 + area));
    let square = area * area;
    let variance = area * (1.0 - area) + (few - 1.0) * (both_smaller - square) + (many - 1.0) * (both_larger - square);
    Some((area, libm::sqrt(variance.max(0.0) / (few * many))))
}

/// The 95 % confidence interval of a statistic of two lists of games by the percentile bootstrap
/// (Efron 1979): both lists are resampled with replacement `rounds` times. The statistic receives
/// the indices of the sampled games; samples for which it is undefined are dropped. Numbers of one
/// game stay together, so their dependence does not matter.
#[must_use]
pub fn bootstrap(
    games: [usize; 2],
    rounds: u32,
    seed: Seed,
    mut statistic: impl FnMut(&[usize], &[usize]) -> Option<f64>,
) -> Option<(f64, f64)> {
    let mut rng = Rng::new(seed);
    let mut drawn = [Vec::new(), Vec::new()];
    let mut found = Vec::new();
    for _ in 0..rounds {
        for (list, count) in drawn.iter_mut().zip(games) {
            list.clear();
            list.extend((0..count).map(|_| rng.below(count as u32) as usize));
        }
        found.extend(statistic(&drawn[0], &drawn[1]));
    }
    found.sort_by(f64::total_cmp);
    let at = |share: f64| found.get(((found.len() as f64 - 1.0) * share).round() as usize).copied();
    Some((at(0.025)?, at(0.975)?))
}

/// Plays a game of the search against itself, at most `plies` plies, and returns the curve of every
/// position.
///
/// # Errors
/// If the game has ended before it began, or the search cannot serve it.
pub fn self_play<P: Studied>(
    start: &P,
    scn: &Scn,
    budget: &Budget,
    plies: u32,
    seed: Seed,
) -> Result<Vec<Measurement>, SearchError> {
    let mut position = start.clone();
    let mut measurements = Vec::new();
    for ply in 0..plies {
        let (curve, report) = match scn.curve(&position, budget, seed.derive(u64::from(ply)), &mut NoObserver) {
            Err(SearchError::Ended) if ply > 0 => break,
            found => found?,
        };
        measurements.push(Measurement { turn: position.turn(), curve });
        let Some(best) = report.best else { break };
        position.play(best);
    }
    Ok(measurements)
}

#[cfg(test)]
mod tests {
    use super::{Measurement, average, line_at, number_at_ten, relative, value_at_ten};
    use crate::conspiracy::ScnDepth;
    use tesuji_core::{Player, Seed};

    fn curve(numbers: &[Option<u64>], values: &[i32]) -> Vec<ScnDepth> {
        (1..)
            .zip(numbers.iter().zip(values))
            .map(|(depth, (number, value))| ScnDepth { depth, number: *number, value: *value })
            .collect()
    }

    #[test]
    fn the_line_is_the_one_of_least_squares() {
        let points = [(1.0, 2.0), (2.0, 3.0), (3.0, 5.0), (4.0, 6.0)];
        // By hand: means 2.5 and 4, slope 7/5, so at 10: 4 + 1.4 · 7.5 = 14.5.
        assert!((line_at(&points, 10.0).expect("four points") - 14.5).abs() < 1e-12);
        assert_eq!(line_at(&points[..3], 10.0), None);
        assert_eq!(line_at(&[(1.0, 1.0); 5], 10.0), None);
    }

    #[test]
    fn infinities_are_dropped_before_the_depths_are_counted() {
        let full = curve(&[Some(1), Some(2), Some(3), Some(4)], &[10, 20, 30, 40]);
        assert!((number_at_ten(&full).expect("a line") - 10.0).abs() < 1e-12);
        assert!((value_at_ten(&full).expect("a line") - 100.0).abs() < 1e-12);
        let holes = curve(&[Some(1), None, Some(3), Some(4)], &[10, 20, 30, 10_000]);
        assert_eq!((number_at_ten(&holes), value_at_ten(&holes)), (None, None));
        let longer = curve(&[Some(1), None, Some(3), Some(4), Some(5)], &[10, 20, 30, 40, -10_000]);
        assert!((number_at_ten(&longer).expect("a line") - 10.0).abs() < 1e-12);
        assert!((value_at_ten(&longer).expect("a line") - 100.0).abs() < 1e-12);
    }

    #[test]
    fn separation_is_the_share_of_pairs_in_order() {
        let (area, _) = super::auc(&[1.0, 2.0, 3.0], &[2.0, 4.0]).expect("numbers");
        // Of six pairs 1<2, 1<4, 2<4, 3<4 and half of 2=2.
        assert!((area - 4.5 / 6.0).abs() < 1e-12);
        assert_eq!(super::auc(&[1.0], &[2.0]), Some((1.0, 0.0)));
        assert_eq!(super::auc(&[], &[2.0]), None);
    }

    /// The mean of n coin tosses lies within ½ ± 0.98/√n in 95 % of cases.
    #[test]
    fn the_bootstrap_knows_the_error_of_a_mean() {
        let throws: Vec<f64> = (0..400).map(|number| f64::from(number % 2)).collect();
        let mean = |drawn: &[usize], _: &[usize]| Some(drawn.iter().map(|at| throws[*at]).sum::<f64>() / 400.0);
        let (low, high) = super::bootstrap([400, 0], 2_000, Seed(1), mean).expect("draws");
        assert!((low - 0.451).abs() < 0.008 && (high - 0.549).abs() < 0.008, "{low} {high}");
        assert_eq!(super::bootstrap([5, 5], 100, Seed(1), |_, _| None), None);
    }

    #[test]
    fn red_looks_ahead_and_black_looks_back() {
        let flat = |number: u64, value: i32| curve(&[Some(number); 4], &[value; 4]);
        let measurement = |turn, number, value| Measurement { turn, curve: flat(number, value) };
        let (red, black) = (Player::First, Player::Second);
        let game = [
            measurement(red, 5, 100),
            measurement(black, 9, -100),
            measurement(red, 4, 120),
            measurement(black, 10, -140),
            measurement(red, 3, 300),
        ];
        let expected = [Some(-4.0), Some(4.0), Some(-6.0), Some(6.0), None];
        for (found, wanted) in relative(&game).into_iter().zip(expected) {
            assert_eq!(found.map(f64::round), wanted);
        }
        let (first, second) = (average(&game, red), average(&game, black));
        assert!((first.rscn.expect("two") + 5.0).abs() < 1e-9 && (second.rscn.expect("two") - 5.0).abs() < 1e-9);
        assert!((first.value.expect("three") - 520.0 / 3.0).abs() < 1e-9);
        assert!((second.value.expect("two") + 120.0).abs() < 1e-9);
        assert_eq!(average(&[], red), super::Average::default());
    }
}
