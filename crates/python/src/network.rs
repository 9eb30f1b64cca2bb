//! `Network`: the networks of the agent `zero`, as evaluators of positions.

use crate::game::Game;
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyReadonlyArray4, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use std::sync::Arc;
use tesuji_agents::Access;
use tesuji_core::TensorShape;
use tesuji_learn::network::{Instructions, Network as Weights};
use tesuji_learn::player::embedded_network;

/// The largest weight file that is read.
const MOST_BYTES: u64 = 64 << 20;

/// Logits and values.
type Evaluations<'py> = (Bound<'py, PyArray2<f32>>, Bound<'py, PyArray1<f32>>);

/// A network of the agent `zero` for one game: from a weight file, or the one that is built in. Its
/// `evaluate` is an evaluator.
///
/// >>> import tesuji
/// >>> game = tesuji.load_game("go(size=9)")
/// >>> network = tesuji.Network(game)
/// >>> logits, values = network.evaluate(*game.new_initial_state().observation_planes())
/// >>> logits.shape, values.shape
/// ((1, 82), (1,))
#[pyclass(frozen, module = "tesuji._native")]
pub struct Network {
    weights: Arc<Weights>,
    shape: TensorShape,
}

#[pymethods]
impl Network {
    #[new]
    #[pyo3(signature = (game, path=None))]
    fn new(game: &Game, path: Option<&str>) -> PyResult<Network> {
        let (name, shape) = (game.rules.start.encoding_name(), game.rules.start.tensor_shape());
        let weights = match path {
            Some(path) => {
                let bytes = Access::unrestricted().read(path, MOST_BYTES);
                let bytes = bytes.map_err(|error| PyOSError::new_err(format!("{path}: {error}")))?;
                let read = Weights::read(&bytes);
                Arc::new(read.map_err(|error| PyValueError::new_err(format!("{path}: {error}")))?)
            }
            None => embedded_network(name).ok_or_else(|| {
                PyValueError::new_err(format!("no weights are built in for this game (encoding {name}): name a file"))
            })?,
        };
        match weights.incompatibility(name, &shape) {
            Some(problem) => Err(PyValueError::new_err(problem)),
            None => Ok(Network { weights, shape }),
        }
    }

    /// How the weights were made.
    #[getter]
    fn note(&self) -> &str {
        self.weights.note()
    }

    /// Evaluates positions: planes uint8 [n, planes, rows, columns], globals float32 [n, globals].
    /// Answers logits float32 [n, logits] by policy index and values float32 [n] in [-1, 1] for the side
    /// to move.
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        planes: PyReadonlyArray4<'py, u8>,
        globals: PyReadonlyArray2<'py, f32>,
    ) -> PyResult<Evaluations<'py>> {
        let (count, shape) = (planes.shape()[0], self.shape);
        let expected = [count, shape.planes, shape.rows, shape.columns];
        if planes.shape() != expected || globals.shape() != [count, shape.globals] {
            let what = format!("expected planes {expected:?} and globals [{count}, {}]", shape.globals);
            return Err(PyValueError::new_err(what));
        }
        let contiguous = |_| PyValueError::new_err("the arrays must be contiguous");
        let (planes, globals) = (planes.as_slice().map_err(contiguous)?, globals.as_slice().map_err(contiguous)?);
        let (logits, values) = py.detach(|| {
            let (mut logits, mut values) = (Vec::with_capacity(count * shape.moves), Vec::with_capacity(count));
            for number in 0..count {
                let own = &planes[number * shape.bytes()..(number + 1) * shape.bytes()];
                let numbers = &globals[number * shape.globals..(number + 1) * shape.globals];
                let size = (shape.rows, shape.columns);
                let found = self.weights.evaluate(Instructions::best(), size, own, numbers);
                logits.extend_from_slice(&found.logits);
                values.push(found.value);
            }
            (logits, values)
        });
        Ok((logits.into_pyarray(py).reshape([count, shape.moves])?, values.into_pyarray(py)))
    }

    fn __repr__(&self) -> String {
        format!("<tesuji.Network {}>", self.weights.encoding())
    }
}
