//! `Agent`: the searches of the program, for positions of one game.

use crate::game::{Game, State};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tesuji_agents::{Access, AnyAgent};
use tesuji_core::{Bounds, Budget, NoObserver, Seed, Value};

/// A search for one game. Made by `Game.agent`.
#[pyclass(frozen, module = "tesuji")]
pub struct Agent {
    agent: Mutex<Box<dyn AnyAgent>>,
    spec: String,
}

impl Agent {
    /// The agent that a spec names, for positions of this game.
    pub(crate) fn of(game: &Game, spec: &str) -> PyResult<Agent> {
        let wrong = |error: &dyn std::fmt::Display| PyValueError::new_err(format!("{error}"));
        let parsed = spec.parse().map_err(|error| wrong(&error))?;
        // Who runs Python code may open files anyway.
        let agent = game.start.agent_with(&parsed, &Access::unrestricted()).map_err(|error| wrong(&error))?;
        Ok(Agent { agent: Mutex::new(agent), spec: parsed.to_string() })
    }
}

/// A value in [0, 1] as one in [-1, 1].
fn centred(value: Value) -> f64 {
    2.0 * value.to_f64() - 1.0
}

/// Proved bounds in [-1, 1].
fn centred_bounds(bounds: Bounds) -> (f64, f64) {
    (2.0 * bounds.lower().to_f64() - 1.0, 2.0 * bounds.upper().to_f64() - 1.0)
}

#[pymethods]
impl Agent {
    /// Searches a position of the game, within the limits that are given; with none, an endless
    /// search is refused. Answers a dictionary:
    ///
    /// * `action`: the chosen one; None if the agent resigns
    /// * `value`: what the position seems to be worth to the first player, in [-1, 1]
    /// * `bounds`: what is proved of that, (low, high)
    /// * `iterations`, `nodes`, `seconds`
    /// * `actions`: for each action a dictionary of `action`, `visits`, `value` (None if not tried),
    ///   `prior` (None if the search has none) and `bounds`
    #[pyo3(signature = (state, *, iterations=None, nodes=None, seconds=None, seed=1))]
    fn think<'py>(
        &self,
        py: Python<'py>,
        state: &State,
        iterations: Option<u64>,
        nodes: Option<u64>,
        seconds: Option<f64>,
        seed: u64,
    ) -> PyResult<Bound<'py, PyDict>> {
        let time = match seconds.map(Duration::try_from_secs_f64) {
            None => None,
            Some(Ok(time)) => Some(time),
            Some(Err(error)) => return Err(PyValueError::new_err(format!("seconds: {error}"))),
        };
        let budget = Budget { iterations, nodes, hard_time: time, ..Budget::default() };
        let spec = self.spec.parse().map_err(|error| PyValueError::new_err(format!("{error}")))?;
        if iterations.is_none() && nodes.is_none() && time.is_none() && tesuji_agents::is_endless(&spec) {
            return Err(PyValueError::new_err(format!("{} needs iterations, nodes or seconds", self.spec)));
        }
        let position = state.position();
        let report = py.detach(|| {
            let mut agent = self.agent.lock().unwrap_or_else(PoisonError::into_inner);
            agent.think(position, &budget, Seed(seed), &mut NoObserver)
        });
        let report = report.map_err(|error| PyRuntimeError::new_err(format!("{}: {error}", self.spec)))?;
        let action = |text: &String| position.action_named(text);
        let answer = PyDict::new(py);
        answer.set_item("action", report.best.as_ref().and_then(action))?;
        answer.set_item("value", centred(report.value))?;
        answer.set_item("bounds", centred_bounds(report.bounds))?;
        answer.set_item("iterations", report.iterations)?;
        answer.set_item("nodes", report.nodes)?;
        answer.set_item("seconds", report.elapsed.as_secs_f64())?;
        let actions = PyList::empty(py);
        for entry in &report.root {
            let one = PyDict::new(py);
            one.set_item("action", action(&entry.mv))?;
            one.set_item("visits", entry.visits)?;
            one.set_item("value", entry.value.map(centred))?;
            one.set_item("prior", entry.prior)?;
            one.set_item("bounds", centred_bounds(entry.bounds))?;
            actions.append(one)?;
        }
        answer.set_item("actions", actions)?;
        Ok(answer)
    }

    fn __str__(&self) -> &str {
        &self.spec
    }

    fn __repr__(&self) -> String {
        format!("<tesuji.Agent {}>", self.spec)
    }
}
