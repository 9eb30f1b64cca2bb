//! Positions whose rules are Python code: a game of one's own for every search of ours.
//!
//! A position is a Python state that never changes once it is wrapped, with what the rules say of it
//! (turn, actions, result) read once. Playing an action copies the state (`clone`) and applies the
//! action; copies of a position share it. So a search calls Python once for each move that it plays,
//! and for nothing else.
//!
//! **Exceptions.** The rules of a position cannot fail, Python code can. The first exception of a search
//! is kept ([`Failure`]), its stop flag is thrown, and every position from then on counts as ended, so
//! that the search comes back at once; the caller raises the exception in place of an answer.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::fmt;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};
use tesuji_agents::AnyPosition;
use tesuji_core::{
    BoardView, Evaluation, MoveError, Notation, Outcome, Player, Position, PositionHash, Score, StopFlag, Studied,
    undo_by_copy,
};

/// No evaluation reaches this far.
const EVALUATION_LIMIT: i64 = 10_000;

/// The first exception of a search, and the flag that ends it.
#[derive(Clone, Default)]
pub struct Failure(Arc<(Mutex<Option<PyErr>>, StopFlag)>);

impl Failure {
    fn new(stop: &StopFlag) -> Failure {
        Failure(Arc::new((Mutex::new(None), stop.clone())))
    }

    fn note(&self, error: PyErr) {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.0.1.stop();
    }

    /// What was raised, if anything was.
    pub fn take(&self) -> Option<PyErr> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// What all positions of a game share.
struct Rules {
    actions: usize,
    /// The returns of a player lie in [−scale, scale].
    scale: f64,
}

/// What the rules say of a position.
struct Facts {
    state: Arc<Py<PyAny>>,
    turn: Player,
    outcome: Option<Outcome>,
    actions: Vec<u32>,
    /// Equal positions have equal ones.
    key: Vec<u8>,
    hash: PositionHash,
}

/// A position.
#[derive(Clone)]
pub struct PyPosition {
    rules: Arc<Rules>,
    facts: Arc<Facts>,
    failure: Failure,
}

fn has(state: &Bound<'_, PyAny>, name: &str) -> bool {
    state.hasattr(name).unwrap_or(false)
}

impl PyPosition {
    /// The first position of a game, and its name.
    pub fn start(game: &Bound<'_, PyAny>) -> PyResult<(PyPosition, String)> {
        for method in ["new_initial_state", "num_distinct_actions"] {
            if !has(game, method) {
                return Err(PyTypeError::new_err(format!("the rules of a game need the method {method}()")));
            }
        }
        let actions: usize = game.call_method0("num_distinct_actions")?.extract()?;
        let utility = |name: &str, usual: f64| -> PyResult<f64> {
            if has(game, name) { game.call_method0(name)?.extract() } else { Ok(usual) }
        };
        let scale = utility("max_utility", 1.0)?.abs().max(utility("min_utility", -1.0)?.abs());
        if !(1..=1 << 24).contains(&actions) || !scale.is_finite() || scale <= 0.0 {
            return Err(PyValueError::new_err("a game has 1 to 16777216 actions and finite utilities that are not 0"));
        }
        let named = game.getattr("name").or_else(|_| game.get_type().getattr("__name__"))?;
        let name = if named.is_callable() { named.call0()? } else { named };
        let rules = Arc::new(Rules { actions, scale });
        let facts = Facts::of(&rules, game.call_method0("new_initial_state")?, &[])?;
        Ok((PyPosition { rules, facts: Arc::new(facts), failure: Failure::default() }, name.extract()?))
    }

    fn child(&self, py: Python<'_>, action: u32) -> PyResult<Facts> {
        let state = self.facts.state.bind(py).call_method0("clone")?;
        state.call_method1("apply_action", (action,))?;
        let mut path = self.facts.key.clone();
        path.extend_from_slice(&action.to_le_bytes());
        Facts::of(&self.rules, state, &path)
    }

    /// Asks Python; nothing if it raises, or is about to end.
    fn ask<T>(&self, question: impl FnOnce(Python<'_>) -> PyResult<T>) -> Option<T> {
        match Python::try_attach(question) {
            Some(Ok(answer)) => Some(answer),
            Some(Err(error)) => {
                self.failure.note(error);
                None
            }
            None => {
                self.failure.0.1.stop();
                None
            }
        }
    }
}

impl Facts {
    /// What a state says; `path` is its key unless it has one of its own.
    fn of(rules: &Rules, state: Bound<'_, PyAny>, path: &[u8]) -> PyResult<Facts> {
        let ended: bool = state.call_method0("is_terminal")?.extract()?;
        let (mut turn, mut outcome, mut actions) = (Player::First, None, Vec::new());
        if ended {
            let returns: Vec<f64> = state.call_method0("returns")?.extract()?;
            let first = returns.first().copied().unwrap_or(f64::NAN) / rules.scale;
            let score = Score::from_f64(f64::midpoint(first, 1.0));
            let wrong = || {
                let what = format!("returns() is {returns:?}: expected two numbers within the utilities of the game");
                PyValueError::new_err(what)
            };
            outcome = Some(Outcome::graded(score.filter(|_| returns.len() == 2).ok_or_else(wrong)?));
        } else {
            let player: i64 = state.call_method0("current_player")?.extract()?;
            let known = usize::try_from(player).ok().and_then(|player| Player::BOTH.get(player).copied());
            turn = known.ok_or_else(|| {
                let what = format!("current_player() is {player}: expected 0 or 1 (two players, no chance)");
                PyValueError::new_err(what)
            })?;
            actions = state.call_method0("legal_actions")?.extract()?;
            if actions.is_empty() {
                return Err(PyValueError::new_err("legal_actions() is empty, but is_terminal() is false"));
            }
            if let Some(action) = actions.iter().find(|action| **action as usize >= rules.actions) {
                let what = format!("legal_actions() has {action}, but num_distinct_actions() is {}", rules.actions);
                return Err(PyValueError::new_err(what));
            }
        }
        let key = if has(&state, "key") {
            let key = state.call_method0("key")?;
            match key.cast::<PyBytes>() {
                Ok(bytes) => bytes.as_bytes().to_vec(),
                Err(_) => key.str()?.extract::<String>()?.into_bytes(),
            }
        } else {
            path.to_vec()
        };
        let hash = key
            .iter()
            .fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
        // The last bytes of a key must reach the high bits.
        let hash = PositionHash((hash ^ hash >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        Ok(Facts { state: Arc::new(state.unbind()), turn, outcome, actions, key, hash })
    }
}

/// A copy of a position for one search: what Python raises in it is kept apart. Nothing but a copy for
/// games of ours.
pub fn watched(position: &dyn AnyPosition, stop: &StopFlag) -> (Box<dyn AnyPosition>, Option<Failure>) {
    match position.as_any().downcast_ref::<PyPosition>() {
        None => (position.boxed_clone(), None),
        Some(own) => {
            let failure = Failure::new(stop);
            (Box::new(PyPosition { failure: failure.clone(), ..own.clone() }), Some(failure))
        }
    }
}

/// What Python raised when this position was made by hand, outside of a search.
pub fn failure_of(position: &dyn AnyPosition) -> Option<PyErr> {
    position.as_any().downcast_ref::<PyPosition>().and_then(|own| own.failure.take())
}

impl PartialEq for PyPosition {
    fn eq(&self, other: &PyPosition) -> bool {
        Arc::ptr_eq(&self.facts, &other.facts)
            || self.rules.actions == other.rules.actions
                && self.facts.hash == other.facts.hash
                && self.facts.key == other.facts.key
    }
}

impl Eq for PyPosition {}

impl fmt::Debug for PyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Notation::view(self))
    }
}

impl Position for PyPosition {
    type Move = u32;

    undo_by_copy!();

    fn turn(&self) -> Player {
        self.facts.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        self.facts.outcome
    }

    fn visit_moves<B>(&self, f: impl FnMut(u32) -> ControlFlow<B>) -> ControlFlow<B> {
        self.facts.actions.iter().copied().try_for_each(f)
    }

    fn play(&mut self, action: u32) {
        let facts = self.ask(|py| self.child(py, action));
        let facts = facts.unwrap_or_else(|| {
            // The search is over; this position ends it where it stands.
            let state = Arc::clone(&self.facts.state);
            let (turn, outcome, actions) = (self.facts.turn, Some(Outcome::DRAW), Vec::new());
            let mut key = self.facts.key.clone();
            key.extend_from_slice(b"\xff failed");
            Facts { state, turn, outcome, actions, key, hash: PositionHash(!self.facts.hash.0) }
        });
        self.facts = Arc::new(facts);
    }

    fn hash(&self) -> PositionHash {
        self.facts.hash
    }

    fn recomputed_hash(&self) -> PositionHash {
        self.facts.hash
    }

    fn move_space(&self) -> usize {
        self.rules.actions
    }

    fn move_index(&self, action: u32) -> usize {
        action as usize
    }

    fn move_at(&self, index: usize) -> Option<u32> {
        u32::try_from(index).ok().filter(|_| index < self.rules.actions)
    }
}

impl Notation for PyPosition {
    fn show_move(&self, action: u32) -> String {
        let text = self.ask(|py| {
            let state = self.facts.state.bind(py);
            if !has(state, "action_to_string") {
                return Ok(action.to_string());
            }
            // OpenSpiel's states take the player too.
            let both = state.call_method1("action_to_string", (self.facts.turn.index(), action));
            both.or_else(|_| state.call_method1("action_to_string", (action,)))?.extract::<String>()
        });
        // Moves are separated by blanks in records.
        let text = text.unwrap_or_else(|| action.to_string());
        text.split_whitespace().collect::<Vec<_>>().join("_")
    }

    fn read_move(&self, text: &str) -> Result<u32, MoveError> {
        let actions = &self.facts.actions;
        let named = actions.iter().find(|action| self.show_move(**action) == text);
        let numbered = || actions.iter().find(|action| action.to_string() == text);
        let expected = || MoveError::unreadable(text, "an action as the game writes it, or its number");
        named.or_else(numbered).copied().ok_or_else(expected)
    }

    fn view(&self) -> BoardView {
        let text = self.ask(|py| {
            let state = self.facts.state.bind(py);
            let text: Bound<'_, PyString> = state.str()?;
            text.extract::<String>()
        });
        let text = text.unwrap_or_default();
        BoardView::text(Notation::sides(self), text.lines().map(String::from).collect())
    }
}

impl Studied for PyPosition {
    fn evaluation(&self) -> Option<Box<dyn Evaluation<PyPosition>>> {
        let known = self.ask(|py| Ok(has(self.facts.state.bind(py), "evaluation")))?;
        known.then(|| Box::new(Asked) as Box<dyn Evaluation<PyPosition>>)
    }
}

/// The evaluation of a Python state.
struct Asked;

impl Evaluation<PyPosition> for Asked {
    fn evaluate(&self, position: &PyPosition) -> i32 {
        let found = position.ask(|py| {
            let found: i64 = position.facts.state.bind(py).call_method0("evaluation")?.extract()?;
            if found.abs() >= EVALUATION_LIMIT {
                let what = format!("evaluation() is {found}: expected a whole number between -10,000 and 10,000");
                return Err(PyValueError::new_err(what));
            }
            Ok(found as i32)
        });
        found.unwrap_or(0)
    }

    fn scale(&self) -> f64 {
        100.0
    }
}
