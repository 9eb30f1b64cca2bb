//! SGF FF\[4\], the Smart Game Format: reading, editing and writing game records of any game.
//!
//! ```
//! use tesuji_sgf::{BoardSize, Collection, Color, GoMove, Point};
//!
//! let mut record = Collection::parse(b"(;GM[1]SZ[9]KM[6.5]PB[Honinbo];B[ee];W[])")?;
//! let root = record.roots()[0];
//!
//! // Read the moves of the main line.
//! let size = record.node(root).size()?.unwrap_or(BoardSize::square(19));
//! let mut moves = Vec::new();
//! for node in record.main_line(root) {
//!     if let Some(value) = node.value("B").or(node.value("W")) {
//!         moves.push(value.go_move(size)?);
//!     }
//! }
//! assert_eq!(moves, [GoMove::Play(Point { column: 4, row: 4 }), GoMove::Pass]);
//!
//! // Add a variation to the first move, and a player's name.
//! let first = record.node(root).first_child().expect("a move").id();
//! let variation = record.add_child(first)?;
//! record.set_raw(variation, "W", &["ed"])?;
//! record.set_player_name(root, Color::White, "White's name")?;
//!
//! // Write the file, and read it back.
//! let text = record.to_string();
//! assert!(text.contains("PW[White's name]"));
//! assert_eq!(Collection::parse(text.as_bytes())?, record);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Design
//!
//! A file is a [`Collection`] of game trees. All nodes of all trees live in one arena (flat vectors
//! and 32-bit indices), and nothing here recurses: reading, traversing, comparing, writing and
//! dropping take constant stack, however deeply the variations nest. [`Limits`] bound the cost of a
//! file. Errors are one line with the byte offset of the problem ([`ParseError`], [`ValueError`]).
//!
//! A value is stored as it stands in the file and interpreted on request: as text
//! ([`Value::text`]), number ([`Value::number`]), point ([`Value::point`]) or move
//! ([`Value::go_move`], [`Value::hex_move`]). So unknown properties survive a round trip unchanged.
//!
//! The reader and the writer do not know the rules of any game: only points, colours, sizes and
//! results. The feature `notation` (on by default) adds [`write_game`] and [`read_game`], which
//! convert the moves of any game with a [`Notation`](tesuji_core::Notation) to a record and back.
//!
//! # Deviations from the specification
//!
//! Reference: Arno Hollosi, *SGF File Format FF\[4\]*, <https://www.red-bean.com/sgf/>, with its
//! pages for Go and Hex.
//!
//! The reader is more lenient than the specification, because files in the wild need it:
//! * text before, between and after the game trees is skipped;
//! * a missing `;` after `(` is supplied;
//! * lower-case letters in property names are dropped, as FF\[3\] requires (`CoPyright` is `CP`),
//!   and digits are allowed;
//! * a property that occurs twice in a node is kept twice, and [`Node::values`] covers both;
//! * without `CA` a file that is valid UTF-8 is read as UTF-8, any other as Latin-1 (in its
//!   superset windows-1252).
//!
//! It is stricter in two points: an unclosed tree or value is an error, and so is a node after a
//! variation.

mod charset;
#[cfg(feature = "notation")]
mod moves;
mod parse;
mod point;
mod root;
mod tree;
mod value;
mod write;

#[cfg(feature = "notation")]
pub use moves::{ReplayError, read_game, write_game};
pub use parse::{Limits, ParseError, ParseProblem};
pub use point::{BoardSize, GoMove, HexMove, Point, PointStyle};
pub use root::{Color, GameResult, GameType, WinReason};
pub use tree::{Children, Collection, Descendants, EditError, MainLine, Node, NodeId, Properties, Property, Values};
pub use value::{Value, ValueError, compose, escape};
