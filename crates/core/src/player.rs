//! The two players.

/// One of the two players of a game, named by who moves first.
///
/// Turns need not alternate, so nothing here says who moves next: ask
/// [`Position::turn`](crate::Position::turn) after every move.
///
/// ```
/// use tesuji_core::Player;
///
/// assert_eq!(Player::First.other(), Player::Second);
/// let mut captures = [0; 2];
/// captures[Player::Second.index()] += 1;
/// assert_eq!(Player::BOTH.map(|player| captures[player.index()]), [0, 1]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Player {
    /// Black in Go, Gomoku, Hex and Othello, Red in Chinese chess, X in tic-tac-toe: the game's
    /// [`Sides`](crate::Sides) say.
    First = 0,
    /// The other one.
    Second = 1,
}

impl Player {
    /// Both players, in order.
    pub const BOTH: [Player; 2] = [Player::First, Player::Second];

    /// The opponent.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }

    /// 0 for the first player, 1 for the second: for arrays with one entry a player.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl std::fmt::Display for Player {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Player::First => "first",
            Player::Second => "second",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Player;

    #[test]
    fn the_other_of_the_other_is_oneself() {
        for player in Player::BOTH {
            assert_ne!(player, player.other());
            assert_eq!(player, player.other().other());
            assert_eq!(Player::BOTH[player.index()], player);
        }
    }
}
