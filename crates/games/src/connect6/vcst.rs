//! Victory by threats of any number: null moves, seminull moves and relevance zones.
//!
//! [`DoubleThreats`] lets the attacker make double threats only, for only then few answers matter.
//! Here he may also make one threat, or none, if he *means* a line of double threats (`line.rs`):
//! where the defender has stones to spare, let him place nothing more (a **null move** with two
//! stones left, a **seminull move** with one) and look for a line of the attacker
//! (`line_search.rs`). If there is one, only stones in its zone can matter. If there is none, the
//! attacker has threatened nothing, and the turn is given up. So:
//!
//! * attacker: a window he can fill, or a line, wins. Else the first and second stones of double
//!   threats, and the `best` others by what their windows are worth (Zhang: the best five turns);
//! * defender: a window he can fill wins. More threats than he has stones lose. With as many, the
//!   stones that hit. With one threat and two stones, the empty points of one threatening window:
//!   the line is to fill it. With none, the zone of the line, or if there is none the attacker has
//!   failed.
//!
//! Why the stones left out lose is said in `certificate.rs`, which derives it again in a proof.
//! Moves of the attacker are left out freely.
//!
//! Lines are kept for the whole search, for the proof is written from them, and are shared by all
//! threads. They count in the search's memory: what does not fit is not kept, and is searched for
//! again when it is wanted. A new position is first tried with the lines found last: mostly one
//! stone elsewhere changes nothing.
//!
//! Reference: I-C. Wu, P.-H. Lin, "Relevance-zone-oriented proof search for Connect6", IEEE TCIAIG
//! 2(3), 2010; Zhang 2019, §3.3.2. Deviations: a turn is two moves of the game; `best` counts
//! stones, beside those of double threats; the zone of a node is that of one line, not the union
//! over a whole proof.

use super::certificate::{DOUBLE_THREATS, ZONE};
use super::line::{Line, Turn, follow, write_points};
use super::line_search::{Effort, LineSearch, Nothing};
use super::vcdt::{WORTH, best_defences_first};
use super::{Connect6, DoubleThreats, Threats};
use crate::in_a_row::Point;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use tesuji_core::{Certificate, Deadline, Player, Position};

/// So many lines found last are tried first.
const RECENT: usize = 6;

/// More lines are not kept, and more failures are forgotten.
const MOST_KEPT: usize = 1 << 18;

/// How much is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VcstLimits {
    /// So many stones of the attacker beside those of double threats.
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

/// What all threads have found out.
#[derive(Default)]
struct Known {
    lines: HashMap<u64, Arc<Line>>,
    failed: HashSet<u64>,
    /// About what the lines take.
    bytes: u64,
}

/// About what a line takes with its place in a table that grows.
fn bytes_of(line: &Line) -> u64 {
    128 + 112 * line.0.len() as u64
}

/// About what a position without a line takes, likewise.
const FAILED_BYTES: u64 = 32;

impl Known {
    /// Keeps a line, if all of them take no more than this.
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

/// How the bytes that may be kept are used.
#[derive(Clone, Copy)]
struct Shares {
    /// For lines.
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

/// Advises a search for a victory by double threats, single threats and quiet turns.
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
    /// Within these limits.
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

    /// Another one that says the same and shares what is found.
    #[must_use]
    pub fn fork(&self) -> SingleThreats {
        let mut fork =
            SingleThreats { known: Arc::clone(&self.known), shares: self.shares, ..SingleThreats::new(self.limits) };
        fork.search.memory(self.shares.within);
        fork
    }

    /// Keeps at most so many bytes, together with one fork for each other thread.
    pub fn memory(&mut self, bytes: u64, threads: u32) {
        self.shares = Shares::of(bytes, threads);
        self.search.memory(self.shares.within);
    }

    /// About how many bytes are kept.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.bytes + (known.failed.len() + self.search.failed()) as u64 * FAILED_BYTES
    }

    /// Forgets all lines.
    pub fn begin(&mut self) {
        self.known = Arc::default();
        self.recent.clear();
        self.deadline = None;
    }

    /// Looks for lines until then.
    pub fn limit(&mut self, deadline: &Deadline) {
        self.deadline = Some(deadline.clone());
    }

    /// The moves of the side to move in a search for a victory of `attacker`, appended to `moves`;
    /// or who wins, or fails.
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

    /// The attacker's stones: those of double threats, then others by their worth.
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

    /// A line of `attacker` in a position in which he completes no six now; where the defender is
    /// to move, one that wins if he places nothing more.
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
        let line = if let Some(at) = recent {
            self.recent.remove(at)
        } else {
            let stones = if mover == attacker { position.stones_left() } else { 2 };
            let effort = Effort { turns: self.limits.turns, nodes: self.limits.nodes };
            match self.search.find(threats, attacker, stones, effort, deadline) {
                // The opponent may come first with stones that the line does not know of.
                Ok(line) => follow(position, attacker, &line).is_ok().then(|| Arc::new(line)),
                Err(Nothing::Late) => return None,
                Err(Nothing::Found) => None,
            }
        };
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
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
        // Within the turn the line goes on.
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

    /// A zone outside of which the defender, who is to move and has more stones than there are
    /// threats, can do nothing; the best points first, and its line.
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

    /// A certificate that `claimant` wins; where his opponent is to move, `listed` gets the replies
    /// that it does not answer. Nothing if there is none.
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

    /// Thousands of positions, with hardly any room: what is kept stays within it, and without any
    /// nothing is kept.
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
            assert!(bytes == 0 || most > bytes / 8, "it keeps something: {most}");
        }
    }
}
