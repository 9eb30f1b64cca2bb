//! Go on boards of 2 to 25 lines.
//!
//! | file | content |
//! |---|---|
//! | `board.rs` | the fast board: stones, chains, liberties, captures |
//! | `layout.rs`, `copies.rs` | its memory layout; compact copies |
//! | `queries.rs` | queries on a board |
//! | `rules.rs` | sizes, komi, handicap, ko, suicide, scoring |
//! | `history.rs` | past boards, for superko |
//! | `position.rs`, `play.rs` | a game: state and legality; the traits of `tesuji-core` |
//! | `coordinates.rs`, `notation.rs` | D4, `pass`, the diagram of a board |
//! | `playout.rs` | random games |
//! | `record.rs` | games in SGF |
//! | `record_komi.rs` | the komi of a record, as servers write it |
//! | `registry.rs` | `go(size=9,…)` for specs |
//! | `reference/` | V-Run's steps from the naive board on: slow, independent references |
//! | `heuristic.rs` | knowledge beyond the rules: influence, preferences |
//! | `patterns/` | learned patterns: features of moves, playouts that sample by their strength |
//! | `encoding.rs` | planes for neural networks |
//! | `properties.rs` | Hawk's five properties of a board |
//! | `complexity.rs` | the cost of a playout by board size, and what each step saves |

mod board;
pub mod complexity;
mod coordinates;
mod copies;
pub mod encoding;
pub mod heuristic;
mod history;
mod layout;
mod liberties;
mod notation;
pub mod patterns;
mod play;
mod playout;
mod position;
mod properties;
mod queries;
mod record;
mod record_komi;
pub mod reference;
mod registry;
mod rules;
mod table;

pub use board::Board;
pub use layout::{MAX_SIZE, MIN_SIZE, Point};
pub use play::GoUndo;
pub use playout::{EyeRule, Playout};
pub use position::{Go, GoMove, Illegal, SetupError};
pub use record::{GoGame, GoStep, RecordError};
pub use rules::{GoRules, KoRule, Komi, PassRule, PlayoutRule, RuleError, Scoring, SuicideRule};
