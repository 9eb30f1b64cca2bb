//! The engine of df-pn: depth-first search by thresholds, with a table.
//!
//! A node is worked on while both its numbers are below its thresholds; then its parent decides anew. Let *least* be the
//! number the mover makes small (pn at OR nodes) and *sum* the other one. The child c of the smallest least gets
//!
//! > least threshold = min(own least threshold, max(least₂ + 1, ⌈least₂·(1+ε)⌉)),  least₂: that of the second-best child
//! > sum threshold   = own sum threshold − (sum − sum_c)
//!
//! so the leaf reached is the most-proving one, without a way back to the root each time. With ε > 0 the search stays
//! longer where it is. Weak sums count a node's sum as max sumᵢ + (unsolved children − 1), which does not count
//! a shared subtree twice over (Ueda et al. 2008).
//!
//! The walk keeps its own stack. A frame holds its children's numbers as it saw them; a child is looked up in the table once
//! more when it is chosen. Successors that are ends of games are judged when their parent is entered, and if one of them
//! settles the parent the rest is not looked at.
//!
//! **Keys.** Equal positions share an entry, unless the game's history matters: then the key of a position is made of
//! all positions from the root to it, so nothing is shared between different histories
//! (`docs/decisions/0007-proofs-and-history.md`).
//!
//! **Circles.** Where positions repeat and the rules do not care, there is no value to find; a path that runs in
//! a circle ends the search with an error, as the oracle does.

use super::adviser::{Advice, Adviser};
use super::extract::{Guide, extract};
use super::solve::{Answered, DEFAULT_MEMORY, Engine, LONGEST_LINE, Verdict, Work};
use super::table::{Found, MOST, NO_MOVE, Table};
use super::{Aim, Claim, Measure, Status};
use crate::SearchError;
use std::ops::ControlFlow;
use tesuji_core::{Certificate, Outcome, Position, Undoable, mix};

/// No threshold.
const INFINITE: u32 = u32::MAX;

/// A path is looked through for a circle when it gets as long as this, and whenever it has doubled since.
const CIRCLE_CHECK: usize = 64;

/// So far back on the path a known position is looked for; and so often known positions ask for the time.
const NEAR: usize = 1_024;

fn circle() -> SearchError {
    SearchError::Unfit("positions of this game repeat, so it has no value to prove".into())
}

/// How df-pn works.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// 1+ε: how much longer to stay; 0 is plain df-pn.
    pub epsilon: f64,
    /// Unknown leaves start at E^(D−depth) while depth < D: E. 1 is plain df-pn, 0 starts all leaves at 0.
    pub e: f64,
    /// And D.
    pub d: u32,
    /// Whether sums are weak.
    pub weak: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { epsilon: 0.0, e: 1.0, d: 0, weak: false }
    }
}

impl Settings {
    /// The number of an unknown leaf at this depth.
    #[inline]
    fn start(&self, powers: &[u32], depth: u32) -> u32 {
        if self.e == 0.0 {
            return 0;
        }
        if self.e == 1.0 || depth >= self.d {
            return 1;
        }
        powers.get((self.d - depth) as usize).copied().unwrap_or(MOST)
    }

    /// The powers of E that are needed, rounded down, as far as they stay below the largest number.
    fn powers(&self) -> Vec<u32> {
        let most = f64::from(MOST);
        let powers = std::iter::successors(Some(1.0_f64), |power| Some(power * self.e));
        powers
            .take(self.d as usize + 1)
            .take_while(|power| (1.0..most).contains(power))
            .map(|power| power as u32)
            .collect()
    }
}

/// A child, as its parent's frame sees it.
#[derive(Clone, Copy)]
struct Child<M> {
    mv: M,
    key: u64,
    numbers: [u32; 2],
    status: Status,
}

/// A position on the path.
struct Frame<M, U> {
    /// How to go back to the parent; nothing at the root.
    back: Option<(M, U)>,
    key: u64,
    or_node: bool,
    thresholds: [u32; 2],
    /// Where its children begin in the common list; they end where the list does.
    first: usize,
    /// The child being worked on.
    chosen: usize,
    /// Positions entered at and below this one, on earlier visits and on this one.
    before: u64,
    now: u64,
}

/// What the children say together.
struct Summary {
    status: Status,
    numbers: [u32; 2],
    /// The child to work on, or the one that settles the node.
    best: usize,
    /// The second smallest least number; infinite if there is none.
    second: u32,
    /// The sum without the best child.
    others: u64,
}

/// The engine.
pub(super) struct DfPnEngine {
    settings: Settings,
    /// E⁰, E¹, …
    powers: Vec<u32>,
    table: Table,
}

impl DfPnEngine {
    pub(super) fn new(settings: Settings) -> DfPnEngine {
        DfPnEngine { powers: settings.powers(), settings, table: Table::new(0) }
    }

    /// Forgets everything; a table of at most so many bytes.
    pub(super) fn begin(&mut self, memory: Option<u64>) {
        self.table = Table::new(memory.unwrap_or(DEFAULT_MEMORY));
    }

    /// The key of the position that a search begins with.
    fn root_key<P: Position>(root: &P, aim: Aim) -> u64 {
        root.hash().0 ^ aim.salt()
    }

    /// The key of a position below one with the key `parent`.
    #[inline]
    fn key<P: Position>(position: &P, parent: u64, salt: u64) -> u64 {
        let hash = position.hash().0;
        if position.history_matters() { mix(parent.rotate_left(1) ^ hash) } else { hash ^ salt }
    }

    #[inline]
    fn summarise<M>(&self, children: &[Child<M>], or_node: bool) -> Summary {
        let (wanted, least) = (Status::wanted(or_node), usize::from(!or_node));
        let (mut best, mut first, mut second) = (usize::MAX, INFINITE, INFINITE);
        let (mut sum, mut most, mut unsolved) = (0_u64, 0, 0_u64);
        for (number, child) in children.iter().enumerate() {
            if child.status == wanted {
                return Summary { status: wanted, numbers: [0, 0], best: number, second, others: 0 };
            }
            if child.status != Status::Unknown {
                continue;
            }
            unsolved += 1;
            sum += u64::from(child.numbers[1 - least]);
            most = most.max(child.numbers[1 - least]);
            let value = child.numbers[least];
            if value < first {
                (second, first, best) = (first, value, number);
            } else if value < second {
                second = value;
            }
        }
        if best == usize::MAX {
            return Summary { status: Status::unwanted(or_node), numbers: [0, 0], best, second, others: 0 };
        }
        let own = u64::from(children[best].numbers[1 - least]);
        let (total, others) =
            if self.settings.weak { (u64::from(most) + unsolved - 1, unsolved - 1) } else { (sum, sum - own) };
        let mut numbers = [0; 2];
        numbers[least] = first.min(MOST);
        numbers[1 - least] = total.min(u64::from(MOST)) as u32;
        Summary { status: Status::Unknown, numbers, best, second, others }
    }

    /// The thresholds of the chosen child.
    #[inline]
    fn child_thresholds(&self, own: [u32; 2], summary: &Summary, or_node: bool) -> [u32; 2] {
        let least = usize::from(!or_node);
        let mut stay = summary.second.saturating_add(1);
        if self.settings.epsilon > 0.0 && summary.second < INFINITE {
            let longer = (f64::from(summary.second) * (1.0 + self.settings.epsilon)).ceil();
            stay = stay.max(longer.min(f64::from(INFINITE)) as u32);
        }
        // Where numbers have reached their limit they tell nothing apart any more: a threshold above it is none.
        if stay > MOST {
            stay = INFINITE;
        }
        let mut thresholds = [0; 2];
        thresholds[least] = own[least].min(stay);
        let sum = own[1 - least];
        thresholds[1 - least] = if sum == INFINITE {
            INFINITE
        } else {
            u32::try_from(u64::from(sum).saturating_sub(summary.others)).unwrap_or(INFINITE)
        };
        thresholds
    }
}

/// Whether moves are better looked at on a copy: where taking back needs a whole position, making one is enough.
const fn copies<P: Undoable>() -> bool {
    size_of::<P::Undo>() >= size_of::<P>()
}

/// The state of one walk.
struct Walk<'a, P: Undoable> {
    adviser: Option<&'a mut dyn Adviser<P>>,
    /// What the adviser said last.
    advice: Advice<P::Move>,
    position: P,
    scratch: P,
    frames: Vec<Frame<P::Move, P::Undo>>,
    children: Vec<Child<P::Move>>,
    aim: Aim,
    salt: u64,
}

impl<'a, P: Undoable> Walk<'a, P> {
    /// A walk from `root`, whose ends are judged by `aim` and whose keys belong to the question with this salt.
    fn new(root: &P, aim: Aim, salt: u64, adviser: Option<&'a mut dyn Adviser<P>>) -> Walk<'a, P> {
        let (position, scratch) = (root.clone(), root.clone());
        let (advice, frames, children) = (Advice::default(), Vec::new(), Vec::new());
        Walk { adviser, advice, position, scratch, frames, children, aim, salt }
    }

    /// Lists and looks at the children of the position now on the board, which has this key; or answers that it is settled. The root
    /// never is: its move is wanted.
    #[inline]
    fn look(&mut self, engine: &DfPnEngine, key: u64, depth: u32, work: &mut Work<'_, P::Move>) -> Status {
        let Walk { adviser, advice, position, scratch, children, aim, salt, .. } = self;
        let first = children.len();
        let start = [engine.settings.start(&engine.powers, depth + 1); 2];
        let child = |mv| Child { mv, key: 0, numbers: start, status: Status::Unknown };
        let mut advised = false;
        if let Some(adviser) = adviser {
            advice.clear();
            adviser.advise(position, *aim, advice);
            advised = advice.winner.is_none();
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
                child.numbers = numbers.map(|number| number.min(MOST));
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
            let mut judge = |next: &P| match next.outcome() {
                Some(outcome) => (work.judge(*aim, outcome), 0),
                None => (Status::Unknown, DfPnEngine::key(next, key, *salt)),
            };
            let (status, child_key) = if copies::<P>() {
                scratch.clone_from(position);
                scratch.play(mv);
                judge(scratch)
            } else {
                let undo = position.make(mv);
                let seen = judge(position);
                position.unmake(mv, undo);
                seen
            };
            let child = &mut children[number];
            (child.status, child.key) = (status, child_key);
            if child.status == wanted {
                children.truncate(number + 1);
                break;
            }
        }
        work.looked_at += (children.len() - first) as u64;
        if children.last().is_some_and(|child| child.status == wanted) {
            return Status::Unknown;
        }
        // The table is much larger than the caches: ask for all buckets first, so that their ways overlap.
        let open = || (first..children.len()).filter(|number| children[*number].status == Status::Unknown);
        std::hint::black_box(open().fold(0, |sum, number| sum ^ engine.table.touch(children[number].key)));
        for child in children[first..].iter_mut().filter(|child| child.status == Status::Unknown) {
            if let Some(found) = engine.table.probe(child.key) {
                (child.status, child.numbers) = (found.status, found.numbers);
            }
        }
        Status::Unknown
    }

    /// Whether some position lies on the path twice.
    fn runs_in_circles(&self) -> bool {
        let mut keys: Vec<u64> = self.frames.iter().map(|frame| frame.key).collect();
        keys.sort_unstable();
        keys.windows(2).any(|pair| pair[0] == pair[1])
    }

    /// Goes back to the root.
    fn unwind(&mut self) {
        while self.frames.len() > 1 {
            let frame = self.frames.pop().expect("more than one");
            self.children.truncate(frame.first);
            let (mv, undo) = frame.back.expect("only the root has no way back");
            self.position.unmake(mv, undo);
        }
    }
}

impl DfPnEngine {
    /// Works on the root of a walk until it is solved or the budget is spent; then its children are in the walk's list.
    /// The root has this key.
    fn run<P: Undoable>(
        &mut self,
        walk: &mut Walk<'_, P>,
        key: u64,
        work: &mut Work<'_, P::Move>,
    ) -> Result<Summary, SearchError> {
        let aim = walk.aim;
        let or_node = walk.position.turn() == aim.player;
        let before = self.table.probe(key);
        if before.is_none() && !work.meter.iteration() {
            return Ok(Summary { status: Status::Unknown, numbers: [1, 1], best: 0, second: INFINITE, others: 0 });
        }
        walk.look(self, key, 0, work);
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
                self.table.store(frame.key, &found);
                if frame.back.is_none() {
                    return Ok(summary);
                }
                let frame = walk.frames.pop().expect("just seen");
                walk.children.truncate(frame.first);
                let (mv, undo) = frame.back.expect("just seen");
                walk.position.unmake(mv, undo);
                let parent = walk.frames.last_mut().expect("the root has no way back");
                let child = &mut walk.children[parent.chosen];
                (child.status, child.numbers) = (summary.status, summary.numbers);
                parent.now += frame.now;
                continue;
            }
            let thresholds = self.child_thresholds(frame.thresholds, &summary, frame.or_node);
            frame.chosen = frame.first + summary.best;
            let child = &mut walk.children[frame.chosen];
            // It may have been reached from elsewhere meanwhile.
            let found = self.table.probe(child.key);
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
                match work.re_expansions.is_multiple_of(NEAR as u64).then(|| work.late()).flatten() {
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
                walk.unwind();
                return Ok(self.summarise(&walk.children, or_node));
            }
            let undo = walk.position.make(mv);
            work.meter.add_nodes(1);
            work.depth = work.depth.max(depth);
            let first = walk.children.len();
            let settled = walk.look(self, key, depth, work);
            if settled != Status::Unknown {
                self.table.store(key, &Found { status: settled, numbers: [0, 0], best: NO_MOVE, work: 1 });
                walk.position.unmake(mv, undo);
                let parent = walk.frames.last_mut().expect("the root is not settled");
                walk.children[parent.chosen].status = settled;
                parent.now += 1;
                continue;
            }
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
                    (numbers.map(f64::from), path, self.table.peak_bytes())
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
    type At = u64;

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
        let summary = self.engine.run(&mut walk, key, self.work)?;
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
        let mut walk = Walk::new(root, aim, aim.salt(), adviser);
        let summary = self.run(&mut walk, DfPnEngine::root_key(root, aim), work)?;
        let mut verdict = Verdict::unknown(root.move_count());
        for (status, mv) in verdict.moves.iter_mut().zip(root.moves()) {
            if let Some(child) = walk.children.iter().find(|child| child.mv == mv) {
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
        let mut meter = work.meter.budget().meter();
        let mut guide = Solved { engine: self, adviser, work, aim: answered.sharp(), salt: aim.salt(), status };
        extract(root, claim, &mut guide, DfPnEngine::root_key(root, aim), &mut meter)
    }
}

impl<P: Undoable> Engine<P> for DfPnEngine {
    fn ask(&mut self, root: &P, aim: Aim, work: &mut Work<'_, P::Move>) -> Result<Verdict, SearchError> {
        self.answer(root, aim, None, work)
    }

    fn line(&mut self, root: &P, aim: Aim) -> Vec<P::Move> {
        let mut line = Vec::new();
        let (mut position, mut next) = (root.clone(), root.clone());
        let mut key = DfPnEngine::root_key(root, aim);
        let Some(status) = self.table.probe(key).map(|found| found.status) else { return line };
        while position.outcome().is_none() && line.len() < LONGEST_LINE {
            // The move that settles it, or the one that took the most work to refute.
            let mut chosen: Option<(u64, P::Move, u64)> = None;
            for mv in position.moves() {
                next.clone_from(&position);
                next.play(mv);
                let child_key = DfPnEngine::key(&next, key, aim.salt());
                let (child, work) = match next.outcome() {
                    Some(outcome) if aim.worth(outcome) >= aim.least => (Status::Proved, 0),
                    Some(_) => (Status::Disproved, 0),
                    None => {
                        self.table.probe(child_key).map_or((Status::Unknown, 0), |found| (found.status, found.work))
                    }
                };
                if child == status && chosen.is_none_or(|(most, ..)| work > most) {
                    chosen = Some((work, mv, child_key));
                    if status == Status::wanted(position.turn() == aim.player) {
                        break;
                    }
                }
            }
            let Some((_, mv, child_key)) = chosen.filter(|_| status != Status::Unknown) else { break };
            line.push(mv);
            position.play(mv);
            key = child_key;
        }
        line
    }

    fn prove(&mut self, root: &P, answered: Answered, work: &mut Work<'_, P::Move>) -> Result<Claim, SearchError> {
        self.write_proof(root, answered, None, work)
    }

    fn memory_bytes(&self) -> u64 {
        self.table.peak_bytes()
    }

    fn figures(&self, figures: &mut Vec<(&'static str, f64)>) {
        figures.push(("table entries", self.table.entries() as f64));
        figures.push(("collections", self.table.collections() as f64));
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST, Settings};

    #[test]
    fn deep_leaves_start_as_published() {
        let start = |e: f64, d: u32, depth: u32| {
            let settings = Settings { e, d, ..Settings::default() };
            settings.start(&settings.powers(), depth)
        };
        assert_eq!((0..8).map(|depth| start(3.0, 5, depth)).collect::<Vec<_>>(), [243, 81, 27, 9, 3, 1, 1, 1]);
        assert_eq!((start(0.0, 5, 2), start(1.0, 50, 2)), (0, 1));
        assert_eq!(start(20.0, 1_000_000, 2), MOST, "powers stop below infinity");
    }
}
