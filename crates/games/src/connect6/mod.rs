//! Connect6: six in a row, two stones a turn.
//!
//! Reference: I-C. Wu, D.-Y. Huang, H.-C. Chang, "Connect6", ICGA Journal 28(4), 2005. Black places
//! one stone, then White and Black alternately two each; six or more own stones in a row win, at
//! once, also with the first stone of a turn; a full board without such a row is a draw.
//!
//! A move is one stone, so the turn stays with a player between the two stones. The number of
//! stones left in the turn is part of the position; the order of the two stones is not, so the same
//! pair leads to equal positions in either order.
//!
//! Black is the first player, X in diagrams. Both players' stones are bit rows (see `in_a_row`).
//! [`Threats`], maintained beside a position, counts threats in Wu and Huang's sense.

mod catalogue;
mod check;
mod encoding;
pub mod heuristic;
mod line;
mod line_search;
#[cfg(test)]
mod line_tests;
mod notation;
mod problem;
mod rules;
mod solvers;
mod threats;
mod vcdt;
mod vcst;

pub use crate::in_a_row::Point;
pub use catalogue::PROBLEMS;
pub use check::{DOUBLE_THREATS, THREATS, ThreatsCertifier, ZONE};
pub use encoding::Connect6Planes;
pub use problem::{Connect6Problem, Connect6ProblemError};
pub use threats::Threats;
pub use vcdt::DoubleThreats;
pub use vcst::{SingleThreats, VcstLimits};

use crate::built_in::at_most_one;
use crate::in_a_row::{LARGEST, Stones};
use tesuji_core::spec::{ArgumentError, Arguments, Description, Kind, NamedFile, Parameter, SpecValue};
use tesuji_core::{Game, Player, Position};

/// Stones in a row that win.
pub const LINE: usize = 6;

/// The smallest board.
pub const SMALLEST_SIZE: usize = 6;

/// The largest board.
pub const LARGEST_SIZE: usize = LARGEST;

/// Why a board does not exist.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Connect6Error {
    /// Too small or too large.
    #[error("a Connect6 board has {SMALLEST_SIZE} to {LARGEST_SIZE} rows, not {size}")]
    Size {
        /// The requested size.
        size: usize,
    },
}

/// A position of Connect6. Black is the first player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Connect6 {
    stones: Stones,
    hash: u64,
    turn: Player,
    /// Stones that the player to move still places in this turn.
    left: u8,
    ended: Ended,
}

/// Updated after every move, so that queries are free.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ended {
    No,
    Won(Player),
    Full,
}

impl Connect6 {
    /// The empty board.
    ///
    /// # Errors
    /// If the size is out of range.
    pub fn new(size: usize) -> Result<Connect6, Connect6Error> {
        if !(SMALLEST_SIZE..=LARGEST_SIZE).contains(&size) {
            return Err(Connect6Error::Size { size });
        }
        let mut position =
            Connect6 { stones: Stones::new(size), hash: 0, turn: Player::First, left: 1, ended: Ended::No };
        position.hash = position.recomputed_hash().0;
        Ok(position)
    }

    /// Number of rows.
    #[must_use]
    pub fn size(&self) -> usize {
        self.stones.size()
    }

    /// The number of stones that the player to move still places in this turn: one or two.
    #[must_use]
    pub fn stones_left(&self) -> usize {
        usize::from(self.left)
    }

    /// The colour of the stone on a point.
    #[must_use]
    pub fn stone(&self, point: Point) -> Option<Player> {
        self.stones.owner(point)
    }

    /// The winning row of a won game: all of its stones, six or more.
    #[must_use]
    pub fn winning_line(&self) -> Option<Vec<Point>> {
        match self.ended {
            Ended::Won(winner) => self.stones.find_row(winner, |length| length >= LINE),
            Ended::No | Ended::Full => None,
        }
    }
}

impl Game for Connect6 {
    type Position = Connect6;
    const TITLE: &'static str = "Connect6";
    const DESCRIPTION: Description = Description {
        name: "connect6",
        about: "six in a row wins; one stone, then two a turn",
        parameters: &[
            Parameter {
                name: "size",
                about: "rows of the board",
                kind: Kind::Integer(SMALLEST_SIZE as i64, LARGEST_SIZE as i64),
                default: Some("19"),
            },
            Parameter {
                name: "problem",
                about: "start from this position, which is built in and also sets the size; `tesuji problems connect6` \
                        lists them",
                kind: Kind::Entry(PROBLEMS),
                default: None,
            },
            Parameter {
                name: "file",
                about: "start from the position of this file, which also sets the size",
                kind: Kind::File(problem::MOST_BYTES),
                default: None,
            },
        ],
    };
    const MOVES: &'static str = "one stone each: JJ is the middle of a board of 19, AA the bottom left point";

    fn start(arguments: &Arguments) -> Result<Connect6, ArgumentError> {
        at_most_one(arguments, ["problem", "file"])?;
        if let Some(entry) = arguments.entry("problem") {
            let problem = Connect6Problem::from_text(&entry.text);
            return problem.map(|it| it.position).map_err(|error| ArgumentError::of("problem", error));
        }
        let Some(NamedFile { path, bytes }) = arguments.file("file")? else {
            return Connect6::new(arguments.count("size") as usize).map_err(|error| ArgumentError::of("size", error));
        };
        let wrong = |error: &dyn std::fmt::Display| ArgumentError::of("file", format!("{path}: {error}"));
        let text = std::str::from_utf8(&bytes).map_err(|error| wrong(&error))?;
        Ok(Connect6Problem::from_text(text).map_err(|error| wrong(&error))?.position)
    }

    fn settle(arguments: &mut Arguments, start: &Connect6) {
        arguments.correct("size", SpecValue::Integer(start.size() as i64));
    }
}
