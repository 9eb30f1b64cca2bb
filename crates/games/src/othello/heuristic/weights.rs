//! The weights of the evaluation of Othello by stage of the game, and their text format.
//!
//! > v = Σ over features f of w_f(e) · f, in hundredths of a disc
//!
//! where e is the number of empty squares (on a small board that of an equally full 8×8 board), and
//! w_f is given at [`KNOTS`] and interpolated linearly, so that the evaluation does not jump
//! between moves. The default table is `weights.txt`, made by `tesuji fit othello` from self-play;
//! its head documents the run.

use super::super::Othello;
use super::features::{FEATURES, NAMES, features};
use std::fmt;
use std::str::FromStr;
use tesuji_core::{EVALUATION_LIMIT, Evaluation};

/// The numbers of empty squares for which weights are given.
pub const KNOTS: [u32; 7] = [0, 10, 20, 30, 40, 50, 60];

/// The weights, in hundredths of a disc.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights {
    knots: [[i32; FEATURES]; KNOTS.len()],
    /// For every number of empty squares.
    rows: [[i32; FEATURES]; 65],
    scale: u32,
}

/// Why a text is not a table of weights.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WeightsError {
    /// A line is missing.
    #[error("expected a line that begins with {0}")]
    Missing(String),
    /// Other columns, or another order.
    #[error("expected the columns empties {}", NAMES.join(" "))]
    Columns,
    /// A line with too few or too many numbers, or an invalid one.
    #[error("line {line}: expected {FEATURES} whole numbers within ±{EVALUATION_LIMIT}")]
    Numbers {
        /// Counted from 1.
        line: usize,
    },
    /// The scale is not a positive number.
    #[error("the scale must be a whole number from 1 to {EVALUATION_LIMIT}")]
    Scale,
}

impl Weights {
    /// A table from its rows at [`KNOTS`] and its scale: the points per unit of log odds. Values
    /// out of range are clamped.
    #[must_use]
    pub fn new(knots: [[i32; FEATURES]; KNOTS.len()], scale: u32) -> Weights {
        let knots = knots.map(|row| row.map(|weight| weight.clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT)));
        let rows = std::array::from_fn(|empties| {
            let (below, share) = Weights::place(empties as u32);
            let (low, high) = (&knots[below], &knots[below + 1]);
            std::array::from_fn(|number| {
                let sum = f64::from(low[number]) * (1.0 - share) + f64::from(high[number]) * share;
                sum.round() as i32
            })
        });
        Weights { knots, rows, scale: scale.clamp(1, EVALUATION_LIMIT as u32) }
    }

    /// The knots around a number of empty squares: the lower one, and the share of the upper one.
    #[must_use]
    pub fn place(empties: u32) -> (usize, f64) {
        let below = KNOTS[1..KNOTS.len() - 1].iter().take_while(|knot| **knot <= empties).count();
        let (low, high) = (KNOTS[below], KNOTS[below + 1]);
        (below, (f64::from(empties.min(high)) - f64::from(low)) / f64::from(high - low))
    }

    /// The weights at the knots.
    #[must_use]
    pub fn knots(&self) -> &[[i32; FEATURES]; KNOTS.len()] {
        &self.knots
    }

    /// The number of empty squares, scaled to an 8×8 board.
    #[inline]
    #[must_use]
    pub fn stage(position: &Othello) -> u32 {
        position.empty().count_ones() * 64 / position.board().count_ones()
    }
}

/// As `weights.txt`: a scale, then a line for every knot. A `#` begins a comment.
impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "scale {}", self.scale)?;
        write!(f, "empties")?;
        NAMES.iter().try_for_each(|name| write!(f, " {name}"))?;
        for (knot, row) in KNOTS.iter().zip(&self.knots) {
            write!(f, "\n{knot:>7}")?;
            NAMES.iter().zip(row).try_for_each(|(name, weight)| write!(f, " {weight:>width$}", width = name.len()))?;
        }
        writeln!(f)
    }
}

impl FromStr for Weights {
    type Err = WeightsError;

    fn from_str(text: &str) -> Result<Weights, WeightsError> {
        let mut lines = text.lines().enumerate().filter_map(|(number, line)| {
            let line = line.split('#').next().unwrap_or_default().trim();
            (!line.is_empty()).then_some((number + 1, line))
        });
        let missing = |what: &str| WeightsError::Missing(what.to_string());
        let (_, scale) = lines.next().ok_or_else(|| missing("scale"))?;
        let scale = scale.strip_prefix("scale ").ok_or_else(|| missing("scale"))?;
        let scale = scale.trim().parse().ok().filter(|scale| (1..=EVALUATION_LIMIT as u32).contains(scale));
        let scale = scale.ok_or(WeightsError::Scale)?;
        let (_, head) = lines.next().ok_or(WeightsError::Columns)?;
        if !head.split_whitespace().eq(std::iter::once("empties").chain(NAMES)) {
            return Err(WeightsError::Columns);
        }
        let mut knots = [[0; FEATURES]; KNOTS.len()];
        for (knot, row) in KNOTS.iter().zip(&mut knots) {
            let (line, text) = lines.next().ok_or_else(|| missing(&knot.to_string()))?;
            let mut words = text.split_whitespace();
            if words.next() != Some(knot.to_string().as_str()) {
                return Err(missing(&knot.to_string()));
            }
            let wrong = WeightsError::Numbers { line };
            for weight in row {
                let number = words.next().and_then(|word| word.parse::<i32>().ok());
                let within = |number: &i32| (-EVALUATION_LIMIT..=EVALUATION_LIMIT).contains(number);
                *weight = number.filter(within).ok_or(wrong.clone())?;
            }
            if words.next().is_some() {
                return Err(wrong);
            }
        }
        match lines.next() {
            Some((line, _)) => Err(WeightsError::Numbers { line }),
            None => Ok(Weights::new(knots, scale)),
        }
    }
}

/// The evaluation by a table of weights.
#[derive(Clone, Debug)]
pub struct WeightedFeatures {
    weights: Weights,
}

impl WeightedFeatures {
    /// The evaluation by this table.
    #[must_use]
    pub fn new(weights: Weights) -> WeightedFeatures {
        WeightedFeatures { weights }
    }
}

impl Evaluation<Othello> for WeightedFeatures {
    fn evaluate(&self, position: &Othello) -> i32 {
        let row = &self.weights.rows[Weights::stage(position) as usize];
        let value: i32 = features(position).iter().zip(row).map(|(feature, weight)| feature * weight).sum();
        value.clamp(1 - EVALUATION_LIMIT, EVALUATION_LIMIT - 1)
    }

    fn scale(&self) -> f64 {
        f64::from(self.weights.scale)
    }
}
