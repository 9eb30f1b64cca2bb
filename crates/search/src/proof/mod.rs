//! Proof-number searches: solve a position by expanding where the least is left to prove.
//!
//! A question ([`Aim`](tesuji_core::Aim): does this player get at least this score?) turns the game
//! into an AND/OR tree. Positions in which the attacker moves are OR nodes, the others AND nodes;
//! turns need not alternate. Every unsolved node has a *proof number* pn, a lower bound on the
//! leaves that must be won to prove it, and a *disproof number* dn:
//!
//! > OR: pn = min pnᵢ, dn = Σ dnᵢ   AND: pn = Σ pnᵢ, dn = min dnᵢ   unknown leaf: (1, 1)
//!
//! | technique | file | memory | idea |
//! |---|---|---|---|
//! | [`Pn`] | `tree/pn.rs` | tree | expand the most-proving leaf (Allis 1994); three tie-breaks |
//! | [`DeepPn`] | `tree/deep_pn.rs` | tree | mix pn with depth, by R (Ishitobi et al. 2015) |
//! | [`Mcpn`] | `tree/mcpn.rs` | tree | playouts initialise leaves (Saito et al. 2007) |
//! | [`Ppn`] | `tree/ppn.rs` | tree | probabilities instead of numbers (Zhang 2019, ch. 5) |
//! | [`DfPn`] | `depth_first/df_pn.rs` | table | the same order depth-first, by thresholds (Nagai 2002) |
//! | [`DeepDfPn`] | `depth_first/df_pn.rs` | table | leaves near the root start at E^(D−depth) (Zhang 2019, ch. 3) |
//!
//! The three folders:
//!
//! * `question/`: a goal becomes questions, their answers narrow an interval, and a report and a
//!   proof come out. Both families of solvers plug in below it as a `Solver`.
//! * `tree/`: best-first search with the tree in memory.
//! * `depth_first/`: df-pn with a transposition table, its threads, and its use of an
//!   [`Adviser`](tesuji_core::Adviser), the knowledge of one game.
//!
//! The proof of a solved root is extracted by `question/extract.rs`, written by
//! `tesuji_proof::Writer` and checked by `tesuji_proof::check`, which knows the rules and no
//! search.
//!
//! **Solved is a status.** Finite numbers are clamped strictly below infinity, and no number,
//! whether 0 or huge, says that a node is proved: [`Status`] does.
//!
//! Why proofs are sound where history matters: `docs/decisions/0007-proofs-and-history.md`.

mod depth_first;
mod question;
mod tree;

pub use depth_first::{Advised, Climbed, DeepDfPn, DfPn, HillClimb, Staged, hill_climb, planned};
pub(crate) use question::bounds_of_answer;
pub use tree::{DeepPn, Mcpn, Order, Pn, Ppn, ProofNode, ProofTree, Ties};

/// What is known about a question.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Status {
    /// Not answered yet.
    Unknown,
    /// Yes.
    Proved,
    /// No.
    Disproved,
}

impl Status {
    /// The answer that the mover of a node wants: yes at OR nodes, no at AND nodes.
    #[inline]
    #[must_use]
    pub const fn wanted(or_node: bool) -> Status {
        if or_node { Status::Proved } else { Status::Disproved }
    }

    /// The answer that the mover of a node avoids.
    #[inline]
    #[must_use]
    pub const fn unwanted(or_node: bool) -> Status {
        Status::wanted(!or_node)
    }
}
