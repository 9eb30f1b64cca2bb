//! The native part of the Python package `tesuji`: games and states under OpenSpiel's names
//! (Lanctot et al. 2019), the program's searches and solvers, matches, the lab, and self-play in
//! lockstep for learning.
//!
//! | file | contents |
//! |---|---|
//! | `game.rs`, `state.rs` | `Game`, `State` |
//! | `legal.rs` | legal actions as lists |
//! | `python_rules.rs` | games whose rules are Python code |
//! | `agent.rs`, `report.rs` | `Agent`, `Report`, the tree of a search |
//! | `evaluator.rs`, `network.rs` | Python functions and our networks as evaluators of positions |
//! | `proof.rs` | `Proof`: solved positions, checked, saved, browsed |
//! | `matches.rs` | `match` |
//! | `vector.rs`, `selfplay.rs` | many games at once |
//! | `lab.rs` | plans, folders and jobs of the lab |
//! | `running.rs` | long work: without the interpreter lock, ended by Ctrl-C and by the end of the interpreter |
//! | `svg.rs` | boards for notebooks |
//!
//! Long work runs without the interpreter lock. Arrays of self-play and of evaluators are read and
//! written in place: no copies.

mod agent;
mod evaluator;
mod game;
mod lab;
mod legal;
mod matches;
mod network;
mod proof;
mod python_rules;
mod report;
mod running;
mod selfplay;
mod state;
mod svg;
mod vector;

use pyo3::prelude::*;

/// Games, states and self-play of tesuji.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::agent::Agent;
    #[pymodule_export]
    use crate::game::{Game, load_game, python_game, registered_names};
    #[pymodule_export]
    use crate::lab::{LabFolder, LabPlan, experiments, most_deaths, read_lines, report, run_job, timeless};
    #[pymodule_export]
    use crate::matches::{MatchResult, PlayedGame, play};
    #[pymodule_export]
    use crate::network::Network;
    #[pymodule_export]
    use crate::proof::{Checked, Proof, ProofNode};
    #[pymodule_export]
    use crate::report::{Node, Report, RootAction};
    #[pymodule_export]
    use crate::running::{forked, stop_all};
    #[pymodule_export]
    use crate::selfplay::SelfPlay;
    #[pymodule_export]
    use crate::state::{State, restore_state};
    #[pymodule_export]
    use crate::vector::VectorState;
}
