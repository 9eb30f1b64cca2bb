//! `Agent`: the searches of the program, for positions of one game.

use crate::game::Rules;
use crate::python_rules::{self, Failure};
use crate::report::Report;
use crate::running;
use crate::state::State;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::time::Duration;
use tesuji_agents::{Access, AnyAgent, AnyPosition, agent_for, is_endless};
use tesuji_core::spec::Spec;
use tesuji_core::{Budget, NoObserver, Observer, Player, Seed, StopFlag};
use tesuji_search::SearchError;

/// The limits of a search as Python states them.
pub struct Limits {
    /// Its own unit of work: playouts, expansions.
    pub iterations: Option<u64>,
    /// Positions entered.
    pub nodes: Option<u64>,
    /// The time.
    pub seconds: Option<f64>,
    /// Bytes of trees and tables.
    pub memory: Option<u64>,
    /// Threads, where it can use several.
    pub threads: Option<u32>,
    /// The seed.
    pub seed: u64,
}

impl Limits {
    /// Whether any of them ends a search.
    pub fn ends(&self) -> bool {
        self.iterations.is_some() || self.nodes.is_some() || self.seconds.is_some()
    }

    /// As a budget.
    pub fn budget(&self) -> PyResult<Budget> {
        let time = match self.seconds.map(Duration::try_from_secs_f64) {
            None => None,
            Some(Ok(time)) => Some(time),
            Some(Err(error)) => return Err(PyValueError::new_err(format!("seconds: {error}"))),
        };
        let threads = match self.threads {
            None => None,
            Some(count @ 1..=1024) => NonZeroU32::new(count),
            Some(count) => return Err(PyValueError::new_err(format!("threads={count}: expected 1 to 1024"))),
        };
        Ok(Budget {
            iterations: self.iterations,
            nodes: self.nodes,
            soft_time: time,
            hard_time: time,
            memory: self.memory,
            threads,
            ..Budget::default()
        })
    }
}

/// A search for one game. Made by `Game.agent` or `Game.evaluated_agent`. One thread at a time may
/// use it.
#[pyclass(frozen, module = "tesuji._native")]
pub struct Agent {
    agent: Arc<Mutex<Box<dyn AnyAgent>>>,
    spec: String,
    endless: bool,
    /// Where an evaluator leaves what it raised.
    raised: Option<Arc<Mutex<Option<PyErr>>>>,
}

impl Agent {
    pub(crate) fn new(
        agent: Box<dyn AnyAgent>,
        spec: String,
        endless: bool,
        raised: Option<Arc<Mutex<Option<PyErr>>>>,
    ) -> Agent {
        Agent { agent: Arc::new(Mutex::new(agent)), spec, endless, raised }
    }

    /// The agent that a spec names, for positions of this game.
    pub(crate) fn of(rules: &Rules, spec: &str) -> PyResult<Agent> {
        let wrong = |error: &dyn std::fmt::Display| PyValueError::new_err(format!("{error}"));
        let asked: Spec = spec.parse().map_err(|error| wrong(&error))?;
        let named = agent_for(&asked, rules.start.as_ref()).map_err(|error| wrong(&error))?;
        // Who runs Python code may open files anyway.
        let agent = rules.start.agent_with(&named, &Access::unrestricted()).map_err(|error| wrong(&error))?;
        Ok(Agent::new(agent, named.to_string(), is_endless(&named), None))
    }

    /// The agent for a match; busy until the match is over.
    pub(crate) fn lend(&self) -> Box<dyn AnyAgent> {
        Box::new(Lent(Arc::clone(&self.agent)))
    }

    /// Its spec.
    pub(crate) fn name(&self) -> &str {
        &self.spec
    }

    /// Whether it goes on for ever unless a limit ends it.
    pub(crate) fn is_endless(&self) -> bool {
        self.endless
    }

    /// What its evaluator raised, if it has one and it did.
    pub(crate) fn take_raised(&self) -> Option<PyErr> {
        self.raised.as_ref().and_then(|slot| slot.lock().unwrap_or_else(PoisonError::into_inner).take())
    }

    /// Does work with the agent, stopped by Ctrl-C.
    pub(crate) fn work<T: Send>(
        &self,
        py: Python<'_>,
        stop: &StopFlag,
        failure: Option<&Failure>,
        work: impl FnOnce(&mut dyn AnyAgent) -> Result<T, SearchError> + Send,
    ) -> PyResult<T> {
        let mut agent = match self.agent.try_lock() {
            Ok(agent) => agent,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => {
                let what =
                    format!("{} is searching in another thread; give each thread an agent of its own", self.spec);
                return Err(PyRuntimeError::new_err(what));
            }
        };
        let agent = agent.as_mut();
        let found = running::run(py, stop, || work(agent));
        // What Python code raised inside comes first: the search ended because of it.
        if let Some(error) = failure.and_then(Failure::take) {
            return Err(error);
        }
        if let Some(error) = self.take_raised() {
            return Err(error);
        }
        found?.map_err(|error| PyRuntimeError::new_err(format!("{}: {error}", self.spec)))
    }

    pub(crate) fn search(&self, py: Python<'_>, state: &State, limits: &Limits, tree: bool) -> PyResult<Report> {
        let budget = limits.budget()?;
        if self.endless && !limits.ends() {
            return Err(PyValueError::new_err(format!("{} needs iterations, nodes or seconds", self.spec)));
        }
        let (position, failure) = python_rules::watched(state.position(), &budget.stop);
        let (root, seed) = (position.as_ref(), Seed(limits.seed));
        let budget = &budget;
        let (report, kept) = self.work(py, &budget.stop, failure.as_ref(), |agent| {
            if tree {
                let (report, tree) = agent.explore(root, budget, seed, &mut NoObserver)?;
                return Ok((report, Some(tree)));
            }
            Ok((agent.think(root, budget, seed, &mut NoObserver)?, None))
        })?;
        Ok(Report::new(state.position(), report, kept))
    }
}

/// An agent of Python's at a board.
struct Lent(Arc<Mutex<Box<dyn AnyAgent>>>);

impl Lent {
    fn with<T>(&self, work: impl FnOnce(&mut dyn AnyAgent) -> Result<T, SearchError>) -> Result<T, SearchError> {
        match self.0.try_lock() {
            Ok(mut agent) => work(agent.as_mut()),
            Err(TryLockError::Poisoned(poisoned)) => work(poisoned.into_inner().as_mut()),
            Err(TryLockError::WouldBlock) => Err(SearchError::Failed("the agent is searching elsewhere".into())),
        }
    }
}

impl AnyAgent for Lent {
    fn begin(&mut self, start: &dyn AnyPosition, moves: &[String]) -> Result<(), SearchError> {
        self.with(|agent| agent.begin(start, moves))
    }

    fn follow(&mut self, player: Player, mv: &str) -> Result<(), SearchError> {
        self.with(|agent| agent.follow(player, mv))
    }

    fn think(
        &mut self,
        position: &dyn AnyPosition,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<String>,
    ) -> Result<tesuji_core::Report<String>, SearchError> {
        self.with(|agent| agent.think(position, budget, seed, watch))
    }
}

#[pymethods]
impl Agent {
    /// Searches a position of the game within the limits given (`iterations`: its own unit of work,
    /// `nodes`: positions entered, `seconds`; `memory`: bytes of trees and tables; `threads`, where it
    /// can use several) and answers a `Report`. A search that would go on for ever is refused. With
    /// one thread and no time limit, equal seeds give equal reports. With `tree`, the report keeps its
    /// tree to be browsed (`Report.tree`), for agents that have one.
    ///
    /// The interpreter lock is released; Ctrl-C stops the search.
    ///
    /// >>> import tesuji
    /// >>> game = tesuji.load_game("tictactoe")
    /// >>> agent = game.agent("mcts")
    /// >>> report = agent.think(game.new_initial_state().child(0), iterations=2000, seed=3)
    /// >>> report.move, report.iterations
    /// ('b2', 2000)
    #[pyo3(signature = (state, *, iterations=None, nodes=None, seconds=None, memory=None, threads=None, seed=1, tree=false))]
    #[allow(clippy::too_many_arguments)] // named ones, in Python
    fn think(
        &self,
        py: Python<'_>,
        state: &State,
        iterations: Option<u64>,
        nodes: Option<u64>,
        seconds: Option<f64>,
        memory: Option<u64>,
        threads: Option<u32>,
        seed: u64,
        tree: bool,
    ) -> PyResult<Report> {
        self.search(py, state, &Limits { iterations, nodes, seconds, memory, threads, seed }, tree)
    }

    fn __str__(&self) -> &str {
        &self.spec
    }

    fn __repr__(&self) -> String {
        format!("<tesuji.Agent {}>", self.spec)
    }
}
