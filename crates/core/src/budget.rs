//! How much work a search may do, and the meter that keeps it within.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A switch that asks a running search to answer now. Clones share the switch.
///
/// ```
/// use tesuji_core::{Budget, StopFlag};
///
/// let all = StopFlag::new();
/// let budget = Budget { stop: all.child(), ..Budget::default() };
/// assert!(budget.meter().step());
/// all.stop(); // from any thread
/// assert!(!budget.meter().step());
/// ```
#[derive(Clone, Debug, Default)]
pub struct StopFlag {
    thrown: Arc<AtomicBool>,
    /// Throwing this one throws all its children.
    parent: Option<Arc<StopFlag>>,
}

impl StopFlag {
    /// A fresh switch, not thrown.
    #[must_use]
    pub fn new() -> StopFlag {
        StopFlag::default()
    }

    /// A switch of its own that is also thrown when this one is: to stop a part of the work alone.
    #[must_use]
    pub fn child(&self) -> StopFlag {
        StopFlag { thrown: Arc::default(), parent: Some(Arc::new(self.clone())) }
    }

    /// Asks every search that holds a clone to answer now.
    pub fn stop(&self) {
        self.thrown.store(true, Ordering::Relaxed);
    }

    /// Whether this switch or a parent was thrown.
    #[inline]
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.thrown.load(Ordering::Relaxed) || self.parent.as_ref().is_some_and(|parent| parent.is_stopped())
    }
}

/// The limits of a search; what is not set is not limited.
///
/// With one thread and only iteration, node or depth limits a search repeats to
/// the bit; time limits depend on the machine.
///
/// ```
/// use std::time::Duration;
/// use tesuji_core::Budget;
///
/// let budget = Budget { nodes: Some(10_000), hard_time: Some(Duration::from_secs(1)), ..Budget::default() };
/// let mut meter = budget.meter();
/// while meter.step() {
///     // one position
/// }
/// assert!(meter.nodes() <= 10_000);
///
/// // Another thread may hold a copy of the flag.
/// let stop = budget.stop.clone();
/// stop.stop();
/// assert!(!budget.meter().step());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// Playouts, expansions: the search's own unit of work.
    pub iterations: Option<u64>,
    /// Positions entered, repeats included; the root is not counted.
    pub nodes: Option<u64>,
    /// Plies below the root.
    pub depth: Option<u32>,
    /// After this, no long step (a deeper iteration) is begun.
    pub soft_time: Option<Duration>,
    /// After this, answer at once.
    pub hard_time: Option<Duration>,
    /// Bytes of tables and trees; [`Budget::DEFAULT_MEMORY`] if not set.
    pub memory: Option<u64>,
    /// Threads, where a search can use several; one if not set.
    pub threads: Option<NonZeroU32>,
    /// Thrown to get the answer now.
    pub stop: StopFlag,
}

impl Budget {
    /// Bytes of tables and trees if a budget sets none: 1 GiB.
    pub const DEFAULT_MEMORY: u64 = 1 << 30;

    /// No limits but the stop flag and the default memory.
    #[must_use]
    pub fn unlimited() -> Budget {
        Budget::default()
    }

    /// A limit of this many iterations.
    #[must_use]
    pub fn iterations(count: u64) -> Budget {
        Budget { iterations: Some(count), ..Budget::default() }
    }

    /// The bytes of tables and trees that a search may use.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        self.memory.unwrap_or(Budget::DEFAULT_MEMORY)
    }

    /// The threads a search may use, at least one.
    #[must_use]
    pub fn thread_count(&self) -> u32 {
        self.threads.map_or(1, NonZeroU32::get)
    }

    /// Starts the clock.
    #[must_use]
    pub fn meter(&self) -> Meter {
        Meter {
            budget: self.clone(),
            started: Instant::now(),
            iterations: 0,
            nodes: 0,
            ticks_to_clock: 1,
            clock_interval: 1,
            elapsed: Duration::ZERO,
            stopped: None,
        }
    }
}

/// When work must end: the stop flag and the hard time of a search, for parts of it that have no
/// [`Meter`] but may take long.
#[derive(Clone, Debug, Default)]
pub struct Deadline {
    stop: StopFlag,
    at: Option<Instant>,
}

impl Deadline {
    /// Whether to give up now. Reads the clock: some tens of nanoseconds.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.stop.is_stopped() || self.is_late()
    }

    fn is_late(&self) -> bool {
        self.is_before(Duration::ZERO)
    }

    /// Whether the time will be up before work of this duration is done. Reads the clock.
    #[must_use]
    pub fn is_before(&self, takes: Duration) -> bool {
        self.at.is_some_and(|at| Instant::now() + takes >= at)
    }
}

/// A [`Deadline`] for work inside one unit of a [`Meter`]: the playouts of one estimate, the
/// positions of a look-ahead.
///
/// Asked before each step, it looks at the stop flag every time and, where there is a time limit,
/// at the clock about once a millisecond. Without a time limit it never reads the clock, and work
/// that is asked to go on repeats to the bit. Every thread has its own.
#[derive(Clone, Debug)]
pub struct Pulse {
    deadline: Deadline,
    /// When the clock was last read.
    read: Option<Instant>,
    ticks_to_clock: u32,
    clock_interval: u32,
    late: bool,
}

impl Pulse {
    /// Steps between two looks at the clock at most. A step may become a thousand times as long as
    /// the one before (a position, then a playout), so this is far less than what a meter allows.
    const MOST_TICKS: u32 = 256;

    /// A pulse that ends at this deadline.
    #[must_use]
    pub fn new(deadline: Deadline) -> Pulse {
        Pulse { deadline, read: None, ticks_to_clock: 1, clock_interval: 1, late: false }
    }

    /// Whether to go on with the next step. After the time is up the answer is no for good.
    #[inline]
    pub fn goes_on(&mut self) -> bool {
        if self.deadline.stop.is_stopped() {
            return false;
        }
        if self.deadline.at.is_none() {
            return true;
        }
        self.ticks_to_clock -= 1;
        if self.ticks_to_clock == 0 {
            self.read_clock();
        }
        !self.late
    }

    #[cold]
    fn read_clock(&mut self) {
        let now = Instant::now();
        let since_last = self.read.map(|read| now.saturating_duration_since(read));
        self.clock_interval = next_interval(self.clock_interval, since_last, Self::MOST_TICKS);
        self.ticks_to_clock = self.clock_interval;
        self.read = Some(now);
        self.late = self.deadline.at.is_some_and(|at| now >= at);
    }

    /// Why it does not go on, once it has said so.
    #[must_use]
    pub fn reason(&self) -> StopReason {
        if self.deadline.stop.is_stopped() { StopReason::Asked } else { StopReason::Time }
    }

    /// When it ends.
    #[must_use]
    pub fn deadline(&self) -> &Deadline {
        &self.deadline
    }
}

/// The approximate time between two readings of the clock.
const CLOCK_PERIOD: Duration = Duration::from_millis(1);

/// The steps until the next reading of the clock, when the last one was `interval` steps ago. The
/// number doubles while steps are short, and drops at once to what fits when they have become long.
fn next_interval(interval: u32, since_last: Option<Duration>, most: u32) -> u32 {
    match since_last {
        None => interval,
        Some(passed) if passed < CLOCK_PERIOD / 2 => (interval * 2).min(most),
        Some(passed) if passed > CLOCK_PERIOD * 2 => {
            let fits = u128::from(interval) * CLOCK_PERIOD.as_nanos() / passed.as_nanos();
            u32::try_from(fits).unwrap_or(1).max(1)
        }
        Some(_) => interval,
    }
}

/// Why a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// Nothing was left to do: the search was exhaustive, or the value is proved.
    Finished,
    /// The depth limit of the budget or of a parameter was reached, and the game goes on below it.
    Depth,
    /// A limit of the search itself, named here, left something out: neither exhausted nor out of
    /// budget.
    OwnLimit(&'static str),
    /// The iterations were spent.
    Iterations,
    /// The nodes were spent.
    Nodes,
    /// The time was up.
    Time,
    /// The memory was full.
    Memory,
    /// The stop flag was thrown.
    Asked,
}

impl StopReason {
    /// One word, for reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            StopReason::Finished => "finished",
            StopReason::Depth => "depth",
            StopReason::OwnLimit(_) => "limit",
            StopReason::Iterations => "iterations",
            StopReason::Nodes => "nodes",
            StopReason::Time => "time",
            StopReason::Memory => "memory",
            StopReason::Asked => "asked",
        }
    }

    /// The limit of the search itself that ended it, if one did.
    #[must_use]
    pub const fn own_limit(self) -> Option<&'static str> {
        match self {
            StopReason::OwnLimit(which) => Some(which),
            _ => None,
        }
    }
}

/// For people: the word, and which limit it was.
impl std::fmt::Display for StopReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StopReason::OwnLimit(which) => write!(f, "a limit of the agent ({which})"),
            reason => f.write_str(reason.name()),
        }
    }
}

/// Counts a search's work against its [`Budget`].
///
/// Call [`iteration`](Meter::iteration) before each unit of work, or
/// [`step`](Meter::step) before each position in a search whose unit of work that is, and
/// stop when it answers `false`. Every limit is kept by both. The stop flag is looked at
/// every time; the clock about once a millisecond. A unit of work that a parameter or a
/// game can make long asks a [`Pulse`] inside as well.
///
/// ```
/// use tesuji_core::{Budget, StopReason};
///
/// let mut meter = Budget::iterations(3).meter();
/// let mut done = 0;
/// while meter.iteration() {
///     done += 1;
/// }
/// assert_eq!((done, meter.iterations()), (3, 3));
/// assert_eq!(meter.reason(), StopReason::Iterations);
/// ```
#[derive(Debug)]
pub struct Meter {
    budget: Budget,
    started: Instant,
    iterations: u64,
    nodes: u64,
    ticks_to_clock: u32,
    clock_interval: u32,
    elapsed: Duration,
    stopped: Option<StopReason>,
}

impl Meter {
    /// Ticks between two looks at the clock at most: 60 µs of the shortest ones.
    const MOST_TICKS: u32 = 1 << 12;

    /// Asks for one more iteration; counts it if allowed.
    #[inline]
    pub fn iteration(&mut self) -> bool {
        let allowed = self.tick();
        self.iterations += u64::from(allowed);
        allowed
    }

    /// Asks for one more position, which is also an iteration; counts both if allowed.
    #[inline]
    pub fn step(&mut self) -> bool {
        let allowed = self.iteration();
        self.nodes += u64::from(allowed);
        allowed
    }

    /// Counts nodes that were entered inside an iteration already allowed (the plies of a descent).
    #[inline]
    pub fn add_nodes(&mut self, count: u64) {
        self.nodes += count;
    }

    /// Counts iterations that another thread did.
    pub fn add_iterations(&mut self, count: u64) {
        self.iterations += count;
    }

    /// Takes the last iteration back: it was cut off before it had a result.
    pub fn uncount_iteration(&mut self) {
        self.iterations = self.iterations.saturating_sub(1);
    }

    /// Ends the search for this reason.
    pub fn stop(&mut self, reason: StopReason) {
        self.stopped.get_or_insert(reason);
    }

    #[inline]
    fn tick(&mut self) -> bool {
        if self.budget.iterations.is_some_and(|most| self.iterations >= most) {
            self.stopped.get_or_insert(StopReason::Iterations);
        }
        if self.budget.nodes.is_some_and(|most| self.nodes >= most) {
            self.stopped.get_or_insert(StopReason::Nodes);
        }
        if self.budget.stop.is_stopped() {
            self.stopped.get_or_insert(StopReason::Asked);
        }
        self.ticks_to_clock -= 1;
        if self.ticks_to_clock == 0 {
            self.read_clock();
        }
        self.stopped.is_none()
    }

    #[cold]
    fn read_clock(&mut self) {
        let now = self.started.elapsed();
        let since_last = now.saturating_sub(self.elapsed);
        self.clock_interval = next_interval(self.clock_interval, Some(since_last), Self::MOST_TICKS);
        self.ticks_to_clock = self.clock_interval;
        self.elapsed = now;
        if self.budget.hard_time.is_some_and(|most| now >= most) {
            self.stopped.get_or_insert(StopReason::Time);
        }
    }

    /// Iterations so far.
    #[must_use]
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// Nodes so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Time since the start, now.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Time since the start when the clock was last read: cheap, about a millisecond old.
    #[inline]
    #[must_use]
    pub fn recent_elapsed(&self) -> Duration {
        self.elapsed
    }

    /// Whether it is too late to begin a long step.
    #[must_use]
    pub fn soft_time_is_up(&self) -> bool {
        self.budget.soft_time.is_some_and(|most| self.started.elapsed() >= most)
    }

    /// When this meter will stop the search at the latest.
    #[must_use]
    pub fn deadline(&self) -> Deadline {
        let at = self.budget.hard_time.and_then(|most| self.started.checked_add(most));
        Deadline { stop: self.budget.stop.clone(), at }
    }

    /// The same end for the work inside one unit, asked before each of its steps.
    #[must_use]
    pub fn pulse(&self) -> Pulse {
        Pulse::new(self.deadline())
    }

    /// The limits this meter keeps.
    #[must_use]
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Whether the search must end now.
    #[inline]
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stopped.is_some()
    }

    /// Why the search ended.
    #[must_use]
    pub fn reason(&self) -> StopReason {
        self.stopped.unwrap_or(StopReason::Finished)
    }
}

#[cfg(test)]
mod tests {
    use super::{Budget, StopFlag, StopReason, next_interval};
    use std::time::Duration;

    #[test]
    fn exactly_the_iterations_asked_for() {
        let mut meter = Budget::iterations(1000).meter();
        let mut done = 0;
        while meter.iteration() {
            done += 1;
        }
        assert_eq!((done, meter.iterations(), meter.reason()), (1000, 1000, StopReason::Iterations));
        assert!(!meter.iteration(), "a stopped meter stays stopped");
    }

    #[test]
    fn a_spent_budget_allows_nothing() {
        assert!(!Budget::iterations(0).meter().iteration());
        let mut meter = Budget { nodes: Some(0), ..Budget::default() }.meter();
        assert!(!meter.step() && !meter.iteration());
        assert_eq!(meter.reason(), StopReason::Nodes);
        let mut late = Budget { hard_time: Some(Duration::ZERO), ..Budget::default() }.meter();
        assert!(!late.step());
        assert_eq!(late.reason(), StopReason::Time);
    }

    #[test]
    fn the_stop_flag_is_seen_at_once() {
        let budget = Budget::unlimited();
        let mut meter = budget.meter();
        assert!(meter.step());
        budget.stop.stop();
        assert!(!meter.step());
        assert_eq!((meter.nodes(), meter.iterations(), meter.reason()), (1, 1, StopReason::Asked));
    }

    #[test]
    fn a_deadline_is_that_of_the_meter() {
        let budget = Budget::unlimited();
        let deadline = budget.meter().deadline();
        assert!(!deadline.is_over());
        budget.stop.stop();
        assert!(deadline.is_over());
        let soon = Budget { hard_time: Some(Duration::from_millis(5)), ..Budget::default() }.meter().deadline();
        std::thread::sleep(Duration::from_millis(6));
        assert!(soon.is_over());
        let never = Budget { hard_time: Some(Duration::MAX), ..Budget::default() }.meter().deadline();
        assert!(!never.is_over());
    }

    #[test]
    fn a_pulse_sees_the_flag_at_once_and_the_time_soon() {
        let budget = Budget::unlimited();
        let mut pulse = budget.meter().pulse();
        assert!((0..10_000).all(|_| pulse.goes_on()));
        budget.stop.stop();
        assert!(!pulse.goes_on());
        let mut late = Budget { hard_time: Some(Duration::ZERO), ..Budget::default() }.meter().pulse();
        assert!(!late.goes_on() && !late.goes_on());
        // Steps that were short become long: at most MOST_TICKS of them pass before the clock is
        // read.
        let mut pulse = Budget { hard_time: Some(Duration::from_millis(20)), ..Budget::default() }.meter().pulse();
        let mut steps = 0;
        while pulse.goes_on() {
            steps += 1;
        }
        assert!(steps > 0 && !pulse.goes_on());
    }

    #[test]
    fn long_steps_bring_the_clock_back_at_once() {
        let ms = Duration::from_millis;
        assert_eq!(next_interval(64, None, 256), 64);
        assert_eq!(next_interval(64, Some(Duration::from_micros(10)), 256), 128);
        assert_eq!(next_interval(256, Some(Duration::from_micros(10)), 256), 256);
        assert_eq!(next_interval(256, Some(ms(1)), 256), 256);
        assert_eq!(next_interval(4096, Some(ms(4096)), 4096), 1, "a millisecond each, from now on");
        assert_eq!(next_interval(4096, Some(ms(8)), 4096), 512);
    }

    #[test]
    fn a_child_flag_stops_alone_and_with_its_parent() {
        let parent = StopFlag::new();
        let (one, two) = (parent.child(), parent.child());
        one.stop();
        assert!(one.is_stopped() && !parent.is_stopped() && !two.is_stopped());
        parent.stop();
        assert!(two.is_stopped());
    }

    #[test]
    fn nodes_limit_iterations_too() {
        let mut meter = Budget { nodes: Some(10), ..Budget::default() }.meter();
        let mut done = 0;
        while meter.iteration() {
            meter.add_nodes(3);
            done += 1;
        }
        assert_eq!((done, meter.reason()), (4, StopReason::Nodes));
    }

    #[test]
    fn time_ends_a_loop_of_cheap_ticks() {
        let mut meter = Budget { hard_time: Some(Duration::from_millis(20)), ..Budget::default() }.meter();
        while meter.iteration() {}
        assert_eq!(meter.reason(), StopReason::Time);
        assert!(meter.elapsed() >= Duration::from_millis(20));
    }
}
