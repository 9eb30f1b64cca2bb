//! `State`: a position of a game, with the actions that led to it, under OpenSpiel's names.

use crate::agent::{Agent, Limits};
use crate::game::{Game, Rules};
use crate::legal::LegalList;
use crate::proof::{self, Proof};
use crate::python_rules;
use crate::report::Report;
use crate::svg;
use crate::vector::Observation;
use numpy::{IntoPyArray, PyArray1, PyArray3, PyArrayMethods};
use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::sync::{Arc, Mutex};
use tesuji_agents::AnyPosition;
use tesuji_core::Player;

/// What `current_player` answers in an ended game, as in OpenSpiel.
const TERMINAL: i32 = -4;

/// A position of a game, with the actions that led to it. Made by `Game.new_initial_state`.
///
/// >>> import tesuji
/// >>> state = tesuji.load_game("tictactoe").new_initial_state()
/// >>> for text in ("b2", "a1", "a3", "c1", "b1", "b3"):
/// ...     state.apply_action(state.string_to_action(text))
/// >>> print(state)
///   a b c
/// 3 X O .
/// 2 . X .
/// 1 O X O
/// X to move
/// >>> state.current_player(), state.is_terminal(), state.returns()
/// (0, False, [0.0, 0.0])
/// >>> [state.action_to_string(action) for action in state.legal_actions()]
/// ['c3', 'a2', 'c2']
/// >>> import pickle
/// >>> pickle.loads(pickle.dumps(state)) == state
/// True
#[pyclass(module = "tesuji._native")]
pub struct State {
    rules: Arc<Rules>,
    position: Box<dyn AnyPosition>,
    history: Vec<usize>,
    legal: Mutex<LegalList>,
}

impl State {
    /// The first position of a game.
    pub(crate) fn new(rules: &Arc<Rules>) -> State {
        State::at(rules, rules.start.boxed_clone(), Vec::new())
    }

    fn at(rules: &Arc<Rules>, position: Box<dyn AnyPosition>, history: Vec<usize>) -> State {
        State { rules: Arc::clone(rules), position, history, legal: Mutex::default() }
    }

    pub(crate) fn position(&self) -> &dyn AnyPosition {
        self.position.as_ref()
    }

    pub(crate) fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// The actions played so far, as the game writes them.
    pub(crate) fn moves(&self) -> Vec<String> {
        let mut position = self.rules.start.boxed_clone();
        let show = |action: &usize| {
            let text = position.action_text(*action).unwrap_or_default();
            position.play_action(*action);
            text
        };
        self.history.iter().map(show).collect()
    }

    fn illegal(&self, action: i64) -> PyErr {
        let why = if self.is_terminal() { "the game has ended" } else { "legal_actions() lists those that are" };
        PyIndexError::new_err(format!("action {action} is not legal here: {why}"))
    }

    fn known(&self, action: i64) -> PyResult<usize> {
        usize::try_from(action).map_err(|_| self.illegal(action))
    }

    /// The state, to change it.
    fn unused<'py>(slf: &Bound<'py, State>) -> PyResult<PyRefMut<'py, State>> {
        slf.try_borrow_mut().map_err(|_| {
            PyRuntimeError::new_err("the state is being searched in another thread; play on a copy: state.clone()")
        })
    }

    pub(crate) fn apply_action(&mut self, action: i64) -> PyResult<()> {
        let known = self.known(action)?;
        let before = self.rules.written.as_ref().map(|_| self.position.boxed_clone());
        if !self.position.play_action(known) {
            return Err(self.illegal(action));
        }
        if let Some(before) = before
            && let Some(error) = python_rules::failure_of(self.position.as_ref())
        {
            self.position = before;
            return Err(error);
        }
        self.history.push(known);
        Ok(())
    }

    fn undo_action(&mut self, player: i64, action: i64) -> PyResult<()> {
        let mut position = self.rules.start.boxed_clone();
        let Some((last, before)) = self.history.split_last() else {
            return Err(PyValueError::new_err("no action was played that could be taken back"));
        };
        for played in before {
            position.play_action(*played);
        }
        let mover = position.turn().index() as i64;
        if (*last as i64, mover) != (action, player) {
            let what = format!("the last action was {last} of player {mover}, not {action} of player {player}");
            return Err(PyValueError::new_err(what));
        }
        self.position = position;
        self.history.pop();
        Ok(())
    }

    /// Whether a player who was named is not the one to move.
    fn is_others_turn(&self, player: Option<i64>) -> PyResult<bool> {
        State::check_player(player)?;
        Ok(player.is_some_and(|player| i64::from(self.current_player()) != player))
    }

    fn check_player(player: Option<i64>) -> PyResult<()> {
        match player {
            None | Some(0 | 1) => Ok(()),
            Some(player) => Err(PyValueError::new_err(format!("there is no player {player}: they are 0 and 1"))),
        }
    }
}

#[pymethods]
impl State {
    /// The game.
    fn get_game(&self) -> Game {
        Game { rules: Arc::clone(&self.rules) }
    }

    /// 0 or 1; -4 in an ended game.
    fn current_player(&self) -> i32 {
        if self.is_terminal() { TERMINAL } else { self.position.turn().index() as i32 }
    }

    /// The legal actions, ascending. With a player: none if it is not that player's turn.
    #[pyo3(signature = (player=None))]
    fn legal_actions<'py>(&self, py: Python<'py>, player: Option<i64>) -> PyResult<Bound<'py, PyList>> {
        if self.is_others_turn(player)? {
            return Ok(PyList::empty(py));
        }
        let Some(numbers) = self.rules.numbers(py) else { return PyList::new(py, self.position.legal_actions()) };
        match self.legal.try_lock() {
            Ok(mut legal) if numbers.dense => legal.of(py, self.position(), &numbers.of),
            _ => PyList::new(py, self.position.legal_actions().iter().map(|action| numbers.of[*action].bind(py))),
        }
    }

    /// For every action, 1 if it is legal, else 0.
    ///
    /// >>> import tesuji
    /// >>> tesuji.load_game("tictactoe").new_initial_state().child(4).legal_actions_mask().tolist()
    /// [1, 1, 1, 1, 0, 1, 1, 1, 1]
    #[pyo3(signature = (player=None))]
    fn legal_actions_mask<'py>(&self, py: Python<'py>, player: Option<i64>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let mut mask = vec![0; self.position.move_space()];
        if !self.is_others_turn(player)? {
            self.position.legal_actions().into_iter().for_each(|action| mask[action] = 1);
        }
        Ok(PyArray1::from_vec(py, mask))
    }

    /// Plays an action.
    ///
    /// >>> import tesuji
    /// >>> tesuji.load_game("tictactoe").new_initial_state().apply_action(9)
    /// Traceback (most recent call last):
    ///     ...
    /// IndexError: action 9 is not legal here: legal_actions() lists those that are
    #[pyo3(name = "apply_action")]
    fn play_here(slf: &Bound<'_, State>, action: i64) -> PyResult<()> {
        State::unused(slf)?.apply_action(action)
    }

    /// Takes the last action back, which was this player's.
    ///
    /// >>> import tesuji
    /// >>> state = tesuji.load_game("tictactoe").new_initial_state()
    /// >>> state.apply_action(4)
    /// >>> state.undo_action(0, 4)
    /// >>> state.history()
    /// []
    #[pyo3(name = "undo_action")]
    fn take_back_here(slf: &Bound<'_, State>, player: i64, action: i64) -> PyResult<()> {
        State::unused(slf)?.undo_action(player, action)
    }

    /// A copy of this state after an action.
    fn child(&self, action: i64) -> PyResult<State> {
        let mut child = self.clone();
        child.apply_action(action)?;
        Ok(child)
    }

    /// A copy.
    pub(crate) fn clone(&self) -> State {
        State::at(&self.rules, self.position.boxed_clone(), self.history.clone())
    }

    /// Whether the game has ended.
    fn is_terminal(&self) -> bool {
        self.position.outcome().is_some()
    }

    /// No.
    fn is_chance_node(&self) -> bool {
        false
    }

    /// No.
    fn is_simultaneous_node(&self) -> bool {
        false
    }

    /// What each player gets, in [-1, 1], graded results too; zeros while the game goes on.
    ///
    /// >>> import tesuji
    /// >>> state = tesuji.load_game('tree(text="F(S(0.3 1) 0.7)")').new_initial_state()
    /// >>> state.child(1).returns()
    /// [0.4, -0.4]
    pub(crate) fn returns(&self) -> [f64; 2] {
        let first = self.position.outcome().map_or(0.0, |outcome| {
            // Scores are exact in steps of 1/60,000: no noise is shown.
            ((2.0 * outcome.score.to_f64() - 1.0) * 30_000.0).round() / 30_000.0
        });
        // Nothing is shown as -0.0.
        let worth = |player: Player| if player == Player::First { first } else { 0.0 - first };
        Player::BOTH.map(worth)
    }

    /// What the last action gave to each player: `returns()` at the end, else zeros.
    fn rewards(&self) -> [f64; 2] {
        self.returns()
    }

    /// What a player gets.
    fn player_return(&self, player: i64) -> PyResult<f64> {
        State::check_player(Some(player))?;
        Ok(self.returns()[player as usize])
    }

    /// An action as people write it: `action_to_string(action)` or `action_to_string(player, action)`.
    #[pyo3(signature = (player_or_action, action=None))]
    fn action_to_string(&self, player_or_action: i64, action: Option<i64>) -> PyResult<String> {
        // OpenSpiel takes (player, action) or (action).
        let action = action.unwrap_or(player_or_action);
        self.position.action_text(self.known(action)?).ok_or_else(|| self.illegal(action))
    }

    /// The action that people write so: `string_to_action(text)` or `string_to_action(player, text)`.
    #[pyo3(signature = (player_or_text, text=None))]
    fn string_to_action(&self, player_or_text: &Bound<'_, PyAny>, text: Option<&str>) -> PyResult<usize> {
        let own: String;
        let text = match text {
            Some(text) => text,
            None => {
                own = player_or_text.extract()?;
                &own
            }
        };
        let wrong = || {
            let why = self.position.boxed_clone().play(text).err().map(|error| error.to_string());
            PyValueError::new_err(why.unwrap_or_else(|| format!("no legal action is written {text:?}")))
        };
        self.position.action_named(text).ok_or_else(wrong)
    }

    /// The actions played so far.
    fn history(&self) -> Vec<usize> {
        self.history.clone()
    }

    /// The actions played so far, as text.
    fn history_str(&self) -> String {
        self.serialize()
    }

    /// How many actions were played.
    fn move_number(&self) -> usize {
        self.history.len()
    }

    /// The observation of the side to move, [planes, rows, columns] float32: the planes, then one
    /// constant plane for each global. Some games turn the board for the side to move; see
    /// `policy_index`. The player is ignored: nothing is hidden.
    #[pyo3(signature = (player=None))]
    fn observation_tensor<'py>(&self, py: Python<'py>, player: Option<i64>) -> PyResult<Bound<'py, PyArray3<f32>>> {
        State::check_player(player)?;
        let shape = self.position.tensor_shape();
        let (planes, globals) = self.position.observe();
        let mut all: Vec<f32> = planes.into_iter().map(f32::from).collect();
        for global in globals {
            all.resize(all.len() + shape.cells(), global);
        }
        all.into_pyarray(py).reshape([shape.planes + shape.globals, shape.rows, shape.columns])
    }

    /// The planes and globals as evaluators get them: uint8 [1, planes, rows, columns] and float32
    /// [1, globals].
    fn observation_planes<'py>(&self, py: Python<'py>) -> PyResult<Observation<'py>> {
        let shape = self.position.tensor_shape();
        let (planes, globals) = self.position.observe();
        let planes = planes.into_pyarray(py).reshape([1, shape.planes, shape.rows, shape.columns])?;
        Ok((planes, globals.into_pyarray(py).reshape([1, shape.globals])?))
    }

    /// The position as text.
    #[pyo3(signature = (player=None))]
    fn observation_string(&self, player: Option<i64>) -> PyResult<String> {
        State::check_player(player)?;
        Ok(self.__str__())
    }

    /// The actions so far: with nothing hidden, they are all there is to know.
    #[pyo3(signature = (player=None))]
    fn information_state_string(&self, player: Option<i64>) -> PyResult<String> {
        State::check_player(player)?;
        Ok(self.serialize())
    }

    /// The place of an action in the policy of a network that sees `observation_tensor`: the action
    /// itself, unless the game turns the board for the side to move.
    fn policy_index(&self, action: i64) -> PyResult<usize> {
        self.position.policy_index(self.known(action)?).ok_or_else(|| self.illegal(action))
    }

    /// The hash of the position, 64 bits: equal positions have equal ones, on every machine.
    ///
    /// >>> import tesuji
    /// >>> start = tesuji.load_game("hex(size=5,swap=false)").new_initial_state()
    /// >>> start.child(3).child(7).child(9).hash() == start.child(9).child(7).child(3).hash()
    /// True
    fn hash(&self) -> u64 {
        self.position.hash().0
    }

    /// This state in one line of text, for `Game.deserialize_state`: the actions that led to it.
    ///
    /// >>> import tesuji
    /// >>> game = tesuji.load_game("tictactoe")
    /// >>> state = game.new_initial_state().child(4).child(0)
    /// >>> state.serialize(), game.deserialize_state(state.serialize()) == state
    /// ('4 0', True)
    fn serialize(&self) -> String {
        self.history.iter().map(usize::to_string).collect::<Vec<_>>().join(" ")
    }

    /// The position as one line of text, such as FEN, where the game has one.
    fn setup_text(&self) -> Option<String> {
        self.position.setup_text()
    }

    /// Searches this position with an agent, or with the agent that a spec names; see `Agent.think`.
    ///
    /// >>> import tesuji
    /// >>> state = tesuji.load_game('tictactoe(position="...X.OXOX")').new_initial_state()
    /// >>> report = state.think("oracle")
    /// >>> report.move, report.value, report.line
    /// ('a3', 0.0, ['a3', 'b3', 'c3', 'b2'])
    #[pyo3(signature = (agent, *, iterations=None, nodes=None, seconds=None, memory=None, threads=None, seed=1, tree=false))]
    #[allow(clippy::too_many_arguments)] // named ones, in Python
    fn think(
        &self,
        py: Python<'_>,
        agent: &Bound<'_, PyAny>,
        iterations: Option<u64>,
        nodes: Option<u64>,
        seconds: Option<f64>,
        memory: Option<u64>,
        threads: Option<u32>,
        seed: u64,
        tree: bool,
    ) -> PyResult<Report> {
        let limits = Limits { iterations, nodes, seconds, memory, threads, seed };
        match agent.cast::<Agent>() {
            Ok(agent) => agent.get().search(py, self, &limits, tree),
            Err(_) => Agent::of(&self.rules, &agent.extract::<String>()?)?.search(py, self, &limits, tree),
        }
    }

    /// Solves this position: its value, and a proof of it that can be verified. `agent` is a solver;
    /// "auto" the game's own. `goal` asks one question, such as "first-wins".
    ///
    /// >>> import tesuji
    /// >>> proof = tesuji.load_game("hex(size=3,swap=false)").new_initial_state().solve()
    /// >>> proof.status, proof.value, proof.verify().positions > 0
    /// ('win', 1.0, True)
    #[pyo3(signature = (agent="auto", *, goal=None, iterations=None, nodes=None, seconds=None, memory=None, threads=None, seed=1))]
    #[allow(clippy::too_many_arguments)] // named ones, in Python
    fn solve(
        &self,
        py: Python<'_>,
        agent: &str,
        goal: Option<&str>,
        iterations: Option<u64>,
        nodes: Option<u64>,
        seconds: Option<f64>,
        memory: Option<u64>,
        threads: Option<u32>,
        seed: u64,
    ) -> PyResult<Proof> {
        let limits = Limits { iterations, nodes, seconds, memory, threads, seed };
        proof::solve(py, self, agent, goal, &limits)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Game, String))> {
        Ok((py.import("tesuji._native")?.getattr("_restore_state")?, (self.get_game(), self.serialize())))
    }

    fn __copy__(&self) -> State {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> State {
        self.clone()
    }

    fn __eq__(&self, other: &State) -> bool {
        self.position.equals(other.position.as_ref())
    }

    fn __str__(&self) -> String {
        self.position.view().to_string()
    }

    fn __repr__(&self) -> String {
        format!("<tesuji.State of {} after {} actions>", self.rules.spec, self.history.len())
    }

    fn _repr_svg_(&self) -> String {
        svg::of(self.position.as_ref())
    }
}

/// What unpickling a state calls.
#[pyfunction]
#[pyo3(name = "_restore_state")]
pub fn restore_state(game: &Game, text: &str) -> PyResult<State> {
    let mut state = State::new(&game.rules);
    for word in text.split_whitespace() {
        let action = word.parse().map_err(|_| PyValueError::new_err(format!("not an action: {word:?}")))?;
        state.apply_action(action)?;
    }
    Ok(state)
}
