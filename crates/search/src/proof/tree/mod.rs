//! Best-first proof-number searches with the tree in memory.
//!
//! `arena.rs` grows the tree and backs numbers up; a [`Rule`](arena::Rule) says what a number is.
//! The rules are PN-search (`pn.rs`), `DeepPN` (`deep_pn.rs`), MCPN (`mcpn.rs`) and PPN (`ppn.rs`).

mod arena;
mod deep_pn;
mod mcpn;
mod pn;
mod ppn;
mod view;

pub use arena::Order;
pub use deep_pn::DeepPn;
pub use mcpn::Mcpn;
pub use pn::{Pn, Ties};
pub use ppn::Ppn;
pub use view::{ProofNode, ProofTree};
