//! A proof tree that has stopped growing, to be looked into node by node.
//!
//! The tree of a search is taken as it is and written once in this form, which no game and no rule
//! of numbers has a part in. A search that is not asked for its tree does nothing for it.

use super::arena::{Rule, TreeSearch};
use crate::proof::Status;
use tesuji_core::Aim;

/// A node of a proof tree. Moves are [`Position::move_index`](tesuji_core::Position::move_index).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ProofNode {
    /// The move that leads here; 0 at the root.
    pub move_index: usize,
    /// Whether the attacker, who wants to prove, moves here.
    pub or_node: bool,
    /// What is known.
    pub status: Status,
    /// Proof and disproof number while that is open.
    pub numbers: [f64; 2],
    /// The number of children; 0 of a leaf.
    pub children: usize,
    /// The number of its first child.
    first_child: u32,
}

/// The AND/OR tree of one question.
#[derive(Clone, Debug)]
pub struct ProofTree {
    aim: Aim,
    nodes: Vec<ProofNode>,
}

impl ProofTree {
    /// What is to be proved.
    #[must_use]
    pub fn aim(&self) -> Aim {
        self.aim
    }

    /// The root.
    pub const ROOT: usize = 0;

    /// The number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node, not even a root.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The bytes that it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<ProofNode>()
    }

    /// A node by its number.
    #[must_use]
    pub fn node(&self, id: usize) -> Option<&ProofNode> {
        self.nodes.get(id)
    }

    /// The children of a node, with their numbers.
    pub fn children(&self, id: usize) -> impl Iterator<Item = (usize, &ProofNode)> {
        let (first, count) = self.nodes.get(id).map_or((0, 0), |node| (node.first_child as usize, node.children));
        (first..first + count).zip(self.nodes.iter().skip(first))
    }

    /// The child after this move.
    #[must_use]
    pub fn after(&self, id: usize, move_index: usize) -> Option<usize> {
        self.children(id).find(|(_, child)| child.move_index == move_index).map(|(id, _)| id)
    }
}

impl<R: Rule> TreeSearch<R> {
    /// The tree of the last question.
    pub(super) fn taken(&mut self) -> Option<ProofTree> {
        let (aim, nodes) = self.tree.take()?;
        let view = |node: super::arena::Node<R::Number>| ProofNode {
            move_index: node.move_index as usize,
            or_node: node.or_node,
            status: node.status,
            numbers: self.tree.rule.shown(&node.number),
            children: node.children as usize,
            first_child: node.first_child,
        };
        Some(ProofTree { aim, nodes: nodes.into_iter().map(view).collect() })
    }
}
