//! The solver: proved results travel up the tree as intervals of scores.
//!
//! Reference: Winands, Björnsson & Saito, "Monte-Carlo Tree Search Solver", 2008, for wins and losses; Cazenave &
//! Saffidine 2010 for intervals, which make draws and grades provable too.
//!
//! Three rules keep it sound and make it finish:
//!
//! * a node's upper side (for its mover) is known only when **all** its moves are open;
//! * selection skips children that are proved, and those that cannot beat what the mover already has:
//!   a proved draw does not attract for ever, and a node that is not proved always has a child left to try;
//! * what was proved once stays proved, though the children that proved it may have been recycled since.

use super::publish::Published;
use super::tree::{Node, NodeId, Tree};
use tesuji_core::{Bounds, Player};

/// Whether a child is worth a visit: not proved, and possibly better than what its parent's mover has.
#[inline]
pub(super) fn is_open_question(child: &Node, parent: Bounds, mover: Player) -> bool {
    let bounds = child.bounds();
    bounds.proved().is_none() && bounds.for_player(mover).1 > parent.for_player(mover).0
}

/// What the children of a node prove about it, with what was proved before.
pub(super) fn joined(tree: &Tree, id: NodeId) -> Bounds {
    let node = tree.node(id);
    let before = node.bounds();
    let Some(Published { count, open, .. }) = node.children().get() else { return before };
    let children = tree.open_children(id).iter().map(Node::bounds);
    let now = Bounds::join(node.mover(), children, open == count);
    before.intersect(now).expect("proofs do not contradict each other")
}

/// Carries what was proved at the end of a path up to its beginning, as far as it changes anything.
pub(super) fn back_up(tree: &Tree, path: &[NodeId]) {
    for &id in path.iter().rev().skip(1) {
        let joined = joined(tree, id);
        if joined == tree.node(id).bounds() {
            return;
        }
        tree.node(id).set_bounds(joined);
    }
}
