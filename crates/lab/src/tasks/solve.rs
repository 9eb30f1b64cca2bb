//! One position, solved by one agent.

use super::limits::Limits;
use super::position::Begun;
use crate::environment::Stopwatch;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tesuji_agents::Access;
use tesuji_core::{Budget, NoObserver, Observer, Pace, Report, Score, Seed, StopFlag};

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
    /// Note the move that it prefers after so many iterations, all multiples of the first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub looks: Vec<u64>,
    /// The solver that judges those moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<String>,
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
    /// The moves that it preferred at the looks, and at its end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub picks: Vec<(u64, String)>,
    /// Those of them after which the judge proves less for the mover than before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wrong: Vec<String>,
    /// The time of the search, measured as the line's is.
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
        let mut looks = Looks { marks: &self.looks, picks: Vec::new() };
        let limited = serde_json::to_string(&self.limits).unwrap_or_default();
        let watch = Stopwatch::start(super::works_elsewhere(&self.agent) || super::works_elsewhere(&limited));
        let report = agent
            .think(begun.position.as_ref(), &budget, Seed(self.seed), &mut looks)
            .map_err(|error| error.to_string())?;
        let seconds = watch.seconds();
        let mut picks = looks.picks;
        if !self.looks.is_empty() {
            picks.extend(report.best.clone().map(|best| (report.iterations, best)));
        }
        let wrong = self.judge.as_ref().map(|judge| wrong_moves(&begun, &picks, judge, access)).transpose()?;
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
            seconds,
            picks,
            wrong: wrong.unwrap_or_default(),
            best: report.best,
        })
    }
}

/// Notes the move that a search prefers: in a search by proof numbers the one below which it expanded
/// last, else its answer.
struct Looks<'a> {
    /// Iterations of the looks to come.
    marks: &'a [u64],
    picks: Vec<(u64, String)>,
}

impl Observer<String> for Looks<'_> {
    fn pace(&self) -> Option<Pace> {
        self.marks.first().map(|first| Pace::Iterations(*first))
    }

    fn progress(&mut self, report: &Report<String>) {
        let Some((mark, later)) = self.marks.split_first().filter(|(mark, _)| **mark <= report.iterations) else {
            return;
        };
        self.marks = later;
        let by_numbers = report.proof.as_ref().and(report.path.first());
        self.picks.extend(by_numbers.or(report.best.as_ref()).map(|pick| (*mark, pick.clone())));
    }
}

/// The picks after which the judge proves less for the mover than before, each once.
fn wrong_moves(begun: &Begun, picks: &[(u64, String)], judge: &str, access: &Access) -> Result<Vec<String>, String> {
    let mover = begun.position.turn();
    let sure = |begun: &Begun| -> Result<Score, String> {
        if let Some(outcome) = begun.position.outcome() {
            return Ok(outcome.score.for_player(mover));
        }
        let mut judge = begun.agent(judge, &Limits::default(), access)?;
        let report = judge.think(begun.position.as_ref(), &Budget::unlimited(), Seed(1), &mut NoObserver);
        Ok(report.map_err(|error| error.to_string())?.bounds.for_player(mover).0)
    };
    let before = sure(begun)?;
    let mut wrong: Vec<String> = Vec::new();
    let mut judged: Vec<&String> = Vec::new();
    for (_, pick) in picks {
        if judged.contains(&pick) {
            continue;
        }
        judged.push(pick);
        let mut after = begun.copy();
        after.play(pick)?;
        if sure(&after)? < before {
            wrong.push(pick.clone());
        }
    }
    Ok(wrong)
}
