//! Playouts by learned patterns: the game's own sampler of moves by the strength of their features.
//!
//! The features, their strengths and the sampling are the game's (`Patterns` of `core`); a move of
//! strength γ is chosen with probability proportional to γ^(1/temperature). Unlike `heuristic`, which
//! weighs all moves before each one, the game keeps the strengths up to date from move to move.
//!
//! Reference: Coulom, "Computing Elo ratings of move patterns in the game of Go", 2007.

use super::simulate::{PlayedMove, Simulate};
use tesuji_core::{Outcome, PatternPlayout, Position, RecordMoves, Rng, Studied};

pub(crate) struct ByPatterns<P: Position>(pub(crate) Box<dyn PatternPlayout<P>>);

impl<P: Studied> Simulate<P> for ByPatterns<P> {
    fn simulate(
        &mut self,
        position: &mut P,
        _: &[PlayedMove],
        rng: &mut Rng,
        record: Option<&mut RecordMoves<P::Move>>,
    ) -> Option<Outcome> {
        Some(self.0.play(position, rng, record))
    }

    fn fork(&self) -> Box<dyn Simulate<P>> {
        Box::new(ByPatterns(self.0.fork()))
    }
}
