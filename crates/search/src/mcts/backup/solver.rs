//! The solver: proved results are backed up as intervals of scores.
//!
//! Reference: Winands, Björnsson & Saito, "Monte-Carlo Tree Search Solver", 2008, for wins and
//! losses; Cazenave & Saffidine 2010 for intervals, which make draws and grades provable too.
//!
//! Three rules make it sound and let it terminate:
//!
//! * the upper bound of a node (for its mover) is known only when **all** its moves are open;
//! * selection skips proved children and children that cannot beat what the mover already has. A
//!   proved draw is not visited again and again, and an unproved node always has a child left to
//!   try;
//! * a proof stays valid although the children that proved it may have been reclaimed since.
//!
//! With a goal (`goal="first-wins"`) there are two results: an end that reaches it counts as a win
//! of the player who asks, any other as a loss. Playouts keep their rewards. Zhang 2019 §2.2.3: "we
//! consider all the drawn games as proved to be not win games". The report translates such results
//! into bounds on the score.

use crate::mcts::tree::{Node, NodeId, Published, Tree};
use crate::proof::bounds_of_answer;
use tesuji_core::{Bounds, Goal, Outcome, Player, Score};

/// What an ended game proves.
pub(crate) fn judged(goal: Goal, outcome: Outcome) -> Bounds {
    Bounds::exact(match goal {
        Goal::Exact(_) => outcome.score,
        Goal::Question(aim) if aim.worth(outcome) >= aim.least => Score::won_by(aim.player),
        Goal::Question(aim) => Score::won_by(aim.player.other()),
    })
}

/// What the bounds of a node say about the score.
pub(crate) fn reported(goal: Goal, bounds: Bounds) -> Bounds {
    match (goal, bounds.proved()) {
        (Goal::Question(aim), Some(score)) => bounds_of_answer(aim, score == Score::won_by(aim.player)),
        _ => bounds,
    }
}

/// Whether a child can still matter: not proved, and possibly better than what its parent's mover
/// is sure of.
#[inline]
pub(crate) fn is_relevant(child: &Node, parent: Bounds, mover: Player) -> bool {
    let bounds = child.bounds();
    bounds.proved().is_none() && bounds.for_player(mover).1 > parent.for_player(mover).0
}

/// The bounds of a node from its children, intersected with what was proved before.
pub(crate) fn joined(tree: &Tree, id: NodeId) -> Bounds {
    let node = tree.node(id);
    let before = node.bounds();
    let Some(Published { count, open, .. }) = node.children().get() else { return before };
    let children = tree.open_children(id).iter().map(Node::bounds);
    let now = Bounds::join(node.mover(), children, open == count);
    before.intersect(now).expect("proofs do not contradict each other")
}

/// Backs up the bounds along a path, as far as they change.
pub(crate) fn back_up(tree: &Tree, path: &[NodeId]) {
    for &id in path.iter().rev().skip(1) {
        let joined = joined(tree, id);
        if joined == tree.node(id).bounds() {
            return;
        }
        tree.node(id).set_bounds(joined);
    }
}
