//! Features of moves with the type of the game erased.

use crate::any::AnyPosition;
use crate::erased::typed;
use tesuji_core::{Feature, MoveFeatures, Playable, Teams};

/// [`MoveFeatures`] of positions of some game, all of the one that was asked for them.
pub trait AnyFeatures: Send + Sync {
    /// The name of the set.
    fn name(&self) -> &'static str;
    /// The names of the groups.
    fn groups(&self) -> &'static [&'static str];
    /// What a feature means, in words.
    fn explain(&self, feature: Feature) -> String;
    /// Adds the team of each of `actions`, which are legal.
    fn list(&self, position: &dyn AnyPosition, actions: &[usize], teams: &mut Teams);
}

struct Known<P: Playable>(Box<dyn MoveFeatures<P>>);

/// Features with their type erased.
pub(crate) fn erased<P: Playable>(features: Box<dyn MoveFeatures<P>>) -> Box<dyn AnyFeatures> {
    Box::new(Known(features))
}

impl<P: Playable> AnyFeatures for Known<P> {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn groups(&self) -> &'static [&'static str] {
        self.0.groups()
    }

    fn explain(&self, feature: Feature) -> String {
        self.0.explain(feature)
    }

    fn list(&self, position: &dyn AnyPosition, actions: &[usize], teams: &mut Teams) {
        let position: &P = typed(position).expect("features of a game are asked of its own positions");
        let moves: Vec<P::Move> =
            actions.iter().map(|action| position.move_at(*action).expect("a legal action has a move")).collect();
        self.0.list(position, &moves, teams);
    }
}
