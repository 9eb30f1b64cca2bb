//! The work of a search: its meter, its observer and its counters.

use super::interval::TerminalWorths;
use crate::proof::Status;
use crate::root_moves;
use tesuji_core::{
    Aim, Budget, Meter, Observer, Outcome, ProofState, ProofStatus, Report, RootMove, StopReason, Value, Watch,
};

/// The budget, the observer and the counters of one search.
pub(in crate::proof) struct Work<'a, M> {
    pub(in crate::proof) meter: Meter,
    watch: Watch<'a, M>,
    /// The report so far: the root's moves and what earlier questions have shown.
    pub(super) report: Report<M>,
    /// The tie-break between root moves with equal bounds.
    pub(super) tie_break_keys: Vec<root_moves::TieBreakKey>,
    pub(in crate::proof) seen: TerminalWorths,
    /// The greatest worth of a terminal position, for the choice of the next question.
    pub(super) greatest: i32,
    /// Expansions of positions that had been expanded before (seesaw effect).
    pub(in crate::proof) re_expansions: u64,
    /// Successors inspected.
    pub(in crate::proof) looked_at: u64,
    /// The greatest depth of an expanded position.
    pub(in crate::proof) depth: u32,
}

impl<'a, M: Copy + PartialEq> Work<'a, M> {
    /// A search that begins.
    pub(in crate::proof) fn new(budget: &Budget, watch: &'a mut dyn Observer<M>, report: Report<M>) -> Work<'a, M> {
        Work {
            meter: budget.meter(),
            watch: Watch::new(watch),
            report,
            tie_break_keys: Vec::new(),
            seen: TerminalWorths::default(),
            greatest: i32::MIN,
            re_expansions: 0,
            looked_at: 0,
            depth: 0,
        }
    }

    /// The reason to end in the middle of an iteration, if there is one.
    pub(in crate::proof) fn late(&self) -> Option<StopReason> {
        if self.meter.budget().stop.is_stopped() {
            return Some(StopReason::Asked);
        }
        let hard_time = self.meter.budget().hard_time;
        hard_time.is_some_and(|most| self.meter.elapsed() >= most).then_some(StopReason::Time)
    }

    /// Evaluates a terminal position.
    #[inline]
    pub(in crate::proof) fn judge(&mut self, aim: Aim, outcome: Outcome) -> Status {
        self.greatest = self.greatest.max(aim.worth(outcome));
        self.seen.judge(aim, outcome)
    }

    /// Calls the observer when it is due. `state` returns the root's numbers, the path of the last
    /// expansion and the memory in use.
    #[inline]
    pub(in crate::proof) fn show(&mut self, state: impl FnOnce() -> ([f64; 2], Vec<M>, u64)) {
        let Work { meter, watch, report, tie_break_keys, re_expansions, depth, .. } = self;
        watch.tick(meter.iterations(), meter.recent_elapsed(), || {
            let mut report = report.clone();
            let (numbers, path, memory) = state();
            report.path = path;
            report.memory_bytes = memory;
            report.depth = *depth;
            write_state(&mut report, Status::Unknown, numbers);
            report.figures.push(("re-expansions", *re_expansions as f64));
            settle(&mut report, tie_break_keys, Vec::new());
            root_moves::fill_counters(&mut report, meter);
            report
        });
    }
}

/// Writes the status and the numbers of the root into a report; the finite numbers are figures too.
pub(super) fn write_state<M>(report: &mut Report<M>, status: Status, numbers: [f64; 2]) {
    let status = match status {
        Status::Proved => ProofStatus::Proved,
        Status::Disproved => ProofStatus::Disproved,
        Status::Unknown => ProofStatus::Unknown,
    };
    let [proof_number, disproof_number] = numbers.map(|number| Some(number).filter(|number| number.is_finite()));
    report.proof = Some(ProofState { status, proof_number, disproof_number });
    let figures = [("pn", proof_number), ("dn", disproof_number)];
    report.figures = figures.into_iter().filter_map(|(name, number)| Some((name, number?))).collect();
}

/// The counters of one thread.
pub(in crate::proof) struct Tally {
    nodes: u64,
    iterations: u64,
    seen: TerminalWorths,
    greatest: i32,
    re_expansions: u64,
    looked_at: u64,
    depth: u32,
}

impl<M: Copy + PartialEq> Work<'_, M> {
    /// The counters.
    pub(in crate::proof) fn tally(&self) -> Tally {
        Tally {
            nodes: self.meter.nodes(),
            iterations: self.meter.iterations(),
            seen: self.seen,
            greatest: self.greatest,
            re_expansions: self.re_expansions,
            looked_at: self.looked_at,
            depth: self.depth,
        }
    }

    /// Adds the counters of another thread.
    pub(in crate::proof) fn add(&mut self, tally: &Tally) {
        self.meter.add_nodes(tally.nodes);
        self.meter.add_iterations(tally.iterations);
        self.seen.add(tally.seen);
        self.greatest = self.greatest.max(tally.greatest);
        self.re_expansions += tally.re_expansions;
        self.looked_at += tally.looked_at;
        self.depth = self.depth.max(tally.depth);
    }
}

/// Chooses the move of a report: the first of the proof's line, else one with the best bounds. The
/// value is set if the bounds meet. Bounds of the position cap those of its moves.
pub(super) fn settle<M: Copy + PartialEq>(
    report: &mut Report<M>,
    tie_break_keys: &[root_moves::TieBreakKey],
    line: Vec<M>,
) {
    let turn = report.turn;
    root_moves::clamp_bounds(report);
    let known = |entry: &RootMove<M>| entry.bounds.for_player(turn);
    let most = report.root.iter().map(known).max();
    let proved = line.first().copied().filter(|first| {
        // With several threads the table may know a move that the answering thread does not.
        report.root.iter().any(|entry| entry.mv == *first && Some(known(entry)) == most)
    });
    report.best = proved.or_else(|| {
        let most_known = report.root.iter().enumerate().filter(|(_, entry)| Some(known(entry)) == most);
        let (number, _) =
            most_known.max_by(|(one, _), (other, _)| root_moves::compare_keys(tie_break_keys, *one, *other))?;
        Some(report.root[number].mv)
    });
    report.line = if proved.is_some() { line } else { report.best.into_iter().collect() };
    report.value = report.bounds.proved().map_or(Value::UNKNOWN, Value::from);
}
