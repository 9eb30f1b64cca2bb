//! Knowledge of single games, plugged into searches that know none.

use crate::AnyAgent;
use crate::erased::Erased;
use std::any::Any;
use tesuji_core::spec::Description;
use tesuji_core::{Budget, Observer, Playable, Report, Seed, Undoable};
use tesuji_games::gomoku::{Gomoku, Point, forcing_moves};
use tesuji_search::proof::{Advised, Adviser, Aim, Settings};
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

    fn advise(&mut self, position: &Gomoku, aim: Aim, moves: &mut Vec<Point>) {
        forcing_moves(position, aim.player, moves);
    }
}

/// The adviser of another game serves no one.
struct Unadvised;

impl<P: Undoable> Search<P> for Unadvised {
    fn search(
        &mut self,
        _: &P,
        _: &Budget,
        _: Seed,
        _: &mut dyn Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError> {
        Err(SearchError::Unfit("continuous fours are known of Gomoku only".into()))
    }
}

/// The solver for victories by continuous fours; in other games it answers that it knows nothing.
pub(crate) fn vcf<P: Playable>() -> Box<dyn AnyAgent> {
    let adviser: Box<dyn Adviser<Gomoku>> = Box::new(Fours);
    let adviser: Box<dyn Any> = Box::new(adviser);
    match adviser.downcast::<Box<dyn Adviser<P>>>() {
        Ok(adviser) => Box::new(Erased::<Advised<P>, P>::new(Advised::new(Settings::default(), *adviser))),
        Err(_) => Box::new(Erased::<Unadvised, P>::new(Unadvised)),
    }
}
