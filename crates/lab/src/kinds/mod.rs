//! Kinds of experiments: which jobs a setup means, and what their results say. One file each.
//!
//! | kind | what it does | tasks |
//! |---|---|---|
//! | `match` | round robin, gauntlet or chosen pairings of agents | games |
//! | `boards` | matches of the same agents on several boards | games |
//! | `solve` | solvers on the same positions; sweeps of their parameters | solve |
//! | `convergence` | iterations until the right move is picked for good | think, watched |
//! | `detection` | how often a search finds the right move | think |
//! | `histogram` | which moves a search picks, by seed | think |
//! | `trace` | visits and values of chosen nodes over time | think, watched |
//! | `complexity` | how the cost of a playout grows with a parameter | playouts |
//! | `climb` | hill climbing over a solver's parameters | solve, climb |
//! | `tune` | SPSA of parameters of an agent | tune |
//! | `conspiracy` | relative single conspiracy numbers, by the kind of start | conspiracy |

mod agents;
mod arithmetic;
mod boards;
mod climb;
mod complexity;
mod conspiracy;
mod convergence;
mod detection;
mod errors;
mod histogram;
mod matches;
mod positions;
mod seeds;
mod solve;
mod suite;
#[cfg(test)]
mod tests;
mod trace;
mod tune;

use crate::plan::{Planned, Problem, Setup};
use crate::report::Findings;
use crate::tasks::Line;
use serde::de::DeserializeOwned;

pub use convergence::settled;
pub use matches::Openings;

/// An experiment of some kind, in one size.
pub trait Kind: Send + Sync {
    /// The programs that its agents start, each once.
    fn programs(&self) -> Vec<String>;
    /// Its jobs, in an order that is always the same.
    ///
    /// # Errors
    /// If a position cannot be made.
    fn jobs(&self) -> Result<Vec<Planned>, String>;
    /// What the results say. Without results it names all its measures.
    fn findings(&self, results: &Results<'_>) -> Findings;
}

/// A [`Kind`] whose setup was read.
pub type Design = Box<dyn Kind>;

/// A kind by its name.
pub struct KindInfo {
    /// As experiment files name it.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// Reads a setup.
    pub read: fn(Setup<'_>) -> Result<Design, Problem>,
}

/// All kinds.
pub static ALL: [KindInfo; 11] = [
    KindInfo { name: "match", about: "agents play each other", read: matches::read },
    KindInfo { name: "boards", about: "agents play each other on several boards", read: boards::read },
    KindInfo { name: "solve", about: "solvers on the same positions", read: solve::read },
    KindInfo { name: "convergence", about: "when the right move is picked for good", read: convergence::read },
    KindInfo { name: "detection", about: "how often the right move is found", read: detection::read },
    KindInfo { name: "histogram", about: "which moves are picked", read: histogram::read },
    KindInfo { name: "trace", about: "visits and values over time", read: trace::read },
    KindInfo { name: "complexity", about: "how the cost of a playout grows", read: complexity::read },
    KindInfo { name: "climb", about: "hill climbing over a solver's parameters", read: climb::read },
    KindInfo { name: "tune", about: "parameters of an agent, tuned by games", read: tune::read },
    KindInfo { name: "conspiracy", about: "relative single conspiracy numbers", read: conspiracy::read },
];

/// The kind of a name.
#[must_use]
pub fn find(name: &str) -> Option<&'static KindInfo> {
    ALL.iter().find(|kind| kind.name == name)
}

/// The jobs of a plan with the lines that they have so far.
#[derive(Clone, Default)]
pub struct Results<'a>(Vec<(&'a Planned, Option<&'a Line>)>);

impl<'a> Results<'a> {
    /// Jobs with their lines, in the order of the plan.
    #[must_use]
    pub fn new(jobs: Vec<(&'a Planned, Option<&'a Line>)>) -> Results<'a> {
        Results(jobs)
    }

    /// Jobs of the plan.
    #[must_use]
    pub fn planned(&self) -> usize {
        self.0.len()
    }

    /// Jobs that have a line.
    #[must_use]
    pub fn done(&self) -> usize {
        self.0.iter().filter(|(_, line)| line.is_some()).count()
    }

    /// Jobs that are void, with the reason.
    pub fn void(&self) -> impl Iterator<Item = (&'a Planned, &'a str)> {
        self.0.iter().filter_map(|(job, line)| Some((*job, line.as_ref()?.void.as_deref()?)))
    }

    /// The processor time of all lines, in seconds.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.0.iter().filter_map(|(_, line)| line.map(|line| line.seconds)).sum()
    }

    /// The results with their labels, as the types of a kind. What does not fit is left out: the store
    /// has checked that every line belongs to its job.
    fn typed<L: DeserializeOwned, R: DeserializeOwned>(&self) -> impl Iterator<Item = (&'a Planned, L, R)> {
        self.0.iter().filter_map(|(job, line)| {
            let label = L::deserialize(&job.label).ok()?;
            let result = R::deserialize(line.as_ref()?.result.as_ref()?).ok()?;
            Some((*job, label, result))
        })
    }
}
