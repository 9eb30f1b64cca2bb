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
//!
//! The rules are those of `connections.rs`, which finds the steps; here they are only followed, with code of its own. Hex is monotone: stones outside
//! the carriers change nothing. So a full connection of the edges wins against every reply, a half one wins for the claimant to move and, if he is
//! not, against every reply outside its carrier.

use super::connections::{Connections, Origin};
use super::{Board, Set, members, neighbours, touches_edge};
use crate::hex::{Hex, Move};
use std::collections::HashMap;
use tesuji_core::{Certificate, Certifier, Player, Position};

/// The name of the kind.
pub const VIRTUAL_CONNECTION: &str = "virtual connection";

const TOUCH: u64 = 0;
const AND: u64 = 1;
const OR: u64 = 2;

/// Writes down how the edges are connected: the steps that the connections between them rest on.
pub(super) fn write(connections: &Connections) -> Certificate {
    let mut data = Vec::new();
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
        let cells = (0..self.of_cell.len()).filter(|cell| self.of_cell[*cell] == Some(one));
        let touches = |cell: usize| {
            let edge = [0, 1]
                .into_iter()
                .any(|which| self.edge(which) == two && touches_edge(self.size, cell, self.upright, which));
            edge || neighbours(self.size, cell).any(|next| self.of_cell[next] == Some(two))
        };
        cells.clone().any(touches) || one >= self.of_cell.len() && two < self.of_cell.len() && self.touch(two, one)
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

    /// Follows the steps; answers the connections of the edges.
    fn follow(&self, data: &[u64]) -> Result<Vec<Derived>, String> {
        let mut left = data.iter().copied();
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
                _ => return Err(format!("there is no step {kind}")),
            };
            steps.push(step);
        }
        let edges = [self.edge(0), self.edge(1)];
        steps.retain(|step| step.ends == edges || step.ends == [edges[1], edges[0]]);
        if steps.is_empty() { Err("the edges are not connected".into()) } else { Ok(steps) }
    }
}

/// Checks certificates of Hex.
#[derive(Clone, Copy, Debug, Default)]
pub struct Connected;

impl Connected {
    fn derive(position: &Hex, claimant: Player, certificate: &Certificate) -> Result<Vec<Derived>, String> {
        if certificate.kind != VIRTUAL_CONNECTION {
            return Err("Hex has no certificates of this kind".into());
        }
        let board = Board::new(position).ok_or("nothing is known of boards like this, or before a swap")?;
        Points::new(&board, claimant).follow(&certificate.data)
    }
}

impl Certifier<Hex> for Connected {
    fn wins(&self, position: &Hex, claimant: Player, certificate: &Certificate) -> Result<(), String> {
        Connected::derive(position, claimant, certificate).map(|_| ())
    }

    fn answers(
        &self,
        position: &Hex,
        claimant: Player,
        certificate: &Certificate,
        replies: &mut Vec<Move>,
    ) -> Result<(), String> {
        let derived = Connected::derive(position, claimant, certificate)?;
        let fails = |mv: Move| {
            let bit = 1 << position.move_index(mv);
            derived.iter().all(|connection| !connection.full && connection.carrier & bit != 0)
        };
        replies.retain(|mv| fails(*mv));
        Ok(())
    }
}
