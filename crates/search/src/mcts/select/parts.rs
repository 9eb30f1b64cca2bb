//! The value of a child by a selection rule, taken apart: for reports about a tree, not for the
//! descent. `Selection::value` in `rule.rs` is the sum; a test compares the two.

use super::rule::{ChildStatistics, ParentStatistics, Selection, exploration};
use crate::kept::SelectionValue;

impl Selection {
    /// The parts of [`Selection::value`].
    pub(crate) fn parts(self, child: &ChildStatistics, at: &ParentStatistics) -> SelectionValue {
        let plain = SelectionValue { exploitation: child.mean, ..SelectionValue::default() };
        let ucb1 = |c: f64| {
            if c == 0.0 || child.visits == 0.0 { 0.0 } else { c * (2.0 * at.log_visits / child.visits).sqrt() }
        };
        let mixed = |c: f64, beta: f64| {
            let width = ucb1(exploration(c, child.visits, child.amaf.0));
            match child.amaf {
                (0.0, _) => SelectionValue { exploration: width, ..plain },
                // An untried child has no mean to mix.
                (_, mean) if beta >= 1.0 => {
                    SelectionValue { exploitation: 0.0, exploration: width, amaf: mean, bias: 0.0 }
                }
                (_, mean) => SelectionValue {
                    exploitation: (1.0 - beta) * child.mean,
                    exploration: width,
                    amaf: beta * mean,
                    bias: 0.0,
                },
            }
        };
        match self {
            Selection::Ucb1 { c } | Selection::Scan { c } => SelectionValue { exploration: ucb1(c), ..plain },
            Selection::Ucb1Tuned { .. } => SelectionValue { exploration: self.value(child, at) - child.mean, ..plain },
            Selection::UcbE { a, c } => {
                let exploration = match at.horizon {
                    Some(horizon) if child.visits > 0.0 => (a * horizon / child.visits).sqrt(),
                    Some(_) => 0.0,
                    None => ucb1(c),
                };
                SelectionValue { exploration, ..plain }
            }
            Selection::Puct { c } => {
                let exploration = c * child.prior * at.visits.sqrt() / (1.0 + child.visits);
                SelectionValue { exploration, ..plain }
            }
            Selection::Bias { c, w } => {
                SelectionValue { exploration: ucb1(c), bias: w * child.prior / (1.0 + child.visits), ..plain }
            }
            Selection::Rave { c, bias } => {
                let others = child.amaf.0;
                mixed(c, others / (child.visits + others + 4.0 * child.visits * others * bias * bias))
            }
            Selection::RaveBias { c, bias, w } => {
                let others = child.amaf.0;
                let parts = mixed(c, others / (child.visits + others + 4.0 * child.visits * others * bias * bias));
                SelectionValue { bias: w * child.prior / (1.0 + child.visits), ..parts }
            }
            Selection::RaveHand { c, k } => {
                mixed(c, if child.visits == 0.0 { 1.0 } else { (k / (3.0 * at.visits + k)).sqrt() })
            }
            Selection::ProofNumbers { c, w } => {
                SelectionValue { exploration: ucb1(c), bias: w * child.proof_rank, ..plain }
            }
            Selection::Gumbel { .. } => SelectionValue {
                exploitation: child.policy,
                exploration: -child.visits / at.visits,
                ..SelectionValue::default()
            },
            Selection::Auto => unreachable!("auto is resolved before the search"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ChildStatistics, ParentStatistics, Selection};

    /// Every rule, on children with and without visits and all-moves-as-first statistics.
    #[test]
    fn the_parts_add_up_to_the_value() {
        let rules = [
            Selection::Ucb1 { c: 0.7 },
            Selection::Ucb1Tuned { c: 1.0 },
            Selection::UcbE { a: 0.5, c: 1.0 },
            Selection::Puct { c: 1.5 },
            Selection::Bias { c: 0.4, w: 3.0 },
            Selection::Rave { c: 0.0, bias: 0.02 },
            Selection::Rave { c: 0.5, bias: 0.2 },
            Selection::RaveBias { c: 0.1, bias: 0.02, w: 2.0 },
            Selection::RaveHand { c: 0.1, k: 1000.0 },
            Selection::ProofNumbers { c: 0.7, w: 0.3 },
            Selection::Scan { c: 0.7 },
            Selection::gumbel(16, 0.0),
        ];
        let mut rng = tesuji_core::Rng::new(tesuji_core::Seed(3));
        let mut number = |most: u32| f64::from(rng.below(most + 1));
        for round in 0..2_000 {
            let visits = if round % 5 == 0 { 0.0 } else { number(1_000) };
            let child = ChildStatistics {
                visits,
                mean: if visits == 0.0 { 1e6 } else { number(100) / 100.0 },
                variance: number(25) / 100.0,
                amaf: if round % 3 == 0 { (0.0, 0.0) } else { (1.0 + number(5_000), number(100) / 100.0) },
                prior: number(100) / 100.0,
                proof_rank: number(10) / 10.0,
                policy: number(100) / 100.0,
            };
            let parent = visits + 1.0 + number(5_000);
            let horizon = (round % 2 == 0).then_some(100.0);
            let at = ParentStatistics { visits: parent, log_visits: libm::log(parent), horizon, urgency: None };
            for rule in rules {
                let (parts, value) = (rule.parts(&child, &at), rule.value(&child, &at));
                let error = (parts.total() - value).abs() / value.abs().max(1.0);
                assert!(error < 1e-12, "{rule:?}: {parts:?} is not {value} for {child:?}");
            }
        }
    }
}
