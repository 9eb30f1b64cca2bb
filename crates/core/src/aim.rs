//! What is to be proved: a goal, and the yes-or-no questions it is made of.
//!
//! A proof-number search answers one question: *does this player get at least this much?* A goal is
//! one such question, or `exact`, a sequence of them that narrows an interval until its ends meet.

use crate::{Outcome, Player, Score};
use std::fmt;
use std::str::FromStr;

/// What counts at the end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Measure {
    /// The score, in steps of 1/60,000.
    Score,
    /// The margin, in the game's smallest unit.
    Margin,
}

/// A question: does `player` get at least `least`, as `player` counts it?
///
/// ```
/// use tesuji_core::{Aim, Measure, Outcome, Player, Score};
///
/// let wins = Aim { player: Player::First, measure: Measure::Score, least: Score::UNITS as i32 };
/// assert_eq!(wins.worth(Outcome::won_by(Player::First)), 60_000);
/// // The second player keeps the first from winning if it gets more than nothing.
/// let denied = wins.denied();
/// assert_eq!((denied.player, denied.least), (Player::Second, 1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Aim {
    /// The attacker, who tries to reach it: positions in which the attacker moves are OR nodes.
    pub player: Player,
    /// What counts.
    pub measure: Measure,
    /// The least score, in steps of 1/60,000, or the least margin, as the attacker counts it.
    pub least: i32,
}

impl Aim {
    /// What an ended game is worth to the attacker.
    #[inline]
    #[must_use]
    pub fn worth(&self, outcome: Outcome) -> i32 {
        match (self.measure, self.player) {
            (Measure::Score, player) => outcome.score.for_player(player).units() as i32,
            (Measure::Margin, Player::First) => outcome.margin,
            (Measure::Margin, Player::Second) => outcome.margin.saturating_neg(),
        }
    }

    /// Whether a loss is no, and a win is yes.
    #[must_use]
    pub fn is_about_winning(&self) -> bool {
        self.measure == Measure::Score && self.least > 0 && self.least <= Score::UNITS as i32
    }

    /// A worth as the other player counts it.
    #[must_use]
    pub fn flipped(measure: Measure, worth: i32) -> i32 {
        match measure {
            Measure::Score => Score::UNITS as i32 - worth,
            Measure::Margin => worth.saturating_neg(),
        }
    }

    /// A worth of the attacker as the first player counts it.
    #[must_use]
    pub fn for_first(&self, worth: i32) -> i32 {
        if self.player == Player::First { worth } else { Aim::flipped(self.measure, worth) }
    }

    /// The defender's own question, whose answer is yes exactly where this one's is no.
    #[must_use]
    pub fn denied(&self) -> Aim {
        Aim { player: self.player.other(), least: Aim::flipped(self.measure, self.least.saturating_sub(1)), ..*self }
    }

    /// Whether every end of a game reaches the aim: a score of at least 0, or a margin of at least
    /// the least of the game (minus its [`widest_margin`](crate::Position::widest_margin)).
    #[must_use]
    pub fn says_nothing(&self, widest_margin: Option<u32>) -> bool {
        match self.measure {
            Measure::Score => self.least <= 0,
            Measure::Margin => {
                let lowest = widest_margin.map_or(i64::from(i32::MIN) + 1, |widest| -i64::from(widest));
                i64::from(self.least) <= lowest
            }
        }
    }

    /// A number that tells questions apart, for table keys.
    #[must_use]
    pub fn salt(&self) -> u64 {
        let side = self.player.index() as u64 * 2 + u64::from(self.measure == Measure::Margin);
        crate::mix(u64::from(self.least as u32) << 2 | side)
    }
}

/// What a search sets out to prove.
///
/// ```
/// use tesuji_core::{Goal, Player};
///
/// let goal: Goal = "first-wins".parse().unwrap();
/// assert_eq!(goal, Goal::win_of(Player::First));
/// assert_eq!(Goal::default().to_string(), "exact");
/// assert!("win".parse::<Goal>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Goal {
    /// The exact value.
    Exact(Measure),
    /// One question.
    Question(Aim),
}

impl Goal {
    /// This player wins.
    #[must_use]
    pub const fn win_of(player: Player) -> Goal {
        Goal::Question(Aim { player, measure: Measure::Score, least: DRAW + 1 })
    }
}

impl Default for Goal {
    fn default() -> Goal {
        Goal::Exact(Measure::Score)
    }
}

/// A text that is no goal.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "expected exact, exact-margin, first-wins, first-draws, second-wins, second-draws, score>=X with X from 0 to 1, or margin>=M"
)]
pub struct GoalError;

const DRAW: i32 = Score::DRAW.units() as i32;

impl FromStr for Goal {
    type Err = GoalError;

    fn from_str(text: &str) -> Result<Goal, GoalError> {
        let score = |player, least| Ok(Goal::Question(Aim { player, measure: Measure::Score, least }));
        match text {
            "exact" => Ok(Goal::Exact(Measure::Score)),
            "exact-margin" => Ok(Goal::Exact(Measure::Margin)),
            "first-wins" => score(Player::First, DRAW + 1),
            "first-draws" => score(Player::First, DRAW),
            "second-wins" => score(Player::Second, DRAW + 1),
            "second-draws" => score(Player::Second, DRAW),
            _ => {
                let (measure, number) = text.split_once(">=").ok_or(GoalError)?;
                let number = number.trim();
                match measure.trim() {
                    "score" => {
                        let wanted = number.parse().ok().and_then(Score::from_f64).ok_or(GoalError)?;
                        score(Player::First, wanted.units() as i32)
                    }
                    "margin" => {
                        let least = number.parse().map_err(|_| GoalError)?;
                        Ok(Goal::Question(Aim { player: Player::First, measure: Measure::Margin, least }))
                    }
                    _ => Err(GoalError),
                }
            }
        }
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Goal::Exact(Measure::Score) => f.write_str("exact"),
            Goal::Exact(Measure::Margin) => f.write_str("exact-margin"),
            Goal::Question(aim) => aim.fmt(f),
        }
    }
}

impl fmt::Display for Aim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = |least| if least == DRAW { "draws" } else { "wins" };
        match *self {
            Aim { player, measure: Measure::Score, least } if least == DRAW || least == DRAW + 1 => {
                write!(f, "{player}-{}", verb(least))
            }
            Aim { player: Player::First, measure: Measure::Score, least } => {
                write!(f, "score>={}", f64::from(least) / f64::from(Score::UNITS))
            }
            Aim { player: Player::First, measure: Measure::Margin, least } => write!(f, "margin>={least}"),
            Aim { player: Player::Second, measure: Measure::Score, least } => {
                write!(f, "second's score>={}", f64::from(least) / f64::from(Score::UNITS))
            }
            Aim { player: Player::Second, measure: Measure::Margin, least } => write!(f, "second's margin>={least}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Aim, Goal, Measure};
    use crate::Player;

    #[test]
    fn goals_print_as_they_parse() {
        for text in [
            "exact",
            "exact-margin",
            "first-wins",
            "first-draws",
            "second-wins",
            "second-draws",
            "score>=0.7",
            "margin>=-8",
        ] {
            let goal: Goal = text.parse().expect(text);
            assert_eq!(goal.to_string(), text);
        }
        for wrong in ["", "win", "score>=2", "score>=nan", "margin>=x", "score>", "score>=0.7x"] {
            assert!(wrong.parse::<Goal>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_denied_question_is_the_other_player_s() {
        for player in Player::BOTH {
            for (measure, least, top) in [(Measure::Score, 42_000, 60_000), (Measure::Margin, 3, 0)] {
                let aim = Aim { player, measure, least };
                // The defender gets the rest: top − (least − 1).
                assert_eq!(aim.denied(), Aim { player: player.other(), measure, least: top - (least - 1) });
                assert_eq!(aim.denied().denied(), aim);
            }
        }
    }
}
