//! The scale of values inside the search: integers, for the side to move.
//!
//! | value | meaning |
//! |---|---|
//! | 0 | a draw, or an evaluation of 0 |
//! | ±1 … ±9,999 | an evaluation |
//! | ±10,001 … ±39,999 | a graded end: ±(10,000 + 60,000 · distance of the score from ½) |
//! | ±50,000 … ±60,000 | won or lost: 60,000 minus the number of plies |
//!
//! A known end beats every evaluation, and sooner wins are better.

use tesuji_core::{EVALUATION_LIMIT, Outcome, Player, Score, Value};

/// A win at ply 0.
pub(crate) const WIN: i32 = 60_000;
/// The smallest value of a win.
pub(crate) const MIN_WIN: i32 = 50_000;
/// Larger than any value.
pub(crate) const INFINITE: i32 = 100_000;

/// The value of an ended game, `ply` plies below the root, for `player`.
#[inline]
pub(crate) fn of_outcome(outcome: Outcome, player: Player, ply: u32) -> i32 {
    let units = outcome.score.for_player(player).units() as i32;
    let half = Score::UNITS as i32 / 2;
    match units - half {
        0 => 0,
        difference if difference == half => WIN - ply as i32,
        difference if difference == -half => ply as i32 - WIN,
        difference => difference.signum() * EVALUATION_LIMIT + difference,
    }
}

/// An evaluation (which is for the first player) for `player`, clamped to the limits.
#[inline]
pub(crate) fn of_evaluation(points: i32, player: Player) -> i32 {
    let points = points.clamp(1 - EVALUATION_LIMIT, EVALUATION_LIMIT - 1);
    if player == Player::First { points } else { -points }
}

/// The score that a value beyond the evaluations stands for, for the side to move.
pub(crate) fn decided(value: i32) -> Option<Score> {
    let half = Score::UNITS as i32 / 2;
    match value.abs() {
        MIN_WIN.. => Some(if value > 0 { Score::WIN } else { Score::LOSS }),
        size if size > EVALUATION_LIMIT => {
            Score::from_units((half + value.signum() * (size - EVALUATION_LIMIT)) as u32)
        }
        _ => None,
    }
}

/// The expected score of the first player for a value of `player`.
pub(crate) fn expectation(value: i32, player: Player, scale: f64) -> Value {
    if let Some(score) = decided(value) {
        return Value::from(score.for_player(player));
    }
    let points = if player == Player::First { value } else { -value };
    Value::new(1.0 / (1.0 + libm::exp(-f64::from(points) / scale)))
}

/// The value to store in a table: wins are counted from the position, not from the root.
#[inline]
pub(crate) fn to_table(value: i32, ply: u32) -> i32 {
    match value {
        MIN_WIN.. => value + ply as i32,
        _ if value <= -MIN_WIN => value - ply as i32,
        _ => value,
    }
}

/// The inverse of [`to_table`].
#[inline]
pub(crate) fn from_table(value: i32, ply: u32) -> i32 {
    match value {
        MIN_WIN.. => value - ply as i32,
        _ if value <= -MIN_WIN => value + ply as i32,
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use super::{MIN_WIN, WIN, decided, expectation, from_table, of_outcome, to_table};
    use tesuji_core::{Outcome, Player, Score};

    #[test]
    fn values_are_ordered_as_scores_are() {
        let mut last = i32::MIN;
        for units in 0..=Score::UNITS {
            let score = Score::from_units(units).expect("in range");
            let value = of_outcome(Outcome::graded(score), Player::First, 3);
            assert!(value > last);
            last = value;
            assert_eq!(of_outcome(Outcome::graded(score), Player::Second, 3), -value);
            if score != Score::DRAW {
                assert_eq!(decided(value), Some(score));
            }
            assert_eq!(from_table(to_table(value, 7), 7), value);
        }
        assert_eq!(decided(9_999), None);
        assert!(of_outcome(Outcome::won_by(Player::First), Player::First, 10_000) >= MIN_WIN);
        assert_eq!(to_table(WIN - 7, 7), WIN);
        assert_eq!(expectation(0, Player::Second, 100.0).to_f64(), 0.5);
        assert!(expectation(100, Player::Second, 100.0).to_f64() < 0.3);
        assert_eq!(expectation(WIN - 3, Player::Second, 100.0).to_f64(), 0.0);
    }
}
