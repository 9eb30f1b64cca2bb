//! Protocols: one session, thin adapters, and every game plugs into the programs people already have.
//!
//! | file | what is in it |
//! |---|---|
//! | `serve.rs` | the loop: a reader thread, bounded lines, panics caught, output flushed |
//! | `engine.rs` | a session with limits, seed and clock: what every adapter holds |
//! | `clock.rs` | time controls |
//! | `memory.rs` | how much memory the system gives |
//! | `moves.rs` | points as different programs write them |
//! | `gtp/` | GTP 2 for every game, with the dialects of GoGui, Sabaki, HexGui, KGS, CGOS |
//! | `gomocup.rs` | Piskvork's protocol, for Gomoku and renju |
//! | `uci.rs` | UCI and UCCI |
//! | `nboard.rs` | NBoard's protocol, for Othello |
//! | `analysis/` | JSON lines, for programs |
//! | `form.rs` | whether answers are well formed, for tests and fuzzers |
//!
//! A protocol is a [`Protocol`]: it takes a line and may write; while a search runs it is polled. It never waits.
//! So the loop alone decides about time, and a test can feed lines without threads.

mod analysis;
mod clock;
mod engine;
mod form;
mod gomocup;
mod gtp;
mod memory;
mod moves;
mod nboard;
mod serve;
mod uci;

pub use analysis::Analysis;
pub use clock::{Clock, TimeControl};
pub use engine::{Engine, GRACE, Setup, load_record, ranked, save_record, winrate};
pub use form::Form;
pub use gomocup::Gomocup;
pub use gtp::Gtp;
pub use moves::Vertices;
pub use nboard::NBoard;
pub use serve::{LONGEST_LINE, serve, talk};
pub use uci::{Dialect, Uci};

use std::time::{Duration, Instant};

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

/// What to do with something that arrives while a search runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attention {
    /// Handle it at once.
    Now,
    /// Handle it at once, unless the beginning of another search waits: then it is meant for that one.
    InTurn,
    /// Keep it until the search has answered.
    Later,
}

/// One side of a conversation in lines of text.
pub trait Protocol {
    /// Handles a line, without its ending. Never waits for a search.
    fn line(&mut self, line: &str, out: &mut String) -> Flow;

    /// Looks after a running search: writes what is due and says when to look again; nothing if none runs.
    fn poll(&mut self, out: &mut String) -> Option<Duration>;

    /// What to do with something that arrives while a search runs.
    fn attention(&self, arrival: Arrival<'_>) -> Attention;

    /// Something other than a line arrived that [`attention`](Protocol::attention) wanted at once, or the input ended.
    fn disturbed(&mut self, out: &mut String);

    /// The input has ended, goodbye waits in it, or too much does, since then. Called again and again while a search runs: one that
    /// has had its [grace](Setup::grace) is asked for its answer.
    fn hurry(&mut self, since: Instant);

    /// Whether a line that waits will begin a search.
    fn begins_search(&self, _line: &str) -> bool {
        false
    }

    /// Whether a line that waits is goodbye.
    fn is_goodbye(&self, _line: &str) -> bool {
        false
    }

    /// A line was longer than [`LONGEST_LINE`] and was dropped, but for its beginning.
    fn too_long(&mut self, beginning: &str, out: &mut String);

    /// A handler panicked; what it wrote is lost. Answers so that the other side does not wait for ever.
    fn failed(&mut self, out: &mut String);
}
