//! The final choice among the root's children.
//!
//! | rule | picks | reference |
//! |---|---|---|
//! | `max` | the highest mean | Chaslot et al. 2008, as are the others |
//! | `robust` | the most visits | |
//! | `robust-max` | the most visits; among equals the highest mean | |
//! | `secure(a)` | the highest mean − a/√n | |
//!
//! Proved results come first, always: when the root is proved, a move that keeps its value is played;
//! otherwise a proved move is played if it is at least as good as the mean of the move the rule picks.

use super::tree::Node;
use crate::decide::best_of;
use tesuji_core::{Bounds, Player, Rng};

/// A rule for the final choice.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Decision {
    /// The highest mean.
    Max,
    /// The most visits.
    Robust,
    /// The most visits, then the highest mean.
    RobustMax,
    /// The highest lower bound.
    Secure {
        /// The weight of uncertainty.
        a: f64,
    },
}

impl Decision {
    /// How much the mover wants a child that is not proved; compared from left to right.
    fn wish(self, child: &Node, mover: Player) -> (f64, f64) {
        if child.visits == 0 {
            return (-1e9, 0.0);
        }
        let (visits, mean) = (f64::from(child.visits), child.mean_for(mover));
        match self {
            Decision::Max => (mean, visits),
            Decision::Robust => (visits, 0.0),
            Decision::RobustMax => (visits, mean),
            Decision::Secure { a } => (mean - a / visits.sqrt(), visits),
        }
    }

    /// The child to play, with ties broken by the generator; nothing if there are none.
    pub(super) fn choose(self, children: &[Node], root: Bounds, mover: Player, rng: &mut Rng) -> Option<usize> {
        let sure = |child: &Node| child.bounds.for_player(mover).0;
        if root.proved().is_some() {
            let kept = root.for_player(mover).0;
            let keeps = |child: &Node| (sure(child) == kept, child.visits);
            return best_of(children.iter().map(keeps), rng);
        }
        // Unproved moves by the rule, proved ones by their score; each sort has its own best.
        let unproved =
            |child: &Node| if child.bounds.proved().is_none() { self.wish(child, mover) } else { (-1e12, 0.0) };
        let best = best_of(children.iter().map(unproved), rng)?;
        let proved = |child: &Node| child.bounds.proved().map(|score| score.for_player(mover));
        let safe = best_of(children.iter().map(proved), rng)?;
        let Some(score) = proved(&children[safe]) else { return Some(best) };
        let undecided = children[best].bounds.proved().is_none() && children[best].visits > 0;
        let hope = if undecided { children[best].mean_for(mover) } else { -1.0 };
        Some(if score.to_f64() >= hope { safe } else { best })
    }
}
