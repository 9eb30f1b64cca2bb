//! `net(batch, …)`: a learned network judges the leaf, its value instead of a playout and its policy
//! as the priors of all moves, which are opened at once.
//!
//! The network comes from outside ([`tesuji_core::JudgeSource`]): this crate knows none. Ended games
//! are scored by the rules. The value is backed up as an expected score: (v + 1)/2 of a value v in
//! [−1, 1] for the side to move.
//!
//! An untried move is worth the mean of its node less 0.1·√(ΣP of the moves tried), unless `fpu` says
//! otherwise: Wu, "Accelerating Self-Play Learning in Go" (2019), §A.1, with 0.2 for values in [−1, 1].
//!
//! References: Silver et al., "Mastering the game of Go without human knowledge" (2017).

use super::simulate::{PlayedMove, Simulate};
use tesuji_core::{Outcome, RecordMoves, Rng, Studied};

/// The factor of first-play urgency.
const REDUCTION: f64 = 0.1;

/// What an untried move is worth: the mean of the node, less for every move that was tried.
pub(crate) fn first_play(mean: f64, tried: f64) -> f64 {
    mean - REDUCTION * tried.max(0.0).sqrt()
}

/// The scores of ended games; a judge judges all others.
pub(crate) struct Ended;

impl<P: Studied> Simulate<P> for Ended {
    fn simulate(
        &mut self,
        position: &mut P,
        _: &[PlayedMove],
        _: &mut Rng,
        _: Option<&mut RecordMoves<P::Move>>,
    ) -> Option<Outcome> {
        position.outcome()
    }

    fn fork(&self) -> Box<dyn Simulate<P>> {
        Box::new(Ended)
    }
}
