//! A game as one line of text, for a URL: `go(size=9)~E5.C3.pass`.
//!
//! ```text
//! document = game [ "~" step { "." step } ]
//! step     = move | "=1" | "=2" | "[" points "|" points "|" player "]"
//! points   = [ point { "," point } ]                player = "1" | "2"
//! ```
//!
//! `=2` makes it the second player's turn, in games where a player may move out of turn. Brackets
//! set stones up: the first player's, the second player's, and who is to move. A text that was
//! written reads back as the same game.

use crate::refusal::Refusal;
use tesuji_agents::records::{self, Step};
use tesuji_agents::{AnyPosition, Session, short_game};
use tesuji_core::Player;
use tesuji_core::spec::Spec;

/// The longest document.
const MOST_BYTES: usize = 1 << 16;

fn number(player: Player) -> usize {
    player.index() + 1
}

fn player(text: &str) -> Option<Player> {
    match text {
        "1" => Some(Player::First),
        "2" => Some(Player::Second),
        _ => None,
    }
}

/// Writes the game of this canonical name that begins here, with these steps.
pub(crate) fn write(game: &Spec, first: &dyn AnyPosition, steps: &[Step]) -> String {
    let mut at = first.boxed_clone();
    let mut texts: Vec<String> = Vec::with_capacity(steps.len());
    for step in steps {
        match step {
            Step::Move(player, mv) => {
                if let Ok(Some(turned)) = records::turned(at.as_ref(), *player) {
                    texts.push(format!("={}", number(*player)));
                    at = turned;
                }
                texts.push(mv.clone());
                // Steps of a session are legal.
                let _ = at.play(mv);
            }
            Step::Set(set) => {
                let turn = number(set.turn());
                texts.push(match set.stones() {
                    Some([one, two]) if !records::same_board(at.as_ref(), set.as_ref()) => {
                        format!("[{}|{}|{turn}]", one.join(","), two.join(","))
                    }
                    _ => format!("={turn}"),
                });
                at = set.boxed_clone();
            }
        }
    }
    let steps = if texts.is_empty() { String::new() } else { format!("~{}", texts.join(".")) };
    format!("{}{steps}", short_game(game))
}

/// The name of the game, and the steps as they are written.
pub(crate) fn split(document: &str) -> Result<(Spec, Vec<&str>), Refusal> {
    if document.len() > MOST_BYTES {
        return Err(Refusal::too_large(format!("the document has more than {MOST_BYTES} bytes")));
    }
    // Quoted text of a spec may contain any sign; steps contain no quotes.
    let end = document.rfind(['"', ')']).map_or(0, |quote| quote + 1);
    let cut = document[end..].find('~').map(|place| end + place);
    let (game, steps) = cut.map_or((document, ""), |cut| (&document[..cut], &document[cut + 1..]));
    let game = game.parse().map_err(|error| Refusal::spec("the game", &error))?;
    Ok((game, steps.split('.').filter(|step| !step.is_empty()).collect()))
}

/// Carries out the steps of a document.
pub(crate) fn play(session: &mut Session, steps: &[&str]) -> Result<(), Refusal> {
    for (place, step) in steps.iter().enumerate() {
        let here =
            |refusal: Refusal| Refusal { message: format!("step {}: {}", place + 1, refusal.message), ..refusal };
        take(session, step).map_err(here)?;
    }
    Ok(())
}

fn take(session: &mut Session, step: &str) -> Result<(), Refusal> {
    if let Some(turn) = step.strip_prefix('=') {
        let turn = player(turn).ok_or_else(|| Refusal::bad_request("expected =1 or =2"))?;
        return Ok(session.turn_to(turn)?);
    }
    let Some(stones) = step.strip_prefix('[').and_then(|step| step.strip_suffix(']')) else {
        session.play(step)?;
        return Ok(());
    };
    let parts: Vec<&str> = stones.split('|').collect();
    let [first, second, turn] = parts[..] else {
        return Err(Refusal::bad_request("expected [points|points|player], like [C3,D4|E5|2]"));
    };
    let turn = player(turn).ok_or_else(|| Refusal::bad_request("expected the player 1 or 2"))?;
    let of = |owner: Player, points: &str| {
        let names = points.split(',').filter(|name| !name.is_empty());
        names.map(|name| (owner, name.to_string())).collect::<Vec<_>>()
    };
    let stones = [of(Player::First, first), of(Player::Second, second)].concat();
    set_up(session, &stones, turn)
}

/// Puts these stones on the board, and nothing else.
pub(crate) fn set_up(session: &mut Session, stones: &[(Player, String)], turn: Player) -> Result<(), Refusal> {
    let position = session.position().with_stones(stones, turn).map_err(Refusal::unsupported)?;
    Ok(session.set(position)?)
}
