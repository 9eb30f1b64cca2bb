//! `Game`: a game with all its parameters, by its spec or written in Python.

use crate::agent::Agent;
use crate::evaluator;
use crate::python_rules::PyPosition;
use crate::state::{State, restore_state};
use numpy::PyArray2;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt};
use std::sync::{Arc, OnceLock};
use tesuji_agents::batched::BatchSettings;
use tesuji_agents::{Access, AnyPosition, start_game_with};
use tesuji_core::spec::{Spec, SpecValue};
use tesuji_core::{Symmetry, TensorShape};

/// One row for each symmetry.
type Table<'py> = Bound<'py, PyArray2<u16>>;

/// Games of a kind that may repeat positions have no bound of their own; a match is ended here.
const LONGEST: usize = 100_000;

/// What all states of a game share.
pub struct Rules {
    /// The first position.
    pub start: Box<dyn AnyPosition>,
    /// The canonical spec, or the name of a game that was written in Python.
    pub spec: String,
    /// The Python object that the rules are, if they are.
    pub written: Option<Py<PyAny>>,
    numbers: OnceLock<Numbers>,
}

/// Games of more actions than this have their numbers made when they are asked for.
const MOST_NUMBERS: usize = 1 << 16;

/// A game of which fewer of the actions than one in this many are legal at the start keeps no lists of them.
const SPARSE: usize = 8;

/// The actions of a game as Python numbers, made once.
pub struct Numbers {
    /// Each action.
    pub of: Vec<Py<PyInt>>,
    /// Whether many of them are legal at a time, and remain so.
    pub dense: bool,
}

impl Rules {
    fn new(start: Box<dyn AnyPosition>, spec: String, written: Option<Py<PyAny>>) -> Rules {
        Rules { start, spec, written, numbers: OnceLock::new() }
    }

    /// The actions as numbers; nothing if there are very many of them.
    #[inline]
    pub fn numbers(&self, py: Python<'_>) -> Option<&Numbers> {
        self.numbers.get().or_else(|| self.make_numbers(py))
    }

    #[cold]
    fn make_numbers(&self, py: Python<'_>) -> Option<&Numbers> {
        let space = self.start.move_space();
        let number = |number: usize| PyInt::new(py, number).unbind();
        let dense = self.start.legal_actions().len() * SPARSE >= space;
        let numbers = || Numbers { of: (0..space).map(number).collect(), dense };
        (space <= MOST_NUMBERS).then(|| self.numbers.get_or_init(numbers))
    }
}

/// Loads a game from its spec, the text that all commands of tesuji take.
///
/// >>> import tesuji
/// >>> tesuji.load_game("hex(size=5)")
/// tesuji.load_game("hex(size=5,swap=true)")
/// >>> tesuji.load_game("hex(size=1)")
/// Traceback (most recent call last):
///     ...
/// ValueError: size of hex must be a whole number from 2 to 26, not 1 (column 5 of the spec)
#[pyfunction]
pub fn load_game(spec: &str) -> PyResult<Game> {
    let parsed = spec.parse().map_err(|error| PyValueError::new_err(format!("{error}")))?;
    // Who runs Python code may open files anyway.
    let started =
        start_game_with(&parsed, &Access::unrestricted()).map_err(|error| PyValueError::new_err(format!("{error}")))?;
    Ok(Game { rules: Arc::new(Rules::new(started.position, started.spec.to_string(), None)) })
}

/// The names of all games that `load_game` knows.
///
/// >>> import tesuji
/// >>> "othello" in tesuji.registered_names()
/// True
#[pyfunction]
pub fn registered_names() -> Vec<&'static str> {
    tesuji_agents::games().iter().map(|game| game.description.name).collect()
}

/// A game whose rules are a Python object, for all of our searches: slower than ours by the price of
/// a Python call for each move, some ten microseconds.
///
/// The object has OpenSpiel's methods `new_initial_state()` and `num_distinct_actions()`; optional are
/// `min_utility()` and `max_utility()` (-1 and 1 if missing) and `name`. Its states have
/// `current_player()`, `legal_actions()`, `apply_action(action)`, `is_terminal()`, `returns()` and
/// `clone()`; optional are `action_to_string(action)`, `evaluation()` (a whole number for the first
/// player between -10,000 and 10,000, for searches that want one), and `key()` (text or bytes by which
/// equal positions are found; without it, positions are equal if the same actions led to them). States
/// must not change but by `apply_action`. Games of OpenSpiel for two players without chance fit too.
///
/// >>> import tesuji
/// >>> class Heap:
/// ...     "Take one or two; who takes the last one wins."
/// ...     def __init__(self, left=7, player=0):
/// ...         self.left, self.player = left, player
/// ...     def current_player(self):
/// ...         return self.player if self.left else -4
/// ...     def legal_actions(self):
/// ...         return [a for a in (0, 1) if a < self.left]
/// ...     def apply_action(self, action):
/// ...         self.left, self.player = self.left - action - 1, 1 - self.player
/// ...     def is_terminal(self):
/// ...         return self.left == 0
/// ...     def returns(self):
/// ...         winner = 1.0 if self.left == 0 and self.player == 1 else -1.0
/// ...         return [winner, -winner] if self.left == 0 else [0.0, 0.0]
/// ...     def clone(self):
/// ...         return Heap(self.left, self.player)
/// ...     def key(self):
/// ...         return f"{self.left} {self.player}"
/// >>> class Heaps:
/// ...     name = "heap"
/// ...     def new_initial_state(self):
/// ...         return Heap()
/// ...     def num_distinct_actions(self):
/// ...         return 2
/// >>> game = tesuji.python_game(Heaps())
/// >>> game.new_initial_state().solve(agent="df-pn").status
/// 'win'
/// >>> game.agent("mcts").think(game.new_initial_state(), iterations=200).action
/// 0
#[pyfunction]
pub fn python_game(py: Python<'_>, rules: Py<PyAny>) -> PyResult<Game> {
    let (start, name) = PyPosition::start(rules.bind(py))?;
    Ok(Game { rules: Arc::new(Rules::new(Box::new(start), name, Some(rules))) })
}

/// A game with all its parameters. Made by `load_game` or `python_game`.
///
/// >>> import tesuji
/// >>> game = tesuji.load_game("tictactoe")
/// >>> game.num_distinct_actions(), game.num_players(), game.utility_sum()
/// (9, 2, 0.0)
/// >>> import pickle
/// >>> pickle.loads(pickle.dumps(game)) == game
/// True
#[pyclass(frozen, module = "tesuji._native")]
pub struct Game {
    pub(crate) rules: Arc<Rules>,
}

#[pymethods]
impl Game {
    /// The first position.
    fn new_initial_state(&self) -> State {
        State::new(&self.rules)
    }

    /// The search that a spec names, for positions of this game.
    ///
    /// >>> import tesuji
    /// >>> tesuji.load_game("othello").agent("auto")
    /// <tesuji.Agent alpha-beta>
    fn agent(&self, spec: &str) -> PyResult<Agent> {
        Agent::of(&self.rules, spec)
    }

    /// The search of the agent `zero` (Gumbel search, Danihelka et al. 2022) with your evaluation of
    /// positions.
    ///
    /// `evaluator(planes, globals)` gets a batch: planes uint8 [n, planes, rows, columns] as
    /// `observation_planes` has them, globals float32 [n, globals]. It answers (logits, values):
    /// float32 [n, actions] by policy index, and float32 [n] in [-1, 1] for the side to move. Both
    /// sides read and write the arrays in place; those it gets are valid until it returns. A batch has
    /// at most `batch` positions, all of one tree; batches of 1 search as `zero` does.
    ///
    /// >>> import numpy, tesuji
    /// >>> game = tesuji.load_game("hex(size=3)")
    /// >>> def level(planes, globals_):
    /// ...     n = len(planes)
    /// ...     return numpy.zeros((n, game.num_policy_logits()), numpy.float32), numpy.zeros(n, numpy.float32)
    /// >>> agent = game.evaluated_agent(level, batch=4)
    /// >>> agent.think(game.new_initial_state(), iterations=64).iterations
    /// 64
    #[pyo3(signature = (evaluator, *, batch=8, considered=16, noise=0.0, solver=true))]
    fn evaluated_agent(
        &self,
        py: Python<'_>,
        evaluator: Py<PyAny>,
        batch: usize,
        considered: usize,
        noise: f32,
        solver: bool,
    ) -> PyResult<Agent> {
        if !evaluator.bind(py).is_callable() {
            return Err(pyo3::exceptions::PyTypeError::new_err("the evaluator must be callable"));
        }
        if batch == 0 || batch > 1 << 16 || considered == 0 || !(0.0..=100.0).contains(&noise) {
            return Err(PyValueError::new_err(
                "batch must be from 1 to 65536, considered at least 1, noise from 0 to 100",
            ));
        }
        let (evaluator, error) = evaluator::PyEvaluator::new(evaluator);
        let settings = BatchSettings { batch, considered, noise, solver };
        let agent = self.rules.start.evaluated_agent(Box::new(evaluator), settings);
        Ok(Agent::new(agent, format!("evaluated(batch={batch})"), true, Some(error)))
    }

    /// A state that `State.serialize` wrote.
    fn deserialize_state(&self, text: &str) -> PyResult<State> {
        restore_state(self, text)
    }

    /// The number of actions; an action is a number below it.
    fn num_distinct_actions(&self) -> usize {
        self.rules.start.move_space()
    }

    /// The logits of a policy: the actions, or more where one network serves several rules.
    fn num_policy_logits(&self) -> usize {
        self.rules.start.tensor_shape().moves
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

    /// What both players get together.
    fn utility_sum(&self) -> f64 {
        0.0
    }

    /// No chance.
    fn max_chance_outcomes(&self) -> usize {
        0
    }

    /// A bound on the actions of a game, not a close one.
    fn max_game_length(&self) -> usize {
        if self.rules.start.never_repeats() { 2 * self.rules.start.move_space() } else { LONGEST }
    }

    /// [planes, rows, columns] of an observation: the planes of the encoding, then one constant
    /// plane for each global.
    fn observation_tensor_shape(&self) -> [usize; 3] {
        let shape = self.rules.start.tensor_shape();
        [shape.planes + shape.globals, shape.rows, shape.columns]
    }

    /// The numbers of an observation.
    fn observation_tensor_size(&self) -> usize {
        self.observation_tensor_shape().into_iter().product()
    }

    /// The policy that numbers actions: [actions].
    fn policy_tensor_shape(&self) -> [usize; 1] {
        [self.num_distinct_actions()]
    }

    /// The name of the encoding: weights trained with one do not fit another.
    fn encoding(&self) -> &'static str {
        self.rules.start.encoding_name()
    }

    /// (planes, rows, columns, globals, actions, actions_are_cells) of the encoding.
    fn tensor_shape(&self) -> (usize, usize, usize, usize, usize, bool) {
        let TensorShape { planes, rows, columns, globals, moves, moves_are_cells } = self.rules.start.tensor_shape();
        (planes, rows, columns, globals, moves, moves_are_cells)
    }

    /// The symmetries as two integer arrays, [symmetries, cells] and [symmetries, actions]: in an
    /// image, cell i looks as cell cells[s, i] did, and action i is what action actions[s, i] was.
    /// The first one is the identity.
    fn symmetries<'py>(&self, py: Python<'py>) -> PyResult<(Table<'py>, Table<'py>)> {
        let (cells, moves): (Vec<_>, Vec<_>) =
            self.rules.start.symmetries().into_iter().map(|Symmetry { cells, moves }| (cells, moves)).unzip();
        Ok((PyArray2::from_vec2(py, &cells)?, PyArray2::from_vec2(py, &moves)?))
    }

    /// The parameters with their values.
    ///
    /// >>> import tesuji
    /// >>> tesuji.load_game("mnk(m=4,n=4,k=3)").get_parameters()["k"]
    /// 3
    fn get_parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let answer = PyDict::new(py);
        if self.rules.written.is_none() {
            let spec: Spec = self.rules.spec.parse().map_err(|error| PyValueError::new_err(format!("{error}")))?;
            for argument in spec.arguments {
                match argument.value {
                    SpecValue::Integer(number) => answer.set_item(argument.name, number)?,
                    SpecValue::Number(number) => answer.set_item(argument.name, number)?,
                    SpecValue::Text(text) => answer.set_item(argument.name, text)?,
                    SpecValue::Spec(spec) => answer.set_item(argument.name, spec.to_string())?,
                }
            }
        }
        Ok(answer)
    }

    /// The name of the game, without parameters.
    fn short_name(&self) -> &str {
        self.rules.spec.split('(').next().unwrap_or_default()
    }

    /// The spec of the strongest agent: what `agent("auto")` is.
    fn strongest(&self) -> &'static str {
        self.rules.start.strongest()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Py<PyAny>,))> {
        let native = py.import("tesuji._native")?;
        match &self.rules.written {
            Some(rules) => Ok((native.getattr("python_game")?, (rules.clone_ref(py),))),
            None => {
                let spec = pyo3::types::PyString::new(py, &self.rules.spec).into_any().unbind();
                Ok((native.getattr("load_game")?, (spec,)))
            }
        }
    }

    fn __eq__(&self, other: &Game) -> bool {
        Arc::ptr_eq(&self.rules, &other.rules)
            || self.rules.written.is_none() && other.rules.written.is_none() && self.rules.spec == other.rules.spec
    }

    fn __hash__(&self) -> u64 {
        self.rules
            .spec
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }

    fn __str__(&self) -> &str {
        &self.rules.spec
    }

    fn __repr__(&self) -> String {
        match self.rules.written {
            Some(_) => format!("<tesuji.Game {} in Python>", self.rules.spec),
            None => format!("tesuji.load_game({:?})", self.rules.spec),
        }
    }
}
