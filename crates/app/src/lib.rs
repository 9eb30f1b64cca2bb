//! The parts of the `tesuji` command that tests and fuzzers call directly: the protocols, and games
//! at the terminal.

pub mod move_choice;
pub mod picture;
pub mod protocol;
pub mod terminal;
