//! What the threads of a tree-parallel search count together.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use tesuji_core::Budget;

/// Iterations between two updates of what all threads write: the shared counters and the root.
pub(crate) const BATCH: u32 = 32;

/// A value in cache lines of its own.
#[repr(align(128))]
pub(crate) struct CachePadded<T>(pub(crate) T);

/// The counters.
#[derive(Default)]
#[repr(align(128))]
pub(crate) struct SharedCounters {
    iterations: AtomicU64,
    nodes: AtomicU64,
    /// A thread has reached a limit of the budget.
    stopped: AtomicBool,
}

impl SharedCounters {
    /// The counters of a search that goes on.
    pub(crate) fn resumed(iterations: u64, nodes: u64) -> SharedCounters {
        let (iterations, nodes) = (AtomicU64::new(iterations), AtomicU64::new(nodes));
        SharedCounters { iterations, nodes, stopped: AtomicBool::new(false) }
    }

    /// Claims up to [`BATCH`] iterations for the calling thread; none when the budget is spent.
    /// Larger batches would leave more unused iterations to other threads, smaller ones cost
    /// contention.
    pub(crate) fn claim(&self, budget: &Budget) -> u64 {
        if self.is_stopped() || budget.nodes.is_some_and(|limit| self.nodes() >= limit) {
            return 0;
        }
        let limit = budget.iterations.unwrap_or(u64::MAX);
        let before = self.iterations.fetch_add(u64::from(BATCH), Ordering::Relaxed);
        limit.saturating_sub(before).min(u64::from(BATCH))
    }

    /// Returns claimed iterations that were not run.
    pub(crate) fn return_unused(&self, count: u64) {
        self.iterations.fetch_sub(count, Ordering::Relaxed);
    }

    /// Counts one iteration that was run without a claim.
    pub(crate) fn add_iteration(&self) {
        self.iterations.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn iterations(&self, budget: &Budget) -> u64 {
        self.iterations.load(Ordering::Relaxed).min(budget.iterations.unwrap_or(u64::MAX))
    }

    pub(crate) fn add_nodes(&self, count: u64) {
        self.nodes.fetch_add(count, Ordering::Relaxed);
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}
