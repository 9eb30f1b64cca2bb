//! Synthetic trees, for studying searches where the true values are known.
//!
//! * [`Tree`]: any tree, given as text or generated at random; turns need not alternate.
//! * [`PGame`]: the P-game trees of Kocsis & Szepesvári, generated on demand from a seed.
//! * [`Trap`]: the 20-way trap of Lin 2017 §3.1.

mod pgame;
mod trap;
mod tree;

pub use pgame::{PGame, PGameError};
pub use trap::{Trap, TrapLeaf};
pub use tree::{MOST_BYTES as MOST_TREE_BYTES, MOST_NODES as MOST_TREE_NODES, RandomTree, Tree, TreeError};

use tesuji_core::MoveError;

/// Trees of up to this number of nodes are searched exhaustively in milliseconds.
const SMALL: usize = 10_000;

/// Reads the number of a branch, 0 to `branches` − 1.
fn read_branch(text: &str, branches: u32) -> Result<u32, MoveError> {
    if branches == 0 {
        return Err(MoveError::illegal(text, "the game has ended"));
    }
    let expected = || format!("the number of a branch, 0 to {}", branches - 1);
    let plain = !text.is_empty() && text.len() <= 10 && text.bytes().all(|b| b.is_ascii_digit());
    let branch = text.parse::<u32>().ok().filter(|_| plain).ok_or_else(|| MoveError::unreadable(text, expected()))?;
    if branch >= branches {
        return Err(MoveError::illegal(text, format!("expected {}", expected())));
    }
    Ok(branch)
}
