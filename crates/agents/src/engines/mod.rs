//! Other people's engines as agents.
//!
//! | agent | file | games | what it is told of limits |
//! |---|---|---|---|
//! | `gtp(cmd)` | `gtp.rs` | Go, Othello, Hex | time |
//! | `uci(cmd,variant,options)` | `uci.rs` | Chinese chess, Gomoku, tic-tac-toe, m,n,k | time, nodes, depth, memory, threads |
//! | `ucci(cmd,options)` | `ucci.rs` | Chinese chess | the same |
//! | `gomocup(cmd)` | `gomocup.rs` | Gomoku | time, memory |
//! | `nboard(cmd,depth)` | `nboard.rs` | Othello on 8×8 | depth |
//!
//! `process.rs` is the program and its lines, without any protocol. An [`EngineAgent`] keeps the
//! game as this program knows it (the start and every move, translated by the game's own
//! [`Notation`](tesuji_core::Notation)) and asks its [`Dialogue`] for a move; the dialogue says
//! what the engine has to know for that. This program is the referee: a move that the rules refuse,
//! silence, a flood or a dead engine end the engine and make the game void, never lost, with the
//! last lines in the message and in [`transcript`](AnyAgent::transcript).
//!
//! **Limits.** Nothing is said to an engine before it is asked for a move. So all its work, its
//! start included, lies within the budget of a move: its time and [`GRACE`], and the stop flag.
//! Without a time limit a move may take an hour and any other answer 30 seconds. A limit of
//! iterations or nodes that a protocol has no words for is refused, unless there is one of time.
//!
//! An engine that failed does not go on with this game; the next game starts it again. One that was
//! ended by the stop flag is started again for the next move.

mod gomocup;
mod gtp;
mod nboard;
mod process;
mod ucci;
mod uci;

pub(crate) use gomocup::Gomocup;
pub(crate) use gtp::Gtp;
pub use gtp::GtpClient;
pub(crate) use nboard::NBoard;
pub use process::EngineError;
pub(crate) use ucci::Ucci;
pub(crate) use uci::Uci;

use crate::{AnyAgent, AnyPosition};
use process::{Patience, Process, Transcript};
use std::time::{Duration, Instant};
use tesuji_core::spec::{ArgumentError, Arguments, Describe, Kind, Parameter, Spec};
use tesuji_core::{Budget, EngineProtocol, Observer, Player, Report, Seed, StopFlag, StopReason, Value};
use tesuji_search::SearchError;

/// The time an engine may take beyond that of the budget, for its start, what it is told and the
/// move: many need a second to start.
const GRACE: Duration = Duration::from_secs(3);
/// How long an engine may take for anything but a move.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(30);
/// How long it may take for a move when the budget sets no time.
const MOVE_TIMEOUT: Duration = Duration::from_secs(3600);

/// Characters of the name of an engine.
const LONGEST_NAME: usize = 30;

/// The parameter that all of them have.
const COMMAND: Parameter =
    Parameter { name: "cmd", about: "the command that starts it", kind: Kind::Program, default: None };

/// One side of a protocol: what an engine is told, and how its answers are read.
pub(crate) trait Dialogue: Describe + Send + Sized + 'static {
    /// Which protocol.
    const PROTOCOL: EngineProtocol;
    /// What ends an engine.
    const FAREWELL: &'static str;
    /// Whether it tells limits of iterations and nodes.
    const COUNTS_WORK: bool;
    /// Whether it has a word that makes an engine move at once.
    const HAS_STOP: bool;

    /// Reads the arguments beside the command.
    fn new(arguments: &Arguments) -> Result<Self, ArgumentError>;

    /// Why a game that begins here cannot be told, though the protocol plays the game.
    fn objection(&self, start: &dyn AnyPosition) -> Option<String>;

    /// What the engine calls itself, once it has said so.
    fn name(&self) -> Option<&str> {
        None
    }

    /// The program was started: it has been told nothing yet.
    fn started(&mut self);

    /// Another game begins.
    fn begun(&mut self);

    /// Tells the engine what it does not know yet of the game and asks for a move.
    fn ask(&mut self, talk: &mut Talk<'_>, game: &Game, budget: &Budget) -> Result<Answer, EngineError>;
}

/// A game as an engine has to know it.
pub(crate) struct Game {
    start: Box<dyn AnyPosition>,
    now: Box<dyn AnyPosition>,
    moves: Vec<GameMove>,
}

/// A move of it.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct GameMove {
    player: Player,
    /// As the protocol writes it.
    text: String,
    /// Whether there was no other, as for a player who must pass.
    forced: bool,
}

impl Game {
    fn new(start: &dyn AnyPosition) -> Game {
        Game { start: start.boxed_clone(), now: start.boxed_clone(), moves: Vec::new() }
    }

    /// Plays a move.
    fn play(&mut self, protocol: EngineProtocol, mv: &str) -> Result<(), SearchError> {
        let failed = |error: tesuji_core::MoveError| SearchError::Failed(error.to_string());
        let text = self.now.show_for(protocol, mv).map_err(failed)?;
        let (player, forced) = (self.now.turn(), self.now.moves().len() == 1);
        self.now.play(mv).map_err(failed)?;
        self.moves.push(GameMove { player, text, forced });
        Ok(())
    }
}

/// What an engine answered.
#[derive(Default)]
pub(crate) struct Answer {
    /// The move, as the protocol writes it; nothing if the engine resigns.
    text: Option<String>,
    /// What it was asked last, for messages.
    asked: String,
    /// The value for the side to move, in [0, 1], where the engine says.
    value: Option<f64>,
    nodes: u64,
    depth: u32,
    /// The expected course of the game, as the protocol writes it.
    line: Vec<String>,
}

/// Whether an agent moves soon after its stop flag was thrown. Engines outside do where their
/// protocol has a word for it; the others are ended by the flag, without a move.
#[must_use]
pub fn can_be_hurried(agent: &Spec) -> bool {
    fn is_deaf<D: Dialogue>(agent: &Spec) -> bool {
        D::DESCRIPTION.name == agent.name && !D::HAS_STOP
    }
    let deaf = [is_deaf::<Gtp>, is_deaf::<Uci>, is_deaf::<Ucci>, is_deaf::<Gomocup>, is_deaf::<NBoard>];
    !deaf.iter().any(|is_deaf| is_deaf(agent))
}

/// A conversation with a running engine, within the limits of one move.
pub(crate) struct Talk<'a> {
    process: &'a mut Process,
    patience: Patience<'a>,
}

impl Talk<'_> {
    fn tell(&mut self, line: &str) {
        self.process.tell(line);
    }

    /// The patience for one answer that may take this long.
    fn patience(&self, most: Duration) -> Patience<'_> {
        let most = Instant::now() + most;
        Patience { until: Some(self.patience.until.map_or(most, |until| until.min(most))), ..self.patience }
    }

    /// Hands on lines until they make an answer, for at most this long.
    fn hear<T>(
        &mut self,
        asked: &str,
        most: Duration,
        listen: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, EngineError> {
        let Patience { until, .. } = self.patience(most);
        self.process.hear(asked, Patience { until, ..self.patience }, listen)
    }

    /// Hands on lines until they make an answer to what comes before a search. The stop flag does
    /// not end the engine here: it has a moment to answer, and is stopped when it searches.
    fn hear_first<T>(&mut self, asked: &str, mut listen: impl FnMut(&str) -> Option<T>) -> Result<T, EngineError> {
        match self.hear(asked, COMMAND_TIMEOUT, &mut listen) {
            Err(EngineError::Stopped { .. }) => self.hear_out(asked, listen),
            heard => heard,
        }
    }

    /// The same after the stop flag was thrown, for an engine that answers when it is told to stop.
    fn hear_out<T>(&mut self, asked: &str, listen: impl FnMut(&str) -> Option<T>) -> Result<T, EngineError> {
        let until = Some(Instant::now() + GRACE);
        self.process.hear(asked, Patience { until, stop: &StopFlag::new() }, listen)
    }
}

/// An engine as an agent.
pub(crate) struct EngineAgent<D> {
    command: String,
    dialogue: D,
    process: Option<Process>,
    /// What was said last, also by a program that has ended.
    transcript: Transcript,
    game: Option<Game>,
    /// Why it cannot go on with this game.
    broken: Option<String>,
}

impl<D: Dialogue> EngineAgent<D> {
    /// Starts the engine of these arguments for a game.
    pub(crate) fn start(arguments: &Arguments, position: &dyn AnyPosition) -> Result<EngineAgent<D>, ArgumentError> {
        let Some(command) = arguments.program("cmd")? else {
            return Err(ArgumentError::together("needs cmd=\"…\", the command that starts the engine"));
        };
        let dialogue = D::new(arguments)?;
        check_game::<D>(position).map_err(ArgumentError::together)?;
        let mut agent = EngineAgent {
            command: command.to_string(),
            dialogue,
            process: None,
            transcript: Transcript::default(),
            game: None,
            broken: None,
        };
        agent.launch().map_err(|error| ArgumentError::of("cmd", error))?;
        Ok(agent)
    }

    fn launch(&mut self) -> Result<(), EngineError> {
        let process = Process::start(&self.command, D::FAREWELL)?;
        self.transcript = process.transcript().clone();
        self.process = Some(process);
        self.dialogue.started();
        Ok(())
    }

    /// Ends the engine and says why it failed. After the stop flag it may go on with this game.
    fn fail(&mut self, error: EngineError) -> SearchError {
        // Its last words come before the message.
        self.process = None;
        let why = format!("{error}{}", self.transcript.quoted());
        if let EngineError::Unsupported(why) = error {
            return SearchError::Unsupported(why);
        }
        if !matches!(error, EngineError::Stopped { .. }) {
            self.broken = Some(why.clone());
        }
        SearchError::Failed(why)
    }
}

/// Whether engines of the protocol play the game.
fn check_game<D: Dialogue>(position: &dyn AnyPosition) -> Result<(), String> {
    if !position.conventions().engines.contains(&D::PROTOCOL) {
        let played = crate::games().iter().filter(|game| game.conventions.engines.contains(&D::PROTOCOL));
        let names: Vec<&str> = played.map(|game| game.description.name).collect();
        return Err(format!("engines play {} over {}, not this game", names.join(", "), D::PROTOCOL.name()));
    }
    Ok(())
}

impl<D: Dialogue> AnyAgent for EngineAgent<D> {
    fn begin(&mut self, start: &dyn AnyPosition, moves: &[String]) -> Result<(), SearchError> {
        check_game::<D>(start).map_err(SearchError::Unsupported)?;
        if let Some(objection) = self.dialogue.objection(start) {
            return Err(SearchError::Unsupported(objection));
        }
        self.broken = None;
        self.dialogue.begun();
        let game = self.game.insert(Game::new(start));
        moves.iter().try_for_each(|mv| game.play(D::PROTOCOL, mv))
    }

    fn follow(&mut self, _: Player, mv: &str) -> Result<(), SearchError> {
        self.game.as_mut().map_or(Ok(()), |game| game.play(D::PROTOCOL, mv))
    }

    fn think(
        &mut self,
        position: &dyn AnyPosition,
        budget: &Budget,
        _: Seed,
        _: &mut dyn Observer<String>,
    ) -> Result<Report<String>, SearchError> {
        if position.outcome().is_some() {
            return Err(SearchError::Ended);
        }
        let untold = !D::COUNTS_WORK && (budget.iterations.is_some() || budget.nodes.is_some());
        // Beside a limit of time they are those of another agent, or of a demonstration.
        if untold && budget.hard_time.is_none() {
            let why = format!(
                "{} has no words for a limit of iterations or nodes; give a limit of time, or none",
                D::PROTOCOL.name()
            );
            return Err(SearchError::Unsupported(why));
        }
        // A position that was not followed is one that was set up.
        if self.game.as_ref().is_none_or(|game| !game.now.equals(position)) {
            self.begin(position, &[])?;
        }
        if let Some(why) = &self.broken {
            return Err(SearchError::Failed(why.clone()));
        }
        let started = Instant::now();
        if !self.process.as_ref().is_some_and(Process::is_running)
            && let Err(error) = self.launch()
        {
            return Err(self.fail(error));
        }
        let until = budget.hard_time.and_then(|time| started.checked_add(time.saturating_add(GRACE)));
        let (Some(process), Some(game)) = (&mut self.process, &self.game) else {
            return Err(SearchError::Failed("the engine is not running".into()));
        };
        let mut talk = Talk { process, patience: Patience { until, stop: &budget.stop } };
        let answer = match self.dialogue.ask(&mut talk, game, budget) {
            Ok(answer) => answer,
            Err(error) => return Err(self.fail(error)),
        };
        let stopped = if budget.stop.is_stopped() { StopReason::Asked } else { StopReason::OwnLimit("engine") };
        let mut report = Report { stopped, ..Report::empty(position.turn()) };
        report.elapsed = started.elapsed();
        report.nodes = answer.nodes;
        report.depth = answer.depth;
        if let Some(value) = answer.value {
            report.value = Value::new(if position.turn() == Player::First { value } else { 1.0 - value });
        }
        let Some(text) = answer.text else {
            report.resigns = true;
            return Ok(report);
        };
        // The engine's spelling becomes ours.
        match position.read_from(D::PROTOCOL, &text) {
            Err(error) => Err(self.fail(EngineError::Illegal { asked: answer.asked, reason: error.to_string() })),
            Ok(best) => {
                report.line = line(position, &best, &answer.line, D::PROTOCOL);
                report.best = Some(best);
                Ok(report)
            }
        }
    }

    fn own_name(&self) -> Option<String> {
        let said = self.dialogue.name().map(str::to_string).filter(|name| !name.trim().is_empty());
        let name = said.or_else(|| process::program_name(&self.command))?;
        Some(process::plain(name.trim(), LONGEST_NAME))
    }

    fn transcript(&self) -> Vec<String> {
        self.transcript.lines()
    }
}

/// The best move and what the engine expects after it, as far as that is legal.
fn line(position: &dyn AnyPosition, best: &str, expected: &[String], protocol: EngineProtocol) -> Vec<String> {
    let mut at = position.boxed_clone();
    let mut line = Vec::new();
    for text in expected {
        let Some(mv) = at.read_from(protocol, text).ok().filter(|mv| !line.is_empty() || mv == best) else { break };
        if at.play(&mv).is_err() {
            break;
        }
        line.push(mv);
    }
    if line.is_empty() {
        line.push(best.into());
    }
    line
}
