//! Players that learn a game from its rules.
//!
//! | file | what is in it |
//! |---|---|
//! | `encoding.rs` | the tensors of games that state none of their own |
//! | [`gumbel`] | sequential halving, completed Q, the improved policy |
//! | [`tree`] | the small search tree of one game, which asks for one evaluation at a time |
//! | [`network`] | the network for play, from a weight file |
//! | [`player`] | `zero`, the agent |
//! | [`selfplay`] | many games in lockstep: batches of positions out, batches of evaluations in |
//!
//! Training itself is in `python/tesuji/zero`, on the same rules and the same search.

mod encoding;
pub mod gumbel;
pub mod network;
pub mod player;
pub mod selfplay;
pub mod tree;

pub use encoding::encoding_of;
