//! What a game knows of its tactics: captures, checks, giving up the turn, exact endgames.
//!
//! Searches by evaluation want more than rules and an evaluation: which moves are loud (a position in the middle of an
//! exchange must not be evaluated), whether the mover is under attack (then no horizon should cut in), and what would happen if he
//! passed (a bound from below in games where moving is never a burden). Every part has a default that says
//! "this game has no such thing", so a game without tactics writes an empty implementation.

use crate::{Meter, Position};
use std::ops::ControlFlow;

/// A game with its tactics. Every part may be missing.
pub trait Tactical: Position {
    /// Whether the game tells loud moves from quiet ones. Without that there is no quiescence search.
    const SHARP: bool = false;

    /// Whether the mover is under an attack that he must answer.
    #[inline]
    fn under_attack(&self) -> bool {
        false
    }

    /// What a legal move takes at once, in points of the game's evaluation; 0 for a quiet move.
    #[inline]
    fn gain(&self, _: Self::Move) -> i32 {
        0
    }

    /// What the moving piece is worth, in the same points: less is risked by capturing with less.
    #[inline]
    fn stake(&self, _: Self::Move) -> i32 {
        0
    }

    /// Shows every legal loud move once, until `f` breaks: those with a gain.
    #[inline]
    fn visit_loud<B>(&self, mut f: impl FnMut(Self::Move) -> ControlFlow<B>) -> ControlFlow<B> {
        self.visit_moves(|mv| if self.gain(mv) > 0 { f(mv) } else { ControlFlow::Continue(()) })
    }

    /// The same position with the turn given up, where doing so is almost never better than the best move (a null
    /// move). Nothing where it would be illegal, unsafe, or a relief.
    fn passed(&self) -> Option<Self> {
        None
    }

    /// The game's own exact solver of late positions, if it has one for games like this one.
    fn endgame(&self) -> Option<Box<dyn Endgame<Self>>> {
        None
    }
}

/// What an exact solver knows of a position: everything, if both margins are equal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solved<M> {
    /// The final margin under best play is at least this, for the first player, as
    /// [`Outcome::margin`](crate::Outcome::margin) counts it.
    pub least: i32,
    /// And at most this.
    pub most: i32,
    /// The best line as far as it is known; its first move keeps what the mover is sure of.
    pub line: Vec<M>,
}

/// A game's exact solver.
pub trait Endgame<P: Position>: Send {
    /// Solves a live position, asking the meter as it goes, and tells what it knew when it was done or stopped.
    /// `memory` is the most bytes its tables may take. `look` is shown what is known so far about as often as the meter is asked.
    fn solve(
        &mut self,
        position: &P,
        memory: u64,
        meter: &mut Meter,
        look: &mut dyn FnMut(&Meter, &Solved<P::Move>),
    ) -> Solved<P::Move>;

    /// Bytes its tables take now.
    fn memory_bytes(&self) -> u64;
}
