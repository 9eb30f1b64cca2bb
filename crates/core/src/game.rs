//! A game as something that can be named, configured and started.

use crate::spec::{ArgumentError, Arguments, Describe};
use crate::{Notation, Studied, Tactical, Undoable};

/// Everything a game of the registry must be: rules that can take moves back, a way to write them, and what is known beyond them. Whatever is
/// all of it is playable.
pub trait Playable: Undoable + Notation + Studied + Tactical {}

impl<P: Undoable + Notation + Studied + Tactical> Playable for P {}

/// A game of the registry: a description of its parameters, and how to start it.
///
/// Usually implemented by the position itself; by a marker type where two games
/// share one kind of position.
pub trait Game: Describe {
    /// Its positions.
    type Position: Playable;

    /// What a move looks like, for people.
    const MOVES: &'static str;

    /// The starting position of these arguments.
    ///
    /// # Errors
    /// If the arguments, each in its range, make no game together.
    fn start(arguments: &Arguments) -> Result<Self::Position, ArgumentError>;

    /// Corrects the arguments of a game that was started, where a file decided otherwise.
    fn settle(_arguments: &mut Arguments, _start: &Self::Position) {}
}
