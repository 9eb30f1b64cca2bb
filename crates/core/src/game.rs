//! A game as something that can be named, configured and started.

use crate::spec::{ArgumentError, Arguments, Description};
use crate::{Notation, Studied};

/// What a position of the registry must be: rules, a notation, and what is known beyond them. Every
/// type that implements the three traits is playable.
pub trait Playable: Notation + Studied {}

impl<P: Notation + Studied> Playable for P {}

/// A game of the registry: its name and parameters, and how to start it.
///
/// Usually implemented by the position itself; by a marker type where two games share one kind of
/// position.
///
/// ```
/// use tesuji_core::Game;
/// use tesuji_core::conformance::example::TakeAway;
/// use tesuji_core::spec::{ArgumentError, Arguments, Description, Kind, Parameter, Spec, resolve};
///
/// struct Heap;
///
/// impl Game for Heap {
///     type Position = TakeAway;
///     const DESCRIPTION: Description = Description {
///         name: "heap",
///         about: "take one, two or three; the last one wins",
///         parameters: &[Parameter {
///             name: "size",
///             about: "the heap at the start",
///             kind: Kind::Integer(1, 200),
///             default: Some("11"),
///         }],
///     };
///     const MOVES: &'static str = "1, 2 or 3";
///     fn start(arguments: &Arguments) -> Result<TakeAway, ArgumentError> {
///         Ok(TakeAway::new(arguments.count("size") as u8))
///     }
/// }
/// let spec: Spec = "heap(size=5)".parse().unwrap();
/// let (_, arguments) = resolve(&spec, "game", &[Heap::DESCRIPTION]).unwrap();
/// assert_eq!(Heap::start(&arguments).unwrap(), TakeAway::new(5));
/// ```
pub trait Game {
    /// Its positions.
    type Position: Playable;

    /// Its name and parameters.
    const DESCRIPTION: Description;

    /// What people call it: `Chinese chess`. Nothing stands for its name in specs.
    const TITLE: &'static str = "";

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
