//! `Game` and `State`.

use crate::agent::Agent;
use numpy::{PyArray1, PyArray2, PyArray3};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use tesuji_agents::{Access, AnyPosition, start_game_with};
use tesuji_core::{Player, Symmetry, TensorShape};

/// What `current_player` answers in an ended game, as in OpenSpiel.
const TERMINAL: i32 = -4;

/// One row for each symmetry.
type Table<'py> = Bound<'py, PyArray2<u16>>;

/// Loads a game from its spec, for example "go(size=9,komi=7.5)".
#[pyfunction]
pub fn load_game(spec: &str) -> PyResult<Game> {
    let parsed = spec.parse().map_err(|error| PyValueError::new_err(format!("{error}")))?;
    // Who runs Python code may open files anyway.
    let started =
        start_game_with(&parsed, &Access::unrestricted()).map_err(|error| PyValueError::new_err(format!("{error}")))?;
    Ok(Game { start: started.position, spec: started.spec.to_string() })
}

/// A game with all its parameters. Made by `load_game`.
#[pyclass(frozen, module = "tesuji")]
pub struct Game {
    pub(crate) start: Box<dyn AnyPosition>,
    spec: String,
}

#[pymethods]
impl Game {
    /// The first position.
    fn new_initial_state(&self) -> State {
        State { start: self.start.boxed_clone(), position: self.start.boxed_clone(), history: Vec::new() }
    }

    /// The search that a spec names, for positions of this game: "mcts(leaf=random)".
    fn agent(&self, spec: &str) -> PyResult<Agent> {
        Agent::of(self, spec)
    }

    /// The number of actions; an action is a number below it.
    fn num_distinct_actions(&self) -> usize {
        self.start.move_space()
    }

    /// Two.
    fn num_players(&self) -> usize {
        2
    }

    /// The least a player can get.
    fn min_utility(&self) -> f64 {
        -1.0
    }

    /// The most a player can get.
    fn max_utility(&self) -> f64 {
        1.0
    }

    /// [planes, rows, columns] of an observation: the planes of the encoding, then one constant
    /// plane for each global.
    fn observation_tensor_shape(&self) -> [usize; 3] {
        let shape = self.start.tensor_shape();
        [shape.planes + shape.globals, shape.rows, shape.columns]
    }

    /// The name of the encoding: weights trained with one do not fit another.
    fn encoding(&self) -> &'static str {
        self.start.encoding_name()
    }

    /// (planes, rows, columns, globals, actions, actions_are_cells) of the encoding.
    fn tensor_shape(&self) -> (usize, usize, usize, usize, usize, bool) {
        let TensorShape { planes, rows, columns, globals, moves, moves_are_cells } = self.start.tensor_shape();
        (planes, rows, columns, globals, moves, moves_are_cells)
    }

    /// The symmetries as two integer arrays, [symmetries, cells] and [symmetries, actions]: in an
    /// image, cell i looks as cell cells[s, i] did, and action i is what action actions[s, i] was.
    /// The first one is the identity.
    fn symmetries<'py>(&self, py: Python<'py>) -> PyResult<(Table<'py>, Table<'py>)> {
        let (cells, moves): (Vec<_>, Vec<_>) =
            self.start.symmetries().into_iter().map(|Symmetry { cells, moves }| (cells, moves)).unzip();
        Ok((PyArray2::from_vec2(py, &cells)?, PyArray2::from_vec2(py, &moves)?))
    }

    fn __str__(&self) -> &str {
        &self.spec
    }

    fn __repr__(&self) -> String {
        format!("tesuji.load_game({:?})", self.spec)
    }
}

/// A position of a game, with the actions that led to it.
#[pyclass(module = "tesuji")]
pub struct State {
    start: Box<dyn AnyPosition>,
    position: Box<dyn AnyPosition>,
    history: Vec<usize>,
}

impl State {
    pub(crate) fn position(&self) -> &dyn AnyPosition {
        self.position.as_ref()
    }

    fn illegal(&self, action: usize) -> PyErr {
        PyIndexError::new_err(format!("action {action} is not legal here"))
    }
}

#[pymethods]
impl State {
    /// 0 or 1; -4 in an ended game.
    fn current_player(&self) -> i32 {
        if self.is_terminal() { TERMINAL } else { self.position.turn().index() as i32 }
    }

    /// The legal actions, ascending.
    fn legal_actions(&self) -> Vec<usize> {
        self.position.legal_actions()
    }

    /// For every action, 1 if it is legal, else 0.
    fn legal_actions_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        let mut mask = vec![0; self.position.move_space()];
        for action in self.position.legal_actions() {
            mask[action] = 1;
        }
        PyArray1::from_vec(py, mask)
    }

    /// Plays an action.
    fn apply_action(&mut self, action: usize) -> PyResult<()> {
        if !self.position.play_action(action) {
            return Err(self.illegal(action));
        }
        self.history.push(action);
        Ok(())
    }

    /// A copy of this state after an action.
    fn child(&self, action: usize) -> PyResult<State> {
        let mut child = self.clone();
        child.apply_action(action)?;
        Ok(child)
    }

    /// A copy.
    fn clone(&self) -> State {
        State { start: self.start.boxed_clone(), position: self.position.boxed_clone(), history: self.history.clone() }
    }

    /// Whether the game has ended.
    fn is_terminal(&self) -> bool {
        self.position.outcome().is_some()
    }

    /// What each player gets, in [-1, 1]; zeros while the game goes on.
    fn returns(&self) -> [f64; 2] {
        let first = self.position.outcome().map_or(0.0, |outcome| 2.0 * outcome.score.to_f64() - 1.0);
        let worth = |player: Player| if player == Player::First { first } else { -first };
        Player::BOTH.map(worth)
    }

    /// An action as people write it.
    #[pyo3(signature = (player_or_action, action=None))]
    fn action_to_string(&self, player_or_action: usize, action: Option<usize>) -> PyResult<String> {
        // OpenSpiel takes (player, action) or (action).
        let action = action.unwrap_or(player_or_action);
        self.position.action_text(action).ok_or_else(|| self.illegal(action))
    }

    /// The action that people write so.
    fn string_to_action(&self, text: &str) -> PyResult<usize> {
        let wrong = || PyValueError::new_err(format!("no legal action is written {text:?}"));
        self.position.action_named(text).ok_or_else(wrong)
    }

    /// The actions played so far.
    fn history(&self) -> Vec<usize> {
        self.history.clone()
    }

    /// How many actions were played.
    fn move_number(&self) -> usize {
        self.history.len()
    }

    /// The observation of the side to move, [planes, rows, columns]: the planes, then one constant
    /// plane for each global. Some games turn the board for the side to move; see `policy_index`.
    fn observation_tensor<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f32>>> {
        let shape = self.position.tensor_shape();
        let (planes, globals) = self.position.observe();
        let mut all: Vec<f32> = planes.into_iter().map(f32::from).collect();
        for global in globals {
            all.resize(all.len() + shape.cells(), global);
        }
        let planes = shape.planes + shape.globals;
        let rows: Vec<Vec<Vec<f32>>> = (0..planes)
            .map(|plane| {
                let cells = &all[plane * shape.cells()..(plane + 1) * shape.cells()];
                cells.chunks(shape.columns).map(<[f32]>::to_vec).collect()
            })
            .collect();
        Ok(PyArray3::from_vec3(py, &rows)?)
    }

    /// The place of an action in the policy of a network that sees `observation_tensor`: the action
    /// itself, unless the game turns the board for the side to move.
    fn policy_index(&self, action: usize) -> PyResult<usize> {
        self.position.policy_index(action).ok_or_else(|| self.illegal(action))
    }

    /// The hash of the position.
    fn hash(&self) -> u64 {
        self.position.hash().0
    }

    fn __str__(&self) -> String {
        self.position.view().to_string()
    }

    fn __repr__(&self) -> String {
        format!("<tesuji.State after {} actions>", self.history.len())
    }
}
