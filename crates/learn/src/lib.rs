//! Players that learn a game from its rules.
//!
//! | file | contents |
//! |---|---|
//! | [`bradley`] | Bradley–Terry knowledge of moves: games on file, strengths fitted to them |
//! | `encoding.rs` | tensors for games without an encoding of their own |
//! | [`gumbel`] | sequential halving, completed Q, the improved policy |
//! | [`tree`] | the search tree of one game, which requests one evaluation at a time, and what can be told of its nodes |
//! | [`network`] | the network for play, read from a weight file |
//! | [`player`] | `zero`, the agent |
//! | [`shipped`] | a list of all weights that are built in |
//! | [`selfplay`] | many games in lockstep: batches of positions out, batches of evaluations in |
//!
//! Training is in `python/tesuji/zero`, with the same rules and the same search.

pub mod bradley;
mod encoding;
pub mod gumbel;
pub mod network;
pub mod player;
pub mod selfplay;
pub mod shipped;
pub mod tree;

pub use encoding::encoding_of;
