//! How a game ended.

use crate::{Player, Score};

/// The result of an ended game: its score for the first player and the exact
/// integer margin behind it, in the game's smallest unit (discs in Othello, half
/// points in Go, the leaf sum of a P-game). Games without a margin use +1, 0, −1.
///
/// ```
/// use tesuji_core::{Outcome, Player, Score};
///
/// let othello = Outcome::by_margin(-8);
/// assert_eq!((othello.score, othello.winner()), (Score::LOSS, Some(Player::Second)));
/// assert_eq!(Outcome::won_by(Player::First).margin, 1);
/// assert_eq!(Outcome::graded(Score::from_f64(0.7).unwrap()).score.to_f64(), 0.7);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Outcome {
    /// Worth for the first player.
    pub score: Score,
    /// How much the first player is ahead, in the game's smallest unit.
    pub margin: i32,
}

impl Outcome {
    /// A draw.
    pub const DRAW: Outcome = Outcome { score: Score::DRAW, margin: 0 };

    /// `winner` won, in a game that knows no margins.
    #[inline]
    #[must_use]
    pub const fn won_by(winner: Player) -> Outcome {
        match winner {
            Player::First => Outcome { score: Score::WIN, margin: 1 },
            Player::Second => Outcome { score: Score::LOSS, margin: -1 },
        }
    }

    /// A game decided by a margin: a player who is ahead has won, zero is a draw.
    #[inline]
    #[must_use]
    pub const fn by_margin(margin: i32) -> Outcome {
        let score = if margin > 0 {
            Score::WIN
        } else if margin < 0 {
            Score::LOSS
        } else {
            Score::DRAW
        };
        Outcome { score, margin }
    }

    /// A graded result; the margin is the sign of score − ½.
    #[inline]
    #[must_use]
    pub fn graded(score: Score) -> Outcome {
        let margin = match score.winner() {
            Some(Player::First) => 1,
            None => 0,
            Some(Player::Second) => -1,
        };
        Outcome { score, margin }
    }

    /// The winner; nothing in a draw.
    #[inline]
    #[must_use]
    pub fn winner(self) -> Option<Player> {
        self.score.winner()
    }
}

#[cfg(test)]
mod tests {
    use super::Outcome;
    use crate::{Player, Score};

    #[test]
    fn margins_and_scores_agree() {
        assert_eq!(Outcome::by_margin(7), Outcome { score: Score::WIN, margin: 7 });
        assert_eq!(Outcome::by_margin(-1), Outcome::won_by(Player::Second));
        assert_eq!(Outcome::by_margin(0), Outcome::DRAW);
        assert_eq!(Outcome::graded(Score::from_f64(0.3).expect("a grade")).winner(), Some(Player::Second));
    }
}
