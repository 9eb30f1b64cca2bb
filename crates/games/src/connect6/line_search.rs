//! Search for lines of double threats: depth first, with iterative deepening by turns and a node
//! limit.
//!
//! Only the claimant has a choice: after each of the claimant's turns all stops count as the
//! opponent's stones (see `line.rs`), so this is a single-agent search. A node is a position at the
//! beginning of the claimant's turn; a turn must leave two threats or more and none of the
//! opponent's. Three end the line, as does a six.
//!
//! The **stops** of a turn are those of a minimal family of threats: windows are dropped, those
//! with two empty points first, as long as the others still need as many stones to be hit.
//!
//! Positions without a line of a given number of turns are stored for the rest of the search.
//!
//! Reference: Zhang 2019, §3.3.2 (VCDT solver, iterative deepening, transposition table); I-C. Wu,
//! D.-Y. Huang, LNCS 4250, 2006 (conservative defence). The search is incomplete: the conservative
//! defence is stronger than any real one.

use super::Threats;
use super::line::{Line, Turn, are_hit_by};
use crate::in_a_row::{LARGEST, Point};
use std::collections::HashMap;
use tesuji_core::{Deadline, Player, mix};

/// Limits of a search for one line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LineLimits {
    /// The most turns.
    pub(super) turns: usize,
    /// The most nodes.
    pub(super) nodes: usize,
}

/// Why there is no line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Failure {
    /// None was found.
    NotFound,
    /// The deadline has passed.
    OutOfTime,
}

/// Searches for lines.
pub(super) struct LineSearch {
    /// The number of turns for which a position has no line.
    failed: HashMap<u64, usize>,
    /// The most entries of `failed`.
    most_failed: usize,
    nodes: usize,
    /// Whether the last iteration was cut off anywhere.
    cut: bool,
}

impl Default for LineSearch {
    fn default() -> LineSearch {
        LineSearch { failed: HashMap::new(), most_failed: usize::MAX, nodes: 0, cut: false }
    }
}

/// The search stops here.
struct Stopped;

/// A turn that makes threats: its stones and its value for ordering.
struct Candidate {
    stones: [Point; 2],
    count: usize,
    threats: usize,
    worth: u32,
}

const WORTH: [u32; super::LINE + 1] = [1, 3, 9, 20, 30, 30, 0];

impl LineSearch {
    /// Stores at most this many positions within a search.
    pub(super) fn memory(&mut self, most: usize) {
        (self.failed, self.most_failed) = (HashMap::new(), most);
    }

    /// The number of stored positions.
    pub(super) fn failed(&self) -> usize {
        self.failed.len()
    }

    /// A line of `player`, who has this many stones in the first turn.
    pub(super) fn find(
        &mut self,
        threats: &mut Threats,
        player: Player,
        stones: usize,
        effort: LineLimits,
        deadline: Option<&Deadline>,
    ) -> Result<Line, Failure> {
        self.nodes = effort.nodes;
        if let Some(points) = threats.completion(player, stones) {
            return Ok(Line(vec![Turn { stones: points, stops: Vec::new() }]));
        }
        self.failed.clear();
        for turns in 1..=effort.turns {
            self.cut = false;
            let mut line = Vec::new();
            match self.look(threats, player, (stones, turns), 0, deadline, &mut line) {
                Ok(true) => {
                    line.reverse();
                    return Ok(Line(line));
                }
                Ok(false) if self.cut => {}
                Ok(false) => break,
                Err(Stopped) => {
                    let late = deadline.is_some_and(Deadline::is_over);
                    return Err(if late { Failure::OutOfTime } else { Failure::NotFound });
                }
            }
        }
        Err(Failure::NotFound)
    }

    /// The nodes that the last search left of its limit.
    pub(super) fn nodes_left(&self) -> usize {
        self.nodes
    }

    /// Whether there is a line of this many turns; the line is built from its end.
    fn look(
        &mut self,
        threats: &mut Threats,
        player: Player,
        (stones, turns): (usize, usize),
        key: u64,
        deadline: Option<&Deadline>,
        line: &mut Vec<Turn>,
    ) -> Result<bool, Stopped> {
        if let Some(points) = threats.completion(player, stones) {
            line.push(Turn { stones: points, stops: Vec::new() });
            return Ok(true);
        }
        if self.failed.get(&key).is_some_and(|failed| *failed >= turns) {
            self.cut = true;
            return Ok(false);
        }
        if self.nodes == 0 || deadline.is_some_and(|deadline| self.nodes.is_multiple_of(16) && deadline.is_over()) {
            return Err(Stopped);
        }
        self.nodes -= 1;
        let opponent = player.other();
        let candidates = candidates(threats, player, stones, turns > 1);
        self.cut |= turns == 1 && candidates.is_empty();
        for Candidate { stones, count, threats: number, .. } in candidates {
            let stones = &stones[..count];
            stones.iter().for_each(|stone| threats.play(*stone, player));
            let stops = stops(threats, player, number);
            let won = number >= 3 || {
                let mut after = stones.iter().fold(key, |key, stone| key ^ stone_key(threats, *stone, player));
                for stop in &stops {
                    threats.play(*stop, opponent);
                    after ^= stone_key(threats, *stop, opponent);
                }
                let won = self.look(threats, player, (2, turns - 1), after, deadline, line);
                stops.iter().for_each(|stop| threats.undo(*stop, opponent));
                match won {
                    Ok(won) => won,
                    Err(Stopped) => {
                        stones.iter().for_each(|stone| threats.undo(*stone, player));
                        return Err(Stopped);
                    }
                }
            };
            stones.iter().for_each(|stone| threats.undo(*stone, player));
            if won {
                line.push(Turn { stones: stones.to_vec(), stops });
                return Ok(true);
            }
        }
        if self.failed.len() < self.most_failed {
            self.failed.insert(key, turns);
        }
        Ok(false)
    }
}

fn stone_key(threats: &Threats, point: Point, player: Player) -> u64 {
    mix((threats.index(point) * 2 + player.index()) as u64 + 1)
}

/// The empty points of a minimal family of windows that needs `number` stones, two or three, to be
/// hit.
fn stops(threats: &Threats, player: Player, number: usize) -> Vec<Point> {
    let mut windows = threats.threats_by_window(player);
    windows.iter_mut().for_each(|window| window.sort_unstable());
    windows.sort_unstable_by_key(|window| (std::cmp::Reverse(window.len()), window.clone()));
    windows.dedup();
    let mut at = 0;
    while at < windows.len() {
        let window = windows.remove(at);
        if are_hit_by(&windows, number - 1) {
            windows.insert(at, window);
            at += 1;
        }
    }
    let mut points: Vec<Point> = windows.concat();
    points.sort_unstable();
    points.dedup();
    points
}

/// Turns of `player` that leave two threats or more and none of the opponent's, those with three
/// first; only those with three unless `all`.
fn candidates(threats: &mut Threats, player: Player, stones: usize, all: bool) -> Vec<Candidate> {
    let opponent = player.other();
    let mut found = Vec::new();
    let against = threats.threats(opponent);
    if against > stones {
        return found;
    }
    let (mut first, mut second) = (Vec::new(), Vec::new());
    threats.promising(player, if stones == 2 { 2 } else { 3 }, &mut first);
    let stops = threats.points(opponent);
    first.extend(stops.iter().filter(|stop| !first.contains(stop)).copied().collect::<Vec<Point>>());
    if against == stones {
        first.retain(|point| stops.contains(point));
    }
    let mut done = [0_u32; LARGEST];
    for point in &first {
        threats.play(*point, player);
        let left = threats.threats(opponent);
        let own = threats.threats(player);
        if stones == 1 {
            if left == 0 && own >= 2 {
                let worth = threats.worth(player, *point, WORTH);
                found.push(Candidate { stones: [*point; 2], count: 1, threats: own, worth });
            }
        } else if left <= 1 {
            if left == 1 {
                second.clone_from(&threats.points(opponent));
            } else {
                threats.promising(player, 3, &mut second);
            }
            for other in &second {
                // Both orders lead to the same position: one suffices.
                if done[other.row()] >> other.column() & 1 == 1 {
                    continue;
                }
                let new = threats.new_threats(player, *other);
                if own + new < 2 {
                    continue;
                }
                threats.play(*other, player);
                let own = threats.threats(player);
                if own >= 2 && (all || own >= 3) && threats.threats(opponent) == 0 {
                    let worth = threats.worth(player, *point, WORTH) + threats.worth(player, *other, WORTH);
                    found.push(Candidate { stones: [*point, *other], count: 2, threats: own, worth });
                }
                threats.undo(*other, player);
            }
        }
        threats.undo(*point, player);
        done[point.row()] |= 1 << point.column();
        if found.last().is_some_and(|candidate: &Candidate| candidate.threats >= 3) {
            break;
        }
    }
    found.sort_by_key(|candidate| std::cmp::Reverse((candidate.threats, candidate.worth)));
    found
}
