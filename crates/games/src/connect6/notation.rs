//! Connect6 notation: `JJ`, the letter of the column, then the letter of the row, row A at the
//! bottom.

use super::{Connect6, Point};
use crate::grid;
use crate::in_a_row::show_row;
use tesuji_core::{BoardShape, BoardView, MoveError, Notation, Position, Sides};

fn letter(number: usize) -> char {
    char::from(b'A' + number as u8)
}

fn show(point: Point) -> String {
    [letter(point.column()), letter(point.row())].into_iter().collect()
}

impl Notation for Connect6 {
    fn show_move(&self, point: Point) -> String {
        show(point)
    }

    fn read_move(&self, text: &str) -> Result<Point, MoveError> {
        let last = letter(self.size() - 1);
        let expected = format!("two letters from AA to {last}{last}");
        let &[column, row] = text.as_bytes() else { return Err(MoveError::unreadable(text, expected)) };
        if !column.is_ascii_alphabetic() || !row.is_ascii_alphabetic() {
            return Err(MoveError::unreadable(text, expected));
        }
        let point = Point::new(column.to_ascii_uppercase() - b'A', row.to_ascii_uppercase() - b'A');
        if point.column().max(point.row()) >= self.size() {
            return Err(MoveError::illegal(text, format!("it is off the board; expected {expected}")));
        }
        if self.outcome().is_some() {
            return Err(MoveError::illegal(text, "the game has ended"));
        }
        if self.stone(point).is_some() {
            return Err(MoveError::illegal(text, "there is a stone already"));
        }
        Ok(point)
    }

    fn place_of(&self, point: Point) -> Option<(usize, usize)> {
        Some((point.column(), self.size() - 1 - point.row()))
    }

    fn sides(&self) -> Sides {
        Sides::BLACK_AND_WHITE
    }

    fn view(&self) -> BoardView {
        let mut status = grid::status(self.sides(), self.turn(), self.outcome());
        if self.outcome().is_none() {
            status.push_str(if self.stones_left() == 1 { " (one stone)" } else { " (two stones)" });
        }
        let mut captions = vec![status];
        if let Some(row) = self.winning_line() {
            captions.push(format!("Row: {}", show_row(&row, show)));
        }
        let stone = |column: usize, row: usize| self.stone(Point::new(column as u8, row as u8));
        let mut view = grid::view(BoardShape::Crossings, (self.size(), self.size()), stone, self.sides(), captions);
        view.columns = (0..self.size()).map(|column| letter(column).to_string()).collect();
        view.rows = (0..self.size()).rev().map(|row| letter(row).to_string()).collect();
        view
    }
}
