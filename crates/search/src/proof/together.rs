//! Several threads on one question of df-pn.
//!
//! They share the table and nothing else but marks on the positions they are in (Kaneko 2010). To the others a marked position looks
//! harder by a *virtual* number, a quarter of what it has for each thread in it, so they turn to its neighbours; what is stored and what exceeds thresholds is
//! without it. Now and then
//! a thread asks whether a position on its path has been solved by another, and goes back to its parent then. The first to solve the root ends the search. One thread
//! does exactly what it does without all this.

use super::Status;
use super::solve::Work;
use super::table::{Found, Table};
use super::thresholds::{Child, Method, Summary};
use super::walk::Walk;
use crate::SearchError;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use tesuji_core::{Adviser, Budget, NoObserver, Report, Undoable};

/// What threads that work together see of each other.
pub(super) struct Others {
    /// Threads in a position, by some bits of its key: a chance meeting only steers.
    inside: Vec<AtomicU32>,
    /// Thrown when all is said.
    done: AtomicBool,
    /// Thrown when all must come out so that the table can get more room.
    crowded: AtomicBool,
    /// Positions that each of them may enter, if that is limited.
    pub(super) share: Option<u64>,
}

/// Marks for positions with threads in them.
const MARKS: usize = 1 << 16;

impl Others {
    /// For threads that have entered so many positions already.
    fn new(budget: &Budget, entered: u64) -> Others {
        let limit = [budget.nodes, budget.iterations].into_iter().flatten().min();
        let share = limit.map(|limit| limit.saturating_sub(entered).div_ceil(u64::from(budget.thread_count())));
        let [done, crowded] = [(); 2].map(|()| AtomicBool::new(false));
        Others { inside: bytemuck::zeroed_vec(MARKS), done, crowded, share }
    }

    fn mark(&self, key: u64) -> &AtomicU32 {
        &self.inside[key as usize % MARKS]
    }

    /// What the threads in a position add to a number of it.
    pub(super) fn penalty(&self, key: u64, number: u32) -> u32 {
        self.mark(key).load(Ordering::Relaxed).saturating_mul((number / 4).max(1))
    }

    /// Whether to come out, for one reason or the other.
    pub(super) fn is_over(&self) -> bool {
        self.done.load(Ordering::Relaxed) || self.crowded.load(Ordering::Relaxed)
    }
}

/// The table of one thread alone, which may grow, or of several, which stays.
pub(super) enum Memory<'a> {
    Alone(&'a mut Table),
    Shared(&'a Table, &'a Others),
}

impl Memory<'_> {
    #[inline]
    pub(super) fn table(&self) -> &Table {
        match self {
            Memory::Alone(table) => table,
            Memory::Shared(table, _) => table,
        }
    }

    #[inline]
    pub(super) fn others(&self) -> Option<&Others> {
        match self {
            Memory::Alone(_) => None,
            Memory::Shared(_, others) => Some(others),
        }
    }

    #[inline]
    pub(super) fn store(&mut self, key: u64, found: &Found) {
        match self {
            Memory::Alone(table) => table.store(key, found),
            Memory::Shared(table, others) => {
                table.share(key, found);
                if table.has_room_to_make() {
                    others.crowded.store(true, Ordering::Relaxed);
                }
            }
        }
    }

    pub(super) fn enter(&self, key: u64) {
        if let Memory::Shared(_, others) = self {
            others.mark(key).fetch_add(1, Ordering::Relaxed);
        }
    }

    pub(super) fn leave(&self, key: u64) {
        if let Memory::Shared(_, others) = self {
            others.mark(key).fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// What the root's children are after a search, and what they say together.
pub(super) type AtRoot<M> = (Summary, Vec<Child<M>>);

/// Several threads on one question: this one with `walk`, and one for each helper.
pub(super) fn together<P: Undoable>(
    method: &Method,
    table: &mut Table,
    mut walk: Walk<'_, P>,
    mut helpers: Vec<Option<Box<dyn Adviser<P>>>>,
    key: u64,
    work: &mut Work<'_, P::Move>,
) -> Result<AtRoot<P::Move>, SearchError> {
    let budget = work.meter.budget().clone();
    let started = work.meter.nodes();
    let mut others = Others::new(&budget, 0);
    let (root, aim, salt, shelf) = (walk.position.clone(), walk.aim, walk.salt, walk.has_shelf());
    let is_open =
        |summary: &Result<Summary, SearchError>| matches!(summary, Ok(summary) if summary.status == Status::Unknown);
    loop {
        let shared: &Table = table;
        let help = |adviser: &mut Option<Box<dyn Adviser<P>>>| {
            let mut nobody = NoObserver;
            let mut work = Work::new(&budget, &mut nobody, Report::empty(root.turn()));
            let adviser: Option<&mut dyn Adviser<P>> = match adviser {
                Some(adviser) => Some(adviser.as_mut()),
                None => None,
            };
            let mut walk = Walk::new(&root, aim, salt, adviser).with_shelf(shelf);
            let summary = method.run(Memory::Shared(shared, &others), &mut walk, key, &mut work);
            if !is_open(&summary) {
                others.done.store(true, Ordering::Relaxed);
            }
            (summary, walk.children, work.tally())
        };
        let (mut summary, helped) = std::thread::scope(|scope| {
            let running: Vec<_> = helpers.iter_mut().map(|adviser| scope.spawn(|| help(adviser))).collect();
            let summary = method.run(Memory::Shared(shared, &others), &mut walk, key, work);
            // Solved, out of budget, or out of room: the others come out as well.
            others.done.store(true, Ordering::Relaxed);
            let join = |thread: std::thread::ScopedJoinHandle<'_, _>| match thread.join() {
                Ok(helped) => helped,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            (summary, running.into_iter().map(join).collect::<Vec<_>>())
        });
        let mut children = std::mem::take(&mut walk.children);
        for (found, of_helper, tally) in helped {
            work.add(&tally);
            if !is_open(&found) && is_open(&summary) {
                (summary, children) = (found, of_helper);
            }
        }
        let crowded = others.crowded.load(Ordering::Relaxed);
        if !crowded || work.meter.is_stopped() || !is_open(&summary) {
            return Ok((summary?, children));
        }
        table.make_room();
        others = Others::new(&budget, work.meter.nodes() - started);
        walk = Walk::new(&root, aim, salt, walk.adviser).with_shelf(shelf);
    }
}
