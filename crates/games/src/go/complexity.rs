//! The measured cost of a playout: by board size, and for each of V-Run's steps.
//!
//! V-Run's claim (2016, §4.3 and chapter 5) is that a playout on n×n points can reach its lower
//! bound Ω(n²). Here the time is measured for each size; callers fit the power law
//! (`statistics/power_law.rs` of the lab) and format the results.

use super::playout::Playout;
use super::position::Go;
use super::reference::{Compared, Grouped, LibertyCount, LibertySet, MoveChoice, Naive, playout};
use super::rules::{GoRules, RuleError};
use std::time::{Duration, Instant};
use tesuji_core::{CountMoves, Rng, Seed};

/// A timed series of playouts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Timing {
    /// Number of lines of the board.
    pub size: usize,
    /// The number of playouts.
    pub playouts: u64,
    /// Their moves, passes included.
    pub moves: u64,
    /// The time they took.
    pub elapsed: Duration,
}

impl Timing {
    /// Seconds for one playout.
    #[must_use]
    pub fn seconds_per_playout(&self) -> f64 {
        self.elapsed.as_secs_f64() / self.playouts as f64
    }

    /// Moves of one playout.
    #[must_use]
    pub fn mean_length(&self) -> f64 {
        self.moves as f64 / self.playouts as f64
    }
}

/// Times the fast playouts on boards of these sizes, each for about `duration`.
///
/// # Errors
/// If a size is impossible.
pub fn growth(sizes: &[usize], duration: Duration, seed: Seed) -> Result<Vec<Timing>, RuleError> {
    let timed = |size: &usize| {
        GoRules::on(*size).check()?;
        time_fast(*size, duration, seed)
    };
    sizes.iter().map(timed).collect()
}

/// One of V-Run's steps, timed.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// What the step adds.
    pub name: &'static str,
    /// The cost of a playout by V-Run's analysis.
    pub predicted: &'static str,
    /// The measurement.
    pub timing: Timing,
}

/// Times all steps from the naive board to the fast one, each for about `duration` (but at least
/// one playout).
///
/// # Errors
/// If the size is impossible.
pub fn steps(size: usize, duration: Duration, seed: Seed) -> Result<Vec<Step>, RuleError> {
    GoRules::on(size).check()?;
    let slow = |name, predicted, one: &dyn Fn(&mut Rng) -> u32| {
        let mut rng = Rng::new(seed);
        Step { name, predicted, timing: repeat(size, duration, 1, || u64::from(one(&mut rng))) }
    };
    use MoveChoice::{List, Maintained};
    Ok(vec![
        slow("naive", "n^6·l", &|rng| playout::<Naive>(size, List, rng).moves),
        slow("union-find", "n^6·l", &|rng| playout::<Compared>(size, List, rng).moves),
        slow("ko point", "n^4·l", &|rng| playout::<Grouped<LibertySet>>(size, List, rng).moves),
        slow("maintained moves", "n^2·l", &|rng| playout::<Grouped<LibertySet>>(size, Maintained, rng).moves),
        slow("numeric liberties", "n^2", &|rng| playout::<Grouped<LibertyCount>>(size, Maintained, rng).moves),
        Step { name: "fast board", predicted: "n^2", timing: time_fast(size, duration, seed)? },
    ])
}

/// Times the fast playouts from the empty board.
fn time_fast(size: usize, duration: Duration, seed: Seed) -> Result<Timing, RuleError> {
    let root = Go::new(GoRules::on(size)).map_err(|_| RuleError::Size(size))?;
    let mut scratch = root.clone();
    let mut rng = Rng::new(seed);
    Ok(repeat(size, duration, 64, || {
        scratch.clone_from(&root);
        let mut moves = CountMoves::default();
        Playout::default().run(&mut scratch, &mut rng, &mut moves);
        moves.0
    }))
}

/// Repeats a playout for about `duration`, reading the clock after every `batch`.
fn repeat(size: usize, duration: Duration, batch: u64, mut one: impl FnMut() -> u64) -> Timing {
    let started = Instant::now();
    let (mut playouts, mut moves) = (0, 0);
    loop {
        for _ in 0..batch {
            moves += one();
        }
        playouts += batch;
        let elapsed = started.elapsed();
        if elapsed >= duration {
            return Timing { size, playouts, moves, elapsed };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{growth, steps};
    use std::time::Duration;
    use tesuji_core::Seed;

    #[test]
    fn measuring_runs_and_bad_sizes_are_refused() {
        let measured = growth(&[5, 9], Duration::from_millis(2), Seed(1)).expect("sizes are possible");
        assert_eq!(measured.len(), 2);
        assert!(growth(&[5, 26], Duration::ZERO, Seed(1)).is_err());
        let table = steps(5, Duration::from_millis(1), Seed(1)).expect("the size is possible");
        assert_eq!(table.len(), 6, "V-Run's five versions, and the fast board");
    }
}
