//! The three formats of a problem. [`Problem::from_bytes`] distinguishes them: SGF begins with `(`,
//! Lin's `Go.txt` has the line `Stone`, everything else is this project's text format.

pub mod lin;
pub mod sgf;
pub mod text;

use super::problem::{Answer, Place, Problem, ProblemError};
use std::fmt;
use std::str::FromStr;

/// The largest file that is read: a problem of 25×25 takes a few thousand bytes.
pub const MOST_BYTES: u64 = 1 << 20;

/// Why a file is not a problem, in one line, with the position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}{problem}", place(*line, *column))]
pub struct ReadError {
    /// The line, from 1, if the error concerns one.
    pub line: Option<u32>,
    /// The column, from 1.
    pub column: Option<u32>,
    /// What is wrong.
    pub problem: String,
}

fn place(line: Option<u32>, column: Option<u32>) -> String {
    match (line, column) {
        (Some(line), Some(column)) => format!("line {line}, column {column}: "),
        (Some(line), None) => format!("line {line}: "),
        _ => String::new(),
    }
}

impl ReadError {
    pub(super) fn of(problem: impl fmt::Display) -> ReadError {
        ReadError { line: None, column: None, problem: problem.to_string() }
    }

    pub(super) fn at(line: usize, column: usize, problem: impl fmt::Display) -> ReadError {
        let number = |place: usize| u32::try_from(place).ok();
        ReadError { line: number(line), column: number(column), problem: problem.to_string() }
    }

    pub(super) fn on(line: usize, problem: impl fmt::Display) -> ReadError {
        ReadError { line: u32::try_from(line).ok(), ..ReadError::of(problem) }
    }
}

impl From<ProblemError> for ReadError {
    fn from(error: ProblemError) -> ReadError {
        ReadError::of(error)
    }
}

/// Quotes at most twenty characters, without control characters.
pub(super) fn quote(text: &str) -> String {
    let mut short: String = text.chars().take(20).flat_map(char::escape_debug).collect();
    if text.chars().nth(20).is_some() {
        short.push('…');
    }
    format!("\"{short}\"")
}

/// A first move: a point or `pass`.
pub(super) fn read_answer(text: &str, size: u8) -> Option<Answer> {
    if text.eq_ignore_ascii_case("pass") {
        return Some(Answer::Pass);
    }
    Place::read(text, size).map(Answer::Play)
}

impl Problem {
    /// Reads a problem in any of the three formats.
    ///
    /// # Errors
    /// If the bytes are not a problem; the message names the position.
    pub fn from_bytes(bytes: &[u8]) -> Result<Problem, ReadError> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        if bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'(') {
            return sgf::read(bytes);
        }
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let line = bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count() + 1;
            ReadError::on(line, "these bytes are not UTF-8")
        })?;
        if text.lines().any(|line| line.trim() == "Stone") { lin::read(text) } else { text::read(text) }
    }
}

impl FromStr for Problem {
    type Err = ReadError;

    fn from_str(text: &str) -> Result<Problem, ReadError> {
        Problem::from_bytes(text.as_bytes())
    }
}

/// In the readable text format.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text::write(self))
    }
}
