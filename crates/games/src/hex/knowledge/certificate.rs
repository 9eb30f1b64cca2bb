//! The certificate *virtual connection*: how a player's edges are connected, step by step, for anyone to follow.
//!
//! Its data are steps, each a number and what belongs to it. *Points* are cells (size·row + column) and the claimant's edges (size², top or left, and
//! size² + 1); a stone stands for its whole chain, and a chain that touches an edge for the edge. Steps are numbered from 0.
//!
//! | step | followed by | gives |
//! |---|---|---|
//! | 0 touch | two points that touch | a full connection with an empty carrier |
//! | 1 and | two full connections, by number | a full connection of their other ends if they meet in a chain, a half one if in an empty cell |
//! | 2 or | how many, half connections by number | a full connection, if no cell is in all of them |
//! | 3 dead | a cell | a stone of the claimant: it does not matter whose the cell is |
//! | 4 captured | two cells | two stones of the claimant: when one is taken he takes the other, and the first is dead |
//! | 5 captured | two cells | the same for the opponent |
//! | 6 dominated | a cell a, a cell b, a cell c | b is a better reply than a: it makes a dead (c = a), or captures a and c |
//!
//! Only steps 0 to 2 are numbered. Steps 3 to 5 come first and give the *filled* board, on which all others are followed. The rules are those of `connections.rs`, `graph.rs` and `inferior.rs`,
//! which find the steps and say why they are right; here they are only followed, with code of its own.
//!
//! **What they answer.** Let P be the position, S the filled cells and P′ the filled board; they have the same winner, and so have P + q and P′ + q for a reply q outside S, since what is dead or captured stays so.
//! Hex is monotone: stones outside the carriers change nothing. So a full connection of the edges on P′ wins against every reply, a half one wins for the
//! claimant to move and, if he is not, against every reply outside S and its carrier. A dominated reply is answered if the better one is listed or answered
//! before it: P + b ≡ P′ + b ≡ P′ + b + a, no better for the claimant than P′ + a ≡ P + a. If every reply outside S is listed or answered, and there is one, the
//! opponent loses P′, so he loses P, and every reply is answered. Otherwise nothing is said of replies in S.

use super::connections::{Connections, Origin};
use super::inferior::{Filled, Needless, Step};
use super::{Board, Set, members, neighbours, touches_edge};
use crate::hex::{Hex, Move};
use std::collections::HashMap;
use tesuji_core::{Certificate, Certifier, Player, Position};

/// The name of the kind.
pub const VIRTUAL_CONNECTION: &str = "virtual connection";

const TOUCH: u64 = 0;
const AND: u64 = 1;
const OR: u64 = 2;
const DEAD: u64 = 3;
const CAPTURED: u64 = 4;
const LOST: u64 = 5;
const DOMINATED: u64 = 6;

/// Writes down how a board was filled in and how the edges are connected there: the steps that the connections between them rest on; and which replies are needless.
pub(super) fn write(connections: &Connections, filled: &Filled, needless: &Needless) -> Certificate {
    let mut data = Vec::new();
    for step in &filled.steps {
        match *step {
            Step::Dead(cell) => data.extend([DEAD, cell as u64]),
            Step::Captured(player, one, two) => {
                let kind = if player == connections.player() { CAPTURED } else { LOST };
                data.extend([kind, one as u64, two as u64]);
            }
        }
    }
    let mut steps: HashMap<u32, u64> = HashMap::new();
    let mut open = connections.between_edges();
    while let Some(id) = open.last().copied() {
        if steps.contains_key(&id) {
            open.pop();
            continue;
        }
        let connection = connections.get(id);
        let needed: Vec<u32> = match connection.origin {
            Origin::Touch => Vec::new(),
            Origin::And(one, two) => vec![one, two],
            Origin::Or(from, to) => connections.joined(from, to).to_vec(),
        };
        let missing: Vec<u32> = needed.iter().copied().filter(|id| !steps.contains_key(id)).collect();
        if !missing.is_empty() {
            open.extend(missing);
            continue;
        }
        match connection.origin {
            Origin::Touch => data.extend([TOUCH, u64::from(connection.ends[0]), u64::from(connection.ends[1])]),
            Origin::And(..) => data.push(AND),
            Origin::Or(..) => data.extend([OR, needed.len() as u64]),
        }
        data.extend(needed.iter().map(|id| steps[id]));
        steps.insert(id, steps.len() as u64);
        open.pop();
    }
    for [cell, better, with] in &needless.dominated {
        data.extend([DOMINATED, *cell as u64, *better as u64, *with as u64]);
    }
    Certificate::new(VIRTUAL_CONNECTION, data)
}

/// A connection as the checker has derived it.
#[derive(Clone, Copy)]
struct Derived {
    ends: [usize; 2],
    carrier: Set,
    full: bool,
}

/// The board as the claimant's points.
struct Points {
    size: usize,
    empty: Set,
    upright: bool,
    /// The point that each cell belongs to; nothing for the opponent's.
    of_cell: Vec<Option<usize>>,
}

impl Points {
    fn new(board: &Board, claimant: Player) -> Points {
        let (size, own, empty) = (board.size, board.stones[claimant.index()], board.empty());
        let of_cell = vec![None; size * size];
        let mut points = Points { size, empty, upright: claimant == Player::First, of_cell };
        members(empty).for_each(|cell| points.of_cell[cell] = Some(cell));
        for start in members(own) {
            if points.of_cell[start].is_some() {
                continue;
            }
            // The chain: its first cell, or the edge it touches.
            let (mut chain, mut open) = (1 << start, vec![start]);
            while let Some(cell) = open.pop() {
                for next in neighbours(size, cell).filter(|next| own >> next & 1 == 1) {
                    if chain >> next & 1 == 0 {
                        chain |= 1 << next;
                        open.push(next);
                    }
                }
            }
            let on_edge = |which: usize| members(chain).any(|cell| touches_edge(size, cell, points.upright, which));
            let touched = [0, 1].into_iter().find(|which| on_edge(*which));
            let point = touched.map_or(start, |which| points.edge(which));
            members(chain).for_each(|cell| points.of_cell[cell] = Some(point));
        }
        points
    }

    fn edge(&self, which: usize) -> usize {
        self.size * self.size + which
    }

    /// The point that a cell or an edge belongs to.
    fn of(&self, point: usize) -> Option<usize> {
        if point < self.of_cell.len() { self.of_cell[point] } else { (point <= self.edge(1)).then_some(point) }
    }

    /// Whether two different points touch somewhere.
    fn touch(&self, one: usize, two: usize) -> bool {
        let from_cells = |one: usize, two: usize| {
            let cells = (0..self.of_cell.len()).filter(|cell| self.of_cell[*cell] == Some(one));
            let touches = |cell: usize| {
                let edge = [0, 1]
                    .into_iter()
                    .any(|which| self.edge(which) == two && touches_edge(self.size, cell, self.upright, which));
                edge || neighbours(self.size, cell).any(|next| self.of_cell[next] == Some(two))
            };
            cells.into_iter().any(touches)
        };
        from_cells(one, two) || from_cells(two, one)
    }

    /// The empty cell that a point is, as a set; nothing for chains and edges.
    fn bit(&self, point: usize) -> Set {
        if point < self.size * self.size { self.empty & 1 << point } else { 0 }
    }

    fn and(&self, one: Derived, two: Derived) -> Result<Derived, String> {
        let shared: Vec<usize> = one.ends.into_iter().filter(|end| two.ends.contains(end)).collect();
        let [middle] = shared[..] else { return Err("two connections that do not meet in one point".into()) };
        let other = |ends: [usize; 2]| if ends[0] == middle { ends[1] } else { ends[0] };
        let ends = [other(one.ends), other(two.ends)];
        if !one.full || !two.full {
            return Err("a half connection cannot be used for and".into());
        }
        if one.carrier & two.carrier != 0
            || one.carrier & self.bit(ends[1]) != 0
            || two.carrier & self.bit(ends[0]) != 0
        {
            return Err("two connections that need the same cell".into());
        }
        let bit = self.bit(middle);
        Ok(Derived { ends, carrier: one.carrier | two.carrier | bit, full: bit == 0 })
    }

    /// Follows the steps that are left after fill-in.
    fn follow(&self, mut left: impl Iterator<Item = u64>, shown: &mut Shown) -> Result<(), String> {
        let mut steps: Vec<Derived> = Vec::new();
        while let Some(kind) = left.next() {
            let mut number = || left.next().and_then(|number| usize::try_from(number).ok()).ok_or("a step is cut off");
            let known = |number: usize| steps.get(number).copied().ok_or("a step that rests on a later one");
            let step = match kind {
                TOUCH => {
                    let ends = [number()?, number()?].map(|point| self.of(point));
                    let [Some(one), Some(two)] = ends else { return Err("a point that is not the claimant's".into()) };
                    if one == two || !self.touch(one, two) {
                        return Err("two points that do not touch".into());
                    }
                    Derived { ends: [one, two], carrier: 0, full: true }
                }
                AND => self.and(known(number()?)?, known(number()?)?)?,
                OR => {
                    let count = number()?;
                    let first = known(number()?)?;
                    let (mut common, mut union) = (first.carrier, first.carrier);
                    for _ in 1..count {
                        let next = known(number()?)?;
                        let same = next.ends == first.ends || next.ends == [first.ends[1], first.ends[0]];
                        if !same {
                            return Err("connections of different points".into());
                        }
                        (common, union) = (common & next.carrier, union | next.carrier);
                    }
                    if common != 0 {
                        return Err("the opponent can spoil all of them at once".into());
                    }
                    Derived { ends: first.ends, carrier: union, full: true }
                }
                DOMINATED => {
                    shown.dominate([number()?, number()?, number()?])?;
                    continue;
                }
                DEAD | CAPTURED | LOST => return Err("fill-in comes first".into()),
                _ => return Err(format!("there is no step {kind}")),
            };
            steps.push(step);
        }
        let edges = [self.edge(0), self.edge(1)];
        steps.retain(|step| step.ends == edges || step.ends == [edges[1], edges[0]]);
        shown.connections = steps;
        Ok(())
    }
}

/// Whether a stone on a cell makes no difference, whoever has it.
pub(super) fn is_dead(board: &Board, cell: usize) -> bool {
    Player::BOTH.into_iter().any(|player| {
        let beside = beside(board, player, cell);
        beside.iter().enumerate().all(|(number, one)| {
            let of_one = self::beside(board, player, *one);
            beside[number + 1..].iter().all(|two| of_one.contains(two))
        })
    })
}

/// The empty cells and edges of a player that touch a point, or touch a chain of his that does; an edge is a chain.
fn beside(board: &Board, player: Player, from: usize) -> Vec<usize> {
    let (size, upright) = (board.size, player == Player::First);
    let cells = size * size;
    let (own, empty) = (board.stones[player.index()], board.empty());
    let is = |set: Set, point: usize| point < cells && set >> point & 1 == 1;
    let mut seen = vec![false; cells + 2];
    seen[from] = true;
    // The cells that are followed further: where it began, and the player's own.
    let mut open = vec![from];
    while let Some(point) = open.pop() {
        let mut touched: Vec<usize> = Vec::new();
        if point < cells {
            touched.extend(neighbours(size, point));
            touched.extend(
                [0, 1]
                    .into_iter()
                    .filter(|which| touches_edge(size, point, upright, *which))
                    .map(|which| cells + which),
            );
        } else {
            touched.extend((0..cells).filter(|cell| touches_edge(size, *cell, upright, point - cells)));
        }
        for next in touched {
            let passes = next >= cells || is(own, next);
            if !seen[next] && (passes || is(empty, next)) {
                seen[next] = true;
                if passes {
                    open.push(next);
                }
            }
        }
    }
    (0..cells + 2).filter(|point| *point != from && seen[*point] && !is(own, *point)).collect()
}

/// What a certificate shows.
struct Shown {
    claimant: Player,
    /// The filled board.
    board: Board,
    /// The cells that were filled.
    filled: Set,
    /// The connections of the edges.
    connections: Vec<Derived>,
    /// Cells, each with a better one.
    dominated: Vec<[usize; 2]>,
}

impl Shown {
    fn is_empty(&self, cell: usize) -> bool {
        cell < self.board.size * self.board.size && self.board.empty() >> cell & 1 == 1
    }

    /// The board with further stones of a player.
    fn with(&self, player: Player, cells: &[usize]) -> Board {
        let mut board = self.board;
        cells.iter().for_each(|cell| board.stones[player.index()] |= 1 << cell);
        board
    }

    /// Whether a player who has also `given` has captured two empty cells.
    fn captures(&self, player: Player, given: &[usize], one: usize, two: usize) -> bool {
        let kills = |killer: usize, cell: usize| is_dead(&self.with(player, &[given, &[killer]].concat()), cell);
        one != two && kills(one, two) && kills(two, one)
    }

    /// Gives a player cells that are dead, or that he has captured.
    fn give(&mut self, player: Player, cells: &[usize]) -> Result<(), String> {
        let holds = cells.iter().all(|cell| self.is_empty(*cell))
            && match *cells {
                [one, two] => self.captures(player, &[], one, two),
                _ => cells.iter().all(|cell| is_dead(&self.board, *cell)),
            };
        if !holds {
            let what = if cells.len() == 2 { "captured" } else { "dead" };
            return Err(format!("a cell that is not {what}"));
        }
        self.board = self.with(player, cells);
        cells.iter().for_each(|cell| self.filled |= 1 << cell);
        Ok(())
    }

    /// The cell is no better a reply than `better`, which makes it dead or captures it with another one.
    fn dominate(&mut self, [cell, better, with]: [usize; 3]) -> Result<(), String> {
        let opponent = self.claimant.other();
        let holds = [cell, better, with].into_iter().all(|cell| self.is_empty(cell))
            && better != cell
            && better != with
            && if cell == with {
                is_dead(&self.with(opponent, &[better]), cell)
            } else {
                self.captures(opponent, &[better], cell, with)
            };
        self.dominated.push([cell, better]);
        if holds { Ok(()) } else { Err("a cell that is not dominated".into()) }
    }

    /// Which replies stay open of those that are not listed.
    fn open(&self, mut open: Set) -> Set {
        if self.connections.iter().any(|connection| connection.full) {
            return 0;
        }
        let needed = self.connections.iter().fold(Set::MAX, |needed, connection| needed & connection.carrier);
        open &= needed | self.filled;
        for [cell, better] in &self.dominated {
            if open >> better & 1 == 0 {
                open &= !(1 << cell);
            }
        }
        let others = self.board.empty();
        if others != 0 && open & others == 0 { 0 } else { open }
    }
}

/// Checks certificates of Hex.
#[derive(Clone, Copy, Debug, Default)]
pub struct Connected;

impl Connected {
    fn derive(position: &Hex, claimant: Player, certificate: &Certificate) -> Result<Shown, String> {
        if certificate.kind != VIRTUAL_CONNECTION {
            return Err("Hex has no certificates of this kind".into());
        }
        let board = Board::new(position).ok_or("nothing is known of boards like this, or before a swap")?;
        let (connections, dominated) = (Vec::new(), Vec::new());
        let mut shown = Shown { claimant, board, filled: 0, connections, dominated };
        let mut left = certificate.data.iter().copied().peekable();
        while let Some(kind) = left.next_if(|kind| [DEAD, CAPTURED, LOST].contains(kind)) {
            let mut number = || left.next().and_then(|number| usize::try_from(number).ok()).ok_or("a step is cut off");
            match kind {
                DEAD => shown.give(claimant, &[number()?])?,
                CAPTURED => shown.give(claimant, &[number()?, number()?])?,
                _ => shown.give(claimant.other(), &[number()?, number()?])?,
            }
        }
        Points::new(&shown.board, claimant).follow(left, &mut shown)?;
        Ok(shown)
    }
}

impl Certifier<Hex> for Connected {
    fn wins(&self, position: &Hex, claimant: Player, certificate: &Certificate) -> Result<(), String> {
        let shown = Connected::derive(position, claimant, certificate)?;
        if shown.connections.is_empty() { Err("the edges are not connected".into()) } else { Ok(()) }
    }

    fn answers(
        &self,
        position: &Hex,
        claimant: Player,
        certificate: &Certificate,
        replies: &mut Vec<Move>,
    ) -> Result<(), String> {
        let shown = Connected::derive(position, claimant, certificate)?;
        if shown.connections.is_empty() && shown.filled == 0 && shown.dominated.is_empty() {
            return Err("the edges are not connected".into());
        }
        let bit = |mv: &Move| 1 << position.move_index(*mv);
        let open = shown.open(replies.iter().fold(0, |open, mv| open | bit(mv)));
        replies.retain(|mv| open & bit(mv) != 0);
        Ok(())
    }
}
