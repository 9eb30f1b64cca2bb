//! One position, solved by one agent.

use super::limits::Limits;
use super::position::Begun;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tesuji_agents::Access;
use tesuji_core::{Budget, NoObserver, Score, Seed, StopFlag};

/// A position, a solver, its limits and the seed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolveTask {
    /// The canonical game.
    pub game: String,
    /// Moves before the search.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
    /// The agent's canonical text; its goal, if it takes one, is a parameter.
    pub agent: String,
    /// The limits of the search.
    pub limits: Limits,
    /// Its seed.
    pub seed: u64,
}

/// What the solver found.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolveResult {
    /// Whether its question is answered: it ended by itself with something proved.
    pub solved: bool,
    /// What is proved for the side to move: at least and at most, in [0, 1].
    pub bounds: [f64; 2],
    /// Its move; it need not be proved.
    pub best: Option<String>,
    /// Iterations done.
    pub iterations: u64,
    /// Positions entered, repeats included.
    pub nodes: u64,
    /// Peak memory of trees and tables.
    pub memory_bytes: u64,
    /// Why it ended.
    pub stopped: String,
    /// Figures of the search's own, by name; infinite ones are left out.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub figures: BTreeMap<String, f64>,
    /// The time of the search.
    pub seconds: f64,
}

impl SolveTask {
    /// Solves.
    ///
    /// # Errors
    /// If the task is not possible, or an agent outside failed.
    pub fn run(&self, access: &Access) -> Result<SolveResult, String> {
        let begun = Begun::new(&self.game, &self.moves, access)?;
        let mut agent = begun.agent(&self.agent, &self.limits, access)?;
        agent.begin(begun.start.as_ref(), &begun.moves).map_err(|error| error.to_string())?;
        // The soft limit is for play: a solver does not stop before a deeper iteration.
        let budget = Budget { soft_time: None, ..self.limits.budget(&StopFlag::new())? };
        let report = agent
            .think(begun.position.as_ref(), &budget, Seed(self.seed), &mut NoObserver)
            .map_err(|error| error.to_string())?;
        let (sure, hoped) = report.bounds.for_player(report.turn);
        let answered = report.proof.is_none_or(|proof| proof.status != tesuji_core::ProofStatus::Unknown);
        let says = sure > Score::LOSS || hoped < Score::WIN;
        let finite = |(name, figure): &(&str, f64)| figure.is_finite().then(|| ((*name).to_string(), *figure));
        Ok(SolveResult {
            solved: says && answered && report.stopped == tesuji_core::StopReason::Finished,
            bounds: [sure.to_f64(), hoped.to_f64()],
            iterations: report.iterations,
            nodes: report.nodes,
            memory_bytes: report.memory_bytes,
            stopped: report.stopped.name().into(),
            figures: report.figures.iter().filter_map(finite).collect(),
            seconds: report.elapsed.as_secs_f64(),
            best: report.best,
        })
    }
}
