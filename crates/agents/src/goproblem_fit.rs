//! Fits the weights of the evaluation of life-and-death problems, for `tesuji fit goproblem`.
//!
//! **Positions.** Where problems are given, each in turn is followed for up to four random moves.
//! Else problems are generated: a random game of Go on 9×9 is stopped somewhere in its middle.
//! Around a random stone a closed region of 5 to 9 empty points is cut out ([`Region`]), once to
//! kill and once to save, and up to four random moves are played in it. A position that these moves
//! or static knowledge settle teaches nothing and is left out, as the evaluation does not ask the
//! weights about it.
//!
//! **Labels.** `go-solver` (df-pn with [`LifeAndDeath`]) solves the position for its exact value.
//! It counts as won for the defender if that is more than a half; a value of exactly a half, or
//! none within the limit of nodes, is left out.
//!
//! **Fit.** Logistic regression of the label on the features, for the defender, with a ridge
//! penalty, by Newton's method as iteratively reweighted least squares (`least_squares.rs`):
//!
//! > p = 1 / (1 + e^(−w·x)),  v = p·(1 − p),  z = w·x + (y − p) / v;  w ← argmin Σ v·(z − w·x)² + penalty
//!
//! **Quality.** Every second game, or problem, is held out. There a pair of a won and a lost
//! position counts as right if the won one has the greater value (equal values count half): the
//! area under the curve of true against false positives. The weights in force are measured on the
//! same pairs.

use crate::least_squares::Regression;
use tesuji_core::solver::Settings;
use tesuji_core::{Budget, Game, Goal, NoObserver, Position, Rng, Score, Seed, StopFlag};
use tesuji_games::go::{Go, GoRules};
pub use tesuji_games::goproblem::Problem;
pub use tesuji_games::goproblem::heuristic::{FEATURES, WEIGHTS};
use tesuji_games::goproblem::{GoProblem, LifeAndDeath, Mode, Place, Region};
use tesuji_search::Search;
use tesuji_search::proof::Advised;

/// The name of the game whose weights are fitted.
pub const GAME: &str = GoProblem::DESCRIPTION.name;

/// The longest file of a problem.
pub const MOST_BYTES: u64 = tesuji_games::goproblem::format::MOST_BYTES;

/// Random moves of a game of Go before a problem is cut out: the fewest, and how many more there
/// may be.
const OPENING: (u32, u32) = (25, 40);
/// Empty points of a region: the fewest, and how many more there may be.
const POINTS: (u32, u32) = (5, 5);
/// The most random moves in the region, plus one.
const MOVES: u32 = 5;
/// Memory of the solver.
const SOLVER_BYTES: u64 = 16 << 20;
/// Steps of Newton's method; it converges in fewer.
const STEPS: u32 = 25;
/// Thousandths of log odds in one unit of the fitted weights.
const UNIT: f64 = 1_000.0;

/// What to solve and how to fit.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Random games of Go, each of which gives up to two positions; or positions of the given
    /// problems.
    pub games: u64,
    /// Positions come from these, if there are any.
    pub problems: Vec<Problem>,
    /// The most nodes for one position.
    pub nodes: u64,
    /// λ of the regression.
    pub ridge: f64,
    /// Everything random follows from it.
    pub seed: Seed,
    /// Ends the generation early; the weights are fitted to what there is.
    pub stop: StopFlag,
}

/// A solved position.
#[derive(Clone, Copy, Debug)]
struct Sample {
    /// The game or the problem that it comes from.
    source: u64,
    features: [i32; FEATURES.len()],
    /// Whether the defender's stones are saved.
    saved: bool,
}

impl Sample {
    fn is_held_out(&self) -> bool {
        self.source % 2 == 1
    }

    fn value(&self, weights: &[i32; FEATURES.len()]) -> i32 {
        self.features.iter().zip(weights).map(|(feature, weight)| feature * weight).sum()
    }
}

/// What the fit found.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// In the order of [`FEATURES`], in thousandths of log odds.
    pub weights: [i32; FEATURES.len()],
    /// Games that were generated.
    pub games: u64,
    /// Positions that the weights were fitted to.
    pub positions: u64,
    /// Positions held out.
    pub held_out: u64,
    /// The share of pairs held out that the fitted weights order rightly.
    pub quality: f64,
    /// The same of the weights in force.
    pub quality_in_force: f64,
}

/// Why nothing was fitted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FitError {
    /// Too few positions, or all of them won or lost.
    #[error("{positions} solved positions are too few to fit weights to; more games give more")]
    TooFew {
        /// Those that were solved.
        positions: u64,
    },
}

/// A point with a stone, drawn at random.
fn stone_of(go: &Go, rng: &mut Rng) -> Option<Place> {
    let board = go.board();
    let stones: Vec<_> = board.points().filter(|point| board.stone_at(*point).is_some()).collect();
    let (column, row) = board.column_row(*stones.get(rng.below(stones.len().max(1) as u32) as usize)?);
    Some(Place { row: (go.size() - 1 - row) as u8, column: column as u8 })
}

/// A position after some random moves, if neither the rules nor static knowledge have settled it.
fn unsettled(mut position: GoProblem, rng: &mut Rng) -> Option<GoProblem> {
    for _ in 0..rng.below(MOVES) {
        position.play(position.random_move(rng)?);
    }
    (position.outcome().is_none() && position.settled().is_none()).then_some(position)
}

/// Whether the defender's stones are saved; nothing if the position is not solved, or worth a half.
fn solved(position: &GoProblem, nodes: u64) -> Option<bool> {
    let mut search = Advised::new(Settings::default(), Box::new(LifeAndDeath)).with_goal(Goal::default());
    let budget = Budget { nodes: Some(nodes), memory: Some(SOLVER_BYTES), ..Budget::default() };
    let report = search.search(position, &budget, Seed(1), &mut NoObserver).ok()?;
    let value = report.bounds.proved()?.for_player(position.problem().mode.defender());
    (value != Score::DRAW).then_some(value > Score::DRAW)
}

/// The positions of one random game, or of the next problem.
fn samples_of(plan: &Plan, game: u64) -> Vec<Sample> {
    let mut rng = Rng::new(plan.seed.derive(game));
    let sample = |position: &GoProblem, source: u64| {
        Some(Sample { source, features: position.evaluation_features(), saved: solved(position, plan.nodes)? })
    };
    if !plan.problems.is_empty() {
        let source = game % plan.problems.len() as u64;
        let start = GoProblem::new(plan.problems[source as usize].clone()).ok();
        let position = start.and_then(|start| unsettled(start, &mut rng));
        return position.and_then(|position| sample(&position, source)).into_iter().collect();
    }
    let mut go = Go::new(GoRules::on(9)).expect("9×9 is a board");
    for _ in 0..OPENING.0 + rng.below(OPENING.1) {
        let Some(mv) = go.random_move(&mut rng) else { break };
        go.play(mv);
    }
    let Some(target) = stone_of(&go, &mut rng) else { return Vec::new() };
    let generated = |mode| {
        let region = Region { points: (POINTS.0 + rng.below(POINTS.1)) as usize, closed: true };
        sample(&unsettled(region.cut(&go, target, mode)?, &mut rng)?, game)
    };
    [Mode::Kill, Mode::Save].into_iter().filter_map(generated).collect()
}

/// Weights by logistic regression; nothing if one of the two labels is missing.
fn regression(samples: &[Sample], ridge: f64) -> Option<[f64; FEATURES.len()]> {
    if !samples.iter().any(|sample| sample.saved) || samples.iter().all(|sample| sample.saved) {
        return None;
    }
    let groups: Vec<usize> = (0..FEATURES.len()).collect();
    let mut weights = [0.0; FEATURES.len()];
    for _ in 0..STEPS {
        let mut sums = Regression::new(FEATURES.len());
        for sample in samples {
            let odds: f64 =
                sample.features.iter().zip(weights).map(|(feature, weight)| f64::from(*feature) * weight).sum();
            let chance = 1.0 / (1.0 + libm::exp(-odds));
            // Certain samples still count a little, or the equations would lose their solution.
            let variance = (chance * (1.0 - chance)).max(1e-6);
            let root = variance.sqrt();
            let row: Vec<(usize, f64)> =
                sample.features.iter().map(|feature| f64::from(*feature) * root).enumerate().collect();
            sums.add(&row, (odds + (f64::from(u8::from(sample.saved)) - chance) / variance) * root);
        }
        let next = sums.solve(ridge, &groups)?;
        let change = next.iter().zip(weights).map(|(next, weight)| (next - weight).abs()).fold(0.0, f64::max);
        weights.copy_from_slice(&next);
        if change < 1e-9 {
            break;
        }
    }
    Some(weights)
}

/// The share of pairs of a saved and a lost position in which the saved one has the greater value.
fn quality(samples: &[Sample], weights: &[i32; FEATURES.len()]) -> f64 {
    let values = |saved: bool| -> Vec<i32> {
        samples.iter().filter(|sample| sample.saved == saved).map(|sample| sample.value(weights)).collect()
    };
    let (saved, lost) = (values(true), values(false));
    let right = |value: &i32, other: &i32| match value.cmp(other) {
        std::cmp::Ordering::Greater => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Less => 0.0,
    };
    let sum: f64 = saved.iter().map(|value| lost.iter().map(|other| right(value, other)).sum::<f64>()).sum();
    sum / (saved.len() * lost.len()).max(1) as f64
}

/// Generates, solves and fits; `progress` hears of the number of games done.
///
/// # Errors
/// If too little was solved.
pub fn fit(plan: &Plan, progress: &mut dyn FnMut(u64)) -> Result<Fitted, FitError> {
    let (mut samples, mut games) = (Vec::new(), 0);
    while games < plan.games && !plan.stop.is_stopped() {
        samples.extend(samples_of(plan, games));
        games += 1;
        progress(games);
    }
    let (held_out, fitted): (Vec<Sample>, Vec<Sample>) = samples.iter().partition(|sample| sample.is_held_out());
    let found = regression(&fitted, plan.ridge).filter(|_| !held_out.is_empty());
    let weights = found.ok_or(FitError::TooFew { positions: samples.len() as u64 })?;
    let weights = weights.map(|weight| (weight * UNIT).round() as i32);
    Ok(Fitted {
        weights,
        games,
        positions: fitted.len() as u64,
        held_out: held_out.len() as u64,
        quality: quality(&held_out, &weights),
        quality_in_force: quality(&held_out, &WEIGHTS),
    })
}

#[cfg(test)]
mod tests {
    use super::{FEATURES, FitError, Plan, Sample, fit, quality, regression};
    use tesuji_core::{Rng, Seed, StopFlag};

    /// Labels drawn from the logistic curve of known weights give them back.
    #[test]
    fn planted_weights_come_back() {
        let planted = [-1.0, 0.8, 0.6, 0.2, -0.1, 0.4];
        let mut rng = Rng::new(Seed(3));
        let sample = |source: u64| {
            let turn = if rng.below(2) == 0 { 1 } else { -1 };
            let features =
                [1, turn, rng.below(4) as i32, rng.below(7) as i32, rng.below(11) as i32, rng.below(7) as i32];
            let odds: f64 = features.iter().zip(planted).map(|(feature, weight)| f64::from(*feature) * weight).sum();
            Sample { source, features, saved: rng.unit() < 1.0 / (1.0 + libm::exp(-odds)) }
        };
        let samples: Vec<Sample> = (0..40_000).map(sample).collect();
        let found = regression(&samples, 1e-9).expect("both labels");
        assert!(found.iter().zip(planted).all(|(found, planted)| (found - planted).abs() < 0.1), "{found:?}");
        let weights = found.map(|weight| (weight * 1_000.0) as i32);
        assert!(quality(&samples, &weights) > quality(&samples, &[0, 0, 1, 0, 0, 0]) + 0.05);
        assert_eq!(quality(&samples, &[0; FEATURES.len()]), 0.5, "what orders nothing is right in half of the pairs");
    }

    #[test]
    fn one_label_is_not_enough() {
        let sample = Sample { source: 0, features: [1; FEATURES.len()], saved: true };
        assert_eq!(regression(&[sample; 10], 1.0), None);
    }

    /// The same seed, the same weights, no worse than the weights in force by much; a stop at the
    /// start, none.
    #[test]
    fn fits_repeat_and_stop() {
        let stop = StopFlag::new();
        let plan = Plan { games: 150, problems: Vec::new(), nodes: 2_000, ridge: 0.001, seed: Seed(1), stop };
        let (one, two) = (fit(&plan, &mut |_| ()).expect("a fit"), fit(&plan, &mut |_| ()).expect("a fit"));
        assert_eq!((one.weights, one.games), (two.weights, 150));
        assert!(one.positions > 20 && one.quality > one.quality_in_force - 0.1, "{one:?}");
        plan.stop.stop();
        assert!(matches!(fit(&plan, &mut |_| ()), Err(FitError::TooFew { positions: 0 })));
    }
}
