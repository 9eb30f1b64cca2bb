//! Chinese chess as planes, for neural networks. Encoding "xiangqi-1".
//!
//! The side to move always sits at rank 0: with Black to move the ranks are reversed (the files
//! stay), so that a network learns one direction. A cell is rank · 9 + file; the policy has one
//! logit for each of the 2,086 moves that some piece can make.
//!
//! | plane | one where |
//! |---|---|
//! | 0 to 6 | a general, advisor, elephant, horse, rook, cannon, soldier of the side to move |
//! | 7 to 13 | the same of the other side |
//! | 14 | everywhere: with zero padding around the board, convolutions see the edge |
//!
//! | global | meaning |
//! |---|---|
//! | 0 | 1 if the side to move is in check |
//! | 1 | plies without a capture, as a share of the limit after which the game is drawn |
//!
//! The only symmetry exchanges left and right. Deviation: past positions are not shown; that a
//! position occurs for the third time is known to the rules and thus to the search, not to the
//! network.

use super::board::{FILES, POINTS};
use super::{INDICES, MOVE_SPACE, PieceKind, Xiangqi, board};
use tesuji_core::{Encoding, Player, Position, Symmetry, TensorShape};

const KINDS: usize = PieceKind::ALL.len();
const PLANES: usize = 2 * KINDS + 1;
const RANKS: usize = POINTS / FILES;
const SHAPE: TensorShape =
    TensorShape { planes: PLANES, rows: RANKS, columns: FILES, globals: 2, moves: MOVE_SPACE, moves_are_cells: false };

/// The encoding of Chinese chess.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct XiangqiPlanes {
    ranks_reversed: Symmetry,
    files_reversed: Symmetry,
}

/// The relabelling of points, and of moves between them. It is its own inverse.
fn relabelled(image: impl Fn(usize) -> usize) -> Symmetry {
    let moves = INDICES.moves.iter().map(|&(from, to)| INDICES.of[image(usize::from(from))][image(usize::from(to))]);
    Symmetry { cells: (0..POINTS).map(|point| image(point) as u16).collect(), moves: moves.collect() }
}

fn ranks_reversed(point: usize) -> usize {
    (RANKS - 1 - point / FILES) * FILES + point % FILES
}

impl XiangqiPlanes {
    /// The encoding.
    #[must_use]
    pub fn new() -> XiangqiPlanes {
        XiangqiPlanes {
            ranks_reversed: relabelled(ranks_reversed),
            files_reversed: relabelled(|point| point / FILES * FILES + (FILES - 1 - point % FILES)),
        }
    }
}

impl Default for XiangqiPlanes {
    fn default() -> XiangqiPlanes {
        XiangqiPlanes::new()
    }
}

impl Encoding<Xiangqi> for XiangqiPlanes {
    fn name(&self) -> &'static str {
        "xiangqi-1"
    }

    fn shape(&self) -> TensorShape {
        SHAPE
    }

    fn write(&self, xiangqi: &Xiangqi, planes: &mut [u8], globals: &mut [f32]) {
        let (pieces, ones) = planes.split_at_mut(2 * KINDS * POINTS);
        pieces.fill(0);
        ones[..POINTS].fill(1);
        let turn = xiangqi.turn();
        for point in 0..POINTS {
            let slot = xiangqi.board.at(point as u8);
            if slot == board::EMPTY {
                continue;
            }
            let side = usize::from(usize::from(board::side_of(slot)) != turn.index());
            let cell = if turn == Player::First { point } else { ranks_reversed(point) };
            pieces[(side * KINDS + board::kind_of(slot) as usize) * POINTS + cell] = 1;
        }
        globals[0] = f32::from(xiangqi.in_check());
        globals[1] = xiangqi.plies_without_capture() as f32 / f32::from(xiangqi.rules().natural_limit);
    }

    fn orientation(&self, mover: Player) -> Option<&Symmetry> {
        (mover == Player::Second).then_some(&self.ranks_reversed)
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        vec![Symmetry::identity(&SHAPE), self.files_reversed.clone()]
    }
}

#[cfg(test)]
mod tests {
    use super::super::Xiangqi;
    use super::{KINDS, POINTS, XiangqiPlanes};
    use tesuji_core::{Encoding, Notation, Player, Position};

    fn encode(xiangqi: &Xiangqi) -> (Vec<u8>, Vec<f32>) {
        let (mut planes, mut globals) = (vec![9; (2 * KINDS + 1) * POINTS], vec![9.0; 2]);
        XiangqiPlanes::new().write(xiangqi, &mut planes, &mut globals);
        (planes, globals)
    }

    #[test]
    fn the_first_position() {
        let (planes, globals) = encode(&Xiangqi::new());
        let marked =
            |plane: usize| (0..POINTS).filter(|cell| planes[plane * POINTS + cell] == 1).collect::<Vec<usize>>();
        assert_eq!(marked(0), [4]); // the general at e0
        assert_eq!(marked(4), [0, 8]); // rooks at a0 and i0
        assert_eq!(marked(5), [19, 25]); // cannons at b2 and h2
        assert_eq!(marked(6), [27, 29, 31, 33, 35]); // soldiers on rank 3
        assert_eq!(marked(7), [85]); // the other general at e9
        assert_eq!(marked(13), [54, 56, 58, 60, 62]); // soldiers on rank 6
        assert_eq!(marked(14).len(), POINTS);
        assert_eq!(globals, [0.0, 0.0]);
    }

    /// A position with the sides exchanged and the ranks reversed looks the same.
    #[test]
    fn black_sees_what_red_would_see() {
        let fen = |board: &str, side: &str| format!("{board} {side} - - 0 1");
        let red = Xiangqi::from_fen(&fen("4k4/9/9/4r4/9/9/4P4/4C4/9/3K5", "w")).expect("a position");
        let black = Xiangqi::from_fen(&fen("3k5/9/4c4/4p4/9/9/4R4/9/9/4K4", "b")).expect("a position");
        assert_eq!(black.turn(), Player::Second);
        assert_eq!(encode(&red), encode(&black));
        let encoding = XiangqiPlanes::new();
        let turned = encoding.orientation(Player::Second).expect("Black's board is turned");
        assert_eq!(encoding.orientation(Player::First), None);
        // Logit i is about the move that leads to the image.
        let index = |position: &Xiangqi, text: &str| position.move_index(position.read_move(text).expect("a move"));
        assert_eq!(usize::from(turned.moves[index(&red, "e2e6")]), index(&black, "e7e3"));
        assert_eq!(usize::from(turned.moves[index(&red, "d0d1")]), index(&black, "d9d8"));
    }
}
