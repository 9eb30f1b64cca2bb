//! Fits the weights of Othello's evaluation to games of self-play, for `tesuji fit othello`.
//!
//! **Games.** A game begins with 4 to 36 random discs, so that all stages see positions that are
//! not even, and goes on by alpha-beta of a fixed depth. A first round, a quarter of the games, is
//! played by weights that know only mobility and corners; what is fitted to them plays the second
//! round, and the table is fitted to that one. So the result does not depend on the weights in
//! force.
//!
//! **Labels.** From `exact` empty squares on, every position is solved; the positions before get
//! the value of the first solved one. Positions of the random beginning are left out.
//!
//! **Fit.** Ridge regression of the final margin on the features (`least_squares.rs`), each times
//! two hat functions of the number of empty squares: the weights at the knots, straight in between.
//! Every fifth game is held out. There the error is measured, beside that of the evaluation in
//! force, which is given the best factor for every stage, as its points need not be discs. The
//! scale is that of the logistic curve that fits who won best.
//!
//! **Match.** Pairs of games from the same random opening, colours exchanged, the new weights
//! against the evaluation in force.

use crate::least_squares::Regression;
use tesuji_core::{Budget, Endgame, Evaluation, Game, NoObserver, Player, Position, Rng, Seed, StopFlag, Studied};
use tesuji_games::othello::heuristic::{FEATURES, KNOTS, NAMES, WeightedFeatures, Weights, features};
use tesuji_games::othello::{Empties, Othello, OthelloEndgame};
use tesuji_search::SearchError;
use tesuji_search::minimax::alphabeta::{AlphaBeta, Options};

/// The game whose weights are fitted.
pub const GAME: &str = Othello::DESCRIPTION.name;

/// What to play and how to fit.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Games of the second round; the first has a quarter of them.
    pub games: u64,
    /// Plies the players look ahead.
    pub depth: u32,
    /// Positions with this many empty squares or fewer are solved.
    pub exact: u32,
    /// λ of the regression.
    pub ridge: f64,
    /// Everything random follows from it.
    pub seed: Seed,
    /// Thrown to get the fit to what has been played so far.
    pub stop: StopFlag,
}

impl Plan {
    fn first_round(&self) -> u64 {
        self.games.div_ceil(4).max(10)
    }

    /// Games of both rounds.
    #[must_use]
    pub fn all_games(&self) -> u64 {
        self.first_round() + self.games
    }
}

/// Random discs at the beginning of a game: at least, and at most.
const OPENING: (u32, u32) = (4, 36);
/// Hundredths of a disc.
const DISC: f64 = 100.0;
/// Memory of the endgame solver.
const ENDGAME_BYTES: u64 = 16 << 20;

/// A position with its result.
#[derive(Clone, Debug)]
struct Sample {
    game: u64,
    empties: u32,
    features: [i32; FEATURES],
    /// The final margin, for the first player.
    margin: i32,
    /// What the evaluation in force says.
    in_force: i32,
}

impl Sample {
    fn is_held_out(&self) -> bool {
        self.game % 5 == 4
    }
}

/// The error at a stage of the game, on games the fit has not seen.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StageError {
    /// The fewest empty squares of the stage.
    pub from: u32,
    /// And the most.
    pub to: u32,
    /// Positions held out.
    pub positions: u64,
    /// Spread of the margins, in discs: the error of knowing nothing.
    pub spread: f64,
    /// Root of the mean squared error of the new weights, in discs.
    pub fitted: f64,
    /// The same of the evaluation in force.
    pub in_force: f64,
}

impl StageError {
    /// The share of the variance that an error leaves unexplained, taken from 1.
    #[must_use]
    pub fn explained(&self, error: f64) -> f64 {
        1.0 - (error * error) / (self.spread * self.spread)
    }
}

/// What the fit found.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The table.
    pub weights: Weights,
    /// Games of the second round that were played to the end.
    pub games: u64,
    /// Positions the table was fitted to.
    pub positions: u64,
    /// Errors by stage, then over all.
    pub errors: Vec<StageError>,
}

/// Why nothing was fitted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FitError {
    /// Stopped too early.
    #[error("{games} games are too few to fit weights to; at least 10 are needed")]
    TooFew {
        /// Games that were played.
        games: u64,
    },
    /// The equations have no solution.
    #[error("the positions do not tell the features apart; a larger ridge or more games would")]
    Singular,
    /// A search failed.
    #[error(transparent)]
    Search(#[from] SearchError),
}

/// The weights of the first round: a disc a move, eight a corner.
fn plain() -> Weights {
    let row = std::array::from_fn(|number| match NAMES[number] {
        "mobility" => 100,
        "corners" => 800,
        _ => 0,
    });
    Weights::new([row; KNOTS.len()], 1_000)
}

fn start() -> Othello {
    Othello::new(8, Empties::None).expect("8 is a size")
}

/// A player that searches to this depth.
fn player() -> AlphaBeta {
    AlphaBeta::new(Options { bytes: 1 << 20, ..Options::default() })
}

/// Plays a game and adds its positions; nothing if it was stopped.
fn play(
    plan: &Plan,
    (player, solver): (&mut AlphaBeta, &mut OthelloEndgame),
    weights: &WeightedFeatures,
    in_force: &dyn Evaluation<Othello>,
    (game, seed): (u64, Seed),
    samples: &mut Vec<Sample>,
) -> Result<Option<()>, SearchError> {
    let mut rng = Rng::new(seed);
    let discs = OPENING.0 + rng.below(OPENING.1 - OPENING.0 + 1);
    let Ok(mut position) = start().after_random_plies(discs, rng.next_u64()) else { return Ok(Some(())) };
    let budget = Budget { depth: Some(plan.depth), stop: plan.stop.clone(), ..Budget::default() };
    let first = samples.len();
    let mut waiting = first;
    while position.outcome().is_none() {
        let empties = position.empty().count_ones();
        let sample =
            Sample { game, empties, features: features(&position), margin: 0, in_force: in_force.evaluate(&position) };
        samples.push(sample);
        if empties <= plan.exact {
            let mut meter = Budget { stop: plan.stop.clone(), ..Budget::default() }.meter();
            let solved = solver.solve(&position, ENDGAME_BYTES, &mut meter, &mut |_, _| ());
            samples[waiting..].iter_mut().for_each(|sample| sample.margin = solved.least);
            waiting = samples.len();
        }
        let report = player.search_by(Some(weights), &position, &budget, Seed(rng.next_u64()), &mut NoObserver)?;
        let Some(best) = report.best.filter(|_| !plan.stop.is_stopped()) else {
            samples.truncate(first);
            return Ok(None);
        };
        position.play(best);
    }
    // A game that ended before anything was solved.
    let margin = position.outcome().map_or(0, |outcome| outcome.margin);
    samples[waiting..].iter_mut().for_each(|sample| sample.margin = margin);
    Ok(Some(()))
}

/// The columns of a sample: its features, shared between two knots.
fn row(sample: &Sample) -> Vec<(usize, f64)> {
    let (below, share) = Weights::place(sample.empties);
    let at = |knot: usize, part: f64| {
        let all = sample.features.iter().enumerate();
        all.map(move |(number, feature)| (knot * FEATURES + number, part * f64::from(*feature)))
    };
    at(below, 1.0 - share).chain(at(below + 1, share)).filter(|(_, number)| *number != 0.0).collect()
}

/// The weights that explain these samples best, in hundredths of a disc.
fn regress(samples: &[&Sample], ridge: f64) -> Result<[[i32; FEATURES]; KNOTS.len()], FitError> {
    let mut regression = Regression::new(KNOTS.len() * FEATURES);
    for sample in samples {
        regression.add(&row(sample), f64::from(sample.margin));
    }
    let groups: Vec<usize> = (0..KNOTS.len() * FEATURES).map(|column| column % FEATURES).collect();
    let found = regression.solve(ridge, &groups).ok_or(FitError::Singular)?;
    Ok(std::array::from_fn(|knot| {
        std::array::from_fn(|number| (DISC * found[knot * FEATURES + number]).round() as i32)
    }))
}

/// The value of a sample by its features, in points.
fn value(weights: &Weights, sample: &Sample) -> f64 {
    let (below, share) = Weights::place(sample.empties);
    let at = |knot: usize| -> f64 {
        let row = &weights.knots()[knot];
        sample.features.iter().zip(row).map(|(feature, weight)| f64::from(feature * weight)).sum()
    };
    at(below) * (1.0 - share) + at(below + 1) * share
}

/// The scale for which 1/(1 + e^(−value/scale)) makes the results most likely, a draw being half of
/// each: Newton's method on 1/scale.
fn scale(weights: &Weights, samples: &[&Sample]) -> u32 {
    let pairs: Vec<(f64, f64)> = samples
        .iter()
        .map(|sample| (value(weights, sample) / DISC, f64::from(sample.margin.signum() + 1) / 2.0))
        .collect();
    let mut slope = 0.1;
    for _ in 0..50 {
        let (mut first, mut second) = (0.0, 1e-9);
        for (value, result) in &pairs {
            let chance = 1.0 / (1.0 + libm::exp(-slope * value));
            first += (result - chance) * value;
            second += chance * (1.0 - chance) * value * value;
        }
        // Not more than double or half at once: far from the answer the curve is flat.
        slope = (slope + first / second).clamp(slope / 2.0, slope * 2.0);
    }
    (DISC / slope).round().clamp(1.0, 9_999.0) as u32
}

/// The weights and the scale of these samples.
fn table(samples: &[Sample], ridge: f64) -> Result<Weights, FitError> {
    let seen: Vec<&Sample> = samples.iter().filter(|sample| !sample.is_held_out()).collect();
    let knots = regress(&seen, ridge)?;
    let scale = scale(&Weights::new(knots, 1), &seen);
    Ok(Weights::new(knots, scale))
}

/// Errors on the games held out, by tens of empty squares and over all.
fn errors(weights: &Weights, samples: &[Sample]) -> Vec<StageError> {
    let stages = KNOTS.windows(2).map(|pair| (pair[0] + u32::from(pair[0] > 0), pair[1]));
    let mut found = Vec::new();
    // Count, sum and squares of margins, squared errors of both.
    let mut all = [0.0; 5];
    for (from, to) in stages {
        let within = || samples.iter().filter(|sample| (from..=to).contains(&sample.empties));
        // The best factor for the evaluation in force, from the games that were seen.
        let sums = within().filter(|sample| !sample.is_held_out()).fold((0.0, 1e-9), |(product, square), sample| {
            let judged = f64::from(sample.in_force);
            (product + judged * f64::from(sample.margin), square + judged * judged)
        });
        let mut part = [0.0; 5];
        for sample in within().filter(|sample| sample.is_held_out()) {
            let margin = f64::from(sample.margin);
            let fitted = value(weights, sample) / DISC - margin;
            let in_force = f64::from(sample.in_force) * sums.0 / sums.1 - margin;
            for (sum, number) in
                part.iter_mut().zip([1.0, margin, margin * margin, fitted * fitted, in_force * in_force])
            {
                *sum += number;
            }
        }
        all.iter_mut().zip(part).for_each(|(sum, number)| *sum += number);
        found.extend(stage_error((from, to), part));
    }
    found.extend(stage_error((0, KNOTS[KNOTS.len() - 1]), all));
    found
}

fn stage_error((from, to): (u32, u32), [count, sum, squares, fitted, in_force]: [f64; 5]) -> Option<StageError> {
    let root = |squares: f64| (squares / count).max(0.0).sqrt();
    (count > 0.0).then(|| StageError {
        from,
        to,
        positions: count as u64,
        spread: root(squares - sum * sum / count),
        fitted: root(fitted),
        in_force: root(in_force),
    })
}

/// Plays, labels and fits. `told` hears how many games are done.
///
/// # Errors
/// If too few games were played before it was stopped, or they do not tell the features apart.
pub fn fit(plan: &Plan, told: &mut dyn FnMut(u64)) -> Result<Fitted, FitError> {
    let in_force = start().evaluation().expect("Othello has an evaluation");
    let (mut player, mut solver) = (player(), OthelloEndgame::default());
    let mut done = 0;
    let mut round = |number: u64, games: u64, weights: Weights| -> Result<(Vec<Sample>, u64), SearchError> {
        let (weights, mut samples, mut played) = (WeightedFeatures::new(weights), Vec::new(), 0);
        for game in 0..games {
            let seed = plan.seed.derive(number).derive(game);
            let hands = (&mut player, &mut solver);
            if play(plan, hands, &weights, in_force.as_ref(), (game, seed), &mut samples)?.is_none() {
                break;
            }
            played += 1;
            done += 1;
            told(done);
        }
        Ok((samples, played))
    };
    let (mut samples, mut played) = round(1, plan.first_round(), plain())?;
    if played >= 10 {
        let (better, games) = round(2, plan.games, table(&samples, plan.ridge)?)?;
        // Stopped early, the first round is better than nothing.
        if games >= 10 {
            (samples, played) = (better, games);
        }
    }
    if played < 10 {
        return Err(FitError::TooFew { games: played });
    }
    let weights = table(&samples, plan.ridge)?;
    let errors = errors(&weights, &samples);
    let positions = samples.iter().filter(|sample| !sample.is_held_out()).count() as u64;
    Ok(Fitted { weights, games: played, positions, errors })
}

/// A match of two evaluations.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Match {
    /// Games played.
    pub games: u64,
    /// Won by the new weights.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Won by the other evaluation.
    pub losses: u64,
    /// The new weights' share of the points.
    pub share: f64,
    /// Half the interval of 95 %, from the spread of the pairs' results.
    pub error: f64,
    /// Mean margin of the new weights, in discs.
    pub margin: f64,
}

/// Lets new weights play the evaluation in force: pairs of games from openings of eight random
/// discs, colours exchanged, within this budget a move. `told` hears how many games are done.
///
/// # Errors
/// If a search fails.
pub fn compare(
    weights: &Weights,
    games: u64,
    budget: &Budget,
    seed: Seed,
    told: &mut dyn FnMut(u64),
) -> Result<Match, SearchError> {
    let in_force = start().evaluation().expect("Othello has an evaluation");
    let fitted = WeightedFeatures::new(weights.clone());
    let mut players = [player(), player()];
    let mut result = Match::default();
    let (mut pairs, mut sum, mut squares, mut margins) = (0.0, 0.0, 0.0, 0);
    'pairs: for pair in 0..games.div_ceil(2) {
        let mut rng = Rng::new(seed.derive(pair));
        let Ok(opening) = start().after_random_plies(8, rng.next_u64()) else { continue };
        let mut points = 0.0;
        for side in Player::BOTH {
            players.iter_mut().for_each(tesuji_search::Search::<Othello>::begin);
            let mut position = opening;
            while position.outcome().is_none() {
                let turn = usize::from(position.turn() != side);
                let evaluation: &dyn Evaluation<Othello> = if turn == 0 { &fitted } else { in_force.as_ref() };
                let seed = Seed(rng.next_u64());
                let report = players[turn].search_by(Some(evaluation), &position, budget, seed, &mut NoObserver)?;
                let Some(best) = report.best.filter(|_| !budget.stop.is_stopped()) else { break 'pairs };
                position.play(best);
            }
            let Some(outcome) = position.outcome() else { break 'pairs };
            let score = outcome.score.for_player(side).to_f64();
            points += score;
            margins += if side == Player::First { outcome.margin } else { -outcome.margin };
            result.games += 1;
            match outcome.winner() {
                None => result.draws += 1,
                Some(winner) if winner == side => result.wins += 1,
                Some(_) => result.losses += 1,
            }
            told(result.games);
        }
        pairs += 1.0;
        sum += points / 2.0;
        squares += points * points / 4.0;
    }
    if pairs > 0.0 {
        let mean = sum / pairs;
        result.share = mean;
        result.error = 1.96 * ((squares / pairs - mean * mean).max(0.0) / pairs).sqrt();
        result.margin = f64::from(margins) / result.games as f64;
    }
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::{Plan, Sample, errors, fit, plain, scale, table, value};
    use tesuji_core::{Budget, Position, Rng, Seed, StopFlag};
    use tesuji_games::othello::heuristic::{FEATURES, KNOTS, Weights, features};

    /// Positions of random games, with margins that a table of weights gives them.
    fn planted(weights: &Weights, games: u64) -> Vec<Sample> {
        let mut rng = Rng::new(Seed(3));
        let mut samples = Vec::new();
        for game in 0..games {
            let mut position = super::start();
            while let Some(mv) = position.random_move(&mut rng) {
                let empties = position.empty().count_ones();
                let mut sample = Sample { game, empties, features: features(&position), margin: 0, in_force: 1 };
                sample.margin = (value(weights, &sample) / 100.0).round() as i32;
                samples.push(sample);
                position.play(mv);
            }
        }
        samples
    }

    #[test]
    fn planted_weights_come_back() {
        let mut rng = Rng::new(Seed(7));
        let knots: [[i32; FEATURES]; KNOTS.len()] =
            [[0; FEATURES]; KNOTS.len()].map(|row| row.map(|_| rng.below(1_001) as i32 - 500));
        let weights = Weights::new(knots, 100);
        let samples = planted(&weights, 1_000);
        let found = table(&samples, 1e-9).expect("a table");
        // Margins are rounded to whole discs, so weights come back to a few hundredths; with 60
        // empty squares there is one position.
        let mut worst = 0;
        for (found, planted) in found.knots()[..6].iter().zip(knots) {
            for (found, planted) in found.iter().zip(planted) {
                worst = worst.max((found - planted).abs());
            }
        }
        assert!(worst <= 12, "off by {worst}:\n{found}");
        let over_all = *errors(&found, &samples).last().expect("positions were held out");
        assert!(over_all.fitted < 0.4 && over_all.explained(over_all.fitted) > 0.99, "{over_all:?}");
        assert!(over_all.in_force > 5.0 * over_all.fitted, "a constant explains nothing: {over_all:?}");
    }

    /// Results drawn from the logistic curve give its scale back.
    #[test]
    fn the_scale_is_that_of_the_curve() {
        let weights = plain();
        let mut samples = planted(&weights, 400);
        let mut rng = Rng::new(Seed(5));
        for sample in &mut samples {
            let chance = 1.0 / (1.0 + libm::exp(-value(&weights, sample) / 900.0));
            sample.margin = if rng.unit() < chance { 1 } else { -1 };
        }
        let found = scale(&weights, &samples.iter().collect::<Vec<_>>());
        assert!((850..950).contains(&found), "{found}");
    }

    /// The same seed, the same table; a flag thrown at the start, none.
    #[test]
    fn fits_repeat_and_stop() {
        let plan = Plan { games: 12, depth: 1, exact: 8, ridge: 0.01, seed: Seed(1), stop: StopFlag::new() };
        let mut heard = 0;
        let all = plan.all_games();
        let one = fit(&plan, &mut |done| {
            assert!(done <= all && all == 22);
            heard = done;
        });
        let (one, two) = (one.expect("a table"), fit(&plan, &mut |_| ()).expect("a table"));
        assert_eq!((&one.weights, one.games, heard), (&two.weights, 12, 22));
        assert_ne!(fit(&Plan { seed: Seed(2), ..plan.clone() }, &mut |_| ()).expect("one").weights, one.weights);
        let budget = Budget { depth: Some(1), ..Budget::default() };
        let game = super::compare(&one.weights, 4, &budget, Seed(1), &mut |_| ()).expect("a match");
        assert_eq!((game.games, game.wins + game.draws + game.losses), (4, 4));
        assert!((0.0..=1.0).contains(&game.share));
        plan.stop.stop();
        assert!(fit(&plan, &mut |_| ()).is_err_and(|error| error.to_string().contains("too few")));
    }
}
