//! Hex at a board: programs set positions up stone by stone, so either colour may move at any time,
//! and a record decides the size.

use super::Hex;
use tesuji_core::spec::SpecValue;
use tesuji_core::{Player, Position, RecordArguments, Table};
use tesuji_sgf::{BoardSize, Collection, GameType};

/// The abilities of Hex at a board.
pub(super) struct HexTable;

impl Table<Hex> for HexTable {
    /// A game that was won is over.
    fn with_turn(&self, position: &Hex, player: Player) -> Option<Hex> {
        let mut turned = *position;
        turned.set_turn(player);
        turned.outcome().is_none().then_some(turned)
    }

    /// The size is the record's; 11 if it names none, as the specification says.
    fn record_arguments(&self, position: &Hex, bytes: &[u8]) -> Result<Option<RecordArguments>, String> {
        let record = Collection::parse(bytes).map_err(|error| error.to_string())?;
        let root = record.node(record.roots()[0]);
        // A record of another game is refused when its moves are read.
        if root.game_type().ok() != Some(GameType::Hex) {
            return Ok(None);
        }
        let size = root.size().map_err(|error| error.to_string())?;
        let BoardSize { columns, rows } = size.unwrap_or(BoardSize::square(11));
        if columns != rows || Hex::new(u32::from(rows), position.swap).is_err() {
            return Err(format!("a board of {columns}:{rows} cells; expected a square one of 2 to 26"));
        }
        let is_same = u32::from(rows) == position.size();
        Ok((!is_same).then(|| vec![("size", Some(SpecValue::Integer(i64::from(rows))))]))
    }
}
