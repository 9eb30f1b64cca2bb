//! Protocols: adapters between a session and the programs that speak GTP, UCI, UCCI, Gomocup's and
//! NBoard's protocols, or JSON lines.
//!
//! | file | what is in it |
//! |---|---|
//! | `serve.rs` | the loop: a reader thread, bounded lines, panics caught, output flushed |
//! | `inbox.rs` | one stream of events: lines, notices of searches, times |
//! | `search_task.rs` | a search that runs for a protocol: its times, updates and answer |
//! | `engine.rs` | a session with limits, seed and clock: what every adapter holds |
//! | `clock.rs` | time controls |
//! | `memory.rs` | how much memory the system gives |
//! | `moves.rs` | points as different programs write them |
//! | `gtp/` | GTP 2 for every game, with the dialects of GoGui, Sabaki, HexGui, KGS, CGOS |
//! | `gomocup.rs` | Piskvork's protocol, for Gomoku and renju |
//! | `uci/` | UCI and UCCI |
//! | `nboard.rs` | NBoard's protocol, for Othello |
//! | `analysis/` | JSON lines, for programs |
//! | `form.rs` | whether answers are well formed, for tests and fuzzers |
//!
//! A protocol is a [`Protocol`]: handlers for lines and for what a search reports. Handlers write
//! and return; the loop alone waits, and a test can feed lines without a reader.

mod analysis;
mod clock;
mod engine;
mod form;
mod gomocup;
mod gtp;
mod inbox;
mod memory;
mod moves;
mod nboard;
mod search_task;
mod serve;
mod uci;

pub use analysis::Analysis;
pub use clock::{Clock, TimeControl};
pub use engine::{Engine, GRACE, Setup, load_record, save_record};
pub use form::Form;
pub use gomocup::Gomocup;
pub use gtp::Gtp;
pub use moves::Vertices;
pub use nboard::NBoard;
pub use search_task::{SearchTask, Updates};
pub use serve::{LONGEST_LINE, serve, talk};
pub use uci::{Dialect, Uci};

use tesuji_agents::{Notice, Session, SessionError};
use tesuji_core::Report;

/// Whether the conversation goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// It does.
    Go,
    /// The other side said goodbye.
    Quit,
}

/// What arrives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arrival<'a> {
    /// A line.
    Line(&'a str),
    /// Bytes of a line that has not ended yet.
    Bytes,
    /// The end of the input.
    End,
}

/// What to do with input that arrives while a search runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attention {
    /// Handle it at once.
    Now,
    /// Handle it at once, unless a line that begins another search waits: then it is meant for that
    /// one.
    InTurn,
    /// Stop the search for its answer, and handle it after that.
    Interrupt,
    /// Handle it after the search has answered.
    Later,
}

/// One side of a conversation in lines of text.
///
/// Handlers write their answers and return; none waits for a search. At most one search runs for a
/// protocol at a time, described by its [`SearchTask`].
pub trait Protocol {
    /// Has the searches of this protocol give this notice, from now on.
    fn connect(&mut self, notice: Notice);

    /// Handles a line, without its ending.
    fn line(&mut self, line: &str, out: &mut String) -> Flow;

    /// The search under way whose answer is due, if any.
    fn search(&mut self) -> Option<(&mut SearchTask, &mut Session)>;

    /// An update of the search is due.
    fn update(&mut self, _report: &Report<String>, _out: &mut String) {}

    /// The time to answer has come, and the search has not ended. Unless the protocol answers now,
    /// the search goes on.
    fn late(&mut self, _report: Report<String>, _out: &mut String) {}

    /// The search has ended, with this answer.
    fn finish(&mut self, answer: Result<Report<String>, SessionError>, out: &mut String);

    /// Called after everything that was handled, once its answers are out: begins what is due next.
    fn proceed(&mut self, _out: &mut String) {}

    /// What to do with input that arrives while a search runs.
    fn attention(&self, arrival: Arrival<'_>) -> Attention;

    /// Input other than a line arrived that [`attention`](Protocol::attention) wanted at once, or
    /// the input ended.
    fn disturbed(&mut self, _out: &mut String) {}

    /// Whether a line that waits will begin a search.
    fn begins_search(&self, _line: &str) -> bool {
        false
    }

    /// Whether a line that waits says goodbye.
    fn is_goodbye(&self, _line: &str) -> bool {
        false
    }

    /// A line was longer than [`LONGEST_LINE`] and was dropped, but for its beginning.
    fn too_long(&mut self, beginning: &str, out: &mut String);

    /// A handler panicked; what it wrote is lost. Answers so that the other side does not wait for
    /// ever.
    fn failed(&mut self, out: &mut String);
}
