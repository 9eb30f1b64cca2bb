//! Knowledge of life-and-death problems, as the registry's `go-solver` has it.

use tesuji_core::{Advice, Adviser, Aim, Certificate, Player};
use tesuji_games::goproblem::{GoProblem, Move, settled_certificate};

/// The adviser of the registry's `go-solver`.
pub struct Living;

impl Adviser<GoProblem> for Living {
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

    fn certify(&mut self, position: &GoProblem, claimant: Player, _: &mut Vec<Move>) -> Option<Certificate> {
        settled_certificate(position, claimant)
    }
}
