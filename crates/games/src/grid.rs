//! Coordinates and diagrams shared by games of stones on a rectangle: columns are letters from `a`,
//! rows are numbers from 1 at the bottom, as in Gomoku notation.

use tesuji_core::spec::{Kind, Parameter};
use tesuji_core::{BoardShape, BoardView, MoveError, Outcome, Player, Sides};

/// The parameter that sets up a position.
pub(crate) const POSITION: Parameter = Parameter {
    name: "position",
    about: "start from this position: X, O or '.' for every point, row by row from the top",
    kind: Kind::Text,
    default: None,
};

/// Column and row (both from 0, row 0 at the bottom) of a text like `b3`.
pub(crate) fn read_point(text: &str, columns: usize, rows: usize) -> Result<(usize, usize), MoveError> {
    let expected = || format!("a point from a1 to {}", show_point(columns - 1, rows - 1));
    let unreadable = || MoveError::unreadable(text, expected());
    let letter = text.chars().next().filter(char::is_ascii_alphabetic).ok_or_else(unreadable)?;
    let digits = &text[1..];
    if digits.is_empty() || digits.len() > 2 || digits.starts_with('0') || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(unreadable());
    }
    let column = (letter.to_ascii_lowercase() as u8 - b'a') as usize;
    let row = digits.parse::<usize>().map_err(|_| unreadable())? - 1;
    if column >= columns || row >= rows {
        return Err(MoveError::illegal(text, format!("it is off the board; expected {}", expected())));
    }
    Ok((column, row))
}

/// The text of a point.
pub(crate) fn show_point(column: usize, row: usize) -> String {
    format!("{}{}", char::from(b'a' + column as u8), row + 1)
}

/// The diagram of a board of stones; `stone(column, row)` returns the colour of a stone.
pub(crate) fn view(
    shape: BoardShape,
    (columns, rows): (usize, usize),
    stone: impl Fn(usize, usize) -> Option<Player>,
    sides: Sides,
    captions: Vec<String>,
) -> BoardView {
    BoardView {
        shape,
        columns: (0..columns).map(|column| char::from(b'a' + column as u8).to_string()).collect(),
        rows: (0..rows).rev().map(|row| (row + 1).to_string()).collect(),
        points: (0..rows)
            .rev()
            .flat_map(|row| (0..columns).map(move |column| (column, row)))
            .map(|(c, r)| stone(c, r).map(|owner| sides.stone(owner)))
            .collect(),
        stars: if shape == BoardShape::Crossings { stars(columns) } else { Vec::new() },
        sides,
        captions,
    }
}

/// The star points of a square board of lines, by their numbers in the [`BoardView`]: four near the
/// corners, the middle, and on the largest boards four more between the corners.
pub(crate) fn stars(size: usize) -> Vec<usize> {
    let (near, middle) = (if size < 12 { 2 } else { 3 }, size / 2);
    let far = size.saturating_sub(near + 1);
    let (mut lines, is_odd) = (vec![near, far], size % 2 == 1);
    if size < 7 {
        return Vec::new();
    }
    if is_odd && size >= 17 {
        lines.insert(1, middle);
    }
    let mut stars: Vec<usize> =
        lines.iter().flat_map(|row| lines.iter().map(move |column| row * size + column)).collect();
    if is_odd && size < 17 {
        stars.insert(2, middle * size + middle);
    }
    stars
}

/// "X to move", "X has won", "A draw".
pub(crate) fn status(sides: Sides, turn: Player, outcome: Option<Outcome>) -> String {
    match outcome {
        None => sides.to_move(turn),
        Some(outcome) => sides.has_won(outcome.winner()),
    }
}

/// A position text that cannot be set up, and why.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SetupError {
    /// Not one character per point.
    #[error("a position has {expected} characters (X, O or '.', rows from the top), not {found}")]
    Length {
        /// Points of the board.
        expected: usize,
        /// Characters given.
        found: usize,
    },
    /// A character that is not a stone.
    #[error("character {at} of the position is {found:?}; expected X, O or '.'")]
    Character {
        /// Its place, from 1.
        at: usize,
        /// The character.
        found: char,
    },
    /// Neither player can have moved last.
    #[error("{first} X and {second} O: X moves first, so there must be as many X as O, or one more")]
    Counts {
        /// Stones of the first player.
        first: usize,
        /// Stones of the second player.
        second: usize,
    },
    /// The player to move has already won, or both players have.
    #[error("{winner} has a winning line but did not move last")]
    Winner {
        /// X or O.
        winner: char,
    },
}

/// Reads a position text: row by row from the top, `X`, `O` and `.`; the side to move follows from
/// the counts. Calls `put` for every stone and returns the side to move.
pub(crate) fn read_setup(
    text: &str,
    (columns, rows): (usize, usize),
    mut put: impl FnMut(usize, usize, Player),
) -> Result<Player, SetupError> {
    let found = text.chars().count();
    if found != columns * rows {
        return Err(SetupError::Length { expected: columns * rows, found });
    }
    let mut counts = [0_usize; 2];
    for (at, letter) in text.chars().enumerate() {
        let player = match letter {
            'X' | 'x' => Player::First,
            'O' | 'o' => Player::Second,
            '.' => continue,
            found => return Err(SetupError::Character { at: at + 1, found }),
        };
        counts[player.index()] += 1;
        put(at % columns, rows - 1 - at / columns, player);
    }
    match counts {
        [first, second] if first == second => Ok(Player::First),
        [first, second] if first == second + 1 => Ok(Player::Second),
        [first, second] => Err(SetupError::Counts { first, second }),
    }
}
