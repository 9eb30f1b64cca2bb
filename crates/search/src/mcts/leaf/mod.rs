//! The leaf: how the position at the end of a descent is evaluated.
//!
//! | leaf | estimate | file |
//! |---|---|---|
//! | `random(n)` | n playouts of the game's own policy, uniform by default | `own.rs` |
//! | `decisive(n)` | the same, but both players see a win in one move | `own.rs` |
//! | `guarded(depth, n)` | playouts in which a minimax checks every move | `guarded.rs` |
//! | `replies(memory, forget, n)` | playouts with the last-good-reply policy | `replies.rs` |
//! | `heuristic(temperature, n)` | playouts that sample by the game's preference | `heuristic.rs` |
//! | `patterns(temperature, n)` | playouts that sample by learned patterns | `patterns.rs` |
//! | `cut(plies, n)` | random plies, then the game's evaluation | `cut.rs` |
//! | `net(…)` | a network's value, and its policy as priors | `net.rs` |
//!
//! `logged.rs` wraps any of them when single iterations are recorded.
//!
//! **Limits.** An estimate may have a million playouts, and a guarded playout may visit millions of
//! positions. The stop flag and the clock are therefore tested before each playout but the first,
//! and inside the look-ahead. A playout that is cut off is dropped. The estimate is the mean of the
//! finished playouts, and an iteration without one does not count.

mod cut;
mod guarded;
mod heuristic;
mod logged;
mod net;
mod own;
mod patterns;
mod replies;
mod simulate;

pub(crate) use logged::{Logged, PlayoutLog};
pub(crate) use net::first_play;
pub(crate) use own::Own;
pub use replies::ReplyMemory;
pub(crate) use simulate::{PlayedMove, Simulate};

use crate::SearchError;
use tesuji_core::{Deadline, Pulse, Studied};

/// Nothing was learned for a game.
pub(crate) fn no_patterns(part: &str) -> SearchError {
    SearchError::Unsupported(format!(
        "{part}=patterns needs learned patterns, and this game has none; `tesuji learn weights` lists the games that do"
    ))
}

/// A leaf rule.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Leaf {
    /// Decisive playouts in games that end suddenly, random ones in others.
    Auto {
        /// Playouts per leaf.
        playouts: u32,
    },
    /// Playouts.
    Random {
        /// Playouts per leaf.
        playouts: u32,
    },
    /// Playouts in which both players see wins in one move.
    Decisive {
        /// Playouts per leaf.
        playouts: u32,
    },
    /// Playouts in which a shallow minimax checks every move.
    Guarded {
        /// Plies of the check.
        depth: u32,
        /// Playouts per leaf.
        playouts: u32,
    },
    /// Playouts with the last-good-reply policy.
    Replies {
        /// The number of preceding moves that a reply answers.
        memory: ReplyMemory,
        /// Whether the loser's replies are deleted.
        forget: bool,
        /// Playouts per leaf.
        playouts: u32,
    },
    /// Playouts that sample moves by the game's preference.
    Heuristic {
        /// The softmax temperature: 1 samples by the weights, less sharpens, more flattens them.
        temperature: f64,
        /// Playouts per leaf.
        playouts: u32,
    },
    /// Playouts that sample moves by learned patterns.
    Patterns {
        /// The softmax temperature: 1 samples by the strengths, less sharpens, more flattens them.
        temperature: f64,
        /// Playouts per leaf.
        playouts: u32,
    },
    /// Short playouts, scored by the game's evaluation.
    Cut {
        /// Random plies before the evaluation.
        plies: u32,
        /// Playouts per leaf.
        playouts: u32,
    },
    /// A network's value and policy.
    Net {
        /// Leaves that a thread gathers before they are judged together.
        batch: u32,
    },
}

impl Leaf {
    /// Playouts per leaf.
    #[must_use]
    pub fn playouts(self) -> u32 {
        match self {
            Leaf::Auto { playouts }
            | Leaf::Random { playouts }
            | Leaf::Decisive { playouts }
            | Leaf::Guarded { playouts, .. }
            | Leaf::Replies { playouts, .. }
            | Leaf::Heuristic { playouts, .. }
            | Leaf::Patterns { playouts, .. }
            | Leaf::Cut { playouts, .. } => playouts,
            Leaf::Net { .. } => 1,
        }
    }

    /// Whether a network judges.
    #[must_use]
    pub fn is_net(self) -> bool {
        matches!(self, Leaf::Net { .. })
    }

    /// Leaves that a thread gathers before they are estimated.
    pub(crate) fn batch(self) -> usize {
        if let Leaf::Net { batch } = self { batch as usize } else { 1 }
    }

    /// Whether it needs the moves of the descent.
    pub(crate) fn needs_history(self) -> bool {
        matches!(self, Leaf::Replies { .. })
    }

    /// The evaluator of this leaf for the game of `root`.
    ///
    /// # Errors
    /// If the game lacks what it needs.
    pub(crate) fn build<P: Studied>(self, root: &P, deadline: &Deadline) -> Result<Box<dyn Simulate<P>>, SearchError> {
        let lacks = |leaf: &str, what: &str| {
            Err(SearchError::Unsupported(format!(
                "leaf={leaf} needs {what}, and this game has none; leaf=random serves every game"
            )))
        };
        Ok(match self {
            Leaf::Auto { .. } => unreachable!("auto is resolved before the search"),
            Leaf::Random { .. } => Box::new(Own::Random),
            Leaf::Decisive { .. } => Box::new(Own::Decisive),
            Leaf::Guarded { depth, .. } => Box::new(guarded::Guarded::new(depth, Pulse::new(deadline.clone()))),
            Leaf::Replies { memory, forget, .. } => Box::new(replies::Replies::new(memory, forget, root.move_space())),
            Leaf::Heuristic { temperature, .. } => match root.preference() {
                Some(preference) => Box::new(heuristic::Heuristic::new(preference.into(), temperature)),
                None => return lacks("heuristic", "a preference among moves"),
            },
            Leaf::Net { .. } => Box::new(net::Ended),
            Leaf::Patterns { temperature, .. } => match root.patterns() {
                Some(patterns) => Box::new(patterns::ByPatterns(patterns.playouts(temperature))),
                None => return Err(no_patterns("leaf")),
            },
            Leaf::Cut { plies, .. } => match root.evaluation() {
                Some(evaluation) => Box::new(cut::Cut::new(evaluation.into(), plies)),
                None => return lacks("cut", "an evaluation"),
            },
        })
    }
}
