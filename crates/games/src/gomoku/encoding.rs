//! Gomoku as planes, for neural networks. Encoding "gomoku-1".
//!
//! Cells are numbered row by row from a1, the bottom left point, as moves are. Everything is seen
//! from the side to move; the rules are globals, so that one network can serve all three.
//!
//! | plane | one where |
//! |---|---|
//! | 0, 1 | a stone of the side to move; of the other side |
//! | 2, 3 | an empty point is forbidden to the side to move; to the other side (renju) |
//! | 4 | everywhere: with zero padding around the board, convolutions see the edge |
//!
//! | global | meaning |
//! |---|---|
//! | 0, 1 | 1 if only exactly five wins for the side to move; for the other side |
//! | 2, 3 | 1 if points can be forbidden to the side to move; to the other side |

use super::{Five, Gomoku, Rule};
use tesuji_core::{Encoding, Player, Position, Symmetry, TensorShape};

const PLANES: usize = 5;
const GLOBALS: usize = 4;

/// The encoding of Gomoku on boards of one size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GomokuPlanes {
    size: usize,
}

impl GomokuPlanes {
    /// The encoding for games like this one.
    #[must_use]
    pub fn of(gomoku: &Gomoku) -> GomokuPlanes {
        GomokuPlanes { size: gomoku.size() }
    }
}

impl Encoding<Gomoku> for GomokuPlanes {
    fn name(&self) -> &'static str {
        "gomoku-1"
    }

    fn shape(&self) -> TensorShape {
        let moves = self.size * self.size;
        TensorShape {
            planes: PLANES,
            rows: self.size,
            columns: self.size,
            globals: GLOBALS,
            moves,
            moves_are_cells: true,
        }
    }

    fn write(&self, gomoku: &Gomoku, planes: &mut [u8], globals: &mut [f32]) {
        let (turn, cells) = (gomoku.turn(), self.size * self.size);
        planes[..4 * cells].fill(0);
        planes[4 * cells..PLANES * cells].fill(1);
        for (point, player) in gomoku.stones.stones() {
            planes[usize::from(player != turn) * cells + gomoku.stones.index(point)] = 1;
        }
        let sides = [turn, turn.other()];
        if gomoku.rule == Rule::Renju {
            let black = usize::from(turn != Player::First);
            for point in gomoku.forbidden_points() {
                planes[(2 + black) * cells + gomoku.stones.index(point)] = 1;
            }
        }
        for (number, player) in sides.into_iter().enumerate() {
            globals[number] = f32::from(gomoku.rule.five(player) == Five::Exactly);
            globals[2 + number] = f32::from(gomoku.rule == Rule::Renju && player == Player::First);
        }
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        Symmetry::of_square(&self.shape())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Gomoku, Rule};
    use super::GomokuPlanes;
    use tesuji_core::{Encoding, Notation, Position};

    fn encode(rule: Rule, moves: &str) -> (Gomoku, Vec<u8>, Vec<f32>) {
        let mut gomoku = Gomoku::new(9, rule).expect("a board");
        for mv in moves.split_whitespace() {
            gomoku.play(gomoku.read_move(mv).expect("a legal move"));
        }
        let encoding = GomokuPlanes::of(&gomoku);
        let (mut planes, mut globals) = (vec![9; encoding.shape().bytes()], vec![9.0; 4]);
        encoding.write(&gomoku, &mut planes, &mut globals);
        (gomoku, planes, globals)
    }

    fn marked(gomoku: &Gomoku, planes: &[u8], plane: usize) -> Vec<String> {
        let cells = (0..81).filter(|cell| planes[plane * 81 + cell] == 1);
        cells.map(|cell| gomoku.show_move(gomoku.move_at(cell).expect("a point"))).collect()
    }

    /// Black d5 f5, e4 e6 make a double three at e5, which renju forbids; White has the corners.
    #[test]
    fn planes_by_hand() {
        let moves = "d5 a1 f5 a9 e4 i1 e6 i9";
        for rule in Rule::ALL {
            let (gomoku, planes, globals) = encode(rule, moves);
            assert_eq!(marked(&gomoku, &planes, 0), ["e4", "d5", "f5", "e6"]);
            assert_eq!(marked(&gomoku, &planes, 1), ["a1", "i1", "a9", "i9"]);
            let forbidden: &[&str] = if rule == Rule::Renju { &["e5"] } else { &[] };
            assert_eq!(marked(&gomoku, &planes, 2), forbidden);
            assert!(marked(&gomoku, &planes, 3).is_empty());
            assert_eq!(marked(&gomoku, &planes, 4).len(), 81);
            let expected = match rule {
                Rule::Freestyle => [0.0; 4],
                Rule::Standard => [1.0, 1.0, 0.0, 0.0],
                Rule::Renju => [1.0, 0.0, 1.0, 0.0],
            };
            assert_eq!(globals, expected);
        }
        let (gomoku, planes, globals) = encode(Rule::Renju, &format!("{moves} a5"));
        assert_eq!(marked(&gomoku, &planes, 3), ["e5"]);
        assert_eq!(globals, [0.0, 1.0, 0.0, 1.0]);
    }
}
