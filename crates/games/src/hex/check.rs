//! The checker of Hex's certificate *virtual connection*, apart from the code that finds it.
//!
//! The data are steps, each a number and its operands. *Points* are cells (size·row + column) and
//! the claimant's edges (size², top or left, and size² + 1). A stone stands for its chain, and a
//! chain that touches an edge for the edge. Connections are numbered from 0 in the order of their
//! steps.
//!
//! | step | operands | meaning |
//! |---|---|---|
//! | 0 touch | two points that touch | a full connection with an empty carrier |
//! | 1 and | two full connections that meet | a connection of their other ends |
//! | 2 or | a count, that many connections | a full connection of their common ends |
//! | 3 dead | a cell | the claimant gets the cell, which affects no result |
//! | 4 captured | two cells | the claimant gets both |
//! | 5 captured | two cells | the opponent gets both |
//! | 6 dominated | cells a, b, c | the reply b is at least as good as the reply a |
//!
//! *And* gives a full connection if the two meet in a chain, a half one if they meet in an empty
//! cell. *Or* needs that no cell is in all carriers. A pair is *captured* if against a stone on one
//! cell its owner takes the other, and the first is dead. A reply b *dominates* a if it makes a
//! dead (c = a), or captures a and c.
//!
//! Steps 3 to 5 come first. They give the *filled* board, on which all others are followed. Why the
//! steps are right is proved at the heads of `knowledge/connections.rs`, `graph.rs` and
//! `inferior.rs`.
//!
//! **What they answer.** Let P be the position, S the filled cells and P′ the filled board. They
//! have the same winner, and so have P + q and P′ + q for a reply q outside S, since dead and
//! captured cells stay so. Hex is monotone: stones outside a carrier change nothing. So a full
//! connection of the edges on P′ wins against every reply. A half one wins for the claimant to move
//! and, where the opponent moves, against every reply outside S and its carrier. A dominated reply
//! a is answered if the better one b is listed or was answered: P + b ≡ P′ + b ≡ P′ + b + a, no
//! better for the claimant than P′ + a ≡ P + a. If every reply outside S is listed or answered, and
//! there is one, the opponent loses P′, hence P, and every reply is answered. Otherwise replies in
//! S stay open.
//!
//! The finder (`knowledge/`) works on bit sets. Here the board is an array and carriers are plain
//! sets. Finder and checker share the rules and the theorems, no code.

use super::{Hex, Move, SwapRule};
use std::collections::BTreeSet;
use tesuji_core::{Certificate, Certifier, Drawing, Player, Position};

/// The kind of certificate.
pub const VIRTUAL_CONNECTION: &str = "virtual connection";

/// The numbers of the steps, for the code that writes certificates.
pub(super) mod step {
    pub(in crate::hex) const TOUCH: u64 = 0;
    pub(in crate::hex) const AND: u64 = 1;
    pub(in crate::hex) const OR: u64 = 2;
    pub(in crate::hex) const DEAD: u64 = 3;
    pub(in crate::hex) const CAPTURED: u64 = 4;
    pub(in crate::hex) const LOST: u64 = 5;
    pub(in crate::hex) const DOMINATED: u64 = 6;
}

/// Checks certificates of Hex.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConnectionCertifier;

/// The board as an array of cells.
#[derive(Clone)]
pub(super) struct Board {
    pub(super) size: usize,
    pub(super) cells: Vec<Option<Player>>,
}

impl Board {
    fn new(position: &Hex) -> Result<Board, String> {
        if position.swap == SwapRule::Pieces && (position.stone_count() == 0 || position.can_swap()) {
            return Err("a swap is still possible".into());
        }
        let size = position.size();
        let cells = (0..size * size).map(|cell| position.stone(cell % size, cell / size)).collect();
        Ok(Board { size: size as usize, cells })
    }

    fn is_empty(&self, cell: usize) -> bool {
        self.cells.get(cell) == Some(&None)
    }

    fn with(&self, player: Player, cells: &[usize]) -> Board {
        let mut board = self.clone();
        cells.iter().for_each(|cell| board.cells[*cell] = Some(player));
        board
    }

    /// The cells that touch a cell.
    pub(super) fn neighbours(&self, cell: usize) -> Vec<usize> {
        let (column, row) = ((cell % self.size) as isize, (cell / self.size) as isize);
        let size = self.size as isize;
        [(1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)]
            .into_iter()
            .map(|(columns, rows)| (column + columns, row + rows))
            .filter(|(column, row)| (0..size).contains(column) && (0..size).contains(row))
            .map(|(column, row)| (row * size + column) as usize)
            .collect()
    }

    /// The edges of a player that a cell touches: top and bottom for the first player.
    pub(super) fn edges_at(&self, player: Player, cell: usize) -> Vec<usize> {
        let line = if player == Player::First { cell / self.size } else { cell % self.size };
        let edges = [(0, self.cells.len()), (self.size - 1, self.cells.len() + 1)];
        edges.into_iter().filter(|(at, _)| *at == line).map(|(_, edge)| edge).collect()
    }

    /// The points that touch a point: cells, and edges of a player.
    fn touching(&self, player: Player, point: usize) -> Vec<usize> {
        if point < self.cells.len() {
            let mut touching = self.neighbours(point);
            touching.extend(self.edges_at(player, point));
            touching
        } else {
            (0..self.cells.len()).filter(|cell| self.edges_at(player, *cell).contains(&point)).collect()
        }
    }

    /// The empty cells and edges that a player reaches from a point through chains and edges, which
    /// count as chains.
    fn reach(&self, player: Player, from: usize) -> BTreeSet<usize> {
        let mut reached = BTreeSet::new();
        let mut visited = BTreeSet::from([from]);
        let mut open = vec![from];
        while let Some(point) = open.pop() {
            for next in self.touching(player, point) {
                let is_edge = next >= self.cells.len();
                let is_own = !is_edge && self.cells[next] == Some(player);
                if !(is_edge || is_own || self.is_empty(next)) || !visited.insert(next) {
                    continue;
                }
                if !is_own {
                    reached.insert(next);
                }
                if is_edge || is_own {
                    open.push(next);
                }
            }
        }
        reached
    }

    /// Whether an empty cell affects no result: for one of the players, all points that it reaches
    /// reach each other.
    fn is_dead(&self, cell: usize) -> bool {
        Player::BOTH.into_iter().any(|player| {
            let around = self.reach(player, cell);
            around.iter().all(|one| {
                let reached = self.reach(player, *one);
                around.iter().all(|other| other == one || reached.contains(other))
            })
        })
    }

    /// Whether a player has captured two empty cells: a stone on either makes the other dead.
    fn captures(&self, player: Player, one: usize, two: usize) -> bool {
        one != two && self.with(player, &[one]).is_dead(two) && self.with(player, &[two]).is_dead(one)
    }
}

/// Whether a cell of a board is dead, for tests that compare it with the finder.
#[cfg(test)]
pub(super) fn is_dead_cell(size: usize, cells: Vec<Option<Player>>, cell: usize) -> bool {
    Board { size, cells }.is_dead(cell)
}

/// A connection of two points of the claimant.
#[derive(Clone)]
pub(super) struct Connection {
    ends: [usize; 2],
    /// The empty cells between its ends that it needs.
    pub(super) carrier: BTreeSet<usize>,
    /// Whether it holds if the opponent moves first.
    pub(super) full: bool,
    /// The connections that it was made of.
    pub(super) parts: Vec<usize>,
}

impl Connection {
    fn joins(&self, one: usize, two: usize) -> bool {
        self.ends == [one, two] || self.ends == [two, one]
    }
}

/// Reads the steps of a certificate and follows them.
pub(super) struct Derivation<'a> {
    pub(super) claimant: Player,
    pub(super) board: Board,
    pub(super) filled: BTreeSet<usize>,
    /// The pairs of cells that the claimant has captured.
    pub(super) captured: Vec<[usize; 2]>,
    /// The representative of each cell: itself, the first cell of its chain, or an edge.
    representative: Vec<usize>,
    pub(super) connections: Vec<Connection>,
    /// Replies with a better one, in the order of the steps.
    dominated: Vec<[usize; 2]>,
    data: &'a [u64],
}

impl Derivation<'_> {
    fn number(&mut self) -> Result<usize, String> {
        let (number, rest) = self.data.split_first().ok_or("a step is cut off")?;
        self.data = rest;
        usize::try_from(*number).map_err(|_| format!("{number} is out of range"))
    }

    /// The next operand, an empty cell.
    fn empty_cell(&mut self) -> Result<usize, String> {
        let cell = self.number()?;
        if self.board.is_empty(cell) { Ok(cell) } else { Err(format!("{cell} is not an empty cell")) }
    }

    /// The next operand, a connection derived before.
    fn connection(&mut self) -> Result<(usize, Connection), String> {
        let number = self.number()?;
        let found = self.connections.get(number).cloned();
        found.map(|found| (number, found)).ok_or_else(|| format!("connection {number} is not derived yet"))
    }

    /// Steps 3 to 5.
    fn fill(&mut self) -> Result<(), String> {
        while let Some(kind) = self.data.first().copied().filter(|kind| (step::DEAD..=step::LOST).contains(kind)) {
            self.number()?;
            let owner = if kind == step::LOST { self.claimant.other() } else { self.claimant };
            let one = self.empty_cell()?;
            let cells = if kind == step::DEAD { vec![one] } else { vec![one, self.empty_cell()?] };
            let holds = match cells[..] {
                [one, two] => self.board.captures(owner, one, two),
                _ => self.board.is_dead(one),
            };
            if !holds {
                return Err(format!("cells {cells:?} are not dead or captured"));
            }
            if let ([one, two], step::CAPTURED) = (&cells[..], kind) {
                self.captured.push([*one, *two]);
            }
            self.board = self.board.with(owner, &cells);
            self.filled.extend(cells);
        }
        Ok(())
    }

    /// Finds the representatives on the filled board.
    fn find_chains(&mut self) {
        let board = &self.board;
        let cells = board.cells.len();
        self.representative = (0..cells).collect();
        for start in 0..cells {
            if board.cells[start] != Some(self.claimant) || self.representative[start] != start {
                continue;
            }
            let (mut chain, mut next) = (vec![start], 0);
            while next < chain.len() {
                for cell in board.neighbours(chain[next]) {
                    if board.cells[cell] == Some(self.claimant) && !chain.contains(&cell) {
                        chain.push(cell);
                    }
                }
                next += 1;
            }
            let edges = chain.iter().flat_map(|cell| board.edges_at(self.claimant, *cell));
            let point = edges.min().unwrap_or(start);
            chain.into_iter().for_each(|cell| self.representative[cell] = point);
        }
    }

    /// The representative of a point, if it is the claimant's or empty.
    fn point(&self, point: usize) -> Result<usize, String> {
        let cells = self.board.cells.len();
        if point >= cells {
            return if point < cells + 2 { Ok(point) } else { Err(format!("{point} is no point")) };
        }
        if self.board.cells[point] == Some(self.claimant.other()) {
            return Err(format!("cell {point} is the opponent's"));
        }
        Ok(self.representative[point])
    }

    /// Whether two points, given by their representatives, touch somewhere.
    fn touch(&self, one: usize, two: usize) -> bool {
        let cells = self.board.cells.len();
        let belongs = |point: usize, to: usize| {
            point == to
                || point < cells && self.board.cells[point] == Some(self.claimant) && self.representative[point] == to
        };
        (0..cells + 2)
            .filter(|point| belongs(*point, one))
            .any(|point| self.board.touching(self.claimant, point).into_iter().any(|next| belongs(next, two)))
    }

    fn and(&self, (first, one): (usize, Connection), (second, two): (usize, Connection)) -> Result<Connection, String> {
        if !one.full || !two.full {
            return Err("the step and takes full connections".into());
        }
        let common: Vec<usize> = one.ends.into_iter().filter(|end| two.ends.contains(end)).collect();
        let [middle] = common[..] else { return Err("the connections do not meet in one point".into()) };
        let other = |ends: [usize; 2]| if ends[0] == middle { ends[1] } else { ends[0] };
        let ends = [other(one.ends), other(two.ends)];
        if !one.carrier.is_disjoint(&two.carrier) || one.carrier.contains(&ends[1]) || two.carrier.contains(&ends[0]) {
            return Err("the connections need the same cell".into());
        }
        let full = !self.board.is_empty(middle);
        let mut carrier: BTreeSet<usize> = one.carrier.union(&two.carrier).copied().collect();
        if !full {
            carrier.insert(middle);
        }
        Ok(Connection { ends, carrier, full, parts: vec![first, second] })
    }

    fn or(&mut self) -> Result<Connection, String> {
        let count = self.number()?;
        let (number, first) = self.connection()?;
        let (mut common, mut union) = (first.carrier.clone(), first.carrier);
        let mut parts = vec![number];
        for _ in 1..count {
            let (number, next) = self.connection()?;
            parts.push(number);
            if !next.joins(first.ends[0], first.ends[1]) {
                return Err("the connections have different ends".into());
            }
            common = common.intersection(&next.carrier).copied().collect();
            union.extend(next.carrier);
        }
        if !common.is_empty() {
            return Err("one stone breaks all connections of the step or".into());
        }
        Ok(Connection { ends: first.ends, carrier: union, full: true, parts })
    }

    fn dominate(&mut self) -> Result<(), String> {
        let [cell, better, partner] = [self.empty_cell()?, self.empty_cell()?, self.empty_cell()?];
        let with_better = self.board.with(self.claimant.other(), &[better]);
        let holds = better != cell
            && better != partner
            && if cell == partner {
                with_better.is_dead(cell)
            } else {
                with_better.captures(self.claimant.other(), cell, partner)
            };
        self.dominated.push([cell, better]);
        if holds { Ok(()) } else { Err(format!("cell {cell} is not dominated by {better}")) }
    }

    /// Steps 0 to 2 and 6.
    fn connect(&mut self) -> Result<(), String> {
        while !self.data.is_empty() {
            let kind = self.number()?;
            let connection = match kind as u64 {
                step::TOUCH => {
                    let (one, two) = (self.number()?, self.number()?);
                    let (one, two) = (self.point(one)?, self.point(two)?);
                    if one == two || !self.touch(one, two) {
                        return Err("the points do not touch".into());
                    }
                    Connection { ends: [one, two], carrier: BTreeSet::new(), full: true, parts: Vec::new() }
                }
                step::AND => {
                    let (one, two) = (self.connection()?, self.connection()?);
                    self.and(one, two)?
                }
                step::OR => self.or()?,
                step::DOMINATED => {
                    self.dominate()?;
                    continue;
                }
                step::DEAD | step::CAPTURED | step::LOST => return Err("fill-in comes first".into()),
                _ => return Err(format!("there is no step {kind}")),
            };
            self.connections.push(connection);
        }
        Ok(())
    }

    /// The connections of the claimant's edges.
    pub(super) fn between_edges(&self) -> impl Iterator<Item = &Connection> {
        let cells = self.board.cells.len();
        self.connections.iter().filter(move |connection| connection.joins(cells, cells + 1))
    }

    /// The replies, of those that are not listed, that stay open.
    fn open(&self, unlisted: &BTreeSet<usize>) -> BTreeSet<usize> {
        if self.between_edges().any(|connection| connection.full) {
            return BTreeSet::new();
        }
        let breaks_all = |cell: &usize| self.between_edges().all(|connection| connection.carrier.contains(cell));
        let mut open: BTreeSet<usize> =
            unlisted.iter().copied().filter(|cell| self.filled.contains(cell) || breaks_all(cell)).collect();
        for [cell, better] in &self.dominated {
            if !open.contains(better) {
                open.remove(cell);
            }
        }
        let has_others = (0..self.board.cells.len()).any(|cell| self.board.is_empty(cell));
        if has_others && open.iter().all(|cell| self.filled.contains(cell)) { BTreeSet::new() } else { open }
    }
}

pub(super) fn derive<'a>(
    position: &Hex,
    claimant: Player,
    certificate: &'a Certificate,
) -> Result<Derivation<'a>, String> {
    if certificate.kind != VIRTUAL_CONNECTION {
        return Err("Hex has no certificate of this kind".into());
    }
    let mut derivation = Derivation {
        claimant,
        board: Board::new(position)?,
        filled: BTreeSet::new(),
        captured: Vec::new(),
        representative: Vec::new(),
        connections: Vec::new(),
        dominated: Vec::new(),
        data: &certificate.data,
    };
    derivation.fill()?;
    derivation.find_chains();
    derivation.connect()?;
    Ok(derivation)
}

impl Certifier<Hex> for ConnectionCertifier {
    fn wins(&self, position: &Hex, claimant: Player, certificate: &Certificate) -> Result<(), String> {
        let derivation = derive(position, claimant, certificate)?;
        let connected = derivation.between_edges().next().is_some();
        if connected { Ok(()) } else { Err("the edges are not connected".into()) }
    }

    fn answers(
        &self,
        position: &Hex,
        claimant: Player,
        certificate: &Certificate,
        replies: &mut Vec<Move>,
    ) -> Result<(), String> {
        let derivation = derive(position, claimant, certificate)?;
        let nothing = derivation.between_edges().next().is_none()
            && derivation.filled.is_empty()
            && derivation.dominated.is_empty();
        if nothing {
            return Err("the certificate shows nothing".into());
        }
        let open = derivation.open(&replies.iter().map(|mv| position.move_index(*mv)).collect());
        replies.retain(|mv| open.contains(&position.move_index(*mv)));
        Ok(())
    }

    fn drawing(&self, position: &Hex, claimant: Player, certificate: &Certificate) -> Drawing {
        derive(position, claimant, certificate).map(|derivation| super::drawing::drawn(&derivation)).unwrap_or_default()
    }
}
