//! The game's own playouts: random, or with decisive moves.
//!
//! Reference for decisive and anti-decisive moves: Teytaud & Teytaud, "On the huge benefit of
//! decisive moves in Monte-Carlo Tree Search algorithms", 2010.

use super::simulate::{PlayedMove, Simulate};
use tesuji_core::{Outcome, RecordMoves, Rng, Studied};

/// A playout policy of the game.
#[derive(Clone, Copy)]
pub(crate) enum Own {
    Random,
    Decisive,
}

impl<P: Studied> Simulate<P> for Own {
    fn simulate(
        &mut self,
        position: &mut P,
        _: &[PlayedMove],
        rng: &mut Rng,
        record: Option<&mut RecordMoves<P::Move>>,
    ) -> Option<Outcome> {
        Some(match (self, record) {
            (Own::Random, None) => position.playout(rng, &mut ()),
            (Own::Random, Some(record)) => position.playout(rng, record),
            (Own::Decisive, None) => position.decisive_playout(rng, &mut ()),
            (Own::Decisive, Some(record)) => position.decisive_playout(rng, record),
        })
    }

    fn fork(&self) -> Box<dyn Simulate<P>> {
        Box::new(*self)
    }
}
