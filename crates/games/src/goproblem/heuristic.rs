//! What is known of life-and-death problems beyond their rules: which move is a pass.
//!
//! There is no evaluation: what counts is whether the important stones live, and a number that says so without reading ahead
//! would be the solution. Preferences among vital points are left open.

use super::{GoProblem, Move};
use tesuji_core::Studied;

impl Studied for GoProblem {
    fn is_pass(&self, mv: Move) -> bool {
        mv.is_pass()
    }
}
