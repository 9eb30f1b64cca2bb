//! Minimax: plain and depth-limited, and Li's level-k form.

mod level_k;
mod plain;

pub use level_k::{LevelK, level_k_score};
pub use plain::Minimax;
