//! Looking below the root: a search that has stopped, whose tree can be browsed node by node, and
//! which can go on where it stopped.
//!
//! Moves are [`Position::move_index`](tesuji_core::Position::move_index), so that these types exist
//! once and not once for each game; `agents` writes them as text. Only the node that is asked for is
//! read, and its children: an answer costs the length of the path and the number of children,
//! whatever the size of the tree. The one exception is the minimax value, for which a bounded number
//! of further nodes is read ([`MinimaxNode`]).

use crate::SearchError;
use tesuji_core::{Bounds, Budget, Observer, Player, Report, Score, StopFlag, Value};

/// A search that has stopped, with its tree.
pub trait KeptSearch: Send {
    /// The node after these moves; nothing if the tree does not have it.
    fn node(&self, path: &[usize], wanted: &ChildFilter) -> Option<NodeView<usize>>;

    /// The nodes of the tree.
    fn nodes(&self) -> u64;

    /// Iterations so far.
    fn iterations(&self) -> u64;

    /// Searches on, by what this budget allows in addition. The report counts everything since the
    /// search began. With one thread and without a time limit, the tree and the report are those of
    /// one search with the sum of the iterations.
    ///
    /// # Errors
    /// If the search cannot go on: it spreads a budget that was known at its start.
    fn more(&mut self, budget: &Budget, watch: &mut dyn Observer<usize>) -> Result<Report<usize>, SearchError>;

    /// Does one more iteration and records it; nothing if nothing is left to search. `stop` cuts a
    /// long one off.
    ///
    /// # Errors
    /// If the search uses several threads, cannot go on, or its playouts are not played in order
    /// ([`Observer::wants_playouts`]); if it was cut off.
    fn step(&mut self, stop: &StopFlag) -> Result<Option<IterationRecord<usize>>, SearchError>;
}

/// Which children of a node are wanted. They come by visits, the most visited first, then by mean and by prior.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChildFilter {
    /// At most this many.
    pub limit: usize,
    /// Only those with this many visits.
    pub min_visits: u64,
}

impl ChildFilter {
    /// All children.
    pub const ALL: ChildFilter = ChildFilter { limit: usize::MAX, min_visits: 0 };
}

/// What a search knows of one node.
#[derive(Clone, PartialEq, Debug)]
pub struct NodeView<M> {
    /// The moves from the root.
    pub path: Vec<M>,
    /// Who is to move here. Unspecified if the game has ended here.
    pub turn: Player,
    /// How often it was visited.
    pub visits: u64,
    /// The mean of its rewards; nothing before the first visit.
    pub mean: Option<Value>,
    /// What is proved about it.
    pub bounds: Bounds,
    /// Its minimax node.
    pub minimax: Option<MinimaxNode<M>>,
    /// Whether the walk for minimax nodes ended before it had seen every node above the threshold.
    pub minimax_cut: bool,
    /// The children, as far as they were wanted.
    pub children: Vec<ChildView<M>>,
    /// The number of all children; 0 if the node was not expanded.
    pub child_count: usize,
}

/// What a search knows of a child, for the choice among siblings. Confidence and selection values
/// are for the player who chooses, [`NodeView::turn`].
#[derive(Clone, PartialEq, Debug)]
pub struct ChildView<M> {
    /// The move that leads to it.
    pub mv: M,
    /// How often it was visited.
    pub visits: u64,
    /// The mean of its rewards; nothing before the first visit.
    pub mean: Option<Value>,
    /// What is proved about it.
    pub bounds: Bounds,
    /// The lower and upper confidence bound.
    pub confidence: Option<(f64, f64)>,
    /// The value by which the selection rule compares it with its siblings.
    pub selection: Option<SelectionValue>,
    /// All moves as first: the number of playouts and their mean.
    pub amaf: Option<(u64, Value)>,
    /// The weight the move had before it was tried, in [0, 1].
    pub prior: Option<f64>,
    /// Proof and disproof number of "the first player wins", where the rule uses them; nothing
    /// stands for infinity.
    pub proof_numbers: Option<(Option<u32>, Option<u32>)>,
    /// Its minimax node, if it was visited.
    pub minimax: Option<MinimaxNode<M>>,
    /// Whether it is open to selection and neither excluded nor settled by a proof.
    pub state: ChildState,
    /// The number of its own children; 0 if it was not expanded.
    pub child_count: usize,
}

/// Whether selection considers a child.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChildState {
    /// Yes.
    Open,
    /// The expansion rule has not opened it yet.
    Closed,
    /// What is proved decides: the child cannot change the value of its parent.
    Settled,
    /// A look-ahead at the root excluded it.
    Excluded,
}

impl ChildState {
    /// One word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            ChildState::Open => "open",
            ChildState::Closed => "closed",
            ChildState::Settled => "settled",
            ChildState::Excluded => "excluded",
        }
    }
}

/// The value of a child by the selection rule, as a sum of parts.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct SelectionValue {
    /// The mean of the child, or its share where all-moves-as-first is mixed in; first-play urgency
    /// for an untried child.
    pub exploitation: f64,
    /// What the rule adds because the child has few visits.
    pub exploration: f64,
    /// The share of all-moves-as-first.
    pub amaf: f64,
    /// What knowledge adds: a prior that fades (progressive bias), or the rank of a proof number.
    pub bias: f64,
}

impl SelectionValue {
    /// The value: the sum of the parts.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.exploitation + self.amaf + self.exploration + self.bias
    }
}

/// The minimax node of a node (Lin 2017, §3.5): the descendant whose mean is the value of the node
/// if both players choose by means.
///
/// A node with at least `threshold` visits for each of its moves takes over the minimax node of its
/// best child; below the threshold it is its own. The threshold is that of the recipe's
/// `backup=combined`; other recipes have 50, and there a child counts only with 50 visits of its own.
/// It is computed when it is asked for, by a walk over the nodes above the threshold, which reads at
/// most a million nodes.
#[derive(Clone, PartialEq, Debug)]
pub struct MinimaxNode<M> {
    /// The moves to it, from the root of the tree.
    pub path: Vec<M>,
    /// Its visits.
    pub visits: u64,
    /// Its mean.
    pub value: Value,
    /// Its lower and upper confidence bound by the visits of its own parent, for the player who
    /// chooses among the children of the node that was asked for.
    pub confidence: (f64, f64),
}

/// One iteration: the path of the descent, the expansion, the playouts, and the tree after the
/// backup.
#[derive(Clone, PartialEq, Debug)]
pub struct IterationRecord<M> {
    /// Which iteration, from 1.
    pub iteration: u64,
    /// The nodes of the path, the root first, as they are after the backup.
    pub path: Vec<PathNode<M>>,
    /// Depths on the path of the nodes that got their children in this iteration.
    pub expanded: Vec<usize>,
    /// The depth of the first node on the path that no descent had reached before.
    pub entered: Option<usize>,
    /// Children of the last node that were simulated one by one, and what each of them got.
    pub simulated: Vec<(M, Gain)>,
    /// The playouts.
    pub playouts: Vec<Playout<M>>,
    /// What every node of the path got.
    pub gain: Gain,
}

/// What an iteration adds to a node.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Gain {
    /// Visits.
    pub visits: u64,
    /// The sum of the first player's rewards. Without margins a reward is a score.
    pub reward: f64,
}

/// A node of the path of an iteration, after the backup.
#[derive(Clone, PartialEq, Debug)]
pub struct PathNode<M> {
    /// The move that leads to it; nothing for the root.
    pub mv: Option<M>,
    /// Who is to move there. Unspecified if the game has ended there.
    pub turn: Player,
    /// Its visits.
    pub visits: u64,
    /// Its mean; nothing without visits.
    pub mean: Option<Value>,
    /// What is proved about it.
    pub bounds: Bounds,
}

/// A playout.
#[derive(Clone, PartialEq, Debug)]
pub struct Playout<M> {
    /// The child of the last node of the path from which it began, where children are simulated one
    /// by one.
    pub from: Option<M>,
    /// Its moves.
    pub moves: Vec<M>,
    /// The score at its end.
    pub score: Score,
    /// The first player's reward.
    pub reward: f64,
}

/// Why a search without a tree of this kind cannot be looked into.
pub(crate) fn no_tree() -> SearchError {
    SearchError::Unsupported("this search keeps no tree that can be looked into; mcts does".into())
}
