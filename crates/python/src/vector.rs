//! `VectorState`: thousands of games of one kind, stepped at once with the caller's arrays.

use crate::game::Game;
use numpy::ndarray::{Dimension, IntoDimension};
use numpy::{
    Element, PyArray, PyArray1, PyArray2, PyArray4, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use tesuji_agents::AnyMany;
use tesuji_core::Seed;

/// Many games of one kind, stepped at once. A game that ends, or reaches `longest` moves (0: none does),
/// begins anew in the same step.
///
/// >>> import numpy, tesuji
/// >>> games = tesuji.VectorState(tesuji.load_game("tictactoe"), 1000, seed=1)
/// >>> ended = 0
/// >>> for _ in range(9):
/// ...     results, how = games.step(games.sample())
/// ...     ended += int((how > 0).sum())
/// >>> ended >= 1000
/// True
/// >>> games.step(numpy.full(1000, 9))
/// Traceback (most recent call last):
///     ...
/// IndexError: game 0: action 9 is not legal there; nothing was played
#[pyclass(module = "tesuji._native")]
pub struct VectorState {
    games: Box<dyn AnyMany>,
}

type Step<'py> = (Bound<'py, PyArray1<f32>>, Bound<'py, PyArray1<u8>>);
/// Planes and globals.
pub type Observation<'py> = (Bound<'py, PyArray4<u8>>, Bound<'py, PyArray2<f32>>);

#[pymethods]
impl VectorState {
    #[new]
    #[pyo3(signature = (game, count, *, longest=0, threads=1, seed=1))]
    fn new(game: &Game, count: usize, longest: u32, threads: usize, seed: u64) -> PyResult<VectorState> {
        if count == 0 || threads == 0 || game.rules.start.outcome().is_some() {
            return Err(PyValueError::new_err("count and threads must be positive, the game live"));
        }
        if game.rules.written.is_some() {
            return Err(PyValueError::new_err("a game written in Python cannot be stepped in batches"));
        }
        Ok(VectorState { games: game.rules.start.many(count, longest, threads, Seed(seed)) })
    }

    /// How many games.
    fn __len__(&self) -> usize {
        self.games.count()
    }

    /// Begins all games anew.
    #[pyo3(signature = (seed=1))]
    fn reset(&mut self, seed: u64) {
        self.games.reset(Seed(seed));
    }

    /// Plays one action in each game (int64). Answers the first player's results of games that ended,
    /// float32 in [-1, 1] and 0 elsewhere, and how they ended, uint8: 0 they go on, 1 by their rules,
    /// 2 cut off. If an action is not legal, no game has changed.
    fn step<'py>(&mut self, py: Python<'py>, actions: PyReadonlyArray1<'py, i64>) -> PyResult<Step<'py>> {
        let count = self.games.count();
        if actions.len() != count {
            return Err(PyValueError::new_err(format!("expected {count} actions, got {}", actions.len())));
        }
        let actions = actions.as_slice().map_err(|_| PyValueError::new_err("actions must be contiguous"))?;
        let (results, ended) = (PyArray1::zeros(py, count, false), PyArray1::zeros(py, count, false));
        {
            let (mut results, mut ended) = (results.readwrite(), ended.readwrite());
            let (results, ended) = (results.as_slice_mut()?, ended.as_slice_mut()?);
            py.detach(|| self.games.step(actions, results, ended)).map_err(|illegal| {
                let (game, action) = (illegal.game, actions[illegal.game]);
                PyIndexError::new_err(format!("game {game}: action {action} is not legal there; nothing was played"))
            })?;
        }
        Ok((results, ended))
    }

    /// A legal action for each game, int64, each with the same probability.
    fn sample<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let actions = PyArray1::zeros(py, self.games.count(), false);
        {
            let mut actions = actions.readwrite();
            let actions = actions.as_slice_mut()?;
            py.detach(|| self.games.sample(actions));
        }
        Ok(actions)
    }

    /// Who is to move in each game: int8, 0 or 1.
    fn current_players<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let turns = PyArray1::zeros(py, self.games.count(), false);
        self.games.turns(turns.readwrite().as_slice_mut()?);
        Ok(turns)
    }

    /// For each game and action, uint8 1 if it is legal: a new array, or `out`, which is written in place.
    ///
    /// >>> import numpy, tesuji
    /// >>> games, mask = tesuji.VectorState(tesuji.load_game("tictactoe"), 2), numpy.empty((2, 9), numpy.uint8)
    /// >>> games.legal_actions_mask(out=mask) is mask, int(mask.sum())
    /// (True, 18)
    #[pyo3(signature = (*, out=None))]
    fn legal_actions_mask<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyArray2<u8>>>,
    ) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let masks = place(py, out, [self.games.count(), self.games.actions()], "out")?;
        {
            let mut masks = writable(&masks, "out")?;
            let masks = masks.as_slice_mut()?;
            py.detach(|| self.games.masks(masks));
        }
        Ok(masks)
    }

    /// The planes, uint8 [games, planes, rows, columns], and globals, float32 [games, globals], of each
    /// game, as evaluators get them: new arrays, or the two of `out`, which are written in place.
    #[pyo3(signature = (*, out=None))]
    fn observe<'py>(&self, py: Python<'py>, out: Option<Observation<'py>>) -> PyResult<Observation<'py>> {
        let (count, shape) = (self.games.count(), self.games.shape());
        let (planes, globals) = out.unzip();
        let planes = place(py, planes, [count, shape.planes, shape.rows, shape.columns], "planes")?;
        let globals = place(py, globals, [count, shape.globals], "globals")?;
        {
            let (mut planes, mut globals) = (writable(&planes, "planes")?, writable(&globals, "globals")?);
            let (planes, globals) = (planes.as_slice_mut()?, globals.as_slice_mut()?);
            py.detach(|| self.games.observe(planes, globals));
        }
        Ok((planes, globals))
    }
}

/// A new array, or the caller's if it has this shape.
fn place<'py, T: Element, D: Dimension>(
    py: Python<'py>,
    out: Option<Bound<'py, PyArray<T, D>>>,
    shape: impl IntoDimension<Dim = D>,
    name: &str,
) -> PyResult<Bound<'py, PyArray<T, D>>> {
    let shape = shape.into_dimension();
    let Some(out) = out else { return Ok(PyArray::zeros(py, shape, false)) };
    if out.shape() != shape.slice() || !out.is_c_contiguous() {
        let what = format!("{name} must be contiguous and have the shape {:?}, not {:?}", shape.slice(), out.shape());
        return Err(PyValueError::new_err(what));
    }
    Ok(out)
}

fn writable<'py, T: Element, D: Dimension>(
    array: &Bound<'py, PyArray<T, D>>,
    name: &str,
) -> PyResult<PyReadwriteArray<'py, T, D>> {
    array.try_readwrite().map_err(|error| PyValueError::new_err(format!("{name}: {error}")))
}
