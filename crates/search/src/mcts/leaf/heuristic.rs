//! Playouts by preference: a move of weight w is sampled with probability proportional to
//! w^(1/temperature).
//!
//! The weights are the game's own (`Preference`): a softmax over the logarithms of feature
//! strengths, as in the Bradley-Terry model of Coulom 2007.

use super::simulate::{PlayedMove, Simulate, play_out};
use std::sync::Arc;
use tesuji_core::{Outcome, Position, Preference, RecordMoves, Rng, Studied};

pub(crate) struct Heuristic<P: Position> {
    preference: Arc<dyn Preference<P>>,
    temperature: f64,
    moves: Vec<P::Move>,
    weights: Vec<f64>,
}

impl<P: Position> Heuristic<P> {
    pub(crate) fn new(preference: Arc<dyn Preference<P>>, temperature: f64) -> Heuristic<P> {
        Heuristic { preference, temperature, moves: Vec::new(), weights: Vec::new() }
    }
}

/// An index sampled in proportion to the weights.
fn sample(weights: &[f64], rng: &mut Rng) -> usize {
    let total: f64 = weights.iter().sum();
    let mut left = rng.unit() * total;
    for (index, weight) in weights.iter().enumerate() {
        left -= weight;
        if left < 0.0 {
            return index;
        }
    }
    weights.len() - 1
}

impl<P: Studied> Simulate<P> for Heuristic<P> {
    fn simulate(
        &mut self,
        position: &mut P,
        _: &[PlayedMove],
        rng: &mut Rng,
        record: Option<&mut RecordMoves<P::Move>>,
    ) -> Option<Outcome> {
        let Heuristic { preference, temperature, moves, weights } = self;
        play_out(position, record, |position| {
            moves.clear();
            let _ = position.visit_moves::<()>(|mv| {
                moves.push(mv);
                std::ops::ControlFlow::Continue(())
            });
            preference.weigh(position, moves, weights);
            if *temperature != 1.0 {
                // Relative to the largest weight, so that no power overflows.
                let most = weights.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
                weights.iter_mut().for_each(|weight| *weight = libm::pow(*weight / most, 1.0 / *temperature));
            }
            Some(moves[sample(weights, rng)])
        })
    }

    fn fork(&self) -> Box<dyn Simulate<P>> {
        Box::new(Heuristic::new(self.preference.clone(), self.temperature))
    }
}

#[cfg(test)]
mod tests {
    use super::sample;
    use tesuji_core::{Rng, Seed};

    #[test]
    fn sampled_in_proportion() {
        let mut rng = Rng::new(Seed(1));
        let mut counts = [0; 3];
        for _ in 0..60_000 {
            counts[sample(&[1.0, 3.0, 2.0], &mut rng)] += 1;
        }
        assert!((9_600..10_400).contains(&counts[0]), "{counts:?}");
        assert!((29_500..30_500).contains(&counts[1]), "{counts:?}");
    }
}
