//! What is known of life-and-death problems beyond their rules: which move is a pass, unconditional life (`life.rs`) and static death (`death.rs`).
//!
//! There is no evaluation: what counts is whether the important stones live, and a number that says so without reading ahead
//! would be the solution. Preferences among vital points are left open.

use super::{GoProblem, LifeCertifier, Move};
use tesuji_core::{Certifier, Studied};

impl Studied for GoProblem {
    fn certifier(&self) -> Option<Box<dyn Certifier<GoProblem>>> {
        Some(Box::new(LifeCertifier))
    }

    fn is_pass(&self, mv: Move) -> bool {
        mv.is_pass()
    }
}
