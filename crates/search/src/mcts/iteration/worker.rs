//! The state of one thread.

use super::judged::{Deferred, Waiting};
use super::shared::Shared;
use crate::mcts::backup::Estimate;
use crate::mcts::leaf::{Logged, Own, PlayedMove, PlayoutLog, Simulate};
use crate::mcts::parallel::{LeafPool, Parallel, StatisticsCache};
use crate::mcts::select::Siblings;
use crate::mcts::tree::NodeId;
use tesuji_core::{Deadline, Judge, Outcome, Pulse, RecordMoves, Rng, Studied, Verdict};

/// How a step of the descent is counted when the estimate is there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// The estimate is added to the node.
    Direct,
    /// The estimate replaces a virtual loss.
    VirtualLoss,
    /// The step was selected by this thread's cache, and the estimate is added there.
    Cached,
}

/// One thread.
#[repr(align(128))]
pub(crate) struct Worker<P: Studied> {
    pub(super) rng: Rng,
    pub(super) leaf: Box<dyn Simulate<P>>,
    pub(super) pool: Option<LeafPool<P>>,
    /// The network, with `leaf=net`.
    pub(crate) judge: Option<Box<dyn Judge<P>>>,
    /// Its last verdict.
    pub(super) verdict: Verdict,
    /// Leaves that wait for a verdict, and whether the last descent led to one.
    pub(super) waiting: Vec<Waiting<P>>,
    pub(super) deferred: Deferred,
    /// Tests the limits inside an iteration.
    pub(super) pulse: Pulse,
    /// The position of the descent; reused.
    pub(super) position: P,
    pub(super) spare: P,
    /// The position of a node whose children are all simulated; reused.
    pub(super) parent_position: Option<P>,
    pub(crate) path: Vec<NodeId>,
    /// How each step of the path is counted.
    pub(super) steps: Vec<Step>,
    pub(super) cache: StatisticsCache,
    /// Whether the last child was selected by the cache.
    pub(super) selected_by_cache: bool,
    /// Estimates not yet added to the root, and their number.
    pub(super) pending: Estimate,
    pub(super) pending_count: u32,
    /// Visits of the root by this thread, where the pass rule counts them.
    pub(super) root_visits: u32,
    /// Moves of the descent, if the recipe needs them.
    pub(super) history: Vec<PlayedMove>,
    /// The reward of the last playout.
    pub(super) sample: i64,
    /// The moves of the last playout, if the recipe needs them.
    pub(super) moves: RecordMoves<P::Move>,
    /// By player and move: the earliest ply at which the move was played, valid if the stamp is
    /// current.
    pub(super) earliest: [Vec<(u32, u32)>; 2],
    pub(super) stamp: u32,
    pub(super) legal: Vec<P::Move>,
    pub(super) weights: Vec<f64>,
    pub(super) order: Vec<(u32, f64)>,
    pub(super) proof_numbers: Vec<u32>,
    pub(super) siblings: Siblings,
    pub(super) jump: Vec<NodeId>,
    pub(crate) depth: u32,
    /// The ply below the root at which the last playout ended, and its outcome, if recorded.
    pub(crate) last_end: Option<(u32, Outcome)>,
}

impl<P: Studied> Worker<P> {
    pub(crate) fn new(
        shared: &Shared<P>,
        leaf: Box<dyn Simulate<P>>,
        judge: Option<Box<dyn Judge<P>>>,
        rng: Rng,
    ) -> Worker<P> {
        let space = if shared.tree.columns.amaf { shared.root.move_space() } else { 0 };
        Worker {
            rng,
            leaf,
            pool: None,
            judge,
            verdict: Verdict::default(),
            waiting: Vec::new(),
            deferred: Deferred::No,
            pulse: Pulse::new(shared.deadline.clone()),
            position: shared.root.clone(),
            spare: shared.root.clone(),
            parent_position: None,
            path: Vec::new(),
            steps: Vec::new(),
            cache: shared.cache_size.map_or(StatisticsCache::empty(), StatisticsCache::new),
            selected_by_cache: false,
            pending: Estimate::default(),
            pending_count: 0,
            root_visits: 0,
            history: Vec::new(),
            sample: 0,
            moves: RecordMoves::default(),
            earliest: [vec![(0, 0); space], vec![(0, 0); space]],
            stamp: 0,
            legal: Vec::new(),
            weights: Vec::new(),
            order: Vec::new(),
            proof_numbers: Vec::new(),
            siblings: Siblings::default(),
            jump: Vec::new(),
            depth: 0,
            last_end: None,
        }
    }

    /// Starts the threads of leaf parallelism, if the recipe asks for them.
    pub(crate) fn start_pool(&mut self, shared: &Shared<P>, threads: u32) {
        let Shared { recipe, root, deadline, .. } = shared;
        self.pool = (recipe.parallel == Parallel::Leaf && threads > 1).then(|| {
            let playouts = recipe.leaf.playouts();
            LeafPool::new(threads - 1, root, self.leaf.as_ref(), playouts, recipe.reward, &self.rng, deadline)
        });
    }

    /// Ends them.
    pub(crate) fn end_pool(&mut self) {
        self.pool = None;
    }

    /// Sets the end of the work at the latest, when a search goes on.
    pub(crate) fn set_deadline(&mut self, deadline: &Deadline) {
        self.pulse = Pulse::new(deadline.clone());
        self.leaf.set_deadline(deadline);
    }

    /// From now on playouts can be recorded in the log.
    pub(crate) fn log_playouts(&mut self, log: &PlayoutLog<P::Move>) {
        let leaf = std::mem::replace(&mut self.leaf, Box::new(Own::Random));
        self.leaf = Box::new(Logged::new(leaf, log.clone()));
    }

    /// A copy of the root to look ahead from, and the pulse that limits it.
    pub(crate) fn spare_root(&mut self, shared: &Shared<P>) -> (&mut P, &mut Pulse) {
        self.spare.clone_from(&shared.root);
        (&mut self.spare, &mut self.pulse)
    }
}
