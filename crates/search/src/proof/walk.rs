//! The path of a search by df-pn, and the children of the positions on it.
//!
//! The walk keeps its own stack. A frame holds its children's numbers as it saw them; a child is looked up in the table once
//! more when it is chosen. Successors that are ends of games are judged when their parent is entered, and if one of them
//! settles the parent the rest is not looked at. An adviser is asked, and told, here.

use super::Status;
use super::engine::DfPnEngine;
use super::shelf::Shelf;
use super::solve::Work;
use super::table::{MOST, Table};
use super::thresholds::{Child, Method};
use super::together::{Memory, Others};
use std::ops::ControlFlow;
use tesuji_core::{Advice, Adviser, Aim, Measure, Outcome, Undoable};

/// A position on the path.
pub(super) struct Frame<M, U> {
    /// How to go back to the parent; nothing at the root.
    pub(super) back: Option<(M, U)>,
    pub(super) key: u64,
    pub(super) or_node: bool,
    pub(super) thresholds: [u32; 2],
    /// Where its children begin in the common list; they end where the list does.
    pub(super) first: usize,
    /// The child being worked on.
    pub(super) chosen: usize,
    /// Positions entered at and below this one, on earlier visits and on this one.
    pub(super) before: u64,
    pub(super) now: u64,
}

/// Where a walk works.
#[derive(Clone, Copy)]
pub(super) struct At<'a> {
    pub(super) method: &'a Method,
    pub(super) table: &'a Table,
    pub(super) others: Option<&'a Others>,
}

/// Whether moves are better looked at on a copy: where taking back needs a whole position, making one is enough.
const fn copies<P: Undoable>() -> bool {
    size_of::<P::Undo>() >= size_of::<P>()
}

/// The state of one walk.
pub(super) struct Walk<'a, P: Undoable> {
    pub(super) adviser: Option<&'a mut dyn Adviser<P>>,
    /// What the adviser said last.
    advice: Advice<P::Move>,
    pub(super) position: P,
    scratch: P,
    pub(super) frames: Vec<Frame<P::Move, P::Undo>>,
    pub(super) children: Vec<Child<P::Move>>,
    /// Which children may be in the table.
    known: Vec<u32>,
    pub(super) shelf: Shelf<P::Move>,
    /// The time was up while the adviser was asked: what he said is not used.
    pub(super) cut_off: bool,
    pub(super) aim: Aim,
    pub(super) salt: u64,
}

impl<'a, P: Undoable> Walk<'a, P> {
    /// A walk from `root`, whose ends are judged by `aim` and whose keys belong to the question with this salt.
    pub(super) fn new(root: &P, aim: Aim, salt: u64, adviser: Option<&'a mut dyn Adviser<P>>) -> Walk<'a, P> {
        let (position, scratch) = (root.clone(), root.clone());
        let (advice, frames, children, known) = (Advice::default(), Vec::new(), Vec::new(), Vec::new());
        let shelf = Shelf::closed();
        Walk { adviser, advice, position, scratch, frames, children, known, shelf, cut_off: false, aim, salt }
    }

    /// The same with a shelf for children, if there `is` one.
    pub(super) fn with_shelf(self, is: bool) -> Walk<'a, P> {
        Walk { shelf: if is { Shelf::open() } else { Shelf::closed() }, ..self }
    }

    pub(super) fn has_shelf(&self) -> bool {
        self.shelf.is_open()
    }

    /// Lists and looks at the children of the position now on the board, which has this key and has not been entered before if it is `fresh`; or answers that
    /// it is settled. The root never is: its move is wanted.
    #[inline]
    pub(super) fn look(
        &mut self,
        at: At<'_>,
        key: u64,
        depth: u32,
        fresh: bool,
        work: &mut Work<'_, P::Move>,
    ) -> Status {
        let At { method, table, others } = at;
        // What is found out here will be written there.
        table.prefetch(key);
        let Walk { adviser, advice, position, scratch, children, known, cut_off, aim, salt, .. } = self;
        let first = children.len();
        let start = [method.start(depth + 1); 2];
        let child = |mv| Child { mv, key: 0, numbers: start, penalty: 0, status: Status::Unknown };
        let mut advised = false;
        if let Some(adviser) = adviser {
            advice.clear();
            adviser.advise(position, *aim, advice);
            // An adviser may take as long as many positions: the clock is looked at every time.
            if adviser.is_slow()
                && let Some(reason) = work.late()
            {
                work.meter.stop(reason);
                *cut_off = true;
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
            child.key = DfPnEngine::key_of(hash, position.history_matters(), key, *salt);
            table.prefetch_filter(child.key);
        }
        work.looked_at += (children.len() - first) as u64;
        if children.last().is_some_and(|child| child.status == wanted) {
            return Status::Unknown;
        }
        if fresh && method.settings.late {
            self.penalise(others, first);
            return Status::Unknown;
        }
        // The table is much larger than the caches: what is wanted from it is asked for in one go, without branches, so that the ways overlap.
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
                self.spread(first, number);
            }
        }
        self.penalise(others, first);
        Status::Unknown
    }

    /// Takes the children of the position now on the board from the shelf, if they are there.
    #[inline]
    pub(super) fn take_up(&mut self, others: Option<&Others>, key: u64) -> bool {
        let Some(list) = self.shelf.get(key) else { return false };
        let first = self.children.len();
        self.children.extend_from_slice(list);
        self.penalise(others, first);
        true
    }

    /// Tells an adviser who learns that the position on the board, whose children begin at `first`, is solved.
    pub(super) fn tell(&mut self, first: usize, best: usize, status: Status) {
        let Walk { adviser, position, children, aim, .. } = self;
        let Some(adviser) = adviser.as_mut().filter(|adviser| adviser.learns() && aim.is_about_winning()) else {
            return;
        };
        let winner = if status == Status::Proved { aim.player } else { aim.player.other() };
        let by = if position.turn() == winner { children.get(best).map(|child| child.mv) } else { None };
        adviser.solved(position, winner, by, &mut children[first..].iter().map(|child| child.mv));
    }

    /// Asks an adviser who learns which children from `first` on lose as the one at `lost` does, if it does.
    pub(super) fn spread(&mut self, first: usize, lost: usize) {
        let Walk { adviser, position, children, aim, .. } = self;
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

    /// What other threads add to the children from `first` on.
    #[inline]
    fn penalise(&mut self, others: Option<&Others>, first: usize) {
        let Some(others) = others else { return };
        let least = usize::from(self.position.turn() != self.aim.player);
        for child in self.children[first..].iter_mut().filter(|child| child.status == Status::Unknown) {
            child.penalty = others.penalty(child.key, child.numbers[least]);
        }
    }

    /// Whether some position lies on the path twice.
    pub(super) fn runs_in_circles(&self) -> bool {
        let mut keys: Vec<u64> = self.frames.iter().map(|frame| frame.key).collect();
        keys.sort_unstable();
        keys.windows(2).any(|pair| pair[0] == pair[1])
    }

    /// Goes back until so many positions are on the path.
    pub(super) fn unwind(&mut self, length: usize, memory: &Memory<'_>) {
        while self.frames.len() > length {
            let frame = self.frames.pop().expect("more than one");
            self.children.truncate(frame.first);
            memory.leave(frame.key);
            let (mv, undo) = frame.back.expect("only the root has no way back");
            self.position.unmake(mv, undo);
        }
    }
}
