//! Backups beside the mean: what a node is worth by other rules than averaging.
//!
//! | backup | value used in selection | reference |
//! |---|---|---|
//! | `mean` | X̄ | |
//! | `combined(parameter, form)` | that of the child's minimax node, see below | Lin 2017 §3.5 |
//! | `implicit(alpha)` | (1−α)·X̄ + α·v, v the minimax of the leaves' evaluations | Lanctot, Winands, Pepels & Sturtevant 2014, implicit minimax backups |
//! | `max-mean(weight)` | q = (1−w)·X̄ + w·(the best q among the children) | after Coulom 2006, "mix" backups |
//!
//! **Minimax-combined (Lin).** A node visited at least parameter × branching times points to its *minimax node*: going down by the
//! children's minimax nodes' means, the leaf of minimax. Below the threshold it points to itself. Selection compares children by the confidence
//! bounds of their minimax nodes, with the visits of the minimax node's own parent in the logarithm. `form=descent` then goes to that child, as his text says
//! (§3.5.2); `form=jump` goes straight to its minimax node, as his program does.

use super::tree::{NodeId, ROOT, Tree};
use tesuji_core::Player;

/// How values go up the tree.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Backup {
    /// Averages alone.
    Mean,
    /// Lin's minimax-combined backup.
    Combined {
        /// Visits per move of a node before minimax is trusted.
        parameter: u32,
        /// Where selection goes.
        form: CombinedForm,
    },
    /// Minimax of evaluations beside the mean.
    Implicit {
        /// The weight of the evaluations.
        alpha: f64,
    },
    /// Between the mean and the best child.
    MaxMean {
        /// The weight of the best child.
        weight: f64,
    },
}

/// Where a minimax-combined selection goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CombinedForm {
    /// To the child whose minimax node is best.
    Descent,
    /// To that minimax node.
    Jump,
}

impl Backup {
    /// The weight of the second value in selection.
    pub(super) fn guide_weight(self) -> f64 {
        match self {
            Backup::Implicit { alpha } => alpha,
            Backup::MaxMean { .. } => 1.0,
            Backup::Mean | Backup::Combined { .. } => 0.0,
        }
    }

    /// Brings the second values up to date along a path, from its end to its beginning.
    pub(super) fn apply(self, tree: &Tree, path: &[NodeId]) {
        match self {
            Backup::Mean => {}
            Backup::Combined { parameter, .. } => {
                path.iter().rev().for_each(|&id| tree.set_minimax(id, minimax_node(tree, id, parameter)));
            }
            Backup::Implicit { .. } => {
                for &id in path.iter().rev() {
                    if let Some(best) = best_guide(tree, id) {
                        tree.set_guide(id, best);
                    }
                }
            }
            Backup::MaxMean { weight } => {
                for &id in path.iter().rev() {
                    let mean = tree.node(id).mean_for(Player::First);
                    let best = best_guide(tree, id).unwrap_or(mean);
                    tree.set_guide(id, (1.0 - weight) * mean + weight * best);
                }
            }
        }
    }
}

/// The best second value among a node's children, as its mover sees it; nothing while none has one.
fn best_guide(tree: &Tree, id: NodeId) -> Option<f64> {
    let first = tree.node(id).children().get()?.first;
    let count = tree.open_children(id).len() as NodeId;
    let values = (first..first + count).filter_map(|child| tree.guide(child));
    match tree.node(id).mover() {
        Player::First => values.reduce(f64::max),
        Player::Second => values.reduce(f64::min),
    }
}

/// The minimax node of a node whose children's are up to date.
fn minimax_node(tree: &Tree, id: NodeId, parameter: u32) -> NodeId {
    let node = tree.node(id);
    let Some(children) = node.children().get() else { return id };
    if u64::from(node.visits()) < u64::from(parameter) * u64::from(children.count) {
        return id;
    }
    let mut best: Option<(f64, NodeId)> = None;
    for child in children.first..children.first + NodeId::from(children.open) {
        let candidate = tree.minimax(child);
        if tree.node(candidate).visits() == 0 {
            continue;
        }
        let mean = tree.node(candidate).mean_for(node.mover());
        if best.is_none_or(|(most, _)| mean > most) {
            best = Some((mean, candidate));
        }
    }
    best.map_or(id, |(_, candidate)| candidate)
}

/// The moves from `from`, which is above it, down to `to`, as nodes.
pub(super) fn way_down(tree: &Tree, from: NodeId, to: NodeId, way: &mut Vec<NodeId>) {
    way.clear();
    let mut id = to;
    while id != from && id != ROOT {
        way.push(id);
        id = tree.parent(id);
    }
    way.reverse();
}
