//! What is to be proved: a goal, and the yes-or-no questions it is made of.
//!
//! A proof-number search answers one question, *does this player get at least so much?* A goal is one such question, or
//! `exact`, a sequence of them that narrows an interval until its ends meet.
//!
//! **Narrowing.** All ends of games that a search looked at have a worth. If the answer is yes, the proof rests on
//! ends that were looked at and are worth at least what was asked, so the player gets at least the *least* worth among
//! those; if it is no, at most the *greatest* worth among the ends that were not enough. Where only wins and
//! losses exist one question is therefore enough, and a draw takes two.

use super::Status;
use std::fmt;
use std::str::FromStr;
use tesuji_core::{Bounds, Outcome, Player, Score};

/// What counts at the end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Measure {
    /// The score, in steps of 1/60,000.
    Score,
    /// The margin, in the game's smallest unit.
    Margin,
}

/// A question: does `player` get at least `least`, in his own counting?
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Aim {
    /// The attacker, who tries to reach it: positions in which he moves are OR nodes.
    pub player: Player,
    /// What counts.
    pub measure: Measure,
    /// Score steps or margin that he must reach, as he counts.
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
    pub(super) fn is_about_winning(&self) -> bool {
        self.measure == Measure::Score && self.least > 0 && self.least <= Score::UNITS as i32
    }

    /// A worth as the other player counts it.
    fn flipped(measure: Measure, worth: i32) -> i32 {
        match measure {
            Measure::Score => Score::UNITS as i32 - worth,
            Measure::Margin => worth.saturating_neg(),
        }
    }

    /// A worth of the attacker as the first player counts it.
    fn for_first(&self, worth: i32) -> i32 {
        if self.player == Player::First { worth } else { Aim::flipped(self.measure, worth) }
    }

    /// The defender's own question, whose answer is yes exactly where this one's is no.
    #[must_use]
    pub fn denied(&self) -> Aim {
        Aim { player: self.player.other(), least: Aim::flipped(self.measure, self.least.saturating_sub(1)), ..*self }
    }

    /// Whether every end of a game is enough, as far as the measure alone tells: a score of at least 0. What the least margin of
    /// a game is, its position says ([`widest_margin`](tesuji_core::Position::widest_margin)).
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
    pub(super) fn salt(&self) -> u64 {
        let side = self.player.index() as u64 * 2 + u64::from(self.measure == Measure::Margin);
        tesuji_core::mix(u64::from(self.least as u32) << 2 | side)
    }
}

/// What a search sets out to prove.
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

/// What is known of the value, as the first player counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Interval {
    measure: Measure,
    pub(super) lowest: i32,
    pub(super) highest: i32,
}

impl Interval {
    pub(super) fn unknown(measure: Measure) -> Interval {
        match measure {
            Measure::Score => Interval { measure, lowest: 0, highest: Score::UNITS as i32 },
            Measure::Margin => Interval { measure, lowest: i32::MIN, highest: i32::MAX },
        }
    }

    pub(super) fn is_exact(self) -> bool {
        self.lowest == self.highest
    }

    /// Takes an answer in, with the ends that were seen in the search for it.
    pub(super) fn learn(&mut self, aim: Aim, status: Status, seen: Seen) {
        let raises = match status {
            Status::Unknown => return,
            Status::Proved => aim.player == Player::First,
            Status::Disproved => aim.player == Player::Second,
        };
        let claim = seen.claim(aim, status);
        let worth = claim.for_first(claim.least);
        if raises {
            self.lowest = self.lowest.max(worth);
        } else {
            self.highest = self.highest.min(worth);
        }
    }

    /// The next question on the way to the exact value: the top first (is it a win?), then the middle of what is left.
    pub(super) fn next_question(self, asked_before: bool, greatest_seen: i32) -> Aim {
        let least = match (self.measure, asked_before) {
            (Measure::Score, false) => self.highest,
            (Measure::Margin, false) => 1,
            _ => {
                let (low, high) = (i64::from(self.lowest), i64::from(self.highest.min(greatest_seen)));
                if high <= low { self.lowest + 1 } else { (low + (high - low + 1) / 2) as i32 }
            }
        };
        Aim { player: Player::First, measure: self.measure, least }
    }

    /// As bounds on the score. The sign of a margin tells who has won.
    pub(super) fn bounds(self) -> Bounds {
        let (lowest, highest) = match self.measure {
            Measure::Score => (self.lowest, self.highest),
            Measure::Margin => (
                match self.lowest {
                    1.. => DRAW + 1,
                    0 => DRAW,
                    _ => 0,
                },
                match self.highest {
                    ..0 => DRAW - 1,
                    0 => DRAW,
                    _ => Score::UNITS as i32,
                },
            ),
        };
        let score = |units: i32| Score::from_units(units.unsigned_abs()).expect("between 0 and 60,000");
        Bounds::new(score(lowest), score(highest)).expect("answers do not contradict each other")
    }
}

/// What the ends of games that a search looked at were worth, on either side of its question.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Seen {
    /// The least worth that was enough.
    pub(super) least_enough: Option<i32>,
    /// The greatest worth that was not.
    pub(super) most_short: Option<i32>,
}

impl Seen {
    /// What an answer says, made as strong as the ends that were seen allow.
    pub(super) fn claim(&self, aim: Aim, status: Status) -> Aim {
        if status == Status::Proved {
            return Aim { least: self.least_enough.unwrap_or(aim.least), ..aim };
        }
        let denied = aim.denied();
        Aim { least: self.most_short.map_or(denied.least, |most| Aim::flipped(aim.measure, most)), ..denied }
    }

    /// Takes in what another has seen.
    pub(super) fn add(&mut self, other: Seen) {
        let least = [self.least_enough, other.least_enough].into_iter().flatten().min();
        let most = [self.most_short, other.most_short].into_iter().flatten().max();
        (self.least_enough, self.most_short) = (least, most);
    }

    /// Judges an ended game, and remembers its worth.
    #[inline]
    pub(super) fn judge(&mut self, aim: Aim, outcome: Outcome) -> Status {
        let worth = aim.worth(outcome);
        if worth >= aim.least {
            if self.least_enough.is_none_or(|least| worth < least) {
                self.least_enough = Some(worth);
            }
            Status::Proved
        } else {
            if self.most_short.is_none_or(|most| worth > most) {
                self.most_short = Some(worth);
            }
            Status::Disproved
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Aim, Goal, Interval, Measure, Seen};
    use crate::proof::Status;
    use tesuji_core::{Bounds, Outcome, Player, Score};

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

    #[test]
    fn answers_narrow_to_what_was_seen() {
        let mut interval = Interval::unknown(Measure::Score);
        let aim = interval.next_question(false, i32::MAX);
        assert_eq!(aim.least, 60_000);
        let mut seen = Seen::default();
        assert_eq!(seen.judge(aim, Outcome::DRAW), Status::Disproved);
        assert_eq!(seen.judge(aim, Outcome::won_by(Player::Second)), Status::Disproved);
        interval.learn(aim, Status::Disproved, seen);
        assert_eq!(interval.bounds(), Bounds::new(Score::LOSS, Score::DRAW).expect("ordered"));
        let aim = interval.next_question(true, i32::MAX);
        let mut seen = Seen::default();
        assert_eq!(seen.judge(aim, Outcome::DRAW), Status::Proved);
        interval.learn(aim, Status::Proved, seen);
        assert!(interval.is_exact());
        // The second player as attacker, by margin.
        let mut interval = Interval::unknown(Measure::Margin);
        let aim = Aim { player: Player::Second, measure: Measure::Margin, least: 2 };
        let mut seen = Seen::default();
        assert_eq!(seen.judge(aim, Outcome::by_margin(-8)), Status::Proved);
        interval.learn(aim, Status::Proved, seen);
        assert_eq!(interval.highest, -8);
        assert_eq!(interval.bounds().upper().winner(), Some(Player::Second));
    }
}
