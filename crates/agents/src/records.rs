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
use tesuji_core::spec::{Argument, Place, Spec};
use tesuji_core::{Judgement, Outcome, Player, Seed};
use tesuji_sgf::{Collection, Color, EditError, NodeId};
/// How a recorded game ended.
pub use tesuji_sgf::{GameResult, WinReason};

/// The seed of judging dead stones, so that the judgement is repeatable.
const JUDGE: Seed = Seed(1);

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

/// What a record states beside the game and its moves.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Details {
    /// The names of the players (PB and PW), the first player's first.
    pub players: [Option<String>; 2],
    /// How the game ended (RE).
    pub result: Option<GameResult>,
    /// The day on which it was played, `2026-11-16` (DT).
    pub date: Option<String>,
}

/// What a file states beside the game and its moves; nothing where it is not SGF.
#[must_use]
pub fn details(bytes: &[u8]) -> Details {
    let Ok(record) = Collection::parse(bytes) else { return Details::default() };
    let Some(root) = record.roots().first().map(|root| record.node(*root)) else { return Details::default() };
    Details {
        players: Player::BOTH.map(|player| root.player_name(colour(player))),
        result: root.result().ok().flatten(),
        date: root.value("DT").map(|date| date.simple_text()),
    }
}

/// The judgement of a position that is scored by territory: its dead stones and its score. Always
/// the same one, for all who ask.
#[must_use]
pub fn judged(position: &dyn AnyPosition) -> Option<Judgement> {
    position.judge(JUDGE)
}

/// The result of a game whose last position is this one; nothing while it is under way. Where
/// stones can be dead, [`judged`] says which are.
#[must_use]
pub fn result(position: &dyn AnyPosition) -> Option<GameResult> {
    let outcome = position.outcome()?;
    if let Some(judgement) = judged(position) {
        return Some(result_by(judgement.outcome, Some(judgement.points)));
    }
    let has_margin = position.conventions().result_has_margin;
    Some(result_by(outcome, has_margin.then(|| f64::from(outcome.margin.abs()))))
}

/// The result of this outcome, with the points that the winner is ahead, where they are counted.
#[must_use]
pub fn result_by(outcome: Outcome, points: Option<f64>) -> GameResult {
    let reason = points.map_or(WinReason::Unstated, WinReason::Score);
    outcome.winner().map_or(GameResult::Draw, |winner| GameResult::Win(colour(winner), reason))
}

/// The result of a game that this player gave up.
#[must_use]
pub fn resigned(player: Player) -> GameResult {
    GameResult::Win(colour(player.other()), WinReason::Resignation)
}

/// Who won, and how; nothing for a draw and for a game without a result.
#[must_use]
pub fn winner(result: GameResult) -> Option<(Player, WinReason)> {
    match result {
        GameResult::Win(Color::Black, reason) => Some((Player::First, reason)),
        GameResult::Win(Color::White, reason) => Some((Player::Second, reason)),
        GameResult::Draw | GameResult::Void | GameResult::Unknown => None,
    }
}

/// As records name the players of every game.
fn colour(player: Player) -> Color {
    match player {
        Player::First => Color::Black,
        Player::Second => Color::White,
    }
}

/// Writes a game as SGF: the game and its moves.
///
/// # Errors
/// If a move is not legal, the record would be too large, or a position was set up in a game whose
/// records hold moves only.
pub fn write(game: &Spec, start: &dyn AnyPosition, steps: &[Step]) -> Result<String, String> {
    start.write_record(&game.to_string(), steps)
}

/// Writes a game as SGF, with what else is known of it.
///
/// # Errors
/// As [`write()`].
pub fn write_with(game: &Spec, start: &dyn AnyPosition, steps: &[Step], details: &Details) -> Result<String, String> {
    let text = write(game, start, steps)?;
    let mut record = Collection::parse(text.as_bytes()).map_err(|error| error.to_string())?;
    let root = record.roots()[0];
    state(&mut record, root, details).map_err(|error| error.to_string())?;
    Ok(record.to_string())
}

fn state(record: &mut Collection, root: NodeId, details: &Details) -> Result<(), EditError> {
    for player in Player::BOTH {
        if let Some(name) = &details.players[player.index()] {
            record.set_player_name(root, colour(player), name)?;
        }
    }
    if let Some(date) = &details.date {
        record.set_text(root, "DT", date)?;
    }
    if let Some(result) = details.result {
        record.set_result(root, result)?;
    }
    Ok(())
}
