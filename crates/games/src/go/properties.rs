//! Hawk's five properties of a Go board (draft thesis, 2017, Table 3.1 and `GAWeight.java`).
//!
//! | property | text | program |
//! |---|---|---|
//! | netStones | own stones minus the opponent's | the same |
//! | goodLibs, badLibs | liberties of own, of the opponent's stones | counted once for each stone beside them |
//! | goodAtari, badAtari | stones of chains with one liberty | stones with one neighbour that is empty or of their colour |

use super::position::Go;
use tesuji_core::{Player, StoneBoard};

impl StoneBoard for Go {
    const PROPERTIES: [&'static str; 5] = ["netStones", "goodLibs", "badLibs", "goodAtari", "badAtari"];

    fn lines(&self) -> usize {
        self.size()
    }

    fn write_stones(&self, points: &mut [i8]) {
        let board = self.board();
        for (sign, point) in points.iter_mut().zip(board.points()) {
            *sign = board.stone_at(point).map_or(0, |owner| if owner == Player::First { 1 } else { -1 });
        }
    }

    fn played(&self) -> u32 {
        self.moves_played()
    }

    fn properties(&self, player: Player) -> [i16; 5] {
        let board = self.board();
        let mut properties = [0; 5];
        for point in board.points() {
            if let Some(owner) = board.stone_at(point) {
                let side = usize::from(owner != player);
                properties[0] += if side == 0 { 1 } else { -1 };
                properties[3 + side] += i16::from(board.in_atari(point));
            } else {
                let beside = |player| board.neighbours(point).any(|next| board.stone_at(next) == Some(player));
                properties[1] += i16::from(beside(player));
                properties[2] += i16::from(beside(player.other()));
            }
        }
        properties
    }

    fn properties_as_programmed(&self, player: Player) -> [i16; 5] {
        let board = self.board();
        let mut properties = [0; 5];
        for point in board.points() {
            let Some(owner) = board.stone_at(point) else { continue };
            let side = usize::from(owner != player);
            properties[0] += if side == 0 { 1 } else { -1 };
            let empty = board.neighbours(point).filter(|next| board.is_empty(*next)).count();
            let own = board.neighbours(point).filter(|next| board.stone_at(*next) == Some(owner)).count();
            properties[1 + side] += empty as i16;
            properties[3 + side] += i16::from(empty + own == 1);
        }
        properties
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Go, GoRules};
    use tesuji_core::{Notation, Player, Position, StoneBoard};

    /// Black A1 B1 C3, White A2 B2 on 3×3:
    /// ```text
    /// 3 . . X
    /// 2 O O .
    /// 1 X X .
    /// ```
    #[test]
    fn properties_by_hand() {
        let mut go = Go::new(GoRules::on(3)).expect("a board");
        for mv in ["A1", "A2", "B1", "B2", "C3"] {
            go.play(go.read_move(mv).expect("a legal move"));
        }
        // Black's liberties: C1, C2, B3. White's: A3, B3, C2. A1 and B1 are in atari.
        assert_eq!(go.properties(Player::First), [1, 3, 3, 2, 0]);
        assert_eq!(go.properties(Player::Second), [-1, 3, 3, 0, 2]);
        // As programmed: C3 has two empty neighbours and B1 one; A2 one (A3), B2 two (B3 and C2).
        // A1 has one own neighbour and no empty one, as a stone in atari would; B1 has two.
        assert_eq!(go.properties_as_programmed(Player::First), [1, 3, 3, 1, 0]);
        let mut stones = [9; 9];
        go.write_stones(&mut stones);
        assert_eq!(stones, [1, 1, 0, -1, -1, 0, 0, 0, 1]);
    }
}
