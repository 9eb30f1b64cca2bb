//! Knowledge of Hex positions without search, for solvers; the rules do not use it.
//!
//! | file | content |
//! |---|---|
//! | `connections.rs` | virtual connections by H-search, and the must-play region |
//! | `certificate.rs` | writes the certificate *virtual connection*, which `hex/check.rs` checks |
//! | `order.rs` | move ordering by a circuit |
//! | `graph.rs` | which cells can matter to a player: dead cells, and cells that kill |
//! | `inferior.rs` | fill-in by dead and captured cells; dominated cells |
//! | `carriers.rs` | carriers of wins, and the moves that they refute |
//!
//! Boards of up to eight rows (64 cells, one bit each). Nothing is known while the second player
//! may still swap.

mod carriers;
mod certificate;
mod connections;
mod graph;
mod inferior;
mod order;
#[cfg(test)]
mod tests;

use super::{Hex, Move, SwapRule};
use carriers::CarrierTable;
use connections::{Connections, EdgeConnection, StopAt};
use inferior::Needless;
use tesuji_core::{Certificate, Player, Position};

/// A set of cells.
type Set = u64;

/// The largest board.
const MOST_ROWS: u32 = 8;

/// The cells adjacent to a cell.
fn neighbours(size: usize, cell: usize) -> impl Iterator<Item = usize> {
    const STEPS: [(isize, isize); 6] = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)];
    let (column, row) = (cell % size, cell / size);
    STEPS.into_iter().filter_map(move |(columns, rows)| {
        let column = column.checked_add_signed(columns)?;
        let row = row.checked_add_signed(rows)?;
        (column < size && row < size).then_some(row * size + column)
    })
}

/// Whether a cell touches the first or second edge of the player whose edges are top and bottom
/// (`upright`) or left and right.
fn touches_edge(size: usize, cell: usize, upright: bool, which: usize) -> bool {
    let line = if upright { cell / size } else { cell % size };
    line == which * (size - 1)
}

/// A position as sets of cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Board {
    size: usize,
    stones: [Set; 2],
}

impl Board {
    /// `None` if the board is too large, or a swap is still possible.
    fn new(position: &Hex) -> Option<Board> {
        let swap_to_come = position.swap == SwapRule::Pieces && (position.count == 0 || position.can_swap());
        let known = position.size() <= MOST_ROWS && !swap_to_come;
        known.then(|| Board { size: position.size() as usize, stones: position.stones.map(|stones| stones.0[0]) })
    }

    fn cells(&self) -> Set {
        Set::MAX >> (64 - self.size * self.size)
    }

    fn empty(&self) -> Set {
        self.cells() & !(self.stones[0] | self.stones[1])
    }
}

/// The result of the knowledge for a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Assessment {
    /// This player wins.
    Won(Player),
    /// The mover need consider only these cells.
    Open(Set),
    /// Unknown.
    Nothing,
}

/// The knowledge of Hex, with its memory between positions.
#[derive(Default)]
pub struct Knowledge {
    connections: Option<Connections>,
    /// The current through each cell, of the position studied last.
    flows: Vec<f64>,
    carriers: CarrierTable,
}

impl Knowledge {
    /// The most bytes kept between positions.
    pub const MOST_BYTES: u64 = CarrierTable::MOST_BYTES;

    /// Limits the bytes kept between positions; the stored carriers are dropped if that changes the
    /// size.
    pub fn memory(&mut self, bytes: u64) {
        let wanted = CarrierTable::within(bytes);
        if !wanted.is_like(&self.carriers) {
            self.carriers = wanted;
        }
    }

    /// The bytes kept.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        self.carriers.bytes()
    }

    /// A copy with the same limit and an empty memory.
    #[must_use]
    pub fn fork(&self) -> Knowledge {
        Knowledge { carriers: self.carriers.fork(), ..Knowledge::default() }
    }

    fn connections(&mut self, size: usize) -> &mut Connections {
        let fits = self.connections.as_ref().is_some_and(|known| known.size() == size);
        if !fits {
            self.connections = Some(Connections::new(size));
        }
        self.connections.as_mut().expect("just made")
    }

    /// How the edges of a player are connected.
    fn joined(&mut self, board: &Board, player: Player, stop: StopAt) -> (&Connections, EdgeConnection) {
        let [own, other] = [player.index(), player.other().index()].map(|side| board.stones[side]);
        let connections = self.connections(board.size);
        let joined = connections.derive(own, other, player, stop);
        (connections, joined)
    }

    fn assess(&mut self, position: &Hex) -> Assessment {
        let Some(board) = Board::new(position) else { return Assessment::Nothing };
        let mover = position.turn();
        let filled = inferior::fill(&board, mover);
        let (connections, joined) = self.joined(&filled.board, mover, StopAt::Half);
        if joined != EdgeConnection::No {
            let carrier = connections.carrier() | filled.captured[mover.index()];
            self.carriers.won(position.hash().0, mover, carrier);
            return Assessment::Won(mover);
        }
        let own = order::currents(connections);
        let filled = inferior::fill(&board, mover.other());
        let (connections, joined) = self.joined(&filled.board, mover.other(), StopAt::Full);
        let carrier = connections.carrier() | filled.captured[mover.other().index()];
        let empty = filled.board.empty();
        let must = match joined {
            EdgeConnection::Full => {
                self.carriers.won(position.hash().0, mover.other(), carrier);
                return Assessment::Won(mover.other());
            }
            EdgeConnection::Half(common) => common & empty,
            EdgeConnection::No => empty,
        };
        let other = order::currents(connections);
        self.flows = own.iter().zip(&other).map(|(own, other)| own * other).collect();
        let needless = inferior::needless(&filled.board, mover, must);
        if needless.cells == must {
            self.carriers.won(position.hash().0, mover.other(), carrier);
            return Assessment::Won(mover.other());
        }
        self.carriers.open(position.hash().0, carrier);
        Assessment::Open(must & !needless.cells)
    }

    /// The winner of a live position, if it can be told; otherwise writes the moves that need to be
    /// searched into `moves`, ordered by the product of both players' currents.
    pub fn study(&mut self, position: &Hex, moves: &mut Vec<Move>) -> Option<Player> {
        match self.assess(position) {
            Assessment::Won(winner) => return Some(winner),
            Assessment::Open(cells) => moves.extend(members(cells).map(|cell| Move(cell as u16))),
            Assessment::Nothing => {
                moves.extend(position.moves());
                return None;
            }
        }
        let flow = |mv: &Move| self.flows[usize::from(mv.0)];
        moves.sort_by(|one, two| flow(two).total_cmp(&flow(one)));
        None
    }

    /// Records that `winner` wins a live position: by the move `by` with the winner to move, else
    /// against `moves`, those that were searched.
    pub fn learn(&mut self, position: &Hex, winner: Player, by: Option<Move>, moves: impl Iterator<Item = Move>) {
        if Board::new(position).is_none() {
            return;
        }
        let carrier = if position.turn() == winner {
            by.and_then(|mv| Some(self.after(position, mv, winner)? | 1 << mv.0))
        } else {
            self.of_all(position, winner, moves)
        };
        if let Some(carrier) = carrier {
            self.carriers.won(position.hash().0, winner, carrier);
        }
    }

    /// The carrier of `winner` after a move, if it is known.
    fn after(&self, position: &Hex, mv: Move, winner: Player) -> Option<Set> {
        let mut next = *position;
        next.play(mv);
        match next.outcome() {
            Some(outcome) => (outcome.winner() == Some(winner)).then_some(0),
            None => self.carriers.carrier(next.hash().0, winner),
        }
    }

    /// The carrier of `winner` against all moves, if the carriers against the searched moves are
    /// known, or refute the others too.
    fn of_all(&self, position: &Hex, winner: Player, moves: impl Iterator<Item = Move>) -> Option<Set> {
        let mut union = self.carriers.half(position.hash().0)?;
        let (mut common, mut unknown): (Set, Set) = (Set::MAX, 0);
        for mv in moves {
            match self.after(position, mv, winner) {
                Some(carrier) => (union, common) = (union | carrier, common & carrier),
                None => unknown |= 1 << mv.0,
            }
        }
        // A move outside one of the carriers is refuted by it.
        (unknown & common == 0).then_some(union)
    }

    /// Whether the mover of a live position, who loses by the move `lost`, loses by `other` for the
    /// same reason.
    #[must_use]
    pub fn also_lost(&self, position: &Hex, lost: Move, other: Move) -> bool {
        let carrier = Board::new(position).and_then(|_| self.after(position, lost, position.turn().other()));
        carrier.is_some_and(|carrier| carrier >> other.0 & 1 == 0)
    }

    /// A certificate that `claimant` wins a live position; with the opponent to move, that the
    /// claimant wins after all replies but those in `listed`.
    pub fn certificate(&mut self, position: &Hex, claimant: Player, listed: &mut Vec<Move>) -> Option<Certificate> {
        let board = Board::new(position)?;
        let to_move = position.turn() == claimant;
        let stop = if to_move { StopAt::Half } else { StopAt::Full };
        let filled = inferior::fill(&board, claimant);
        let (connections, joined) = self.joined(&filled.board, claimant, stop);
        let empty = filled.board.empty();
        let must = match joined {
            EdgeConnection::No if to_move || empty == 0 => return None,
            EdgeConnection::No => empty,
            EdgeConnection::Half(common) if !to_move => common & empty,
            _ => return Some(certificate::write(connections, &filled, &Needless::default())),
        };
        let needless = inferior::needless(&filled.board, claimant.other(), must);
        if joined == EdgeConnection::No && filled.steps.is_empty() && needless.cells == 0 {
            return None;
        }
        listed.extend(members(must & !needless.cells).map(|cell| Move(cell as u16)));
        Some(certificate::write(connections, &filled, &needless))
    }
}

/// The members of a set, in order.
fn members(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        next
    })
}
