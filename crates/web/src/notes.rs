//! Records with variations and comments. The server keeps the game alone; a client keeps its notes,
//! each with the document of its position, and hands them over when a record is read or written.

use crate::api::{Comment, NewRecord, NewSession, Notes, RecordRead};
use crate::document;
use crate::kept::{Game, MOST_STEPS};
use crate::refusal::Refusal;
use tesuji_agents::annotated::{self, MostRead};
use tesuji_agents::records::Step;
use tesuji_agents::start_game;

/// What is read of a record, and written of notes.
const MOST: MostRead = MostRead { moves: MOST_STEPS, variations: 100, comments: 400 };

/// Reads a record with everything that it says of its game.
pub(crate) fn read(request: &NewRecord) -> Result<RecordRead, Refusal> {
    let spec = request.game.parse().map_err(|error| Refusal::spec("the game", &error))?;
    let game = start_game(&spec).map_err(|error| Refusal::spec("the game", &error))?;
    let found = annotated::read(game, request.sgf.as_bytes(), MOST)
        .map_err(|error| Refusal::bad_request(format!("the record: {error}")))?;
    let written = |steps: &[Step]| document::write(&found.record.game, found.record.start.as_ref(), steps);
    let line = |number: usize| match number {
        0 => found.record.steps.as_slice(),
        _ => found.variations[number - 1].as_slice(),
    };
    let comment = |comment: &annotated::Comment| Comment {
        document: written(&line(comment.line)[..comment.steps.min(line(comment.line).len())]),
        text: comment.text.clone(),
    };
    Ok(RecordRead {
        document: written(line(0)),
        variations: found.variations.iter().map(|steps| written(steps)).collect(),
        comments: found.comments.iter().map(comment).collect(),
        left_out: found.left_out,
    })
}

/// Writes a record of a game with these notes.
pub(crate) fn write(game: &Game, notes: Notes) -> Result<String, Refusal> {
    let Notes { first, second, variations, comments } = notes;
    let (variations, comments) = (variations.unwrap_or_default(), comments.unwrap_or_default());
    if variations.len() > MOST.variations || comments.len() > MOST.comments {
        let MostRead { variations, comments, .. } = MOST;
        return Err(Refusal::too_large(format!("expected at most {variations} variations and {comments} comments")));
    }
    let steps_of = |text: &str| -> Result<Vec<Step>, Refusal> {
        let other = Game::begin(&NewSession { document: Some(text.into()), ..NewSession::default() })?;
        if other.session.game() != game.session.game() {
            return Err(Refusal::bad_request("a variation or comment belongs to another game than the session"));
        }
        Ok(other.session.history())
    };
    let mut lines = vec![game.session.history()];
    for text in &variations {
        lines.push(steps_of(text)?);
    }
    let mut placed = Vec::with_capacity(comments.len());
    for Comment { document, text } in comments {
        let steps = steps_of(&document)?;
        let line = lines.iter().position(|line| line.starts_with(&steps)).unwrap_or(lines.len());
        placed.push(annotated::Comment { line, steps: steps.len(), text });
        if line == lines.len() {
            lines.push(steps);
        }
    }
    let short = |name: Option<String>| name.map(|name| name.chars().take(80).collect());
    let details = game.details([short(first), short(second)]);
    let (spec, start) = (game.session.game(), game.session.first_position());
    annotated::write(spec, start, &lines, &placed, &details).map_err(Refusal::unsupported)
}
