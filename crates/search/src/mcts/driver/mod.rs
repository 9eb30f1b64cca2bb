//! One search: checks, threads, limits, memory, observer.
//!
//! | file | contents |
//! |---|---|
//! | `entry.rs` | the entry: one tree, or root parallelism |
//! | `prepare.rs` | refuses what the game or the budget cannot serve, and allocates the tree |
//! | `tree_search.rs` | the search of one tree: sets threads to work, reclaims memory, reports |
//! | `kept.rs` | a search that has stopped: its nodes, and going on |
//! | `record.rs` | the record of a single iteration |
//! | `sudden_search.rs` | Li's improved search at the root |
//! | `root_parallel.rs` | root parallelism: an ensemble of independent trees |

mod entry;
mod kept;
mod prepare;
mod record;
mod root_parallel;
mod sudden_search;
mod tree_search;

pub(crate) use entry::{SavedTree, explore, search};
