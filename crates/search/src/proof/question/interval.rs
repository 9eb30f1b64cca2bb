//! The value that several answers imply together: an interval that narrows until its ends meet.
//!
//! **Narrowing.** Every terminal position that a search saw has a worth. If the answer is yes, the
//! proof rests on terminal positions worth at least what was asked, so the player gets at least the
//! *least* worth among those. If it is no, the player gets at most the *greatest* worth among those
//! that fell short. So one question suffices where only wins and losses exist, and a draw takes
//! two.

use crate::proof::Status;
use tesuji_core::{Aim, Bounds, Measure, Outcome, Player, Score};

const DRAW: i32 = Score::DRAW.units() as i32;

/// Bounds of the value, for the first player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::proof) struct Interval {
    measure: Measure,
    pub(in crate::proof) lowest: i32,
    pub(in crate::proof) highest: i32,
}

impl Interval {
    pub(in crate::proof) fn unknown(measure: Measure) -> Interval {
        match measure {
            Measure::Score => Interval { measure, lowest: 0, highest: Score::UNITS as i32 },
            Measure::Margin => Interval { measure, lowest: i32::MIN, highest: i32::MAX },
        }
    }

    pub(in crate::proof) fn is_exact(self) -> bool {
        self.lowest == self.highest
    }

    /// Narrows the interval by an answer and the terminal worths seen in its search.
    pub(in crate::proof) fn learn(&mut self, aim: Aim, status: Status, seen: TerminalWorths) {
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

    /// The next question for an exact value: the upper end first (is it a win?), then bisection.
    pub(in crate::proof) fn next_question(self, asked_before: bool, greatest_seen: i32) -> Aim {
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

    /// As bounds on the score. The sign of a margin says who wins.
    pub(in crate::proof) fn bounds(self) -> Bounds {
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

/// The bounds on the score that an answer means.
pub(crate) fn bounds_of_answer(aim: Aim, reached: bool) -> Bounds {
    let mut interval = Interval::unknown(aim.measure);
    let status = if reached { Status::Proved } else { Status::Disproved };
    interval.learn(aim, status, TerminalWorths::default());
    interval.bounds()
}

/// Extreme worths of the terminal positions that a search saw, on either side of its question.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::proof) struct TerminalWorths {
    /// The least worth that satisfies the question.
    pub(in crate::proof) least_enough: Option<i32>,
    /// The greatest worth that does not.
    pub(in crate::proof) most_short: Option<i32>,
}

impl TerminalWorths {
    /// The claim of an answer, as strong as the terminal worths allow.
    pub(in crate::proof) fn claim(&self, aim: Aim, status: Status) -> Aim {
        if status == Status::Proved {
            return Aim { least: self.least_enough.unwrap_or(aim.least), ..aim };
        }
        let denied = aim.denied();
        Aim { least: self.most_short.map_or(denied.least, |most| Aim::flipped(aim.measure, most)), ..denied }
    }

    /// Merges the worths of another thread.
    pub(in crate::proof) fn add(&mut self, other: TerminalWorths) {
        let least = [self.least_enough, other.least_enough].into_iter().flatten().min();
        let most = [self.most_short, other.most_short].into_iter().flatten().max();
        (self.least_enough, self.most_short) = (least, most);
    }

    /// Evaluates a terminal position and records its worth.
    #[inline]
    pub(in crate::proof) fn judge(&mut self, aim: Aim, outcome: Outcome) -> Status {
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
    use super::{Interval, TerminalWorths};
    use crate::proof::Status;
    use tesuji_core::{Aim, Bounds, Measure, Outcome, Player, Score};

    #[test]
    fn answers_narrow_to_what_was_seen() {
        let mut interval = Interval::unknown(Measure::Score);
        let aim = interval.next_question(false, i32::MAX);
        assert_eq!(aim.least, 60_000);
        let mut seen = TerminalWorths::default();
        assert_eq!(seen.judge(aim, Outcome::DRAW), Status::Disproved);
        assert_eq!(seen.judge(aim, Outcome::won_by(Player::Second)), Status::Disproved);
        interval.learn(aim, Status::Disproved, seen);
        assert_eq!(interval.bounds(), Bounds::new(Score::LOSS, Score::DRAW).expect("ordered"));
        let aim = interval.next_question(true, i32::MAX);
        let mut seen = TerminalWorths::default();
        assert_eq!(seen.judge(aim, Outcome::DRAW), Status::Proved);
        interval.learn(aim, Status::Proved, seen);
        assert!(interval.is_exact());
        // The second player as attacker, by margin.
        let mut interval = Interval::unknown(Measure::Margin);
        let aim = Aim { player: Player::Second, measure: Measure::Margin, least: 2 };
        let mut seen = TerminalWorths::default();
        assert_eq!(seen.judge(aim, Outcome::by_margin(-8)), Status::Proved);
        interval.learn(aim, Status::Proved, seen);
        assert_eq!(interval.highest, -8);
        assert_eq!(interval.bounds().upper().winner(), Some(Player::Second));
    }
}
