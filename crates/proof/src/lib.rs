//! Proofs of what a position is worth: their file format and their checker.
//!
//! A proof claims that a player gets at least a given score or margin from a position, and lists for
//! every reply of the opponent what the player does. This crate sees the vocabulary of
//! `tesuji-core` and, through it, the rules of a game. It depends on no search.
//!
//! | file | what is inside |
//! |---|---|
//! | `format.rs` | proofs as bytes (`docs/proof-format.md`), read within limits and written |
//! | `check.rs` | the checker: replays a proof by the rules |
//! | `at_once.rs` | the certificate that every game has: wins at once |

mod at_once;
mod check;
pub mod format;

pub use check::{Checked, check, check_with};
pub use format::{Claim, Proof, ProofError};
