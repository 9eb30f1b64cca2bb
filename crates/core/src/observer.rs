//! Observers of a running search.

use crate::Report;
use std::time::Duration;

/// A watcher. The search asks once, at its start, how often the watcher wants to look, and then
/// calls [`progress`](Observer::progress) at that pace with the answer it would give now.
///
/// ```
/// use tesuji_core::{Observer, Pace, Report};
///
/// /// Notes the best move after every thousand iterations.
/// #[derive(Default)]
/// struct Notes(Vec<Option<&'static str>>);
///
/// impl Observer<&'static str> for Notes {
///     fn pace(&self) -> Option<Pace> {
///         Some(Pace::Iterations(1_000))
///     }
///     fn progress(&mut self, report: &Report<&'static str>) {
///         self.0.push(report.best);
///     }
/// }
/// # use tesuji_core::{Player, Watch};
/// # let mut notes = Notes::default();
/// # let mut watch = Watch::new(&mut notes);
/// # let report = || Report { best: Some("a1"), ..Report::empty(Player::First) };
/// # (1..=2_500).for_each(|work| watch.tick(work, std::time::Duration::ZERO, report));
/// # assert_eq!(notes.0.len(), 2);
/// ```
pub trait Observer<M> {
    /// How often to look; `None` costs nothing.
    fn pace(&self) -> Option<Pace>;

    /// Whether the watcher wants to know where playouts end, which costs some games the order of
    /// their moves.
    fn wants_playouts(&self) -> bool {
        false
    }

    /// The answer the search would give now.
    fn progress(&mut self, report: &Report<M>);
}

/// How often a watcher looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// After this many iterations (or nodes, in searches that have no iterations): repeatable.
    Iterations(u64),
    /// When this much time has passed.
    Time(Duration),
}

/// An observer that asks for nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl<M> Observer<M> for NoObserver {
    fn pace(&self) -> Option<Pace> {
        None
    }

    fn progress(&mut self, _: &Report<M>) {}
}

/// The same observer, and playouts are played in order: what [records](Observer::wants_playouts) of
/// single iterations need.
#[derive(Clone, Copy, Debug, Default)]
pub struct InOrder<O>(pub O);

impl<M, O: Observer<M>> Observer<M> for InOrder<O> {
    fn pace(&self) -> Option<Pace> {
        self.0.pace()
    }

    fn wants_playouts(&self) -> bool {
        true
    }

    fn progress(&mut self, report: &Report<M>) {
        self.0.progress(report);
    }
}

/// A search's side of its observer: says when the next look is due.
pub struct Watch<'a, M> {
    observer: &'a mut dyn Observer<M>,
    next_work: u64,
    work_step: u64,
    next_time: Duration,
    time_step: Duration,
}

impl<'a, M> Watch<'a, M> {
    /// Asks the observer for its pace.
    pub fn new(observer: &'a mut dyn Observer<M>) -> Watch<'a, M> {
        let (work_step, time_step) = match observer.pace() {
            None => (u64::MAX, Duration::MAX),
            Some(Pace::Iterations(step)) => (step.max(1), Duration::MAX),
            Some(Pace::Time(step)) => (u64::MAX, step),
        };
        Watch { observer, next_work: work_step, work_step, next_time: time_step, time_step }
    }

    /// A search goes on that has done this much work: looks stay at multiples of the pace.
    pub fn skip_to(&mut self, work: u64) {
        if work > 0 && self.work_step != u64::MAX {
            self.next_work = (work / self.work_step + 1).saturating_mul(self.work_step);
        }
    }

    /// Call after each unit of work, with the work and the time so far; makes a report only when a
    /// look is due.
    #[inline]
    pub fn tick(&mut self, work: u64, elapsed: Duration, report: impl FnOnce() -> Report<M>) {
        if work >= self.next_work || elapsed >= self.next_time {
            self.next_work = work.saturating_add(self.work_step);
            self.next_time = elapsed.saturating_add(self.time_step);
            self.observer.progress(&report());
        }
    }
}
