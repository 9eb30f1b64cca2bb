//! The record of a single iteration: path, expansion, playouts, and the nodes after the backup.
//!
//! The iteration is the ordinary one. What it did is read off the tree before and after it, and its
//! playouts are logged by a wrapper around the leaf (`leaf/logged.rs`), so that searches that record
//! nothing do no work for this.

use super::tree_search::TreeSearch;
use crate::SearchError;
use crate::kept::{Gain, IterationRecord, PathNode, Playout};
use crate::mcts::backup::solver;
use crate::mcts::leaf::PlayoutLog;
use crate::mcts::recipe::Mcts;
use crate::mcts::select::Expansion;
use crate::mcts::tree::{Node, NodeId, Published, ROOT, Tree};
use crate::mcts::view::mean;
use std::sync::atomic::Ordering::Relaxed;
use tesuji_core::{Budget, Outcome, Score, StopFlag, StopReason, Studied};

/// Which nodes of a tree had children, and were entered, before an iteration.
pub(crate) struct Marks(Vec<u8>);

const EXPANDED: u8 = 1;
const ENTERED: u8 = 2;

fn mark(node: &Node) -> u8 {
    let expanded = if node.children().get().is_some() { EXPANDED } else { 0 };
    expanded | if node.is_entered() { ENTERED } else { 0 }
}

impl Marks {
    fn of(tree: &Tree) -> Marks {
        Marks(tree.nodes[..tree.next.load(Relaxed) as usize].iter().map(mark).collect())
    }

    fn get(&self, id: NodeId) -> u8 {
        self.0.get(id as usize).copied().unwrap_or(0)
    }

    /// Takes note of what an iteration has changed.
    fn update(&mut self, tree: &Tree, path: &[NodeId]) {
        self.0.resize(tree.next.load(Relaxed) as usize, 0);
        for &id in path {
            self.0[id as usize] = mark(tree.node(id));
            // Children that were simulated one by one are entered too.
            if let Some(Published { first, count, .. }) = tree.node(id).children().get() {
                for child in first..first + NodeId::from(count) {
                    self.0[child as usize] = mark(tree.node(child));
                }
            }
        }
    }
}

/// What a record of an iteration needs, from the first recorded iteration on.
pub(super) struct Recorder<M> {
    pub(super) log: PlayoutLog<M>,
    /// The state of the tree after the last iteration; nothing if other work was done since.
    pub(super) marks: Option<Marks>,
}

/// The parts of a record that do not depend on the game.
struct Observed<'a> {
    recipe: &'a Mcts,
    tree: &'a Tree,
    path: &'a [NodeId],
    marks: &'a Marks,
    /// Rewards and visits of the root before the iteration.
    before: (i64, u32),
}

fn games(units: i64) -> f64 {
    units as f64 / f64::from(Score::UNITS)
}

impl Observed<'_> {
    fn record(&self, iteration: u64, playouts: Vec<(Vec<usize>, Outcome)>) -> IterationRecord<usize> {
        let Observed { recipe, tree, path, marks, before } = *self;
        let node_of = |&id: &NodeId| {
            let node = tree.node(id);
            PathNode {
                mv: (id != ROOT).then(|| node.move_index() as usize),
                turn: node.mover(),
                visits: u64::from(node.visits()),
                mean: mean(node),
                bounds: solver::reported(recipe.goal, node.bounds()),
            }
        };
        let is_new = |id: NodeId, bit: u8| mark(tree.node(id)) & bit != 0 && marks.get(id) & bit == 0;
        let new = |bit: u8| (0..path.len()).filter(move |depth| is_new(path[*depth], bit));
        let expanded: Vec<usize> = new(EXPANDED).collect();
        let last = path.len() - 1;
        // With this rule the children of a new node are simulated instead of one of them.
        let each = recipe.expand == Expansion::Each && expanded.last() == Some(&last);
        let in_a_row = recipe.leaf.playouts() as usize;
        let units = |outcome: Outcome| recipe.reward.units(outcome);
        let children = if each { tree.all_children(path[last]) } else { &[] };
        let gain_of = |(child, own): (&Node, &[(Vec<usize>, Outcome)])| {
            let sum = own.iter().map(|(_, outcome)| units(*outcome)).sum();
            (child.move_index() as usize, Gain { visits: own.len() as u64, reward: games(sum) })
        };
        let simulated: Vec<(usize, Gain)> = children.iter().zip(playouts.chunks(in_a_row)).map(gain_of).collect();
        let playout = |(number, (moves, outcome)): (usize, (Vec<usize>, Outcome))| Playout {
            from: simulated.get(number / in_a_row).map(|(mv, _)| *mv),
            moves,
            score: outcome.score,
            reward: games(units(outcome)),
        };
        let playouts = playouts.into_iter().enumerate().map(playout).collect();
        let root = tree.node(ROOT);
        let gain = Gain { visits: u64::from(root.visits() - before.1), reward: games(root.units() - before.0) };
        IterationRecord {
            iteration,
            path: path.iter().map(node_of).collect(),
            expanded,
            entered: new(ENTERED).next(),
            simulated,
            playouts,
            gain,
        }
    }
}

impl<P: Studied> TreeSearch<P> {
    /// Does one iteration and records it; nothing if the root is proved or a win was found.
    pub(super) fn record_iteration(&mut self, stop: &StopFlag) -> Result<Option<IterationRecord<usize>>, SearchError> {
        self.check_resumable()?;
        let unsupported = |why: &str| Err(SearchError::Unsupported(format!("iterations are recorded {why}")));
        if self.budget.thread_count() > 1 {
            return unsupported("with one thread");
        }
        if !self.shared.records_ends {
            return unsupported("only of a search whose playouts are played in order, which must be asked for");
        }
        if self.shared.tree.node(ROOT).bounds().proved().is_some() || self.sudden.found_win.load(Relaxed) {
            return Ok(None);
        }
        let mut meter = self.resume(&Budget { stop: stop.clone(), ..Budget::iterations(1) });
        let recorder = self.recorder.get_or_insert_with(|| {
            let log = PlayoutLog::default();
            self.workers[0].log_playouts(&log);
            Recorder { log, marks: None }
        });
        let tree = &self.shared.tree;
        let mut marks = recorder.marks.take().unwrap_or_else(|| Marks::of(tree));
        let before = (tree.node(ROOT).units(), tree.node(ROOT).visits());
        let log = recorder.log.clone();
        log.open();
        self.iterate(&mut meter);
        let root = &self.shared.root;
        let by_index = |(moves, outcome): (Vec<P::Move>, Outcome)| {
            (moves.into_iter().map(|mv| root.move_index(mv)).collect(), outcome)
        };
        let playouts = log.close().into_iter().map(by_index).collect();
        if meter.reason() != StopReason::Finished {
            return Err(SearchError::OutOfBudget("the iteration was cut off".into()));
        }
        let Self { shared, workers, done, .. } = &mut *self;
        let (tree, path) = (&shared.tree, workers[0].path.as_slice());
        let observed = Observed { recipe: &shared.recipe, tree, path, marks: &marks, before };
        let record = observed.record(done.iterations, playouts);
        marks.update(tree, path);
        // Reclaiming withdraws children.
        let marks = if self.reclaim_if_full() { None } else { Some(marks) };
        self.recorder.as_mut().expect("it was made above").marks = marks;
        Ok(Some(record))
    }
}
