//! `gtp(cmd="…")`: any engine that speaks GTP as an agent, and the client behind it.
//!
//! Reference: Farnebäck, *Specification of the Go Text Protocol, version 2*, 2002. A command is a
//! line; an answer begins with `=` (done) or `?` (refused) and ends with an empty line.
//!
//! The engine keeps its own board. [`GtpAgent`] tells it how the game began and every move played
//! since, asks for moves with `genmove`, and takes a generated move back when another one is
//! played. Commands are numbered and answers awaited with a time limit, a limit of bytes and the
//! stop flag: an engine that hangs, dies or floods makes a clear error and never blocks this
//! program. It is then ended, and restarted for the next game.
//!
//! **Limits.** Commands are queued until the engine is asked for a move. So all its work, its start
//! included, lies within the budget of a move: its time and [`GRACE`], and the stop flag. Without a
//! time limit a move may take an hour and any other command 30 seconds.

use crate::{AnyAgent, AnyPosition};
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};
use tesuji_core::spec::{ArgumentError, Arguments, Describe, Description, Kind, Parameter};
use tesuji_core::{Budget, Observer, Player, Report, Seed, StopFlag, StopReason};
use tesuji_search::SearchError;

/// The time an engine may take beyond that of the budget, for its start, the queued commands and
/// the move: many need a second to start.
pub const GRACE: Duration = Duration::from_secs(3);
/// How long an engine may take for anything but a move.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(30);
/// How long it may take for a move when the budget sets no time.
const MOVE_TIMEOUT: Duration = Duration::from_secs(3600);
/// How often a wait looks at the stop flag.
const GLANCE: Duration = Duration::from_millis(20);
/// Longer lines of an engine are cut.
const LONGEST_LINE: u64 = 1 << 16;
/// An engine that says more than this in one answer, or before it, is ended.
const MOST_BYTES: usize = 16 << 20;
/// Lines read ahead of us; an engine that talks faster has to wait.
const LINES_AHEAD: usize = 256;

/// Why an engine did not do what it was asked. After anything but a refusal it is ended.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GtpError {
    /// The program could not be started.
    #[error("cannot start {program}: {reason}")]
    Start {
        /// What was to be run.
        program: String,
        /// What the system said.
        reason: String,
    },
    /// The program has ended or closed its pipes.
    #[error("the engine ended while it was asked \"{command}\"")]
    Gone {
        /// What it was asked.
        command: String,
    },
    /// No answer in time.
    #[error("the engine did not answer \"{command}\" within {seconds} s")]
    Slow {
        /// What it was asked.
        command: String,
        /// How long it was given.
        seconds: u64,
    },
    /// Megabytes of text instead of an answer.
    #[error("the engine did not answer \"{command}\" but printed more than {MOST_BYTES} bytes")]
    Flood {
        /// What it was asked.
        command: String,
    },
    /// The stop flag was thrown.
    #[error("stopped while the engine was asked \"{command}\"")]
    Stopped {
        /// What it was asked.
        command: String,
    },
    /// The engine answered `?`.
    #[error("the engine refused \"{command}\": {answer}")]
    Refused {
        /// What it was asked.
        command: String,
        /// Its answer, on one line.
        answer: String,
    },
}

/// A running GTP engine.
pub struct GtpClient {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// Every command is numbered, so that a late answer cannot pass for another one.
    number: u32,
}

impl GtpClient {
    /// Starts a program, given as a command line in the shell's quoting (no shell runs).
    ///
    /// # Errors
    /// If there is no such program.
    pub fn start(command_line: &str) -> Result<GtpClient, GtpError> {
        let failed = |reason: String| GtpError::Start { program: command_line.chars().take(80).collect(), reason };
        let words = shell_words::split(command_line).map_err(|error| failed(error.to_string()))?;
        let (program, arguments) = words.split_first().ok_or_else(|| failed("the command is empty".into()))?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // Ctrl-C at a terminal is for us; we end the engine ourselves.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| failed(error.to_string()))?;
        let input = child.stdin.take();
        let output = child.stdout.take().expect("the output is piped");
        let (sender, lines) = sync_channel(LINES_AHEAD);
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            loop {
                let mut line = Vec::new();
                match output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
                    Ok(count) if count > 0 => {}
                    _ => return,
                }
                let text = String::from_utf8_lossy(&line).trim_end().to_string();
                if sender.send(text).is_err() {
                    return;
                }
            }
        });
        Ok(GtpClient { child, input, lines, number: 0 })
    }

    /// Whether it can still be asked.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.input.is_some()
    }

    /// Sends a command and waits for its answer, which comes back without the `=`.
    ///
    /// # Errors
    /// If the engine refuses, hangs or has ended.
    pub fn send(&mut self, command: &str) -> Result<String, GtpError> {
        self.send_within(command, COMMAND_TIMEOUT, &StopFlag::new())
    }

    /// The same with a time limit and a stop flag of one's own.
    ///
    /// # Errors
    /// If the engine refuses, hangs or has ended, or the flag is thrown.
    pub fn send_within(&mut self, command: &str, limit: Duration, stop: &StopFlag) -> Result<String, GtpError> {
        let result = self.exchange(command, limit, stop);
        // What it would still say could not be told from an answer to the next command.
        if !matches!(result, Ok(_) | Err(GtpError::Refused { .. })) {
            self.end();
        }
        result
    }

    fn exchange(&mut self, command: &str, limit: Duration, stop: &StopFlag) -> Result<String, GtpError> {
        let command_text = || command.to_string();
        self.number += 1;
        let number = self.number.to_string();
        let input = self.input.as_mut().ok_or_else(|| GtpError::Gone { command: command_text() })?;
        let written = writeln!(input, "{number} {command}").and_then(|()| input.flush());
        written.map_err(|_| GtpError::Gone { command: command_text() })?;
        let deadline = Instant::now() + limit.min(MOVE_TIMEOUT);
        let mut answer: Vec<String> = Vec::new();
        let mut bytes = 0;
        loop {
            // Asked at every line: an engine may also babble slowly.
            if stop.is_stopped() {
                return Err(GtpError::Stopped { command: command_text() });
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let seconds = limit.as_secs_f64().ceil() as u64;
                return Err(GtpError::Slow { command: command_text(), seconds });
            }
            let line = match self.lines.recv_timeout(left.min(GLANCE)) {
                Ok(line) => line,
                Err(RecvTimeoutError::Disconnected) => return Err(GtpError::Gone { command: command_text() }),
                Err(RecvTimeoutError::Timeout) => continue,
            };
            bytes += line.len() + 1;
            if bytes > MOST_BYTES {
                return Err(GtpError::Flood { command: command_text() });
            }
            if answer.is_empty() {
                // Noise and late answers to earlier commands are skipped.
                let body = line.strip_prefix(['=', '?']).and_then(|rest| rest.strip_prefix(number.as_str()));
                if body.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit())) {
                    answer.push(line);
                }
            } else if line.is_empty() {
                break;
            } else {
                answer.push(line);
            }
        }
        let refused = answer[0].starts_with('?');
        answer[0] = answer[0][1 + number.len()..].trim_start().to_string();
        if refused {
            let answer = answer.join(" ").chars().filter(|letter| !letter.is_control()).take(200).collect();
            return Err(GtpError::Refused { command: command_text(), answer });
        }
        Ok(answer.join("\n"))
    }

    /// Ends the engine: politely if it listens, else at once.
    fn end(&mut self) {
        let Some(mut input) = self.input.take() else { return };
        let _ = writeln!(input, "quit").and_then(|()| input.flush());
        drop(input);
        // Read on, so that an engine that is still talking can get to its end.
        let deadline = Instant::now() + Duration::from_millis(300);
        while Instant::now() < deadline {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            let _ = self.lines.recv_timeout(Duration::from_millis(5));
        }
        // The whole group: behind a shell script the engine is a child of our child. The group is
        // still ours, because its leader has not been waited for.
        #[cfg(unix)]
        if let Ok(leader) = i32::try_from(self.child.id()) {
            let group = nix::unistd::Pid::from_raw(leader);
            let _ = nix::sys::signal::killpg(group, nix::sys::signal::Signal::SIGKILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for GtpClient {
    fn drop(&mut self) {
        self.end();
    }
}

/// The commands that set an engine's board to the start of a game; nothing for games GTP engines do
/// not play.
fn set_up(position: &dyn AnyPosition) -> Option<Vec<String>> {
    let (komi, stones) = (position.komi()?, position.stones()?);
    let size = position.view().rows.len();
    let mut commands = vec![format!("boardsize {size}"), format!("komi {komi}"), "clear_board".to_string()];
    for (player, stones) in Player::BOTH.into_iter().zip(stones) {
        commands.extend(stones.into_iter().map(|stone| format!("play {} {stone}", colour(player))));
    }
    Some(commands)
}

fn colour(player: Player) -> &'static str {
    match player {
        Player::First => "black",
        Player::Second => "white",
    }
}

/// An engine as an agent.
pub struct GtpAgent {
    command: String,
    client: GtpClient,
    /// What it is still to be told, before it is asked for a move.
    pending: VecDeque<String>,
    /// Why it cannot go on with this game.
    broken: Option<String>,
    /// A move the engine has made on its own board and that has not been played yet.
    generated: Option<String>,
    /// The time limit it was told last.
    told: Option<Duration>,
}

impl Describe for GtpAgent {
    const DESCRIPTION: Description = Description {
        name: "gtp",
        about: "another engine that speaks GTP, for Go",
        parameters: &[Parameter {
            name: "cmd",
            about: "the command that starts it",
            kind: Kind::Program,
            default: None,
        }],
    };
}

impl GtpAgent {
    /// Starts the engine of these arguments for a game.
    pub(crate) fn start(arguments: &Arguments, position: &dyn AnyPosition) -> Result<GtpAgent, ArgumentError> {
        let Some(command) = arguments.program("cmd")? else {
            return Err(ArgumentError::together("needs cmd=\"…\", the command that starts the engine"));
        };
        if set_up(position).is_none() {
            return Err(ArgumentError::together("only Go is played over GTP"));
        }
        let client = GtpClient::start(command).map_err(|error| ArgumentError::of("cmd", error))?;
        Ok(GtpAgent {
            command: command.to_string(),
            client,
            pending: VecDeque::new(),
            broken: None,
            generated: None,
            told: None,
        })
    }

    /// Asks one thing, within what is left of the time.
    fn ask(&mut self, command: &str, most: Duration, limit: &Limit<'_>) -> Result<String, GtpError> {
        let left = limit.until.map_or(most, |until| until.saturating_duration_since(Instant::now()).min(most));
        self.client.send_within(command, left, limit.stop)
    }

    /// Tells what is still to be told. After an error the engine's board is not ours any more.
    fn catch_up(&mut self, limit: &Limit<'_>) -> Result<(), SearchError> {
        while let Some(command) = self.pending.pop_front() {
            if self.broken.is_none()
                && let Err(error) = self.ask(&command, COMMAND_TIMEOUT, limit)
            {
                self.broken = Some(error.to_string());
            }
        }
        self.broken.clone().map_or(Ok(()), |why| Err(SearchError::Failed(why)))
    }
}

/// When a move must be there.
struct Limit<'a> {
    until: Option<Instant>,
    stop: &'a StopFlag,
}

impl AnyAgent for GtpAgent {
    fn begin(&mut self, start: &dyn AnyPosition, moves: &[String]) -> Result<(), SearchError> {
        self.generated = None;
        self.broken = None;
        self.pending.clear();
        if !self.client.is_running() {
            self.client = GtpClient::start(&self.command).map_err(|error| SearchError::Failed(error.to_string()))?;
            self.told = None;
        }
        let commands = set_up(start).ok_or_else(|| SearchError::Unsupported("only Go is played over GTP".into()))?;
        self.pending.extend(commands);
        let mut position = start.boxed_clone();
        for mv in moves {
            let player = position.turn();
            position.play(mv).map_err(|error| SearchError::Unsupported(error.to_string()))?;
            self.follow(player, mv)?;
        }
        Ok(())
    }

    fn follow(&mut self, player: Player, mv: &str) -> Result<(), SearchError> {
        match self.generated.take() {
            Some(own) if own.eq_ignore_ascii_case(mv) => return Ok(()),
            Some(_) => self.pending.push_back("undo".into()),
            None => {}
        }
        self.pending.push_back(format!("play {} {mv}", colour(player)));
        Ok(())
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
        let started = Instant::now();
        let until = budget.hard_time.and_then(|time| started.checked_add(time.saturating_add(GRACE)));
        let limit = Limit { until, stop: &budget.stop };
        if self.generated.take().is_some() {
            self.pending.push_back("undo".into());
        }
        self.catch_up(&limit)?;
        if budget.hard_time.is_some() && budget.hard_time != self.told {
            self.told = budget.hard_time;
            let seconds = budget.hard_time.unwrap_or_default().as_secs_f64().ceil();
            match self.ask(&format!("time_settings 0 {seconds} 1"), COMMAND_TIMEOUT, &limit) {
                // Engines without time settings think until they are ended.
                Ok(_) | Err(GtpError::Refused { .. }) => {}
                Err(error) => return Err(SearchError::Failed(error.to_string())),
            }
        }
        let command = format!("genmove {}", colour(position.turn()));
        let answer = self.ask(&command, MOVE_TIMEOUT, &limit);
        let answer = answer.map_err(|error| SearchError::Failed(error.to_string()))?;
        let mut report =
            Report { elapsed: started.elapsed(), stopped: StopReason::Finished, ..Report::empty(position.turn()) };
        if answer.eq_ignore_ascii_case("resign") {
            report.resigns = true;
            return Ok(report);
        }
        // The engine's spelling becomes ours.
        let shown = position.boxed_clone().play(&answer);
        let shown = shown.map_err(|error| SearchError::Failed(format!("the engine's move is refused: {error}")))?;
        self.generated = Some(shown.clone());
        report.line = vec![shown.clone()];
        report.best = Some(shown);
        Ok(report)
    }
}
