//! Minimax: plain and depth-limited, Li's level-k form, alpha-beta, and exact endgames.

pub mod alphabeta;
mod endgame;
mod level_k;
mod plain;

pub use alphabeta::AlphaBeta;
pub use endgame::ExactEndgame;
pub use level_k::{LevelK, level_k_score};
pub use plain::Minimax;
