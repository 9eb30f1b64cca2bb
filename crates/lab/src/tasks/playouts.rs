//! Random playouts, timed.

use super::position::Begun;
use crate::environment::Stopwatch;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};
use tesuji_agents::Access;
use tesuji_core::{Rng, Seed};

/// The longest measurement, in seconds.
const LONGEST: f64 = 3600.0;

/// A game, how long to measure, and the seed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayoutsTask {
    /// The canonical game.
    pub game: String,
    /// For how long.
    pub time: f64,
    /// The seed.
    pub seed: u64,
}

/// What was measured.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayoutsResult {
    /// Playouts done; a matter of time.
    pub playouts: u64,
    /// The plies of a playout, of a sample that the seed draws.
    pub mean_length: f64,
    /// The time that the playouts took: of the processor, where the system tells.
    pub seconds: f64,
}

impl PlayoutsTask {
    /// Measures.
    ///
    /// # Errors
    /// If there is no such game, or the time is none.
    pub fn run(&self, access: &Access) -> Result<PlayoutsResult, String> {
        if !(self.time > 0.0 && self.time <= LONGEST) {
            return Err(format!("time = {}: expected more than 0 and at most {LONGEST} s", self.time));
        }
        let (time, begun) = (Duration::from_secs_f64(self.time), Begun::new(&self.game, &[], access)?);
        let mut rng = Rng::new(Seed(self.seed));
        const SAMPLE: u64 = 200;
        let mean_length = begun.position.playout_lengths(SAMPLE, &mut rng.split(1)) as f64 / SAMPLE as f64;
        // Batches grow until one takes a hundredth of the time, so that the clock costs nothing.
        let (mut batch, mut playouts) = (1_u64, 0);
        let (started, watch) = (Instant::now(), Stopwatch::start(false));
        while started.elapsed() < time {
            let begun_at = Instant::now();
            playouts += begun.position.playouts(batch, &mut rng).count;
            if begun_at.elapsed() < time / 100 {
                batch *= 2;
            }
        }
        Ok(PlayoutsResult { playouts, mean_length, seconds: watch.seconds() })
    }
}
