//! Hawk's three learned agents, as his text and as his program have them, and better ones beside
//! them.
//!
//! Hawk, "Intelligent Monte-Carlo tree search for perfect information games" (Allegheny College,
//! technical report CS17-05, 2017), chapter 3 and appendix B. His chapter of results is empty.
//!
//! | file | contents |
//! |---|---|
//! | `table.rs` | a board of stones of any game, through a pointer |
//! | `uct.rs` | the tree search that all agents share |
//! | `ann.rs` | pruning by a value network |
//! | `ga.rs` | weights of properties that evolve during the search, or were tuned before |
//! | `playouts.rs` | playouts by an evolved network or a stencil |
//! | `agents.rs` | `uct`, `ann`, `ga` and `neat`, the agents |
//! | `weights.rs` | the weights that are built in, and those of files |
//! | [`labels`] | boards labelled by long searches |
//! | [`teach`] | from labels to weights |
//! | [`course`] | which boards are taught, and with how much effort |
//!
//! The searches are compiled once for all games: what they ask of a position goes through
//! [`StoneTable`], and a playout is one call.

mod agents;
mod ann;
mod cma_es;
pub mod course;
mod ga;
pub mod labels;
mod playouts;
mod table;
pub mod teach;
mod uct;
mod weights;

pub use agents::{Ann, Ga, Neat, Uct};
pub use ann::{Judge, pruned_share};
pub use cma_es::CmaEs;
pub use playouts::Guide;
pub use table::{StoneTable, table_of};
pub use weights::{Bundle, shipped};
