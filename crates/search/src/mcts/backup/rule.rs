//! Backup rules beside the mean.
//!
//! The value that selection uses:
//!
//! * `mean`: X̄.
//! * `combined(parameter, form)`: that of the child's minimax node, see below. Lin 2017 §3.5.
//! * `implicit(alpha)`: (1−α)·X̄ + α·v, v the minimax of the leaves' evaluations. Lanctot, Winands,
//!   Pepels & Sturtevant 2014, implicit minimax backups.
//! * `max-mean(weight)`: q = (1−w)·X̄ + w·(the best q among the children). After Coulom 2006, "mix"
//!   backups.
//!
//! **Minimax-combined (Lin).** A node with at least parameter × branching visits points to its
//! *minimax node*: the minimax node of the child whose minimax node has the best mean. Below the
//! threshold a node points to itself. Selection compares children by the confidence bounds of their
//! minimax nodes, with the visits of the minimax node's own parent in the logarithm. `form=descent`
//! then descends to that child, as the text of the thesis says (§3.5.2); `form=jump` continues at
//! its minimax node, as the thesis's program does.

use crate::mcts::tree::{NodeId, ROOT, Tree};
use tesuji_core::Player;

/// A backup rule.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Backup {
    /// The mean alone.
    Mean,
    /// Lin's minimax-combined backup.
    Combined {
        /// Visits per move of a node before its minimax node is used.
        parameter: u32,
        /// Where the descent continues.
        form: CombinedForm,
    },
    /// Implicit minimax backups: minimax of evaluations, mixed with the mean.
    Implicit {
        /// The weight of the evaluations.
        alpha: f64,
    },
    /// A mix of the mean and the best child.
    MaxMean {
        /// The weight of the best child.
        weight: f64,
    },
}

/// Where the descent of a minimax-combined search continues.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CombinedForm {
    /// At the child whose minimax node is best.
    Descent,
    /// At that minimax node.
    Jump,
}

impl Backup {
    /// The weight of the auxiliary value in selection.
    pub(crate) fn auxiliary_weight(self) -> f64 {
        match self {
            Backup::Implicit { alpha } => alpha,
            Backup::MaxMean { .. } => 1.0,
            Backup::Mean | Backup::Combined { .. } => 0.0,
        }
    }

    /// Updates the auxiliary values along a path, from its end to the root.
    pub(crate) fn apply(self, tree: &Tree, path: &[NodeId]) {
        match self {
            Backup::Mean => {}
            Backup::Combined { parameter, .. } => {
                path.iter().rev().for_each(|&id| tree.set_minimax(id, minimax_node(tree, id, parameter)));
            }
            Backup::Implicit { .. } => {
                for &id in path.iter().rev() {
                    if let Some(best) = best_auxiliary(tree, id) {
                        tree.set_auxiliary(id, best);
                    }
                }
            }
            Backup::MaxMean { weight } => {
                for &id in path.iter().rev() {
                    let mean = tree.node(id).mean_for(Player::First);
                    let best = best_auxiliary(tree, id).unwrap_or(mean);
                    tree.set_auxiliary(id, (1.0 - weight) * mean + weight * best);
                }
            }
        }
    }
}

/// The best auxiliary value among a node's children, for its mover; nothing while none has one.
fn best_auxiliary(tree: &Tree, id: NodeId) -> Option<f64> {
    let first = tree.node(id).children().get()?.first;
    let count = tree.open_children(id).len() as NodeId;
    let values = (first..first + count).filter_map(|child| tree.auxiliary(child));
    match tree.node(id).mover() {
        Player::First => values.reduce(f64::max),
        Player::Second => values.reduce(f64::min),
    }
}

/// The minimax node of a node whose children are up to date.
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

/// The nodes on the way from an ancestor `from`, excluded, down to `to`.
pub(crate) fn path_between(tree: &Tree, from: NodeId, to: NodeId, path: &mut Vec<NodeId>) {
    path.clear();
    let mut id = to;
    while id != from && id != ROOT {
        path.push(id);
        id = tree.parent(id);
    }
    path.reverse();
}
