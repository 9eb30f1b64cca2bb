//! Proof-number searches: solve a position by working where the least is left to prove.
//!
//! A question ([`Aim`]: does this player get at least so much?) makes the game an AND/OR tree: positions in which the
//! attacker moves are OR nodes, the others AND nodes; turns need not alternate. Every unsolved node has a *proof
//! number* pn, about how many leaves must be shown to be won to prove it, and a *disproof number* dn:
//!
//! > OR: pn = min pnᵢ, dn = Σ dnᵢ   AND: pn = Σ pnᵢ, dn = min dnᵢ   unknown leaf: (1, 1)
//!
//! | technique | file | memory | idea |
//! |---|---|---|---|
//! | [`Pn`] | `pn.rs` | tree | always expand the most-proving leaf (Allis 1994); three ways to break ties |
//! | [`DeepPn`] | `deep_pn.rs` | tree | mix pn with depth, by R (Ishitobi et al. 2015) |
//! | [`Mcpn`] | `mcpn.rs` | tree | leaves start from playouts (Saito et al. 2007) |
//! | [`Ppn`] | `ppn.rs` | tree | probabilities instead of numbers (Zhang 2019, ch. 5) |
//! | [`DfPn`] | `df_pn.rs` | table | the same order depth-first, by thresholds (Nagai 2002); 1+ε; weak sums |
//! | [`DeepDfPn`] | `df_pn.rs` | table | leaves near the root start higher, E^(D−depth) (Zhang 2019, ch. 3) |
//!
//! Knowledge of a game plugs in as an [`Adviser`] (`adviser.rs`), never inside a search.
//! `tree.rs` is the engine of all tree searches and `engine.rs` that of df-pn (its path in `walk.rs`, its numbers in `thresholds.rs`, its threads in `together.rs`); `solve.rs` turns questions into one
//! report; `climb.rs` tunes E and D. A solved root has a proof (`extract.rs`) that is written in the format of
//! `docs/proof-format.md` (`format.rs`) and checked by code that knows the rules alone (`check.rs`).
//!
//! **Solved is a flag.** Finite numbers stop strictly below infinity, and no number, whether 0 or huge, says that
//! something is proved: [`Status`] does.
//!
//! Why proofs are sound where history matters: `docs/decisions/0007-proofs-and-history.md`.

mod advised;
mod climb;
mod deep_pn;
mod df_pn;
mod engine;
mod extract;
mod interval;
mod mcpn;
mod pn;
mod ppn;
mod shelf;
mod solve;
mod stages;
mod table;
mod thresholds;
mod together;
mod tree;
mod walk;

pub use advised::Advised;
pub use climb::{Climbed, climb};
pub use deep_pn::DeepPn;
pub use df_pn::{DeepDfPn, DfPn};
pub use mcpn::Mcpn;
pub use pn::{Pn, Ties};
pub use ppn::Ppn;
pub use stages::Staged;

/// What is known about a question.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Status {
    /// Nothing yet.
    Unknown,
    /// Yes.
    Proved,
    /// No.
    Disproved,
}

impl Status {
    /// What the mover of a node wants: yes at OR nodes, no at AND nodes.
    #[inline]
    #[must_use]
    pub const fn wanted(or_node: bool) -> Status {
        if or_node { Status::Proved } else { Status::Disproved }
    }

    /// What he does not want.
    #[inline]
    #[must_use]
    pub const fn unwanted(or_node: bool) -> Status {
        Status::wanted(!or_node)
    }
}
