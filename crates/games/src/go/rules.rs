//! The rules of a game of Go: everything agreed before the first move.
//!
//! | what | choices | default |
//! |---|---|---|
//! | size | 2 to 25 lines | 19 |
//! | komi | any number of half points, for White | 7.5 |
//! | handicap | 0, or 2 to 9 black stones on the star points | 0 |
//! | ko | simple, positional superko, situational superko, none | positional |
//! | suicide | forbidden, allowed, strict (Hawk's) | forbidden |
//! | scoring | area, territory, V-Run's, Hawk's | area |
//! | passes | two end the game, or go on while there is a stone to play (Hawk's) | end |
//! | playouts | keep eyes, keep one-chain eyes (V-Run's), uniform (Hawk's) | eyes |
//! | move limit | any | 1,000 + 4·size² (250 under Hawk's scoring) |
//!
//! **End.** Two passes in a row end the game. So does the move limit (passes count as moves), and
//! the board is scored as it stands: every game ends, also under simple ko. **Dead stones** are not
//! removed by agreement; they must be captured.
//!
//! References: Tromp & Taylor, "The game of Go" (area scoring, positional superko); V-Run 2016
//! §2.1, §4.2.4 (prisoners and single-point territory); Hawk 2017 §3.2 (stone scoring, 250 moves).
//!
//! Hawk's Go as programmed (appendix B, `GoGame.java`) is
//! `go(komi=0,ko=none,suicide=strict,scoring=hawk,passes=continue,playouts=uniform)`: every point is
//! tested before captures, so that a stone without a liberty of its own is suicide although it would
//! capture; there is no ko; the game ends after 250 moves, or when neither side has a stone to play.
//! Deviation: in the latter case two passes are played first, which change no stone.

use super::board::Board;
use super::layout::{MAX_SIZE, MIN_SIZE};
use std::fmt;
use std::str::FromStr;
use tesuji_core::Outcome;

/// A word or number that is not a rule of Go.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RuleError {
    /// Not one of the words that name a choice.
    #[error("cannot read \"{text}\": expected {expected}")]
    Unreadable {
        /// What was given, shortened.
        text: String,
        /// The possible choices.
        expected: &'static str,
    },
    /// A board too small or too large.
    #[error("a Go board has {MIN_SIZE} to {MAX_SIZE} lines, not {0}")]
    Size(usize),
    /// More handicap stones than the board has star points for, or a single one.
    #[error("a board of {size} lines has {}, so there is no handicap of {stones}", room_for(*.most))]
    Handicap {
        /// The requested number.
        stones: u8,
        /// The board.
        size: usize,
        /// The maximum; below 2: none.
        most: u8,
    },
    /// A komi that exceeds the range of scores.
    #[error("the komi is at most 10,000 points, not {0}")]
    Komi(Komi),
}

fn room_for(most: u8) -> String {
    if most < 2 { "no star points".into() } else { format!("handicaps of 2 to {most} stones") }
}

fn unreadable(text: &str, expected: &'static str) -> RuleError {
    RuleError::Unreadable { text: text.chars().take(40).flat_map(char::escape_debug).collect(), expected }
}

/// Implements `Display` and `FromStr` for an enum of plain words.
macro_rules! words {
    ($type:ident, $expected:literal, $($word:literal => $variant:ident),+) => {
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(match self { $($type::$variant => $word),+ })
            }
        }

        impl FromStr for $type {
            type Err = RuleError;

            fn from_str(text: &str) -> Result<$type, RuleError> {
                match text {
                    $($word => Ok($type::$variant),)+
                    _ => Err(unreadable(text, $expected)),
                }
            }
        }
    };
}

/// Which repetitions are forbidden. A pass is always legal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum KoRule {
    /// A stone that has just captured a single stone may not itself be captured at once, alone.
    Simple,
    /// No move may repeat a board of this game.
    #[default]
    Positional,
    /// No move may repeat a board of this game with the same player to move.
    Situational,
    /// Nothing is forbidden; only the move limit ends a repetition.
    None,
}

words!(
    KoRule,
    "simple, positional, situational or none",
    "simple" => Simple,
    "positional" => Positional,
    "situational" => Situational,
    "none" => None
);

/// Whether a move may capture only its own chain.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum SuicideRule {
    /// It may not.
    #[default]
    Forbidden,
    /// Allowed (of a single stone only where the ko rule permits it: positional superko forbids
    /// it).
    Allowed,
    /// It may not, and a chain without a liberty before captures are taken off is suicide too
    /// (Hawk).
    Strict,
}

words!(
    SuicideRule,
    "forbidden, allowed or strict",
    "forbidden" => Forbidden,
    "allowed" => Allowed,
    "strict" => Strict
);

/// What two passes in a row do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum PassRule {
    /// They end the game.
    #[default]
    End,
    /// They end it only if neither side has a stone to play (Hawk).
    Continue,
}

words!(PassRule, "end or continue", "end" => End, "continue" => Continue);

/// The policy of the game's own playouts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum PlayoutRule {
    /// No own eye is filled, by the usual test.
    #[default]
    Eyes,
    /// No own eye is filled, by V-Run's test: all neighbours belong to one chain.
    OneChain,
    /// Uniform over all legal moves, the pass included (Hawk).
    Uniform,
}

words!(
    PlayoutRule,
    "eyes, one-chain or uniform",
    "eyes" => Eyes,
    "one-chain" => OneChain,
    "uniform" => Uniform
);

/// How an ended game is scored, before komi.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Scoring {
    /// Stones, and empty regions that touch one colour only (Tromp–Taylor, Chinese).
    #[default]
    Area,
    /// Empty regions that touch one colour only, and prisoners (Japanese, played out).
    Territory,
    /// Empty points whose neighbours all have one colour, and prisoners (V-Run).
    VRun,
    /// Stones on the board, after at most 250 moves (Hawk).
    Hawk,
}

words!(
    Scoring,
    "area, territory, vrun or hawk",
    "area" => Area,
    "territory" => Territory,
    "vrun" => VRun,
    "hawk" => Hawk
);

impl Scoring {
    /// Black's points minus White's on this board.
    #[must_use]
    pub fn difference(self, board: &Board) -> i32 {
        match self {
            Scoring::Area => board.stone_difference() + board.territory_difference(),
            Scoring::Territory => board.territory_difference() + board.prisoner_difference(),
            Scoring::VRun => board.surrounded_difference() + board.prisoner_difference(),
            Scoring::Hawk => board.stone_difference(),
        }
    }

    /// The same for a board that a playout has filled up to one-point eyes, without flood fill.
    #[inline]
    #[must_use]
    pub fn difference_when_filled(self, board: &Board) -> i32 {
        match self {
            Scoring::Area => board.stone_difference() + board.surrounded_difference(),
            Scoring::Territory | Scoring::VRun => board.surrounded_difference() + board.prisoner_difference(),
            Scoring::Hawk => board.stone_difference(),
        }
    }

    /// Whether prisoners count.
    #[must_use]
    pub const fn counts_prisoners(self) -> bool {
        matches!(self, Scoring::Territory | Scoring::VRun)
    }
}

/// Points given to White for moving second, in half points: `Komi(15)` is 7.5.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Komi(pub i32);

impl Default for Komi {
    fn default() -> Komi {
        Komi(15)
    }
}

impl fmt::Display for Komi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let half = if self.0 % 2 == 0 { "" } else { ".5" };
        f.pad(&format!("{sign}{}{half}", self.0.unsigned_abs() / 2))
    }
}

impl FromStr for Komi {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Komi, RuleError> {
        let expected = "a komi in whole or half points, like 7.5";
        let number: f64 = text.parse().map_err(|_| unreadable(text, expected))?;
        let halves = number * 2.0;
        if halves.fract() != 0.0 || halves.abs() > f64::from(GoRules::MOST_KOMI.0) {
            return Err(unreadable(text, expected));
        }
        Ok(Komi(halves as i32))
    }
}

/// The rules of one game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GoRules {
    /// Number of lines of the board.
    pub size: usize,
    /// For White.
    pub komi: Komi,
    /// Black stones set up before the game; White then moves first.
    pub handicap: u8,
    /// Which repetitions are forbidden.
    pub ko: KoRule,
    /// Whether suicide is allowed.
    pub suicide: SuicideRule,
    /// How the end is scored.
    pub scoring: Scoring,
    /// What two passes do.
    pub passes: PassRule,
    /// The policy of playouts.
    pub playouts: PlayoutRule,
    /// The game ends after this many moves, passes included; `None` is the default of the scoring.
    pub move_limit: Option<u32>,
}

impl Default for GoRules {
    fn default() -> GoRules {
        GoRules::on(19)
    }
}

impl GoRules {
    const MOST_KOMI: Komi = Komi(20_000);

    /// The default rules on a board of this size.
    #[must_use]
    pub fn on(size: usize) -> GoRules {
        GoRules {
            size,
            komi: Komi::default(),
            handicap: 0,
            ko: KoRule::default(),
            suicide: SuicideRule::default(),
            scoring: Scoring::default(),
            passes: PassRule::default(),
            playouts: PlayoutRule::default(),
            move_limit: None,
        }
    }

    /// The number of moves after which the game ends in any case.
    #[must_use]
    pub fn limit(&self) -> u32 {
        let default = match self.scoring {
            Scoring::Hawk => 250,
            _ => 1_000 + 4 * (self.size * self.size) as u32,
        };
        self.move_limit.unwrap_or(default)
    }

    /// The result for a difference of Black's and White's points before komi.
    #[inline]
    #[must_use]
    pub fn outcome(&self, difference: i32) -> Outcome {
        Outcome::by_margin(2 * difference - self.komi.0)
    }

    /// Checks that the rules are consistent.
    ///
    /// # Errors
    /// If the size, the komi or the handicap is impossible.
    pub fn check(&self) -> Result<(), RuleError> {
        if !(MIN_SIZE..=MAX_SIZE).contains(&self.size) {
            return Err(RuleError::Size(self.size));
        }
        if !(-Self::MOST_KOMI.0..=Self::MOST_KOMI.0).contains(&self.komi.0) {
            return Err(RuleError::Komi(self.komi));
        }
        let most = most_handicap(self.size);
        if self.handicap == 1 || self.handicap > most {
            return Err(RuleError::Handicap { stones: self.handicap, size: self.size, most });
        }
        Ok(())
    }

    /// Columns and rows, from 0, of the handicap stones.
    #[must_use]
    pub fn handicap_points(&self) -> Vec<(usize, usize)> {
        star_points(self.size, self.handicap)
    }
}

/// The most handicap stones on fixed points: four where the board is small or has no centre line.
fn most_handicap(size: usize) -> u8 {
    match size {
        ..7 => 0,
        7 => 4,
        _ if size.is_multiple_of(2) => 4,
        _ => 9,
    }
}

/// The star points in the order of GTP's `fixed_handicap` (Farnebäck, "GTP version 2", §4.1.1).
fn star_points(size: usize, stones: u8) -> Vec<(usize, usize)> {
    if stones < 2 || size < 7 {
        return Vec::new();
    }
    let low = if size >= 13 { 3 } else { 2 };
    let (high, middle) = (size - 1 - low, size / 2);
    let corners = [(low, low), (high, high), (low, high), (high, low)];
    let sides = [(low, middle), (high, middle), (middle, low), (middle, high)];
    let mut points: Vec<(usize, usize)> = corners.into_iter().take(usize::from(stones)).collect();
    points.extend(sides.into_iter().take(usize::from(stones).saturating_sub(4) / 2 * 2));
    if stones > 4 && stones % 2 == 1 {
        points.push((middle, middle));
    }
    points
}

#[cfg(test)]
mod tests {
    use super::{GoRules, KoRule, Komi, PassRule, PlayoutRule, RuleError, Scoring, SuicideRule};

    #[test]
    fn words_read_back() {
        for ko in [KoRule::Simple, KoRule::Positional, KoRule::Situational, KoRule::None] {
            assert_eq!(ko.to_string().parse(), Ok(ko));
        }
        for scoring in [Scoring::Area, Scoring::Territory, Scoring::VRun, Scoring::Hawk] {
            assert_eq!(scoring.to_string().parse(), Ok(scoring));
        }
        for suicide in [SuicideRule::Forbidden, SuicideRule::Allowed, SuicideRule::Strict] {
            assert_eq!(suicide.to_string().parse(), Ok(suicide));
        }
        for playouts in [PlayoutRule::Eyes, PlayoutRule::OneChain, PlayoutRule::Uniform] {
            assert_eq!(playouts.to_string().parse(), Ok(playouts));
        }
        for passes in [PassRule::End, PassRule::Continue] {
            assert_eq!(passes.to_string().parse(), Ok(passes));
        }
        for (text, halves) in [("7.5", 15), ("0", 0), ("-0.5", -1), ("-3", -6), ("6.5", 13)] {
            assert_eq!(text.parse(), Ok(Komi(halves)));
            assert_eq!(Komi(halves).to_string(), text);
        }
        for text in ["", "7.25", "nan", "inf", "1e9", "seven"] {
            assert!(text.parse::<Komi>().is_err(), "{text}");
        }
    }

    #[test]
    fn impossible_games_are_refused() {
        assert_eq!(GoRules::on(1).check(), Err(RuleError::Size(1)));
        assert_eq!(GoRules::on(30).check(), Err(RuleError::Size(30)));
        assert!(GoRules { handicap: 1, ..GoRules::on(19) }.check().is_err());
        assert!(GoRules { handicap: 5, ..GoRules::on(7) }.check().is_err());
        assert!(GoRules { komi: Komi(i32::MIN), ..GoRules::on(9) }.check().is_err());
    }

    #[test]
    fn handicaps_follow_the_protocol() {
        let stones = |size, handicap| GoRules { handicap, ..GoRules::on(size) }.handicap_points();
        assert_eq!(stones(19, 2), [(3, 3), (15, 15)]);
        assert_eq!(stones(19, 5), [(3, 3), (15, 15), (3, 15), (15, 3), (9, 9)]);
        assert_eq!(stones(9, 3), [(2, 2), (6, 6), (2, 6)]);
        assert_eq!(stones(19, 7)[4..], [(3, 9), (15, 9), (9, 9)]);
        for handicap in 2..=9 {
            let mut points = stones(13, handicap);
            points.sort_unstable();
            points.dedup();
            assert_eq!(points.len(), usize::from(handicap));
        }
    }
}
