//! What all threads of a search read.

use crate::mcts::parallel::CacheSize;
use crate::mcts::recipe::Mcts;
use crate::mcts::select::GumbelRoot;
use crate::mcts::tree::{Transpositions, Tree};
use std::sync::atomic::AtomicBool;
use tesuji_core::{Deadline, Evaluation, Position, Preference};

/// The shared part of a search. Like a worker it has cache lines of its own: what one thread writes
/// all the time must not share a line with what another reads all the time. Where it did, by the
/// chance of addresses, two threads ran 1.4 times as fast as one instead of 1.9.
#[repr(align(128))]
pub(crate) struct Shared<P: Position> {
    pub(crate) recipe: Mcts,
    pub(crate) root: P,
    pub(crate) tree: Tree,
    pub(crate) transpositions: Option<Transpositions>,
    pub(crate) preference: Option<Box<dyn Preference<P>>>,
    pub(crate) evaluation: Option<Box<dyn Evaluation<P>>>,
    /// The index of the root's pass, if it has one and the recipe has a pass rule.
    pub(crate) pass: Option<u32>,
    /// Iterations of the budget per root move, for rules that need it.
    pub(crate) horizon: Option<f64>,
    /// What `select=gumbel` needs at the root.
    pub(crate) gumbel: Option<GumbelRoot>,
    /// Whether several threads work on the tree.
    pub(crate) concurrent: bool,
    /// The size of each thread's statistics cache.
    pub(crate) cache_size: Option<CacheSize>,
    /// Whether the ends of playouts are recorded.
    pub(crate) records_ends: bool,
    /// A thread found no room for an expansion.
    pub(crate) full: AtomicBool,
    /// The end of the search at the latest.
    pub(crate) deadline: Deadline,
    /// There is no room, and nothing can be reclaimed.
    pub(crate) exhausted: bool,
}
