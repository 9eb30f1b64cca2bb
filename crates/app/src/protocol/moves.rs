//! Points as different programs write them.
//!
//! *Native* is how players of the game write them (`h8` in Gomoku, `a1` at the top left in Hex),
//! and what HexGui and the commands use. *Go* is what GoGui uses for every game: columns A to Z
//! without I, then AA, rows from 1 at the bottom.

use tesuji_agents::AnyPosition;

/// How points are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Vertices {
    /// As players of the game do.
    #[default]
    Native,
    /// As Go players do, in every game.
    Go,
}

/// The name of a column as Go players write it, from 0.
fn column_name(column: usize) -> String {
    const LETTERS: &[u8; 25] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";
    let letter = char::from(LETTERS[column % 25]);
    match column / 25 {
        0 => letter.to_string(),
        more => format!("{}{letter}", char::from(LETTERS[(more - 1) % 25])),
    }
}

/// A point as Go players write it: column and row from the top left of a board of `rows` rows.
#[must_use]
pub fn go_name(column: usize, row: usize, rows: usize) -> String {
    format!("{}{}", column_name(column), rows.saturating_sub(row))
}

/// Column and row from the top left of a point that Go players wrote.
pub(super) fn read_go_name(text: &str, rows: usize) -> Option<(usize, usize)> {
    let split = text.find(|c: char| c.is_ascii_digit())?;
    let (letters, digits) = text.split_at(split);
    let number: usize = if digits.len() <= 3 { digits.parse().ok()? } else { return None };
    let row = rows.checked_sub(number)?;
    let value = |letter: u8| match letter.to_ascii_uppercase() {
        letter @ b'A'..=b'H' => Some(usize::from(letter - b'A')),
        letter @ b'J'..=b'Z' => Some(usize::from(letter - b'A') - 1),
        _ => None,
    };
    let column = match letters.as_bytes() {
        [one] => value(*one)?,
        [first, second] => (value(*first)? + 1) * 25 + value(*second)?,
        _ => return None,
    };
    Some((column, row))
}

impl Vertices {
    /// A legal move of `position`, written for the other side.
    #[must_use]
    pub fn show(self, position: &dyn AnyPosition, mv: &str) -> String {
        match self {
            Vertices::Native => mv.to_string(),
            Vertices::Go => match position.place_of(mv) {
                Some((column, row)) => go_name(column, row, position.view().rows.len()),
                None => mv.to_string(),
            },
        }
    }

    /// A line of moves from `position`.
    #[must_use]
    pub fn show_line(self, position: &dyn AnyPosition, line: &[String]) -> Vec<String> {
        if self == Vertices::Native {
            return line.to_vec();
        }
        let mut at = position.boxed_clone();
        let mut shown = Vec::with_capacity(line.len());
        for mv in line {
            shown.push(self.show(at.as_ref(), mv));
            if at.play(mv).is_err() {
                break;
            }
        }
        shown
    }

    /// What the other side wrote, as the game reads it. What is no point stays as it is.
    #[must_use]
    pub fn read(self, position: &dyn AnyPosition, text: &str) -> String {
        match self {
            Vertices::Native => text.to_string(),
            Vertices::Go => {
                let rows = position.view().rows.len();
                let point = read_go_name(text, rows);
                let found = point.and_then(|(column, row)| position.move_on(column, row));
                found.unwrap_or_else(|| text.to_string())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Vertices, go_name, read_go_name};

    #[test]
    fn names_and_back() {
        assert_eq!(go_name(0, 18, 19), "A1");
        assert_eq!(go_name(8, 0, 19), "J19");
        assert_eq!(go_name(25, 0, 26), "AA26");
        for column in 0..52 {
            for row in [0, 7, 51] {
                assert_eq!(read_go_name(&go_name(column, row, 52), 52), Some((column, row)));
            }
        }
        for wrong in ["", "A", "1", "I5", "A0x", "A53", "AAA1", "A99999999999999999999"] {
            assert_eq!(read_go_name(wrong, 52), None, "{wrong}");
        }
    }

    #[test]
    fn every_game_of_points_reads_its_own() {
        for game in ["hex(size=12)", "othello", "gomoku", "connect6", "mnk(m=4,n=5,k=3)", "go(size=9)"] {
            let game = tesuji_agents::start_game(&game.parse().expect("a spec")).expect("a game");
            for mv in game.position.moves() {
                let shown = Vertices::Go.show(game.position.as_ref(), &mv);
                assert!(!shown.starts_with('I'), "{shown}");
                assert_eq!(Vertices::Go.read(game.position.as_ref(), &shown), mv);
            }
        }
    }
}
