//! The native part of the Python package `tesuji`: games and states under OpenSpiel's names
//! (Lanctot et al. 2019), the program's searches, and self-play in lockstep for learning.
//!
//! Long work runs without the interpreter lock. Arrays of self-play belong to the caller and are
//! read and written in place: no copies.

mod agent;
mod game;
mod selfplay;

use pyo3::prelude::*;

/// Games, states and self-play of tesuji.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::agent::Agent;
    #[pymodule_export]
    use crate::game::{Game, State, load_game};
    #[pymodule_export]
    use crate::selfplay::SelfPlay;
}
