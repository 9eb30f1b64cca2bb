//! Victory by continuous threats, by a small proof-number search inside the knowledge of Gomoku.
//!
//! Whether a *quiet* move of the attacker threatens anything is the question whether the attacker
//! would win by continuous threats if the defender passed. [`Threes::prove`] answers it by df-pn
//! over fours and threes with a limit of positions, and returns the proof as a [`Tree`]. The tree
//! is then tried against every answer of the defender ([`Tree::holds`]): where it still wins move
//! for move, the answer loses and need not be searched. No assumption about relevant points is
//! needed.
//!
//! The attacker's moves and the defender's answers are those of `threat_moves.rs`; a line of fours
//! ends a branch.

use super::fours::{Fours, Line, entries_within};
use super::rules::{TURN_KEY, stone_key};
use super::threat_moves::{Attack, Defence, attack, defend, first_numbers};
use super::{Threats, VctLimits};
use crate::in_a_row::Point;
use tesuji_core::{Deadline, Player};

/// The largest depth below the root of the question.
const DEEPEST: usize = 48;

/// Entries of the table, a power of two.
const ENTRIES: usize = 1 << 18;

const INFINITE: u32 = 1 << 30;

/// A proof that the attacker, to move at its root, wins.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Node {
    /// A line of fours, or a five.
    Line(Line),
    /// The attacker's move, and the next node for each answer.
    Move(Point, Vec<(Point, u32)>),
}

impl Tree {
    /// The approximate memory in bytes.
    pub(super) fn bytes(&self) -> u64 {
        160 * self.nodes.len() as u64 + 64
    }

    /// The number of positions with the attacker to move.
    pub(super) fn size(&self) -> usize {
        self.nodes.len()
    }

    /// The attacker's first move.
    pub(super) fn first(&self) -> Option<Point> {
        match self.nodes.first()? {
            Node::Line(line) => line.first(),
            Node::Move(point, _) => Some(*point),
        }
    }

    /// Whether the tree wins on this board as written: after each of its moves the relevant answers
    /// are among those it contains. The attacker's moves are appended to `plan`, with the keys of
    /// their positions.
    pub(super) fn holds(
        &self,
        search: &mut Threes,
        threats: &mut Threats,
        attacker: Player,
        key: u64,
        plan: &mut Vec<(u64, Point)>,
    ) -> bool {
        self.holds_from(0, search, threats, (attacker, key), plan)
    }

    /// The recursion is no deeper than the trees.
    fn holds_from(
        &self,
        number: u32,
        search: &mut Threes,
        threats: &mut Threats,
        (attacker, key): (Player, u64),
        plan: &mut Vec<(u64, Point)>,
    ) -> bool {
        let Some(node) = self.nodes.get(number as usize) else { return false };
        let (point, answers) = match node {
            Node::Line(line) => return line.holds(threats, attacker),
            Node::Move(point, answers) => (*point, answers),
        };
        let defender = attacker.other();
        if !threats.stones().is_empty(point) || !threats.may_play(attacker, point).0 {
            return false;
        }
        // A five of the defender must be stopped, by this move.
        let dangers = threats.count(defender, super::Shape::Five);
        if dangers > 1 || (dangers == 1 && threats.best(defender, point) != super::Shape::Five) {
            return false;
        }
        plan.push((key, point));
        threats.play(point, attacker);
        let key = key ^ stone_key(point, attacker) ^ TURN_KEY;
        let mut moves = Vec::new();
        let defence = defend(&mut search.fours, &search.limits, key, threats, attacker, &mut moves);
        let holds = defence == Defence::Lost
            || defence == Defence::Open
                && moves.iter().all(|answer| {
                    let Some((_, next)) = answers.iter().find(|known| known.0 == *answer) else { return false };
                    threats.play(*answer, defender);
                    let key = key ^ stone_key(*answer, defender) ^ TURN_KEY;
                    let holds = self.holds_from(*next, search, threats, (attacker, key), plan);
                    threats.undo(*answer, defender);
                    holds
                });
        threats.undo(point, attacker);
        holds
    }
}

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    numbers: [u32; 2],
}

/// Searches for victories by fours and threes.
pub(super) struct Threes {
    pub(super) fours: Fours,
    limits: VctLimits,
    /// Allocated with the first entry.
    table: Vec<Entry>,
    entries: usize,
    /// Positions that may still be entered.
    left: u32,
    /// Positions entered for the last question.
    entered: u32,
    /// The deadline.
    pub(super) deadline: Deadline,
    moves: Vec<Point>,
}

impl Threes {
    pub(super) fn new(limits: VctLimits) -> Threes {
        // Quiet moves are left to the caller of this search.
        let limits = VctLimits { quiet: 0, ..limits };
        Threes {
            fours: Fours::default(),
            limits,
            table: Vec::new(),
            entries: ENTRIES,
            left: 0,
            entered: 0,
            deadline: Deadline::default(),
            moves: Vec::new(),
        }
    }

    /// Limits both tables to this many bytes, but to a few entries at least; their content is
    /// dropped if that changes their size.
    pub(super) fn memory(&mut self, bytes: u64) {
        self.fours.memory(bytes / 2);
        let entries = entries_within(bytes / 2, size_of::<Entry>(), ENTRIES);
        if entries != self.entries {
            (self.table, self.entries) = (Vec::new(), entries);
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        size_of_val(self.table.as_slice()) as u64 + self.fours.bytes()
    }

    /// Positions entered for the last question.
    pub(super) fn entered(&self) -> u32 {
        self.entered
    }

    fn known(&self, key: u64) -> Option<[u32; 2]> {
        let entry = self.table.get(key as usize & (self.entries - 1))?;
        (entry.key == key).then_some(entry.numbers)
    }

    fn keep(&mut self, key: u64, numbers: [u32; 2]) {
        if self.table.is_empty() {
            self.table = vec![Entry { key: 0, numbers: [1, 1] }; self.entries];
        }
        self.table[key as usize & (self.entries - 1)] = Entry { key, numbers };
    }

    /// A proof that `attacker`, to move, wins, entering at most `limit` positions. The key is that
    /// of the board with the attacker to move.
    pub(super) fn prove(&mut self, threats: &mut Threats, attacker: Player, key: u64, limit: u32) -> Option<Tree> {
        self.left = limit;
        self.moves.clear();
        let numbers = self.work(threats, attacker, true, key, [INFINITE; 2], 0);
        self.entered = limit - self.left;
        if numbers[0] > 0 {
            return None;
        }
        let mut tree = Tree::default();
        self.left = limit;
        self.grow(&mut tree, threats, attacker, key, 0).then_some(tree)
    }

    /// df-pn below one position; never deeper than [`DEEPEST`].
    fn work(
        &mut self,
        threats: &mut Threats,
        attacker: Player,
        or_node: bool,
        key: u64,
        thresholds: [u32; 2],
        depth: usize,
    ) -> [u32; 2] {
        const PROVED: [u32; 2] = [0, INFINITE];
        const FAILED: [u32; 2] = [INFINITE, 0];
        self.left = if self.deadline.is_over() { 0 } else { self.left.saturating_sub(1) };
        let from = self.moves.len();
        let settled = if or_node {
            match attack(&mut self.fours, &self.limits, key, threats, attacker, &mut self.moves) {
                Attack::Wins(_) => Some(PROVED),
                Attack::Open => (self.moves.len() == from || depth >= DEEPEST).then_some(FAILED),
            }
        } else {
            match defend(&mut self.fours, &self.limits, key, threats, attacker, &mut self.moves) {
                Defence::Lost => Some(PROVED),
                Defence::Wins | Defence::Free => Some(FAILED),
                Defence::Open => None,
            }
        };
        if let Some(numbers) = settled {
            self.moves.truncate(from);
            self.keep(key, numbers);
            return numbers;
        }
        let mover = if or_node { attacker } else { attacker.other() };
        let least = usize::from(!or_node);
        loop {
            let (mut best, mut first, mut second, mut sum) = (from, INFINITE, INFINITE, 0_u64);
            let mut chosen = [1, 1];
            for number in from..self.moves.len() {
                let point = self.moves[number];
                let numbers = self.known(key ^ stone_key(point, mover) ^ TURN_KEY).unwrap_or_else(|| {
                    if or_node { first_numbers(threats, attacker, point, &self.limits) } else { [1, 1] }
                });
                sum = (sum + u64::from(numbers[1 - least])).min(u64::from(INFINITE));
                if numbers[least] < first {
                    (second, first, best, chosen) = (first, numbers[least], number, numbers);
                } else if numbers[least] < second {
                    second = numbers[least];
                }
            }
            let mut numbers = [0; 2];
            numbers[least] = first;
            // The minimum is infinite only if every child is lost for its mover, and zero only if
            // one is won.
            numbers[1 - least] = match first {
                INFINITE => 0,
                0 => INFINITE,
                _ => (sum as u32).clamp(1, INFINITE - 1),
            };
            if numbers[0] >= thresholds[0]
                || numbers[1] >= thresholds[1]
                || self.left == 0
                || first == 0
                || first == INFINITE
            {
                self.moves.truncate(from);
                self.keep(key, numbers);
                return numbers;
            }
            let mut below = [0; 2];
            below[least] = thresholds[least].min(second.saturating_add(1));
            let others = (sum as u32).saturating_sub(chosen[1 - least]);
            below[1 - least] = thresholds[1 - least].saturating_sub(others).max(chosen[1 - least].saturating_add(1));
            let point = self.moves[best];
            threats.play(point, mover);
            self.work(threats, attacker, !or_node, key ^ stone_key(point, mover) ^ TURN_KEY, below, depth + 1);
            threats.undo(point, mover);
        }
    }

    /// Writes the tree of a proved position with the attacker to move; false if too much of it was
    /// overwritten.
    fn grow(&mut self, tree: &mut Tree, threats: &mut Threats, attacker: Player, key: u64, depth: usize) -> bool {
        let number = tree.nodes.len();
        let from = self.moves.len();
        let look = attack(&mut self.fours, &self.limits, key, threats, attacker, &mut self.moves);
        if let Attack::Wins(line) = look {
            self.moves.truncate(from);
            tree.nodes.push(Node::Line(line));
            return true;
        }
        if depth > DEEPEST || self.left == 0 {
            return false;
        }
        self.left -= 1;
        let child = |point: Point| key ^ stone_key(point, attacker) ^ TURN_KEY;
        let found = (from..self.moves.len())
            .find(|number| self.known(child(self.moves[*number])).is_some_and(|numbers| numbers[0] == 0));
        let found = found.map(|number| self.moves[number]);
        self.moves.truncate(from);
        let Some(point) = found else {
            // It was overwritten: prove it again.
            let numbers = self.work(threats, attacker, true, key, [INFINITE; 2], depth);
            return numbers[0] == 0 && self.grow(tree, threats, attacker, key, depth + 1);
        };
        tree.nodes.push(Node::Move(point, Vec::new()));
        let defender = attacker.other();
        let after = child(point);
        threats.play(point, attacker);
        let mut replies = Vec::new();
        let defence = defend(&mut self.fours, &self.limits, after, threats, attacker, &mut replies);
        let mut answers = Vec::with_capacity(replies.len());
        let mut grown = matches!(defence, Defence::Lost | Defence::Open);
        if defence == Defence::Open {
            for reply in replies {
                threats.play(reply, defender);
                answers.push((reply, tree.nodes.len() as u32));
                grown = self.grow(tree, threats, attacker, after ^ stone_key(reply, defender) ^ TURN_KEY, depth + 2);
                threats.undo(reply, defender);
                if !grown {
                    break;
                }
            }
        }
        threats.undo(point, attacker);
        tree.nodes[number] = Node::Move(point, answers);
        grown
    }
}
