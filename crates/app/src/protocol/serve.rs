//! The loop between a protocol and its streams.
//!
//! A reader thread turns bytes into bounded lines, so that a search never keeps input waiting.
//! Bytes that are not UTF-8 become replacement characters. The loop waits on one event stream
//! (`inbox.rs`): a line, a notice of a search, or a time that a running search asked for. A panic
//! inside a handler costs one answer, not the game. What a handler writes is written whole and
//! flushed.
//!
//! The end of the input ends the conversation once everything asked is answered; a search that
//! takes longer than its grace after that is stopped for the answer it has. A line that says
//! goodbye among the waiting lines is such an end, and so is a search that keeps more lines waiting
//! than are held.

use super::inbox::{Accept, Event, Inbox, Input};
use super::search_task::Step;
use super::{Arrival, Attention, Flow, Protocol};
use std::any::Any;
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

/// The longest line in bytes; longer ones are dropped.
pub const LONGEST_LINE: usize = 1 << 20;
/// What is kept of a longer line, in bytes: enough for an id.
const BEGINNING: usize = 1 << 12;
/// Lines that may wait for a search to answer before the reader pauses, and their bytes.
const MOST_WAITING: usize = 1024;
const MOST_BYTES: usize = 1 << 26;

/// Carries a conversation on until it ends.
///
/// # Errors
/// If the output cannot be written, other than because the other side has closed it.
pub fn serve(
    protocol: &mut dyn Protocol,
    input: impl Read + Send + 'static,
    output: &mut dyn Write,
) -> std::io::Result<()> {
    let inbox = Arc::new(Inbox::default());
    protocol.connect(inbox.notice());
    let events = inbox.clone();
    // The reader ends with the input, or with the program: nothing can wake it from a read.
    std::thread::spawn(move || read_lines(input, &events));
    let conversation = converse(protocol, &inbox, output);
    inbox.close();
    match conversation {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

fn read_lines(input: impl Read, inbox: &Inbox) {
    let mut input = BufReader::new(input);
    let (mut line, mut dropping) = (Vec::new(), false);
    loop {
        let (used, ended) = match input.fill_buf() {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Ok([]) | Err(_) => break,
            Ok(bytes) => {
                let end = bytes.iter().position(|byte| *byte == b'\n');
                let part = &bytes[..end.unwrap_or(bytes.len())];
                if line.len() + part.len() > LONGEST_LINE && !dropping {
                    dropping = true;
                    line.extend_from_slice(&part[..part.len().min(BEGINNING)]);
                    line.truncate(BEGINNING);
                } else if !dropping {
                    line.extend_from_slice(part);
                }
                (part.len() + usize::from(end.is_some()), end.is_some())
            }
        };
        input.consume(used);
        let read = match ended {
            false => Input::Bytes,
            true => whole(&line, dropping),
        };
        if ended {
            line.clear();
            dropping = false;
        }
        if !inbox.push(read) {
            return;
        }
    }
    // The last line may lack its ending.
    if !line.is_empty() {
        inbox.push(whole(&line, dropping));
    }
    inbox.push(Input::End);
}

/// A line that has ended.
fn whole(line: &[u8], dropped: bool) -> Input {
    let text = String::from_utf8_lossy(line).into_owned();
    if dropped { Input::TooLong(text) } else { Input::Line(text) }
}

/// What a protocol's searches need next.
enum Progress {
    /// Something was handled: more may be due.
    Handled,
    /// A search runs: nothing is due before this time, or before the next notice.
    Until(Option<Instant>),
    /// No search runs.
    Idle,
}

/// Handles what is due of a protocol's searches: at most one thing, so that what it wrote goes out
/// before the next. `ended` is when the input ended, if it has.
fn advance(protocol: &mut dyn Protocol, ended: Option<Instant>, out: &mut String) -> Progress {
    protocol.proceed(out);
    let Some((task, session)) = protocol.search() else {
        return if out.is_empty() { Progress::Idle } else { Progress::Handled };
    };
    if let Some(since) = ended {
        task.input_ended(since);
    }
    match task.step(session, Instant::now()) {
        Step::Wait(until) => return Progress::Until(until),
        Step::Update(report) => protocol.update(&report, out),
        Step::Late(report) => protocol.late(report, out),
        Step::Ended(answer) => protocol.finish(answer, out),
    }
    Progress::Handled
}

fn converse(protocol: &mut dyn Protocol, inbox: &Inbox, output: &mut dyn Write) -> std::io::Result<()> {
    let mut waiting = Waiting::default();
    let mut out = String::new();
    loop {
        let since = waiting.ended.or(waiting.full_since);
        let progress = guarded(protocol, &mut out, |protocol, out| advance(protocol, since, out));
        flush(&mut out, output)?;
        let input = match progress {
            Some(Progress::Handled) => continue,
            // No search runs: what waited comes first.
            Some(Progress::Idle) | None => match waiting.pop() {
                Some(input) => input,
                None => match inbox.next(None, Accept::All) {
                    Event::Input(input) => input,
                    Event::Search | Event::Time => continue,
                },
            },
            Some(Progress::Until(until)) => match while_searching(protocol, &mut waiting, inbox, until) {
                Some(input) => input,
                None => continue,
            },
        };
        let flow = handle(protocol, &input, &mut out);
        flush(&mut out, output)?;
        if flow == Some(Flow::Quit) {
            return Ok(());
        }
    }
}

/// Waits for input that is handled at once although a search runs; nothing if something else came
/// first. Other input joins those that wait.
fn while_searching(
    protocol: &mut dyn Protocol,
    waiting: &mut Waiting,
    inbox: &Inbox,
    until: Option<Instant>,
) -> Option<Input> {
    match waiting.front().map(|input| wants(protocol, input)) {
        Some(Attention::Now | Attention::InTurn) => return waiting.pop(),
        Some(Attention::Interrupt) => interrupt(protocol),
        Some(Attention::Later) | None => {}
    }
    // A full queue stops the reader too: nothing is read before the search has answered.
    let accept = if waiting.full_since.is_some() { Accept::Searches } else { Accept::All };
    let Event::Input(input) = inbox.next(until, accept) else { return None };
    match wants(protocol, &input) {
        Attention::Now => return Some(input),
        Attention::InTurn if !waiting.begins_search(protocol) => return Some(input),
        Attention::Interrupt => interrupt(protocol),
        Attention::InTurn | Attention::Later => {}
    }
    waiting.push(protocol, input);
    None
}

/// Stops the search for its answer.
fn interrupt(protocol: &mut dyn Protocol) {
    if let Some((_, session)) = protocol.search() {
        session.hurry();
    }
}

fn handle(protocol: &mut dyn Protocol, input: &Input, out: &mut String) -> Option<Flow> {
    guarded(protocol, out, |protocol, out| {
        match input {
            Input::Line(line) => return protocol.line(line, out),
            Input::TooLong(beginning) => protocol.too_long(beginning, out),
            Input::Bytes => {
                if protocol.search().is_some() {
                    protocol.disturbed(out);
                }
            }
            Input::End => protocol.disturbed(out),
        }
        if *input == Input::End { Flow::Quit } else { Flow::Go }
    })
}

/// Input that waits until a search has answered.
#[derive(Default)]
struct Waiting {
    input: VecDeque<Input>,
    bytes: usize,
    /// When the input ended, or a line arrived that says goodbye.
    ended: Option<Instant>,
    /// Since when it holds as much as it may.
    full_since: Option<Instant>,
}

impl Waiting {
    fn size(input: &Input) -> usize {
        match input {
            Input::Line(line) | Input::TooLong(line) => line.len(),
            Input::Bytes | Input::End => 0,
        }
    }

    fn front(&self) -> Option<&Input> {
        self.input.front()
    }

    fn pop(&mut self) -> Option<Input> {
        let input = self.input.pop_front()?;
        self.bytes -= Waiting::size(&input);
        self.full_since = None;
        Some(input)
    }

    fn push(&mut self, protocol: &dyn Protocol, input: Input) {
        let ends = match &input {
            Input::End => true,
            Input::Line(line) => protocol.is_goodbye(line),
            Input::TooLong(_) => false,
            // Its line will follow.
            Input::Bytes => return,
        };
        if ends {
            self.ended.get_or_insert_with(Instant::now);
        }
        self.bytes += Waiting::size(&input);
        self.input.push_back(input);
        if self.input.len() >= MOST_WAITING || self.bytes >= MOST_BYTES {
            self.full_since.get_or_insert_with(Instant::now);
        }
    }

    /// Whether a search begins among the lines that wait.
    fn begins_search(&self, protocol: &dyn Protocol) -> bool {
        self.input.iter().any(|input| matches!(input, Input::Line(line) if protocol.begins_search(line)))
    }
}

fn wants(protocol: &dyn Protocol, input: &Input) -> Attention {
    protocol.attention(match input {
        Input::Line(line) => Arrival::Line(line),
        Input::TooLong(_) => Arrival::Line(""),
        Input::Bytes => Arrival::Bytes,
        Input::End => Arrival::End,
    })
}

fn flush(out: &mut String, output: &mut dyn Write) -> std::io::Result<()> {
    if out.is_empty() {
        return Ok(());
    }
    output.write_all(out.as_bytes())?;
    out.clear();
    output.flush()
}

/// Runs a handler; a panic becomes the protocol's own word for a failure.
fn guarded<T>(
    protocol: &mut dyn Protocol,
    out: &mut String,
    handle: impl FnOnce(&mut dyn Protocol, &mut String) -> T,
) -> Option<T> {
    let before = out.len();
    match catch_unwind(AssertUnwindSafe(|| handle(protocol, out))) {
        Ok(answer) => Some(answer),
        Err(panic) => {
            out.truncate(before);
            let _ = writeln!(std::io::stderr(), "tesuji: internal error: {}", reason(panic.as_ref()));
            if catch_unwind(AssertUnwindSafe(|| protocol.failed(out))).is_err() {
                out.truncate(before);
            }
            None
        }
    }
}

fn reason(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason given")
}

/// Says one line, waits for the searches it begins to answer, and returns all that was written: a
/// conversation without a reader, for tests and fuzzers. A search that would go on until the next
/// line is ended at once. Panics are not caught.
pub fn talk(protocol: &mut dyn Protocol, line: &str) -> (String, Flow) {
    let inbox = Arc::new(Inbox::default());
    protocol.connect(inbox.notice());
    let mut out = String::new();
    let flow = protocol.line(line, &mut out);
    let mut written = std::mem::take(&mut out);
    loop {
        let progress = advance(protocol, None, &mut out);
        written.push_str(&std::mem::take(&mut out));
        match progress {
            Progress::Handled => {}
            Progress::Idle => return (written, flow),
            Progress::Until(_) if protocol.attention(Arrival::End) == Attention::Now => protocol.disturbed(&mut out),
            Progress::Until(until) => drop(inbox.next(until, Accept::All)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_LINE, serve};
    use crate::protocol::{Arrival, Attention, Flow, Protocol, SearchTask};
    use tesuji_agents::{Notice, Session, SessionError};
    use tesuji_core::Report;

    /// Says every line back; one word panics, one word quits.
    struct Echo;

    impl Protocol for Echo {
        fn line(&mut self, line: &str, out: &mut String) -> Flow {
            out.push_str(line);
            out.push('\n');
            assert!(line != "panic", "as asked");
            if line == "quit" { Flow::Quit } else { Flow::Go }
        }
        fn connect(&mut self, _: Notice) {}
        fn search(&mut self) -> Option<(&mut SearchTask, &mut Session)> {
            None
        }
        fn finish(&mut self, _: Result<Report<String>, SessionError>, _: &mut String) {}
        fn attention(&self, _: Arrival<'_>) -> Attention {
            Attention::Later
        }
        fn disturbed(&mut self, out: &mut String) {
            out.push_str("end\n");
        }
        fn too_long(&mut self, beginning: &str, out: &mut String) {
            out.push_str(&format!("too long: {}\n", &beginning[..3]));
        }
        fn failed(&mut self, out: &mut String) {
            out.push_str("failed\n");
        }
    }

    fn conversation(input: Vec<u8>) -> String {
        let mut output = Vec::new();
        serve(&mut Echo, std::io::Cursor::new(input), &mut output).expect("a vector takes everything");
        String::from_utf8(output).expect("UTF-8")
    }

    #[test]
    fn a_panic_costs_one_answer() {
        assert_eq!(conversation(b"one\npanic\ntwo".to_vec()), "one\nfailed\ntwo\nend\n");
    }

    #[test]
    fn quitting_ends_it_and_any_bytes_are_text() {
        assert_eq!(conversation(b"\xff\0\r\nquit\nmore\n".to_vec()), "\u{fffd}\0\r\nquit\n");
    }

    #[test]
    fn long_lines_are_dropped_and_the_next_one_is_read() {
        let mut input = b"17 ".to_vec();
        input.resize(3 * LONGEST_LINE, b'a');
        input.extend_from_slice(b"\nnext\n");
        assert_eq!(conversation(input), "too long: 17 \nnext\nend\n");
        let mut input = vec![b'a'; LONGEST_LINE];
        input.push(b'\n');
        assert_eq!(conversation(input).len(), LONGEST_LINE + 1 + 4);
    }
}
