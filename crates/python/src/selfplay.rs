//! `SelfPlay`: lockstep self-play with the caller's arrays.

use crate::game::Game;
use numpy::{
    IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray2, PyReadwriteArray4,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tesuji_agents::selfplay::{AnySelfPlay, SelfPlayConfig};

/// Many games of self-play that ask for their evaluations in one batch.
#[pyclass(module = "tesuji.zero")]
pub struct SelfPlay {
    games: Box<dyn AnySelfPlay>,
}

fn contiguous(name: &str) -> PyErr {
    PyValueError::new_err(format!("{name} must be a contiguous array"))
}

impl SelfPlay {
    fn check(&self, planes: &[usize], globals: &[usize]) -> PyResult<()> {
        let shape = self.games.shape();
        let wanted = [self.games.games(), shape.planes, shape.rows, shape.columns];
        if planes != wanted || globals != [wanted[0], shape.globals] {
            let problem = format!("expected planes {wanted:?} and globals [{}, {}]", wanted[0], shape.globals);
            return Err(PyValueError::new_err(problem));
        }
        Ok(())
    }
}

#[pymethods]
impl SelfPlay {
    /// Self-play from a game's first position: `games` games shared by `threads` threads, each move
    /// searched with `simulations` simulations over at most `considered` actions; games are cut off
    /// after `longest` moves (0: twice the number of cells). Once values beyond `decided` say that
    /// a game is won, its moves get `decided_simulations` and only a `decided_share` of its
    /// positions is recorded. An `opening_share` of the games begins with 1 to `opening_plies` random
    /// moves.
    #[new]
    #[pyo3(signature = (game, *, games=256, threads=1, simulations=32, considered=16, visit=50.0, scale=0.1, longest=0, decided=1.0, decided_simulations=4, decided_share=0.25, opening_share=0.0, opening_plies=1, seed=1))]
    #[allow(clippy::too_many_arguments)] // named ones, in Python
    fn new(
        game: &Game,
        games: usize,
        threads: usize,
        simulations: usize,
        considered: usize,
        visit: f32,
        scale: f32,
        longest: usize,
        decided: f32,
        decided_simulations: usize,
        decided_share: f32,
        opening_share: f32,
        opening_plies: usize,
        seed: u64,
    ) -> PyResult<SelfPlay> {
        if games == 0 || threads == 0 || simulations == 0 || considered == 0 || game.rules.start.outcome().is_some() {
            return Err(PyValueError::new_err(
                "games, threads, simulations and considered must be positive, the game live",
            ));
        }
        let decided_simulations = decided_simulations.max(1);
        let mut config = SelfPlayConfig {
            games,
            threads,
            longest,
            decided,
            decided_simulations,
            decided_share,
            opening_share,
            opening_plies,
            seed,
            ..SelfPlayConfig::default()
        };
        config.search.simulations = simulations;
        config.search.considered = considered;
        config.search.visit = visit;
        config.search.scale = scale;
        Ok(SelfPlay { games: game.rules.start.self_play(&config) })
    }

    /// Games at a time: the size of a batch.
    fn batch(&self) -> usize {
        self.games.games()
    }

    /// Writes the positions that wait: planes uint8 [games, planes, rows, columns], globals float32
    /// [games, globals].
    fn gather(
        &mut self,
        py: Python<'_>,
        mut planes: PyReadwriteArray4<'_, u8>,
        mut globals: PyReadwriteArray2<'_, f32>,
    ) -> PyResult<()> {
        use numpy::PyUntypedArrayMethods;
        self.check(planes.shape(), globals.shape())?;
        let planes = planes.as_slice_mut().map_err(|_| contiguous("planes"))?;
        let globals = globals.as_slice_mut().map_err(|_| contiguous("globals"))?;
        py.detach(|| self.games.gather(planes, globals));
        Ok(())
    }

    /// Takes the evaluations of the gathered positions (float32 logits [games, actions]; values
    /// [games] in [-1, 1] for the side to move), plays on, and writes the positions that wait next.
    fn step(
        &mut self,
        py: Python<'_>,
        logits: PyReadonlyArray2<'_, f32>,
        values: PyReadonlyArray1<'_, f32>,
        mut planes: PyReadwriteArray4<'_, u8>,
        mut globals: PyReadwriteArray2<'_, f32>,
    ) -> PyResult<()> {
        use numpy::PyUntypedArrayMethods;
        self.check(planes.shape(), globals.shape())?;
        let (games, moves) = (self.games.games(), self.games.shape().moves);
        if logits.shape() != [games, moves] || values.shape() != [games] {
            return Err(PyValueError::new_err(format!("expected logits [{games}, {moves}] and values [{games}]")));
        }
        let logits = logits.as_slice().map_err(|_| contiguous("logits"))?;
        let values = values.as_slice().map_err(|_| contiguous("values"))?;
        if !values.iter().all(|value| value.is_finite()) {
            return Err(PyValueError::new_err("a value is not a finite number: the network has diverged"));
        }
        let planes = planes.as_slice_mut().map_err(|_| contiguous("planes"))?;
        let globals = globals.as_slice_mut().map_err(|_| contiguous("globals"))?;
        py.detach(|| self.games.step(logits, values, planes, globals));
        Ok(())
    }

    /// The positions of games that ended since the last call, as a dictionary of arrays: planes,
    /// globals, policies, outcomes, searched, owners.
    fn drain<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let shape = self.games.shape();
        let samples = py.detach(|| self.games.drain());
        let n = samples.count;
        let answer = PyDict::new(py);
        let planes = samples.planes.into_pyarray(py).reshape([n, shape.planes, shape.rows, shape.columns])?;
        answer.set_item("planes", planes)?;
        answer.set_item("globals", samples.globals.into_pyarray(py).reshape([n, shape.globals])?)?;
        answer.set_item("policies", samples.policies.into_pyarray(py).reshape([n, shape.moves])?)?;
        answer.set_item("outcomes", samples.outcomes.into_pyarray(py))?;
        answer.set_item("searched", samples.searched.into_pyarray(py))?;
        answer.set_item("owners", samples.owners.into_pyarray(py).reshape([n, shape.rows, shape.columns])?)?;
        Ok(answer)
    }

    /// Who searches in each game, 0 or 1: the side to move at the root.
    fn searching<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        self.games.searching().into_iter().map(|player| player.index() as u8).collect::<Vec<_>>().into_pyarray(py)
    }

    /// The result of the first game of each slot for the first player, in [-1, 1]; not a number
    /// while it lasts.
    fn first_results<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        let results = self.games.first_results().into_iter().map(|result| result.unwrap_or(f32::NAN));
        results.collect::<Vec<_>>().into_pyarray(py)
    }

    /// What has happened so far: games, cut, first_wins, draws, moves, evaluations, ended.
    fn tally<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tally = self.games.counts();
        let answer = PyDict::new(py);
        for (name, count) in [
            ("games", tally.games),
            ("cut", tally.cut),
            ("first_wins", tally.first_wins),
            ("draws", tally.draws),
            ("moves", tally.moves),
            ("evaluations", tally.evaluations),
            ("ended", tally.ended),
        ] {
            answer.set_item(name, count)?;
        }
        Ok(answer)
    }
}
