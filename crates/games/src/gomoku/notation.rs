//! Gomoku notation: `h8`, columns from `a` (with `i`), rows from 1 at the bottom.

use super::{Gomoku, Point, Rule};
use crate::grid;
use crate::in_a_row::show_row;
use tesuji_core::{
    BoardShape, BoardView, Conventions, EngineProtocol, MoveError, Notation, Player, Position, Sides, UciGame,
};

impl Notation for Gomoku {
    const CONVENTIONS: Conventions = Conventions {
        uci: Some(UciGame { position: "position", white_is_first: false }),
        engines: &[EngineProtocol::Gomocup, EngineProtocol::Uci],
        ..Conventions::PLAIN
    };

    fn show_move(&self, point: Point) -> String {
        grid::show_point(point.column(), point.row())
    }

    fn read_move(&self, text: &str) -> Result<Point, MoveError> {
        let (column, row) = grid::read_point(text, self.size(), self.size())?;
        let point = Point::new(column as u8, row as u8);
        if self.outcome().is_some() {
            return Err(MoveError::illegal(text, "the game has ended"));
        }
        if self.stone(point).is_some() {
            return Err(MoveError::illegal(text, "there is a stone already"));
        }
        if self.turn() == Player::First
            && let Some(why) = self.forbidden(point)
        {
            return Err(MoveError::illegal(text, format!("it makes {why}, which renju forbids to Black")));
        }
        Ok(point)
    }

    fn place_of(&self, point: Point) -> Option<(usize, usize)> {
        Some((point.column(), self.size() - 1 - point.row()))
    }

    /// As cutechess names them.
    fn uci_variant(&self) -> Option<&'static str> {
        Some(match self.rule {
            Rule::Freestyle => "gomokufreestyle",
            Rule::Standard => "gomoku",
            Rule::Renju => "renju",
        })
    }

    fn gomocup_rule(&self) -> Option<u32> {
        Some(match self.rule {
            Rule::Freestyle => 0,
            Rule::Standard => 1,
            Rule::Renju => 4,
        })
    }

    fn record_number(&self) -> Option<u16> {
        Some(4)
    }

    fn sides(&self) -> Sides {
        Sides::BLACK_AND_WHITE
    }

    fn view(&self) -> BoardView {
        let mut captions = vec![grid::status(self.sides(), self.turn(), self.outcome())];
        if let Some(row) = self.winning_line() {
            captions.push(format!("Row: {}", show_row(&row, |point| self.show_move(point))));
        }
        let forbidden = self.forbidden_points();
        if self.rule() == Rule::Renju && self.outcome().is_none() && !forbidden.is_empty() {
            captions.push(format!("Forbidden to Black: {}", show_row(&forbidden, |point| self.show_move(point))));
        }
        let stone = |column: usize, row: usize| self.stone(Point::new(column as u8, row as u8));
        grid::view(BoardShape::Crossings, (self.size(), self.size()), stone, self.sides(), captions)
    }
}
