//! Minimax inside Monte-Carlo tree search.
//!
//! | file | contents |
//! |---|---|
//! | `forced.rs` | the question "can this player force this result within n plies?" |
//! | `sudden.rs` | when Li's improved search asks it at the root |
//!
//! Guarded playouts (`leaf/guarded.rs`), probes (`iteration/gather.rs`, `iteration/apply.rs`) and
//! the improved search (`driver/sudden_search.rs`) ask the question.

mod forced;
mod sudden;

pub(crate) use forced::{JUST_WON, bounds, forces, push_moves};
pub use sudden::Sudden;
