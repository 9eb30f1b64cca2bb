//! The tests of the searches, in one binary: each would compile its searches of the same games
//! again.
//!
//! `publish.rs` replaces the atomics by those of loom and is a binary of its own.

mod alphabeta;
mod alphabeta_othello;
mod alphabeta_xiangqi;
mod conspiracy;
mod goproblem;
mod judged;
mod mcts;
mod mcts_combined;
mod mcts_memory;
mod mcts_threads;
mod proof;
mod proof_adviser;
mod proof_certificates;
mod proof_check;
mod proof_data;
mod proof_life;
mod proof_threads;
mod recipes;
mod resign_and_pass;
mod sudden;
mod tic_tac_toe;
mod trees;
mod wrapped;

use tesuji_testing::memory::Counting;

/// Some tests bound the memory or the allocations of their thread.
#[global_allocator]
static ALLOCATOR: Counting = Counting;
