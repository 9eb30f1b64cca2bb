//! The tree of statistics. It knows no game: moves are indices, values belong to the first player.
//!
//! | file | contents |
//! |---|---|
//! | `node.rs` | the 32-byte record of a node |
//! | `amaf.rs` | all-moves-as-first statistics in one word |
//! | `arena.rs` | the arena and its optional columns |
//! | `publish.rs` | how a node gets its children while other threads read it |
//! | `free.rs` | free lists of blocks |
//! | `recycle.rs` | reclaiming the least visited subtrees when the arena is full |
//! | `transpositions.rs` | the table through which equal positions share their children |

mod amaf;
mod arena;
mod free;
mod node;
mod publish;
mod recycle;
mod transpositions;

pub(crate) use amaf::Amaf;
pub(crate) use arena::{Columns, Tree};
pub(crate) use node::{Node, NodeId, ROOT, record};
pub(crate) use publish::Published;
pub(crate) use recycle::Recycler;
pub(crate) use transpositions::Transpositions;
