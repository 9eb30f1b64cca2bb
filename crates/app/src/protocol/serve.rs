//! The loop between a protocol and its streams.
//!
//! A thread of its own reads lines, so that a search never keeps input waiting; lines are bounded, bytes that are not
//! UTF-8 become replacement characters, and a panic inside a handler costs one answer, not the game. What a handler
//! writes goes out whole and is flushed. The end of the input ends the conversation once everything asked is answered; a search
//! that takes longer than its grace after that is asked for the answer it has. Goodbye among the lines that wait is such an end, and
//! so is a search that keeps more lines waiting than we hold.

use super::{Arrival, Attention, Flow, Protocol};
use std::any::Any;
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// Longer lines are dropped.
pub const LONGEST_LINE: usize = 1 << 20;
/// What is kept of them: enough for an id.
const BEGINNING: usize = 1 << 12;
/// Lines that may wait to be handled before the reader pauses, and their bytes.
const MOST_WAITING: usize = 1024;
const MOST_BYTES: usize = 1 << 26;
/// How soon a search that has just begun is looked at, and the longest time between two looks.
const SHORTEST_PAUSE: Duration = Duration::from_micros(20);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);
/// What the reader may be ahead.
const MOST_AHEAD: usize = 32;

/// What the reader saw.
enum Event {
    Line(String),
    /// The beginning of a line that was dropped.
    TooLong(String),
    /// Bytes, but no whole line yet.
    Stir,
    End,
}

/// Carries a conversation on until it ends.
///
/// # Errors
/// If the output cannot be written, other than because nobody listens any more.
pub fn serve(
    protocol: &mut dyn Protocol,
    input: impl Read + Send + 'static,
    output: &mut dyn Write,
) -> std::io::Result<()> {
    let (sender, events) = sync_channel(MOST_AHEAD);
    // The reader ends with the input, or with the program: nothing can wake it from a read.
    std::thread::spawn(move || read_lines(input, &sender));
    match converse(protocol, &events, output) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

fn read_lines(input: impl Read, events: &SyncSender<Event>) {
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
        let event = match ended {
            false => Event::Stir,
            true => whole(&line, dropping),
        };
        if ended {
            line.clear();
            dropping = false;
        }
        if events.send(event).is_err() {
            return;
        }
    }
    // The last line may lack its ending.
    if !line.is_empty() {
        let _ = events.send(whole(&line, dropping));
    }
    let _ = events.send(Event::End);
}

/// A line that has ended.
fn whole(line: &[u8], dropped: bool) -> Event {
    let text = String::from_utf8_lossy(line).into_owned();
    if dropped { Event::TooLong(text) } else { Event::Line(text) }
}

fn converse(protocol: &mut dyn Protocol, events: &Receiver<Event>, output: &mut dyn Write) -> std::io::Result<()> {
    let mut waiting: VecDeque<Event> = VecDeque::new();
    let mut out = String::new();
    // Since when nobody is there any more, or goodbye waits.
    let mut ended: Option<Instant> = None;
    // Searches that answer at once are looked at again at once; the longer nothing happens, the later.
    let mut patience = SHORTEST_PAUSE;
    loop {
        let look_again = guarded(protocol, &mut out, |protocol, out| protocol.poll(out)).flatten();
        patience = if out.is_empty() { (patience * 2).min(LONGEST_PAUSE) } else { SHORTEST_PAUSE };
        flush(&mut out, output)?;
        if let (Some(since), Some(_)) = (ended, look_again) {
            guarded(protocol, &mut out, |protocol, _| protocol.hurry(since));
        }
        let event = match look_again {
            // Nothing runs: what waited comes first.
            None => match waiting.pop_front() {
                Some(event) => event,
                None => events.recv().unwrap_or(Event::End),
            },
            Some(pause) => {
                let pause = pause.min(patience);
                let urgent = waiting.front().is_some_and(|event| wants(protocol, event) != Attention::Later);
                let event = if urgent {
                    waiting.pop_front()
                } else {
                    match events.recv_timeout(pause) {
                        Ok(event) => Some(event),
                        Err(RecvTimeoutError::Timeout) => None,
                        Err(RecvTimeoutError::Disconnected) => {
                            // The end is among those that wait.
                            std::thread::sleep(pause.min(Duration::from_millis(5)));
                            None
                        }
                    }
                };
                let Some(event) = event else { continue };
                let is_later = match wants(protocol, &event) {
                    Attention::Now => false,
                    Attention::InTurn => begins_search(protocol, &waiting),
                    Attention::Later => true,
                };
                if !urgent && is_later {
                    let ends = match &event {
                        Event::End => true,
                        Event::Line(line) => protocol.is_goodbye(line),
                        Event::TooLong(_) | Event::Stir => false,
                    };
                    if ends {
                        ended.get_or_insert_with(Instant::now);
                    }
                    if !matches!(event, Event::Stir) {
                        waiting.push_back(event);
                    }
                    // A full queue stops the reader too: it is not emptied before the search ends.
                    let full = Instant::now();
                    while is_full(&waiting)
                        && guarded(protocol, &mut out, |protocol, out| protocol.poll(out)).flatten().is_some()
                    {
                        flush(&mut out, output)?;
                        guarded(protocol, &mut out, |protocol, _| protocol.hurry(full));
                        std::thread::sleep(pause.min(Duration::from_millis(5)));
                    }
                    continue;
                }
                event
            }
        };
        patience = SHORTEST_PAUSE;
        let flow = match event {
            Event::Line(line) => guarded(protocol, &mut out, |protocol, out| protocol.line(&line, out)),
            Event::TooLong(beginning) => guarded(protocol, &mut out, |protocol, out| {
                protocol.too_long(&beginning, out);
                Flow::Go
            }),
            Event::Stir => {
                if look_again.is_some() {
                    guarded(protocol, &mut out, |protocol, out| protocol.disturbed(out));
                }
                Some(Flow::Go)
            }
            Event::End => {
                guarded(protocol, &mut out, |protocol, out| protocol.disturbed(out));
                Some(Flow::Quit)
            }
        };
        flush(&mut out, output)?;
        if flow == Some(Flow::Quit) {
            return Ok(());
        }
    }
}

fn is_full(waiting: &VecDeque<Event>) -> bool {
    let bytes = |event: &Event| match event {
        Event::Line(line) | Event::TooLong(line) => line.len(),
        Event::Stir | Event::End => 0,
    };
    waiting.len() >= MOST_WAITING || waiting.iter().map(bytes).sum::<usize>() >= MOST_BYTES
}

/// Whether a search begins among the lines that wait.
fn begins_search(protocol: &dyn Protocol, waiting: &VecDeque<Event>) -> bool {
    waiting.iter().any(|event| matches!(event, Event::Line(line) if protocol.begins_search(line)))
}

fn wants(protocol: &dyn Protocol, event: &Event) -> Attention {
    protocol.attention(match event {
        Event::Line(line) => Arrival::Line(line),
        Event::TooLong(_) => Arrival::Line(""),
        Event::Stir => Arrival::Bytes,
        Event::End => Arrival::End,
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

/// Says one line, waits for searches to answer, and returns all that was written: a conversation without threads,
/// for tests and fuzzers. Panics are not caught.
pub fn talk(protocol: &mut dyn Protocol, line: &str) -> (String, Flow) {
    let mut out = String::new();
    let flow = protocol.line(line, &mut out);
    while protocol.poll(&mut out).is_some() {
        if protocol.attention(Arrival::End) != Attention::Later {
            // It would go on until somebody speaks.
            protocol.disturbed(&mut out);
        } else {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    (out, flow)
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_LINE, serve};
    use crate::protocol::{Arrival, Attention, Flow, Protocol};
    use std::time::{Duration, Instant};

    /// Says every line back; one word panics, one word quits.
    struct Echo;

    impl Protocol for Echo {
        fn line(&mut self, line: &str, out: &mut String) -> Flow {
            out.push_str(line);
            out.push('\n');
            assert!(line != "panic", "as asked");
            if line == "quit" { Flow::Quit } else { Flow::Go }
        }
        fn poll(&mut self, _: &mut String) -> Option<Duration> {
            None
        }
        fn attention(&self, _: Arrival<'_>) -> Attention {
            Attention::Later
        }
        fn disturbed(&mut self, out: &mut String) {
            out.push_str("end\n");
        }
        fn hurry(&mut self, _: Instant) {}
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
