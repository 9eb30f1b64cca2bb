//! Othello brings an exact endgame solver; it has no captures to resolve and no null moves (passing
//! is often a relief).

use super::{Othello, OthelloEndgame};
use tesuji_core::{Endgame, Tactical};

impl Tactical for Othello {
    fn endgame(&self) -> Option<Box<dyn Endgame<Othello>>> {
        Some(Box::new(OthelloEndgame::default()))
    }
}
