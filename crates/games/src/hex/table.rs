//! Hex at a board: programs set positions up stone by stone, so either colour may move at any time.

use super::Hex;
use tesuji_core::{Player, Position, Table};

/// The abilities of Hex at a board.
pub(super) struct HexTable;

impl Table<Hex> for HexTable {
    /// A game that was won is over.
    fn with_turn(&self, position: &Hex, player: Player) -> Option<Hex> {
        let mut turned = *position;
        turned.set_turn(player);
        turned.outcome().is_none().then_some(turned)
    }
}
