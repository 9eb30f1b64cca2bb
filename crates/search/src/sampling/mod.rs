//! Searches that play at random: one random move, random playout search, and the
//! exact expectation that the latter approaches.

mod expected;
mod random;
mod rps;

pub use expected::{Expected, ExpectedScore};
pub use random::RandomMove;
pub use rps::Rps;
