//! What people call the two sides of a game, and how they tell their pieces apart.
//!
//! A side has one name in text for people, which the game states: on boards, at prompts, in tables
//! and in errors. Machines (JSON keys, goals) say [`first` and `second`](Player).

use crate::{Piece, Player};

/// The colour of a side's pieces, where colours can be shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Paint {
    /// Black stones.
    Black,
    /// White stones.
    White,
    /// Red pieces.
    Red,
    /// Blue pieces.
    Blue,
}

/// One side of a game, for people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Side {
    /// Its name: `Black`. It begins a sentence as it stands.
    pub name: &'static str,
    /// The ASCII letter of its stones, or of its most important piece.
    pub letter: char,
    /// The sign of the same piece where Unicode can be shown.
    pub symbol: char,
    /// Its colour.
    pub paint: Paint,
}

/// The two sides of a game, the first player's first.
///
/// ```
/// use tesuji_core::{Player, Sides};
///
/// let sides = Sides::BLACK_AND_WHITE;
/// assert_eq!(sides.name(Player::Second), "White");
/// assert_eq!(sides.to_move(Player::First), "Black to move");
/// assert_eq!(sides.has_won(None), "A draw");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sides(pub [Side; 2]);

impl Sides {
    /// Stones of two colours; Black begins.
    pub const BLACK_AND_WHITE: Sides = Sides([
        Side { name: "Black", letter: 'X', symbol: '●', paint: Paint::Black },
        Side { name: "White", letter: 'O', symbol: '○', paint: Paint::White },
    ]);
    /// Noughts and crosses; the crosses begin.
    pub const X_AND_O: Sides = Sides([
        Side { name: "X", letter: 'X', symbol: 'X', paint: Paint::Blue },
        Side { name: "O", letter: 'O', symbol: 'O', paint: Paint::Red },
    ]);
    /// Games that call the sides nothing else.
    pub const FIRST_AND_SECOND: Sides = Sides([
        Side { name: "First", letter: '1', symbol: '1', paint: Paint::Blue },
        Side { name: "Second", letter: '2', symbol: '2', paint: Paint::Red },
    ]);

    /// What people call this player.
    #[must_use]
    pub const fn name(self, player: Player) -> &'static str {
        self.0[player.index()].name
    }

    /// "Black to move".
    #[must_use]
    pub fn to_move(self, player: Player) -> String {
        format!("{} to move", self.name(player))
    }

    /// "Black has won" or, without a winner, "A draw".
    #[must_use]
    pub fn has_won(self, winner: Option<Player>) -> String {
        winner.map_or_else(|| "A draw".into(), |winner| format!("{} has won", self.name(winner)))
    }

    /// A stone of this player.
    #[must_use]
    pub const fn stone(self, owner: Player) -> Piece {
        let side = self.0[owner.index()];
        Piece { owner, letter: side.letter, symbol: side.symbol }
    }
}

#[cfg(test)]
mod tests {
    use super::Sides;
    use crate::Player;

    #[test]
    fn the_two_sides_are_told_apart_without_colours() {
        for sides in [Sides::BLACK_AND_WHITE, Sides::X_AND_O, Sides::FIRST_AND_SECOND] {
            let [first, second] = Player::BOTH.map(|player| (sides.name(player), sides.stone(player)));
            assert_ne!(first.0, second.0);
            assert_ne!((first.1.letter, first.1.symbol), (second.1.letter, second.1.symbol));
            assert!(first.1.letter != second.1.letter && first.1.symbol != second.1.symbol);
        }
    }
}
