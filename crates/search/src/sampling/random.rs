//! A uniformly random legal move: the baseline of all other players.

use crate::{Search, SearchError, Technique, root_moves};
use tesuji_core::spec::{ArgumentError, Arguments, Describe, Description};
use tesuji_core::{Budget, Observer, Position, Report, Rng, Seed, StopReason};

/// Plays a uniformly random legal move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RandomMove;

impl<P: Position> Search<P> for RandomMove {
    fn search(
        &mut self,
        root: &P,
        budget: &Budget,
        seed: Seed,
        _: &mut dyn Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError> {
        let meter = budget.meter();
        let best = root.random_move(&mut Rng::new(seed)).ok_or(SearchError::Ended)?;
        Ok(Report {
            best: Some(best),
            line: vec![best],
            root: root_moves::untried_moves(root),
            elapsed: meter.elapsed(),
            stopped: StopReason::OwnLimit("no search"),
            ..Report::empty(root.turn())
        })
    }
}

impl Describe for RandomMove {
    const DESCRIPTION: Description =
        Description { name: "random", about: "a uniformly random legal move", parameters: &[] };
}

impl Technique for RandomMove {
    fn configure(_: &Arguments) -> Result<Self, ArgumentError> {
        Ok(RandomMove)
    }
}
