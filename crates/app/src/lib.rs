//! The parts of the `tesuji` command that tests and fuzzers call directly: the protocols.

pub mod protocol;
