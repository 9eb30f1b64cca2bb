//! Proof numbers in the tree of a Monte-Carlo search: how far each player is from a proof.
//!
//! A leaf is (1, 1), a proved node (0, ∞) or (∞, 0); the first player's nodes take the least proof number of their children and
//! the sum of their disproof numbers, the second player's the other way round. The claim is "the first player wins". The numbers bias
//! selection by their rank among siblings (`pn` in `select.rs`): the search leans to where little is missing for a proof.
//!
//! Reference: Kowalski, Doe, Winands, Górski & Soemers, "Proof Number Based Monte-Carlo Tree Search", 2024.

use super::tree::{NodeId, Tree};
use tesuji_core::{Bounds, Player, Score};

/// Solved: no effort can change it.
const INFINITE: u32 = u32::MAX;
/// The greatest number that is not infinite.
const MOST: u32 = u32::MAX - 1;

fn of_bounds(bounds: Bounds) -> Option<(u32, u32)> {
    if bounds.lower() == Score::WIN {
        Some((0, INFINITE))
    } else if bounds.upper() < Score::WIN {
        Some((INFINITE, 0))
    } else {
        None
    }
}

/// Brings the numbers up to date along a path, from its end to its beginning.
pub(super) fn back_up(tree: &Tree, path: &[NodeId]) {
    for &id in path.iter().rev() {
        let node = tree.node(id);
        let (proof, disproof) = of_bounds(node.bounds()).unwrap_or_else(|| {
            let Some(children) = node.children().get() else { return (1, 1) };
            let numbers =
                (children.first..children.first + NodeId::from(children.count)).map(|child| tree.proof(child));
            // As the mover sees it: the least to win, the sum to lose.
            let mover = node.mover();
            let own = |(proof, disproof): (u32, u32)| {
                if mover == Player::First { (proof, disproof) } else { (disproof, proof) }
            };
            let (least, sum) = numbers
                .map(own)
                .fold((INFINITE, 0_u64), |(least, sum), (win, loss)| (least.min(win), sum + u64::from(loss)));
            let sum = if sum >= u64::from(INFINITE) { MOST } else { sum as u32 };
            if mover == Player::First { (least, sum) } else { (sum, least) }
        });
        tree.set_proof(id, proof, disproof);
    }
}

/// For each child in turn: 1 for the least number of the mover's, 0 for the greatest; equal numbers stand alike.
pub(super) fn standings(tree: &Tree, first: NodeId, count: NodeId, mover: Player, sorted: &mut Vec<u32>) {
    sorted.clear();
    sorted.extend((first..first + count).map(|child| number_for(tree, child, mover)));
    sorted.sort_unstable();
    sorted.dedup();
}

/// The standing of one child among the sorted numbers.
pub(super) fn standing(tree: &Tree, child: NodeId, mover: Player, sorted: &[u32]) -> f64 {
    let rank = sorted.partition_point(|number| *number < number_for(tree, child, mover));
    1.0 - rank as f64 / sorted.len().max(1) as f64
}

fn number_for(tree: &Tree, child: NodeId, mover: Player) -> u32 {
    let (proof, disproof) = tree.proof(child);
    if mover == Player::First { proof } else { disproof }
}
