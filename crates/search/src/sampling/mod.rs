//! Searches by random play: one random move, random playout search (flat Monte-Carlo), and the
//! exact expectation to which it converges.

mod expected;
mod random;
mod rps;

pub use expected::{Expected, ExpectedScore};
pub use random::RandomMove;
pub use rps::Rps;
