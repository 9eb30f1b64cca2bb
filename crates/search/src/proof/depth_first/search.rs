//! The search of one thread: select a child by thresholds, expand it, back its numbers up.
//!
//! **Cycles.** Where positions can repeat and the rules assign no result to a repetition, the game
//! has no value to prove. A path with a cycle ends the search with an error, as in the oracle.

use super::access::TableAccess;
use super::path::{Frame, NodeContext, SearchPath};
use super::table::{Found, NO_MOVE};
use super::thresholds::{INFINITE, ProofNumbers, Summary};
use crate::SearchError;
use crate::proof::Status;
use crate::proof::question::Work;
use tesuji_core::{Position, StopReason};

/// A path is searched for a cycle when it reaches this length, and at every doubling after that.
const CYCLE_CHECK: usize = 64;

/// The number of positions at the end of the path that are compared with a known child.
const CYCLE_WINDOW: usize = 1_024;

/// Re-expansions between two readings of the clock. The stop flag is read at each, since a
/// re-expansion lists moves again.
const CLOCK_INTERVAL: u64 = 64;

/// Entered positions between two probes for nodes of the path that another thread has solved.
const PROBE_INTERVAL: u64 = 256;

fn repetition() -> SearchError {
    SearchError::Unsupported("positions of this game repeat, so it has no value to prove".into())
}

impl ProofNumbers {
    /// Stores what is known of the positions on the path, before the search leaves them unfinished.
    fn write_path<P: Position>(&self, path: &SearchPath<'_, P>, memory: &mut TableAccess<'_>) {
        let mut until = path.children.len();
        for frame in path.frames.iter().rev() {
            let summary = self.summarise(&path.children[frame.first..until], frame.or_node);
            if summary.status == Status::Unknown {
                let work = frame.before + frame.now;
                memory
                    .store(frame.key, &Found { status: summary.status, numbers: summary.numbers, best: NO_MOVE, work });
            }
            until = frame.first;
        }
    }

    /// Searches the root of `path`, which has this key, until it is solved or the budget is spent.
    /// Afterwards `path.children` holds the children of the root.
    pub(super) fn run<P: Position>(
        &self,
        mut memory: TableAccess<'_>,
        path: &mut SearchPath<'_, P>,
        key: u64,
        work: &mut Work<'_, P::Move>,
    ) -> Result<Summary, SearchError> {
        let memory = &mut memory;
        let mut entered = 0_u64;
        let aim = path.aim;
        let or_node = path.position.turn() == aim.player;
        let before = memory.table().probe(key);
        if let Some(adviser) = &mut path.adviser {
            adviser.limit(&work.meter.deadline());
        }
        if before.is_none() && !work.meter.iteration() {
            return Ok(Summary::NOTHING);
        }
        path.expand(
            NodeContext { rule: self, table: memory.table(), shared_state: memory.shared_state() },
            key,
            0,
            false,
            work,
        );
        if path.interrupted {
            return Ok(Summary::NOTHING);
        }
        let below = before.map_or(0, |found| found.work);
        let thresholds = [INFINITE; 2];
        path.frames.push(Frame { back: None, key, or_node, thresholds, first: 0, chosen: 0, before: below, now: 1 });
        loop {
            let depth = path.frames.len() as u32;
            let frame = path.frames.last_mut().expect("the root's frame stays until the end");
            let summary = self.summarise(&path.children[frame.first..], frame.or_node);
            let [proof, disproof] = summary.numbers;
            let exceeded = proof >= frame.thresholds[0] || disproof >= frame.thresholds[1];
            if summary.status != Status::Unknown || exceeded {
                let best = path.children[frame.first..].get(summary.best);
                let best = best.filter(|_| summary.status == Status::wanted(frame.or_node));
                let best = best.map_or(NO_MOVE, |child| path.position.move_index(child.mv) as u32);
                let found =
                    Found { status: summary.status, numbers: summary.numbers, best, work: frame.before + frame.now };
                memory.store(frame.key, &found);
                if summary.status != Status::Unknown {
                    let (first, best) = (frame.first, frame.first + summary.best.min(path.children.len()));
                    path.report_solved(first, best, summary.status);
                }
                let frame = path.frames.last().expect("still there");
                if frame.back.is_none() {
                    return Ok(summary);
                }
                let frame = path.frames.pop().expect("just seen");
                memory.leave(frame.key);
                if summary.status == Status::Unknown {
                    path.child_cache.put(frame.key, &path.children[frame.first..]);
                }
                path.children.truncate(frame.first);
                let (mv, undo) = frame.back.expect("just seen");
                path.position.unmake(mv, undo);
                let parent = path.frames.last_mut().expect("the root has no way back");
                let child = &mut path.children[parent.chosen];
                (child.status, child.numbers) = (summary.status, summary.numbers);
                if let Some(shared_state) = memory.shared_state() {
                    child.virtual_number =
                        shared_state.virtual_number(child.key, child.numbers[usize::from(!parent.or_node)]);
                }
                parent.now += frame.now;
                let (first, chosen) = (parent.first, parent.chosen);
                path.spread_loss(first, chosen);
                continue;
            }
            let thresholds = self.child_thresholds(frame.thresholds, &summary, frame.or_node);
            frame.chosen = frame.first + summary.best;
            let child = &mut path.children[frame.chosen];
            // Another path, or another thread, may have reached it since it was listed.
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
                // A known position that lies on the path would be evaluated from its own numbers.
                if path.frames.iter().rev().take(CYCLE_WINDOW).any(|frame| frame.key == key) {
                    return Err(repetition());
                }
                let asks = work.re_expansions.is_multiple_of(CLOCK_INTERVAL) || work.meter.budget().stop.is_stopped();
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
                path.unwind(1, memory);
                return Ok(self.summarise(&path.children, or_node));
            }
            if let Some(shared_state) = memory.shared_state() {
                entered += 1;
                let spent = shared_state.share.is_some_and(|most| entered > most);
                if spent {
                    work.meter.stop(StopReason::Nodes);
                }
                if spent || shared_state.is_over() {
                    self.write_path(path, memory);
                    path.unwind(1, memory);
                    return Ok(self.summarise(&path.children, or_node));
                }
                if entered.is_multiple_of(PROBE_INTERVAL) {
                    let table = memory.table();
                    let solved = |frame: &Frame<P::Move, P::Undo>| {
                        table.probe(frame.key).filter(|found| found.status != Status::Unknown)
                    };
                    let settled =
                        path.frames.iter().enumerate().skip(1).find_map(|(at, frame)| Some((at, solved(frame)?)));
                    if let Some((at, found)) = settled {
                        path.unwind(at, memory);
                        let parent = path.frames.last().expect("the root stays");
                        path.children[parent.chosen].status = found.status;
                        continue;
                    }
                }
            }
            let undo = path.position.make(mv);
            work.meter.add_nodes(1);
            work.depth = work.depth.max(depth);
            let first = path.children.len();
            let at = NodeContext { rule: self, table: memory.table(), shared_state: memory.shared_state() };
            let mut settled = Status::Unknown;
            if found.is_none() || !path.restore_children(at.shared_state, key) {
                settled = path.expand(at, key, depth, found.is_none(), work);
            }
            if path.interrupted {
                path.position.unmake(mv, undo);
                path.unwind(1, memory);
                return Ok(self.summarise(&path.children, or_node));
            }
            if settled != Status::Unknown {
                memory.store(key, &Found { status: settled, numbers: [0, 0], best: NO_MOVE, work: 1 });
                path.position.unmake(mv, undo);
                let parent = path.frames.last_mut().expect("the root is not settled");
                path.children[parent.chosen].status = settled;
                parent.now += 1;
                let (first, chosen) = (parent.first, parent.chosen);
                path.spread_loss(first, chosen);
                continue;
            }
            memory.enter(key);
            let or_node = path.position.turn() == aim.player;
            let below = found.map_or(0, |found| found.work);
            let back = Some((mv, undo));
            path.frames.push(Frame { back, key, or_node, thresholds, first, chosen: 0, before: below, now: 1 });
            let length = path.frames.len();
            if length >= CYCLE_CHECK && length.is_power_of_two() && path.has_cycle() {
                return Err(repetition());
            }
            if found.is_none() {
                work.show(|| {
                    let root = &path.frames[0];
                    let until = path.frames.get(1).map_or(path.children.len(), |frame| frame.first);
                    let numbers = self.summarise(&path.children[..until], root.or_node).numbers;
                    let path = path.frames[1..].iter().filter_map(|frame| Some(frame.back.as_ref()?.0)).collect();
                    (numbers.map(f64::from), path, memory.table().peak_bytes())
                });
            }
        }
    }
}
