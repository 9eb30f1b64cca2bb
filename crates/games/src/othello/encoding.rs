//! Othello as planes, for neural networks. Encoding "othello-1".
//!
//! Cells are numbered row by row from a1, the top left square, as moves are; the pass is the last
//! move index. Colours do not matter: everything is seen from the side to move.
//!
//! | plane | one where |
//! |---|---|
//! | 0, 1 | a disc of the side to move; of the other side |
//! | 2, 3 | the side to move may place a disc; the other side could if it were to move |
//! | 4 | everywhere: with zero padding around the board, convolutions see the edge |
//!
//! | global | meaning |
//! |---|---|
//! | 0 | lead in discs of the side to move, as a share of the squares |
//! | 1 | 1 if the number of empty squares is odd: the side to move can have the last move |
//!
//! The symmetries are the four that keep the first position: half a turn and the reflections in
//! both diagonals. The other four exchange the colours of the first discs, so that their images
//! never occur in a game.

use super::Othello;
use tesuji_core::{Encoding, Outcome, Player, Position, Symmetry, TensorShape};

const PLANES: usize = 5;
const GLOBALS: usize = 2;

/// Which of the symmetries of a square keep the first position: the identity, half a turn, and the
/// reflections in the diagonals (the order of [`Symmetry::of_square`]).
const KEPT: [usize; 4] = [0, 3, 4, 7];

/// The encoding of Othello on boards of one size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OthelloPlanes {
    size: usize,
}

impl OthelloPlanes {
    /// The encoding for games like this one.
    #[must_use]
    pub fn of(othello: &Othello) -> OthelloPlanes {
        OthelloPlanes { size: othello.size() as usize }
    }

    fn cells(self) -> impl Iterator<Item = (usize, u32)> {
        // The bitboard has eight columns on every board.
        (0..self.size * self.size).map(move |cell| (cell, (cell / self.size * 8 + cell % self.size) as u32))
    }
}

impl Encoding<Othello> for OthelloPlanes {
    fn name(&self) -> &'static str {
        "othello-1"
    }

    fn shape(&self) -> TensorShape {
        let moves = self.size * self.size + 1;
        TensorShape {
            planes: PLANES,
            rows: self.size,
            columns: self.size,
            globals: GLOBALS,
            moves,
            moves_are_cells: true,
        }
    }

    fn write(&self, othello: &Othello, planes: &mut [u8], globals: &mut [f32]) {
        let turn = othello.turn();
        let (own, other) = (othello.discs(turn), othello.discs(turn.other()));
        let boards = [own, other, othello.placements(turn), othello.placements(turn.other()), u64::MAX];
        for (plane, board) in planes.chunks_mut(self.size * self.size).zip(boards) {
            for (cell, bit) in self.cells() {
                plane[cell] = (board >> bit & 1) as u8;
            }
        }
        let lead = own.count_ones() as f32 - other.count_ones() as f32;
        globals[0] = lead / (self.size * self.size) as f32;
        globals[1] = (othello.empty().count_ones() % 2) as f32;
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        let mut all = Symmetry::of_square(&self.shape()).into_iter().enumerate();
        all.by_ref().filter(|(number, _)| KEPT.contains(number)).map(|(_, symmetry)| symmetry).collect()
    }

    /// The colours of the discs.
    fn owners(&self, end: &Othello, owners: &mut [i8]) -> bool {
        let [first, second] = Player::BOTH.map(|player| end.discs(player));
        for (cell, bit) in self.cells() {
            owners[cell] = (first >> bit & 1) as i8 - (second >> bit & 1) as i8;
        }
        true
    }

    fn count(&self, unfinished: &Othello) -> Option<Outcome> {
        Some(unfinished.count(unfinished.discs))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Empties, Move, Othello};
    use super::OthelloPlanes;
    use tesuji_core::{Encoding, Notation, Player, Position};

    /// 4×4 after the first move, Black b1, which turns b2 over; White to move:
    /// ```text
    ///   a b c d
    /// 1 . X . .
    /// 2 . X X .
    /// 3 . X O .
    /// 4 . . . .
    /// ```
    #[test]
    fn planes_by_hand() {
        let mut othello = Othello::new(4, Empties::None).expect("a board");
        othello.play(othello.read_move("b1").expect("a legal move"));
        assert_eq!(othello.turn(), Player::Second);
        let encoding = OthelloPlanes::of(&othello);
        let (mut planes, mut globals) = ([9; 5 * 16], [9.0; 2]);
        encoding.write(&othello, &mut planes, &mut globals);
        let expected = [
            ["0000", "0000", "0010", "0000"],
            ["0100", "0110", "0100", "0000"],
            ["1010", "0000", "1000", "0000"],
            ["0000", "0000", "0001", "0011"],
            ["1111", "1111", "1111", "1111"],
        ];
        for (number, (plane, rows)) in planes.chunks(16).zip(expected).enumerate() {
            let found: String = plane.iter().map(|cell| char::from(b'0' + cell)).collect();
            assert_eq!(found, rows.concat(), "plane {number}");
        }
        // One disc against four, eleven empty squares.
        assert_eq!(globals, [-3.0 / 16.0, 1.0]);
        let mut owners = [9; 16];
        assert!(encoding.owners(&othello, &mut owners));
        assert_eq!(owners.iter().map(|&owner| i32::from(owner)).sum::<i32>(), 3);
        assert_eq!(encoding.count(&othello).map(|outcome| outcome.margin), Some(3));
        assert_eq!(othello.move_index(Move::PASS), 16);
    }
}
