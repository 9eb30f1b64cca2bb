//! What the program around the server knows: how moves are chosen after a search, and the lab. The
//! command line implements it, so that this crate needs neither and compiles beside both.

use crate::api::{Experiment, ExperimentReport, Run};
use crate::refusal::Refusal;
use tesuji_agents::AnyPosition;
use tesuji_core::{Report, RootMove};

/// What the program around the server knows.
pub trait Program: Send + Sync {
    /// The version of the program.
    fn version(&self) -> String;

    /// The move to play after this search of this position; nothing if the agent resigns.
    fn move_to_play(&self, position: &dyn AnyPosition, report: &Report<String>) -> Option<String>;

    /// The moves of a report, best first.
    fn ranked<'a>(&self, report: &'a Report<String>) -> Vec<&'a RootMove<String>>;

    /// The expected course of the game after a move of a report, beginning with it.
    fn line_of<'a>(&self, report: &'a Report<String>, entry: &'a RootMove<String>) -> &'a [String];

    /// From which of these changes of the chosen move on it was the last one, in iterations.
    fn settled(&self, picks: &[(u64, String)]) -> Option<u64>;

    /// The experiments of the lab.
    ///
    /// # Errors
    /// If one cannot be read.
    fn experiments(&self) -> Result<Vec<Experiment>, Refusal>;

    /// What the results of an experiment say; `size` is "quick" or "full".
    ///
    /// # Errors
    /// If there is no such experiment, or there are no results.
    fn report(&self, id: &str, size: &str) -> Result<ExperimentReport, Refusal>;

    /// How many runs of experiments go on at the same time; 0 if none are started here.
    fn most_runs(&self) -> usize;

    /// Starts a run of an experiment, or goes on with one.
    ///
    /// # Errors
    /// If there is no such experiment, it may not be started here, or too many run.
    fn start_run(&self, id: &str, size: &str) -> Result<Run, Refusal>;

    /// How far a run is.
    ///
    /// # Errors
    /// If there is no such experiment, or no run of it.
    fn run(&self, id: &str, size: &str) -> Result<Run, Refusal>;

    /// Stops a run; what is done is kept.
    ///
    /// # Errors
    /// If there is no such experiment, or no run of it.
    fn stop_run(&self, id: &str, size: &str) -> Result<Run, Refusal>;
}
