//! The rules of the descent: which child to visit, and how many children are open. They see
//! statistics, never the game.
//!
//! | file | contents |
//! |---|---|
//! | `rule.rs` | the selection rules: UCB1 and its relatives, PUCT, RAVE, PN-MCTS |
//! | `parts.rs` | the same values taken apart, for reports about a tree |
//! | `expansion.rs` | the expansion rules: one, all, progressive widening |
//!
//! `iteration/select.rs` applies them to the children of a node.

mod expansion;
mod gumbel_root;
mod parts;
mod rule;

pub use expansion::Expansion;
pub(crate) use gumbel_root::{GumbelRoot, Siblings};
pub use rule::Selection;
pub(crate) use rule::{
    ChildStatistics, ParentStatistics, clearly_below, exploration, rave, rave_is_below, ucb1, ucb1_is_below,
};
