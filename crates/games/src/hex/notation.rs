//! Cells as `a1` (top left) to `z26`, and `swap`.

use super::{Hex, Move};
use crate::grid;
use tesuji_core::{BoardShape, BoardView, Conventions, EngineProtocol, MoveError, Notation, Player, Position, Sides};

impl Notation for Hex {
    const CONVENTIONS: Conventions =
        Conventions { gtp_moves: &[("swap", "swap-pieces")], engines: &[EngineProtocol::Gtp], ..Conventions::PLAIN };

    fn show_move(&self, mv: Move) -> String {
        match self.place(mv) {
            Some((column, row)) => grid::show_point(column as usize, row as usize),
            None => "swap".into(),
        }
    }

    /// Also reads `swap-pieces`, the name of the move in game records.
    fn read_move(&self, text: &str) -> Result<Move, MoveError> {
        let mv = if ["swap", "swap-pieces"].iter().any(|name| text.eq_ignore_ascii_case(name)) {
            Move::SWAP
        } else {
            let size = usize::from(self.size);
            let (column, row) = grid::read_point(text, size, size).map_err(|error| match error {
                MoveError::Unreadable { text, expected } => {
                    MoveError::Unreadable { text, expected: format!("{expected}, or swap") }
                }
                illegal => illegal,
            })?;
            Move((row * size + column) as u16)
        };
        if self.is_legal(mv) {
            return Ok(mv);
        }
        let reason = match mv {
            _ if self.winner.is_some() => "the game has ended",
            Move::SWAP if self.move_space() == self.cells() as usize => "this game has no swap rule",
            Move::SWAP => "only the second move of a game can be a swap",
            _ => "the cell is taken",
        };
        Err(MoveError::illegal(text, reason))
    }

    fn place_of(&self, mv: Move) -> Option<(usize, usize)> {
        self.place(mv).map(|(column, row)| (column as usize, row as usize))
    }

    fn record_number(&self) -> Option<u16> {
        Some(11)
    }

    fn sides(&self) -> Sides {
        Sides::BLACK_AND_WHITE
    }

    fn view(&self) -> BoardView {
        let sides = self.sides();
        let edges = |player| if player == Player::First { "top and bottom" } else { "left and right" };
        let captions = vec![match self.winner {
            Some(winner) => format!("{} has connected {}", sides.name(winner), edges(winner)),
            None if self.can_swap() => {
                format!("{}, connects {}, may swap", sides.to_move(self.turn), edges(self.turn))
            }
            None => format!("{}, connects {}", sides.to_move(self.turn), edges(self.turn)),
        }];
        BoardView {
            shape: BoardShape::Hexagons,
            columns: (0..self.size).map(|column| char::from(b'a' + column).to_string()).collect(),
            rows: (1..=self.size).map(|row| row.to_string()).collect(),
            points: (0..self.cells() as usize).map(|cell| self.owner(cell).map(|owner| sides.stone(owner))).collect(),
            stars: Vec::new(),
            sides,
            captions,
        }
    }
}
