//! Short playouts: `plies` plies of the game's own policy, then the game's evaluation as an
//! expected score.
//!
//! Reference: Winands, Björnsson & Saito, "Monte Carlo Tree Search in Lines of Action", 2010,
//! evaluation cut-off.

use super::simulate::{PlayedMove, Simulate};
use std::sync::Arc;
use tesuji_core::{Evaluation, Outcome, RecordMoves, Rng, Score, Studied};

pub(crate) struct Cut<P> {
    evaluation: Arc<dyn Evaluation<P>>,
    plies: u32,
}

impl<P> Cut<P> {
    pub(crate) fn new(evaluation: Arc<dyn Evaluation<P>>, plies: u32) -> Cut<P> {
        Cut { evaluation, plies }
    }
}

impl<P: Studied> Simulate<P> for Cut<P> {
    fn simulate(
        &mut self,
        position: &mut P,
        _: &[PlayedMove],
        rng: &mut Rng,
        mut record: Option<&mut RecordMoves<P::Move>>,
    ) -> Option<Outcome> {
        for _ in 0..self.plies {
            if position.outcome().is_some() {
                break;
            }
            let mv = position.playout_move(rng).expect("a live game has a move");
            if let Some(record) = &mut record {
                record.0.push((position.turn(), mv));
            }
            position.play(mv);
        }
        Some(position.outcome().unwrap_or_else(|| {
            let units = self.evaluation.expectation(position) * f64::from(Score::UNITS);
            Outcome::graded(Score::from_units(units.round() as u32).expect("an expectation is in (0, 1)"))
        }))
    }

    fn fork(&self) -> Box<dyn Simulate<P>> {
        Box::new(Cut { evaluation: self.evaluation.clone(), plies: self.plies })
    }
}
