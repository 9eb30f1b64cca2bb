//! m,n,k-games: players place stones on a board of m columns and n rows; k own stones in a row win.
//!
//! Each player's stones are the bits of one 128-bit word, in rows of m + 1 bits: the spare column
//! stays empty, so that a line cannot wrap around the edge. A line in direction d (right 1, up m+1,
//! diagonals m+2 and m) through the stones *s* exists when
//!
//! > s & s≫d & s≫2d & … (k terms) ≠ 0
//!
//! computed by doubling in log k steps.

mod heuristic;
mod notation;

pub use crate::grid::SetupError;

use crate::grid;
use std::ops::ControlFlow;
use tesuji_core::spec::{ArgumentError, Arguments, Description, Kind, Parameter};
use tesuji_core::{Game, Outcome, Player, Position, PositionHash, Rng, Zobrist, undo_by_copy};

const KEYS: Zobrist = Zobrist::new("mnk");

/// Why a board does not exist.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MnkError {
    /// Too small or too large.
    #[error(
        "a board of {columns} columns and {rows} rows: columns must be 1 to 26, rows at least 1, \
         and (columns + 1) × rows at most 128"
    )]
    Size {
        /// m.
        columns: u32,
        /// n.
        rows: u32,
    },
    /// A line that is empty or longer than the board.
    #[error(
        "a line of {line} on a board of {columns} columns and {rows} rows: it must be between 1 and the longer side"
    )]
    Line {
        /// k.
        line: u32,
        /// m.
        columns: u32,
        /// n.
        rows: u32,
    },
}

/// A position of an m,n,k-game. X is the first player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mnk {
    stones: [u128; 2],
    hash: u64,
    columns: u8,
    rows: u8,
    line: u8,
    turn: Player,
    ended: Ended,
}

/// Updated after every move, so that queries are free.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ended {
    No,
    Won,
    Full,
}

/// A point: the number of its bit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point(u8);

impl Mnk {
    /// The empty board of `columns` × `rows` with `line` in a row to win.
    ///
    /// # Errors
    /// If the board does not fit 128 bits or the line does not fit the board.
    pub fn new(columns: u32, rows: u32, line: u32) -> Result<Mnk, MnkError> {
        if !(1..=26).contains(&columns) || rows < 1 || (u64::from(columns) + 1) * u64::from(rows) > 128 {
            return Err(MnkError::Size { columns, rows });
        }
        if line < 1 || line > columns.max(rows) {
            return Err(MnkError::Line { line, columns, rows });
        }
        Ok(Mnk {
            stones: [0; 2],
            hash: 0,
            columns: columns as u8,
            rows: rows as u8,
            line: line as u8,
            turn: Player::First,
            ended: Ended::No,
        })
    }

    /// Sets up a position text on an empty board of this size: rows from the top, `X`, `O` and `.`.
    ///
    /// # Errors
    /// If the text does not fit the board, or no game leads to it.
    pub fn with_text(mut self, text: &str) -> Result<Mnk, SetupError> {
        let size = (usize::from(self.columns), usize::from(self.rows));
        let mut points = Vec::new();
        let empty = self;
        let turn = grid::read_setup(text, size, |column, row, player| points.push((empty.point(column, row), player)))?;
        for (point, player) in points {
            self.stones[player.index()] |= 1 << point.0;
        }
        self.turn = turn;
        if self.has_line(turn) {
            return Err(SetupError::Winner { winner: if turn == Player::First { 'X' } else { 'O' } });
        }
        self.ended = self.judge(turn.other());
        self.hash = self.recomputed_hash().0;
        Ok(self)
    }

    const fn point(&self, column: usize, row: usize) -> Point {
        Point((row * (self.columns as usize + 1) + column) as u8)
    }

    const fn place(&self, point: Point) -> (usize, usize) {
        let stride = self.columns as usize + 1;
        (point.0 as usize % stride, point.0 as usize / stride)
    }

    /// The bits of the empty points.
    #[inline]
    fn empty(&self) -> u128 {
        let row = (1_u128 << self.columns) - 1;
        let stride = u32::from(self.columns) + 1;
        let board = (0..u32::from(self.rows)).fold(0, |board, number| board | row << (number * stride));
        board & !(self.stones[0] | self.stones[1])
    }

    fn has_line(&self, player: Player) -> bool {
        let stride = u32::from(self.columns) + 1;
        [1, stride, stride + 1, stride - 1].into_iter().any(|step| {
            let mut runs = self.stones[player.index()];
            let mut length = 1;
            while length < u32::from(self.line) && runs != 0 {
                let add = length.min(u32::from(self.line) - length);
                runs &= runs.checked_shr(add * step).unwrap_or(0);
                length += add;
            }
            runs != 0
        })
    }

    /// The state of the game after `mover` has played.
    fn judge(&self, mover: Player) -> Ended {
        if self.has_line(mover) {
            Ended::Won
        } else if self.empty() == 0 {
            Ended::Full
        } else {
            Ended::No
        }
    }

    /// The colour of the stone on a point.
    fn stone(&self, point: Point) -> Option<Player> {
        Player::BOTH.into_iter().find(|player| self.stones[player.index()] >> point.0 & 1 == 1)
    }
}

impl Position for Mnk {
    type Move = Point;

    undo_by_copy!();

    fn turn(&self) -> Player {
        self.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.ended {
            Ended::No => None,
            Ended::Won => Some(Outcome::won_by(self.turn.other())),
            Ended::Full => Some(Outcome::DRAW),
        }
    }

    #[inline]
    fn visit_moves<B>(&self, mut f: impl FnMut(Point) -> ControlFlow<B>) -> ControlFlow<B> {
        if self.ended != Ended::No {
            return ControlFlow::Continue(());
        }
        let mut left = self.empty();
        while left != 0 {
            f(Point(left.trailing_zeros() as u8))?;
            left &= left - 1;
        }
        ControlFlow::Continue(())
    }

    fn play(&mut self, point: Point) {
        self.stones[self.turn.index()] |= 1 << point.0;
        self.hash ^= KEYS.key(u64::from(point.0) * 2 + self.turn.index() as u64);
        self.ended = self.judge(self.turn);
        self.turn = self.turn.other();
    }

    fn hash(&self) -> PositionHash {
        PositionHash(self.hash)
    }

    fn recomputed_hash(&self) -> PositionHash {
        let mut hash = 0;
        for player in Player::BOTH {
            for bit in (0..128).filter(|bit| self.stones[player.index()] >> bit & 1 == 1) {
                hash ^= KEYS.key(bit * 2 + player.index() as u64);
            }
        }
        PositionHash(hash)
    }

    fn widest_margin(&self) -> Option<u32> {
        Some(1)
    }

    fn move_space(&self) -> usize {
        usize::from(self.columns) * usize::from(self.rows)
    }

    fn move_index(&self, point: Point) -> usize {
        let (column, row) = self.place(point);
        row * usize::from(self.columns) + column
    }

    fn move_at(&self, index: usize) -> Option<Point> {
        let columns = usize::from(self.columns);
        (index < self.move_space()).then(|| self.point(index % columns, index / columns))
    }

    fn is_legal(&self, point: Point) -> bool {
        self.ended == Ended::No && self.empty() >> point.0 & 1 == 1
    }

    fn move_count(&self) -> usize {
        if self.ended == Ended::No { self.empty().count_ones() as usize } else { 0 }
    }

    fn random_move(&self, rng: &mut Rng) -> Option<Point> {
        if self.ended != Ended::No {
            return None;
        }
        let mut empty = self.empty();
        for _ in 0..rng.below(empty.count_ones()) {
            empty &= empty - 1;
        }
        Some(Point(empty.trailing_zeros() as u8))
    }
}

impl Game for Mnk {
    type Position = Mnk;
    const TITLE: &'static str = "m,n,k-game";
    const DESCRIPTION: Description = Description {
        name: "mnk",
        about: "m columns, n rows, k in a row wins",
        parameters: &[
            Parameter { name: "m", about: "columns", kind: Kind::Integer(1, 26), default: Some("3") },
            Parameter { name: "n", about: "rows", kind: Kind::Integer(1, 64), default: Some("3") },
            Parameter { name: "k", about: "stones in a row to win", kind: Kind::Integer(1, 64), default: Some("3") },
            grid::POSITION,
        ],
    };
    const MOVES: &'static str = "points: a1 is the bottom left one";

    fn start(arguments: &Arguments) -> Result<Mnk, ArgumentError> {
        let board = Mnk::new(arguments.count("m"), arguments.count("n"), arguments.count("k"));
        let board = board.map_err(ArgumentError::together)?;
        match arguments.text("position") {
            None => Ok(board),
            Some(text) => board.with_text(text).map_err(|error| ArgumentError::of("position", error)),
        }
    }
}
