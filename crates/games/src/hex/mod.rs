//! Hex: a rhombus of hexagons; Black connects top and bottom, White left and right. There are no
//! draws.
//!
//! Black is the first player. Columns are letters, rows are numbers downwards, a1 is the top left
//! cell. The neighbours of a cell are those to its left and right, above and above right, below and
//! below left.
//!
//! **Swap** (`swap=true`, the pie rule as *swap-pieces*): as their first move, and only then, the
//! second player may take over the first stone instead of placing one. The black stone is removed,
//! a white stone is placed on the mirror image of its cell (column and row exchanged, a reflection
//! in the long diagonal that also exchanges the players' edges), and Black is to move.
//!
//! A position is one bit per cell and player; `connection.rs` detects the winner, and `playout.rs`
//! samples the result of a playout without playing moves.

mod check;
mod connection;
mod drawing;
mod encoding;
pub mod heuristic;
pub mod knowledge;
mod notation;
pub mod patterns;
mod playout;
mod properties;
mod solvers;
mod table;

pub use check::{ConnectionCertifier, VIRTUAL_CONNECTION};
pub use encoding::HexPlanes;

use crate::select::select;
use connection::{Cells, SHAPES, SIZES, connects_rows, joins, with_words};
use std::ops::ControlFlow;
use tesuji_core::spec::{ArgumentError, Arguments, Description, Kind, Parameter};
use tesuji_core::{Game, Outcome, Player, Position, PositionHash, Rng, Trace, Zobrist};

const MOST_CELLS: usize = 26 * 26;

/// A key per cell and player, and one for the second player's turn.
static KEYS: [u64; MOST_CELLS * 2 + 1] = Zobrist::new("hex").keys();
const TURN_KEY: usize = MOST_CELLS * 2;

/// Why a board does not exist.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HexError {
    /// Too small or too large.
    #[error("a Hex board has 2 to 26 rows, not {size}")]
    Size {
        /// The requested size.
        size: u32,
    },
}

/// Whether the second player may take over the first stone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum SwapRule {
    /// No.
    Off,
    /// Yes, by swap-pieces as their first move.
    #[default]
    Pieces,
}

/// A move: a stone on a cell, or the swap.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move(u16);

impl Move {
    /// The second player takes over the first stone.
    pub const SWAP: Move = Move(u16::MAX);
}

/// A position of Hex.
#[derive(Clone, Copy, Debug)]
pub struct Hex {
    stones: [Cells; 2],
    hash: u64,
    /// Stones on the board.
    count: u16,
    size: u8,
    swap: SwapRule,
    turn: Player,
    winner: Option<Player>,
    /// The cell of the last stone, [`NO_CELL`] if there is none or it was swapped. No rule looks at it,
    /// so equality and hash do not cover it.
    last: u16,
}

/// No cell of any board.
const NO_CELL: u16 = u16::MAX;

impl PartialEq for Hex {
    #[inline]
    fn eq(&self, other: &Hex) -> bool {
        self.stones == other.stones
            && (self.hash, self.count, self.size) == (other.hash, other.count, other.size)
            && (self.swap, self.turn, self.winner) == (other.swap, other.turn, other.winner)
    }
}

impl Eq for Hex {}

impl Hex {
    /// The empty board.
    ///
    /// # Errors
    /// If the size is not 2 to 26.
    pub fn new(size: u32, swap: SwapRule) -> Result<Hex, HexError> {
        if !SIZES.contains(&size) {
            return Err(HexError::Size { size });
        }
        Ok(Hex {
            stones: [Cells::EMPTY; 2],
            hash: 0,
            count: 0,
            size: size as u8,
            swap,
            turn: Player::First,
            winner: None,
            last: NO_CELL,
        })
    }

    /// Rows and columns.
    #[inline]
    #[must_use]
    pub const fn size(&self) -> u32 {
        self.size as u32
    }

    /// Stones on the board.
    #[inline]
    #[must_use]
    pub const fn stone_count(&self) -> u32 {
        self.count as u32
    }

    /// Column and row of the last stone that was placed, unless it was swapped. Learned patterns prefer
    /// answers to it.
    #[must_use]
    pub fn last_stone(&self) -> Option<(u32, u32)> {
        if self.last == NO_CELL { None } else { self.place(Move(self.last)) }
    }

    /// Whether the player to move may swap.
    #[inline]
    #[must_use]
    pub fn can_swap(&self) -> bool {
        self.count == 1
            && self.swap == SwapRule::Pieces
            && self.turn == Player::Second
            && self.stones[Player::Second.index()] == Cells::EMPTY
    }

    /// Makes this player move next: protocols set up positions stone by stone, in any order of
    /// colours.
    pub fn set_turn(&mut self, turn: Player) {
        if turn != self.turn {
            self.turn = turn;
            self.hash ^= KEYS[TURN_KEY];
        }
    }

    /// The move that places a stone on a cell of this board, from (0, 0) at the top left; `None`
    /// off the board.
    #[must_use]
    pub fn stone_on(&self, column: u32, row: u32) -> Option<Move> {
        (column < self.size() && row < self.size()).then(|| Move((row * self.size() + column) as u16))
    }

    /// Column and row of a move; `None` for the swap.
    #[must_use]
    pub fn place(&self, mv: Move) -> Option<(u32, u32)> {
        (mv != Move::SWAP).then(|| (u32::from(mv.0) % self.size(), u32::from(mv.0) / self.size()))
    }

    /// The colour of the stone on a cell; `None` off the board.
    #[must_use]
    pub fn stone(&self, column: u32, row: u32) -> Option<Player> {
        self.stone_on(column, row).and_then(|Move(cell)| self.owner(usize::from(cell)))
    }

    #[inline]
    fn owner(&self, cell: usize) -> Option<Player> {
        Player::BOTH.into_iter().find(|player| self.stones[player.index()].contains(cell))
    }

    #[inline]
    const fn cells(&self) -> u32 {
        self.size as u32 * self.size as u32
    }

    #[inline(always)]
    fn empty_word(&self, word: usize) -> u64 {
        SHAPES[usize::from(self.size)].board.0[word] & !(self.stones[0].0[word] | self.stones[1].0[word])
    }

    #[inline]
    fn put(&mut self, player: Player, cell: usize) {
        self.stones[player.index()].insert(cell);
        self.hash ^= KEYS[cell * 2 + player.index()];
        self.count += 1;
    }

    /// Whether the stones of a player connect the player's edges.
    #[inline]
    fn has_connected(&self, player: Player) -> bool {
        with_words!(self.size(), W => match player {
            Player::First => connects_rows::<W>(&self.stones[0].head().0, self.size()),
            // White has connected exactly if Black could not connect on the board with all other
            // cells black.
            Player::Second => {
                let board = &SHAPES[usize::from(self.size)].board;
                !connects_rows::<W>(&board.head().without(self.stones[1].head()).0, self.size())
            }
        })
    }

    /// The cell with column and row exchanged.
    fn mirrored(&self, cell: usize) -> usize {
        let size = usize::from(self.size);
        cell % size * size + cell / size
    }

    /// The cell of the first player's only stone.
    fn only_stone(&self) -> usize {
        self.stones[0].into_iter().next().expect("swap is legal when one stone stands")
    }

    /// The second player takes over the only stone.
    fn swap_pieces(&mut self) {
        let cell = self.only_stone();
        self.stones[0] = Cells::EMPTY;
        self.hash ^= KEYS[cell * 2];
        self.count = 0;
        self.put(Player::Second, self.mirrored(cell));
    }
}

impl Position for Hex {
    type Move = Move;
    type Undo = Undo;

    #[inline]
    fn turn(&self) -> Player {
        self.turn
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.winner.map(Outcome::won_by)
    }

    #[inline]
    fn visit_moves<B>(&self, mut f: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.winner.is_some() {
            return ControlFlow::Continue(());
        }
        for word in 0..self.cells().div_ceil(64) as usize {
            let mut left = self.empty_word(word);
            while left != 0 {
                f(Move((word * 64) as u16 + left.trailing_zeros() as u16))?;
                left &= left - 1;
            }
        }
        if self.can_swap() { f(Move::SWAP) } else { ControlFlow::Continue(()) }
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        self.last = mv.0;
        if mv == Move::SWAP {
            self.swap_pieces();
        } else {
            let mover = self.turn;
            self.put(mover, usize::from(mv.0));
            // A connection needs at least one stone per row.
            let enough = u32::from(self.count) >= self.size();
            let own = &self.stones[mover.index()];
            if enough && joins(own, u32::from(mv.0), self.size(), mover == Player::First) && self.has_connected(mover) {
                self.winner = Some(mover);
            }
        }
        self.turn = self.turn.other();
        self.hash ^= KEYS[TURN_KEY];
    }

    #[inline]
    fn hash(&self) -> PositionHash {
        PositionHash(self.hash)
    }

    fn recomputed_hash(&self) -> PositionHash {
        let mut hash = if self.turn == Player::Second { KEYS[TURN_KEY] } else { 0 };
        for cell in 0..self.cells() as usize {
            hash ^= self.owner(cell).map_or(0, |owner| KEYS[cell * 2 + owner.index()]);
        }
        PositionHash(hash)
    }

    fn widest_margin(&self) -> Option<u32> {
        Some(1)
    }

    fn move_space(&self) -> usize {
        self.cells() as usize + usize::from(self.swap == SwapRule::Pieces)
    }

    #[inline]
    fn move_index(&self, mv: Move) -> usize {
        if mv == Move::SWAP { self.cells() as usize } else { usize::from(mv.0) }
    }

    fn move_at(&self, index: usize) -> Option<Move> {
        match index {
            _ if index < self.cells() as usize => Some(Move(index as u16)),
            _ if index < self.move_space() => Some(Move::SWAP),
            _ => None,
        }
    }

    fn mark_moves(&self, marks: &mut [u64]) {
        if self.winner.is_some() {
            return;
        }
        let words = self.cells().div_ceil(64) as usize;
        marks[..words].iter_mut().enumerate().for_each(|(word, marked)| *marked = self.empty_word(word));
        if self.can_swap() {
            let index = self.cells() as usize;
            marks[index / 64] |= 1 << (index % 64);
        }
    }

    #[inline]
    fn is_legal(&self, mv: Move) -> bool {
        if mv == Move::SWAP {
            return self.can_swap();
        }
        self.winner.is_none()
            && u32::from(mv.0) < self.cells()
            && self.empty_word(usize::from(mv.0) / 64) >> (mv.0 % 64) & 1 == 1
    }

    #[inline]
    fn move_count(&self) -> usize {
        if self.winner.is_some() {
            return 0;
        }
        (self.cells() - u32::from(self.count) + u32::from(self.can_swap())) as usize
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng) -> Option<Move> {
        if self.winner.is_some() {
            return None;
        }
        let count = self.move_count() as u32;
        if count * 3 >= self.cells() && !self.can_swap() {
            // Most cells are empty: rejection is faster than counting, and also uniform.
            loop {
                let mv = Move(rng.below(self.cells()) as u16);
                if self.is_legal(mv) {
                    return Some(mv);
                }
            }
        }
        let mut rank = rng.below(count);
        for word in 0..self.cells().div_ceil(64) as usize {
            let empty = self.empty_word(word);
            if rank < empty.count_ones() {
                return Some(Move((word * 64) as u16 + select(empty, rank) as u16));
            }
            rank -= empty.count_ones();
        }
        Some(Move::SWAP)
    }

    #[inline]
    fn playout<T: Trace<Self>>(&mut self, rng: &mut Rng, trace: &mut T) -> Outcome {
        with_words!(self.size(), W => playout::playout::<W, T>(self, rng, trace))
    }

    /// A stone is placed and removed in place, which writes much less than a copy.
    #[inline]
    fn make(&mut self, mv: Move) -> Undo {
        let swapped = if mv == Move::SWAP { self.only_stone() as u16 } else { 0 };
        let undo = Undo { hash: self.hash, swapped, last: self.last };
        self.play(mv);
        undo
    }

    #[inline]
    fn unmake(&mut self, mv: Move, undo: Undo) {
        self.turn = self.turn.other();
        if mv == Move::SWAP {
            self.stones = [Cells::EMPTY; 2];
            self.count = 0;
            self.put(Player::First, usize::from(undo.swapped));
        } else {
            self.stones[self.turn.index()].remove(usize::from(mv.0));
            self.count -= 1;
            // Moves are only played in games that have not ended.
            self.winner = None;
        }
        self.hash = undo.hash;
        self.last = undo.last;
    }

    #[inline]
    fn glance(&self, mv: Move) -> Option<(Option<Outcome>, PositionHash)> {
        if mv == Move::SWAP {
            return None;
        }
        let (mover, cell) = (self.turn, u32::from(mv.0));
        let hash = self.hash ^ KEYS[usize::from(mv.0) * 2 + mover.index()] ^ KEYS[TURN_KEY];
        // Both players have equally many stones, or the opponent has one more.
        let enough = u32::from(self.count) / 2 + 1 >= self.size();
        let wins = enough && joins(&self.stones[mover.index()], cell, self.size(), mover == Player::First) && {
            let mut after = *self;
            after.put(mover, usize::from(mv.0));
            after.has_connected(mover)
        };
        Some((wins.then(|| Outcome::won_by(mover)), PositionHash(hash)))
    }
}

/// The data to take a move back, beyond the move itself.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    hash: u64,
    /// The cell of the black stone that a swap took over.
    swapped: u16,
    /// The cell of the last stone before.
    last: u16,
}

impl Game for Hex {
    type Position = Hex;
    const TITLE: &'static str = "Hex";
    const DESCRIPTION: Description = Description {
        name: "hex",
        about: "connect your two edges: Black top and bottom, White left and right",
        parameters: &[
            Parameter { name: "size", about: "rows and columns", kind: Kind::Integer(2, 26), default: Some("11") },
            Parameter {
                name: "swap",
                about: "the second player may take over the first stone, mirrored",
                kind: Kind::Choice(&["true", "false"]),
                default: Some("true"),
            },
        ],
    };
    const MOVES: &'static str = "cells, a1 is the top left one, or swap as the second move";

    fn start(arguments: &Arguments) -> Result<Hex, ArgumentError> {
        let swap = if arguments.word("swap") == "true" { SwapRule::Pieces } else { SwapRule::Off };
        Hex::new(arguments.count("size"), swap).map_err(|error| ArgumentError::of("size", error))
    }
}
