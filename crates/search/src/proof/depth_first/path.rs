//! The current path of df-pn and the children of its nodes.
//!
//! The path is an explicit stack. A frame holds the numbers of its children as last seen; a child
//! is probed in the table again when it is selected. Terminal successors are evaluated when their
//! parent is expanded, and if one of them solves the parent the rest is skipped. The adviser is
//! called here.

use super::access::{SharedState, TableAccess};
use super::child_cache::ChildCache;
use super::key::key_of;
use super::table::{MAX_NUMBER, Table};
use super::thresholds::{Child, ProofNumbers};
use crate::proof::Status;
use crate::proof::question::Work;
use std::ops::ControlFlow;
use tesuji_core::{Advice, Adviser, Aim, Measure, Outcome, Position};

/// A position on the path.
pub(super) struct Frame<M, U> {
    /// The move that led here and its undo; `None` at the root.
    pub(super) back: Option<(M, U)>,
    pub(super) key: u64,
    pub(super) or_node: bool,
    pub(super) thresholds: [u32; 2],
    /// Where its children begin in the common list; they end where those of the next frame begin.
    pub(super) first: usize,
    /// The selected child.
    pub(super) chosen: usize,
    /// Positions entered in this subtree: on earlier visits, and on this one.
    pub(super) before: u64,
    pub(super) now: u64,
}

/// What an expansion reads: the arithmetic, the table, the other threads.
#[derive(Clone, Copy)]
pub(super) struct NodeContext<'a> {
    pub(super) rule: &'a ProofNumbers,
    pub(super) table: &'a Table,
    pub(super) shared_state: Option<&'a SharedState>,
}

/// Whether successors are inspected on a copy of the position. Where the undo information is a
/// whole position, playing on a copy is cheaper than play and undo.
const fn copies<P: Position>() -> bool {
    size_of::<P::Undo>() >= size_of::<P>()
}

/// The path of one search, with the adviser and scratch space.
pub(super) struct SearchPath<'a, P: Position> {
    pub(super) adviser: Option<&'a mut dyn Adviser<P>>,
    /// The last advice.
    advice: Advice<P::Move>,
    pub(super) position: P,
    scratch: P,
    pub(super) frames: Vec<Frame<P::Move, P::Undo>>,
    pub(super) children: Vec<Child<P::Move>>,
    /// Children that may be in the table: scratch space of an expansion.
    known: Vec<u32>,
    pub(super) child_cache: ChildCache<P::Move>,
    /// The time ran out during the last call of the adviser; its advice is not used.
    pub(super) interrupted: bool,
    pub(super) aim: Aim,
    pub(super) salt: u64,
}

impl<'a, P: Position> SearchPath<'a, P> {
    /// The path of a search from `root`. Terminal positions are evaluated by `aim`; `salt` belongs
    /// to the keys of the question.
    pub(super) fn new(root: &P, aim: Aim, salt: u64, adviser: Option<&'a mut dyn Adviser<P>>) -> SearchPath<'a, P> {
        let (position, scratch) = (root.clone(), root.clone());
        let (advice, frames, children, known) = (Advice::default(), Vec::new(), Vec::new(), Vec::new());
        let child_cache = ChildCache::closed();
        SearchPath {
            adviser,
            advice,
            position,
            scratch,
            frames,
            children,
            known,
            child_cache,
            interrupted: false,
            aim,
            salt,
        }
    }

    /// The same path, with or without a child cache.
    pub(super) fn with_child_cache(self, is: bool) -> SearchPath<'a, P> {
        SearchPath { child_cache: if is { ChildCache::open() } else { ChildCache::closed() }, ..self }
    }

    pub(super) fn has_child_cache(&self) -> bool {
        self.child_cache.is_open()
    }

    /// Expands the current position, which has this key: lists its children and evaluates terminal
    /// ones. `fresh`: it is expanded for the first time. The adviser may solve it instead; the
    /// status says so. The root is never solved this way, since its move is wanted.
    #[inline]
    pub(super) fn expand(
        &mut self,
        at: NodeContext<'_>,
        key: u64,
        depth: u32,
        fresh: bool,
        work: &mut Work<'_, P::Move>,
    ) -> Status {
        let NodeContext { rule, table, shared_state } = at;
        // The result will be stored there.
        table.prefetch(key);
        let SearchPath { adviser, advice, position, scratch, children, known, interrupted, aim, salt, .. } = self;
        let first = children.len();
        let start = [rule.start(depth + 1); 2];
        let child = |mv| Child { mv, key: 0, numbers: start, virtual_number: 0, status: Status::Unknown };
        let mut advised = false;
        if let Some(adviser) = adviser {
            advice.clear();
            adviser.advise(position, *aim, advice);
            // A slow adviser takes as long as many expansions: the clock is read at every call.
            if adviser.is_slow()
                && let Some(reason) = work.late()
            {
                work.meter.stop(reason);
                *interrupted = true;
                return Status::Unknown;
            }
            advised = advice.winner.is_none() || !advice.moves.is_empty();
            if let Some(winner) = advice.winner
                && depth > 0
                && aim.measure == Measure::Score
            {
                return work.judge(*aim, Outcome::won_by(winner));
            }
        }
        if advised {
            children.extend(advice.moves.iter().map(|mv| child(*mv)));
            for (child, numbers) in children[first..].iter_mut().zip(&advice.numbers) {
                child.numbers = numbers.map(|number| number.min(MAX_NUMBER));
            }
        } else {
            let _ = position.visit_moves::<()>(|mv| {
                children.push(child(mv));
                ControlFlow::Continue(())
            });
        }
        let wanted = Status::wanted(position.turn() == aim.player);
        for number in first..children.len() {
            let mv = children[number].mv;
            let (outcome, hash) = if let Some(seen) = position.glance(mv) {
                seen
            } else if copies::<P>() {
                scratch.clone_from(position);
                scratch.play(mv);
                (scratch.outcome(), scratch.hash())
            } else {
                let undo = position.make(mv);
                let seen = (position.outcome(), position.hash());
                position.unmake(mv, undo);
                seen
            };
            let child = &mut children[number];
            if let Some(outcome) = outcome {
                child.status = work.judge(*aim, outcome);
                if child.status == wanted {
                    children.truncate(number + 1);
                    break;
                }
                continue;
            }
            child.key = key_of(hash, position.history_matters(), key, *salt);
            table.prefetch_filter(child.key);
        }
        work.looked_at += (children.len() - first) as u64;
        if children.last().is_some_and(|child| child.status == wanted) {
            return Status::Unknown;
        }
        if fresh && rule.settings.late {
            self.add_virtual_numbers(shared_state, first);
            return Status::Unknown;
        }
        // The table is much larger than the caches. All buckets are prefetched first, without
        // branches, so that the cache misses overlap.
        known.resize(children.len() - first, 0);
        let mut count = 0;
        for (number, child) in children[first..].iter().enumerate() {
            known[count] = number as u32;
            count += usize::from((child.status == Status::Unknown) & table.may_know(child.key));
        }
        known[..count].iter().for_each(|number| table.prefetch(children[first + *number as usize].key));
        for number in &known[..count] {
            let child = &mut children[first + *number as usize];
            if let Some(found) = table.probe(child.key) {
                (child.status, child.numbers) = (found.status, found.numbers);
            }
        }
        if adviser.as_ref().is_some_and(|adviser| adviser.learns()) {
            for number in first..self.children.len() {
                self.spread_loss(first, number);
            }
        }
        self.add_virtual_numbers(shared_state, first);
        Status::Unknown
    }

    /// Restores the children of the current position from the cache, if they are there.
    #[inline]
    pub(super) fn restore_children(&mut self, shared_state: Option<&SharedState>, key: u64) -> bool {
        let Some(list) = self.child_cache.get(key) else { return false };
        let first = self.children.len();
        self.children.extend_from_slice(list);
        self.add_virtual_numbers(shared_state, first);
        true
    }

    /// Reports a solved position to an adviser that learns: the current one, whose children begin
    /// at `first`.
    pub(super) fn report_solved(&mut self, first: usize, best: usize, status: Status) {
        let SearchPath { adviser, position, children, aim, .. } = self;
        let Some(adviser) = adviser.as_mut().filter(|adviser| adviser.learns() && aim.is_about_winning()) else {
            return;
        };
        let winner = if status == Status::Proved { aim.player } else { aim.player.other() };
        let by = if position.turn() == winner { children.get(best).map(|child| child.mv) } else { None };
        adviser.solved(position, winner, by, &mut children[first..].iter().map(|child| child.mv));
    }

    /// If the child at `lost` is lost for the mover: marks the children from `first` on that a
    /// learning adviser knows to lose for the same reason.
    pub(super) fn spread_loss(&mut self, first: usize, lost: usize) {
        let SearchPath { adviser, position, children, aim, .. } = self;
        let unwanted = Status::unwanted(position.turn() == aim.player);
        let Child { mv, status, .. } = children[lost];
        let Some(adviser) =
            adviser.as_mut().filter(|adviser| adviser.learns() && status == unwanted && aim.is_about_winning())
        else {
            return;
        };
        for child in children[first..].iter_mut().filter(|child| child.status == Status::Unknown) {
            if adviser.also_lost(position, mv, child.mv) {
                child.status = unwanted;
            }
        }
    }

    /// Sets the virtual numbers of the children from `first` on.
    #[inline]
    fn add_virtual_numbers(&mut self, shared_state: Option<&SharedState>, first: usize) {
        let Some(shared_state) = shared_state else { return };
        let least = usize::from(self.position.turn() != self.aim.player);
        for child in self.children[first..].iter_mut().filter(|child| child.status == Status::Unknown) {
            child.virtual_number = shared_state.virtual_number(child.key, child.numbers[least]);
        }
    }

    /// Whether a position occurs twice on the path.
    pub(super) fn has_cycle(&self) -> bool {
        let mut keys: Vec<u64> = self.frames.iter().map(|frame| frame.key).collect();
        keys.sort_unstable();
        keys.windows(2).any(|pair| pair[0] == pair[1])
    }

    /// Goes back until the path has this length.
    pub(super) fn unwind(&mut self, length: usize, memory: &TableAccess<'_>) {
        while self.frames.len() > length {
            let frame = self.frames.pop().expect("more than one");
            self.children.truncate(frame.first);
            memory.leave(frame.key);
            let (mv, undo) = frame.back.expect("only the root has no parent");
            self.position.unmake(mv, undo);
        }
    }
}
