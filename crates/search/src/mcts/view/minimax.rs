//! The minimax node of a node (Lin 2017, §3.5), computed when it is asked for.
//!
//! The rule is that of `backup/rule.rs`: a node with at least `threshold` visits for each of its
//! moves takes over the minimax node of the child whose minimax node has the best mean; below the
//! threshold a node is its own. With `backup=combined` the search keeps these nodes up to date; here
//! they are found for any recipe by a depth-first walk over the nodes above the threshold. There are
//! few of them: at any depth, n visits suffice for n/(threshold · moves) such nodes.
//!
//! Lin simulates every child of a new node, and his search visits children evenly enough. Under
//! other rules (RAVE, a prior) a well visited node has children with one visit, whose mean is 0 or 1.
//! Where the recipe is not Lin's, a child therefore counts only with `threshold` visits of its own.

use crate::mcts::backup::Backup;
use crate::mcts::tree::{NodeId, Published, Tree};

/// The threshold where the recipe has none: Lin's.
const DEFAULT_THRESHOLD: u32 = 50;

/// Nodes that one walk reads at most; about ten milliseconds.
const MOST_READS: u32 = 1_000_000;

/// Walks for minimax nodes, all within one bound.
pub(super) struct Walk<'t> {
    tree: &'t Tree,
    threshold: u32,
    /// Visits of a child that counts.
    least: u32,
    reads: u32,
}

/// A node whose children are being compared.
struct Frame {
    id: NodeId,
    children: Published,
    /// The number of the next child to look at.
    next: u16,
    /// The best mean so far, and the nodes on the way from the child to its minimax node.
    best: Option<(f64, Vec<NodeId>)>,
}

impl<'t> Walk<'t> {
    pub(super) fn new(tree: &'t Tree, backup: Backup) -> Walk<'t> {
        let (threshold, least) = match backup {
            Backup::Combined { parameter, .. } => (parameter, 1),
            _ => (DEFAULT_THRESHOLD, DEFAULT_THRESHOLD),
        };
        Walk { tree, threshold, least, reads: 0 }
    }

    /// Whether the bound ended a walk: nodes that were not looked at count as their own minimax
    /// nodes.
    pub(super) fn is_cut(&self) -> bool {
        self.reads >= MOST_READS
    }

    /// The children that decide the minimax node of a node; nothing if it is its own.
    fn deciding(&self, id: NodeId) -> Option<Published> {
        let node = self.tree.node(id);
        let children = node.children().get()?;
        let enough = u64::from(node.visits()) >= u64::from(self.threshold) * u64::from(children.count);
        (enough && !self.is_cut()).then_some(children)
    }

    /// The nodes on the way from a node, included, to its minimax node.
    pub(super) fn way(&mut self, id: NodeId) -> Vec<NodeId> {
        let frame = |id: NodeId, children: Published| Frame { id, children, next: 0, best: None };
        let Some(children) = self.deciding(id) else { return vec![id] };
        let mut stack = vec![frame(id, children)];
        loop {
            let top = stack.last_mut().expect("the loop ends with the last frame");
            if top.next < top.children.open {
                let child = top.children.first + NodeId::from(top.next);
                top.next += 1;
                self.reads += 1;
                if self.tree.node(child).visits() < self.least {
                    continue;
                }
                match self.deciding(child) {
                    Some(children) => stack.push(frame(child, children)),
                    None => self.offer(stack.last_mut().expect("as above"), vec![child]),
                }
                continue;
            }
            let done = stack.pop().expect("as above");
            let mut way = vec![done.id];
            way.extend(done.best.into_iter().flat_map(|(_, way)| way));
            match stack.last_mut() {
                Some(parent) => self.offer(parent, way),
                None => return way,
            }
        }
    }

    /// Compares the minimax node of a child, at the end of its way, with the best so far.
    fn offer(&self, frame: &mut Frame, way: Vec<NodeId>) {
        let end = way.last().copied().expect("a way has an end");
        let mean = self.tree.node(end).mean_for(self.tree.node(frame.id).mover());
        if frame.best.as_ref().is_none_or(|(most, _)| mean > *most) {
            frame.best = Some((mean, way));
        }
    }
}
