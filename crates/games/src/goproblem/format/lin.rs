//! Lin's `Go.txt`: size, type, then four matrices of (n+2)×(n+2) numbers, border included.
//!
//! ```text
//! Board size 9
//! Game type 2                1 Black saves, 2 Black kills
//! Stone                      0 empty, 1 black, 2 white, -1 border
//! -1 -1 … -1
//! Space                      1 feasible
//! Important                  1 important
//! Alive                      1 alive by assumption
//! ```
//!
//! Reference: Lin 2017, appendix B, the constructor `Board(char fileName[])` and the example
//! `Go.txt`. Words and numbers are separated by any white space; the words `Board` and `Game` are
//! ignored.
//!
//! Deviations: the source skips unknown words and accepts any numbers; here errors are reported
//! with their position. Each of the four matrices must occur exactly once, and their borders must
//! be −1. The format has no kind: with living stones of the defender the problem is taken as one of
//! connection ([`Problem::likely_kind`]).

use super::{ReadError, quote};
use crate::goproblem::problem::{MOST_SIZE, Mode, Place, Problem, ProblemError, Site};
use std::fmt::Write;
use tesuji_core::Player;

const SECTIONS: [&str; 4] = ["Stone", "Space", "Important", "Alive"];

/// A word and its position.
#[derive(Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    line: usize,
    column: usize,
}

impl Word<'_> {
    fn error(self, problem: impl std::fmt::Display) -> ReadError {
        ReadError::at(self.line, self.column, problem)
    }

    fn number(self) -> Option<i32> {
        self.text.parse().ok()
    }
}

fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    text.lines().enumerate().flat_map(|(number, line)| {
        line.split_whitespace().map(move |word| {
            let before = word.as_ptr() as usize - line.as_ptr() as usize;
            Word { text: word, line: number + 1, column: line[..before].chars().count() + 1 }
        })
    })
}

/// Reads a problem.
///
/// # Errors
/// If a part is missing or wrong; the message names the line and column, or the section.
pub fn read(text: &str) -> Result<Problem, ReadError> {
    let mut words = words(text);
    let mut size: Option<u8> = None;
    let mut mode = None;
    let mut matrices: [Option<Vec<i32>>; 4] = Default::default();
    while let Some(word) = words.next() {
        match word.text {
            "Board" | "Game" => {}
            "size" => {
                if size.is_some() {
                    return Err(word.error("the board size is given twice"));
                }
                let given = value(word, words.next(), "the board size")?;
                let fits = u8::try_from(given.0).ok().filter(|size| (2..=MOST_SIZE).contains(size));
                let wrong = || match u32::try_from(given.0) {
                    Ok(size) => given.1.error(ProblemError::Size(size)),
                    Err(_) => given.1.error(format!("the board size is {}; expected 2 to {MOST_SIZE}", given.0)),
                };
                size = Some(fits.ok_or_else(wrong)?);
            }
            "type" => {
                if mode.is_some() {
                    return Err(word.error("the game type is given twice"));
                }
                let (number, at) = value(word, words.next(), "the game type")?;
                mode = Some(match number {
                    1 => Mode::Save,
                    2 => Mode::Kill,
                    _ => return Err(at.error(format!("the game type is {number}; expected 1 (save) or 2 (kill)"))),
                });
            }
            name => {
                let Some(section) = SECTIONS.iter().position(|known| *known == name) else {
                    let what = if word.number().is_some() { "a number too many" } else { "an unknown word" };
                    let known = "size, type, Stone, Space, Important or Alive";
                    return Err(word.error(format!("{} is {what} here; expected {known}", quote(name))));
                };
                let Some(size) = size else {
                    return Err(word.error(format!("section {name} comes before the board size")));
                };
                if matrices[section].is_some() {
                    return Err(word.error(format!("section {name} is given twice")));
                }
                matrices[section] = Some(matrix(word, &mut words, size)?);
            }
        }
    }
    let size = size.ok_or_else(|| ReadError::of("the board size is missing"))?;
    let mode = mode.ok_or_else(|| ReadError::of("the game type is missing"))?;
    let mut problem = Problem::new(size, mode);
    for (section, matrix) in matrices.into_iter().enumerate() {
        let name = SECTIONS[section];
        let matrix = matrix.ok_or_else(|| ReadError::of(format!("section {name} is missing")))?;
        for place in problem.places() {
            let number = matrix[index(size, usize::from(place.row) + 1, usize::from(place.column) + 1)];
            let site = problem.site_mut(place);
            match section {
                0 => site.stone = [None, Some(Player::First), Some(Player::Second)][number as usize],
                1 => site.feasible = number == 1,
                2 => site.important = number == 1,
                _ => site.alive = number == 1,
            }
        }
    }
    problem.kind = problem.likely_kind();
    problem.check()?;
    Ok(problem)
}

fn value<'a>(key: Word<'_>, next: Option<Word<'a>>, what: &str) -> Result<(i32, Word<'a>), ReadError> {
    let Some(word) = next else {
        return Err(key.error(format!("{what} ends the file; expected a number")));
    };
    let number =
        word.number().ok_or_else(|| word.error(format!("{what} is {}; expected a number", quote(word.text))))?;
    Ok((number, word))
}

fn index(size: u8, row: usize, column: usize) -> usize {
    row * (usize::from(size) + 2) + column
}

/// The numbers of one section, each checked where it stands.
fn matrix<'a>(head: Word<'_>, words: &mut impl Iterator<Item = Word<'a>>, size: u8) -> Result<Vec<i32>, ReadError> {
    let name = head.text;
    let side = usize::from(size) + 2;
    let highest = if name == "Stone" { 2 } else { 1 };
    let mut numbers = Vec::with_capacity(side * side);
    for at in 0..side * side {
        let (row, column) = (at / side, at % side);
        let short = format!("section {name} has {at} numbers; a board of {size} needs {side} rows of {side}");
        let Some(word) = words.next() else { return Err(head.error(format!("{short}, but the file ends"))) };
        let Some(number) = word.number() else {
            return Err(word.error(format!("{short}, but here is {}", quote(word.text))));
        };
        let border = row == 0 || column == 0 || row + 1 == side || column + 1 == side;
        if border && number != -1 {
            let problem = format!("{name}, row {row}, column {column} is the border and must be -1, not {number}");
            return Err(word.error(problem));
        }
        if !border && !(0..=highest).contains(&number) {
            let problem = format!("{name}, row {row}, column {column} must be from 0 to {highest}, not {number}");
            return Err(word.error(problem));
        }
        numbers.push(number);
    }
    Ok(numbers)
}

/// Writes a problem. The format has no title, kind, answer and comments.
///
/// # Panics
/// If the sites do not fill the board, which [`Problem::check`] refuses.
#[must_use]
pub fn write(problem: &Problem) -> String {
    let kind = match problem.mode {
        Mode::Save => 1,
        Mode::Kill => 2,
    };
    let mut text = format!("Board size\n{}\nGame type\n{kind}\n", problem.size);
    let size = i32::from(problem.size);
    for (section, name) in SECTIONS.iter().enumerate() {
        let number = |site: Site| match section {
            0 => site.stone.map_or(0, |player| 1 + player.index()),
            1 => usize::from(site.feasible),
            2 => usize::from(site.important),
            _ => usize::from(site.alive),
        };
        text.push_str(name);
        text.push('\n');
        for row in -1..=size {
            for column in -1..=size {
                let inside = (0..size).contains(&row) && (0..size).contains(&column);
                let separator = if column < 0 { "" } else { "\t" };
                // Writing to a string cannot fail.
                let _ = if inside {
                    let place = Place { row: row as u8, column: column as u8 };
                    write!(text, "{separator}{}", number(problem.site(place)))
                } else {
                    write!(text, "{separator}-1")
                };
            }
            text.push('\n');
        }
    }
    text
}
