//! The search of one thread.
//!
//! Fail-soft negamax in which the sign changes only where the turn does: a position whose mover is
//! also its parent's mover is searched with the same window, and its value is not negated. The
//! recursion is at most [`MAX_PLY`] deep; moves, undo records and lines lie in vectors, so a frame
//! is small.
//!
//! **Final values.** `horizons` counts everything below a position that is not exact: evaluations,
//! null-move cut-offs, table entries that are not final themselves. If a search met none, its value
//! holds at any depth, is stored as final, and is a proof.

use super::abdada::{self, MovesInProgress};
use super::instrument::Instrumentation;
use super::options::{Options, Quiescence, TableUse};
use super::order::{NONE, OrderingTables, RankedMove, defer, is_deferred, is_quiet, loud, pick, shortfall};
use super::report::{self, Found, RootEntry};
use super::value::{self, INFINITE, MIN_WIN, WIN};
use crate::sorting::sort_by_key;
use crate::table::{Bound, Entry, FINAL, TranspositionTable};
use std::ops::ControlFlow;
use std::sync::LazyLock;
use tesuji_core::{
    EVALUATION_LIMIT, Evaluation, Meter, Player, Position, Preference, Report, Rng, StopReason, Studied, Watch,
};

/// The deepest ply of a line, extensions and quiescence included.
pub(crate) const MAX_PLY: u32 = 1_100;

/// The depth from which a null-move cut-off is verified.
const VERIFY_DEPTH: i32 = 5;

/// The depth from which the game's preference orders quiet moves.
const PREFERENCE_DEPTH: i32 = 3;

/// The margin of delta pruning: a capture is searched if the evaluation plus its gain comes within
/// this many points of alpha.
const DELTA: i32 = 200;

/// What the threads of one search share.
pub(crate) struct Shared<'a, P: Position> {
    pub(crate) options: Options,
    pub(crate) evaluation: Option<&'a dyn Evaluation<P>>,
    pub(crate) preference: Option<&'a dyn Preference<P>>,
    pub(crate) table: Option<&'a TranspositionTable>,
    /// The moves that threads are searching, if there are several threads.
    pub(crate) in_progress: Option<MovesInProgress>,
}

/// The state of one thread.
pub(crate) struct Searcher<'a, P: Position, I> {
    shared: &'a Shared<'a, P>,
    /// Whether equal positions have equal values, so that entries may be final.
    transposes: bool,
    position: P,
    pub(crate) meter: Meter,
    pub(crate) instrument: I,
    watch: Option<Box<Watch<'a, P::Move>>>,
    moves: Vec<RankedMove<P::Move>>,
    undos: Vec<P::Undo>,
    passed: Vec<P>,
    ordering: OrderingTables,
    /// Moves and their weights by the game's preference.
    weighed: (Vec<P::Move>, Vec<f64>),
    lines: Vec<Vec<P::Move>>,
    horizons: u64,
    /// The deepest ply seen.
    pub(crate) deepest: u32,
    /// The root moves, best first.
    pub(crate) root: Vec<RootEntry<P::Move>>,
    /// The last completed depth.
    pub(crate) depth: u32,
    /// Whether the last completed depth met no horizon.
    pub(crate) closed: bool,
    mover: Player,
}

/// Late-move reductions in plies, by depth and move number.
static REDUCTIONS: LazyLock<[[u8; 64]; 64]> = LazyLock::new(|| {
    std::array::from_fn(|depth| {
        std::array::from_fn(|number| {
            let product = libm::log(depth.max(1) as f64) * libm::log(number.max(1) as f64);
            (0.6 + product / 2.2) as u8
        })
    })
});

/// Sorts the best moves first.
fn sort_by_rank<M>(entries: &mut [RootEntry<M>]) {
    sort_by_key(entries, |entry| -i64::from(entry.rank));
}

impl<'a, P: Studied, I: Instrumentation> Searcher<'a, P, I> {
    /// A searcher for this root; `rng` orders root moves about which nothing is known.
    pub(crate) fn new(shared: &'a Shared<'a, P>, root: &P, meter: Meter, instrument: I, rng: &mut Rng) -> Self {
        let options = &shared.options;
        let mut entries: Vec<RootEntry<P::Move>> = root
            .moves()
            .into_iter()
            .map(|mv| RootEntry { mv, found: None, rank: -INFINITE, nodes: 0, line: Vec::new() })
            .collect();
        for number in (1..entries.len()).rev() {
            entries.swap(number, rng.below(number as u32 + 1) as usize);
        }
        // Loud moves first.
        sort_by_key(&mut entries, |entry| -i64::from(root.gain(entry.mv)));
        let plies = MAX_PLY as usize + 2;
        Searcher {
            shared,
            transposes: !root.history_matters(),
            position: root.clone(),
            meter,
            instrument,
            watch: None,
            moves: Vec::with_capacity(1024),
            undos: Vec::with_capacity(128),
            passed: Vec::new(),
            ordering: OrderingTables::new(plies, root.move_space(), options.killers, options.history),
            weighed: (Vec::new(), Vec::new()),
            lines: vec![Vec::new(); plies],
            horizons: 0,
            deepest: 0,
            root: entries,
            depth: 0,
            closed: false,
            mover: root.turn(),
        }
    }

    /// Reports progress to an observer.
    pub(crate) fn set_watch(&mut self, watch: Watch<'a, P::Move>) {
        self.watch = Some(Box::new(watch));
    }

    /// Iterative deepening from depth `first` to `limit`; `done` is called after every completed
    /// depth.
    pub(crate) fn deepen(&mut self, first: u32, limit: u32, mut done: impl FnMut(&mut Self)) {
        let lines = (self.shared.options.lines as usize).min(self.root.len());
        for depth in first..=limit {
            let before = self.horizons;
            for slot in 0..lines {
                self.search_window(depth, slot);
                if self.meter.is_stopped() {
                    return;
                }
                sort_by_rank(&mut self.root[slot..]);
            }
            sort_by_rank(&mut self.root[..lines]);
            self.depth = depth;
            self.closed = self.horizons == before;
            done(self);
            let value = self.root[0].rank;
            let settled = value.abs() >= MIN_WIN && WIN - value.abs() <= depth as i32 && lines == 1;
            let forced = self.root.len() == 1 && self.meter.budget().soft_time.is_some();
            if self.closed || settled {
                return;
            }
            if forced {
                return self.meter.stop(StopReason::OwnLimit("only move"));
            }
            if depth < limit && self.meter.soft_time_is_up() {
                return self.meter.stop(StopReason::Time);
            }
        }
        self.meter.stop(StopReason::Depth);
    }

    /// Searches the root with an aspiration window, widened until the value lies inside.
    fn search_window(&mut self, depth: u32, slot: usize) {
        let guess = self.root[slot].rank;
        let width = self.shared.options.aspiration;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if width > 0 && depth > 3 && guess.abs() < EVALUATION_LIMIT {
            (alpha, beta) = (guess - width, guess + width);
        }
        let mut widen = width;
        loop {
            let best = self.search_root(depth as i32, alpha, beta, slot);
            if self.meter.is_stopped() || (alpha < best && best < beta) {
                return;
            }
            widen = widen.saturating_mul(4);
            if best <= alpha {
                alpha = if widen > EVALUATION_LIMIT { -INFINITE } else { best - widen };
            } else {
                beta = if widen > EVALUATION_LIMIT { INFINITE } else { best + widen };
                // The move that failed high is tried first.
                sort_by_rank(&mut self.root[slot..]);
            }
        }
    }

    /// One search of the root moves from number `slot` on.
    fn search_root(&mut self, depth: i32, mut alpha: i32, beta: i32, slot: usize) -> i32 {
        let mut best = -INFINITE;
        self.instrument.open(0, self.mover);
        for number in slot..self.root.len() {
            let mv = self.root[number].mv;
            let before = self.meter.nodes();
            let undo = self.position.make(mv);
            let same = self.position.turn() == self.mover;
            let value = self.child(same, depth - 1, 0, alpha, beta, 0, number > slot);
            self.position.unmake(mv, undo);
            if self.meter.is_stopped() {
                // A result of this unfinished depth counts if it is better than the last depth's
                // best.
                sort_by_rank(&mut self.root[slot..]);
                return best;
            }
            self.instrument.join(0);
            let entry = &mut self.root[number];
            entry.nodes = self.meter.nodes() - before;
            let bound = if value <= alpha {
                Bound::Upper
            } else if value >= beta {
                Bound::Lower
            } else {
                Bound::Exact
            };
            entry.found = Some((value, bound));
            if number == slot || value > alpha {
                entry.line.clear();
                entry.line.push(mv);
                let below = &self.lines[1];
                entry.line.extend_from_slice(below);
                entry.rank = value;
                if number == slot {
                    // The other moves have no value at this depth yet.
                    self.root[slot + 1..].iter_mut().for_each(|entry| entry.rank = -INFINITE);
                }
            }
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                self.instrument.cut(0, (self.root.len() - number - 1) as u32);
                break;
            }
        }
        best
    }

    /// The value of the child just entered, for the mover at `ply`; `later` if it is not the first
    /// child.
    #[allow(clippy::too_many_arguments)] // one place, all of them the state of a frame
    #[inline]
    fn child(&mut self, same: bool, depth: i32, reduction: i32, alpha: i32, beta: i32, ply: u32, later: bool) -> i32 {
        let (alpha, beta) = if self.shared.options.cutoffs { (alpha, beta) } else { (-INFINITE, INFINITE) };
        let mut value;
        if later && self.shared.options.pvs {
            value = self.below(same, depth - reduction, alpha, alpha + 1, ply);
            if value > alpha && reduction > 0 {
                value = self.below(same, depth, alpha, alpha + 1, ply);
            }
            if value > alpha && value < beta {
                value = self.below(same, depth, alpha, beta, ply);
            }
        } else {
            value = self.below(same, depth - reduction, alpha, beta, ply);
            if value > alpha && reduction > 0 {
                value = self.below(same, depth, alpha, beta, ply);
            }
        }
        value
    }

    #[inline]
    fn below(&mut self, same: bool, depth: i32, alpha: i32, beta: i32, ply: u32) -> i32 {
        if same {
            self.node(depth, alpha, beta, ply + 1, true)
        } else {
            -self.node(depth, -beta, -alpha, ply + 1, true)
        }
    }

    /// Counts a position; `false` if the search must stop.
    #[inline]
    fn enter(&mut self, ply: u32) -> bool {
        if !self.meter.step() {
            return false;
        }
        self.deepest = self.deepest.max(ply);
        if let Some(mut watch) = self.watch.take() {
            watch.tick(self.meter.nodes(), self.meter.recent_elapsed(), || self.report());
            self.watch = Some(watch);
        }
        true
    }

    fn node(&mut self, depth: i32, mut alpha: i32, beta: i32, ply: u32, allow_null: bool) -> i32 {
        self.lines[ply as usize].clear();
        if !self.enter(ply) {
            return 0;
        }
        let mover = self.position.turn();
        let attacked = P::SHARP && self.position.under_attack();
        let options = &self.shared.options;
        let depth = depth + i32::from(attacked && options.extensions);
        if depth <= 0 || ply >= MAX_PLY {
            let (value, ended) = self.horizon(alpha, beta, ply, mover);
            self.instrument.leaf(ply, mover, value, ended);
            return value;
        }
        let principal = beta - alpha > 1;
        let mut known = NONE;
        if let Some(entry) = self.shared.table.and_then(|table| table.get(self.position.hash())) {
            known = entry.best.unwrap_or(NONE);
            let enough = match options.table {
                TableUse::Deeper => entry.depth >= depth as u32,
                _ => entry.depth == depth as u32,
            };
            let value = value::from_table(entry.value, ply);
            let cuts = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => value >= beta,
                Bound::Upper => value <= alpha,
            };
            if enough && cuts && !(principal && options.pvs) {
                self.horizons += u64::from(entry.depth != FINAL);
                self.instrument.leaf(ply, mover, value, false);
                return value;
            }
        }
        let try_null = options.null && allow_null && !principal && depth >= 3 && !attacked;
        if try_null
            && beta.abs() < EVALUATION_LIMIT
            && let Some(value) = self.null_move(depth, beta, ply, mover)
        {
            self.instrument.leaf(ply, mover, value, false);
            return value;
        }

        let start = self.moves.len();
        self.list(known, ply);
        let count = self.moves.len() - start;
        if count == 0 {
            let value = self.ended(mover, ply);
            self.instrument.leaf(ply, mover, value, true);
            return value;
        }
        if depth >= PREFERENCE_DEPTH && count > 1 {
            self.prefer(start);
        }
        self.instrument.open(ply, mover);
        let horizons = self.horizons;
        let lowest = alpha;
        let (mut best, mut best_move) = (-INFINITE, NONE);
        let in_progress = self.shared.in_progress.as_ref().filter(|_| depth >= abdada::MIN_DEPTH);
        let here = if in_progress.is_some() { self.position.hash().0 } else { 0 };
        for number in 0..count {
            let mut next = pick(&mut self.moves[start..], number);
            if let Some(in_progress) = in_progress.filter(|_| number > 0) {
                while !is_deferred(next.rank) && in_progress.contains(here, next.index) {
                    defer(&mut self.moves[start + number]);
                    next = pick(&mut self.moves[start..], number);
                }
            }
            let RankedMove { mv, index, loud, .. } = next;
            let marked = in_progress.is_some_and(|in_progress| in_progress.insert(here, index));
            let undo = self.position.make(mv);
            self.undos.push(undo);
            let same = self.position.turn() == mover;
            let late = self.shared.options.lmr && number >= 3 && depth >= 3 && !loud && !attacked;
            let reduction = if late && !(P::SHARP && self.position.under_attack()) {
                i32::from(REDUCTIONS[(depth as usize).min(63)][number.min(63)]).min(depth - 2)
            } else {
                0
            };
            let value = self.child(same, depth - 1, reduction, alpha, beta, ply, number > 0);
            let undo = self.undos.pop().expect("pushed above");
            self.position.unmake(mv, undo);
            if let Some(in_progress) = in_progress.filter(|_| marked) {
                in_progress.remove(here, index);
            }
            if self.meter.is_stopped() {
                self.moves.truncate(start);
                return 0;
            }
            self.instrument.join(ply);
            if value <= best {
                continue;
            }
            best = value;
            if value > alpha {
                alpha = value;
                best_move = index;
                if principal {
                    let (head, tail) = self.lines.split_at_mut(ply as usize + 1);
                    head[ply as usize].clear();
                    head[ply as usize].push(mv);
                    head[ply as usize].extend_from_slice(&tail[0]);
                }
                if alpha >= beta {
                    if !loud {
                        let earlier = &self.moves[start..start + number];
                        self.ordering.record_cutoff(mover, index, earlier, ply, depth);
                    }
                    self.instrument.cut(ply, (count - number - 1) as u32);
                    break;
                }
            }
        }
        self.moves.truncate(start);
        if let Some(table) = self.shared.table {
            let bound = if best >= beta {
                Bound::Lower
            } else if best > lowest {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let closed = self.transposes && self.horizons == horizons && self.shared.options.table == TableUse::Deeper;
            let depth = if closed { FINAL } else { depth as u32 };
            let best_move = if best_move == NONE { known } else { best_move };
            let best_move = (best_move != NONE).then_some(best_move);
            let entry = Entry { value: value::to_table(best, ply), bound, depth, best: best_move };
            table.put(self.position.hash(), entry);
        }
        best
    }

    /// Lists the moves of the position with their ranks.
    #[inline]
    fn list(&mut self, known: u32, ply: u32) {
        let (position, moves, ordering) = (&self.position, &mut self.moves, &self.ordering);
        let _ = position.visit_moves::<()>(|mv| {
            moves.push(ordering.rank(position, mv, known, ply));
            ControlFlow::Continue(())
        });
    }

    /// Lowers the ranks of quiet moves by the game's preference, if it has one.
    fn prefer(&mut self, start: usize) {
        let Some(preference) = self.shared.preference else { return };
        let (moves, weights) = &mut self.weighed;
        moves.clear();
        moves.extend(self.moves[start..].iter().map(|ranked| ranked.mv));
        preference.weigh(&self.position, moves, weights);
        let largest = weights.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        for (ranked, weight) in self.moves[start..].iter_mut().zip(weights) {
            if is_quiet(ranked.rank) {
                ranked.rank -= shortfall(*weight, largest);
            }
        }
    }

    /// The value of a position without moves.
    fn ended(&self, mover: Player, ply: u32) -> i32 {
        let outcome = self.position.outcome().expect("a position without moves has an outcome");
        value::of_outcome(outcome, mover, ply)
    }

    /// Null-move pruning (Goetsch & Campbell 1990; Donninger 1993): if passing reaches beta, so
    /// does the best move. Not a proof.
    fn null_move(&mut self, depth: i32, beta: i32, ply: u32, mover: Player) -> Option<i32> {
        if self.evaluate(mover) < beta {
            return None;
        }
        let passed = self.position.passed()?;
        debug_assert!(passed.turn() != mover, "passing hands the turn over");
        let here = std::mem::replace(&mut self.position, passed);
        self.passed.push(here);
        let reduced = depth - 3 - depth / 4;
        let value = -self.node(reduced, -beta, 1 - beta, ply + 1, false);
        self.position = self.passed.pop().expect("pushed above");
        if self.meter.is_stopped() {
            return Some(0);
        }
        if value < beta {
            return None;
        }
        self.horizons += 1;
        if depth >= VERIFY_DEPTH {
            // In zugzwang passing is no lower bound: a reduced search without a null move must
            // agree.
            let value = self.node(reduced, beta - 1, beta, ply, false);
            if value < beta && !self.meter.is_stopped() {
                return None;
            }
        }
        Some(value.min(EVALUATION_LIMIT - 1))
    }

    /// The static evaluation for the mover; 0 without an evaluation.
    #[inline]
    fn evaluate(&self, mover: Player) -> i32 {
        self.shared.evaluation.map_or(0, |evaluation| value::of_evaluation(evaluation.evaluate(&self.position), mover))
    }

    /// The value at the horizon, and whether the game has ended there.
    #[inline]
    fn horizon(&mut self, alpha: i32, beta: i32, ply: u32, mover: Player) -> (i32, bool) {
        if P::SHARP && self.shared.options.quiescence != Quiescence::Off && ply < MAX_PLY {
            return self.quiesce(alpha, beta, ply, mover);
        }
        if let Some(outcome) = self.position.outcome() {
            return (value::of_outcome(outcome, mover, ply), true);
        }
        self.horizons += 1;
        (self.evaluate(mover), false)
    }

    /// Quiescence search: the mover may stand pat or play a loud move; under attack all moves are
    /// searched.
    fn quiesce(&mut self, mut alpha: i32, beta: i32, ply: u32, mover: Player) -> (i32, bool) {
        let attacked = self.position.under_attack();
        let start = self.moves.len();
        let delta = self.shared.options.quiescence == Quiescence::Delta;
        let mut best = -INFINITE;
        let mut stand_pat = -INFINITE;
        if attacked {
            self.list(NONE, ply);
            if self.moves.len() == start {
                return (self.ended(mover, ply), true);
            }
        } else {
            if let Some(outcome) = self.position.outcome() {
                return (value::of_outcome(outcome, mover, ply), true);
            }
            self.horizons += 1;
            stand_pat = self.evaluate(mover);
            best = stand_pat;
            if best >= beta {
                return (best, false);
            }
            alpha = alpha.max(best);
            let (position, moves) = (&self.position, &mut self.moves);
            let _ = position.visit_loud::<()>(|mv| {
                moves.push(loud(position, mv));
                ControlFlow::Continue(())
            });
        }
        for number in 0..self.moves.len() - start {
            let RankedMove { mv, .. } = pick(&mut self.moves[start..], number);
            if delta && !attacked && stand_pat + self.position.gain(mv) + DELTA <= alpha {
                // Fail-soft: an upper bound of its value.
                best = best.max(stand_pat + self.position.gain(mv) + DELTA);
                continue;
            }
            let undo = self.position.make(mv);
            self.undos.push(undo);
            let value = if !self.enter(ply + 1) {
                0
            } else if ply + 1 >= MAX_PLY {
                self.evaluate(mover)
            } else if self.position.turn() == mover {
                self.quiesce(alpha, beta, ply + 1, mover).0
            } else {
                -self.quiesce(-beta, -alpha, ply + 1, mover.other()).0
            };
            let undo = self.undos.pop().expect("pushed above");
            self.position.unmake(mv, undo);
            if self.meter.is_stopped() {
                break;
            }
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        self.moves.truncate(start);
        (best, false)
    }

    /// The report of the search so far.
    pub(crate) fn report(&self) -> Report<P::Move> {
        let found = Found {
            root: &self.root,
            mover: self.mover,
            closed: self.closed,
            transposes: self.transposes,
            scale: self.shared.evaluation.map(Evaluation::scale),
            table: self.shared.table,
            depth: self.depth,
            deepest: self.deepest,
        };
        report::report(&found, &self.meter)
    }
}
