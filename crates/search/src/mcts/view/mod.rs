//! What can be told of a node of the tree. It sees the recipe and the tree, never the game, and is
//! not part of the search: a node is read when it is asked for.
//!
//! | file | contents |
//! |---|---|
//! | `node.rs` | a node and its children, with the values of the selection rule |
//! | `minimax.rs` | Lin's minimax node |

mod minimax;
mod node;

pub(crate) use node::{View, mean};
