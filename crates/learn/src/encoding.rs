//! The tensors of games without an encoding of their own, from [`Notation::view`].
//!
//! For every letter of the pieces in the first position (or for stones, if there are at most two
//! letters) there is a plane for the pieces of the side to move and one for those of the opponent,
//! then a plane of ones. One global: whether the first player is to move. Games without a board
//! have one cell.
//!
//! This suffices for small games and is slow (a view is text). Facts that the view does not show
//! (ko, castling, stones left in the turn) are missing. A game that is to be learned well states
//! its own encoding.

use tesuji_core::{BoardShape, Encoding, Notation, Playable, Player, TensorShape};

/// The encoding of a game: its own, or the planes of its view.
#[must_use]
pub fn encoding_of<P: Playable>(start: &P) -> Box<dyn Encoding<P>> {
    start.encoding().unwrap_or_else(|| Box::new(ViewPlanes::of(start)))
}

struct ViewPlanes {
    letters: Vec<char>,
    shape: TensorShape,
}

impl ViewPlanes {
    fn of<P: Playable>(start: &P) -> ViewPlanes {
        let view = start.view();
        let mut letters: Vec<char> = view.points.iter().flatten().map(|piece| piece.letter).collect();
        letters.sort_unstable();
        letters.dedup();
        if letters.len() <= 2 {
            letters.clear(); // stones: the owner says everything
        }
        let (rows, columns) = match view.shape {
            BoardShape::Text => (1, 1),
            _ => (view.rows.len().max(1), view.columns.len().max(1)),
        };
        let planes = 2 * letters.len().max(1) + 1;
        let cells = rows * columns;
        let moves = start.move_space();
        let place = |index: usize| start.move_at(index).and_then(|mv| start.place_of(mv));
        let moves_are_cells =
            cells > 1 && moves >= cells && (0..cells).all(|cell| place(cell) == Some((cell % columns, cell / columns)));
        let shape = TensorShape { planes, rows, columns, globals: 1, moves, moves_are_cells };
        ViewPlanes { letters, shape }
    }
}

impl<P: Notation> Encoding<P> for ViewPlanes {
    fn name(&self) -> &'static str {
        "view-1"
    }

    fn shape(&self) -> TensorShape {
        self.shape
    }

    fn write(&self, position: &P, planes: &mut [u8], globals: &mut [f32]) {
        let cells = self.shape.cells();
        let (pieces, ones) = planes.split_at_mut((self.shape.planes - 1) * cells);
        pieces.fill(0);
        ones.fill(1);
        let kinds = self.letters.len().max(1);
        for (cell, piece) in position.view().points.iter().enumerate().take(cells) {
            let Some(piece) = piece else { continue };
            let kind = self.letters.iter().position(|letter| *letter == piece.letter).unwrap_or(0);
            let side = usize::from(piece.owner != position.turn());
            pieces[(side * kinds + kind) * cells + cell] = 1;
        }
        globals[0] = f32::from(position.turn() == Player::First);
    }
}

#[cfg(test)]
mod tests {
    use super::encoding_of;
    use tesuji_core::{Notation, Position};
    use tesuji_games::tictactoe::TicTacToe;

    #[test]
    fn a_view_becomes_planes() {
        let position = TicTacToe::from_text("X.O.X....").expect("a position");
        let encoding = encoding_of(&TicTacToe::default());
        let shape = encoding.shape();
        assert_eq!((shape.planes, shape.rows, shape.columns, shape.globals, shape.moves), (3, 3, 3, 1, 9));
        let (mut planes, mut globals) = (vec![7; shape.bytes()], vec![7.0; 1]);
        encoding.write(&position, &mut planes, &mut globals);
        // O is to move.
        let at = |text: &str| {
            let (column, row) = position.place_of(position.read_move(text).expect("a move")).expect("a cell");
            row * 3 + column
        };
        assert_eq!(position.turn(), tesuji_core::Player::Second);
        assert_eq!(planes[..9].iter().sum::<u8>(), 1);
        assert_eq!(planes[9..18].iter().sum::<u8>(), 2);
        assert_eq!(planes[18..], [1; 9]);
        assert_eq!(globals, [0.0]);
        for free in ["b1", "a2", "c2"] {
            assert_eq!(planes[at(free)] + planes[9 + at(free)], 0);
        }
        assert!(shape.moves_are_cells == (position.move_index(position.read_move("b1").expect("a move")) == at("b1")));
    }
}
