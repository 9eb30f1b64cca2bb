//! Several threads on one question of df-pn.
//!
//! Threads share the table and the counts of `access.rs`. At intervals a thread probes whether a
//! position on its path has been solved by another thread, and returns to its parent if so. The
//! first thread that solves the root ends the search. A search with one thread does not come here.

use super::access::{SharedState, TableAccess};
use super::path::SearchPath;
use super::table::Table;
use super::thresholds::{Child, ProofNumbers, Summary};
use crate::SearchError;
use crate::proof::Status;
use crate::proof::question::Work;
use std::sync::atomic::Ordering;
use tesuji_core::{Adviser, NoObserver, Position, Report};

/// The summary and the children of the root after a search.
pub(super) type AtRoot<M> = (Summary, Vec<Child<M>>);

/// Searches with this thread, on `path`, and with one more thread for each entry of `helpers`.
pub(super) fn search_in_parallel<P: Position>(
    rule: &ProofNumbers,
    table: &mut Table,
    mut path: SearchPath<'_, P>,
    mut helpers: Vec<Option<Box<dyn Adviser<P>>>>,
    key: u64,
    work: &mut Work<'_, P::Move>,
) -> Result<AtRoot<P::Move>, SearchError> {
    let budget = work.meter.budget().clone();
    let started = work.meter.nodes();
    let mut shared_state = SharedState::new(&budget, 0);
    let (root, aim, salt, child_cache) = (path.position.clone(), path.aim, path.salt, path.has_child_cache());
    let is_open =
        |summary: &Result<Summary, SearchError>| matches!(summary, Ok(summary) if summary.status == Status::Unknown);
    loop {
        let shared: &Table = table;
        let help = |adviser: &mut Option<Box<dyn Adviser<P>>>| {
            let mut observer = NoObserver;
            let mut work = Work::new(&budget, &mut observer, Report::empty(root.turn()));
            let adviser: Option<&mut dyn Adviser<P>> = match adviser {
                Some(adviser) => Some(adviser.as_mut()),
                None => None,
            };
            let mut path = SearchPath::new(&root, aim, salt, adviser).with_child_cache(child_cache);
            let summary = rule.run(TableAccess::Shared(shared, &shared_state), &mut path, key, &mut work);
            if !is_open(&summary) {
                shared_state.done.store(true, Ordering::Relaxed);
            }
            (summary, path.children, work.tally())
        };
        let (mut summary, helped) = std::thread::scope(|scope| {
            let running: Vec<_> = helpers.iter_mut().map(|adviser| scope.spawn(|| help(adviser))).collect();
            let summary = rule.run(TableAccess::Shared(shared, &shared_state), &mut path, key, work);
            // Solved, out of budget, or the table must grow: the other threads stop as well.
            shared_state.done.store(true, Ordering::Relaxed);
            let join = |thread: std::thread::ScopedJoinHandle<'_, _>| match thread.join() {
                Ok(helped) => helped,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            (summary, running.into_iter().map(join).collect::<Vec<_>>())
        });
        let mut children = std::mem::take(&mut path.children);
        for (found, of_helper, tally) in helped {
            work.add(&tally);
            if !is_open(&found) && is_open(&summary) {
                (summary, children) = (found, of_helper);
            }
        }
        let table_is_full = shared_state.table_is_full.load(Ordering::Relaxed);
        if !table_is_full || work.meter.is_stopped() || !is_open(&summary) {
            return Ok((summary?, children));
        }
        table.make_room();
        shared_state = SharedState::new(&budget, work.meter.nodes() - started);
        path = SearchPath::new(&root, aim, salt, path.adviser).with_child_cache(child_cache);
    }
}
