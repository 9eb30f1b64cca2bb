//! Knowledge of single games, plugged into searches that know none.

use crate::AnyAgent;
use crate::erased::Erased;
use std::any::Any;
use tesuji_core::spec::Description;
use tesuji_core::{Budget, Certificate, Observer, Playable, Player, Report, Seed, Undoable};
use tesuji_games::gomoku::{Gomoku, Point, forcing_moves};
use tesuji_games::hex::{self, Hex, knowledge::Knowledge};
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

/// Virtual connections, by name.
pub(crate) const HEX_SOLVER: Description = Description {
    name: "hex-solver",
    about: "df-pn with virtual connections and must-play regions, for the winner; Hex of up to eight rows",
    parameters: &[],
};

/// What is known of Hex. Nothing is left out that might be needed, so losses are as sure as wins.
#[derive(Default)]
struct Connecting(Knowledge);

impl Adviser<Hex> for Connecting {
    fn leaves_out(&self) -> bool {
        false
    }

    fn advise(&mut self, position: &Hex, _: Aim, advice: &mut Advice<hex::Move>) {
        advice.winner = self.0.study(position, &mut advice.moves);
    }

    fn certify(&mut self, position: &Hex, claimant: Player, listed: &mut Vec<hex::Move>) -> Option<Certificate> {
        self.0.certificate(position, claimant, listed)
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

/// The solver for Hex.
pub(crate) fn hex_solver<P: Playable>() -> Box<dyn AnyAgent> {
    advised::<P, Hex>(Settings::default(), Box::<Connecting>::default(), "virtual connections are known of Hex only")
}
