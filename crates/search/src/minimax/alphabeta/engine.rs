//! The search itself: one thread, one root.
//!
//! Fail-soft negamax in which the sign changes only where the turn does: a position whose mover is also its
//! parent's is searched with the same window and its value taken as it is. The walk recurses at most
//! [`MOST_PLIES`] deep; moves, undo records and lines lie in vectors, so a frame is small.
//!
//! **What is final.** `horizons` counts everything below a position that was valued by opinion: evaluations, cuts by a null move, table
//! entries that are not final themselves. If a search met none, its value holds at any depth, is stored so, and is a proof.

use super::busy::{self, Busy};
use super::order::{Candidate, Memory, NONE, is_plain, loud, pick, put_off, shortfall, was_put_off};
use super::value::{self, INFINITE, LEAST_WIN, WIN};
use super::witness::Witness;
use super::{Options, Quiescence, TableUse};
use crate::sorting::sort_by_key;
use crate::table::{Bound, Entry, FINAL, TranspositionTable};
use std::ops::ControlFlow;
use std::sync::LazyLock;
use tesuji_core::{
    EVALUATION_LIMIT, Evaluation, Meter, Player, Position, Preference, Report, Rng, StopReason, Studied, Watch,
};

/// The deepest a line may go; the horizon is there at the latest.
pub(crate) const MOST_PLIES: u32 = 1_100;

/// From this depth on a null move's claim is verified.
const VERIFIED: i32 = 5;

/// From this depth on the game's preference helps to order moves.
const PREFERRED: i32 = 3;

/// A capture must come within so many points of alpha, by what it takes, to be worth trying (delta cut-offs).
const DELTA: i32 = 200;

/// A move of the root and what the last search of it found.
#[derive(Clone, Debug)]
pub(crate) struct Root<M> {
    pub(crate) mv: M,
    /// For the side to move, with what it means; nothing before the first search.
    pub(crate) found: Option<(i32, Bound)>,
    /// The value that ordered it.
    rank: i32,
    pub(crate) nodes: u64,
    pub(crate) line: Vec<M>,
}

/// What the threads of one search share.
pub(crate) struct Shared<'a, P: Position> {
    pub(crate) options: Options,
    pub(crate) evaluation: Option<&'a dyn Evaluation<P>>,
    pub(crate) preference: Option<&'a dyn Preference<P>>,
    pub(crate) table: Option<&'a TranspositionTable>,
    /// What the threads are busy with, if there are several.
    pub(crate) busy: Option<Busy>,
}

pub(crate) struct Engine<'a, P: Position, W> {
    shared: &'a Shared<'a, P>,
    /// Entries may be final: equal positions have equal values.
    shares: bool,
    position: P,
    pub(crate) meter: Meter,
    pub(crate) witness: W,
    watch: Option<Box<Watch<'a, P::Move>>>,
    candidates: Vec<Candidate<P::Move>>,
    undos: Vec<P::Undo>,
    passed: Vec<P>,
    memory: Memory,
    /// Moves to be weighed and their weights.
    weighed: (Vec<P::Move>, Vec<f64>),
    lines: Vec<Vec<P::Move>>,
    horizons: u64,
    /// The deepest ply seen.
    pub(crate) deepest: u32,
    /// The moves of the root, best first.
    pub(crate) root: Vec<Root<P::Move>>,
    /// The last depth that was searched to its end.
    pub(crate) depth: u32,
    /// The last complete search met no horizon.
    pub(crate) closed: bool,
    mover: Player,
}

/// How many plies a late quiet move is searched less, by depth and number.
static REDUCTIONS: LazyLock<[[u8; 64]; 64]> = LazyLock::new(|| {
    std::array::from_fn(|depth| {
        std::array::from_fn(|number| {
            let product = libm::log(depth.max(1) as f64) * libm::log(number.max(1) as f64);
            (0.6 + product / 2.2) as u8
        })
    })
});

/// The best first.
fn by_rank<M>(entries: &mut [Root<M>]) {
    sort_by_key(entries, |entry| -i64::from(entry.rank));
}

impl<'a, P: Studied, W: Witness> Engine<'a, P, W> {
    /// An engine for this root; `rng` decides between root moves of which nothing is known.
    pub(crate) fn new(shared: &'a Shared<'a, P>, root: &P, meter: Meter, witness: W, rng: &mut Rng) -> Self {
        let options = &shared.options;
        let mut moves: Vec<Root<P::Move>> = root
            .moves()
            .into_iter()
            .map(|mv| Root { mv, found: None, rank: -INFINITE, nodes: 0, line: Vec::new() })
            .collect();
        for number in (1..moves.len()).rev() {
            moves.swap(number, rng.below(number as u32 + 1) as usize);
        }
        // Loud moves first, among the unknown.
        sort_by_key(&mut moves, |entry| -i64::from(root.gain(entry.mv)));
        let plies = MOST_PLIES as usize + 2;
        Engine {
            shared,
            shares: !root.history_matters(),
            position: root.clone(),
            meter,
            witness,
            watch: None,
            candidates: Vec::with_capacity(1024),
            undos: Vec::with_capacity(128),
            passed: Vec::new(),
            memory: Memory::new(plies, root.move_space(), options.killers, options.history),
            weighed: (Vec::new(), Vec::new()),
            lines: vec![Vec::new(); plies],
            horizons: 0,
            deepest: 0,
            root: moves,
            depth: 0,
            closed: false,
            mover: root.turn(),
        }
    }

    /// Lets somebody watch the answers so far.
    pub(crate) fn watched(&mut self, watch: Watch<'a, P::Move>) {
        self.watch = Some(Box::new(watch));
    }

    /// Iterative deepening up to `limit`, from `first` on; `done` hears of every depth that was completed.
    pub(crate) fn deepen(&mut self, first: u32, limit: u32, mut done: impl FnMut(&mut Self)) {
        let lines = (self.shared.options.lines as usize).min(self.root.len());
        for depth in first..=limit {
            let before = self.horizons;
            for slot in 0..lines {
                self.aspire(depth, slot);
                if self.meter.is_stopped() {
                    return;
                }
                by_rank(&mut self.root[slot..]);
            }
            by_rank(&mut self.root[..lines]);
            self.depth = depth;
            self.closed = self.horizons == before;
            done(self);
            let value = self.root[0].rank;
            let settled = value.abs() >= LEAST_WIN && WIN - value.abs() <= depth as i32 && lines == 1;
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

    /// Searches the root within a window around the last value, wider until the value lies inside.
    fn aspire(&mut self, depth: u32, slot: usize) {
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
                // The move that was too good is tried first.
                by_rank(&mut self.root[slot..]);
            }
        }
    }

    /// One search of the root's moves from number `slot` on.
    fn search_root(&mut self, depth: i32, mut alpha: i32, beta: i32, slot: usize) -> i32 {
        let mut best = -INFINITE;
        self.witness.open(0, self.mover);
        for number in slot..self.root.len() {
            let mv = self.root[number].mv;
            let before = self.meter.nodes();
            let undo = self.position.make(mv);
            let same = self.position.turn() == self.mover;
            let value = self.child(same, depth - 1, 0, alpha, beta, 0, number > slot);
            self.position.unmake(mv, undo);
            if self.meter.is_stopped() {
                // What is found of this depth so far counts if it is better than the last depth's best.
                by_rank(&mut self.root[slot..]);
                return best;
            }
            self.witness.join(0);
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
                    // The others have shown nothing at this depth yet.
                    self.root[slot + 1..].iter_mut().for_each(|entry| entry.rank = -INFINITE);
                }
            }
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                self.witness.cut(0, (self.root.len() - number - 1) as u32);
                break;
            }
        }
        best
    }

    /// The value of the position just entered from `ply`, for the mover there; `later`: not the first move.
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

    /// Counts a position; `false` if the search must end.
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

    fn node(&mut self, depth: i32, mut alpha: i32, beta: i32, ply: u32, may_pass: bool) -> i32 {
        self.lines[ply as usize].clear();
        if !self.enter(ply) {
            return 0;
        }
        let mover = self.position.turn();
        let attacked = P::SHARP && self.position.under_attack();
        let options = &self.shared.options;
        let depth = depth + i32::from(attacked && options.extensions);
        if depth <= 0 || ply >= MOST_PLIES {
            let (value, ended) = self.horizon(alpha, beta, ply, mover);
            self.witness.leaf(ply, mover, value, ended);
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
                self.witness.leaf(ply, mover, value, false);
                return value;
            }
        }
        let may_pass = options.null && may_pass && !principal && depth >= 3 && !attacked;
        if may_pass
            && beta.abs() < EVALUATION_LIMIT
            && let Some(value) = self.try_passing(depth, beta, ply, mover)
        {
            self.witness.leaf(ply, mover, value, false);
            return value;
        }

        let start = self.candidates.len();
        self.list(known, ply);
        let count = self.candidates.len() - start;
        if count == 0 {
            let value = self.ended(mover, ply);
            self.witness.leaf(ply, mover, value, true);
            return value;
        }
        if depth >= PREFERRED && count > 1 {
            self.prefer(start);
        }
        self.witness.open(ply, mover);
        let horizons = self.horizons;
        let lowest = alpha;
        let (mut best, mut best_move) = (-INFINITE, NONE);
        let busy = self.shared.busy.as_ref().filter(|_| depth >= busy::LEAST_DEPTH);
        let here = if busy.is_some() { self.position.hash().0 } else { 0 };
        for number in 0..count {
            let mut next = pick(&mut self.candidates[start..], number);
            if let Some(busy) = busy.filter(|_| number > 0) {
                while !was_put_off(next.rank) && busy.has(here, next.index) {
                    put_off(&mut self.candidates[start + number]);
                    next = pick(&mut self.candidates[start..], number);
                }
            }
            let Candidate { mv, index, loud, .. } = next;
            let marked = busy.is_some_and(|busy| busy.begin(here, index));
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
            if let Some(busy) = busy.filter(|_| marked) {
                busy.end(here, index);
            }
            if self.meter.is_stopped() {
                self.candidates.truncate(start);
                return 0;
            }
            self.witness.join(ply);
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
                        let earlier = &self.candidates[start..start + number];
                        self.memory.refuted(mover, index, earlier, ply, depth);
                    }
                    self.witness.cut(ply, (count - number - 1) as u32);
                    break;
                }
            }
        }
        self.candidates.truncate(start);
        if let Some(table) = self.shared.table {
            let bound = if best >= beta {
                Bound::Lower
            } else if best > lowest {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let closed = self.shares && self.horizons == horizons && self.shared.options.table == TableUse::Deeper;
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
        let (position, candidates, memory) = (&self.position, &mut self.candidates, &self.memory);
        let _ = position.visit_moves::<()>(|mv| {
            candidates.push(memory.candidate(position, mv, known, ply));
            ControlFlow::Continue(())
        });
    }

    /// Ranks the quiet moves by the game's preference as well, if it has one.
    fn prefer(&mut self, start: usize) {
        let Some(preference) = self.shared.preference else { return };
        let (moves, weights) = &mut self.weighed;
        moves.clear();
        moves.extend(self.candidates[start..].iter().map(|candidate| candidate.mv));
        preference.weigh(&self.position, moves, weights);
        let largest = weights.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        for (candidate, weight) in self.candidates[start..].iter_mut().zip(weights) {
            if is_plain(candidate.rank) {
                candidate.rank -= shortfall(*weight, largest);
            }
        }
    }

    /// The value of a position without moves.
    fn ended(&self, mover: Player, ply: u32) -> i32 {
        let outcome = self.position.outcome().expect("a position without moves has an outcome");
        value::of_outcome(outcome, mover, ply)
    }

    /// Null move (Goetsch & Campbell 1990; Donninger 1993): if even passing reaches beta, the best move will. Not believed to be a proof.
    fn try_passing(&mut self, depth: i32, beta: i32, ply: u32, mover: Player) -> Option<i32> {
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
        if depth >= VERIFIED {
            // Where every move harms, passing is no bound: a real search, less deep, must agree.
            let value = self.node(reduced, beta - 1, beta, ply, false);
            if value < beta && !self.meter.is_stopped() {
                return None;
            }
        }
        Some(value.min(EVALUATION_LIMIT - 1))
    }

    /// The opinion about the position, for the mover; 0 in a game that has none.
    #[inline]
    fn evaluate(&self, mover: Player) -> i32 {
        self.shared.evaluation.map_or(0, |evaluation| value::of_evaluation(evaluation.evaluate(&self.position), mover))
    }

    /// The value at the horizon, and whether the game has ended there.
    #[inline]
    fn horizon(&mut self, alpha: i32, beta: i32, ply: u32, mover: Player) -> (i32, bool) {
        if P::SHARP && self.shared.options.quiescence != Quiescence::Off && ply < MOST_PLIES {
            return self.quiesce(alpha, beta, ply, mover);
        }
        if let Some(outcome) = self.position.outcome() {
            return (value::of_outcome(outcome, mover, ply), true);
        }
        self.horizons += 1;
        (self.evaluate(mover), false)
    }

    /// Quiescence: the mover may stand still or go on with a loud move; under attack he must answer it.
    fn quiesce(&mut self, mut alpha: i32, beta: i32, ply: u32, mover: Player) -> (i32, bool) {
        let attacked = self.position.under_attack();
        let start = self.candidates.len();
        let delta = self.shared.options.quiescence == Quiescence::Delta;
        let mut best = -INFINITE;
        let mut standing = -INFINITE;
        if attacked {
            self.list(NONE, ply);
            if self.candidates.len() == start {
                return (self.ended(mover, ply), true);
            }
        } else {
            if let Some(outcome) = self.position.outcome() {
                return (value::of_outcome(outcome, mover, ply), true);
            }
            self.horizons += 1;
            standing = self.evaluate(mover);
            best = standing;
            if best >= beta {
                return (best, false);
            }
            alpha = alpha.max(best);
            let (position, candidates) = (&self.position, &mut self.candidates);
            let _ = position.visit_loud::<()>(|mv| {
                candidates.push(loud(position, mv));
                ControlFlow::Continue(())
            });
        }
        for number in 0..self.candidates.len() - start {
            let Candidate { mv, .. } = pick(&mut self.candidates[start..], number);
            if delta && !attacked && standing + self.position.gain(mv) + DELTA <= alpha {
                // Fail-soft: the most it could have come to.
                best = best.max(standing + self.position.gain(mv) + DELTA);
                continue;
            }
            let undo = self.position.make(mv);
            self.undos.push(undo);
            let value = if !self.enter(ply + 1) {
                0
            } else if ply + 1 >= MOST_PLIES {
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
        self.candidates.truncate(start);
        (best, false)
    }

    /// The answer so far.
    pub(crate) fn report(&self) -> Report<P::Move> {
        super::answer::report(self, self.shared, self.mover, self.shares)
    }
}
