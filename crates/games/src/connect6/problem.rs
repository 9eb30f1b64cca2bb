//! Position files of Connect6: `problems/connect6`.
//!
//! A line is a comment (`#`), empty, or a key, a colon and a value:
//!
//! ```text
//! # White wins by continuous double threats.
//! size: 19
//! moves: JJ LL JI IH HK
//! answer: win LI
//! ```
//!
//! `moves` are the stones in the order of play, one move of the game each, on one line or several;
//! the default `size` is 19. `answer` states the result for the side to move and a first stone;
//! solving ignores it. Any other key is refused.

use super::Connect6;
use tesuji_core::{Notation, Position};

/// The largest file that is read.
pub(super) const MOST_BYTES: u64 = 1 << 16;

/// A position and its stated answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Connect6Problem {
    /// The position.
    pub position: Connect6,
    /// The answer stated in the file, if any.
    pub answer: Option<String>,
}

/// Why a file is not a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct Connect6ProblemError {
    /// From 1.
    pub line: usize,
    /// What is wrong there.
    pub problem: String,
}

impl Connect6Problem {
    /// Reads a file.
    ///
    /// # Errors
    /// At the first invalid line.
    pub fn from_text(text: &str) -> Result<Connect6Problem, Connect6ProblemError> {
        let mut problem: Option<Connect6> = None;
        let mut answer = None;
        for (number, line) in text.lines().enumerate() {
            let wrong = |problem: String| Connect6ProblemError { line: number + 1, problem };
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let Some((key, value)) = line.split_once(':') else {
                return Err(wrong("expected size, moves or answer, a colon and a value".into()));
            };
            let value = value.trim();
            match key.trim() {
                "size" if problem.is_some() => {
                    return Err(wrong("the size must be given once, before the moves".into()));
                }
                "size" => {
                    let size = value.parse().map_err(|_| wrong("expected a number of rows".into()))?;
                    problem = Some(Connect6::new(size).map_err(|error| wrong(error.to_string()))?);
                }
                "moves" => {
                    let position = match &mut problem {
                        Some(position) => position,
                        None => problem.insert(Connect6::new(19).map_err(|error| wrong(error.to_string()))?),
                    };
                    for mv in value.split_whitespace() {
                        let mv = position.read_move(mv).map_err(|error| wrong(error.to_string()))?;
                        position.play(mv);
                    }
                }
                "answer" => answer = Some(value.to_string()),
                other => {
                    let other: String = other.chars().take(40).collect();
                    return Err(wrong(format!("unknown key {other:?}; expected size, moves or answer")));
                }
            }
        }
        let position = problem
            .ok_or_else(|| Connect6ProblemError { line: text.lines().count().max(1), problem: "no moves".into() })?;
        Ok(Connect6Problem { position, answer })
    }
}

#[cfg(test)]
mod tests {
    use super::Connect6Problem;

    #[test]
    fn files_are_read_or_refused_by_line() {
        let read =
            Connect6Problem::from_text("# one\nsize: 9\nmoves: EE AA\n\nmoves: BB\nanswer: win CC").expect("a file");
        assert_eq!((read.position.size(), read.position.stones_left()), (9, 2));
        assert_eq!(read.answer.as_deref(), Some("win CC"));
        let line = |text: &str| Connect6Problem::from_text(text).expect_err("refused").line;
        assert_eq!(line("moves: JJ\nmoves: JJ"), 2);
        assert_eq!(line("size: 3"), 1);
        assert_eq!(line("moves: JJ\nsize: 19"), 2);
        assert_eq!(line("\n\nboard: JJ"), 3);
        assert_eq!(line("\nJJ"), 2);
        assert_eq!(line(""), 1);
    }
}
