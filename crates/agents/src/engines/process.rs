//! A program outside, spoken to line by line: start, lines within limits, transcript, end.
//!
//! Whatever the program does, this side neither hangs nor fills up:
//!
//! * One thread reads its output and waits when [`LINES_AHEAD`] lines are unread; one writes its
//!   input, so that a program which does not read blocks nothing here; one reads its standard error,
//!   which goes to the transcript and never to the terminal.
//! * A wait ends with the line it is for, at its deadline, at the stop flag, when the program has
//!   closed its output, or after [`MOST_BYTES`] and [`BYTES_PER_SECOND`] for each second of it.
//! * The transcript is the last [`TRANSCRIPT_LINES`] lines, each cut to [`TRANSCRIPT_WIDTH`].

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tesuji_core::StopFlag;

/// How often a wait looks at the stop flag.
const GLANCE: Duration = Duration::from_millis(20);
/// How long a program may take to end by itself.
const FAREWELL: Duration = Duration::from_millis(300);
/// How long its standard error may stay open after that, held by a program of its own.
const LAST_WORDS: Duration = Duration::from_millis(100);
/// Longer lines of an engine are cut.
const LONGEST_LINE: u64 = 1 << 16;
/// An engine that says more than this before its answer has ended is ended.
const MOST_BYTES: usize = 16 << 20;
/// What it may say in addition for each second: analysis of hours is no flood.
const BYTES_PER_SECOND: usize = 1 << 18;
/// Lines read ahead of us; an engine that talks faster has to wait.
const LINES_AHEAD: usize = 256;
/// Lines of a transcript.
const TRANSCRIPT_LINES: usize = 20;
/// Characters of a line of a transcript.
const TRANSCRIPT_WIDTH: usize = 200;
/// Lines and characters of the transcript that are part of an error message.
const QUOTED: (usize, usize) = (3, 80);

/// Why an engine did not do what it was asked. After anything but a refusal it is ended.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EngineError {
    /// The program could not be started.
    #[error("cannot start {program}: {reason}")]
    Start {
        /// What was to be run.
        program: String,
        /// What the system said.
        reason: String,
    },
    /// The program has ended or closed its pipes.
    #[error("the engine ended while it was asked \"{asked}\"")]
    Gone {
        /// What it was asked.
        asked: String,
    },
    /// No answer in time.
    #[error("the engine did not answer \"{asked}\" within {seconds} s")]
    Slow {
        /// What it was asked.
        asked: String,
        /// How long it was given.
        seconds: u64,
    },
    /// Megabytes of text instead of an answer.
    #[error("the engine did not answer \"{asked}\" but printed more than {bytes} bytes")]
    Flood {
        /// What it was asked.
        asked: String,
        /// What it was allowed.
        bytes: usize,
    },
    /// The stop flag was thrown.
    #[error("stopped while the engine was asked \"{asked}\"")]
    Stopped {
        /// What it was asked.
        asked: String,
    },
    /// The engine said that it will not.
    #[error("the engine refused \"{asked}\": {answer}")]
    Refused {
        /// What it was asked.
        asked: String,
        /// Its answer, on one line.
        answer: String,
    },
    /// The engine's move is none, or not legal.
    #[error("the engine answered \"{asked}\" with no legal move: {reason}")]
    Illegal {
        /// What it was asked.
        asked: String,
        /// What is wrong with the move.
        reason: String,
    },
    /// The engine has no such game, option or limit: a mistake in what it was asked for.
    #[error("{0}")]
    Unsupported(String),
}

impl EngineError {
    /// What was asked for does not exist; `why` may quote the engine.
    pub(super) fn unsupported(why: &str) -> EngineError {
        EngineError::Unsupported(plain(why, 400))
    }

    /// The engine refused, with this answer made one short line.
    pub(super) fn refused(asked: &str, answer: &str) -> EngineError {
        EngineError::Refused { asked: plain(asked, 80), answer: plain(answer, TRANSCRIPT_WIDTH) }
    }
}

/// At most this many characters, none of them a control character.
pub(super) fn plain(text: &str, most: usize) -> String {
    let mut plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(most).collect();
    if text.chars().nth(most).is_some() {
        plain.push('…');
    }
    plain
}

/// The name of the program that a command line starts, without its folder.
pub(super) fn program_name(command_line: &str) -> Option<String> {
    let program = shell_words::split(command_line).ok()?.into_iter().next()?;
    std::path::Path::new(&program).file_name().map(|name| name.to_string_lossy().into_owned())
}

/// What was said last, both ways. Clones share it.
#[derive(Clone, Default)]
pub(super) struct Transcript(Arc<Mutex<VecDeque<String>>>);

impl Transcript {
    fn note(&self, mark: char, line: &str) {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == TRANSCRIPT_LINES {
            lines.pop_front();
        }
        lines.push_back(format!("{mark} {}", plain(line, TRANSCRIPT_WIDTH)));
    }

    /// All lines.
    pub(super) fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// The last lines as the end of a message; nothing if nothing was said.
    pub(super) fn quoted(&self) -> String {
        let (count, width) = QUOTED;
        let lines: Vec<String> = self.lines().iter().map(|line| plain(line, width)).collect();
        match &lines[lines.len().saturating_sub(count)..] {
            [] => String::new(),
            last => format!(" (last lines: {})", last.join(" | ")),
        }
    }
}

/// How long to wait: until a time, if there is one, and until the flag is thrown.
#[derive(Clone, Copy)]
pub(super) struct Patience<'a> {
    pub(super) until: Option<Instant>,
    pub(super) stop: &'a StopFlag,
}

/// A running program.
pub(super) struct Process {
    child: Child,
    /// Nothing once the program was ended.
    input: Option<Sender<String>>,
    lines: Receiver<String>,
    /// Closed when its standard error is.
    errors: Receiver<()>,
    transcript: Transcript,
    /// What it is told when it is to end.
    farewell: &'static str,
}

impl Process {
    /// Starts a program, given as a command line in the shell's quoting (no shell runs).
    pub(super) fn start(command_line: &str, farewell: &'static str) -> Result<Process, EngineError> {
        let failed = |reason: String| EngineError::Start { program: plain(command_line, 80), reason };
        let words = shell_words::split(command_line).map_err(|error| failed(error.to_string()))?;
        let (program, arguments) = words.split_first().ok_or_else(|| failed("the command is empty".into()))?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Ctrl-C at a terminal is for us; we end the engine ourselves.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| failed(error.to_string()))?;
        let transcript = Transcript::default();
        let (sender, lines) = sync_channel(LINES_AHEAD);
        let output = child.stdout.take().expect("the output is piped");
        std::thread::spawn(move || each_line(output, |line| sender.send(line).is_ok()));
        let (complaints, noted) = (child.stderr.take().expect("the errors are piped"), transcript.clone());
        let (open, errors) = channel::<()>();
        std::thread::spawn(move || {
            each_line(complaints, |line| {
                noted.note('!', &line);
                true
            });
            drop(open);
        });
        let mut pipe = child.stdin.take().expect("the input is piped");
        let (input, to_write) = channel::<String>();
        std::thread::spawn(move || {
            // Ends with the pipe, or when the sender is dropped.
            for line in to_write {
                if pipe.write_all(line.as_bytes()).and_then(|()| pipe.flush()).is_err() {
                    return;
                }
            }
        });
        Ok(Process { child, input: Some(input), lines, errors, transcript, farewell })
    }

    /// Whether it can still be asked.
    pub(super) fn is_running(&self) -> bool {
        self.input.is_some()
    }

    /// What was said last.
    pub(super) fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// Says one line. That it was not heard is found out by the next wait.
    pub(super) fn tell(&mut self, line: &str) {
        if let Some(input) = &self.input {
            self.transcript.note('>', line);
            let _ = input.send(format!("{line}\n"));
        }
    }

    /// Hands on what the program says, line by line, until that makes an answer. `asked` is what
    /// the answer is to, for messages.
    pub(super) fn hear<T>(
        &mut self,
        asked: &str,
        patience: Patience<'_>,
        mut listen: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, EngineError> {
        let asked = || plain(asked, 80);
        if !self.is_running() {
            return Err(EngineError::Gone { asked: asked() });
        }
        let began = Instant::now();
        let mut bytes = 0;
        loop {
            // Asked at every line: an engine may also babble slowly.
            if patience.stop.is_stopped() {
                return Err(EngineError::Stopped { asked: asked() });
            }
            let left = patience.until.map(|until| until.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) {
                let given = patience.until.map_or(Duration::ZERO, |until| until.saturating_duration_since(began));
                return Err(EngineError::Slow { asked: asked(), seconds: given.as_secs_f64().ceil() as u64 });
            }
            let line = match self.lines.recv_timeout(left.unwrap_or(GLANCE).min(GLANCE)) {
                Ok(line) => line,
                Err(RecvTimeoutError::Disconnected) => return Err(EngineError::Gone { asked: asked() }),
                Err(RecvTimeoutError::Timeout) => continue,
            };
            bytes += line.len() + 1;
            let most = MOST_BYTES.saturating_add(BYTES_PER_SECOND.saturating_mul(began.elapsed().as_secs() as usize));
            if bytes > most {
                return Err(EngineError::Flood { asked: asked(), bytes: most });
            }
            self.transcript.note('<', &line);
            if let Some(answer) = listen(&line) {
                return Ok(answer);
            }
        }
    }

    /// Ends the program: politely if it listens, else at once. Its last words are in the transcript
    /// then.
    pub(super) fn end(&mut self) {
        let Some(input) = self.input.take() else { return };
        self.finish(input);
        let _ = self.errors.recv_timeout(LAST_WORDS);
    }

    fn finish(&mut self, input: Sender<String>) {
        let _ = input.send(format!("{}\n", self.farewell));
        drop(input);
        // Read on, so that an engine that is still talking can get to its end.
        let deadline = Instant::now() + FAREWELL;
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

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// Calls `take` with each line, cut where it is too long, until the input ends or it says no.
fn each_line(input: impl Read, mut take: impl FnMut(String) -> bool) {
    let mut input = BufReader::new(input);
    loop {
        let mut line = Vec::new();
        match input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(count) if count > 0 => {}
            _ => return,
        }
        if !take(String::from_utf8_lossy(&line).trim_end().to_string()) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{TRANSCRIPT_LINES, Transcript};

    #[test]
    fn transcripts_are_short_and_plain() {
        let transcript = Transcript::default();
        assert_eq!(transcript.quoted(), "");
        for number in 0..100 {
            transcript.note('<', &format!("{number}\u{1b}[31m{}", "x".repeat(10_000)));
        }
        let lines = transcript.lines();
        assert_eq!(lines.len(), TRANSCRIPT_LINES);
        assert!(lines.iter().all(|line| line.chars().count() < 210 && !line.contains('\u{1b}')), "{lines:?}");
        assert!(lines[TRANSCRIPT_LINES - 1].starts_with("< 99 "));
        assert!(transcript.quoted().chars().count() < 300 && transcript.quoted().contains(" | < 99"));
    }
}
