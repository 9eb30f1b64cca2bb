//! A Python function as the evaluator of a search.
//!
//! The arrays that it gets are numpy's own: positions are written into them in place, and what it
//! answers is read in place. They are used again for the next batch.

use numpy::{PyArray2, PyArray4, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySlice, PyTuple};
use std::sync::{Arc, Mutex, PoisonError};
use tesuji_agents::batched::{BatchEvaluator, LeafBatch};
use tesuji_core::TensorShape;
use tesuji_search::SearchError;

/// Arrays for batches of up to `count` positions.
struct Arrays {
    count: usize,
    shape: TensorShape,
    planes: Py<PyArray4<u8>>,
    globals: Py<PyArray2<f32>>,
}

/// The evaluator.
pub struct PyEvaluator {
    function: Py<PyAny>,
    raised: Arc<Mutex<Option<PyErr>>>,
    arrays: Option<Arrays>,
}

impl PyEvaluator {
    /// The evaluator, and where it leaves what the function raises.
    pub fn new(function: Py<PyAny>) -> (PyEvaluator, Arc<Mutex<Option<PyErr>>>) {
        let raised = Arc::default();
        (PyEvaluator { function, raised: Arc::clone(&raised), arrays: None }, raised)
    }

    fn call(&mut self, py: Python<'_>, batch: &mut dyn LeafBatch) -> PyResult<()> {
        let (count, shape) = (batch.count(), batch.shape());
        let fits = |arrays: &&Arrays| arrays.count >= count && arrays.shape == shape;
        if self.arrays.as_ref().filter(fits).is_none() {
            let room = count.next_power_of_two();
            let planes = PyArray4::zeros(py, [room, shape.planes, shape.rows, shape.columns], false);
            let globals = PyArray2::zeros(py, [room, shape.globals], false);
            self.arrays = Some(Arrays { count: room, shape, planes: planes.unbind(), globals: globals.unbind() });
        }
        let Some(Arrays { planes, globals, .. }) = &self.arrays else { unreachable!("made above") };
        let (planes, globals) = (planes.bind(py), globals.bind(py));
        {
            let (mut planes, mut globals) = (planes.try_readwrite()?, globals.try_readwrite()?);
            let planes = &mut planes.as_slice_mut()?[..count * shape.bytes()];
            batch.write(planes, &mut globals.as_slice_mut()?[..count * shape.globals]);
        }
        let first = PySlice::new(py, 0, count as isize, 1);
        let arguments = (planes.get_item(&first)?, globals.get_item(&first)?);
        let answer = self.function.bind(py).call1(arguments)?;
        let pair = answer.cast::<PyTuple>().ok().filter(|pair| pair.len() == 2);
        let Some(pair) = pair else {
            let what = format!("the evaluator must answer (logits, values), not {}", answer.get_type().name()?);
            return Err(PyTypeError::new_err(what));
        };
        let logits = in_place(py, &pair.get_item(0)?, "logits", &[count, shape.moves])?;
        let values = in_place(py, &pair.get_item(1)?, "values", &[count])?;
        let (logits, values) = (logits.try_readonly()?, values.try_readonly()?);
        let read = batch.read(logits.as_slice()?, values.as_slice()?);
        read.map_err(|error| PyValueError::new_err(format!("the evaluator: {error}")))
    }
}

/// An array of float32 of this shape: the one given, if it is one; else converted.
fn in_place<'py>(
    py: Python<'py>,
    given: &Bound<'py, PyAny>,
    name: &str,
    shape: &[usize],
) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
    let array = match given.cast::<PyArrayDyn<f32>>() {
        Ok(array) if array.is_c_contiguous() => array.clone(),
        _ => {
            let options = PyDict::new(py);
            options.set_item("dtype", "float32")?;
            let made = py.import("numpy")?.call_method("ascontiguousarray", (given,), Some(&options))?;
            made.cast_into::<PyArrayDyn<f32>>()?
        }
    };
    // A column of values is as good as a row.
    let found = array.shape();
    if found != shape && !(shape.len() == 1 && found == [shape[0], 1]) {
        let what = format!("the evaluator's {name} have the shape {found:?}, expected {shape:?}");
        return Err(PyValueError::new_err(what));
    }
    Ok(array)
}

impl BatchEvaluator for PyEvaluator {
    fn evaluate(&mut self, batch: &mut dyn LeafBatch) -> Result<(), SearchError> {
        let outcome = Python::try_attach(|py| self.call(py, batch));
        match outcome {
            None => Err(SearchError::Failed("the interpreter is exiting".into())),
            Some(Ok(())) => Ok(()),
            Some(Err(error)) => {
                *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                Err(SearchError::Failed("the evaluator raised an exception".into()))
            }
        }
    }
}
