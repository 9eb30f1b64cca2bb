//! Victory by continuous threats (VCT): fours, threes, and quiet moves that threaten.
//!
//! The attacker plays only moves after which he would win by force if the defender did nothing; the
//! defender answers only where that win can be hurt.
//!
//! * **Attacker** to move: a five; else, if the defender would make a five, the point that stops
//!   it, if it is a four or threatens a line of fours; else the first move of a line of fours
//!   (`fours.rs`), if one is found; else all fours and threes. A stage may add *hidden* threats:
//!   moves that make less than an open three and might still threaten a line of fours; whether they
//!   do is seen when they are entered. In the first plies of a search also *quiet* moves, those
//!   that threaten a victory by fours and threes (`threes.rs`).
//! * **Defender** to move: a five; else the points that stop the attacker's five; else, if the
//!   attacker threatens a line of fours, the defender's own line of fours, which comes first; else
//!   the zone of the attacker's line ([`Line::zone`](super::Line)); else, after a quiet move, the
//!   answers against which the threatened victory does not work as it is written; else the attack
//!   is given up.
//!
//! A move of the defender that is left out loses to that very line or tree. Moves of the attacker
//! are left out freely.
//!
//! References: Allis, van den Herik & Huntjens, "Go-Moku solved by new search techniques", 1996,
//! for threats as the measure of what the defender may do; Thomsen, "Lambda-search in game trees",
//! 2000, for the tower: fours, threes, and quiet moves are his orders 1, 2 and 3. Deviation: the
//! relevant answers are those that hurt one line or tree, the first found.

use super::fours::{Fours, Line};
use super::rules::{TURN_KEY, stone_key};
use super::threes::{Threes, Tree};
use super::{Gomoku, Shape, Threats};
use crate::in_a_row::Point;
use std::collections::HashMap;
use std::ops::ControlFlow;
use tesuji_core::{Certificate, Deadline, Player, Position};

/// How hard to look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VctLimits {
    /// Fours tried where the attacker is to move.
    pub win: u32,
    /// Fours tried after a three or a move that stops a five.
    pub threat: u32,
    /// Positions entered to see whether a quiet move threatens a victory by fours and threes; 0
    /// leaves quiet moves out.
    pub quiet: u32,
    /// Quiet moves are looked at in the first so many plies only.
    pub plies: u32,
    /// And the best so many.
    pub candidates: u32,
    /// The proof number with which closed threes start that may hide a threat, twos with twice
    /// that; 0 leaves such moves out.
    pub hidden: u32,
    /// The proof number with which fours start; threes start with 1.
    pub four: u32,
    /// Fours of the defender tried against a three.
    pub counter: u32,
}

impl Default for VctLimits {
    fn default() -> VctLimits {
        VctLimits::STAGES[0].0
    }
}

impl VctLimits {
    /// Fours and threes; quiet moves at the beginning, looked at ever harder; hidden threats; then
    /// quiet moves within five plies. With each goes the number of nodes that a search may well
    /// spend before it tries the next.
    pub const STAGES: [(VctLimits, u64); 5] = {
        let plain =
            VctLimits { win: 300, threat: 300, quiet: 0, plies: 1, candidates: 0, hidden: 0, four: 8, counter: 100 };
        [
            (plain, 120_000),
            (VctLimits { quiet: 1_000, candidates: 40, ..plain }, 10_000),
            (VctLimits { hidden: 4, ..plain }, 80_000),
            (VctLimits { quiet: 10_000, candidates: 30, ..plain }, 10_000),
            (VctLimits { quiet: 300, candidates: 12, plies: 5, ..plain }, 3_000),
        ]
    };
    /// 1+ε of the search that goes with them.
    pub const EPSILON: f64 = 0.25;
}

/// So many times the limit of positions are entered for all quiet moves of one position together.
const QUIET_MOVES: u32 = 12;

/// The proof number with which a quiet move starts whose threat is not yet known.
const QUIET_START: u32 = 6;

/// So many victories are tried against all answers to a quiet move.
const TREES: usize = 12;

/// Larger trees are not tried against all answers.
const LARGEST_TREE: usize = 500;

/// What an attacker finds who is to move.
pub(super) enum Attack {
    /// He makes a five, or wins by fours.
    Wins(Line),
    /// These moves, perhaps none.
    Open,
}

/// What a defender finds who is to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Defence {
    /// He makes a five.
    Wins,
    /// He may not play on any point that would stop the attacker.
    Lost,
    /// These moves.
    Open,
    /// Nothing threatens him.
    Free,
}

/// What a point is worth to a player, for the order of moves.
fn worth(threats: &Threats, player: Player, point: Point) -> u32 {
    threats.shapes(player, point).map(|shape| 1_u32 << shape as u32).iter().sum()
}

/// The numbers with which an unknown move of the attacker starts. A line of fours alone was looked
/// for and not found, and fours have but one answer: without a handicap df-pn would try all orders
/// of all fours before the first three.
pub(super) fn first_numbers(threats: &Threats, attacker: Player, point: Point, limits: &VctLimits) -> [u32; 2] {
    match threats.best(attacker, point) {
        Shape::Four | Shape::DoubleFour | Shape::OpenFour => [limits.four, 1],
        Shape::OpenThree | Shape::Five => [1, 1],
        Shape::Three => [limits.hidden.max(2), 1],
        _ => [2 * limits.hidden.max(1), 1],
    }
}

/// The attacker's fours and threes; appended to `moves`, the best first. The key belongs to the
/// board and to his turn.
pub(super) fn attack(
    fours: &mut Fours,
    limits: &VctLimits,
    key: u64,
    threats: &mut Threats,
    attacker: Player,
    moves: &mut Vec<Point>,
) -> Attack {
    let defender = attacker.other();
    if threats.count(attacker, Shape::Five) == 0 {
        match threats.count(defender, Shape::Five) {
            0 => {}
            1 => {
                let stop = threats.points(defender, Shape::Five).next();
                let Some(stop) = stop.filter(|stop| threats.may_play(attacker, *stop).0) else { return Attack::Open };
                if threats.best(attacker, stop) >= Shape::Four
                    || fours.find_after(key, threats, (stop, attacker), limits.threat).is_some()
                {
                    moves.push(stop);
                }
                return Attack::Open;
            }
            _ => return Attack::Open,
        }
    }
    if let Some(line) = fours.find(key, threats, attacker, limits.win) {
        return Attack::Wins(line);
    }
    let from = moves.len();
    threats.collect(attacker, if limits.hidden > 0 { Shape::Two } else { Shape::OpenThree }, moves);
    moves[from..].sort_by_key(|point| std::cmp::Reverse(worth(threats, attacker, *point)));
    let has_fours = (Shape::Four as usize..Shape::COUNT).any(|shape| threats.count(attacker, Shape::ALL[shape]) > 0);
    let mut kept = from;
    for number in from..moves.len() {
        let point = moves[number];
        let may_threaten = match threats.best(attacker, point) {
            Shape::Five | Shape::OpenFour | Shape::DoubleFour | Shape::Four | Shape::OpenThree | Shape::Three => true,
            // One line alone promises nothing, and without a four somewhere there is none to come.
            _ => has_fours && threats.shapes(attacker, point).iter().filter(|shape| **shape >= Shape::Two).count() > 1,
        };
        if may_threaten && threats.may_play(attacker, point).0 {
            moves[kept] = point;
            kept += 1;
        }
    }
    moves.truncate(kept);
    Attack::Open
}

/// The defender's answers to fours and threes; appended to `moves`. The key belongs to the board
/// and to his turn.
pub(super) fn defend(
    fours: &mut Fours,
    limits: &VctLimits,
    key: u64,
    threats: &mut Threats,
    attacker: Player,
    moves: &mut Vec<Point>,
) -> Defence {
    let defender = attacker.other();
    if let Some(five) = threats.points(defender, Shape::Five).next() {
        moves.push(five);
        return Defence::Wins;
    }
    let from = moves.len();
    if threats.count(attacker, Shape::Five) > 0 {
        moves.extend(threats.points(attacker, Shape::Five).filter(|stop| threats.may_play(defender, *stop).0));
    } else {
        let Some(line) = fours.find(key ^ TURN_KEY, threats, attacker, limits.win.max(limits.threat)) else {
            return Defence::Free;
        };
        // Fours come before threes: a line of the defender's own ends the attack.
        if limits.counter > 0 && fours.find(key, threats, defender, limits.counter).is_some() {
            return Defence::Wins;
        }
        line.zone(threats, attacker, moves);
    }
    if moves.len() == from { Defence::Lost } else { Defence::Open }
}

/// Advises a search for a victory by continuous threats.
pub struct ContinuousThreats {
    limits: VctLimits,
    threes: Threes,
    threats: Option<Threats>,
    /// Quiet moves that threaten, by the key of the position before them.
    quiet: HashMap<u64, Vec<Point>>,
    /// What they threaten, by the key of the position after them.
    threatened: HashMap<u64, Tree>,
    /// The answers to a quiet move that are left, by the key of the position.
    answers: HashMap<u64, Vec<Point>>,
    /// The attacker's moves where a threatened victory was tried and holds, by the key of the
    /// position.
    plans: HashMap<u64, Point>,
    /// Points that were empty where the search began.
    empty: usize,
    /// About what all of this takes, and how much it may.
    bytes: u64,
    most_bytes: u64,
}

/// More plans than this are forgotten.
const MOST_PLANS: usize = 1 << 22;

/// About what an entry takes beside a list or a tree, in a table that grows.
const ENTRY_BYTES: u64 = 40;

impl ContinuousThreats {
    /// With these limits.
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

    /// Keeps at most so many bytes from position to position.
    pub fn memory(&mut self, bytes: u64) {
        self.threes.memory(bytes / 2);
        self.most_bytes = bytes / 2;
        self.add_bytes(0);
    }

    /// About how many bytes are kept.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        self.bytes + self.threes.bytes()
    }

    /// Counts what is about to be kept; if that is too much, all else is forgotten. Answers whether
    /// it can be kept.
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
    /// and the numbers they start with, appended to `numbers` (none if all start with 1). Says who
    /// wins, if that is known: the attacker surely, and if he is to move then by the first move; or
    /// the defender, which may also mean that the attack has nothing left.
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

    /// Advice is wanted until then: looking for threes and quiet moves ends there.
    pub fn limit(&mut self, deadline: &Deadline) {
        self.threes.deadline = deadline.clone();
    }

    /// A search begins here.
    pub fn begin(&mut self, position: &Gomoku) {
        self.empty = position.stones.empty();
    }

    /// A certificate that `claimant` wins; where his opponent is to move, `listed` gets the replies
    /// that it does not answer. Nothing if none is found at once.
    pub fn certificate(&mut self, position: &Gomoku, claimant: Player, listed: &mut Vec<Point>) -> Option<Certificate> {
        let mut threats = self.threats.take().unwrap_or_else(|| Threats::new(position));
        threats.follow(position);
        let key = position.hash().0;
        let limit = self.limits.win.max(self.limits.threat);
        let fours = &mut self.threes.fours;
        let certificate = if position.turn() == claimant {
            fours.find(key, &mut threats, claimant, limit).map(|line| super::certificate::certificate(position, &line))
        } else if threats.count(claimant, Shape::Five) > 0 {
            match defend(fours, &self.limits, key, &mut threats, claimant, listed) {
                Defence::Open | Defence::Lost => Some(Certificate::new(super::LINE_OF_FOURS, Vec::new())),
                Defence::Wins | Defence::Free => None,
            }
        } else {
            let line = fours.find(key ^ TURN_KEY, &mut threats, claimant, limit);
            line.map(|line| {
                line.zone(&mut threats, claimant, listed);
                super::certificate::certificate(position, &line)
            })
        };
        self.threats = Some(threats);
        certificate
    }

    /// Adds moves that may threaten a victory by fours and threes, the best as far as their lines
    /// tell.
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
            // The defender does nothing, so the attacker is to move again.
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
        // What wins soonest is the hardest to stop.
        found.sort_by_key(|(size, _)| *size);
        moves.extend(found.iter().map(|(_, point)| *point));
        if !self.threes.deadline.is_over() && self.add_bytes(2 * ENTRY_BYTES + 2 * found.len() as u64) {
            self.quiet.insert(key, found.into_iter().map(|(_, point)| point).collect());
        }
    }

    /// Leaves out the answers to a quiet move that lose to the threatened victory as it is written,
    /// or to one that was found against another answer.
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
            // The first answer that is left: does another victory stop it, and others with it?
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

    /// The victory that a quiet move threatens, after which the defender is to move; nothing if it
    /// threatens none, or is not one that is looked at.
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

    /// The defender's answers; true if the attack is given up.
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
            // Whatever he does, he has lost; one move shows how the game goes on.
            let _ = position.visit_moves(|point| {
                moves.push(point);
                ControlFlow::Break(())
            });
        }
        false
    }
}
