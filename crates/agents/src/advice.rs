//! Knowledge of single games, plugged into searches that know none.

use crate::AnyAgent;
use crate::erased::Erased;
use std::any::Any;
use tesuji_core::spec::Description;
use tesuji_core::{Budget, Observer, Playable, Report, Seed, Undoable};
use tesuji_games::gomoku::{Gomoku, Point, forcing_moves};
use tesuji_search::proof::{Advice, Advised, Adviser, Aim, Settings};
use tesuji_search::{Search, SearchError};

/// Victory by continuous fours, by name.
pub(crate) const VCF: Description = Description {
    name: "vcf",
    about: "df-pn for a victory of the mover by continuous fours; Gomoku and renju",
    parameters: &[],
};

/// Only moves that make fours, and only answers to them.
struct Fours;

impl Adviser<Gomoku> for Fours {
    fn leaves_out(&self) -> bool {
        true
    }

    fn advise(&mut self, position: &Gomoku, aim: Aim, advice: &mut Advice<Point>) {
        forcing_moves(position, aim.player, &mut advice.moves);
    }
}

/// The adviser of another game serves no one; says of which game it is.
struct Unadvised(&'static str);

impl<P: Undoable> Search<P> for Unadvised {
    fn search(
        &mut self,
        _: &P,
        _: &Budget,
        _: Seed,
        _: &mut dyn Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError> {
        Err(SearchError::Unfit(self.0.into()))
    }
}

/// df-pn for positions `P` with an adviser of the game `G`; in other games it answers `unfit`.
fn advised<P: Playable, G: Playable>(
    settings: Settings,
    adviser: Box<dyn Adviser<G>>,
    unfit: &'static str,
) -> Box<dyn AnyAgent> {
    let adviser: Box<dyn Any> = Box::new(adviser);
    match adviser.downcast::<Box<dyn Adviser<P>>>() {
        Ok(adviser) => Box::new(Erased::<Advised<P>, P>::new(Advised::new(settings, *adviser))),
        Err(_) => Box::new(Erased::<Unadvised, P>::new(Unadvised(unfit))),
    }
}

/// The solver for victories by continuous fours.
pub(crate) fn vcf<P: Playable>() -> Box<dyn AnyAgent> {
    advised::<P, Gomoku>(Settings::default(), Box::new(Fours), "continuous fours are known of Gomoku only")
}
