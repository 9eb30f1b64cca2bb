//! The engine of df-pn: depth-first search by thresholds, with a table.
//!
//! The path and its children: `walk.rs`. Which child is worked on, and for how long: `thresholds.rs`. Several threads: `together.rs`.
//!
//! **Keys.** Equal positions share an entry, unless the game's history matters: then the key of a position is made of
//! all positions from the root to it, so nothing is shared between different histories
//! (`docs/decisions/0007-proofs-and-history.md`).
//!
//! **Circles.** Where positions repeat and the rules do not care, there is no value to find; a path that runs in
//! a circle ends the search with an error, as the oracle does.

use super::Status;
use super::extract::{Guide, extract};
use super::shelf::Shelf;
use super::solve::{Answered, DEFAULT_MEMORY, Engine, Verdict, Work};
use super::table::{Found, NO_MOVE, Table};
use super::thresholds::{INFINITE, Method, Settings, Summary};
use super::together::{Memory, together};
use super::walk::{At, Frame, Walk};
use crate::SearchError;
use tesuji_core::{Adviser, Aim, Budget, Certificate, Measure, Position, PositionHash, StopReason, Undoable, mix};
use tesuji_proof::Claim;

/// A path is looked through for a circle when it gets as long as this, and whenever it has doubled since.
const CIRCLE_CHECK: usize = 64;

/// So far back on the path a known position is looked for.
const NEAR: usize = 1_024;

/// So often known positions ask for the time; they ask for the stop flag always. Each lists its moves again.
const CLOCK: u64 = 64;

/// So often a thread asks whether others have solved a position on its path.
const LOOK_UP: u64 = 256;

fn circle() -> SearchError {
    SearchError::Unsupported("positions of this game repeat, so it has no value to prove".into())
}

/// The engine.
pub(super) struct DfPnEngine {
    method: Method,
    table: Table,
    /// Bytes of all threads' shelves; none if the memory is too short for them.
    shelves: u64,
}

impl DfPnEngine {
    pub(super) fn new(settings: Settings) -> DfPnEngine {
        DfPnEngine { method: Method { powers: settings.powers(), settings }, table: Table::new(0), shelves: 0 }
    }

    /// Forgets everything; a table and shelves of at most as many bytes as the budget has.
    /// Where children are `dear`, as some advisers list them, they are kept on shelves.
    pub(super) fn begin<P: Position>(&mut self, budget: &Budget, dear: bool) {
        let memory = budget.memory.unwrap_or(DEFAULT_MEMORY);
        let shelves = Shelf::<P::Move>::BYTES as u64 * u64::from(budget.thread_count());
        self.shelves = if dear && shelves <= memory / 8 { shelves } else { 0 };
        self.table = Table::new(memory - self.shelves);
    }

    /// Gives the table back.
    pub(super) fn forget(&mut self) {
        self.table = Table::new(0);
    }

    /// The key of the position that a search begins with.
    fn root_key<P: Position>(root: &P, aim: Aim) -> u64 {
        root.hash().0 ^ aim.salt()
    }

    /// The key of a position below one with the key `parent`.
    #[inline]
    fn key<P: Position>(position: &P, parent: u64, salt: u64) -> u64 {
        DfPnEngine::key_of(position.hash(), position.history_matters(), parent, salt)
    }

    #[inline]
    pub(super) fn key_of(PositionHash(hash): PositionHash, history_matters: bool, parent: u64, salt: u64) -> u64 {
        if history_matters { mix(parent.rotate_left(1) ^ hash) } else { hash ^ salt }
    }
}

impl Method {
    /// Writes down what is known of the positions on the path, before they are left unfinished.
    fn write_path<P: Undoable>(&self, walk: &Walk<'_, P>, memory: &mut Memory<'_>) {
        let mut until = walk.children.len();
        for frame in walk.frames.iter().rev() {
            let summary = self.summarise(&walk.children[frame.first..until], frame.or_node);
            if summary.status == Status::Unknown {
                let work = frame.before + frame.now;
                memory
                    .store(frame.key, &Found { status: summary.status, numbers: summary.numbers, best: NO_MOVE, work });
            }
            until = frame.first;
        }
    }

    /// Works on the root of a walk until it is solved or the budget is spent; then its children are in the walk's list.
    /// The root has this key.
    pub(super) fn run<P: Undoable>(
        &self,
        mut memory: Memory<'_>,
        walk: &mut Walk<'_, P>,
        key: u64,
        work: &mut Work<'_, P::Move>,
    ) -> Result<Summary, SearchError> {
        let memory = &mut memory;
        let mut entered = 0_u64;
        let aim = walk.aim;
        let or_node = walk.position.turn() == aim.player;
        let before = memory.table().probe(key);
        if let Some(adviser) = &mut walk.adviser {
            adviser.limit(&work.meter.deadline());
        }
        if before.is_none() && !work.meter.iteration() {
            return Ok(Summary::NOTHING);
        }
        walk.look(At { method: self, table: memory.table(), others: memory.others() }, key, 0, false, work);
        if walk.cut_off {
            return Ok(Summary::NOTHING);
        }
        let below = before.map_or(0, |found| found.work);
        let thresholds = [INFINITE; 2];
        walk.frames.push(Frame { back: None, key, or_node, thresholds, first: 0, chosen: 0, before: below, now: 1 });
        loop {
            let depth = walk.frames.len() as u32;
            let frame = walk.frames.last_mut().expect("the root's frame stays until the end");
            let summary = self.summarise(&walk.children[frame.first..], frame.or_node);
            let [proof, disproof] = summary.numbers;
            let exceeded = proof >= frame.thresholds[0] || disproof >= frame.thresholds[1];
            if summary.status != Status::Unknown || exceeded {
                let best = walk.children[frame.first..].get(summary.best);
                let best = best.filter(|_| summary.status == Status::wanted(frame.or_node));
                let best = best.map_or(NO_MOVE, |child| walk.position.move_index(child.mv) as u32);
                let found =
                    Found { status: summary.status, numbers: summary.numbers, best, work: frame.before + frame.now };
                memory.store(frame.key, &found);
                if summary.status != Status::Unknown {
                    let (first, best) = (frame.first, frame.first + summary.best.min(walk.children.len()));
                    walk.tell(first, best, summary.status);
                }
                let frame = walk.frames.last().expect("still there");
                if frame.back.is_none() {
                    return Ok(summary);
                }
                let frame = walk.frames.pop().expect("just seen");
                memory.leave(frame.key);
                if summary.status == Status::Unknown {
                    walk.shelf.put(frame.key, &walk.children[frame.first..]);
                }
                walk.children.truncate(frame.first);
                let (mv, undo) = frame.back.expect("just seen");
                walk.position.unmake(mv, undo);
                let parent = walk.frames.last_mut().expect("the root has no way back");
                let child = &mut walk.children[parent.chosen];
                (child.status, child.numbers) = (summary.status, summary.numbers);
                if let Some(others) = memory.others() {
                    child.penalty = others.penalty(child.key, child.numbers[usize::from(!parent.or_node)]);
                }
                parent.now += frame.now;
                let (first, chosen) = (parent.first, parent.chosen);
                walk.spread(first, chosen);
                continue;
            }
            let thresholds = self.child_thresholds(frame.thresholds, &summary, frame.or_node);
            frame.chosen = frame.first + summary.best;
            let child = &mut walk.children[frame.chosen];
            // It may have been reached from elsewhere meanwhile.
            let table = memory.table();
            let found = if table.may_know(child.key) { table.probe(child.key) } else { None };
            if let Some(found) = found {
                (child.status, child.numbers) = (found.status, found.numbers);
                let beyond = found.numbers[0] >= thresholds[0] || found.numbers[1] >= thresholds[1];
                if found.status != Status::Unknown || beyond {
                    continue;
                }
            }
            let (mv, key) = (child.mv, child.key);
            let goes_on = if found.is_some() {
                work.re_expansions += 1;
                // What is known and lies on the path itself would feed on its own numbers.
                if walk.frames.iter().rev().take(NEAR).any(|frame| frame.key == key) {
                    return Err(circle());
                }
                let asks = work.re_expansions.is_multiple_of(CLOCK) || work.meter.budget().stop.is_stopped();
                match asks.then(|| work.late()).flatten() {
                    Some(reason) => {
                        work.meter.stop(reason);
                        false
                    }
                    None => true,
                }
            } else {
                work.meter.iteration()
            };
            if !goes_on {
                walk.unwind(1, memory);
                return Ok(self.summarise(&walk.children, or_node));
            }
            if let Some(others) = memory.others() {
                entered += 1;
                let spent = others.share.is_some_and(|most| entered > most);
                if spent {
                    work.meter.stop(StopReason::Nodes);
                }
                if spent || others.is_over() {
                    self.write_path(walk, memory);
                    walk.unwind(1, memory);
                    return Ok(self.summarise(&walk.children, or_node));
                }
                if entered.is_multiple_of(LOOK_UP) {
                    let table = memory.table();
                    let solved = |frame: &Frame<P::Move, P::Undo>| {
                        table.probe(frame.key).filter(|found| found.status != Status::Unknown)
                    };
                    let settled =
                        walk.frames.iter().enumerate().skip(1).find_map(|(at, frame)| Some((at, solved(frame)?)));
                    if let Some((at, found)) = settled {
                        walk.unwind(at, memory);
                        let parent = walk.frames.last().expect("the root stays");
                        walk.children[parent.chosen].status = found.status;
                        continue;
                    }
                }
            }
            let undo = walk.position.make(mv);
            work.meter.add_nodes(1);
            work.depth = work.depth.max(depth);
            let first = walk.children.len();
            let at = At { method: self, table: memory.table(), others: memory.others() };
            let mut settled = Status::Unknown;
            if found.is_none() || !walk.take_up(at.others, key) {
                settled = walk.look(at, key, depth, found.is_none(), work);
            }
            if walk.cut_off {
                walk.position.unmake(mv, undo);
                walk.unwind(1, memory);
                return Ok(self.summarise(&walk.children, or_node));
            }
            if settled != Status::Unknown {
                memory.store(key, &Found { status: settled, numbers: [0, 0], best: NO_MOVE, work: 1 });
                walk.position.unmake(mv, undo);
                let parent = walk.frames.last_mut().expect("the root is not settled");
                walk.children[parent.chosen].status = settled;
                parent.now += 1;
                let (first, chosen) = (parent.first, parent.chosen);
                walk.spread(first, chosen);
                continue;
            }
            memory.enter(key);
            let or_node = walk.position.turn() == aim.player;
            let below = found.map_or(0, |found| found.work);
            let back = Some((mv, undo));
            walk.frames.push(Frame { back, key, or_node, thresholds, first, chosen: 0, before: below, now: 1 });
            let length = walk.frames.len();
            if length >= CIRCLE_CHECK && length.is_power_of_two() && walk.runs_in_circles() {
                return Err(circle());
            }
            if found.is_none() {
                work.show(|| {
                    let root = &walk.frames[0];
                    let until = walk.frames.get(1).map_or(walk.children.len(), |frame| frame.first);
                    let numbers = self.summarise(&walk.children[..until], root.or_node).numbers;
                    let path = walk.frames[1..].iter().filter_map(|frame| Some(frame.back.as_ref()?.0)).collect();
                    (numbers.map(f64::from), path, memory.table().peak_bytes())
                });
            }
        }
    }
}

/// The way through a solved position: by the moves in the table, and where they are lost by searching again.
struct Solved<'a, 'b, 'c, 'd, P: Position> {
    engine: &'a mut DfPnEngine,
    adviser: Option<&'d mut dyn Adviser<P>>,
    work: &'b mut Work<'c, P::Move>,
    /// The question, made as sharp as its answer: ends met while searching again must be worth what is claimed.
    aim: Aim,
    salt: u64,
    status: Status,
}

impl<P: Undoable> Guide<P> for Solved<'_, '_, '_, '_, P> {
    fn winning(&mut self, position: &P, key: u64) -> Result<Option<P::Move>, SearchError> {
        let known = self.engine.table.probe(key).filter(|found| found.status == self.status);
        let known = known.and_then(|found| position.move_at(found.best as usize)).filter(|mv| position.is_legal(*mv));
        if known.is_some() {
            return Ok(known);
        }
        // Not inside `as_deref_mut`: the borrow must be as short as the walk.
        let adviser: Option<&mut dyn Adviser<P>> = match &mut self.adviser {
            Some(adviser) => Some(&mut **adviser),
            None => None,
        };
        let mut walk = Walk::new(position, self.aim, self.salt, adviser);
        let DfPnEngine { method, table, .. } = &mut *self.engine;
        let summary = method.run(Memory::Alone(table), &mut walk, key, self.work)?;
        let best = walk.children.get(summary.best).filter(|_| summary.status == self.status);
        Ok(best.map(|child| child.mv))
    }

    fn certificate(&mut self, position: &P, listed: &mut Vec<P::Move>) -> Option<Certificate> {
        let claimant = if self.status == Status::Proved { self.aim.player } else { self.aim.player.other() };
        let adviser = self.adviser.as_mut().filter(|_| self.aim.measure == Measure::Score)?;
        adviser.certify(position, claimant, listed)
    }

    fn after(&mut self, key: u64, _: usize, next: &P) -> u64 {
        DfPnEngine::key(next, key, self.salt)
    }
}

impl DfPnEngine {
    /// Works on a question, perhaps with an adviser.
    pub(super) fn answer<P: Undoable>(
        &mut self,
        root: &P,
        aim: Aim,
        adviser: Option<&mut dyn Adviser<P>>,
        work: &mut Work<'_, P::Move>,
    ) -> Result<Verdict, SearchError> {
        let key = DfPnEngine::root_key(root, aim);
        self.table.deadline = work.meter.deadline();
        let threads = work.meter.budget().thread_count();
        let mut helpers: Vec<Option<Box<dyn Adviser<P>>>> = Vec::new();
        if threads > 1 {
            let forked = |_| match &adviser {
                None => Some(None),
                Some(adviser) => adviser.fork().map(Some),
            };
            // An adviser that cannot be shared works alone.
            helpers = (1..threads).map(forked).collect::<Option<_>>().unwrap_or_default();
        }
        let mut walk = Walk::new(root, aim, aim.salt(), adviser).with_shelf(self.shelves > 0);
        let (summary, children) = if helpers.is_empty() {
            let summary = self.method.run(Memory::Alone(&mut self.table), &mut walk, key, work)?;
            (summary, walk.children)
        } else {
            together(&self.method, &mut self.table, walk, helpers, key, work)?
        };
        let mut verdict = Verdict::unknown(root.move_count());
        for (status, mv) in verdict.moves.iter_mut().zip(root.moves()) {
            if let Some(child) = children.iter().find(|child| child.mv == mv) {
                *status = child.status;
            }
        }
        verdict.status = summary.status;
        verdict.numbers = match summary.status {
            Status::Unknown => summary.numbers.map(f64::from),
            Status::Proved => [0.0, f64::INFINITY],
            Status::Disproved => [f64::INFINITY, 0.0],
        };
        Ok(verdict)
    }

    /// The proof of an answer, perhaps with an adviser.
    pub(super) fn write_proof<P: Undoable>(
        &mut self,
        root: &P,
        answered: Answered,
        adviser: Option<&mut dyn Adviser<P>>,
        work: &mut Work<'_, P::Move>,
    ) -> Result<Claim, SearchError> {
        let Answered { aim, status, claim } = answered;
        // Proofs of several claims have the time of the budget together.
        let hard_time = work.meter.budget().hard_time.map(|most| most.saturating_sub(work.meter.elapsed()));
        let mut meter = Budget { hard_time, ..work.meter.budget().clone() }.meter();
        // Certificates may be searched for.
        let mut adviser = adviser;
        if let Some(adviser) = &mut adviser {
            adviser.limit(&work.meter.deadline());
        }
        let mut guide = Solved { engine: self, adviser, work, aim: answered.sharp(), salt: aim.salt(), status };
        extract(root, claim, &mut guide, DfPnEngine::root_key(root, aim), &mut meter)
    }
}

impl DfPnEngine {
    /// The moves after which an answer is known to hold, with the work it took.
    fn solved_moves<'a, P: Position>(
        &'a self,
        answered: &'a Answered,
        key: u64,
        position: &'a P,
    ) -> impl Iterator<Item = (u64, P::Move)> + 'a {
        // Ends that were not seen must be worth what is claimed, not what was asked.
        let sharp = answered.sharp();
        position.moves().into_iter().filter_map(move |mv| {
            let mut next = position.clone();
            next.play(mv);
            let (status, work) = match next.outcome() {
                Some(outcome) if sharp.worth(outcome) >= sharp.least => (Status::Proved, 0),
                Some(_) => (Status::Disproved, 0),
                None => {
                    let found = self.table.probe(DfPnEngine::key(&next, key, answered.aim.salt()))?;
                    (found.status, found.work)
                }
            };
            (status == answered.status).then_some((work, mv))
        })
    }
}

impl<P: Undoable> Engine<P> for DfPnEngine {
    fn ask(&mut self, root: &P, aim: Aim, work: &mut Work<'_, P::Move>) -> Result<Verdict, SearchError> {
        self.answer(root, aim, None, work)
    }

    fn place(&mut self, root: &P, answered: &Answered) -> Option<u64> {
        Some(DfPnEngine::root_key(root, answered.aim))
    }

    fn place_after(&self, answered: &Answered, key: u64, _: usize, next: &P) -> Option<u64> {
        Some(DfPnEngine::key(next, key, answered.aim.salt()))
    }

    fn own_move(&self, answered: &Answered, key: u64, position: &P) -> Option<P::Move> {
        let found = self.table.probe(key).filter(|found| found.status == answered.status);
        let kept = found.and_then(|found| position.move_at(found.best as usize)).filter(|mv| position.is_legal(*mv));
        // Where the entry is lost, one of a successor may tell.
        kept.or_else(|| self.solved_moves(answered, key, position).next().map(|(_, mv)| mv))
    }

    fn resistance(&self, answered: &Answered, key: u64, position: &P) -> Option<P::Move> {
        let mut hardest: Option<(u64, P::Move)> = None;
        for (work, mv) in self.solved_moves(answered, key, position) {
            if hardest.is_none_or(|(most, _)| work > most) {
                hardest = Some((work, mv));
            }
        }
        hardest.map(|(_, mv)| mv)
    }

    fn prove(&mut self, root: &P, answered: Answered, work: &mut Work<'_, P::Move>) -> Result<Claim, SearchError> {
        self.write_proof(root, answered, None, work)
    }

    fn memory_bytes(&self) -> u64 {
        self.table.peak_bytes() + self.shelves
    }

    fn figures(&self, figures: &mut Vec<(&'static str, f64)>) {
        figures.push(("table entries", self.table.entries() as f64));
        figures.push(("collections", self.table.collections() as f64));
    }
}
