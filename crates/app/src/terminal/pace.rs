//! A time for a whole game, which its moves share.
//!
//! A move gets what is left divided by the number of moves expected, so that the game ends in about
//! the time given, at the cost of weaker moves.

use std::time::{Duration, Instant};
use tesuji_core::Budget;

/// A time for a whole game.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// When the game should be over.
    until: Instant,
}

impl Pace {
    /// A game that should be over after this time.
    #[must_use]
    pub fn of(time: Duration) -> Pace {
        Pace { until: Instant::now() + time }
    }

    /// The limits of the next move, after `played` moves and with `legal` to choose from.
    pub(super) fn next(self, limits: &Budget, played: usize, legal: usize) -> Budget {
        let left = self.until.saturating_duration_since(Instant::now());
        // Boards that fill up have about as many moves to come as are legal; other games go on for
        // a share of the moves so far.
        let to_come = legal.max(played / 4).clamp(10, 400) as u32;
        let share = left / to_come;
        Budget { soft_time: Some(share), hard_time: Some(share), ..limits.clone() }
    }
}
