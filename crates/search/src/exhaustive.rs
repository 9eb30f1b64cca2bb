//! Exhaustive search: a fold over all positions of a game, from the ends back to the start.
//!
//! The value of a position is computed from the values of its successors: the minimax value for the
//! [`oracle`](crate::oracle), the mean for the [expectation of random play](crate::sampling). Equal
//! positions share their value (positions are compared, not only their hashes), unless the game's
//! history matters. The walk has an explicit stack, so the length of a game is not limited.

use crate::{SearchError, root_moves};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use tesuji_core::{
    Budget, Meter, Observer, Outcome, Position, Report, Rng, RootMove, Seed, StopReason, Studied, Watch,
};

/// The most positions that are visited in a game without history.
pub(crate) const MAX_POSITIONS: u64 = 20_000_000;
/// The same for games whose history matters, where positions share nothing.
pub(crate) const MAX_HISTORIES: u64 = 2_000_000;
/// The most moves that are tried, including those that end the game.
pub(crate) const MAX_MOVES: u64 = 1_000_000_000;

/// A position as a key: hashed by its own hash, compared in full.
#[derive(PartialEq, Eq)]
struct Key<P: Position>(P);

impl<P: Position> Hash for Key<P> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash().0);
    }
}

/// Passes a position's hash through.
#[derive(Default)]
struct PassThrough(u64);

impl Hasher for PassThrough {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("only whole position hashes are written");
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// How values are folded.
pub(crate) trait Fold<P: Position> {
    /// The value of a position.
    type Value: Clone;

    /// The approximate heap size of a value in bytes.
    const HEAP_BYTES: usize;

    /// The value of an ended game.
    fn leaf(&self, outcome: Outcome) -> Self::Value;

    /// The value of a position from those of its successors, in the order of its moves.
    fn join(&self, position: &P, successors: &[Self::Value]) -> Self::Value;
}

/// A report without a decision, and the values behind its root table.
type Survey<P, V> = (Report<<P as Position>::Move>, Vec<V>);

/// The values found so far.
pub(crate) struct Exhaustive<P: Position, F: Fold<P>> {
    fold: F,
    /// `None` while the position is on the stack: reaching it again is a cycle.
    table: HashMap<Key<P>, Option<F::Value>, BuildHasherDefault<PassThrough>>,
    /// Positions opened and moves tried since `begin`.
    opened: u64,
    tried: u64,
    /// The approximate size of the stack in bytes.
    stack_bytes: u64,
}

struct Frame<P: Position, V> {
    position: P,
    moves: Vec<P::Move>,
    successors: Vec<V>,
}

impl<P: Position, F: Fold<P>> Exhaustive<P, F> {
    pub(crate) fn new(fold: F) -> Self {
        Exhaustive { fold, table: HashMap::default(), opened: 0, tried: 0, stack_bytes: 0 }
    }

    /// Resets the limits. The table is kept if it takes at most half of the memory.
    pub(crate) fn begin(&mut self, memory: Option<u64>) {
        (self.opened, self.tried, self.stack_bytes) = (0, 0, 0);
        if memory.is_some_and(|most| self.memory_bytes() > most / 2) {
            self.table = HashMap::default();
        }
    }

    /// The approximate size of the table.
    pub(crate) fn memory_bytes(&self) -> u64 {
        Self::bytes_for(self.table.capacity()) + (self.table.len() * F::HEAP_BYTES) as u64
    }

    /// The size of a table for this many entries; the number of buckets is a power of two, filled
    /// to seven eighths.
    fn bytes_for(entries: usize) -> u64 {
        let entry = size_of::<(Key<P>, Option<F::Value>)>() + 1;
        ((entries * 8 / 7).next_power_of_two() * entry) as u64
    }

    /// The peak memory of inserting one more entry: a full table is copied to one of twice the
    /// size.
    fn bytes_to_insert(&self) -> u64 {
        let full = self.table.len() == self.table.capacity();
        let grown = if full { Self::bytes_for(2 * self.table.capacity().max(4)) } else { 0 };
        self.memory_bytes() + grown + self.stack_bytes
    }

    /// The approximate size of a frame at this depth. Where history matters a position may hold a
    /// word per ply.
    fn frame_bytes(position: &P, moves: usize, depth: usize) -> u64 {
        let past = if position.history_matters() { 8 * depth } else { 0 };
        let lists = moves * (size_of::<P::Move>() + size_of::<F::Value>() + F::HEAP_BYTES);
        // The stack is a vector, whose capacity may be twice its length.
        (2 * size_of::<Frame<P, F::Value>>() + lists + past) as u64
    }

    /// The value of a position; nothing if the meter stopped the walk. `tick` is called for every
    /// move tried.
    ///
    /// # Errors
    /// If the game is too large, or repeats positions.
    pub(crate) fn value(
        &mut self,
        root: &P,
        meter: &mut Meter,
        tick: impl FnMut(&Meter),
    ) -> Result<Option<F::Value>, SearchError> {
        let mut stack = Vec::new();
        let found = self.walk(root, meter, tick, &mut stack);
        // Stopped or refused: positions on the stack have no value.
        self.stack_bytes = 0;
        for frame in stack {
            self.table.remove(&Key(frame.position));
        }
        found
    }

    /// Computes the values of the root moves in order, as far as the budget allows; `fill` writes a
    /// value into the root table. Returns the report without a decision, and the values found.
    ///
    /// # Errors
    /// If the game has ended, is too large, or repeats positions.
    pub(crate) fn survey(
        &mut self,
        root: &P,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<P::Move>,
        fill: impl Fn(&mut RootMove<P::Move>, &F::Value, &P),
    ) -> Result<Survey<P, F::Value>, SearchError>
    where
        P: Studied,
    {
        if root.outcome().is_some() {
            return Err(SearchError::Ended);
        }
        let mut meter = budget.meter();
        let mut watch = Watch::new(watch);
        let mut report = Report { root: root_moves::untried_moves(root), ..Report::empty(root.turn()) };
        let mut values = Vec::new();
        let rng = Rng::new(seed);
        self.begin(budget.memory);
        for number in 0..report.root.len() {
            let mut next = root.clone();
            next.play(report.root[number].mv);
            if !meter.step() {
                break;
            }
            let found = self.value(&next, &mut meter, |meter| {
                watch.tick(meter.nodes(), meter.recent_elapsed(), || {
                    root_moves::interim_report(&report, root, meter, &rng)
                });
            })?;
            let Some(value) = found else { break };
            report.root[number].visits = 1;
            fill(&mut report.root[number], &value, &next);
            values.push(value);
        }
        report.memory_bytes = self.memory_bytes();
        root_moves::fill_counters(&mut report, &meter);
        Ok((report, values))
    }

    fn walk(
        &mut self,
        root: &P,
        meter: &mut Meter,
        mut tick: impl FnMut(&Meter),
        stack: &mut Vec<Frame<P, F::Value>>,
    ) -> Result<Option<F::Value>, SearchError> {
        if let Some(outcome) = root.outcome() {
            return Ok(Some(self.fold.leaf(outcome)));
        }
        if let Some(value) = self.known(root)? {
            return Ok(Some(value));
        }
        stack.push(self.open(root.clone(), 0));
        loop {
            let frame = stack.last_mut().expect("the root's frame is popped last, and returns");
            let Some(&mv) = frame.moves.get(frame.successors.len()) else {
                let value = self.fold.join(&frame.position, &frame.successors);
                let Frame { position: done, moves, .. } = stack.pop().expect("a frame");
                self.stack_bytes -= Self::frame_bytes(&done, moves.len(), stack.len());
                if !done.history_matters() {
                    self.table.insert(Key(done), Some(value.clone()));
                }
                match stack.last_mut() {
                    None => return Ok(Some(value)),
                    Some(parent) => parent.successors.push(value),
                }
                continue;
            };
            if !meter.step() {
                return Ok(None);
            }
            self.tried += 1;
            tick(meter);
            self.within_limits(&frame.position, meter)?;
            if meter.is_stopped() {
                return Ok(None);
            }
            let mut next = frame.position.clone();
            next.play(mv);
            let value = match next.outcome() {
                Some(outcome) => Some(self.fold.leaf(outcome)),
                None => self.known(&next)?,
            };
            match value {
                Some(value) => frame.successors.push(value),
                None => {
                    let frame = self.open(next, stack.len());
                    stack.push(frame);
                }
            }
        }
    }

    /// The value of a position from the table.
    fn known(&self, position: &P) -> Result<Option<F::Value>, SearchError> {
        if position.history_matters() {
            return Ok(None);
        }
        // A key owns its position; copying a position of a small game is cheap.
        match self.table.get(&Key(position.clone())) {
            None => Ok(None),
            Some(Some(value)) => Ok(Some(value.clone())),
            Some(None) => Err(SearchError::Unsupported(
                "positions of this game repeat, so an exhaustive search has no value for it".into(),
            )),
        }
    }

    fn open(&mut self, position: P, depth: usize) -> Frame<P, F::Value> {
        self.opened += 1;
        if !position.history_matters() {
            self.table.insert(Key(position.clone()), None);
        }
        let moves = position.moves();
        self.stack_bytes += Self::frame_bytes(&position, moves.len(), depth);
        Frame { successors: Vec::with_capacity(moves.len()), position, moves }
    }

    fn within_limits(&self, position: &P, meter: &mut Meter) -> Result<(), SearchError> {
        if position.history_matters() && self.opened > MAX_HISTORIES {
            return Err(SearchError::Unsupported(format!(
                "this game depends on its history, so equal positions cannot be shared, and it has more than \
                 {MAX_HISTORIES} histories: too large for an exhaustive search"
            )));
        }
        if self.opened > MAX_POSITIONS || self.tried > MAX_MOVES {
            return Err(SearchError::Unsupported(format!(
                "this game has more than {MAX_POSITIONS} positions or {MAX_MOVES} moves: too large for an \
                 exhaustive search"
            )));
        }
        if meter.budget().memory.is_some_and(|most| self.bytes_to_insert() > most) {
            meter.stop(StopReason::Memory);
        }
        Ok(())
    }
}
