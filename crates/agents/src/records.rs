//! Games in SGF: reading one into steps, and writing steps as one.
//!
//! A game is a start and steps: moves with their players, and other positions put on the board. Two
//! moves of one colour in a row stay two moves in games where either colour may move at any time
//! (Go, Hex); other games refuse them. Where a game's records set stones up (Go), every node may do
//! it, and size, komi and rules are the file's. In other games, problems of Go among them, a root
//! may name the stones that stand at the start, and nothing else; a record of another problem is
//! that problem, and its moves. A board that only changes the side to move is no set-up.

use crate::any::AnyPosition;
pub use crate::any::Step;
use crate::registry::{StartedGame, start_game};
pub use crate::table::same_board;
use tesuji_core::Player;
use tesuji_core::spec::{Argument, Place, Spec};

/// A game that was read.
pub struct Record {
    /// The game, canonical: of the record's size, komi and rules, where records have them.
    pub game: Spec,
    /// Its start.
    pub start: Box<dyn AnyPosition>,
    /// What happened.
    pub steps: Vec<Step>,
}

/// Reads the main line of an SGF file as this game, up to `most` moves. Neither the spec nor the
/// record opens a file.
///
/// # Errors
/// If there is no such game, the file is not SGF, not of this game, or a move is not legal.
pub fn read(game: &Spec, bytes: &[u8], most: Option<usize>) -> Result<Record, String> {
    read_as(start_game(game).map_err(|error| error.to_string())?, bytes, most)
}

/// Reads the main line of an SGF file as a game that was started, up to `most` moves. The record
/// opens no file.
///
/// # Errors
/// If the file is not SGF, not of this game, or a move is not legal.
pub fn read_as(game: StartedGame, bytes: &[u8], most: Option<usize>) -> Result<Record, String> {
    let StartedGame { mut position, mut spec } = game;
    if let Some(decided) = position.record_arguments(bytes)? {
        spec.arguments.retain(|argument| decided.iter().all(|(name, _)| argument.name != *name));
        let argument = |(name, value): (&str, _)| Argument { name: name.into(), value, at: Place(0) };
        let values = decided.into_iter().filter_map(|(name, value)| Some((name, value?)));
        spec.arguments.extend(values.map(argument));
        StartedGame { position, spec } = start_game(&spec).map_err(|error| error.to_string())?;
    }
    let steps = position.read_record(bytes, most)?;
    Ok(Record { game: spec, start: position, steps })
}

/// What has to be put on the board before this player can move: nothing if it is their turn.
///
/// # Errors
/// If the game allows no move out of turn, or is over.
pub fn turned(position: &dyn AnyPosition, player: Player) -> Result<Option<Box<dyn AnyPosition>>, String> {
    if position.outcome().is_none() && position.turn() == player {
        return Ok(None);
    }
    match position.with_turn(player) {
        Some(turned) => Ok(Some(turned)),
        None if position.outcome().is_some() => Err("the game is over".into()),
        None => Err(format!("it is the {} player's turn", position.turn())),
    }
}

/// Writes a game as SGF.
///
/// # Errors
/// If a move is not legal, the record would be too large, or a position was set up in a game whose
/// records hold moves only.
pub fn write(game: &Spec, start: &dyn AnyPosition, steps: &[Step]) -> Result<String, String> {
    start.write_record(&game.to_string(), steps)
}
