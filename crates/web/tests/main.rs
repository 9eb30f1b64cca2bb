//! The tests of the server, in one binary: they talk to a real one on loopback.

mod client;
mod description;
mod endpoints;
mod hardening;
mod live;
mod microscope;
mod proofs;
