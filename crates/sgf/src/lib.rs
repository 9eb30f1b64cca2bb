//! SGF FF\[4\], the Smart Game Format: reading, changing and writing game records of any game.
//!
//! Idea: a file is a [`Collection`] of game trees. All nodes of all trees live in one arena (flat
//! vectors and 32-bit indices), and nothing here recurses: reading, walking, comparing, writing and
//! dropping take constant stack, however deeply the variations nest. What a file may cost is
//! bounded by [`Limits`]; what is wrong with it is said in one line with the byte where it was
//! noticed ([`ParseError`], [`ValueError`]).
//!
//! Reference: Arno Hollosi, *SGF File Format FF\[4\]*, <https://www.red-bean.com/sgf/>, with its
//! pages for Go and Hex.
//!
//! Where we are more lenient than the specification, because files in the wild are:
//! * text before, between and after the game trees is skipped;
//! * a missing `;` after `(` is supplied;
//! * lower-case letters in property names are dropped, as FF\[3\] asks (`CoPyright` is `CP`), and
//!   digits are allowed;
//! * a property that occurs twice in a node is kept twice, and [`Node::values`] runs over both;
//! * without `CA` a file that is valid UTF-8 is read as UTF-8, any other as Latin-1 (in its
//!   superset windows-1252).
//!
//! Where we are stricter: a tree or a value that is not closed is an error, and so is a node that
//! follows a variation.
//!
//! The reader and the writer know no rules: they know points, colours, sizes and results.
//! [`write_game`] and [`read_game`] turn the moves of any game into records and back; Go, whose
//! records begin with set-up stones, has more of its own.
//!
//! ```
//! use tesuji_sgf::{self as sgf, BoardSize, Collection, Color, GameType, GoMove};
//!
//! let mut record = Collection::parse(b"(;GM[1]SZ[9]KM[6.5]PB[Honinbo];B[ee];W[])").unwrap();
//! let root = record.roots()[0];
//! let size = record.node(root).size().unwrap().unwrap_or(BoardSize::square(19));
//! let moves: Vec<GoMove> = record
//!     .main_line(root)
//!     .filter_map(|node| node.value("B").or(node.value("W")))
//!     .map(|value| value.go_move(size).unwrap())
//!     .collect();
//! assert_eq!(moves, [GoMove::Play(sgf::Point { column: 4, row: 4 }), GoMove::Pass]);
//!
//! let reply = record.add_child(record.node(root).children().next().unwrap().id()).unwrap();
//! record.set_raw(reply, "W", &["ed"]).unwrap();
//! record.set_player_name(root, Color::White, "tesuji").unwrap();
//! assert_eq!(Collection::parse(record.to_string().as_bytes()).unwrap(), record);
//! # assert_eq!(record.node(root).game_type().unwrap(), GameType::Go);
//! ```
//!
//! The reader is fuzzed by `fuzz/fuzz_targets/sgf.rs`: `cargo fuzz run -s none sgf` in the root of
//! the repository.

mod charset;
mod moves;
mod parse;
mod point;
mod root;
mod tree;
mod value;
mod write;

pub use moves::{ReplayError, read_game, write_game};
pub use parse::{Limits, ParseError, ParseProblem};
pub use point::{BoardSize, GoMove, HexMove, Point, PointStyle};
pub use root::{Color, GameResult, GameType, WinReason};
pub use tree::{Children, Collection, Descendants, EditError, MainLine, Node, NodeId, Properties, Property, Values};
pub use value::{Value, ValueError, compose, escape};
