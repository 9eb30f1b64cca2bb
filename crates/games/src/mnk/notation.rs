//! Points as `a1` (bottom left), `b3`, …

use super::{Mnk, Point};
use crate::grid;
use tesuji_core::{BoardShape, BoardView, Conventions, EngineProtocol, MoveError, Notation, Position, Sides, UciGame};

impl Notation for Mnk {
    const CONVENTIONS: Conventions = Conventions {
        sides: Some(["m", "n"]),
        uci: Some(UciGame { position: "position", white_is_first: false }),
        engines: &[EngineProtocol::Uci],
        ..Conventions::PLAIN
    };

    fn show_move(&self, point: Point) -> String {
        let (column, row) = self.place(point);
        grid::show_point(column, row)
    }

    fn read_move(&self, text: &str) -> Result<Point, MoveError> {
        let (column, row) = grid::read_point(text, usize::from(self.columns), usize::from(self.rows))?;
        let point = self.point(column, row);
        if self.outcome().is_some() {
            return Err(MoveError::illegal(text, "the game has ended"));
        }
        if self.stone(point).is_some() {
            return Err(MoveError::illegal(text, "the point is taken"));
        }
        Ok(point)
    }

    fn place_of(&self, point: Point) -> Option<(usize, usize)> {
        let (column, row) = self.place(point);
        Some((column, usize::from(self.rows) - 1 - row))
    }

    fn sides(&self) -> Sides {
        Sides::X_AND_O
    }

    fn view(&self) -> BoardView {
        let size = (usize::from(self.columns), usize::from(self.rows));
        let stone = |column, row| self.stone(self.point(column, row));
        let captions =
            vec![grid::status(self.sides(), self.turn(), self.outcome()), format!("{} in a row wins", self.line)];
        grid::view(BoardShape::Cells, size, stone, self.sides(), captions)
    }
}
