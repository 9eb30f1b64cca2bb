//! The tests of the command line, the protocols and the terminal, in one binary: each would link
//! the whole program again.

mod answers_kept;
mod cli;
mod cli_reference;
mod cli_values;
mod command;
mod game_data_memory;
mod limits_page;
mod play;
mod protocol_answers;
mod protocol_clients;
mod protocol_fuzz;
mod protocol_gnugo;
mod protocol_processes;
mod protocol_transcripts;
mod readme;
mod sources;
mod strangers;
mod truth;
mod widths;

use tesuji_testing::memory::Counting;

/// Some tests bound the memory or the allocations of their thread.
#[global_allocator]
static ALLOCATOR: Counting = Counting;
