//! Knowledge of life-and-death problems beyond their rules: an evaluation, the pass, unconditional
//! life (`life.rs`) and static death (`death.rs`).
//!
//! **Evaluation.** Important stones that live unconditionally or die statically get nearly the
//! maximum. Otherwise the value is a weighted sum, for the defender:
//!
//! > w · (1, side to move, eyes, inner space, space, liberties)
//!
//! *Space* is the number of empty points that can be reached from important stones without crossing
//! attackers, *inner space* counts those of them without an adjacent attacker, *eyes* the one-point
//! eyes adjacent to these stones, *liberties* those of the important chain with the fewest. Each is
//! capped. The weights, in thousandths of log odds, come from a logistic regression on 3,785
//! positions reached by random moves from the 82 problems of `problems/go`, solved by df-pn. Fitted
//! on every other problem, they rank a won above a lost position of the remaining problems in 84 of
//! 100 pairs. `tesuji fit goproblem` fits weights in the same way, to positions of given problems
//! or of generated ones, and measures those in force beside them. On generated problems, small and
//! closed in, 2,000 games give weights that rank 85 of 100 pairs held out, those in force 79.

use super::table::ProblemTable;
use super::tables::Points;
use super::{GoProblem, LifeCertifier, Move, solvers};
use tesuji_core::solver::Solver;
use tesuji_core::{Certifier, EVALUATION_LIMIT, Evaluation, Player, Position, Studied, Table};

impl Studied for GoProblem {
    const SOLVERS: &'static [Solver<GoProblem>] = solvers::SOLVERS;

    fn solver(&self) -> &'static str {
        "go-solver"
    }

    fn table(&self) -> &'static dyn Table<GoProblem> {
        &ProblemTable
    }

    fn evaluation(&self) -> Option<Box<dyn Evaluation<GoProblem>>> {
        Some(Box::new(EyeSpace))
    }

    fn certifier(&self) -> Option<Box<dyn Certifier<GoProblem>>> {
        Some(Box::new(LifeCertifier))
    }

    fn is_pass(&self, mv: Move) -> bool {
        mv.is_pass()
    }
}

/// The evaluation of problems. See the head of this file.
#[derive(Clone, Copy, Debug)]
pub struct EyeSpace;

/// The features of the evaluation, in the order of their weights.
pub const FEATURES: [&str; 6] = ["constant", "side to move", "eyes", "inner space", "space", "liberties"];
/// The weights of the features, in thousandths of log odds.
pub const WEIGHTS: [i32; FEATURES.len()] = [-1_800, 1_270, 780, 140, 25, 375];
/// Caps of eyes, inner space, space and liberties.
const LIMITS: [u32; 4] = [3, 6, 10, 6];
/// The value of a settled problem.
const SETTLED: i32 = EVALUATION_LIMIT - 1_000;

impl GoProblem {
    /// The features of the evaluation: 1, whether the defender (1) or the attacker (−1) is to move,
    /// and the capped counts.
    #[must_use]
    pub fn evaluation_features(&self) -> [i32; FEATURES.len()] {
        let [eyes, inner, space, liberties] = self.space_features().map(|count| count as i32);
        let turn = if self.turn() == self.problem().mode.defender() { 1 } else { -1 };
        [1, turn, eyes, inner, space, liberties]
    }

    /// Eyes, inner space, space and liberties of the important stones, capped.
    fn space_features(&self) -> [u32; 4] {
        let tables = &*self.tables;
        let defender = self.problem().mode.defender();
        let (own, attackers, empty) = (self.stones_of(defender), self.stones_of(defender.other()), self.empty_points());
        let important = self.important_points() & own;
        let (mut chains, mut room, mut fewest) = (Points::EMPTY, Points::EMPTY, u32::MAX);
        let mut left = important;
        while let Some(stone) = left.pop_first() {
            let (chain, reach) = tables.chain(stone, own);
            left &= !chain;
            chains |= chain;
            fewest = fewest.min((reach & empty).count());
            if !room.contains(stone) {
                room |= tables.chain(stone, own | empty).0;
            }
        }
        let open = room & empty;
        let inner = open.into_iter().filter(|point| !tables.neighbours[*point].intersects(attackers)).count() as u32;
        let beside = |point: &usize| tables.neighbours[*point].intersects(chains);
        let eyes = tables.eyes(empty, own).into_iter().filter(beside).count() as u32;
        let counted = [eyes, inner, open.count(), if important.is_empty() { 0 } else { fewest }];
        std::array::from_fn(|number| counted[number].min(LIMITS[number]))
    }
}

impl Evaluation<GoProblem> for EyeSpace {
    fn evaluate(&self, position: &GoProblem) -> i32 {
        let defender = position.problem().mode.defender();
        let value = match position.settled() {
            Some(winner) if winner == defender => SETTLED,
            Some(_) => -SETTLED,
            None => position.evaluation_features().iter().zip(WEIGHTS).map(|(feature, weight)| feature * weight).sum(),
        };
        if defender == Player::First { value } else { -value }
    }

    fn scale(&self) -> f64 {
        1_000.0
    }
}
