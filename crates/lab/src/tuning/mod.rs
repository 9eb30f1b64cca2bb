//! Tuning of numeric parameters of a recipe by games.
//!
//! `spsa.rs` has the method. Hill climbing of E and D, which minimises nodes instead of winning
//! games, is `proof::hill_climb` of the searches.

mod spsa;

pub use spsa::{Gains, Range, RangeError, Tuned, spsa};
