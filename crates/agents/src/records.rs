//! Games in SGF: reading one into steps, and writing steps as one.
//!
//! A game is a start and steps: moves, each by whoever played it, and other positions put on the table. Two moves of one colour in a
//! row stay two moves, in Go and in Hex, where either colour may move at any time; other games refuse them. Stones that are set up
//! belong to Go: there every node may do it, and size, komi and rules (RU, if we know them) are the file's. In other games, problems of Go among them, a root may
//! name the stones that stand at the start, and nothing else; a record of another problem is that problem, and its moves. A board that only changes the side to move is no set-up.

use crate::{AnyPosition, StartedGame, go_table, start_game};
use tesuji_core::spec::{Argument, Place, Spec, SpecValue};
use tesuji_core::{Notation, Player};
use tesuji_games::go::{Go, GoRules, GoStep};
use tesuji_games::goproblem::format::text;
use tesuji_games::goproblem::{GoProblem, Problem};

/// One step of a game.
pub enum Step {
    /// A move, by whoever played it.
    Move(Player, String),
    /// Another position of the same game was put on the table.
    Set(Box<dyn AnyPosition>),
}

impl Clone for Step {
    fn clone(&self) -> Step {
        match self {
            Step::Move(player, mv) => Step::Move(*player, mv.clone()),
            Step::Set(position) => Step::Set(position.boxed_clone()),
        }
    }
}

/// A game that was read.
pub struct Record {
    /// The game, canonical: in Go of the record's size, komi and rules.
    pub game: Spec,
    /// Its start.
    pub start: Box<dyn AnyPosition>,
    /// What happened.
    pub steps: Vec<Step>,
}

/// A spec without what it starts from, and with these arguments.
fn begun_anew(spec: &Spec, arguments: [(&str, SpecValue); 5]) -> Spec {
    let mut spec = spec.clone();
    let replaced = ["sgf", "move", "handicap", "size", "komi", "ko", "suicide", "scoring"];
    spec.arguments.retain(|argument| !replaced.contains(&argument.name.as_str()));
    spec.arguments.extend(arguments.map(|(name, value)| Argument { name: name.to_string(), value, at: Place(0) }));
    spec
}

/// Reads the main line of an SGF file as this game, up to `most` moves. Neither the spec nor the record opens a file.
///
/// # Errors
/// If there is no such game, the file is not SGF, not of this game, or a move is not legal.
pub fn read(game: &Spec, bytes: &[u8], most: Option<usize>) -> Result<Record, String> {
    read_as(start_game(game).map_err(|error| error.to_string())?, bytes, most)
}

/// Reads the main line of an SGF file as a game that was started, up to `most` moves. The record opens no file.
///
/// # Errors
/// If the file is not SGF, not of this game, or a move is not legal.
pub fn read_as(game: StartedGame, bytes: &[u8], most: Option<usize>) -> Result<Record, String> {
    let StartedGame { mut position, mut spec } = game;
    let Some(go) = position.as_any().downcast_ref::<Go>() else {
        let mut read = position.read_record(bytes);
        if read.is_err()
            && position.as_any().is::<GoProblem>()
            && let Ok(problem) = Problem::from_bytes(bytes)
        {
            let argument =
                Argument { name: "text".into(), value: SpecValue::Text(text::write(&problem)), at: Place(0) };
            let other = Spec { arguments: vec![argument], ..Spec::bare("goproblem") };
            StartedGame { position, spec } = start_game(&other).map_err(|error| error.to_string())?;
            read = position.read_record(bytes);
        }
        let mut moves = read.map_err(|error| error.to_string())?;
        moves.truncate(most.unwrap_or(usize::MAX));
        let steps = moves.into_iter().map(|(player, mv)| Step::Move(player, mv)).collect();
        return Ok(Record { game: spec, start: position, steps });
    };
    let rules = Go::rules_of_sgf(bytes, GoRules { handicap: 0, ..*go.rules() }).map_err(|error| error.to_string())?;
    let replayed = Go::replay_sgf(bytes, rules, most).map_err(|error| error.to_string())?;
    let komi = f64::from(replayed.start.rules().komi.0) / 2.0;
    let size = SpecValue::Integer(replayed.start.size() as i64);
    let word = |word: String| SpecValue::Spec(Spec::bare(word));
    let arguments = [
        ("size", size),
        ("komi", SpecValue::Number(komi)),
        ("ko", word(rules.ko.to_string())),
        ("suicide", word(rules.suicide.to_string())),
        ("scoring", word(rules.scoring.to_string())),
    ];
    let spec = begun_anew(&spec, arguments);
    let StartedGame { position: start, spec } = start_game(&spec).map_err(|error| error.to_string())?;
    let named = |step| match step {
        GoStep::Move(player, mv) => Step::Move(player, replayed.start.show_move(mv)),
        GoStep::SetUp(go) => Step::Set(go),
    };
    Ok(Record { game: spec, start, steps: replayed.steps.into_iter().map(named).collect() })
}

/// What has to be put on the table before this player can move: nothing if it is their turn.
///
/// # Errors
/// If the game lets nobody move out of turn, or is over.
pub fn turned(position: &dyn AnyPosition, player: Player) -> Result<Option<Box<dyn AnyPosition>>, String> {
    if position.outcome().is_none() && position.turn() == player {
        return Ok(None);
    }
    match go_table::with_turn(position, player) {
        Some(turned) => Ok(Some(turned)),
        None if position.outcome().is_some() => Err("the game is over".into()),
        None => Err(format!("it is the {} player's turn", position.turn())),
    }
}

/// Whether two positions show the same board: one is only the other with another side to move.
#[must_use]
pub fn same_board(one: &dyn AnyPosition, other: &dyn AnyPosition) -> bool {
    one.view().points == other.view().points
}

/// Writes a game as SGF.
///
/// # Errors
/// If a move is not legal, the record would be too large, or stones are set up in another game than Go.
pub fn write(game: &Spec, start: &dyn AnyPosition, steps: &[Step]) -> Result<String, String> {
    let mut position = start.boxed_clone();
    let (mut moves, mut in_go) = (Vec::new(), Vec::new());
    for step in steps {
        match step {
            Step::Move(player, mv) => {
                if let Some(turned) = turned(position.as_ref(), *player)? {
                    position = turned;
                }
                if let Some(go) = position.as_any().downcast_ref::<Go>() {
                    let read = go.read_move(mv).map_err(|error| error.to_string())?;
                    in_go.push(GoStep::Move(*player, read));
                }
                position.play(mv).map_err(|error| error.to_string())?;
                moves.push((*player, mv.clone()));
            }
            Step::Set(set) => {
                match set.as_any().downcast_ref::<Go>() {
                    Some(go) => in_go.push(GoStep::SetUp(Box::new(go.clone()))),
                    None if same_board(position.as_ref(), set.as_ref()) => {}
                    None => return Err("a position that was set up cannot be recorded in this game".into()),
                }
                position = set.boxed_clone();
            }
        }
    }
    match start.as_any().downcast_ref::<Go>() {
        Some(go) => Ok(go.record_steps(&in_go).to_string()),
        None => start.write_record(&game.to_string(), &moves),
    }
}
