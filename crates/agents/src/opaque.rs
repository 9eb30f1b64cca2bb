//! A position of any game as one type, for searches that are compiled once and serve all games.
//!
//! Moves are the numbers of [`Actions`](crate::Actions). Every move costs virtual calls and an
//! allocation or two, so a search of ours is compiled for each game instead; this is for agents
//! from outside of the repository.

use crate::any::{AnyEvaluation, AnyPosition, AnyPreference};
use std::fmt;
use std::ops::ControlFlow;
use tesuji_core::{
    BoardView, Evaluation, MoveError, Notation, Outcome, Player, Position, PositionHash, Preference, Sides, Studied,
    undo_by_copy,
};

/// A position of any game. What its game knows comes along: evaluation, preference, wins at once.
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

impl From<Box<dyn AnyPosition>> for Opaque {
    fn from(position: Box<dyn AnyPosition>) -> Opaque {
        Opaque(position)
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

    undo_by_copy!();

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

    fn sides(&self) -> Sides {
        self.0.sides()
    }

    fn setup_text(&self) -> Option<String> {
        self.0.setup_text()
    }

    fn view(&self) -> BoardView {
        self.0.view()
    }
}

impl Studied for Opaque {
    fn evaluation(&self) -> Option<Box<dyn Evaluation<Opaque>>> {
        Some(Box::new(Seen(self.0.evaluation()?)))
    }

    fn preference(&self) -> Option<Box<dyn Preference<Opaque>>> {
        Some(Box::new(Seen(self.0.preference()?)))
    }

    fn winning_move(&self) -> Option<usize> {
        self.0.winning_action()
    }

    fn is_pass(&self, action: usize) -> bool {
        self.0.is_pass(action)
    }

    fn strongest(&self) -> &'static str {
        self.0.strongest()
    }

    fn solver(&self) -> &'static str {
        self.0.solver()
    }
}

/// Knowledge of a game, for opaque positions.
struct Seen<K>(K);

impl Evaluation<Opaque> for Seen<Box<dyn AnyEvaluation>> {
    fn evaluate(&self, position: &Opaque) -> i32 {
        self.0.evaluate(position.get())
    }

    fn scale(&self) -> f64 {
        self.0.scale()
    }
}

impl Preference<Opaque> for Seen<Box<dyn AnyPreference>> {
    fn weigh(&self, position: &Opaque, actions: &[usize], weights: &mut Vec<f64>) {
        self.0.weigh(position.get(), actions, weights);
    }
}
