//! A search that has stopped, looked into from outside: nodes, further iterations, records of
//! single iterations, in text. What a search knows of a node is in [`tesuji_search::kept`].
//!
//! Nothing here is generic: moves are the numbers of [`Actions`](crate::Actions), and the position
//! of the root turns them into text.

use crate::any::AnyPosition;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use tesuji_core::{Budget, MoveError, Observer, Outcome, Pace, Report, StopFlag};
use tesuji_search::SearchError;
use tesuji_search::kept::{
    ChildFilter, ChildView, IterationRecord, KeptSearch, MinimaxNode, NodeView, PathNode, Playout,
};

/// A search that has stopped, and the position of its root.
pub struct KeptTree {
    root: Box<dyn AnyPosition>,
    search: Box<dyn KeptSearch>,
}

/// Moves that were played from the root.
struct Walked {
    /// The position after them.
    position: Box<dyn AnyPosition>,
    /// Their numbers.
    actions: Vec<usize>,
    /// As the game writes them.
    shown: Vec<String>,
}

/// Why a node cannot be shown.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NodeError {
    /// A move that cannot be played there.
    #[error("move {number} below the root: {error}")]
    Move {
        /// Which of the moves, from 1.
        number: usize,
        /// What is wrong with it.
        error: MoveError,
    },
    /// Legal moves, but the search has not been there.
    #[error("the tree ends {}: the search has not expanded that node", after(.known))]
    Unknown {
        /// The moves that the tree has.
        known: Vec<String>,
    },
}

fn after(known: &[String]) -> String {
    if known.is_empty() { "at its root".into() } else { format!("after \"{}\"", known.join(" ")) }
}

/// A node of an exported tree.
#[derive(Clone, PartialEq, Debug)]
pub struct ExportedNode {
    /// The place of the parent in the list; nothing for the first.
    pub parent: Option<usize>,
    /// What is known of it among its siblings; nothing for the first.
    pub child: Option<ChildView<String>>,
    /// Plies below the first node.
    pub depth: usize,
    /// The node itself, without its children.
    pub node: NodeView<String>,
}

/// Which part of a tree is exported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExportLimits {
    /// Plies below the first node.
    pub depth: usize,
    /// Which children of each node.
    pub children: ChildFilter,
    /// Nodes at most; the most visited ones come first.
    pub nodes: usize,
}

impl KeptTree {
    pub(crate) fn new(root: Box<dyn AnyPosition>, search: Box<dyn KeptSearch>) -> KeptTree {
        KeptTree { root, search }
    }

    /// The position of the root.
    #[must_use]
    pub fn root(&self) -> &dyn AnyPosition {
        self.root.as_ref()
    }

    /// The nodes of the tree.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.search.nodes()
    }

    /// Iterations so far.
    #[must_use]
    pub fn iterations(&self) -> u64 {
        self.search.iterations()
    }

    /// Plays these moves.
    fn walk(&self, moves: &[String]) -> Result<Walked, NodeError> {
        let mut walked = Walked { position: self.root.boxed_clone(), actions: Vec::new(), shown: Vec::new() };
        for (place, text) in moves.iter().enumerate() {
            // Reading before playing gives the number; playing gives the reason where there is none.
            let action = walked.position.action_named(text);
            let played = walked.position.play(text).map_err(|error| NodeError::Move { number: place + 1, error })?;
            walked.actions.extend(action);
            walked.shown.push(played);
        }
        Ok(walked)
    }

    /// The outcome after these moves, if the game has ended there.
    ///
    /// # Errors
    /// If a move is not legal.
    pub fn outcome(&self, moves: &[String]) -> Result<Option<Outcome>, NodeError> {
        self.walk(moves).map(|walked| walked.position.outcome())
    }

    /// The node after these moves.
    ///
    /// # Errors
    /// If a move is not legal, or the tree does not reach so far.
    pub fn node(&self, moves: &[String], wanted: &ChildFilter) -> Result<NodeView<String>, NodeError> {
        let Walked { position, actions, shown } = self.walk(moves)?;
        let Some(node) = self.search.node(&actions, wanted) else {
            let reaches = |length: &usize| self.search.node(&actions[..*length], &NO_CHILDREN).is_some();
            let length = (0..actions.len()).rev().find(reaches).unwrap_or(0);
            return Err(NodeError::Unknown { known: shown[..length].to_vec() });
        };
        Ok(self.node_in_text(node, position.as_ref(), shown))
    }

    /// Searches on, by what this budget allows in addition; see [`KeptSearch::more`].
    ///
    /// # Errors
    /// If the search cannot go on.
    pub fn more(&mut self, budget: &Budget, watch: &mut dyn Observer<String>) -> Result<Report<String>, SearchError> {
        let root = self.root.as_ref();
        let report = self.search.more(budget, &mut InText { root, watch })?;
        Ok(report_in_text(root, report))
    }

    /// Does one more iteration and records it; see [`KeptSearch::step`].
    ///
    /// # Errors
    /// If iterations of this search cannot be recorded, or it was cut off.
    pub fn step(&mut self, stop: &StopFlag) -> Result<Option<IterationRecord<String>>, SearchError> {
        let record = self.search.step(stop)?;
        Ok(record.map(|record| record_in_text(self.root.as_ref(), record)))
    }

    /// The part of the tree below the node after these moves, each node after its parent.
    ///
    /// # Errors
    /// If a move is not legal, or the tree does not reach so far.
    pub fn export(&self, moves: &[String], limits: &ExportLimits) -> Result<Vec<ExportedNode>, NodeError> {
        let first = self.node(moves, &limits.children)?;
        let mut list = Vec::new();
        // The most visited node next; among equals the one found first.
        let mut waiting = BinaryHeap::from([(first.visits, Reverse(0_usize))]);
        let mut found = vec![(None, None, 0, first.path.clone())];
        while let Some((_, Reverse(place))) = waiting.pop() {
            if list.len() >= limits.nodes {
                break;
            }
            let (parent, child, depth, path) = std::mem::take(&mut found[place]);
            let mut node = self.node(&path, &limits.children)?;
            let own = list.len();
            for below in std::mem::take(&mut node.children) {
                if depth < limits.depth {
                    let path = path.iter().chain([&below.mv]).cloned().collect();
                    waiting.push((below.visits, Reverse(found.len())));
                    found.push((Some(own), Some(below), depth + 1, path));
                }
            }
            list.push(ExportedNode { parent, child, depth, node });
        }
        Ok(list)
    }

    fn node_in_text(&self, node: NodeView<usize>, at: &dyn AnyPosition, path: Vec<String>) -> NodeView<String> {
        let root = self.root.as_ref();
        NodeView {
            path,
            turn: if at.outcome().is_some() { node.turn } else { at.turn() },
            visits: node.visits,
            mean: node.mean,
            bounds: node.bounds,
            minimax: node.minimax.map(|minimax| minimax_in_text(root, minimax)),
            minimax_cut: node.minimax_cut,
            children: node.children.into_iter().map(|child| child_in_text(root, at, child)).collect(),
            child_count: node.child_count,
        }
    }
}

/// To ask only whether a node exists.
const NO_CHILDREN: ChildFilter = ChildFilter { limit: 0, min_visits: 0 };

/// A move of a position, by its number. The moves of a tree are legal; those of a playout need not
/// be, in games that draw the result of a playout without playing it.
fn text(position: &dyn AnyPosition, action: usize) -> String {
    position.action_text(action).unwrap_or_else(|| format!("#{action}"))
}

/// Moves played one after the other.
fn line(position: &dyn AnyPosition, actions: &[usize]) -> Vec<String> {
    let mut position = position.boxed_clone();
    let play = |action: &usize| {
        let shown = text(position.as_ref(), *action);
        position.play_action(*action);
        shown
    };
    actions.iter().map(play).collect()
}

fn minimax_in_text(root: &dyn AnyPosition, minimax: MinimaxNode<usize>) -> MinimaxNode<String> {
    MinimaxNode {
        path: line(root, &minimax.path),
        visits: minimax.visits,
        value: minimax.value,
        confidence: minimax.confidence,
    }
}

fn child_in_text(root: &dyn AnyPosition, at: &dyn AnyPosition, child: ChildView<usize>) -> ChildView<String> {
    ChildView {
        mv: text(at, child.mv),
        visits: child.visits,
        mean: child.mean,
        bounds: child.bounds,
        confidence: child.confidence,
        selection: child.selection,
        amaf: child.amaf,
        prior: child.prior,
        proof_numbers: child.proof_numbers,
        minimax: child.minimax.map(|minimax| minimax_in_text(root, minimax)),
        state: child.state,
        child_count: child.child_count,
    }
}

fn record_in_text(root: &dyn AnyPosition, record: IterationRecord<usize>) -> IterationRecord<String> {
    let mut position = root.boxed_clone();
    let node = |node: PathNode<usize>| {
        let mv = node.mv.map(|action| {
            let shown = text(position.as_ref(), action);
            position.play_action(action);
            shown
        });
        PathNode { mv, turn: node.turn, visits: node.visits, mean: node.mean, bounds: node.bounds }
    };
    let path = record.path.into_iter().map(node).collect();
    let playout = |playout: Playout<usize>| {
        let from = playout.from.map(|action| (action, text(position.as_ref(), action)));
        let mut start = position.boxed_clone();
        let from = from.map(|(action, shown)| {
            start.play_action(action);
            shown
        });
        Playout { from, moves: line(start.as_ref(), &playout.moves), score: playout.score, reward: playout.reward }
    };
    IterationRecord {
        iteration: record.iteration,
        path,
        expanded: record.expanded,
        entered: record.entered,
        simulated: record.simulated.iter().map(|(action, gain)| (text(position.as_ref(), *action), *gain)).collect(),
        playouts: record.playouts.into_iter().map(playout).collect(),
        gain: record.gain,
    }
}

/// Hands reports on in text.
struct InText<'a> {
    root: &'a dyn AnyPosition,
    watch: &'a mut dyn Observer<String>,
}

impl Observer<usize> for InText<'_> {
    fn pace(&self) -> Option<Pace> {
        self.watch.pace()
    }

    fn wants_playouts(&self) -> bool {
        self.watch.wants_playouts()
    }

    fn progress(&mut self, report: &Report<usize>) {
        self.watch.progress(&report_in_text(self.root, report.clone()));
    }
}

fn report_in_text(root: &dyn AnyPosition, report: Report<usize>) -> Report<String> {
    report.translate(|action| text(root, action), |actions| line(root, &actions))
}
