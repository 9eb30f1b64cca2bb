//! The reward of a playout: what it adds to the statistics. Proofs use the outcome itself.
//!
//! * `outcome`: the score w of the first player.
//! * `balanced(k)`: w + m/k. V-Run 2016 §7.6: r = w + (pᵢ − pⱼ)/k, k = 100.
//! * `bounded(k)`: w′ + m/k, clamped to [0, 1], w′ = 0.1, ½ or 0.9 for loss, draw and win. V-Run
//!   §7.6, the bounded form.
//! * `margin(k)`: ½ + m/k, clamped to [0, 1]. Hawk 2017, eq. 3.1: s′ = (s + b²)/(2b²), s the
//!   difference of stones on b×b points; with m = 2s half points that is k = 4b², 324 for b = 9.
//!
//! where m is the margin in the game's smallest unit: a half point in Go, so that V-Run's 100
//! points are k = 200. The second player's reward is 1 minus the first player's. A balanced reward
//! is clamped to 2³² score units, about 70,000 wins, so that sums of two billion of them fit.

use tesuji_core::{Outcome, Score};

/// A reward rule.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Reward {
    /// The score.
    Outcome,
    /// The score plus the margin.
    Balanced {
        /// Units of margin worth one win.
        k: f64,
    },
    /// The same, clamped to the range from loss to win.
    Bounded {
        /// Units of margin worth one win.
        k: f64,
    },
    /// The margin alone.
    Margin {
        /// Units of margin from the worst loss to the best win.
        k: f64,
    },
}

/// The largest balanced reward in score units: its square fits into 64 bits.
const MAX_UNITS: i64 = (1 << 32) - 1;

impl Reward {
    /// The reward of an outcome, in score units.
    #[inline]
    pub(crate) fn units(self, outcome: Outcome) -> i64 {
        let score = i64::from(outcome.score.units());
        let unit = f64::from(Score::UNITS);
        match self {
            Reward::Outcome => score,
            Reward::Balanced { k } => {
                let margin = (f64::from(outcome.margin) / k * unit).round() as i64;
                (score + margin.clamp(-MAX_UNITS, MAX_UNITS)).clamp(-MAX_UNITS, MAX_UNITS)
            }
            Reward::Bounded { k } => {
                let base = 0.1 + 0.8 * outcome.score.to_f64();
                ((base + f64::from(outcome.margin) / k).clamp(0.0, 1.0) * unit).round() as i64
            }
            Reward::Margin { k } => ((0.5 + f64::from(outcome.margin) / k).clamp(0.0, 1.0) * unit).round() as i64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Reward;
    use tesuji_core::{Outcome, Score};

    /// Hawk's eq. 3.1 on 5×5 points: s′ = (s + 25)/50 for scores s from −25 to 25.
    #[test]
    fn hawk_s_reward() {
        let units = i64::from(Score::UNITS);
        for (score, tenths) in [(25, 10), (0, 5), (-25, 0), (10, 7), (-5, 4)] {
            assert_eq!(Reward::Margin { k: 100.0 }.units(Outcome::by_margin(2 * score)), units * tenths / 10);
        }
        assert_eq!(Reward::Margin { k: 100.0 }.units(Outcome::by_margin(51)), units, "clamped");
    }

    #[test]
    fn v_runs_rewards() {
        let units = i64::from(Score::UNITS);
        let won = Outcome::by_margin(25);
        assert_eq!(Reward::Outcome.units(won), units);
        assert_eq!(Reward::Balanced { k: 100.0 }.units(won), units * 5 / 4);
        assert_eq!(Reward::Balanced { k: 100.0 }.units(Outcome::by_margin(-25)), -units / 4);
        assert_eq!(Reward::Bounded { k: 1000.0 }.units(won), units * 925 / 1000);
        assert_eq!(Reward::Bounded { k: 100.0 }.units(won), units, "0.9 + 0.25 is kept within 1");
        assert_eq!(Reward::Balanced { k: 1e-3 }.units(Outcome::by_margin(10_000)), super::MAX_UNITS, "sums must fit");
        // What one player gains the other loses.
        for margin in [-300, -40, 0, 7, 99] {
            for reward in
                [Reward::Outcome, Reward::Balanced { k: 70.0 }, Reward::Bounded { k: 70.0 }, Reward::Margin { k: 70.0 }]
            {
                let sum = reward.units(Outcome::by_margin(margin)) + reward.units(Outcome::by_margin(-margin));
                assert!((sum - units).abs() <= 1, "{reward:?} {margin}");
            }
        }
    }
}
