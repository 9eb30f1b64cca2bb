//! Gomocup's protocol: engines ("brains") for Gomoku and renju.
//!
//! `START size` begins a game and is answered `OK`. The engine is then told its limits by `INFO`,
//! which has no answer, and is asked by `BEGIN` (an empty board), `TURN x,y` (its board and one
//! move of the opponent) or `BOARD … DONE` (anything else); it answers `x,y` and has played that
//! move on its own board. `MESSAGE`, `DEBUG` and `SUGGEST` are skipped, `ERROR` and `UNKNOWN` are
//! refusals.
//!
//! Time is told as `timeout_turn` in milliseconds, with no limit for the match; memory as
//! `max_memory` in bytes. There is no word for nodes.
//!
//! Reference: P. Laštovička, *Piskvork: protocol between the manager and an AI*.

use super::process::EngineError;
use super::{Answer, COMMAND, COMMAND_TIMEOUT, Dialogue, Game, MOVE_TIMEOUT, Talk};
use crate::AnyPosition;
use tesuji_core::spec::{ArgumentError, Arguments, Describe, Description};
use tesuji_core::{Budget, EngineProtocol, Player};

/// What managers say where there is no limit of time.
const NO_LIMIT: u64 = i32::MAX as u64;

/// The Gomocup side of an agent.
pub(crate) struct Gomocup {
    /// The points on the engine's board, in order; nothing if it does not show this game.
    board: Option<Vec<String>>,
    /// What `INFO` said last.
    told: Vec<String>,
}

impl Describe for Gomocup {
    const DESCRIPTION: Description = Description {
        name: "gomocup",
        about: "another engine that speaks Gomocup's protocol, for Gomoku",
        parameters: &[COMMAND],
    };
}

/// The answer that a line is, if it is one.
fn answer(asked: &str, line: &str) -> Option<Result<String, EngineError>> {
    let line = line.trim();
    let word = line.split_whitespace().next()?.to_ascii_uppercase();
    match word.as_str() {
        "MESSAGE" | "DEBUG" | "SUGGEST" => None,
        "ERROR" | "UNKNOWN" => Some(Err(EngineError::refused(asked, line))),
        _ => Some(Ok(line.to_string())),
    }
}

/// The stones of the game with their players, as the protocol writes points: those of the start,
/// one of each player in turn, and the moves.
fn stones(game: &Game) -> Vec<(Player, String)> {
    let view = game.start.view();
    let width = view.columns.len().max(1);
    let of = |player: Player| {
        let points =
            view.points.iter().enumerate().filter(move |(_, piece)| piece.is_some_and(|it| it.owner == player));
        points.map(move |(at, _)| (player, format!("{},{}", at % width, at / width)))
    };
    let (mut first, mut second) = (of(Player::First), of(Player::Second));
    let mut stones = Vec::new();
    loop {
        let pair = [first.next(), second.next()];
        if pair == [None, None] {
            break;
        }
        stones.extend(pair.into_iter().flatten());
    }
    stones.extend(game.moves.iter().map(|mv| (mv.player, mv.text.clone())));
    stones
}

impl Gomocup {
    /// Tells what is known of the game and its limits.
    fn inform(&mut self, talk: &mut Talk<'_>, game: &Game, budget: &Budget) {
        let time = budget.hard_time.map_or(NO_LIMIT, |time| u64::try_from(time.as_millis()).unwrap_or(NO_LIMIT));
        let rule = game.start.gomocup_rule().unwrap_or_default();
        let now = [
            format!("INFO timeout_turn {}", time.min(NO_LIMIT)),
            "INFO timeout_match 0".to_string(),
            format!("INFO time_left {NO_LIMIT}"),
            format!("INFO max_memory {}", budget.memory_bytes()),
            "INFO game_type 1".to_string(),
            format!("INFO rule {rule}"),
        ];
        for line in now.iter().filter(|line| !self.told.contains(line)) {
            talk.tell(line);
        }
        self.told = now.to_vec();
    }
}

impl Dialogue for Gomocup {
    const PROTOCOL: EngineProtocol = EngineProtocol::Gomocup;
    const FAREWELL: &'static str = "END";
    const COUNTS_WORK: bool = false;
    const HAS_STOP: bool = false;

    fn new(_: &Arguments) -> Result<Gomocup, ArgumentError> {
        Ok(Gomocup { board: None, told: Vec::new() })
    }

    /// Every position can be told.
    fn objection(&self, _: &dyn AnyPosition) -> Option<String> {
        None
    }

    fn started(&mut self) {
        self.board = None;
    }

    fn begun(&mut self) {
        self.board = None;
    }

    fn ask(&mut self, talk: &mut Talk<'_>, game: &Game, budget: &Budget) -> Result<Answer, EngineError> {
        let board = self.board.take();
        if board.is_none() {
            self.told.clear();
            let start = format!("START {}", game.start.view().rows.len());
            talk.tell(&start);
            talk.hear(&start, COMMAND_TIMEOUT, |line| {
                answer(&start, line).map(|answer| match answer {
                    Ok(text) if !text.to_ascii_uppercase().starts_with("OK") => {
                        Err(EngineError::refused(&start, &text))
                    }
                    other => other,
                })
            })??;
        }
        self.inform(talk, game, budget);
        let stones = stones(game);
        let points: Vec<String> = stones.iter().map(|(_, point)| point.clone()).collect();
        let player = game.now.turn();
        let asked = match (&board, points.split_last()) {
            (_, None) => "BEGIN".to_string(),
            (Some(known), Some((last, before))) if known == before => format!("TURN {last}"),
            _ => "BOARD".to_string(),
        };
        talk.tell(&asked);
        if asked == "BOARD" {
            for (owner, point) in &stones {
                talk.tell(&format!("{point},{}", if *owner == player { 1 } else { 2 }));
            }
            talk.tell("DONE");
        }
        let text = talk.hear(&asked, MOVE_TIMEOUT, |line| answer(&asked, line))??;
        let mut board = points;
        // The engine may write blanks; an illegal move ends it, and its board with it.
        board.push(text.split(',').map(str::trim).collect::<Vec<_>>().join(","));
        self.board = Some(board);
        Ok(Answer { text: Some(text), asked, ..Answer::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::answer;

    #[test]
    fn remarks_are_no_answers() {
        for remark in ["", "MESSAGE thinking", "debug 7,7", "SUGGEST 7,7"] {
            assert!(answer("BEGIN", remark).is_none(), "{remark}");
        }
        assert_eq!(answer("BEGIN", " 7,7 "), Some(Ok("7,7".into())));
        for refusal in ["ERROR no", "UNKNOWN command", "unknown"] {
            assert!(answer("BEGIN", refusal).is_some_and(|answer| answer.is_err()), "{refusal}");
        }
    }
}
