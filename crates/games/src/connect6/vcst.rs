//! Victory by continuous single threats (VCST): null moves, seminull moves and relevance zones.
//!
//! [`DoubleThreats`] restricts the attacker to double threats, because only then few answers
//! matter. Here the attacker may also make one threat, or none, if the move prepares a line of
//! double threats (`line.rs`): where the defender has stones to spare, the search assumes that the
//! defender places no more (a **null move** with two stones left, a **seminull move** with one) and
//! looks for a line of the attacker (`line_search.rs`). If there is one, only stones in its zone
//! can matter. If there is none, the attacker has threatened nothing, and the turn is abandoned.
//! So:
//!
//! * attacker: a window that can be filled, or a line, wins. Else the first and second stones of
//!   double threats, and the `best` others by the value of their windows (Zhang: the best five
//!   turns);
//! * defender: a window that can be filled wins. More threats than stones left lose. With as many,
//!   the stones that hit. With one threat and two stones, the empty points of one threatening
//!   window: the line is to fill it. With none, the zone of the line; without a line the attacker
//!   has failed.
//!
//! `certificate.rs`, which derives it again in a proof, states why the omitted stones lose. Moves
//! of the attacker may be omitted freely.
//!
//! Lines are kept for the whole search, because the proof is written from them, and are shared by
//! all threads. They count in the search's memory: a line that does not fit is not kept, and is
//! searched for again when needed. A new position is first tried with the lines found last: mostly
//! one stone elsewhere changes nothing.
//!
//! Reference: I-C. Wu, P.-H. Lin, "Relevance-zone-oriented proof search for Connect6", IEEE TCIAIG
//! 2(3), 2010; Zhang 2019, §3.3.2. Deviations: a turn is two moves of the game; `best` counts
//! stones, in addition to those of double threats; the zone of a node is that of one line, not the
//! union over a whole proof.

use super::check::{DOUBLE_THREATS, ZONE};
use super::line::{Line, Turn, follow, write_points};
use super::line_search::{Failure, LineLimits, LineSearch};
use super::vcdt::{WORTH, best_defences_first};
use super::{Connect6, DoubleThreats, Threats};
use crate::in_a_row::Point;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use tesuji_core::{Certificate, Deadline, Player, Position};

/// The number of lines found last that are tried first.
const RECENT: usize = 6;

/// The most lines kept, and the most failed positions stored.
const MOST_KEPT: usize = 1 << 18;

/// Search limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VcstLimits {
    /// The number of stones of the attacker besides those of double threats.
    pub best: usize,
    /// The most turns of a line.
    pub turns: usize,
    /// The most nodes of a search for a line.
    pub nodes: usize,
}

impl Default for VcstLimits {
    fn default() -> VcstLimits {
        VcstLimits { best: 5, turns: 8, nodes: 100 }
    }
}

/// Results shared by all threads.
#[derive(Default)]
struct Known {
    lines: HashMap<u64, Arc<Line>>,
    failed: HashSet<u64>,
    /// The approximate memory of the lines.
    bytes: u64,
    /// Nodes of all searches for lines.
    nodes: u64,
}

/// The approximate memory of a line and its entry in a growing table.
fn bytes_of(line: &Line) -> u64 {
    128 + 112 * line.0.len() as u64
}

/// The approximate memory of a position without a line, likewise.
const FAILED_BYTES: u64 = 32;

impl Known {
    /// Keeps a line, if all lines together fit in `most` bytes.
    fn keep(&mut self, key: u64, line: &Arc<Line>, most: u64) {
        let bytes = bytes_of(line);
        if self.lines.len() < MOST_KEPT
            && self.bytes + bytes <= most
            && self.lines.insert(key, Arc::clone(line)).is_none()
        {
            self.bytes += bytes;
        }
    }
}

/// The division of the memory.
#[derive(Clone, Copy)]
struct Shares {
    /// Bytes for lines.
    lines: u64,
    /// Positions without a line, of all threads together.
    failed: usize,
    /// The same within one search for a line, of each thread.
    within: usize,
}

impl Shares {
    const ALL: Shares = Shares { lines: u64::MAX, failed: MOST_KEPT, within: usize::MAX };

    /// Half for lines, a quarter each for the others.
    fn of(bytes: u64, threads: u32) -> Shares {
        let entries = |bytes: u64| usize::try_from(bytes / FAILED_BYTES).unwrap_or(usize::MAX);
        let within = entries(bytes / 4 / u64::from(threads.max(1)) / 2);
        Shares { lines: bytes / 2, failed: entries(bytes / 4).min(MOST_KEPT), within }
    }
}

/// Adviser of a search for a victory by double threats, single threats and quiet turns.
pub struct SingleThreats {
    limits: VcstLimits,
    doubles: DoubleThreats,
    known: Arc<Mutex<Known>>,
    shares: Shares,
    recent: VecDeque<Arc<Line>>,
    search: LineSearch,
    threats: Option<Threats>,
    deadline: Option<Deadline>,
}

impl SingleThreats {
    /// An adviser with these limits.
    #[must_use]
    pub fn new(limits: VcstLimits) -> SingleThreats {
        SingleThreats {
            limits,
            doubles: DoubleThreats::new(0),
            known: Arc::default(),
            shares: Shares::ALL,
            recent: VecDeque::new(),
            search: LineSearch::default(),
            threats: None,
            deadline: None,
        }
    }

    /// A copy with the same limits that shares the results.
    #[must_use]
    pub fn fork(&self) -> SingleThreats {
        let mut fork =
            SingleThreats { known: Arc::clone(&self.known), shares: self.shares, ..SingleThreats::new(self.limits) };
        fork.search.memory(self.shares.within);
        fork
    }

    /// Keeps at most this many bytes, together with one fork for each other thread.
    pub fn memory(&mut self, bytes: u64, threads: u32) {
        self.shares = Shares::of(bytes, threads);
        self.search.memory(self.shares.within);
    }

    /// The approximate number of bytes kept.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.bytes + (known.failed.len() + self.search.failed()) as u64 * FAILED_BYTES
    }

    /// Nodes of the searches for lines since the beginning, forks included.
    #[must_use]
    pub fn line_nodes(&self) -> u64 {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).nodes
    }

    /// Drops all lines.
    pub fn begin(&mut self) {
        self.known = Arc::default();
        self.recent.clear();
        self.deadline = None;
    }

    /// Sets the deadline of searches for lines.
    pub fn limit(&mut self, deadline: &Deadline) {
        self.deadline = Some(deadline.clone());
    }

    /// The moves of the side to move in a search for a victory of `attacker`, appended to `moves`;
    /// or the winner, where the attacker wins or has failed.
    pub fn advise(&mut self, position: &Connect6, attacker: Player, moves: &mut Vec<Point>) -> Option<Player> {
        let mut threats = self.threats.take().unwrap_or_else(|| Threats::new(position));
        threats.follow(position);
        let (mover, stones) = (position.turn(), position.stones_left());
        let deadline = self.deadline.clone();
        let winner = if let Some(completion) = threats.completion(mover, stones) {
            moves.extend(completion.first());
            Some(mover)
        } else if mover == attacker {
            match self.line(position, attacker, &mut threats, deadline.as_ref()) {
                Some(line) => {
                    moves.extend(line.0.first().and_then(|turn| turn.stones.first()));
                    Some(attacker)
                }
                None => {
                    self.attack(&mut threats, position, moves);
                    None
                }
            }
        } else if threats.threats(attacker) >= stones {
            self.doubles.advise(position, attacker, moves)
        } else {
            match self.zone(position, attacker, &mut threats, deadline.as_ref()) {
                Some((zone, _)) => {
                    moves.extend(zone);
                    None
                }
                None => Some(mover),
            }
        };
        self.threats = Some(threats);
        winner
    }

    /// The attacker's stones: those of double threats, then others by value.
    fn attack(&mut self, threats: &mut Threats, position: &Connect6, moves: &mut Vec<Point>) {
        let (attacker, stones) = (position.turn(), position.stones_left());
        let defender = attacker.other();
        let _ = self.doubles.advise(position, attacker, moves);
        let (mut points, mut others) = (Vec::new(), Vec::new());
        threats.promising(attacker, 2, &mut points);
        threats.promising(defender, 2, &mut others);
        points.append(&mut others);
        points.sort_unstable();
        points.dedup();
        points.retain(|point| !moves.contains(point));
        let mut quiet = Vec::new();
        for point in points {
            let worth = threats.worth(attacker, point, WORTH) * 2 + threats.worth(defender, point, WORTH);
            threats.play(point, attacker);
            if threats.threats(defender) < stones {
                let threatens = stones == 1 && threats.threats(attacker) > 0;
                quiet.push((threatens, worth, point));
            }
            threats.undo(point, attacker);
        }
        quiet.sort_unstable_by(|one, other| other.cmp(one));
        moves.extend(quiet.into_iter().take(self.limits.best).map(|(_, _, point)| point));
    }

    /// A line of `attacker` in a position in which the attacker cannot complete a six now; with the
    /// defender to move, one that wins if the defender places no more stones.
    fn line(
        &mut self,
        position: &Connect6,
        attacker: Player,
        threats: &mut Threats,
        deadline: Option<&Deadline>,
    ) -> Option<Arc<Line>> {
        let key = position.hash().0 ^ attacker.index() as u64;
        {
            let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(line) = known.lines.get(&key) {
                return Some(Arc::clone(line));
            }
            if known.failed.contains(&key) {
                return None;
            }
        }
        let mover = position.turn();
        let recent = self.recent.iter().position(|line| follow(position, attacker, line).is_ok());
        let mut entered = 0;
        let line = if let Some(at) = recent {
            self.recent.remove(at)
        } else {
            let stones = if mover == attacker { position.stones_left() } else { 2 };
            let effort = LineLimits { turns: self.limits.turns, nodes: self.limits.nodes };
            let found = self.search.find(threats, attacker, stones, effort, deadline);
            entered = (effort.nodes - self.search.nodes_left()) as u64;
            match found {
                // The opponent may win first with stones that the line does not contain.
                Ok(line) => follow(position, attacker, &line).is_ok().then(|| Arc::new(line)),
                Err(Failure::OutOfTime) => return None,
                Err(Failure::NotFound) => None,
            }
        };
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.nodes += entered;
        let Some(line) = line else {
            if known.failed.len() >= self.shares.failed {
                known.failed.clear();
            }
            if self.shares.failed > 0 {
                known.failed.insert(key);
            }
            return None;
        };
        known.keep(key, &line, self.shares.lines);
        // Within the turn the line continues.
        if mover == attacker
            && let [first, rest @ ..] = line.0.as_slice()
            && let [stone, other] = first.stones.as_slice()
        {
            let mut after = *position;
            after.play(*stone);
            let mut turns = vec![Turn { stones: vec![*other], stops: first.stops.clone() }];
            turns.extend_from_slice(rest);
            known.keep(after.hash().0 ^ attacker.index() as u64, &Arc::new(Line(turns)), self.shares.lines);
        }
        self.recent.push_front(Arc::clone(&line));
        self.recent.truncate(RECENT);
        Some(line)
    }

    /// A zone outside of which a defender to move, with more stones than there are threats, can do
    /// nothing; the best points first, and its line.
    fn zone(
        &mut self,
        position: &Connect6,
        attacker: Player,
        threats: &mut Threats,
        deadline: Option<&Deadline>,
    ) -> Option<(Vec<Point>, Arc<Line>)> {
        let least = threats.threats_by_window(attacker).into_iter().min_by_key(Vec::len);
        let line = match least {
            Some(stones) => Arc::new(Line(vec![Turn { stones, stops: Vec::new() }])),
            None => self.line(position, attacker, threats, deadline)?,
        };
        let mut zone = follow(position, attacker, &line).ok()?.zone();
        best_defences_first(threats, &mut zone);
        Some((zone, line))
    }

    /// A certificate that `claimant` wins; with the opponent to move, `listed` gets the replies
    /// that it does not answer. `None` if there is none.
    pub fn certificate(
        &mut self,
        position: &Connect6,
        claimant: Player,
        listed: &mut Vec<Point>,
    ) -> Option<Certificate> {
        let known = self.doubles.certificate(position, claimant, listed);
        if known.is_some() {
            return known;
        }
        let mut threats = self.threats.take().unwrap_or_else(|| Threats::new(position));
        threats.follow(position);
        let deadline = self.deadline.clone();
        let mut data = Vec::new();
        let certificate = if position.turn() == claimant {
            self.line(position, claimant, &mut threats, deadline.as_ref()).map(|line| {
                line.write(position, &mut data);
                Certificate::new(DOUBLE_THREATS, data)
            })
        } else {
            self.zone(position, claimant, &mut threats, deadline.as_ref()).map(|(zone, line)| {
                write_points(position, &zone, &mut data);
                line.write(position, &mut data);
                listed.extend(zone);
                Certificate::new(ZONE, data)
            })
        };
        self.threats = Some(threats);
        certificate
    }
}

#[cfg(test)]
mod tests {
    use super::{FAILED_BYTES, Known, SingleThreats, VcstLimits, bytes_of};
    use crate::connect6::Connect6;
    use crate::connect6::line::{Line, Turn};
    use std::sync::Arc;
    use tesuji_core::{Position, Rng, Seed};

    #[test]
    fn lines_are_kept_within_their_bytes() {
        let turn = Turn { stones: vec![], stops: vec![] };
        let line = Arc::new(Line(vec![turn; 8]));
        let most = 10 * bytes_of(&line) + 5;
        let mut known = Known::default();
        (0..1_000).for_each(|key| known.keep(key, &line, most));
        assert_eq!((known.lines.len(), known.bytes), (10, 10 * bytes_of(&line)));
        known.keep(3, &line, u64::MAX);
        assert_eq!(known.bytes, 10 * bytes_of(&line), "a line that was there counts once");
    }

    /// Thousands of positions with hardly any memory: the stored lines stay within it, and without
    /// any memory nothing is kept.
    #[test]
    fn what_is_kept_stays_within_its_memory() {
        for bytes in [0, 20_000] {
            let mut knowledge = SingleThreats::new(VcstLimits::default());
            knowledge.memory(bytes, 1);
            let mut rng = Rng::new(Seed(3));
            let mut most = 0;
            for _ in 0..60 {
                let mut position = Connect6::new(9).expect("a board");
                for _ in 0..24 {
                    let Some(mv) = position.random_move(&mut rng) else { break };
                    position.play(mv);
                    if position.outcome().is_none() {
                        knowledge.advise(&position, position.turn(), &mut Vec::new());
                    }
                    most = most.max(knowledge.memory_bytes());
                }
            }
            assert!(most <= bytes + FAILED_BYTES, "{most} of {bytes}");
            assert!(bytes == 0 || most > bytes / 8, "it keeps some lines: {most}");
        }
    }
}
