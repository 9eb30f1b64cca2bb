//! The table of df-pn as a thread sees it: its own, or shared with others.
//!
//! Threads share the table and a count of the threads at each position (Kaneko 2010). To the other
//! threads an occupied position looks harder by a *virtual number*: a quarter of its number for
//! each thread in it. So they turn to its siblings. Stored numbers and comparisons with thresholds
//! do without it.

use super::table::{Found, Table};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use tesuji_core::Budget;

/// The state that the threads of one search share beside the table.
pub(super) struct SharedState {
    /// Threads at a position, by some bits of its key. A collision only steers the selection.
    threads_at: Vec<AtomicU32>,
    /// Set when the search has ended.
    pub(super) done: AtomicBool,
    /// Set when all threads must leave the table so that it can grow.
    pub(super) table_is_full: AtomicBool,
    /// Positions that each thread may enter; `None` without a limit.
    pub(super) share: Option<u64>,
}

/// Number of counters of threads at positions.
const MARKS: usize = 1 << 16;

impl SharedState {
    /// The state of threads that have entered `entered` positions so far.
    pub(super) fn new(budget: &Budget, entered: u64) -> SharedState {
        let limit = [budget.nodes, budget.iterations].into_iter().flatten().min();
        let share = limit.map(|limit| limit.saturating_sub(entered).div_ceil(u64::from(budget.thread_count())));
        let [done, table_is_full] = [(); 2].map(|()| AtomicBool::new(false));
        SharedState { threads_at: bytemuck::zeroed_vec(MARKS), done, table_is_full, share }
    }

    fn mark(&self, key: u64) -> &AtomicU32 {
        &self.threads_at[key as usize % MARKS]
    }

    /// The virtual number of the threads at a position with this number.
    pub(super) fn virtual_number(&self, key: u64, number: u32) -> u32 {
        self.mark(key).load(Ordering::Relaxed).saturating_mul((number / 4).max(1))
    }

    /// Whether the threads must stop, because the search has ended or the table must grow.
    pub(super) fn is_over(&self) -> bool {
        self.done.load(Ordering::Relaxed) || self.table_is_full.load(Ordering::Relaxed)
    }
}

/// The table of a single thread, which may grow at any store, or one shared by several.
pub(super) enum TableAccess<'a> {
    Alone(&'a mut Table),
    Shared(&'a Table, &'a SharedState),
}

impl TableAccess<'_> {
    #[inline]
    pub(super) fn table(&self) -> &Table {
        match self {
            TableAccess::Alone(table) => table,
            TableAccess::Shared(table, _) => table,
        }
    }

    #[inline]
    pub(super) fn shared_state(&self) -> Option<&SharedState> {
        match self {
            TableAccess::Alone(_) => None,
            TableAccess::Shared(_, shared_state) => Some(shared_state),
        }
    }

    #[inline]
    pub(super) fn store(&mut self, key: u64, found: &Found) {
        match self {
            TableAccess::Alone(table) => table.store(key, found),
            TableAccess::Shared(table, shared_state) => {
                table.share(key, found);
                if table.has_room_to_make() {
                    shared_state.table_is_full.store(true, Ordering::Relaxed);
                }
            }
        }
    }

    pub(super) fn enter(&self, key: u64) {
        if let TableAccess::Shared(_, shared_state) = self {
            shared_state.mark(key).fetch_add(1, Ordering::Relaxed);
        }
    }

    pub(super) fn leave(&self, key: u64) {
        if let TableAccess::Shared(_, shared_state) = self {
            shared_state.mark(key).fetch_sub(1, Ordering::Relaxed);
        }
    }
}
