//! The tests of the registry, the erased layer, sessions and solvers, in one binary: each would
//! link all searches again.
//!
//! `limits.rs` counts the memory of the whole process and `fitting.rs` compiles two files with
//! their unit tests: these are binaries of their own.

mod access;
mod annotated;
mod connect6_problems;
mod engine_notation;
mod engines_gtp;
mod game_data_memory;
mod gnugo;
mod gomoku_problems;
mod kept_tree;
mod opaque;
mod oracle_hex;
mod oracle_othello;
mod proof_hex;
mod proof_othello;
mod proof_vcdt;
mod proof_vcf;
mod proof_vcst;
mod proof_vct;
mod records;
mod registry;
mod scn_study;
mod sessions;
mod stopping;
mod table;
mod truth;

use tesuji_testing::memory::Counting;

/// Some tests bound the memory or the allocations of their thread.
#[global_allocator]
static ALLOCATOR: Counting = Counting;
