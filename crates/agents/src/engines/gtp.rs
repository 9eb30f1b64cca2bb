//! GTP: engines for Go, Othello and Hex, and the client behind them.
//!
//! A command is a line; an answer begins with `=` (done) or `?` (refused) and ends with an empty
//! line. Commands are numbered, so that a late answer cannot pass for another one.
//!
//! The engine keeps its own board. [`Gtp`] remembers what is on it: before `genmove` it takes a
//! generated move back that was not played (`undo`) and plays what is missing. Where that does not
//! lead to the game it sets the board up again. Othello's players pass only if they must, and some
//! engines (GRhino) know that and read no `pass`: a forced pass may be refused.
//!
//! Time is told as a time for each move: `time_settings 0 S 1` and `time_left COLOUR S 1`. Engines
//! that know neither think until they are ended. There is no word for nodes.
//!
//! References: Farnebäck, *Specification of the Go Text Protocol, version 2*, 2002; HTP, the same
//! for Hex, as HexGui and Benzene speak it: points as `a1`, `swap-pieces`.

use super::process::{EngineError, Patience, Process};
use super::{Answer, COMMAND, COMMAND_TIMEOUT, Dialogue, Game, GameMove, MOVE_TIMEOUT, Talk};
use crate::AnyPosition;
use std::time::{Duration, Instant};
use tesuji_core::spec::{ArgumentError, Arguments, Describe, Description};
use tesuji_core::{Budget, EngineProtocol, Player, StopFlag};

/// A running GTP engine, spoken to command by command.
pub struct GtpClient {
    process: Process,
    number: u32,
}

impl GtpClient {
    /// Starts a program, given as a command line in the shell's quoting (no shell runs).
    ///
    /// # Errors
    /// If there is no such program.
    pub fn start(command_line: &str) -> Result<GtpClient, EngineError> {
        Ok(GtpClient { process: Process::start(command_line, Gtp::FAREWELL)?, number: 0 })
    }

    /// Whether it can still be asked.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.process.is_running()
    }

    /// Sends a command and waits for its answer, which comes back without the `=`.
    ///
    /// # Errors
    /// If the engine refuses, hangs or has ended.
    pub fn send(&mut self, command: &str) -> Result<String, EngineError> {
        self.send_within(command, COMMAND_TIMEOUT, &StopFlag::new())
    }

    /// The same with a time limit and a stop flag of one's own.
    ///
    /// # Errors
    /// If the engine refuses, hangs or has ended, or the flag is thrown.
    pub fn send_within(&mut self, command: &str, limit: Duration, stop: &StopFlag) -> Result<String, EngineError> {
        let until = Some(Instant::now() + limit.min(MOVE_TIMEOUT));
        let result = exchange(&mut self.process, &mut self.number, command, Patience { until, stop });
        // What it would still say could not be told from an answer to the next command.
        if !matches!(result, Ok(_) | Err(EngineError::Refused { .. })) {
            self.process.end();
        }
        result
    }
}

/// Sends a command with the next number and waits for its answer.
fn exchange(
    process: &mut Process,
    number: &mut u32,
    command: &str,
    patience: Patience<'_>,
) -> Result<String, EngineError> {
    *number += 1;
    let number = number.to_string();
    process.tell(&format!("{number} {command}"));
    let mut answer: Vec<String> = Vec::new();
    process.hear(command, patience, |line| {
        if answer.is_empty() {
            // Noise and late answers to earlier commands are skipped.
            let body = line.strip_prefix(['=', '?']).and_then(|rest| rest.strip_prefix(number.as_str()));
            if body.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit())) {
                answer.push(line.to_string());
            }
        } else if line.is_empty() {
            return Some(());
        } else {
            answer.push(line.to_string());
        }
        None
    })?;
    let refused = answer[0].starts_with('?');
    answer[0] = answer[0][1 + number.len()..].trim_start().to_string();
    if refused { Err(EngineError::refused(command, &answer.join(" "))) } else { Ok(answer.join("\n")) }
}

/// The GTP side of an agent.
pub(crate) struct Gtp {
    number: u32,
    /// The moves on the engine's board; nothing if it does not show this game.
    board: Option<Vec<GameMove>>,
    /// The time limit it was told last.
    told: Option<Duration>,
    /// What it calls itself; nothing before it was asked, empty if it does not say.
    name: Option<String>,
}

impl Describe for Gtp {
    const DESCRIPTION: Description = Description {
        name: "gtp",
        about: "another engine that speaks GTP, for Go, Othello and Hex",
        parameters: &[COMMAND],
    };
}

fn colour(player: Player) -> &'static str {
    match player {
        Player::First => "black",
        Player::Second => "white",
    }
}

impl Gtp {
    fn send(&mut self, talk: &mut Talk<'_>, command: &str, most: Duration) -> Result<String, EngineError> {
        let Patience { until, .. } = talk.patience(most);
        exchange(talk.process, &mut self.number, command, Patience { until, ..talk.patience })
    }

    fn command(&mut self, talk: &mut Talk<'_>, command: &str) -> Result<String, EngineError> {
        self.send(talk, command, COMMAND_TIMEOUT)
    }

    /// Sets the engine's board to the start of a game.
    fn set_up(&mut self, talk: &mut Talk<'_>, start: &dyn AnyPosition) -> Result<(), EngineError> {
        self.command(talk, &format!("boardsize {}", start.view().rows.len()))?;
        if let Some(komi) = start.komi() {
            self.command(talk, &format!("komi {komi}"))?;
        }
        self.command(talk, "clear_board")?;
        let stones = start.stones().unwrap_or_default();
        for (player, stones) in Player::BOTH.into_iter().zip(stones) {
            for stone in stones {
                self.command(talk, &format!("play {} {stone}", colour(player)))?;
            }
        }
        Ok(())
    }

    /// Makes the engine's board that of the game.
    fn catch_up(&mut self, talk: &mut Talk<'_>, game: &Game) -> Result<(), EngineError> {
        let mut board = self.board.take();
        // A generated move that was not played. What a pass is to `undo` is not agreed on.
        if let Some(known) = &mut board
            && !game.moves.starts_with(known)
        {
            let shared = known.len() - 1;
            let undone = game.moves.starts_with(&known[..shared])
                && !known[shared].text.eq_ignore_ascii_case("pass")
                && match self.command(talk, "undo") {
                    Ok(_) => true,
                    Err(EngineError::Refused { .. }) => false,
                    Err(error) => return Err(error),
                };
            known.truncate(shared);
            board = board.filter(|_| undone);
        }
        if board.is_none() {
            self.set_up(talk, game.start.as_ref())?;
        }
        for mv in &game.moves[board.map_or(0, |known| known.len())..] {
            match self.command(talk, &format!("play {} {}", colour(mv.player), mv.text)) {
                Err(EngineError::Refused { .. }) if mv.forced && mv.text.eq_ignore_ascii_case("pass") => {}
                answer => answer.map(drop)?,
            }
        }
        self.board = Some(game.moves.clone());
        Ok(())
    }

    /// Tells the time for each move, if it is another one.
    fn tell_time(&mut self, talk: &mut Talk<'_>, time: Duration, player: Player) -> Result<(), EngineError> {
        let seconds = time.as_secs_f64().ceil();
        let settings = (self.told != Some(time)).then(|| format!("time_settings 0 {seconds} 1"));
        self.told = Some(time);
        for command in settings.into_iter().chain([format!("time_left {} {seconds} 1", colour(player))]) {
            match self.command(talk, &command) {
                Ok(_) | Err(EngineError::Refused { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

impl Dialogue for Gtp {
    const PROTOCOL: EngineProtocol = EngineProtocol::Gtp;
    const FAREWELL: &'static str = "quit";
    const COUNTS_WORK: bool = false;
    const HAS_STOP: bool = false;

    fn new(_: &Arguments) -> Result<Gtp, ArgumentError> {
        Ok(Gtp { number: 0, board: None, told: None, name: None })
    }

    fn objection(&self, start: &dyn AnyPosition) -> Option<String> {
        let can_be_told = start.is_usual_start() || start.stones().is_some();
        (!can_be_told).then(|| "over GTP this game begins from its usual start only".into())
    }

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    fn started(&mut self) {
        (self.board, self.told, self.name) = (None, None, None);
    }

    fn begun(&mut self) {
        self.board = None;
    }

    fn ask(&mut self, talk: &mut Talk<'_>, game: &Game, budget: &Budget) -> Result<Answer, EngineError> {
        if self.name.is_none() {
            self.name = match self.command(talk, "name") {
                Ok(name) => Some(name),
                Err(EngineError::Refused { .. }) => Some(String::new()),
                Err(error) => return Err(error),
            };
        }
        self.catch_up(talk, game)?;
        let player = game.now.turn();
        if let Some(time) = budget.hard_time {
            self.tell_time(talk, time, player)?;
        }
        let asked = format!("genmove {}", colour(player));
        let text = self.send(talk, &asked, MOVE_TIMEOUT)?;
        if text.eq_ignore_ascii_case("resign") {
            // The engine's board has no move for it.
            return Ok(Answer { asked, ..Answer::default() });
        }
        // An illegal move ends the engine, and its board with it.
        if let Ok(mv) = game.now.read_from(Self::PROTOCOL, &text)
            && let Ok(written) = game.now.show_for(Self::PROTOCOL, &mv)
            && let Some(board) = &mut self.board
        {
            board.push(GameMove { player, text: written, forced: game.now.moves().len() == 1 });
        }
        Ok(Answer { text: Some(text), asked, ..Answer::default() })
    }
}
