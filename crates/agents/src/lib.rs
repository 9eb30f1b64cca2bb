//! Names to things. The only place where games and searches meet.
//!
//! * [`games`] and `searches.rs`: the registry, one line a thing.
//! * [`AnyPosition`], [`AnyAgent`]: the same games and searches with their types erased,
//!   speaking in text; what protocols, matches and user interfaces hold.
//! * [`Actions`]: the same positions by numbers, for learning and for Python.
//! * [`Session`]: a game under way with an agent that thinks in its own thread.
//! * [`advice`]: knowledge of single games for searches that prove.
//! * [`go_table`]: what protocols ask of a game of Go beyond moves.
//! * [`scn_study`]: what Single Conspiracy Numbers tell of Chinese chess.
//! * [`othello_fit`]: fits the weights of Othello's evaluation to games of our own.

/// The worked examples of CONTRIBUTING.md are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../CONTRIBUTING.md")]
mod contributing {}

mod actions;
pub mod advice;
mod erased;
mod games;
pub mod go_table;
mod gtp;
mod least_squares;
pub mod othello_fit;
pub mod records;
pub mod scn_study;
mod searches;
mod session;

pub use actions::Actions;
pub use erased::{AnyAgent, AnyPosition, PlayoutTally};
pub use games::{GameInfo, StartedGame, games, start_game};
pub use gtp::{GtpAgent, GtpClient, GtpError};
pub use searches::{agent_descriptions, canonical_agent, is_endless, is_parallel};
pub use session::{Session, SessionError};
/// What Go playouts cost, for `bench complexity`.
pub use tesuji_games::go::complexity as go_complexity;
/// Reads an ordinary file of bounded size, for whoever takes paths from people.
pub use tesuji_games::read_file;
/// Self-play in lockstep, and its tensors.
pub use tesuji_learn::selfplay;
/// Proofs, and what can be claimed.
pub use tesuji_search::proof::{Checked, Claim, Goal, Measure, Proof, ProofError};
