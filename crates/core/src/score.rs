//! Scores: what an ended game is worth ([`Score`], exact) and what a search
//! believes a position is worth ([`Value`], an estimate).
//!
//! Both belong to the **first player**, in [0, 1]; code that needs a side says
//! so with `for_player`.

use crate::Player;

/// The exact worth of an ended game for the first player: 0 lost, ½ drawn, 1 won,
/// or a grade in between (life-and-death problems use 0.15, 0.3, 0.7, 0.85).
///
/// A fixed-point number in steps of 1/60,000: every grade of the literature is
/// exact, sums in 64-bit integers do not depend on the order of addition (so
/// parallel searches add up exactly and runs repeat to the bit), and a pair of
/// scores packs into four bytes.
///
/// ```
/// use tesuji_core::{Player, Score};
///
/// let grade = Score::from_f64(0.3).unwrap();
/// assert_eq!(grade.units(), 18_000);
/// assert_eq!(grade.for_player(Player::Second).to_f64(), 0.7);
/// assert_eq!(Score::won_by(Player::Second), Score::LOSS);
/// assert_eq!(Score::from_f64(1.1), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(u16);

impl Score {
    /// How many steps make one: 2⁵·3·5⁴.
    pub const UNITS: u32 = 60_000;
    /// Lost for the first player.
    pub const LOSS: Score = Score(0);
    /// A draw.
    pub const DRAW: Score = Score(30_000);
    /// Won for the first player.
    pub const WIN: Score = Score(60_000);

    /// The score of this many steps of 1/60,000; nothing above one.
    #[inline]
    #[must_use]
    pub const fn from_units(units: u32) -> Option<Score> {
        if units <= Self::UNITS { Some(Score(units as u16)) } else { None }
    }

    /// The nearest representable score; nothing outside [0, 1] and for NaN.
    #[must_use]
    pub fn from_f64(value: f64) -> Option<Score> {
        if (0.0..=1.0).contains(&value) { Some(Score((value * f64::from(Self::UNITS)).round() as u16)) } else { None }
    }

    /// The score of a game that `winner` won.
    #[inline]
    #[must_use]
    pub const fn won_by(winner: Player) -> Score {
        match winner {
            Player::First => Score::WIN,
            Player::Second => Score::LOSS,
        }
    }

    /// In steps of 1/60,000.
    #[inline]
    #[must_use]
    pub const fn units(self) -> u32 {
        self.0 as u32
    }

    /// As a number in [0, 1], for the first player.
    #[inline]
    #[must_use]
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / f64::from(Self::UNITS)
    }

    /// The same result seen by the other player: 1 − score.
    #[inline]
    #[must_use]
    pub const fn flipped(self) -> Score {
        Score(Self::UNITS as u16 - self.0)
    }

    /// The score as `player` counts it (the only place where a score may belong to the second
    /// player).
    #[inline]
    #[must_use]
    pub const fn for_player(self, player: Player) -> Score {
        match player {
            Player::First => self,
            Player::Second => self.flipped(),
        }
    }

    /// The better of two scores for `player`; both belong to the first player.
    #[inline]
    #[must_use]
    pub fn better_for(self, other: Score, player: Player) -> Score {
        match player {
            Player::First => self.max(other),
            Player::Second => self.min(other),
        }
    }

    /// The winner: above one half the first player, below it the second, neither at one half.
    #[inline]
    #[must_use]
    pub fn winner(self) -> Option<Player> {
        match self.cmp(&Score::DRAW) {
            std::cmp::Ordering::Greater => Some(Player::First),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Less => Some(Player::Second),
        }
    }
}

impl std::fmt::Debug for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self}")
    }
}

impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut text = format!("{:.5}", self.to_f64());
        while text.ends_with('0') {
            text.pop();
        }
        f.write_str(text.trim_end_matches('.'))
    }
}

/// An estimate of a position's worth for the first player, in [0, 1]: the mean
/// of playouts, the opinion of an evaluation. Never NaN.
///
/// ```
/// use tesuji_core::{Player, Score, Value};
///
/// // Three wins of the first player in four playouts.
/// let value = Value::mean(3 * u64::from(Score::UNITS), 4);
/// assert_eq!(value.to_f64(), 0.75);
/// assert_eq!(value.for_player(Player::Second), 0.25);
/// ```
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug)]
pub struct Value(f64);

impl Value {
    /// Nothing is known.
    pub const UNKNOWN: Value = Value(0.5);

    /// An estimate for the first player.
    ///
    /// # Panics
    /// If `value` is not in [0, 1]: an estimate outside is a bug of its author.
    #[inline]
    #[must_use]
    pub fn new(value: f64) -> Value {
        assert!((0.0..=1.0).contains(&value), "a value must lie in [0, 1], got {value}");
        Value(value)
    }

    /// The mean of `count` scores that add up to `units` (in [`Score::UNITS`]); unknown when there
    /// are none.
    #[inline]
    #[must_use]
    pub fn mean(units: u64, count: u64) -> Value {
        if count == 0 {
            return Value::UNKNOWN;
        }
        Value::new(units as f64 / (count as f64 * f64::from(Score::UNITS)))
    }

    /// For the first player, in [0, 1].
    #[inline]
    #[must_use]
    pub fn to_f64(self) -> f64 {
        self.0
    }

    /// As `player` counts it, in [0, 1].
    #[inline]
    #[must_use]
    pub fn for_player(self, player: Player) -> f64 {
        match player {
            Player::First => self.0,
            Player::Second => 1.0 - self.0,
        }
    }
}

impl From<Score> for Value {
    fn from(score: Score) -> Value {
        Value(score.to_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::{Score, Value};
    use crate::Player;

    #[test]
    fn the_grades_of_the_literature_are_exact() {
        for (grade, units) in [
            (0.0, 0),
            (0.15, 9_000),
            (0.3, 18_000),
            (0.5, 30_000),
            (0.68, 40_800),
            (0.7, 42_000),
            (0.85, 51_000),
            (1.0, 60_000),
        ] {
            let score = Score::from_f64(grade).expect("in range");
            assert_eq!(score.units(), units);
            assert_eq!(score.to_string().parse::<f64>().expect("a number"), grade);
            assert_eq!(score.flipped().flipped(), score);
        }
        assert_eq!(Score::from_f64(f64::NAN), None);
        assert_eq!(Score::from_f64(1.000_1), None);
        assert_eq!(Score::from_f64(-0.1), None);
        assert_eq!(Score::from_units(60_001), None);
    }

    #[test]
    fn sides_are_named() {
        assert_eq!(Score::won_by(Player::Second).for_player(Player::Second), Score::WIN);
        assert_eq!(Score::WIN.better_for(Score::DRAW, Player::Second), Score::DRAW);
        assert_eq!(Score::DRAW.winner(), None);
        assert_eq!(Value::mean(0, 0), Value::UNKNOWN);
        assert_eq!(Value::mean(120_000, 4).for_player(Player::Second), 0.5);
    }
}
