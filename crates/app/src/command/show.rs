//! `tesuji show`: draws a position.

use super::PlayedGame;
use crate::arguments::ShowArguments;
use crate::failure::Failure;
use crate::picture::{self, Ink};
use crate::{names, output};
use serde::Serialize;
use tesuji_agents::Access;
use tesuji_agents::records::{self, Details};
use tesuji_core::{BoardShape, Outcome};

#[derive(Serialize)]
struct Shown {
    game: String,
    moves: Vec<String>,
    turn: String,
    outcome: Option<Ended>,
    legal: Vec<String>,
    hash: String,
    /// The position as one line of text, such as FEN, where the game has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    setup: Option<String>,
    board: Board,
}

#[derive(Serialize)]
struct Ended {
    /// For the first player.
    score: f64,
    margin: i32,
    winner: Option<String>,
}

#[derive(Serialize)]
struct Board {
    shape: &'static str,
    columns: Vec<String>,
    rows: Vec<String>,
    /// Row by row from the top; `null` is an empty point.
    points: Vec<Option<Stone>>,
    captions: Vec<String>,
}

#[derive(Serialize)]
struct Stone {
    owner: String,
    letter: char,
}

impl From<Outcome> for Ended {
    fn from(outcome: Outcome) -> Ended {
        Ended {
            score: outcome.score.to_f64(),
            margin: outcome.margin,
            winner: outcome.winner().map(|winner| winner.to_string()),
        }
    }
}

/// The point of the last move.
fn last_place(played: &PlayedGame) -> Option<(usize, usize)> {
    let (last, before) = played.moves.split_last()?;
    let mut at = played.start.boxed_clone();
    before.iter().try_for_each(|mv| at.play(mv).map(drop)).ok()?;
    picture::place_of(at.as_ref(), last)
}

/// Draws the position; writes the game to a file if asked to.
pub fn run(arguments: &ShowArguments, json: bool) -> Result<(), Failure> {
    let played = PlayedGame::of(&arguments.position)?;
    if let Some(path) = &arguments.save {
        let result = played.details.result.or_else(|| records::result(played.position.as_ref()));
        let details = Details { result, ..played.details.clone() };
        let record = records::write_with(&played.game, played.first.as_ref(), &played.steps, &details);
        let record = record.map_err(Failure::input)?;
        Access::unrestricted().write(path, record.as_bytes()).map_err(|error| Failure::file(path, &error))?;
    }
    let position = &played.position;
    let view = position.view();
    if !json {
        let ink = match &arguments.pieces {
            _ if arguments.plain => Ink::Plain,
            Some(pieces) => Ink::Unicode.with_pieces(Some(pieces)),
            None => Ink::of_output(),
        };
        let last = last_place(&played);
        let mut text = format!("{}\n{}", names::title(&played.game.to_string()), picture::draw(&view, ink, last));
        if arguments.fen {
            let no_text = || Failure::input(format!("--fen: {} has no text for a position", played.game.name));
            text += &position.setup_text().ok_or_else(no_text)?;
        }
        output::print(&text);
        return Ok(());
    }
    output::print_json(&Shown {
        game: played.game.to_string(),
        moves: played.all_moves(),
        turn: position.turn().to_string(),
        outcome: position.outcome().map(Ended::from),
        legal: position.moves(),
        setup: position.setup_text(),
        hash: format!("{:016x}", position.hash().0),
        board: Board {
            shape: match view.shape {
                BoardShape::Cells => "cells",
                BoardShape::Crossings | BoardShape::River => "crossings",
                BoardShape::Hexagons => "hexagons",
                BoardShape::Text => "text",
            },
            points: view
                .points
                .iter()
                .map(|point| point.map(|piece| Stone { owner: piece.owner.to_string(), letter: piece.letter }))
                .collect(),
            columns: view.columns,
            rows: view.rows,
            captions: view.captions,
        },
    });
    Ok(())
}
