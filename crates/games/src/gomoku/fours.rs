//! Victory by continuous fours, by a search inside the search for threes.
//!
//! The attacker makes a four with every move, so the defender has one answer; a line of such moves
//! that ends with two points for a five, or with one that is forbidden to the defender, wins. The
//! search is depth first over the attacker's fours, the richest first, with a limit on the fours
//! tried and a table of results. It is incomplete: failure to find a line proves nothing.
//!
//! A line serves two purposes: with the attacker to move it is a win; with the defender to move it
//! is the threat if the defender passes, and [`Line::zone`] returns the defender's answers that can
//! matter to it.

use super::rules::stone_key;
use super::{Gomoku, LINE_OF_FOURS, Shape, Threats};
use crate::in_a_row::{DIRECTIONS, Point, REACH};
use tesuji_core::{Certificate, Player, Position};

/// The longest line.
const LONGEST: usize = 60;

/// Entries of the table, a power of two.
const ENTRIES: usize = 1 << 18;

/// A line of fours that wins.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Line {
    /// Every four but the last, with its answer.
    fours: Vec<(Point, Point)>,
    /// The last four; `None` if the attacker makes a five at once.
    last: Option<Point>,
    /// The points that complete it to a five: two points, or one that cannot be stopped.
    fives: Vec<Point>,
    /// Whether the only point that would stop the last four is forbidden to the defender.
    forbidden: bool,
    /// Whether some point was allowed or forbidden for reasons beyond its four lines.
    delicate: bool,
}

impl Line {
    /// The attacker's first move.
    pub(super) fn first(&self) -> Option<Point> {
        self.fours.first().map(|four| four.0).or(self.last).or(self.fives.first().copied())
    }

    /// The points of fours and answers alternately; the fives are omitted.
    pub(super) fn points(&self) -> impl Iterator<Item = Point> + '_ {
        self.fours.iter().flat_map(|four| [four.0, four.1]).chain(self.last)
    }

    /// The line as a certificate.
    pub(super) fn certificate(&self, position: &Gomoku) -> Certificate {
        Certificate::new(LINE_OF_FOURS, self.points().map(|point| position.move_index(point) as u64).collect())
    }

    /// Whether the line wins on this board as written, the attacker moving first.
    pub(super) fn holds(&self, threats: &mut Threats, attacker: Player) -> bool {
        let defender = attacker.other();
        let mut played: Vec<(Point, Player)> = Vec::new();
        let mut holds = true;
        for number in 0..=self.fours.len() {
            if threats.count(attacker, Shape::Five) > 0 {
                break;
            }
            let four = self.fours.get(number).map(|four| four.0).or(self.last);
            let free = four.filter(|four| {
                threats.stones().is_empty(*four)
                    && threats.best(attacker, *four) >= Shape::Four
                    && threats.may_play(attacker, *four).0
            });
            let dangers = threats.count(defender, Shape::Five);
            let Some(four) =
                free.filter(|four| dangers == 0 || (dangers == 1 && threats.best(defender, *four) == Shape::Five))
            else {
                holds = false;
                break;
            };
            threats.play(four, attacker);
            played.push((four, attacker));
            let fives = threats.count(attacker, Shape::Five);
            let stop = threats.points(attacker, Shape::Five).next();
            let stop = stop.filter(|stop| fives == 1 && threats.may_play(defender, *stop).0);
            if threats.count(defender, Shape::Five) > 0 || fives == 0 {
                holds = false;
                break;
            }
            let Some(stop) = stop else {
                holds = may_move(threats, defender);
                break;
            };
            if self.fours.get(number).is_none_or(|four| four.1 != stop) {
                holds = false;
                break;
            }
            threats.play(stop, defender);
            played.push((stop, defender));
        }
        for (point, player) in played.into_iter().rev() {
            threats.undo(point, player);
        }
        holds
    }

    /// Appends the moves of a defender who is to move and has nothing to stop at once, after which
    /// the line may no longer win. After every other move it wins as written:
    ///
    /// * its points are still empty, and its fours need no others;
    /// * the defender never gets a four on the way: no row of five free of the attacker's stones
    ///   holds the new stone and three others, of those on the board and those with which the
    ///   defender stops fours.
    ///
    /// Where points were forbidden or allowed for reasons beyond their lines (renju), every move is
    /// tried against the line.
    pub(super) fn zone(&self, threats: &mut Threats, attacker: Player, moves: &mut Vec<Point>) {
        let defender = attacker.other();
        let stones = *threats.stones();
        let mut inside = [0_u32; crate::in_a_row::LARGEST];
        let mut add = |point: Point, moves: &mut Vec<Point>| {
            let row = &mut inside[point.row()];
            if *row >> point.column() & 1 == 0 && stones.is_empty(point) {
                *row |= 1 << point.column();
                moves.push(point);
            }
        };
        for point in &self.fives {
            add(*point, moves);
        }
        for point in self.last.iter().copied().chain(self.fours.iter().rev().flat_map(|four| [four.0, four.1])) {
            add(point, moves);
        }
        let mut own = Vec::new();
        threats.collect(defender, Shape::Four, &mut own);
        for point in own {
            add(point, moves);
        }
        let answers = || self.fours.iter().map(|four| four.1);
        for answer in answers() {
            for direction in DIRECTIONS {
                for start in -4..=0 {
                    let row: [Option<Point>; 5] =
                        std::array::from_fn(|step| answer.step(direction, start + step as isize, stones.size()));
                    if row.contains(&None) {
                        continue;
                    }
                    let cells = || row.iter().flatten().copied();
                    let own = cells()
                        .filter(|cell| stones.owner(*cell) == Some(defender) || answers().any(|answer| answer == *cell))
                        .count();
                    if own >= 3 && !cells().any(|cell| stones.owner(cell) == Some(attacker)) {
                        cells().for_each(|cell| add(cell, moves));
                    }
                }
            }
        }
        if self.forbidden
            && let [stop] = self.fives[..]
        {
            let reach = REACH as isize;
            for direction in DIRECTIONS {
                (-reach..=reach)
                    .filter_map(|steps| stop.step(direction, steps, stones.size()))
                    .for_each(|cell| add(cell, moves));
            }
        }
        if self.delicate {
            for point in stones.points().filter(|point| stones.is_empty(*point)) {
                threats.play(point, defender);
                let holds = self.holds(threats, attacker);
                threats.undo(point, defender);
                if !holds {
                    add(point, moves);
                }
            }
        }
        moves.retain(|point| threats.may_play(defender, *point).0);
    }
}

/// The number of entries of this size that fit, a power of two, at least 16 and at most `most`.
pub(super) fn entries_within(bytes: u64, size: usize, most: usize) -> usize {
    let fit = usize::try_from(bytes).unwrap_or(usize::MAX) / size;
    (if fit.is_power_of_two() { fit } else { fit.next_power_of_two() / 2 }).clamp(16, most)
}

/// Table entry: no line, with the attacker to move.
const FAILED: u16 = u16::MAX;
/// Table entry: the search was cut off.
const GIVEN_UP: u16 = u16::MAX - 1;

/// Searches for lines of fours.
pub(super) struct Fours {
    /// Key, the first move or why there is none, and the limit. Allocated with the first entry.
    table: Vec<(u64, u16, u32)>,
    entries: usize,
}

impl Default for Fours {
    fn default() -> Fours {
        Fours { table: Vec::new(), entries: ENTRIES }
    }
}

/// Whether a player has any move: under renju Black may have none, and the game is drawn.
fn may_move(threats: &Threats, player: Player) -> bool {
    let stones = threats.stones();
    !threats.is_restricted(player)
        || stones.points().any(|point| stones.is_empty(point) && threats.may_play(player, point).0)
}

/// The two ends of the straight four that a stone makes.
fn ends(threats: &Threats, player: Player, four: Point) -> Vec<Point> {
    let line = threats.shapes(player, four).iter().position(|shape| *shape == Shape::OpenFour);
    let direction = DIRECTIONS[line.unwrap_or(0)];
    let stones = threats.stones();
    let end = |way: isize| {
        let cells = (1..=REACH as isize).map_while(|steps| four.step(direction, way * steps, stones.size()));
        cells.into_iter().find(|cell| stones.owner(*cell) != Some(player))
    };
    [end(1), end(-1)].into_iter().flatten().collect()
}

/// A position on the path, the attacker to move.
struct Node {
    key: u64,
    /// The remaining candidates, the best last; they are the end of the common list, from this
    /// index on.
    from: usize,
    /// The four that led to the next node, and its answer.
    now: Option<(Point, Point)>,
    /// Whether that four was allowed for reasons beyond its lines.
    delicate: bool,
}

/// The result of examining a node.
enum Look {
    Wins(Line),
    Open,
    Fails,
}

impl Fours {
    /// Limits the table to this many bytes, but to a few entries at least; its content is dropped
    /// if that changes its size.
    pub(super) fn memory(&mut self, bytes: u64) {
        let entries = entries_within(bytes, size_of::<(u64, u16, u32)>(), ENTRIES);
        if entries != self.entries {
            *self = Fours { table: Vec::new(), entries };
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        size_of_val(self.table.as_slice()) as u64
    }

    fn known(&self, key: u64) -> Option<(u16, u32)> {
        let entry = self.table.get(key as usize & (self.entries - 1))?;
        (entry.0 == key).then_some((entry.1, entry.2))
    }

    fn keep(&mut self, key: u64, what: u16, limit: u32) {
        if self.table.is_empty() {
            self.table = vec![(0, FAILED, 0); self.entries];
        }
        self.table[key as usize & (self.entries - 1)] = (key, what, limit);
    }

    /// The same after one more stone of the attacker, which the defender does not answer.
    pub(super) fn find_after(
        &mut self,
        key: u64,
        threats: &mut Threats,
        (stone, attacker): (Point, Player),
        limit: u32,
    ) -> Option<Line> {
        threats.play(stone, attacker);
        let line = self.find(key ^ stone_key(stone, attacker), threats, attacker, limit);
        threats.undo(stone, attacker);
        line
    }

    /// A line by which `attacker`, to move, wins by fours, trying at most `limit` of them. The key
    /// is that of the board with the attacker to move.
    pub(super) fn find(&mut self, key: u64, threats: &mut Threats, attacker: Player, limit: u32) -> Option<Line> {
        if let Some((what @ (FAILED | GIVEN_UP), tried)) = self.known(key)
            && (what == FAILED || tried >= limit)
        {
            return None;
        }
        let defender = attacker.other();
        let mut left = limit;
        let mut candidates: Vec<Point> = Vec::new();
        let mut path: Vec<Node> = Vec::new();
        let mut found: Option<Line> = None;
        let mut entered = Some(key);
        loop {
            if let Some(key) = entered.take() {
                let from = candidates.len();
                match self.look(key, threats, attacker, &mut candidates) {
                    Look::Wins(line) => {
                        found = Some(line);
                        break;
                    }
                    Look::Open => path.push(Node { key, from, now: None, delicate: false }),
                    Look::Fails => {
                        self.keep(key, FAILED, 0);
                        candidates.truncate(from);
                        if let Some((four, stop)) = path.last_mut().and_then(|node| node.now.take()) {
                            threats.undo(stop, defender);
                            threats.undo(four, attacker);
                        }
                    }
                }
            }
            let depth = path.len();
            let Some(node) = path.last_mut() else { break };
            if left == 0 {
                break;
            }
            let next = if candidates.len() > node.from && depth < LONGEST { candidates.pop() } else { None };
            let Some(four) = next else {
                let (key, from) = (node.key, node.from);
                self.keep(key, FAILED, 0);
                candidates.truncate(from);
                path.pop();
                if let Some((four, stop)) = path.last_mut().and_then(|node| node.now.take()) {
                    threats.undo(stop, defender);
                    threats.undo(four, attacker);
                }
                continue;
            };
            let (allowed, deep) = threats.may_play(attacker, four);
            node.delicate = deep;
            if !allowed {
                continue;
            }
            left -= 1;
            if threats.best(attacker, four) == Shape::OpenFour {
                let fives = ends(threats, attacker, four);
                found = Some(Line { last: Some(four), fives, ..Line::default() });
                self.keep(node.key, threats.stones().index(four) as u16, 0);
                break;
            }
            threats.play(four, attacker);
            let fives = threats.count(attacker, Shape::Five);
            let stop = threats.points(attacker, Shape::Five).next();
            let Some(stop) = stop else {
                // Only under renju: the point is not a four once the stone stands.
                threats.undo(four, attacker);
                continue;
            };
            let (may_stop, deep) = threats.may_play(defender, stop);
            if fives > 1 || !may_stop {
                let fives = threats.points(attacker, Shape::Five).take(2).collect();
                threats.undo(four, attacker);
                let delicate = deep && !may_stop;
                found = Some(Line { last: Some(four), fives, forbidden: !may_stop, delicate, ..Line::default() });
                self.keep(node.key, threats.stones().index(four) as u16, 0);
                break;
            }
            threats.play(stop, defender);
            node.now = Some((four, stop));
            entered = Some(node.key ^ stone_key(four, attacker) ^ stone_key(stop, defender));
        }
        if found.is_none() && left == 0 {
            self.keep(key, GIVEN_UP, limit);
        }
        for node in path.into_iter().rev() {
            if let Some(line) = &mut found {
                line.delicate |= node.delicate;
            }
            let Some((four, stop)) = node.now else { continue };
            threats.undo(stop, defender);
            threats.undo(four, attacker);
            if let Some(line) = &mut found {
                line.fours.push((four, stop));
                self.keep(node.key, threats.stones().index(four) as u16, 0);
            }
        }
        if let Some(line) = &mut found {
            line.fours.reverse();
        }
        found
    }

    /// Examines a position with the attacker to move; its candidates are appended, the best last.
    fn look(&self, key: u64, threats: &Threats, attacker: Player, candidates: &mut Vec<Point>) -> Look {
        let defender = attacker.other();
        if let Some(five) = threats.points(attacker, Shape::Five).next() {
            return Look::Wins(Line { fives: vec![five], ..Line::default() });
        }
        let known = self.known(key).map(|known| known.0);
        let dangers = threats.count(defender, Shape::Five);
        let from = candidates.len();
        match known {
            Some(FAILED) => return Look::Fails,
            Some(first) if first != GIVEN_UP => candidates.extend(threats.stones().at(usize::from(first))),
            _ if dangers == 1 => {
                let stop = threats.points(defender, Shape::Five);
                candidates.extend(stop.filter(|four| threats.best(attacker, *four) >= Shape::Four));
            }
            _ if dangers == 0 => {
                threats.collect(attacker, Shape::Four, candidates);
                let worth = |point: &Point| {
                    threats.shapes(attacker, *point).map(|shape| 1_u32 << shape as u32).iter().sum::<u32>()
                };
                candidates[from..].sort_by_key(worth);
            }
            _ => {}
        }
        if candidates.len() == from { Look::Fails } else { Look::Open }
    }
}
