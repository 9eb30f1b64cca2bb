//! `Report`: what a search answers; `RootAction`: one action of its root; `Node`: a node of its tree,
//! read when it is asked for.

use crate::agent::Limits;
use crate::running;
use pyo3::exceptions::{PyKeyError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use tesuji_agents::{AnyPosition, ChildFilter, ChildView, KeptTree, NodeView};
use tesuji_core::{Bounds, NoObserver, RootMove, Value};

/// A value in [0, 1] as one in [-1, 1].
pub fn centred(value: Value) -> f64 {
    2.0 * value.to_f64() - 1.0
}

/// Proved bounds in [-1, 1].
pub fn centred_bounds(bounds: Bounds) -> (f64, f64) {
    (2.0 * bounds.lower().to_f64() - 1.0, 2.0 * bounds.upper().to_f64() - 1.0)
}

/// `object["name"]` for `object.name`.
fn item<'py>(object: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let missing = |_| PyKeyError::new_err(name.to_string());
    if name.starts_with('_') {
        Err(PyKeyError::new_err(name.to_string()))
    } else {
        object.getattr(name).map_err(missing)
    }
}

/// One action of the root of a search. Values are for the first player, in [-1, 1].
#[pyclass(frozen, get_all, module = "tesuji._native")]
pub struct RootAction {
    /// The action.
    action: Option<usize>,
    /// The action as people write it.
    r#move: String,
    /// How often it was tried.
    visits: u64,
    /// What it seems to be worth; None if it was never tried.
    value: Option<f64>,
    /// What is proved of that: (low, high).
    bounds: (f64, f64),
    /// The weight that it had before it was tried; None if the search has none.
    prior: Option<f64>,
    /// Lower and upper confidence bound for the side to move, in [0, 1]; None if the search has none.
    confidence: Option<(f64, f64)>,
    /// What it was worth when it was played later; None if the search does not know.
    amaf: Option<f64>,
    /// A remark of the search's own.
    note: Option<String>,
    /// The expected course of the game, beginning with this action, where the search knows it.
    line: Vec<String>,
}

impl RootAction {
    fn of(position: &dyn AnyPosition, entry: RootMove<String>) -> RootAction {
        RootAction {
            action: position.action_named(&entry.mv),
            visits: entry.visits,
            value: entry.value.map(centred),
            bounds: centred_bounds(entry.bounds),
            prior: entry.prior,
            confidence: entry.confidence,
            amaf: entry.amaf.map(centred),
            note: entry.note,
            line: entry.line,
            r#move: entry.mv,
        }
    }
}

#[pymethods]
impl RootAction {
    fn __getitem__<'py>(slf: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        item(slf.as_any(), name)
    }

    fn __eq__(&self, other: &RootAction) -> bool {
        (&self.r#move, self.visits, self.value, self.bounds, self.prior)
            == (&other.r#move, other.visits, other.value, other.bounds, other.prior)
    }

    fn __repr__(&self) -> String {
        let value = self.value.map_or("not tried".into(), |value| format!("{value:+.4}"));
        format!("<tesuji.RootAction {}: {} visits, {value}>", self.r#move, self.visits)
    }
}

/// What a search answers. Values are for the first player, in [-1, 1].
///
/// >>> import tesuji
/// >>> state = tesuji.load_game("tictactoe").new_initial_state().child(4)
/// >>> report = state.think("mcts(solver=false)", iterations=400, tree=True)
/// >>> sum(entry.visits for entry in report.actions)
/// 400
/// >>> node = report.tree.child(report.move)
/// >>> node.visits == max(entry.visits for entry in report.actions)
/// True
/// >>> len(node.children()) > 0
/// True
#[pyclass(frozen, get_all, module = "tesuji._native")]
pub struct Report {
    /// The chosen action; None if the agent resigns.
    action: Option<usize>,
    /// The chosen action as people write it.
    r#move: Option<String>,
    /// Whether the agent resigns.
    resigns: bool,
    /// What the position seems to be worth.
    value: f64,
    /// What is proved of that: (low, high).
    bounds: (f64, f64),
    /// The expected course of the game, beginning with the chosen action.
    line: Vec<String>,
    /// The actions of the root.
    actions: Vec<Py<RootAction>>,
    /// Units of work.
    iterations: u64,
    /// Positions entered below the root.
    nodes: u64,
    /// The depth reached, in plies.
    depth: u32,
    /// The time used.
    seconds: f64,
    /// Bytes of trees and tables at most.
    memory_bytes: u64,
    /// Why it ended: "iterations", "time", "finished"...
    stopped: String,
    /// Further figures of the search's own, by name.
    figures: Py<PyDict>,
    /// The root of the tree; None unless `tree=True` was asked for.
    tree: Option<Py<Node>>,
}

impl Report {
    pub(crate) fn new(
        position: &dyn AnyPosition,
        report: tesuji_core::Report<String>,
        tree: Option<KeptTree>,
    ) -> Report {
        Python::attach(|py| Report::made(py, position, report, tree)).expect("a report is made of plain objects")
    }

    fn made(
        py: Python<'_>,
        position: &dyn AnyPosition,
        report: tesuji_core::Report<String>,
        tree: Option<KeptTree>,
    ) -> PyResult<Report> {
        let figures = PyDict::new(py);
        for (name, figure) in &report.figures {
            figures.set_item(name, figure)?;
        }
        let actions = report.root.into_iter().map(|entry| Py::new(py, RootAction::of(position, entry)));
        let tree =
            tree.map(|tree| Py::new(py, Node { tree: Arc::new(Mutex::new(tree)), path: Vec::new(), child: None }));
        Ok(Report {
            action: report.best.as_ref().and_then(|text| position.action_named(text)),
            r#move: report.best,
            resigns: report.resigns,
            value: centred(report.value),
            bounds: centred_bounds(report.bounds),
            line: report.line,
            actions: actions.collect::<PyResult<Vec<_>>>()?,
            iterations: report.iterations,
            nodes: report.nodes,
            depth: report.depth,
            seconds: report.elapsed.as_secs_f64(),
            memory_bytes: report.memory_bytes,
            stopped: report.stopped.name().into(),
            figures: figures.unbind(),
            tree: tree.transpose()?,
        })
    }
}

#[pymethods]
impl Report {
    fn __getitem__<'py>(slf: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        item(slf.as_any(), name)
    }

    fn __repr__(&self) -> String {
        let chosen = self.r#move.as_deref().unwrap_or("resigns");
        let work = format!("{} iterations, {} nodes, {:.3} s", self.iterations, self.nodes, self.seconds);
        format!("<tesuji.Report {chosen}, value {:+.4}, {work}>", self.value)
    }

    /// The root's actions as a table.
    fn __str__(&self, py: Python<'_>) -> String {
        let mut rows: Vec<(u64, String)> = Vec::new();
        for entry in &self.actions {
            let entry = entry.borrow(py);
            let value = entry.value.map_or("     -".into(), |value| format!("{value:+.4}"));
            rows.push((entry.visits, format!("{:8} {:>10} {value}", entry.r#move, entry.visits)));
        }
        rows.sort_by_key(|row| std::cmp::Reverse(row.0));
        let rows: Vec<String> = rows.into_iter().map(|row| row.1).collect();
        format!("{}\n{}", self.__repr__(), rows.join("\n"))
    }
}

/// A node of the tree of a search, read when it is asked for. Values are for the first player, in
/// [-1, 1]; confidence and selection values for the player who chooses, in [0, 1].
#[pyclass(frozen, module = "tesuji._native")]
pub struct Node {
    tree: Arc<Mutex<KeptTree>>,
    path: Vec<String>,
    /// What its parent knows of it.
    child: Option<ChildView<String>>,
}

/// The tree, unless a search goes on in it.
fn free(tree: &Mutex<KeptTree>) -> PyResult<MutexGuard<'_, KeptTree>> {
    match tree.try_lock() {
        Ok(tree) => Ok(tree),
        Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => Err(PyRuntimeError::new_err("the tree is in use by another thread")),
    }
}

impl Node {
    fn view(&self, wanted: &ChildFilter) -> PyResult<NodeView<String>> {
        // A thread that waited here would keep the interpreter lock, which the search may want.
        let tree = free(&self.tree)?;
        tree.node(&self.path, wanted).map_err(|error| PyKeyError::new_err(error.to_string()))
    }

    fn bare(&self) -> PyResult<NodeView<String>> {
        self.view(&ChildFilter { limit: 0, min_visits: 0 })
    }
}

#[pymethods]
impl Node {
    /// The actions from the root, as text.
    #[getter]
    fn path(&self) -> Vec<String> {
        self.path.clone()
    }

    /// The last of them; None at the root.
    #[getter]
    fn r#move(&self) -> Option<String> {
        self.path.last().cloned()
    }

    /// Who is to move: 0 or 1.
    #[getter]
    fn player(&self) -> PyResult<usize> {
        Ok(self.bare()?.turn.index())
    }

    /// How often it was visited.
    #[getter]
    fn visits(&self) -> PyResult<u64> {
        Ok(self.bare()?.visits)
    }

    /// The mean of its rewards; None without visits.
    #[getter]
    fn value(&self) -> PyResult<Option<f64>> {
        Ok(self.bare()?.mean.map(centred))
    }

    /// What is proved of it: (low, high).
    #[getter]
    fn bounds(&self) -> PyResult<(f64, f64)> {
        Ok(centred_bounds(self.bare()?.bounds))
    }

    /// How many children it has; 0 if it was not expanded.
    #[getter]
    fn child_count(&self) -> PyResult<usize> {
        Ok(self.bare()?.child_count)
    }

    /// The weight it had before it was tried; None if the search has none.
    #[getter]
    fn prior(&self) -> Option<f64> {
        self.child.as_ref().and_then(|child| child.prior)
    }

    /// Lower and upper confidence bound among its siblings.
    #[getter]
    fn confidence(&self) -> Option<(f64, f64)> {
        self.child.as_ref().and_then(|child| child.confidence)
    }

    /// The value by which the search compares it with its siblings: the parts and their `total`.
    #[getter]
    fn selection<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(value) = self.child.as_ref().and_then(|child| child.selection) else { return Ok(None) };
        let answer = PyDict::new(py);
        for (name, part) in [
            ("exploitation", value.exploitation),
            ("exploration", value.exploration),
            ("amaf", value.amaf),
            ("bias", value.bias),
            ("total", value.total()),
        ] {
            answer.set_item(name, part)?;
        }
        Ok(Some(answer))
    }

    /// All moves as first: (playouts, mean).
    #[getter]
    fn amaf(&self) -> Option<(u64, f64)> {
        self.child.as_ref().and_then(|child| child.amaf).map(|(count, mean)| (count, centred(mean)))
    }

    /// "open", "closed", "settled" or "excluded": whether selection considers it.
    #[getter]
    fn state(&self) -> &'static str {
        self.child.as_ref().map_or("open", |child| child.state.name())
    }

    /// The children, the most visited first; at most `limit`, with at least `min_visits`.
    #[pyo3(signature = (limit=None, *, min_visits=0))]
    fn children(&self, limit: Option<usize>, min_visits: u64) -> PyResult<Vec<Node>> {
        let view = self.view(&ChildFilter { limit: limit.unwrap_or(usize::MAX), min_visits })?;
        let below = |child: ChildView<String>| {
            let path = self.path.iter().chain([&child.mv]).cloned().collect();
            Node { tree: Arc::clone(&self.tree), path, child: Some(child) }
        };
        Ok(view.children.into_iter().map(below).collect())
    }

    /// The child that a move leads to.
    fn child(&self, text: &str) -> PyResult<Node> {
        let found = self.children(None, 0)?.into_iter().find(|child| child.path.last().is_some_and(|mv| mv == text));
        found.ok_or_else(|| PyKeyError::new_err(format!("the tree has no child {text:?} here")))
    }

    /// Searches on from the root, by this many iterations, and answers the report of the whole search.
    fn more(&self, py: Python<'_>, iterations: u64) -> PyResult<Report> {
        let limits =
            Limits { iterations: Some(iterations), nodes: None, seconds: None, memory: None, threads: None, seed: 1 };
        let (budget, tree) = (limits.budget()?, Arc::clone(&self.tree));
        let stop = budget.stop.clone();
        let report = running::run(py, &stop, move || {
            let mut tree = free(&tree)?;
            let root = tree.root().boxed_clone();
            let report = tree.more(&budget, &mut NoObserver);
            report.map(|report| (root, report)).map_err(|error| PyRuntimeError::new_err(error.to_string()))
        })?;
        let (root, report) = report?;
        Ok(Report::new(root.as_ref(), report, None))
    }

    fn __repr__(&self) -> PyResult<String> {
        let NodeView { visits, mean, .. } = self.bare()?;
        let value = mean.map_or("no value".into(), |mean| format!("value {:+.4}", centred(mean)));
        let path = if self.path.is_empty() { "root".into() } else { self.path.join(" ") };
        Ok(format!("<tesuji.Node {path}: {visits} visits, {value}>"))
    }
}
