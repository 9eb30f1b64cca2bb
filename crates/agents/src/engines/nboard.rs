//! NBoard's protocol: engines for Othello on 8×8.
//!
//! The engine is told the whole game before each move, as one line of GGF, the format of the
//! Generic Game Server (`set game …`), and asked by `go`; it answers `=== F5/eval/time` and plays
//! nothing. Lines of any other kind are remarks. A `ping` before the first game waits until the
//! engine has started.
//!
//! The protocol has a depth (`set depth`) and no words for time or nodes. So the depth is a
//! parameter of the agent, lowered by that of the budget, and a time limit is kept from outside: a
//! move that is later than the time and the grace makes the game void.
//!
//! Reference: C. Welty, *NBoard: the protocol between NBoard and engines*, version 2.

use super::process::EngineError;
use super::{Answer, COMMAND, COMMAND_TIMEOUT, Dialogue, Game, MOVE_TIMEOUT, Talk};
use crate::AnyPosition;
use std::fmt::Write as _;
use tesuji_core::spec::{ArgumentError, Arguments, Describe, Description, Kind, Parameter};
use tesuji_core::{Budget, EngineProtocol, Player};

/// Squares of the board.
const SQUARES: usize = 64;

/// The NBoard side of an agent.
pub(crate) struct NBoard {
    depth: u32,
    greeted: bool,
    /// The depth it was told last.
    told: Option<u32>,
}

impl Describe for NBoard {
    const DESCRIPTION: Description = Description {
        name: "nboard",
        about: "another engine that speaks NBoard's protocol, for Othello on 8×8",
        parameters: &[
            COMMAND,
            Parameter {
                name: "depth",
                about: "the depth it is told to search, in plies; the protocol has no other limit",
                kind: Kind::Integer(1, 60),
                default: Some("8"),
            },
        ],
    };
}

/// The game in GGF.
fn ggf(game: &Game) -> String {
    let setup = game.start.setup_text().unwrap_or_default();
    let squares: String = setup.chars().map(|c| if c == 'X' { '*' } else { c }).collect();
    let (squares, turn) = squares.split_once(' ').unwrap_or((squares.as_str(), "*"));
    let squares: Vec<char> = squares.chars().map(|c| if c == '.' { '-' } else { c }).collect();
    let rows: Vec<String> = squares.chunks(8).map(|row| row.iter().collect()).collect();
    let mut text = format!("(;GM[Othello]PC[tesuji]PB[Black]PW[White]RE[?]TI[0]TY[8]BO[8 {} {turn}]", rows.join(" "));
    for mv in &game.moves {
        let _ = write!(text, "{}[{}]", if mv.player == Player::First { "B" } else { "W" }, mv.text);
    }
    text + ";)"
}

impl Dialogue for NBoard {
    const PROTOCOL: EngineProtocol = EngineProtocol::NBoard;
    const FAREWELL: &'static str = "quit";
    const COUNTS_WORK: bool = false;
    const HAS_STOP: bool = false;

    fn new(arguments: &Arguments) -> Result<NBoard, ArgumentError> {
        let depth = u32::try_from(arguments.integer("depth")).unwrap_or(1);
        Ok(NBoard { depth, greeted: false, told: None })
    }

    fn objection(&self, start: &dyn AnyPosition) -> Option<String> {
        let fits = start.view().points.len() == SQUARES && start.setup_text().is_some();
        (!fits).then(|| "NBoard's protocol has boards of 8×8 only".into())
    }

    fn started(&mut self) {
        (self.greeted, self.told) = (false, None);
    }

    fn begun(&mut self) {}

    fn ask(&mut self, talk: &mut Talk<'_>, game: &Game, budget: &Budget) -> Result<Answer, EngineError> {
        if !self.greeted {
            talk.tell("nboard 2");
            talk.tell("ping 1");
            talk.hear("ping 1", COMMAND_TIMEOUT, |line| (line.trim() == "pong 1").then_some(()))?;
            self.greeted = true;
        }
        let depth = budget.depth.map_or(self.depth, |depth| depth.min(self.depth));
        if self.told.replace(depth) != Some(depth) {
            talk.tell(&format!("set depth {depth}"));
        }
        talk.tell(&format!("set game {}", ggf(game)));
        talk.tell("go");
        let text = talk.hear("go", MOVE_TIMEOUT, |line| {
            let answer = line.trim().strip_prefix("===")?;
            Some(answer.trim().split(['/', ' ']).next().unwrap_or_default().to_string())
        })?;
        Ok(Answer { text: Some(text), asked: "go".into(), depth, ..Answer::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::super::Game;
    use super::ggf;
    use tesuji_core::EngineProtocol;

    #[test]
    fn a_game_in_ggf() {
        let start = crate::start_game(&"othello".parse().expect("a spec")).expect("a game").position;
        let mut game = Game::new(start.as_ref());
        for mv in ["f5", "d6"] {
            game.play(EngineProtocol::NBoard, mv).expect("a move");
        }
        let board = "-------- -------- -------- ---O*--- ---*O--- -------- -------- --------";
        let expected = format!("(;GM[Othello]PC[tesuji]PB[Black]PW[White]RE[?]TI[0]TY[8]BO[8 {board} *]B[F5]W[D6];)");
        assert_eq!(ggf(&game), expected);
    }
}
