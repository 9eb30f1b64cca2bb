//! Conspiracy numbers: how many leaves of a tree must change their value for the root to change its
//! own.
//!
//! * [`Needed`] holds the vectors ↑needed and ↓needed over a grid of values (McAllester 1988,
//!   Schaeffer 1990).
//! * [`Cns`] expands a tree until the value of its root is stable.
//! * [`Scn`] computes Single Conspiracy Numbers inside alpha-beta (Zhang 2019, ch. 4), and [`rscn`]
//!   compares the two sides along a game.

mod cns;
mod needed;
pub mod rscn;
mod scn;

pub use cns::Cns;
pub use needed::{Grid, INFINITE, Needed};
pub use scn::{Scn, ScnDepth};
