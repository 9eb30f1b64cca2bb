//! Proof numbers in the tree of a Monte-Carlo search (PN-MCTS).
//!
//! The claim is "the first player wins". A leaf is (1, 1), a proved node (0, ∞) or (∞, 0). A node
//! of the first player has the minimum of its children's proof numbers and the sum of their
//! disproof numbers; a node of the second player the reverse. The numbers bias selection by their
//! rank among siblings (`pn` in `select/rule.rs`).
//!
//! Reference: Kowalski, Doe, Winands, Górski & Soemers, "Proof Number Based Monte-Carlo Tree
//! Search", 2024.

use crate::mcts::tree::{NodeId, Tree};
use tesuji_core::{Bounds, Player, Score};

/// The (dis)proof number of a disproved claim.
pub(crate) const INFINITE: u32 = u32::MAX;
/// The largest finite number.
const MAX_FINITE: u32 = u32::MAX - 1;

fn of_bounds(bounds: Bounds) -> Option<(u32, u32)> {
    if bounds.lower() == Score::WIN {
        Some((0, INFINITE))
    } else if bounds.upper() < Score::WIN {
        Some((INFINITE, 0))
    } else {
        None
    }
}

/// Updates the numbers along a path, from its end to the root.
pub(crate) fn back_up(tree: &Tree, path: &[NodeId]) {
    for &id in path.iter().rev() {
        let node = tree.node(id);
        let (proof, disproof) = of_bounds(node.bounds()).unwrap_or_else(|| {
            let Some(children) = node.children().get() else { return (1, 1) };
            let numbers =
                (children.first..children.first + NodeId::from(children.count)).map(|child| tree.proof(child));
            // For the mover: the minimum to win, the sum to lose.
            let mover = node.mover();
            let own = |(proof, disproof): (u32, u32)| {
                if mover == Player::First { (proof, disproof) } else { (disproof, proof) }
            };
            let (least, sum) = numbers
                .map(own)
                .fold((INFINITE, 0_u64), |(least, sum), (win, loss)| (least.min(win), sum + u64::from(loss)));
            let sum = if sum >= u64::from(INFINITE) { MAX_FINITE } else { sum as u32 };
            if mover == Player::First { (least, sum) } else { (sum, least) }
        });
        tree.set_proof(id, proof, disproof);
    }
}

/// The distinct numbers of the children for the mover, ascending.
pub(crate) fn sorted_numbers(tree: &Tree, first: NodeId, count: NodeId, mover: Player, sorted: &mut Vec<u32>) {
    sorted.clear();
    sorted.extend((first..first + count).map(|child| number_for(tree, child, mover)));
    sorted.sort_unstable();
    sorted.dedup();
}

/// The rank of one child among the sorted numbers: 1 for the smallest; equal numbers rank equally.
pub(crate) fn rank(tree: &Tree, child: NodeId, mover: Player, sorted: &[u32]) -> f64 {
    let smaller = sorted.partition_point(|number| *number < number_for(tree, child, mover));
    1.0 - smaller as f64 / sorted.len().max(1) as f64
}

fn number_for(tree: &Tree, child: NodeId, mover: Player) -> u32 {
    let (proof, disproof) = tree.proof(child);
    if mover == Player::First { proof } else { disproof }
}
