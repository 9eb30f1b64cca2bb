//! One game of a search with single conspiracy numbers against itself (Zhang 2019, chapter 4).

use super::position::Begun;
use serde::{Deserialize, Serialize};
use tesuji_agents::Access;
use tesuji_agents::scn_study::{Plan, one_game};
use tesuji_core::{Seed, StopFlag};

/// A start, a threshold, the limits of a move, and the seed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConspiracyTask {
    /// The canonical game, of Chinese chess.
    pub game: String,
    /// T, within ±10,000.
    pub threshold: i32,
    /// The most plies of the game.
    pub plies: u32,
    /// Positions entered for each move.
    pub nodes: u64,
    /// The deepest a search goes.
    pub depth: u32,
    /// The seed.
    pub seed: u64,
}

/// What the game shows of both sides.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConspiracyResult {
    /// Of Red and Black: the mean relative number; nothing if no position of the side has one.
    pub rscn: [Option<f64>; 2],
    /// Of Red and Black: the mean fitted value.
    pub value: [Option<f64>; 2],
}

impl ConspiracyTask {
    /// Plays the game.
    ///
    /// # Errors
    /// If the task is not possible.
    pub fn run(&self, access: &Access) -> Result<ConspiracyResult, String> {
        if self.threshold.abs() > 10_000 || self.plies > 1000 || self.depth > 1000 {
            return Err("the threshold lies within ±10,000; plies and depth are at most 1000".into());
        }
        let begun = Begun::new(&self.game, &[], access)?;
        let plan = Plan {
            threshold: self.threshold,
            plies: self.plies,
            nodes: self.nodes,
            depth: self.depth,
            extensions: false,
            rounds: 0,
            seed: Seed(self.seed),
            stop: StopFlag::new(),
        };
        let [red, black] = one_game(begun.position.as_ref(), &plan).map_err(|error| error.to_string())?;
        Ok(ConspiracyResult { rscn: [red.rscn, black.rscn], value: [red.value, black.value] })
    }
}
