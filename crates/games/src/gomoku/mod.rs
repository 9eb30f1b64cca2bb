//! Gomoku: five in a row, on a square board, under three rules.
//!
//! | rule | Black wins with | White wins with | Black may not |
//! |---|---|---|---|
//! | freestyle | five or more | five or more | |
//! | standard | exactly five | exactly five | |
//! | renju | exactly five | five or more | make an overline, a double four or a double three |
//!
//! A point that renju forbids is not a legal move for Black; one that makes exactly five is never
//! forbidden ([`Forbidden`]). A full board without a winning row is a draw, and so is, under renju,
//! a board with Black to move on which every empty point is forbidden: the federation's rules let
//! Black pass there, and neither side loses for lack of a move. Opening rules (swap and the like)
//! are not part of the game.
//!
//! Black is the first player, X in diagrams. Both players' stones are bit rows (see `in_a_row`),
//! 216 bytes in total; a move examines only the four lines through it. [`Threats`], maintained
//! beside a position, evaluates the lines.

mod catalogue;
mod check;
mod encoding;
mod forcing;
mod fours;
pub mod heuristic;
mod notation;
pub mod patterns;
mod playout;
mod renju;
mod rules;
mod shape;
mod solvers;
mod threat_moves;
mod threats;
mod threes;
mod vct;

pub use crate::grid::SetupError;
pub use crate::in_a_row::Point;
pub use catalogue::PROBLEMS;
pub use check::{FoursCertifier, LINE_OF_FOURS};
pub use encoding::GomokuPlanes;
pub use forcing::forcing_moves;
pub use renju::Forbidden;
pub use shape::{Five, Shape};
pub use solvers::ContinuousFours;
pub use threat_moves::VctLimits;
pub use threats::Threats;
pub use vct::ContinuousThreats;

use crate::built_in::at_most_one;
use crate::grid;
use crate::in_a_row::{LARGEST, Stones};
use tesuji_core::spec::{ArgumentError, Arguments, Description, Kind, Parameter, Spec, SpecValue};
use tesuji_core::{Game, Player, Position};

/// The smallest board.
pub const SMALLEST_SIZE: usize = 5;

/// The largest board.
pub const LARGEST_SIZE: usize = LARGEST;

/// Which rows win, and what is forbidden to Black.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Rule {
    /// Five or more win for both.
    #[default]
    Freestyle,
    /// Exactly five wins for both.
    Standard,
    /// Exactly five wins for Black, who may not make overlines, double fours and double threes;
    /// five or more win for White.
    Renju,
}

impl Rule {
    /// All rules.
    pub const ALL: [Rule; 3] = [Rule::Freestyle, Rule::Standard, Rule::Renju];

    /// Which rows win for a player.
    #[inline]
    #[must_use]
    pub const fn five(self, player: Player) -> Five {
        match (self, player) {
            (Rule::Standard, _) | (Rule::Renju, Player::First) => Five::Exactly,
            (Rule::Freestyle, _) | (Rule::Renju, Player::Second) => Five::AtLeast,
        }
    }
}

impl std::fmt::Display for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Rule::Freestyle => "freestyle",
            Rule::Standard => "standard",
            Rule::Renju => "renju",
        })
    }
}

impl std::str::FromStr for Rule {
    type Err = GomokuError;

    fn from_str(text: &str) -> Result<Rule, GomokuError> {
        let found = Rule::ALL.into_iter().find(|rule| rule.to_string() == text);
        found.ok_or_else(|| GomokuError::Rule { text: text.chars().take(40).collect() })
    }
}

/// Why a position does not exist.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GomokuError {
    /// Too small or too large.
    #[error("a Gomoku board has {SMALLEST_SIZE} to {LARGEST_SIZE} rows, not {size}")]
    Size {
        /// The requested size.
        size: usize,
    },
    /// An unknown rule.
    #[error("there is no rule {text:?}; expected freestyle, standard or renju")]
    Rule {
        /// The requested rule.
        text: String,
    },
    /// A stone off the board or on another one.
    #[error("a stone in column {column}, row {row} (from 1): off the board or on another stone")]
    Stone {
        /// Its column, from 1.
        column: usize,
        /// Its row, from 1.
        row: usize,
    },
}

/// A position of Gomoku. Black is the first player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gomoku {
    stones: Stones,
    hash: u64,
    rule: Rule,
    turn: Player,
    ended: Ended,
}

/// Updated after every move, so that queries are free.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ended {
    No,
    Won(Player),
    Drawn,
}

impl Gomoku {
    /// The empty board.
    ///
    /// # Errors
    /// If the size is out of range.
    pub fn new(size: usize, rule: Rule) -> Result<Gomoku, GomokuError> {
        Gomoku::set_up(size, rule, [], Player::First)
    }

    /// Any stones, and the side to move. If a player has a winning row, the game has ended.
    ///
    /// # Errors
    /// If the size is out of range, or a stone does not fit on the board.
    pub fn set_up(
        size: usize,
        rule: Rule,
        stones: impl IntoIterator<Item = (Point, Player)>,
        turn: Player,
    ) -> Result<Gomoku, GomokuError> {
        if !(SMALLEST_SIZE..=LARGEST_SIZE).contains(&size) {
            return Err(GomokuError::Size { size });
        }
        let mut position = Gomoku { stones: Stones::new(size), hash: 0, rule, turn, ended: Ended::No };
        for (point, player) in stones {
            if !position.stones.is_empty(point) {
                return Err(GomokuError::Stone { column: point.column() + 1, row: point.row() + 1 });
            }
            position.stones.put(point, player);
        }
        position.hash = position.recomputed_hash().0;
        let winner = [turn.other(), turn].into_iter().find(|player| position.find_winning_row(*player).is_some());
        position.ended = match winner {
            Some(player) => Ended::Won(player),
            None if position.is_drawn() => Ended::Drawn,
            None => Ended::No,
        };
        Ok(position)
    }

    /// Sets up a position text on a board of this size: rows from the top, `X`, `O` and `.`; the
    /// side to move follows from the counts.
    ///
    /// # Errors
    /// If the text does not fit the board, or no game leads to it.
    pub fn with_text(&self, text: &str) -> Result<Gomoku, SetupError> {
        let mut stones = Vec::new();
        let turn = grid::read_setup(text, (self.size(), self.size()), |column, row, player| {
            stones.push((Point::new(column as u8, row as u8), player));
        })?;
        let position = Gomoku::set_up(self.size(), self.rule, stones, turn).expect("the text has one stone a point");
        if position.find_winning_row(turn).is_some() {
            return Err(SetupError::Winner { winner: if turn == Player::First { 'X' } else { 'O' } });
        }
        Ok(position)
    }

    /// Number of rows.
    #[must_use]
    pub fn size(&self) -> usize {
        self.stones.size()
    }

    /// The rule.
    #[must_use]
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The colour of the stone on a point.
    #[must_use]
    pub fn stone(&self, point: Point) -> Option<Player> {
        self.stones.owner(point)
    }

    /// Why a black stone on this empty point would be forbidden; `None` if it would not, and always
    /// under the other rules. Independent of the side to move and of whether the game has ended.
    #[must_use]
    pub fn forbidden(&self, point: Point) -> Option<Forbidden> {
        if self.rule != Rule::Renju || !self.stones.is_empty(point) {
            return None;
        }
        match renju::judge(&self.stones, point) {
            renju::Verdict::Forbidden(why) => Some(why),
            renju::Verdict::Five | renju::Verdict::Allowed => None,
        }
    }

    /// The empty points that are forbidden to Black, row by row from the bottom.
    #[must_use]
    pub fn forbidden_points(&self) -> Vec<Point> {
        self.stones.points().filter(|point| self.forbidden(*point).is_some()).collect()
    }

    /// The winning row of a won game: all of its stones, five or more.
    #[must_use]
    pub fn winning_line(&self) -> Option<Vec<Point>> {
        match self.ended {
            Ended::Won(winner) => self.find_winning_row(winner),
            Ended::No | Ended::Drawn => None,
        }
    }

    fn find_winning_row(&self, player: Player) -> Option<Vec<Point>> {
        self.stones.find_row(player, |length| self.rule.five(player).wins(length as u32))
    }
}

impl Game for Gomoku {
    type Position = Gomoku;
    const TITLE: &'static str = "Gomoku";
    const DESCRIPTION: Description = Description {
        name: "gomoku",
        about: "five in a row wins",
        parameters: &[
            Parameter {
                name: "size",
                about: "rows of the board",
                kind: Kind::Integer(SMALLEST_SIZE as i64, LARGEST_SIZE as i64),
                default: Some("15"),
            },
            Parameter {
                name: "rule",
                about: "which rows win, and what Black may not play",
                kind: Kind::Choice(&["freestyle", "standard", "renju"]),
                default: Some("freestyle"),
            },
            grid::POSITION,
            Parameter {
                name: "problem",
                about: "start from this position, which is built in and also sets size and rule; `tesuji problems \
                        gomoku` lists them",
                kind: Kind::Entry(PROBLEMS),
                default: None,
            },
        ],
    };
    const MOVES: &'static str = "points: h8 is the middle of a board of 15, a1 the bottom left one";

    fn start(arguments: &Arguments) -> Result<Gomoku, ArgumentError> {
        at_most_one(arguments, ["problem", "position"])?;
        if let Some(entry) = arguments.entry("problem") {
            return catalogue::position(entry).map_err(|error| ArgumentError::of("problem", error));
        }
        let rule = arguments.word("rule").parse().map_err(|error| ArgumentError::of("rule", error))?;
        let board = Gomoku::new(arguments.count("size") as usize, rule);
        let board = board.map_err(|error| ArgumentError::of("size", error))?;
        match arguments.text("position") {
            None => Ok(board),
            Some(text) => board.with_text(text).map_err(|error| ArgumentError::of("position", error)),
        }
    }

    fn settle(arguments: &mut Arguments, start: &Gomoku) {
        arguments.correct("size", SpecValue::Integer(start.size() as i64));
        arguments.correct("rule", SpecValue::Spec(Spec::bare(start.rule().to_string())));
    }
}
