//! The server of the web app: games, sessions and live searches over HTTP and WebSocket, and the
//! built front end. No code here names a game or a search: everything is asked of the registry and
//! of positions.
//!
//! | file | what is in it |
//! |---|---|
//! | `api/` | the types of the interface, its OpenAPI document, its TypeScript |
//! | `server.rs`, `guard.rs`, `limits.rs` | connections and their limits; who may ask |
//! | `routes.rs` | what is asked over HTTP |
//! | `live.rs` | what is asked over WebSocket: searches that report while they run |
//! | `slots.rs` | places for searches, and turns |
//! | `searches.rs`, `reports.rs` | a search for a client, and what it says |
//! | `kept.rs`, `state.rs`, `document.rs` | games that are kept, told, and written as text |
//! | `notes.rs` | records with variations and comments |
//! | `microscope/` | trees of searches that have stopped, and their single iterations |
//! | `lists.rs` | games, agents, opponents, problems |
//! | `proofs.rs`, `proof_views.rs`, `proof_trees.rs` | proofs and trees of proof-number searches, browsed |
//! | `program.rs` | what the program around the server knows |
//! | `assets.rs` | the front end |

pub mod api;
mod assets;
mod document;
mod guard;
mod kept;
mod limits;
mod lists;
mod live;
mod microscope;
mod notes;
mod program;
mod proof_trees;
mod proof_views;
mod proofs;
mod refusal;
mod reports;
mod routes;
mod searches;
mod server;
mod slots;
mod state;

pub use limits::Limits;
pub use program::Program;
pub use refusal::Refusal;
pub use server::{Options, Server};

/// A token that cannot be guessed.
///
/// # Errors
/// If the system has no randomness.
pub fn new_token() -> std::io::Result<String> {
    kept::random_name().map_err(|refusal| std::io::Error::other(refusal.message))
}
