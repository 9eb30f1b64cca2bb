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
//!
//! Two manners on top, for games against people. *Resign*: when the chosen move's mean is below `resign` after at least 100 visits.
//! *Pass*: in a decided game (the chosen move's mean within 0.1 of a win or a loss) a pass that is worth as much, up to `pass`,
//! is played instead of whatever else is left to fill; so that its worth is known, one visit of the root in 32 is the pass's. 0 switches either off.

use super::tree::Node;
use crate::root_moves::best_index;
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

/// Visits before a search trusts its own judgement enough to give up.
const SURE: u32 = 100;
/// How near to a win or a loss a decided game is.
const DECIDED: f64 = 0.1;

impl Decision {
    /// How much the mover wants a child that is not proved; compared from left to right.
    fn wish(self, child: &Node, mover: Player) -> (f64, f64) {
        if child.is_barred() {
            return (-1e10, 0.0);
        }
        if child.visits() == 0 {
            return (-1e9, 0.0);
        }
        let (visits, mean) = (f64::from(child.visits()), expected(child, mover));
        match self {
            Decision::Max => (mean, visits),
            Decision::Robust => (visits, 0.0),
            Decision::RobustMax => (visits, mean),
            Decision::Secure { a } => (mean - a / visits.sqrt(), visits),
        }
    }

    /// The child to play, with ties broken by the generator; nothing if there are none.
    pub(super) fn choose(self, children: &[Node], root: Bounds, mover: Player, rng: &mut Rng) -> Option<usize> {
        let sure = |child: &Node| child.bounds().for_player(mover).0;
        if root.proved().is_some() {
            let kept = root.for_player(mover).0;
            // Where children were recycled the keeper may be one nobody has proved: then the rule decides.
            if children.iter().any(|child| sure(child) == kept) {
                let keeps = |child: &Node| (sure(child) == kept, !child.is_barred(), child.visits());
                return best_index(children.iter().map(keeps), rng);
            }
        }
        // Unproved moves by the rule, proved ones by their score; each sort has its own best. What cannot be better than
        // something sure is not wished for.
        let most_sure = children.iter().map(sure).max()?;
        let outdone = |child: &Node| child.bounds().for_player(mover).1 <= most_sure && sure(child) < most_sure;
        let unproved = |child: &Node| match child.bounds().proved() {
            None if outdone(child) => (-1e11, 0.0),
            None => self.wish(child, mover),
            Some(_) => (-1e12, 0.0),
        };
        let best = best_index(children.iter().map(unproved), rng)?;
        let proved = |child: &Node| child.bounds().proved().map(|score| score.for_player(mover));
        let safe = best_index(children.iter().map(proved), rng)?;
        let Some(score) = proved(&children[safe]) else { return Some(best) };
        let chosen = &children[best];
        let undecided = chosen.bounds().proved().is_none() && !chosen.is_barred() && !outdone(chosen);
        let hope = match (undecided, chosen.visits()) {
            (false, _) => -1.0,
            // Nobody has tried it: better than a proved loss, worse than anything else.
            (true, 0) => f64::MIN_POSITIVE,
            (true, _) => expected(chosen, mover),
        };
        Some(if score.to_f64() >= hope { safe } else { best })
    }
}

/// The mean of a visited child, within what is proved about it.
pub(super) fn expected(child: &Node, mover: Player) -> f64 {
    let (sure, hoped) = child.bounds().for_player(mover);
    child.mean_for(mover).max(sure.to_f64()).min(hoped.to_f64())
}

/// Whether the mover should give up after choosing this child.
pub(super) fn resigns(child: &Node, mover: Player, threshold: f64) -> bool {
    let worth = match child.bounds().proved() {
        Some(score) => score.for_player(mover).to_f64(),
        None if child.visits() >= SURE => child.mean_for(mover),
        None => 1.0,
    };
    threshold > 0.0 && worth < threshold
}

/// Whether a pass should be played instead of the chosen child.
pub(super) fn prefers_pass(chosen: &Node, pass: &Node, mover: Player, margin: f64) -> bool {
    if margin <= 0.0 || pass.is_barred() {
        return false;
    }
    let worth = |child: &Node| match child.bounds().proved() {
        Some(score) => Some(score.for_player(mover).to_f64()),
        None if child.visits() >= SURE / 10 => Some(child.mean_for(mover)),
        None => None,
    };
    let (Some(best), Some(pass)) = (worth(chosen), worth(pass)) else { return false };
    (best - 0.5).abs() >= 0.5 - DECIDED && pass >= best - margin
}
