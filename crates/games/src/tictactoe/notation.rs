//! Squares as `a1` (bottom left) to `c3` (top right).

use super::{Square, TicTacToe};
use crate::grid;
use tesuji_core::{BoardShape, BoardView, Conventions, EngineProtocol, MoveError, Notation, Position, Sides, UciGame};

impl Notation for TicTacToe {
    const CONVENTIONS: Conventions = Conventions {
        uci: Some(UciGame { position: "position", white_is_first: false }),
        engines: &[EngineProtocol::Uci],
        ..Conventions::PLAIN
    };

    fn show_move(&self, square: Square) -> String {
        grid::show_point(usize::from(square.0 % 3), usize::from(2 - square.0 / 3))
    }

    fn read_move(&self, text: &str) -> Result<Square, MoveError> {
        let (column, row) = grid::read_point(text, 3, 3)?;
        let square = Square(((2 - row) * 3 + column) as u8);
        if self.outcome().is_some() {
            return Err(MoveError::illegal(text, "the game has ended"));
        }
        if self.stone(square).is_some() {
            return Err(MoveError::illegal(text, "the square is taken"));
        }
        Ok(square)
    }

    fn uci_variant(&self) -> Option<&'static str> {
        Some("tictactoe")
    }

    fn place_of(&self, square: Square) -> Option<(usize, usize)> {
        Some((usize::from(square.0 % 3), usize::from(square.0 / 3)))
    }

    fn sides(&self) -> Sides {
        Sides::X_AND_O
    }

    fn view(&self) -> BoardView {
        let stone = |column, row| self.stone(Square(((2 - row) * 3 + column) as u8));
        let captions = vec![grid::status(self.sides(), self.turn(), self.outcome())];
        grid::view(BoardShape::Cells, (3, 3), stone, self.sides(), captions)
    }
}
