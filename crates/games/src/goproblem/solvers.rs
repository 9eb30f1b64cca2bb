//! The solver of life-and-death problems: df-pn with unconditional life and static death.

use super::{GoProblem, Move, settled_certificate};
use tesuji_core::solver::{GOAL, Plan, Solver, goal_of};
use tesuji_core::spec::Description;
use tesuji_core::{Advice, Adviser, Aim, Certificate, Player};

/// All solvers of the game.
pub(super) const SOLVERS: &[Solver<GoProblem>] = &[Solver {
    description: Description {
        name: "go-solver",
        about: "df-pn with unconditional life, static death and an order of moves; problems of Go",
        parameters: &[GOAL],
    },
    parallel: true,
    plan: |arguments| Ok(Plan { goal: Some(goal_of(arguments)?), ..Plan::advised(LifeAndDeath) }),
}];

/// Orders urgent moves first, and settles positions by unconditional life and static death. No move
/// is omitted.
#[derive(Clone, Copy, Debug, Default)]
pub struct LifeAndDeath;

impl Adviser<GoProblem> for LifeAndDeath {
    fn leaves_out(&self) -> bool {
        false
    }

    fn is_slow(&self) -> bool {
        false
    }

    fn advise(&mut self, position: &GoProblem, _: Aim, advice: &mut Advice<Move>) {
        advice.winner = position.settled();
        position.ordered_moves(&mut advice.moves);
    }

    fn fork(&self) -> Option<Box<dyn Adviser<GoProblem>>> {
        Some(Box::new(LifeAndDeath))
    }

    fn certify(&mut self, position: &GoProblem, claimant: Player, _: &mut Vec<Move>) -> Option<Certificate> {
        settled_certificate(position, claimant)
    }
}
