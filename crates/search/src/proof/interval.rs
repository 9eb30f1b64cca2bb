//! What the answers to several questions say of a value together: an interval that narrows until its ends meet.
//!
//! **Narrowing.** All ends of games that a search looked at have a worth. If the answer is yes, the proof rests on
//! ends that were looked at and are worth at least what was asked, so the player gets at least the *least* worth among
//! those; if it is no, at most the *greatest* worth among the ends that were not enough. Where only wins and
//! losses exist one question is therefore enough, and a draw takes two.

use super::Status;
use tesuji_core::{Aim, Bounds, Measure, Outcome, Player, Score};

const DRAW: i32 = Score::DRAW.units() as i32;

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
    use super::{Interval, Seen};
    use crate::proof::Status;
    use tesuji_core::{Aim, Bounds, Measure, Outcome, Player, Score};

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
