//! Names to things. The only place where games and searches meet.
//!
//! * [`Registry`]: games and agents by name, ours and those from outside; `searches.rs` has our
//!   searches, one line each.
//! * [`AnyPosition`], [`AnyAgent`]: the same games and searches with their types erased,
//!   speaking in text; what protocols, matches and user interfaces hold.
//! * [`Access`]: what a spec may open and start, decided by its origin.
//! * [`Actions`]: the same positions by numbers, for learning and for Python.
//! * [`Session`]: a game under way with an agent that thinks in its own thread.
//! * [`KeptTree`]: the tree of a search that has stopped, browsed, continued, recorded.
//! * [`AnyTable`]: what board programs and records ask of a game beyond moves.
//! * [`Opaque`]: a position of any game as one type, for agents from outside.
//! * [`scn_study`]: what Single Conspiracy Numbers tell of Chinese chess.
//! * [`othello_fit`]: fits the weights of Othello's evaluation to games of self-play.

/// The worked examples of CONTRIBUTING.md are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../CONTRIBUTING.md")]
mod contributing {}

mod access;
mod actions;
pub mod annotated;
mod any;
mod engines;
mod erased;
mod features;
pub mod goproblem_fit;
mod history;
mod kept;
mod least_squares;
mod many;
mod opaque;
pub mod othello_fit;
mod position;
mod random_opening;
pub mod records;
mod registry;
pub mod scn_study;
mod searches;
mod session;
mod table;

pub use access::{Access, FileError, PendingFile};
pub use actions::Actions;
pub use any::{AnyAgent, AnyEvaluation, AnyPosition, AnyPreference, AnyTable, PlayoutTally};
pub use engines::{EngineError, GtpClient, can_be_hurried};
pub use features::AnyFeatures;
pub use kept::{ExportLimits, ExportedNode, KeptTree, NodeError};
pub use many::{AnyMany, Ended, IllegalAction};
pub use opaque::Opaque;
pub use random_opening::random_opening;
pub use registry::{
    AUTO, AgentInfo, GameInfo, InstallError, Registry, StartedGame, agent_descriptions, agent_for, canonical_agent,
    counts_work, erase, games, is_auto, is_endless, is_parallel, short_agent, short_game, start_game, start_game_with,
    usual_effort,
};
pub use session::{Notice, Session, SessionError};
/// Proofs, and what can be claimed.
pub use tesuji_core::{Goal, Measure};
/// What Go playouts cost, for `bench complexity`.
pub use tesuji_games::go::complexity as go_complexity;
/// Searches whose positions are evaluated in batches, by the caller.
pub use tesuji_learn::batched;
/// Self-play in lockstep, and its tensors.
pub use tesuji_learn::selfplay;
pub use tesuji_proof::{Checked, Claim, ExpansionLimits, Outline, Proof, ProofError, ProofPlace, ProofStep};
/// What is told of a node of a kept tree, and of one iteration.
pub use tesuji_search::kept::{
    ChildFilter, ChildState, ChildView, Gain, IterationRecord, MinimaxNode, NodeView, PathNode, Playout, SelectionValue,
};
/// Trees of proof-number searches, to be looked into.
pub use tesuji_search::proof::{ProofNode, ProofTree, Status as ProofNodeStatus};
