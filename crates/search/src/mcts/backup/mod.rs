//! The backup: what an iteration adds to the nodes of its path.
//!
//! | file | contents |
//! |---|---|
//! | `reward.rs` | the reward of a playout |
//! | `estimate.rs` | the sum of rewards that one iteration found |
//! | `rule.rs` | backups beside the mean: minimax-combined, implicit minimax, max-mean |
//! | `solver.rs` | proved bounds |
//! | `proof_numbers.rs` | proof and disproof numbers for PN-MCTS |

mod estimate;
pub(crate) mod proof_numbers;
mod reward;
mod rule;
pub(crate) mod solver;

pub(crate) use estimate::Estimate;
pub use reward::Reward;
pub(crate) use rule::path_between;
pub use rule::{Backup, CombinedForm};
