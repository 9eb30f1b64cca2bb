//! A position of any game as one type, for searches that are compiled once and serve all games.
//!
//! Moves are the numbers of [`Actions`](crate::Actions). Every move costs virtual calls and an
//! allocation or two, so a search of ours is compiled for each game instead; this is for agents
//! from outside of the repository.

use crate::any::AnyPosition;
use std::fmt;
use std::ops::ControlFlow;
use tesuji_core::{BoardView, MoveError, Notation, Outcome, Player, Position, PositionHash, Studied, undo_by_copy};

/// A position of any game.
pub struct Opaque(Box<dyn AnyPosition>);

impl Opaque {
    /// A copy of a position. There always is one.
    pub(crate) fn of(position: &dyn AnyPosition) -> Option<Opaque> {
        Some(Opaque(position.boxed_clone()))
    }

    /// The position itself.
    #[must_use]
    pub fn get(&self) -> &dyn AnyPosition {
        self.0.as_ref()
    }
}

impl Clone for Opaque {
    fn clone(&self) -> Opaque {
        Opaque(self.0.boxed_clone())
    }
}

impl PartialEq for Opaque {
    fn eq(&self, other: &Opaque) -> bool {
        self.0.equals(other.get())
    }
}

impl Eq for Opaque {}

impl fmt::Debug for Opaque {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.view())
    }
}

impl Position for Opaque {
    type Move = usize;

    fn history_matters(&self) -> bool {
        self.0.history_matters()
    }

    fn turn(&self) -> Player {
        self.0.turn()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    fn visit_moves<B>(&self, f: impl FnMut(usize) -> ControlFlow<B>) -> ControlFlow<B> {
        self.0.legal_actions().into_iter().try_for_each(f)
    }

    fn play(&mut self, action: usize) {
        let played = self.0.play_action(action);
        debug_assert!(played, "action {action} is not legal");
    }

    fn hash(&self) -> PositionHash {
        self.0.hash()
    }

    fn recomputed_hash(&self) -> PositionHash {
        self.0.recomputed_hash()
    }

    fn widest_margin(&self) -> Option<u32> {
        self.0.widest_margin()
    }

    fn move_space(&self) -> usize {
        self.0.move_space()
    }

    fn move_index(&self, action: usize) -> usize {
        action
    }

    fn move_at(&self, index: usize) -> Option<usize> {
        (index < self.0.move_space()).then_some(index)
    }
}

undo_by_copy!(Opaque);

impl Notation for Opaque {
    fn show_move(&self, action: usize) -> String {
        self.0.action_text(action).unwrap_or_else(|| format!("action {action}"))
    }

    fn read_move(&self, text: &str) -> Result<usize, MoveError> {
        match self.0.action_named(text) {
            Some(action) => Ok(action),
            // The game says what is wrong with it.
            None => Err(self.0.boxed_clone().play(text).err().unwrap_or_else(|| MoveError::illegal(text, "no action"))),
        }
    }

    fn view(&self) -> BoardView {
        self.0.view()
    }
}

impl Studied for Opaque {
    fn strongest(&self) -> &'static str {
        self.0.strongest()
    }

    fn solver(&self) -> &'static str {
        self.0.solver()
    }
}
