//! Players that learn a game from its rules.
//!
//! | file | contents |
//! |---|---|
//! | [`bradley`] | Bradley–Terry knowledge of moves: games on file, strengths fitted to them |
//! | `encoding.rs` | tensors for games without an encoding of their own |
//! | [`tree`] | the search tree of one game, which requests one evaluation at a time, and what can be told of its nodes |
//! | [`batched`] | the search of one position whose leaves are evaluated in batches, by anyone |
//! | [`judge`] | networks as judges of positions, for the leaf `net` of `mcts` |
//! | [`network`] | the network for play, read from a weight file |
//! | [`player`] | `zero`, the agent |
//! | [`small`] | small dense networks: training, evaluation, files |
//! | [`neat`] | NEAT and HyperNEAT |
//! | [`hawk`] | Hawk's agents `ann`, `ga` and `neat` |
//! | [`shipped`] | a list of all weights that are built in |
//! | [`selfplay`] | many games in lockstep: batches of positions out, batches of evaluations in |
//!
//! Training is in `python/tesuji/zero`, with the same rules and the same search.

pub mod batched;
pub mod bradley;
mod encoding;
pub mod hawk;
pub mod judge;
pub mod neat;
pub mod network;
pub mod player;
pub mod selfplay;
pub mod shipped;
pub mod small;
pub mod tree;

pub use encoding::encoding_of;
pub use tesuji_search::gumbel;
