//! Victory by continuous threats (VCT): fours, threes, and quiet moves that threaten.
//!
//! The attacker plays only moves that win by force if the defender passes; the defender answers
//! only where that win can be refuted.
//!
//! * **Attacker** to move: a five; else, if the defender would make a five, the point that stops
//!   it, if it is a four or threatens a line of fours; else the first move of a line of fours
//!   (`fours.rs`), if one is found; else all fours and threes. A stage may add *hidden* threats:
//!   moves that make less than an open three and might still threaten a line of fours, which is
//!   tested when they are entered. In the first plies of a search also *quiet* moves, those that
//!   threaten a victory by fours and threes (`threes.rs`).
//! * **Defender** to move: a five; else the points that stop the attacker's five; else, if the
//!   attacker threatens a line of fours, the defender's own line of fours, which wins first; else
//!   the zone of the attacker's line (`Line::zone` in `fours.rs`); else, after a quiet move, the
//!   answers against which the threatened victory does not hold as written; else the attack is
//!   abandoned.
//!
//! An omitted move of the defender loses to that same line or tree. Moves of the attacker may be
//! omitted freely.
//!
//! References: Allis, van den Herik & Huntjens, "Go-Moku solved by new search techniques", 1996,
//! for threats as the measure of the defender's options; Thomsen, "Lambda-search in game trees",
//! 2000, for the hierarchy: fours, threes and quiet moves are his orders 1, 2 and 3. Deviation: the
//! relevant answers are those that refute one line or tree, the first found.

use super::rules::{TURN_KEY, stone_key};
use super::threat_moves::{Attack, Defence, VctLimits, attack, defend, first_numbers, worth};
use super::threes::{Threes, Tree};
use super::{Gomoku, Shape, Threats};
use crate::in_a_row::Point;
use std::collections::HashMap;
use std::ops::ControlFlow;
use tesuji_core::{Certificate, Deadline, Player, Position};

/// The positions entered for all quiet moves of one position together, as a multiple of the limit.
const QUIET_MOVES: u32 = 12;

/// The initial proof number of a quiet move whose threat is not yet known.
const QUIET_START: u32 = 6;

/// The most victories tried against all answers to a quiet move.
const TREES: usize = 12;

/// The largest tree tried against all answers.
const LARGEST_TREE: usize = 500;

/// Adviser of a search for a victory by continuous threats.
pub struct ContinuousThreats {
    limits: VctLimits,
    threes: Threes,
    threats: Option<Threats>,
    /// Quiet moves that threaten, by the key of the position before them.
    quiet: HashMap<u64, Vec<Point>>,
    /// The victories that they threaten, by the key of the position after them.
    threatened: HashMap<u64, Tree>,
    /// The remaining answers to a quiet move, by the key of the position.
    answers: HashMap<u64, Vec<Point>>,
    /// The attacker's moves where a threatened victory was verified, by the key of the position.
    plans: HashMap<u64, Point>,
    /// The number of empty points at the root of the search.
    empty: usize,
    /// The approximate memory of these tables, and its limit.
    bytes: u64,
    most_bytes: u64,
}

/// The most plans; beyond, all are dropped.
const MOST_PLANS: usize = 1 << 22;

/// The approximate memory of an entry besides its list or tree, in a growing table.
const ENTRY_BYTES: u64 = 40;

impl ContinuousThreats {
    /// An adviser with these limits.
    #[must_use]
    pub fn new(limits: VctLimits) -> ContinuousThreats {
        ContinuousThreats {
            limits,
            threes: Threes::new(limits),
            threats: None,
            quiet: HashMap::new(),
            threatened: HashMap::new(),
            answers: HashMap::new(),
            plans: HashMap::new(),
            empty: 0,
            bytes: 0,
            most_bytes: u64::MAX,
        }
    }

    /// Keeps at most this many bytes between positions.
    pub fn memory(&mut self, bytes: u64) {
        self.threes.memory(bytes / 2);
        self.most_bytes = bytes / 2;
        self.add_bytes(0);
    }

    /// The approximate number of bytes kept.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        self.bytes + self.threes.bytes()
    }

    /// Accounts for an entry about to be stored; if the limit is exceeded, drops everything else.
    /// Returns whether it can be stored.
    fn add_bytes(&mut self, bytes: u64) -> bool {
        self.bytes += bytes;
        if self.bytes > self.most_bytes {
            self.quiet = HashMap::new();
            self.threatened = HashMap::new();
            self.answers = HashMap::new();
            self.plans = HashMap::new();
            self.bytes = bytes;
        }
        let fits = self.bytes <= self.most_bytes;
        if !fits {
            self.bytes = 0;
        }
        fits
    }

    /// The moves of the side to move in a search for a victory of `attacker`, appended to `moves`,
    /// and their initial numbers, appended to `numbers` (none if all start with 1). Returns the
    /// winner, if known: the attacker for certain, and with the attacker to move by the first move;
    /// or the defender, which may also mean that no attacking move is left.
    pub fn advise(
        &mut self,
        position: &Gomoku,
        attacker: Player,
        moves: &mut Vec<Point>,
        numbers: &mut Vec<[u32; 2]>,
    ) -> Option<Player> {
        let mut threats = self.threats.take().unwrap_or_else(|| Threats::new(position));
        threats.follow(position);
        let key = position.hash().0;
        let (mut won, mut lost, mut sharp) = (false, false, usize::MAX);
        if position.turn() == attacker
            && let Some(planned) = self.plans.get(&key)
        {
            moves.push(*planned);
        } else if position.turn() == attacker {
            match attack(&mut self.threes.fours, &self.limits, key, &mut threats, attacker, moves) {
                Attack::Wins(line) => {
                    moves.extend(line.first());
                    won = true;
                }
                Attack::Open => {
                    let played = self.empty.saturating_sub(threats.stones().empty());
                    if self.limits.quiet > 0 && played == 0 {
                        self.add_quiet(key, &mut threats, attacker, moves);
                    } else if self.limits.quiet > 0 && played < self.limits.plies as usize {
                        sharp = moves.len();
                        self.quiet_candidates(&threats, attacker, moves);
                    }
                }
            }
        } else {
            lost = self.answer(position, &mut threats, attacker, moves);
        }
        if position.turn() == attacker {
            numbers.extend(moves.iter().enumerate().map(|(number, point)| {
                let quiet = number >= sharp;
                if quiet { [QUIET_START, 1] } else { first_numbers(&threats, attacker, *point, &self.limits) }
            }));
        }
        self.threats = Some(threats);
        if won { Some(attacker) } else { lost.then_some(attacker.other()) }
    }

    /// Sets the deadline of the searches for threes and quiet moves.
    pub fn limit(&mut self, deadline: &Deadline) {
        self.threes.deadline = deadline.clone();
    }

    /// Starts a search.
    pub fn begin(&mut self, position: &Gomoku) {
        self.empty = position.stones.empty();
    }

    /// A certificate that `claimant` wins; with the opponent to move, `listed` gets the replies
    /// that it does not answer. `None` if none is found at once.
    pub fn certificate(&mut self, position: &Gomoku, claimant: Player, listed: &mut Vec<Point>) -> Option<Certificate> {
        let mut threats = self.threats.take().unwrap_or_else(|| Threats::new(position));
        threats.follow(position);
        let key = position.hash().0;
        let limit = self.limits.win.max(self.limits.threat);
        let fours = &mut self.threes.fours;
        let certificate = if position.turn() == claimant {
            fours.find(key, &mut threats, claimant, limit).map(|line| line.certificate(position))
        } else if threats.count(claimant, Shape::Five) > 0 {
            match defend(fours, &self.limits, key, &mut threats, claimant, listed) {
                Defence::Open | Defence::Lost => Some(Certificate::new(super::LINE_OF_FOURS, Vec::new())),
                Defence::Wins | Defence::Free => None,
            }
        } else {
            let line = fours.find(key ^ TURN_KEY, &mut threats, claimant, limit);
            line.map(|line| {
                line.zone(&mut threats, claimant, listed);
                line.certificate(position)
            })
        };
        self.threats = Some(threats);
        certificate
    }

    /// Adds moves that may threaten a victory by fours and threes, the best by their lines.
    fn quiet_candidates(&self, threats: &Threats, attacker: Player, moves: &mut Vec<Point>) {
        let mut points = Vec::new();
        let defender = attacker.other();
        match threats.count(defender, Shape::Five) {
            0 => threats.collect(attacker, Shape::One, &mut points),
            // A five must be stopped, whatever that threatens.
            1 => points.extend(threats.points(defender, Shape::Five)),
            _ => {}
        }
        points.retain(|point| !moves.contains(point) && threats.may_play(attacker, *point).0);
        points.sort_by_key(|point| {
            let (own, other) = (worth(threats, attacker, *point), worth(threats, defender, *point));
            std::cmp::Reverse(2 * own + other)
        });
        points.truncate(self.limits.candidates as usize);
        moves.append(&mut points);
    }

    /// Adds quiet moves that threaten a victory by fours and threes.
    fn add_quiet(&mut self, key: u64, threats: &mut Threats, attacker: Player, moves: &mut Vec<Point>) {
        if let Some(known) = self.quiet.get(&key) {
            moves.extend(known);
            return;
        }
        let known = moves.len();
        self.quiet_candidates(threats, attacker, moves);
        let points = moves.split_off(known);
        let mut found: Vec<(usize, Point)> = Vec::new();
        let mut left = self.limits.quiet.saturating_mul(QUIET_MOVES);
        for point in points {
            if left == 0 || self.threes.deadline.is_over() {
                break;
            }
            // The defender passes, so the attacker is to move again.
            let after = key ^ stone_key(point, attacker);
            threats.play(point, attacker);
            let tree = self.threes.prove(threats, attacker, after, self.limits.quiet.min(left));
            left = left.saturating_sub(self.threes.entered());
            threats.undo(point, attacker);
            if let Some(tree) = tree.filter(|tree| tree.size() <= LARGEST_TREE) {
                found.push((tree.size(), point));
                if self.add_bytes(2 * ENTRY_BYTES + tree.bytes()) {
                    self.threatened.insert(after ^ TURN_KEY, tree);
                }
            }
        }
        // The shortest victory is the hardest to stop.
        found.sort_by_key(|(size, _)| *size);
        moves.extend(found.iter().map(|(_, point)| *point));
        if !self.threes.deadline.is_over() && self.add_bytes(2 * ENTRY_BYTES + 2 * found.len() as u64) {
            self.quiet.insert(key, found.into_iter().map(|(_, point)| point).collect());
        }
    }

    /// Removes the answers to a quiet move that lose to the threatened victory as written, or to
    /// one found against another answer.
    fn leave_out(&mut self, key: u64, threats: &mut Threats, attacker: Player, tree: &Tree, moves: &mut Vec<Point>) {
        let defender = attacker.other();
        if self.plans.len() > MOST_PLANS {
            self.plans.clear();
        }
        moves.sort_by_key(|point| {
            let (own, other) = (worth(threats, attacker, *point), worth(threats, defender, *point));
            std::cmp::Reverse((tree.first() == Some(*point), own + other))
        });
        let (mut plan, mut planned) = (Vec::new(), Vec::new());
        let mut another: Option<Tree> = None;
        for _ in 0..TREES {
            let tree = another.as_ref().unwrap_or(tree);
            moves.retain(|reply| {
                plan.clear();
                threats.play(*reply, defender);
                let after = key ^ stone_key(*reply, defender) ^ TURN_KEY;
                let holds = tree.holds(&mut self.threes, threats, attacker, after, &mut plan);
                threats.undo(*reply, defender);
                if holds {
                    planned.append(&mut plan);
                }
                !holds
            });
            // The first remaining answer: is there another victory that refutes it, and further
            // answers with it?
            let Some(reply) = moves.first().copied() else { break };
            threats.play(reply, defender);
            let after = key ^ stone_key(reply, defender) ^ TURN_KEY;
            another = self.threes.prove(threats, attacker, after, self.limits.quiet);
            threats.undo(reply, defender);
            if another.as_ref().is_none_or(|tree| tree.size() > LARGEST_TREE) {
                break;
            }
        }
        if self.add_bytes(ENTRY_BYTES * planned.len() as u64) {
            self.plans.extend(planned);
        }
    }

    /// The victory that a quiet move threatens, with the defender to move after it; `None` if it
    /// threatens none, or is not one that is considered.
    fn threatened(&mut self, key: u64, threats: &mut Threats, attacker: Player) -> Option<Tree> {
        if let Some(tree) = self.threatened.remove(&key) {
            self.bytes = self.bytes.saturating_sub(2 * ENTRY_BYTES + tree.bytes());
            return Some(tree);
        }
        let played = self.empty.saturating_sub(threats.stones().empty());
        if self.limits.quiet == 0 || played > self.limits.plies as usize {
            return None;
        }
        self.threes
            .prove(threats, attacker, key ^ TURN_KEY, self.limits.quiet)
            .filter(|tree| tree.size() <= LARGEST_TREE)
    }

    /// The defender's answers; true if the attack is abandoned.
    fn answer(&mut self, position: &Gomoku, threats: &mut Threats, attacker: Player, moves: &mut Vec<Point>) -> bool {
        let key = position.hash().0;
        match defend(&mut self.threes.fours, &self.limits, key, threats, attacker, moves) {
            Defence::Wins => return true,
            Defence::Open | Defence::Lost => {}
            Defence::Free => {
                if let Some(known) = self.answers.get(&key) {
                    moves.extend(known);
                } else {
                    let Some(tree) = self.threatened(key, threats, attacker) else { return true };
                    moves.extend(position.moves());
                    self.leave_out(key, threats, attacker, &tree, moves);
                    if !self.threes.deadline.is_over() && self.add_bytes(2 * ENTRY_BYTES + 2 * moves.len() as u64) {
                        self.answers.insert(key, moves.clone());
                    }
                }
            }
        }
        if moves.is_empty() {
            // The defender has lost; one move suffices to continue the game.
            let _ = position.visit_moves(|point| {
                moves.push(point);
                ControlFlow::Break(())
            });
        }
        false
    }
}
