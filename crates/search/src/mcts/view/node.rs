//! A node and its children as [`NodeView`].

use super::minimax::Walk;
use crate::kept::{ChildFilter, ChildState, ChildView, MinimaxNode, NodeView};
use crate::mcts::backup::{proof_numbers, solver};
use crate::mcts::iteration::{compared, first_play_urgency};
use crate::mcts::recipe::Mcts;
use crate::mcts::select::{GumbelRoot, ParentStatistics, Siblings};
use crate::mcts::tree::{Node, NodeId, Published, ROOT, Tree};
use std::cmp::Reverse;
use tesuji_core::{Player, Value};

/// A tree and what its search knows beside it.
pub(crate) struct View<'t> {
    pub(crate) recipe: &'t Mcts,
    pub(crate) tree: &'t Tree,
    /// Iterations of the budget per root move, for rules that need it.
    pub(crate) horizon: Option<f64>,
    /// What `select=gumbel` needs at the root.
    pub(crate) gumbel: Option<&'t GumbelRoot>,
}

/// The mean reward of a visited node.
pub(crate) fn mean(node: &Node) -> Option<Value> {
    (node.visits() > 0).then(|| node.mean())
}

/// The number of children; 0 before the expansion.
fn child_count(node: &Node) -> usize {
    node.children().get().map_or(0, |children| usize::from(children.count))
}

impl View<'_> {
    /// The nodes from the root to the one after these moves; nothing if the tree ends before.
    pub(crate) fn find(&self, path: &[usize]) -> Option<Vec<NodeId>> {
        let mut ids = vec![ROOT];
        for &index in path {
            let at = *ids.last().expect("the root at least");
            let first = self.tree.node(at).children().get()?.first;
            let children = self.tree.all_children(at);
            let number = children.iter().position(|child| child.move_index() as usize == index)?;
            ids.push(first + number as NodeId);
        }
        Some(ids)
    }

    /// The node after these moves.
    pub(crate) fn node(&self, path: &[usize], wanted: &ChildFilter) -> Option<NodeView<usize>> {
        let ids = self.find(path)?;
        let id = *ids.last().expect("the root at least");
        let node = self.tree.node(id);
        let mut walk = Walk::new(self.tree, self.recipe.backup);
        let chooser = node.mover();
        let minimax = (node.visits() > 0).then(|| {
            let way = walk.way(id);
            self.minimax_node(path, &ids, &way[1..], chooser)
        });
        let children = self.children(id, wanted);
        let (parent, numbers) = self.parent(id);
        let policy = self.policy(id);
        // A schedule compares no values.
        let scheduled = id == ROOT && self.gumbel.is_some_and(GumbelRoot::has_schedule);
        let view_of = |(child, is_open): &(NodeId, bool)| {
            let minimax = (self.tree.node(*child).visits() > 0).then(|| {
                let way = walk.way(*child);
                self.minimax_node(path, &ids, &way, chooser)
            });
            let policy = policy.as_ref().map(|(first, siblings)| siblings.policy((*child - first) as usize));
            let view = self.child(node, *child, *is_open, &parent, &numbers, policy);
            ChildView { minimax, selection: view.selection.filter(|_| !scheduled), ..view }
        };
        let children = children.iter().map(view_of).collect();
        Some(NodeView {
            path: path.to_vec(),
            turn: chooser,
            visits: u64::from(node.visits()),
            mean: mean(node),
            bounds: solver::reported(self.recipe.goal, node.bounds()),
            minimax,
            minimax_cut: walk.is_cut(),
            children,
            child_count: child_count(node),
        })
    }

    /// The wanted children in their order, each with whether the expansion rule has opened it.
    fn children(&self, id: NodeId, wanted: &ChildFilter) -> Vec<(NodeId, bool)> {
        let Some(Published { first, count, open }) = self.tree.node(id).children().get() else { return Vec::new() };
        let mover = self.tree.node(id).mover();
        let numbers = (0..count).map(|number| (first + NodeId::from(number), number < open));
        let enough = |child: &(NodeId, bool)| u64::from(self.tree.node(child.0).visits()) >= wanted.min_visits;
        let mut children: Vec<(NodeId, bool)> = numbers.filter(enough).collect();
        let units = |id: NodeId| match mover {
            Player::First => self.tree.node(id).units(),
            Player::Second => -self.tree.node(id).units(),
        };
        // Among equal visits the larger sum is the larger mean; what was not tried comes by its prior, whose bits
        // are in the order of its values.
        children.sort_by_key(|(id, _)| {
            let node = self.tree.node(*id);
            (Reverse((node.visits(), units(*id), self.tree.prior(*id).max(0.0).to_bits())), node.move_index())
        });
        children.truncate(wanted.limit);
        children
    }

    /// What a rule sees of the node whose children it compares.
    fn parent(&self, id: NodeId) -> (ParentStatistics, Vec<u32>) {
        let tree = self.tree;
        let open = tree.open_children(id);
        let visits: f64 = if tree.columns.shared {
            open.iter().map(|child| f64::from(child.visits())).sum()
        } else {
            f64::from(tree.node(id).visits())
        };
        let children: f64 = open.iter().map(|child| f64::from(child.visits())).sum();
        let visits = if self.gumbel.is_some() { 1.0 + children } else { visits.max(1.0) };
        let mut numbers = Vec::new();
        if tree.columns.proof
            && let Some(children) = tree.node(id).children().get()
        {
            let count = NodeId::from(children.open);
            proof_numbers::sorted_numbers(tree, children.first, count, tree.node(id).mover(), &mut numbers);
        }
        let horizon = if id == ROOT { self.horizon } else { None };
        let urgency = first_play_urgency(self.recipe, tree, id);
        (ParentStatistics { visits, log_visits: libm::log(visits), horizon, urgency }, numbers)
    }

    /// The improved policy of the children, where the rule selects by it, and the first child.
    fn policy(&self, id: NodeId) -> Option<(NodeId, Siblings)> {
        let (gumbel, children) = (self.gumbel?, self.tree.node(id).children().get()?);
        let mut siblings = Siblings::default();
        siblings.read(self.tree, id, children, self.recipe.proves_scores());
        siblings.improve(&gumbel.constants);
        Some((children.first, siblings))
    }

    /// A child, without its minimax node.
    fn child(
        &self,
        parent: &Node,
        id: NodeId,
        is_open: bool,
        statistics: &ParentStatistics,
        numbers: &[u32],
        policy: Option<f64>,
    ) -> ChildView<usize> {
        let (recipe, tree, mover) = (self.recipe, self.tree, parent.mover());
        let node = tree.node(id);
        let visited = node.visits() > 0;
        let amaf = tree.amaf.get(id as usize).filter(|amaf| amaf.visits() > 0);
        let settled = recipe.solver && !solver::is_relevant(node, parent.bounds(), mover);
        let state = if node.is_excluded() {
            ChildState::Excluded
        } else if settled {
            ChildState::Settled
        } else if is_open {
            ChildState::Open
        } else {
            ChildState::Closed
        };
        let finite = |number: u32| (number != proof_numbers::INFINITE).then_some(number);
        ChildView {
            mv: node.move_index() as usize,
            visits: u64::from(node.visits()),
            mean: mean(node),
            bounds: solver::reported(recipe.goal, node.bounds()),
            confidence: visited.then(|| self.confidence(node, parent.visits(), mover)),
            selection: is_open.then(|| {
                let (mut child, at) = compared(recipe, tree, id, mover, statistics, numbers);
                child.policy = policy.unwrap_or(0.0);
                recipe.select.parts(&child, &at)
            }),
            amaf: amaf.map(|amaf| (u64::from(amaf.visits()), Value::new(amaf.mean_for(Player::First).clamp(0.0, 1.0)))),
            prior: tree.columns.prior.then(|| tree.prior(id)),
            proof_numbers: tree.columns.proof.then(|| {
                let (proof, disproof) = tree.proof(id);
                (finite(proof), finite(disproof))
            }),
            minimax: None,
            state,
            child_count: child_count(node),
        }
    }

    /// The confidence bounds of a visited node, as in the report of the root.
    fn confidence(&self, node: &Node, parent_visits: u32, player: Player) -> (f64, f64) {
        let log_visits = libm::log(f64::from(parent_visits.max(1)));
        let width = self.recipe.select.width() * (2.0 * log_visits / f64::from(node.visits())).sqrt();
        let mean = node.mean_for(player);
        (mean - width, mean + width)
    }

    /// The minimax node at the end of `way`, which leads on from the node at `path`.
    fn minimax_node(&self, path: &[usize], ids: &[NodeId], way: &[NodeId], chooser: Player) -> MinimaxNode<usize> {
        let index = |id: &NodeId| self.tree.node(*id).move_index() as usize;
        let all: Vec<NodeId> = ids.iter().chain(way).copied().collect();
        let end = self.tree.node(*all.last().expect("the root at least"));
        let parent = all.len().checked_sub(2).map_or(end, |place| self.tree.node(all[place]));
        MinimaxNode {
            path: path.iter().copied().chain(way.iter().map(index)).collect(),
            visits: u64::from(end.visits()),
            value: end.mean(),
            confidence: self.confidence(end, parent.visits(), chooser),
        }
    }
}
