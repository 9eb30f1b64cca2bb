//! df-pn: proof-number search depth-first, by thresholds, with a transposition table.
//!
//! | file | what is inside |
//! |---|---|
//! | `df_pn.rs` | the techniques df-pn and Deep df-pn, as specs |
//! | `planned.rs` | the search of a game's solver, from its plan |
//! | `advised.rs`, `staged.rs` | df-pn with an adviser; several advised searches in turn |
//! | `hill_climb.rs` | tunes E and D of Deep df-pn |
//! | `solver.rs` | answers questions and proves answers, for all of these |
//! | `parallel.rs` | several threads on one question |
//! | `search.rs` | the search of one thread: select, expand, back up |
//! | `path.rs` | the current path and the children of its nodes; the calls of an adviser |
//! | `thresholds.rs` | numbers of a node from its children, thresholds of the selected child |
//! | `access.rs` | a table used by one thread or by several |
//! | `child_cache.rs` | child lists of nodes that were left, kept for their next visit |
//! | `table.rs`, `key.rs` | the transposition table and its keys |
//!
//! Each file uses files further down only.

mod access;
mod advised;
mod child_cache;
mod df_pn;
mod hill_climb;
mod key;
mod parallel;
mod path;
mod planned;
mod search;
mod solver;
mod staged;
mod table;
mod thresholds;

pub use advised::Advised;
pub use df_pn::{DeepDfPn, DfPn};
pub use hill_climb::{Climbed, HillClimb, hill_climb};
pub use planned::planned;
pub use staged::Staged;
