//! Connect6 as planes, for neural networks. Encoding "connect6-1".
//!
//! Cells are numbered row by row from AA, the bottom left point, as moves are; a move is one stone.
//! Everything is seen from the side to move.
//!
//! | plane | one where |
//! |---|---|
//! | 0, 1 | a stone of the side to move; of the other side |
//! | 2 | everywhere: with zero padding around the board, convolutions see the edge |
//!
//! | global | meaning |
//! |---|---|
//! | 0 | 1 if the side to move places two stones, 0 if one is left in this turn |

use super::Connect6;
use tesuji_core::{Encoding, Position, Symmetry, TensorShape};

const PLANES: usize = 3;

/// The encoding of Connect6 on boards of one size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Connect6Planes {
    size: usize,
}

impl Connect6Planes {
    /// The encoding for games like this one.
    #[must_use]
    pub fn of(connect6: &Connect6) -> Connect6Planes {
        Connect6Planes { size: connect6.size() }
    }
}

impl Encoding<Connect6> for Connect6Planes {
    fn name(&self) -> &'static str {
        "connect6-1"
    }

    fn shape(&self) -> TensorShape {
        let moves = self.size * self.size;
        TensorShape { planes: PLANES, rows: self.size, columns: self.size, globals: 1, moves, moves_are_cells: true }
    }

    fn write(&self, connect6: &Connect6, planes: &mut [u8], globals: &mut [f32]) {
        let (turn, cells) = (connect6.turn(), self.size * self.size);
        planes[..2 * cells].fill(0);
        planes[2 * cells..PLANES * cells].fill(1);
        for (point, player) in connect6.stones.stones() {
            planes[usize::from(player != turn) * cells + connect6.stones.index(point)] = 1;
        }
        globals[0] = f32::from(connect6.stones_left() == 2);
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        Symmetry::of_square(&self.shape())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Connect6;
    use super::Connect6Planes;
    use tesuji_core::{Encoding, Notation, Position};

    /// Black BB; White CC DD; Black AA and one more. Between the stones of a turn the mover stays.
    #[test]
    fn planes_by_hand() {
        let mut connect6 = Connect6::new(6).expect("a board");
        let encoding = Connect6Planes::of(&connect6);
        let mut found = Vec::new();
        for mv in ["BB", "CC", "DD", "AA"] {
            connect6.play(connect6.read_move(mv).expect("a legal move"));
            let (mut planes, mut globals) = (vec![9; 3 * 36], [9.0]);
            encoding.write(&connect6, &mut planes, &mut globals);
            assert_eq!(planes[72..], [1; 36]);
            let marked = |plane: usize| (0..36).filter(|cell| planes[plane * 36 + cell] == 1).collect::<Vec<usize>>();
            found.push((marked(0), marked(1), globals[0]));
        }
        let expected = [
            (vec![], vec![7], 1.0),       // White to move
            (vec![14], vec![7], 0.0),     // White, one stone left
            (vec![7], vec![14, 21], 1.0), // Black
            (vec![0, 7], vec![14, 21], 0.0),
        ];
        assert_eq!(found, expected);
    }
}
