//! Names to things. The only place where games and searches meet.
//!
//! * [`games`] and `searches.rs`: the registry, one line a thing.
//! * [`AnyPosition`], [`AnyAgent`]: the same games and searches with their types erased,
//!   speaking in text; what protocols, matches and user interfaces hold.
//! * [`Access`]: what a spec may open and start, decided by its origin.
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

mod access;
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
mod trail;

pub use access::{Access, Draft, FileError};
pub use actions::Actions;
pub use erased::{AnyAgent, AnyPosition, PlayoutTally};
pub use games::{GameInfo, StartedGame, games, start_game, start_game_with};
pub use gtp::{GRACE as GTP_GRACE, GtpAgent, GtpClient, GtpError};
pub use searches::{agent_descriptions, agent_for, canonical_agent, is_auto, is_endless, is_parallel, usual_effort};
pub use session::{Notice, Session, SessionError};
/// Proofs, and what can be claimed.
pub use tesuji_core::{Goal, Measure};
/// What Go playouts cost, for `bench complexity`.
pub use tesuji_games::go::complexity as go_complexity;
/// Self-play in lockstep, and its tensors.
pub use tesuji_learn::selfplay;
pub use tesuji_proof::{Checked, Claim, ExpansionLimits, Proof, ProofError};
pub use trail::{MOST_SET_UPS, MOST_STEPS};
