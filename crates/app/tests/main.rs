//! The tests of the command line, the protocols and the terminal, in one binary: each would link
//! the whole program again.

mod answers_kept;
mod cli;
mod cli_reference;
mod cli_values;
mod command;
mod config;
mod conversation;
mod engines;
mod gallery;
mod game_data_memory;
mod help;
mod house;
mod lab;
mod learn_moves;
mod limits_page;
mod matches;
mod pages;
mod play;
mod play_processes;
mod problems;
mod protocol_answers;
mod protocol_clients;
mod protocol_findings;
mod protocol_findings_uci;
mod protocol_fuzz;
mod protocol_games;
mod protocol_gnugo;
mod protocol_processes;
mod protocol_transcripts;
mod readme;
mod records;
mod screens;
mod sources;
mod strangers;
mod think_tree;
mod truth;
mod web;
mod widths;

use tesuji_testing::memory::Counting;

/// Some tests bound the memory or the allocations of their thread.
#[global_allocator]
static ALLOCATOR: Counting = Counting;
