//! The selection rules: which open child to descend to.
//!
//! With X̄ the child's mean for the player who chooses, n its visits, N its parent's visits and P
//! its prior:
//!
//! * `ucb1(c)`: X̄ + c·√(2 ln N / n). Auer, Cesa-Bianchi & Fischer 2002; Kocsis & Szepesvári 2006
//!   (UCT).
//! * `ucb1-tuned(c)`: X̄ + c·√(ln N / n · min(¼, V)), V = s² + √(2 ln N / n), s² the sample
//!   variance. Auer et al. 2002 §4.
//! * `ucb-e(a, c)`: at the root X̄ + √(a·(T/K) / n) with T the iterations of the budget and K the
//!   root's moves; below it `ucb1(c)`. Audibert, Bubeck & Munos 2010.
//! * `puct(c)`: X̄ + c·P·√N/(1 + n). Rosin 2011; Silver et al. 2017.
//! * `bias(c, w)`: X̄ + c·√(2 ln N / n) + w·P/(1 + n). Chaslot et al. 2008, progressive bias.
//! * `rave(c, bias)`: (1−β)·X̄ + β·X̃ + c·√(2 ln N / n), β = ñ/(n + ñ + 4nñ·bias²). Gelly & Silver
//!   2011, minimum mean squared error.
//! * `rave-bias(c, bias, w)`: `rave(c, bias)` + w·P/(1 + n).
//! * `rave-hand(c, k)`: the same with β = √(k/(3N + k)). Gelly & Silver 2007, hand-tuned.
//! * `pn(c, w)`: X̄ + c·√(2 ln N / n) + w·(1 − rank/ranks), the rank of the child's (dis)proof
//!   number for the mover, ascending. Kowalski, Doe, Winands, Górski & Soemers 2024, PN-MCTS.
//! * `gumbel(…)`: π′ − n/(1 + ΣN), π′ the improved policy; see `gumbel_root.rs`. Danihelka et al. 2022.
//! * `scan(c)`: no descent; the node of the whole tree with the highest `ucb1(c)` for its parent's
//!   mover is expanded. Hawk 2017 as programmed; for comparison only.
//!
//! where X̃ and ñ count all playouts in which the same player played the move later. Rewards are in
//! [0, 1]. Other conventions: X̄ + √(C ln N / n) is c = √(C/2) (V-Run); rewards in [−1, 1] with
//! constant C are c = C/2 (Li); both together are c = √(C/2)/2 (Zhang). The text `uct(c)` takes the
//! constants of V-Run and Zhang and means `ucb1`. c = 0 is pure exploitation. The second player uses 1 − X̄ and
//! the same exploration term: the lowest lower confidence bound of the first player's mean.
//!
//! A move that was visited and never played later (ñ ≤ n) has no all-moves-as-first statistics of
//! its own. The `rave` rules give it at least c = 0.2: with c = 0, Hex's swap would not be tried
//! again after one lost playout.
//!
//! Audibert et al. set the exploration of UCB-E to (25/36)·(T − K)/H, where H is the complexity of
//! the problem, which is not known in advance; `a` stands for 25K/(36H).
//!
//! Erratum: Lin prints ½ΣX² for the variance of UCB1-Tuned; it is (1/n)ΣX² − X̄².

/// A selection rule.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Selection {
    /// What suits the game: RAVE where moves commute, UCB1 elsewhere.
    Auto,
    /// UCB1 with its constant.
    Ucb1 {
        /// Exploration.
        c: f64,
    },
    /// UCB1-Tuned with a factor on its width (1 in the paper).
    Ucb1Tuned {
        /// Exploration.
        c: f64,
    },
    /// UCB-E at the root, UCB1 below.
    UcbE {
        /// Exploration at the root.
        a: f64,
        /// Exploration below it.
        c: f64,
    },
    /// PUCT.
    Puct {
        /// Exploration.
        c: f64,
    },
    /// UCB1 with progressive bias.
    Bias {
        /// Exploration.
        c: f64,
        /// The weight of the prior.
        w: f64,
    },
    /// RAVE with the minimum-mean-squared-error schedule.
    Rave {
        /// Exploration.
        c: f64,
        /// The assumed bias of all-moves-as-first values.
        bias: f64,
    },
    /// RAVE with progressive bias.
    RaveBias {
        /// Exploration.
        c: f64,
        /// The assumed bias of all-moves-as-first values.
        bias: f64,
        /// The weight of the prior.
        w: f64,
    },
    /// RAVE with the hand-tuned schedule.
    RaveHand {
        /// Exploration.
        c: f64,
        /// The number of parent visits at which both values have the same weight.
        k: f64,
    },
    /// UCB1 with proof numbers as a bias.
    ProofNumbers {
        /// Exploration.
        c: f64,
        /// The weight of the rank.
        w: f64,
    },
    /// The best node of the whole tree.
    Scan {
        /// Exploration.
        c: f64,
    },
    /// The improved policy, with sequential halving at the root.
    Gumbel {
        /// Root moves that sequential halving considers; 0 has no schedule.
        considered: u32,
        /// c_visit.
        visit: f64,
        /// c_scale.
        scale: f64,
        /// The scale of the Gumbel noise at the root.
        noise: f64,
    },
}

/// What a rule sees of one child, from the mover's point of view.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ChildStatistics {
    /// Visits.
    pub(crate) visits: f64,
    /// The mean, or the first-play urgency of an untried child.
    pub(crate) mean: f64,
    /// The sample variance.
    pub(crate) variance: f64,
    /// Visits and mean of all-moves-as-first.
    pub(crate) amaf: (f64, f64),
    pub(crate) prior: f64,
    /// The rank of its proof number: 1 for the best, 0 for the worst.
    pub(crate) proof_rank: f64,
    /// The improved policy.
    pub(crate) policy: f64,
}

/// What a rule sees of the node whose children it compares.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ParentStatistics {
    /// Its visits, at least one.
    pub(crate) visits: f64,
    /// Their natural logarithm.
    pub(crate) log_visits: f64,
    /// At the root, where the rule needs it: iterations of the budget per move.
    pub(crate) horizon: Option<f64>,
    /// What an untried child is worth, where that depends on the node; else the recipe says it.
    pub(crate) urgency: Option<f64>,
}

impl Selection {
    /// UCB1 with the constant of v + √(C ln N / n), where a win is worth 1 and a loss −1 or 0.
    #[must_use]
    pub fn uct(constant: f64, loss_is_minus_one: bool) -> Selection {
        Selection::Ucb1 { c: (constant / 2.0).sqrt() / if loss_is_minus_one { 2.0 } else { 1.0 } }
    }

    /// The rule of the agent `zero`, with the constants of mctx.
    #[must_use]
    pub fn gumbel(considered: u32, noise: f64) -> Selection {
        Selection::Gumbel { considered, visit: 50.0, scale: 0.1, noise }
    }

    pub(crate) fn needs_squares(self) -> bool {
        matches!(self, Selection::Ucb1Tuned { .. })
    }

    pub(crate) fn needs_amaf(self) -> bool {
        matches!(self, Selection::Rave { .. } | Selection::RaveBias { .. } | Selection::RaveHand { .. })
    }

    pub(crate) fn needs_prior(self) -> bool {
        matches!(
            self,
            Selection::Puct { .. } | Selection::Bias { .. } | Selection::RaveBias { .. } | Selection::Gumbel { .. }
        )
    }

    pub(crate) fn needs_proof_numbers(self) -> bool {
        matches!(self, Selection::ProofNumbers { .. })
    }

    /// The value of a child.
    #[inline]
    pub(crate) fn value(self, child: &ChildStatistics, at: &ParentStatistics) -> f64 {
        let ucb1 = |c: f64| {
            if c == 0.0 || child.visits == 0.0 { 0.0 } else { c * (2.0 * at.log_visits / child.visits).sqrt() }
        };
        match self {
            Selection::Ucb1 { c } | Selection::Scan { c } => child.mean + ucb1(c),
            Selection::Ucb1Tuned { c } => {
                if child.visits == 0.0 {
                    return child.mean;
                }
                let bound = child.variance + (2.0 * at.log_visits / child.visits).sqrt();
                child.mean + c * (at.log_visits / child.visits * bound.min(0.25)).sqrt()
            }
            Selection::UcbE { a, c } => match at.horizon {
                Some(horizon) if child.visits > 0.0 => child.mean + (a * horizon / child.visits).sqrt(),
                Some(_) => child.mean,
                None => child.mean + ucb1(c),
            },
            Selection::Puct { c } => child.mean + c * child.prior * at.visits.sqrt() / (1.0 + child.visits),
            Selection::Bias { c, w } => child.mean + ucb1(c) + w * child.prior / (1.0 + child.visits),
            Selection::Rave { c, bias } => {
                let (others, mean) = child.amaf;
                let c = exploration(c, child.visits, others);
                if others == 0.0 {
                    return child.mean + ucb1(c);
                }
                let beta = others / (child.visits + others + 4.0 * child.visits * others * bias * bias);
                blend(beta, child, mean) + ucb1(c)
            }
            Selection::RaveBias { c, bias, w } => {
                Selection::Rave { c, bias }.value(child, at) + w * child.prior / (1.0 + child.visits)
            }
            Selection::RaveHand { c, k } => {
                let (others, mean) = child.amaf;
                let c = exploration(c, child.visits, others);
                if others == 0.0 {
                    return child.mean + ucb1(c);
                }
                let beta = if child.visits == 0.0 { 1.0 } else { (k / (3.0 * at.visits + k)).sqrt() };
                blend(beta, child, mean) + ucb1(c)
            }
            Selection::ProofNumbers { c, w } => child.mean + ucb1(c) + w * child.proof_rank,
            Selection::Gumbel { .. } => child.policy - child.visits / at.visits,
            Selection::Auto => unreachable!("auto is resolved before the search"),
        }
    }

    /// The constant of the confidence interval in reports: the rule's own, or UCB1's default where
    /// the rule has none.
    pub(crate) fn width(self) -> f64 {
        let own = match self {
            Selection::Ucb1 { c }
            | Selection::Ucb1Tuned { c }
            | Selection::UcbE { c, .. }
            | Selection::Puct { c }
            | Selection::Bias { c, .. }
            | Selection::Rave { c, .. }
            | Selection::RaveBias { c, .. }
            | Selection::RaveHand { c, .. }
            | Selection::ProofNumbers { c, .. }
            | Selection::Scan { c } => c,
            Selection::Gumbel { .. } | Selection::Auto => 0.0,
        };
        if own > 0.0 { own } else { DEFAULT_WIDTH }
    }
}

/// The minimal exploration constant of moves without all-moves-as-first statistics. It is small: in
/// Go such moves fill eyes.
const MIN_EXPLORATION: f64 = 0.2;

/// The constant of confidence intervals in reports where the rule has none of its own.
const DEFAULT_WIDTH: f64 = 0.7;

/// The exploration constant of RAVE for a move. A move that was visited and never played later is
/// known by its own visits alone. Hex's swap always is, and would never be tried again after one
/// lost playout; other moves are for a visit or two.
#[inline]
pub(crate) fn exploration(c: f64, visits: f64, later: f64) -> f64 {
    if visits > 0.0 && later <= visits { c.max(MIN_EXPLORATION) } else { c }
}

/// UCB1 of a child with a sum of rewards `won`: one division, one square root.
#[inline]
pub(crate) fn ucb1(won: f64, visits: f64, c: f64, log_visits: f64) -> f64 {
    let part = 1.0 / visits;
    won * part + c * (2.0 * log_visits * part).sqrt()
}

/// Whether [`ucb1`] is certainly below `low`, with `reach` = 2·c²·ln N:
/// W/n + √(reach/n) < low ⟺ low·n − W > √(reach·n). The test needs neither division nor square root
/// and rejects nearly all children.
#[inline]
pub(crate) fn ucb1_is_below(low: f64, won: f64, visits: f64, reach: f64) -> bool {
    let gap = low * visits - won;
    gap > 0.0 && gap * gap > reach * visits
}

/// A bound far enough below a value that rounding cannot change the comparison.
#[inline]
pub(crate) fn clearly_below(value: f64) -> f64 {
    value - 1e-9 * (1.0 + value.abs())
}

/// RAVE's value of a child with visits or all-moves-as-first statistics, without exploration. With
/// W and W̃ the sums of rewards, (1−β)·W/n + β·W̃/ñ = (W·(1 + 4ñ·bias²) + W̃)/(n + ñ + 4nñ·bias²):
/// one division.
#[inline]
pub(crate) fn rave(won: f64, visits: f64, won_later: f64, later: f64, bias: f64) -> f64 {
    let spread = 4.0 * later * bias * bias;
    (won * (1.0 + spread) + won_later) / (visits + later + visits * spread)
}

/// Whether [`rave`] with an exploration term is certainly below `low`, with `reach` = 2·c²·ln N (0
/// without visits or exploration).
#[inline]
pub(crate) fn rave_is_below(
    low: f64,
    won: f64,
    visits: f64,
    won_later: f64,
    later: f64,
    bias: f64,
    reach: f64,
) -> bool {
    let spread = 4.0 * later * bias * bias;
    let scale = visits + later + visits * spread;
    let gap = low * scale - (won * (1.0 + spread) + won_later);
    gap > 0.0 && (reach == 0.0 || gap * gap * visits > reach * scale * scale)
}

fn blend(beta: f64, child: &ChildStatistics, others: f64) -> f64 {
    if beta >= 1.0 { others } else { (1.0 - beta) * child.mean + beta * others }
}

#[cfg(test)]
mod tests {
    use super::{
        ChildStatistics, MIN_EXPLORATION, ParentStatistics, Selection, clearly_below, rave, rave_is_below, ucb1,
        ucb1_is_below,
    };

    fn at(visits: f64) -> ParentStatistics {
        ParentStatistics { visits, log_visits: libm::log(visits), horizon: None, urgency: None }
    }

    fn child(visits: f64, mean: f64) -> ChildStatistics {
        ChildStatistics { visits, mean, variance: mean * (1.0 - mean), ..ChildStatistics::default() }
    }

    #[test]
    fn ucb1_by_hand() {
        let rule = Selection::Ucb1 { c: 1.0 };
        // Lin, Table 3.1.1: 23 tries of mean ½ after 479, with the thesis's logarithm to base 10.
        let parent = ParentStatistics { log_visits: libm::log10(479.0), ..at(479.0) };
        let printed = rule.value(&child(23.0, 0.5), &parent);
        assert!((printed - 0.9828).abs() < 5e-5, "{printed}");
        let honest = rule.value(&child(23.0, 0.5), &at(479.0));
        assert!((honest - 1.2326).abs() < 5e-5, "{honest}");
    }

    /// Zhang's v + √(C ln n_p / n_i), v in [−1, 1], C = √2: v = 0.2 after 50 visits of 1,000 is
    /// 0.2 + √(1.41421·6.90776/50) = 0.642019. V-Run's has wins of 1 and losses of 0.
    #[test]
    fn constants_in_their_authors_units() {
        let zhang = Selection::uct(2_f64.sqrt(), true).value(&child(50.0, 0.6), &at(1000.0));
        assert!((2.0 * zhang - 1.0 - 0.642_019).abs() < 1e-6, "{}", 2.0 * zhang - 1.0);
        let v_run = Selection::uct(2.0, false).value(&child(50.0, 0.6), &at(1000.0));
        assert!((v_run - (0.6 + (2.0 * libm::log(1000.0) / 50.0).sqrt())).abs() < 1e-12, "{v_run}");
        assert_eq!(Selection::uct(0.0, true), Selection::Ucb1 { c: 0.0 }, "the pure MCTS solver");
    }

    #[test]
    fn ucb1_tuned_by_hand() {
        // 6 wins of 10, N = 100: V = 0.24 + √(2·4.605/10) = 1.2, so the bound is ¼.
        let found = Selection::Ucb1Tuned { c: 1.0 }.value(&child(10.0, 0.6), &at(100.0));
        assert!((found - (0.6 + (libm::log(100.0) / 10.0 * 0.25).sqrt())).abs() < 1e-12);
        // 99,000 wins of 100,000, N = 200,000: V = 0.0099 + 0.01562 = 0.0255, below ¼.
        let found = Selection::Ucb1Tuned { c: 1.0 }.value(&child(1e5, 0.99), &at(2e5));
        let log = libm::log(2e5);
        let bound = 0.99 * 0.01 + (2.0 * log / 1e5).sqrt();
        assert!((found - (0.99 + (log / 1e5 * bound).sqrt())).abs() < 1e-9);
    }

    /// A child is rejected only if its value is below the best, and children far below it are
    /// rejected.
    #[test]
    fn rejected_children_are_worse() {
        let mut rng = tesuji_core::Rng::new(tesuji_core::Seed(7));
        let mut number = |most: u32| f64::from(rng.below(most + 1));
        let (mut rejected, mut worse) = (0, 0);
        for round in 0..20_000 {
            let (visits, later) = (1.0 + number(1_000), number(1_000));
            let (won, won_later) = ((visits * number(100) / 100.0).floor(), (later * number(100) / 100.0).floor());
            let (log, bias) = (libm::log(visits + number(100_000)), number(10) / 100.0);
            let c = if round % 3 == 0 { 0.0 } else { number(20) / 10.0 };
            let reach = 2.0 * c * c * log;
            let plain = ucb1(won, visits, c, log);
            let with_later = rave(won, visits, won_later, later, bias) + c * (2.0 * log / visits).sqrt();
            // Includes a best value that is equal to the last bit.
            for best in [plain, with_later, number(200) / 100.0, 1e6] {
                let low = clearly_below(best);
                let below = [
                    (plain, ucb1_is_below(low, won, visits, reach)),
                    (with_later, rave_is_below(low, won, visits, won_later, later, bias, reach)),
                ];
                for (value, is_below) in below {
                    assert!(!is_below || value < best, "{value} against {best}");
                    assert!(is_below || value > best - 1e-6 * (1.0 + best.abs()), "{value} against {best}");
                    rejected += u32::from(is_below);
                    worse += u32::from(value < best);
                }
            }
        }
        assert!(rejected > 50_000 && worse >= rejected, "{rejected} of {worse}");
        assert!(!ucb1_is_below(f64::NEG_INFINITY, 0.0, 1.0, 0.0), "nothing is below nothing");
    }

    #[test]
    fn the_short_forms_are_the_rules() {
        let rule = Selection::Ucb1 { c: 0.6 };
        for (won, visits) in [(0.0, 1.0), (3.5, 7.0), (900.0, 1000.0)] {
            let long = rule.value(&child(visits, won / visits), &at(5000.0));
            assert!((ucb1(won, visits, 0.6, libm::log(5000.0)) - long).abs() < 1e-12);
            for later in [1.0, 50.0, 2000.0] {
                let rule = Selection::Rave { c: 0.0, bias: 0.05 };
                let known = ChildStatistics { amaf: (later, 0.3), ..child(visits, won / visits) };
                let short = rave(won, visits, 0.3 * later, later, 0.05);
                // A move never played later keeps some exploration.
                let width = MIN_EXPLORATION * (2.0 * libm::log(5000.0) / visits).sqrt();
                let short = short + if later <= visits { width } else { 0.0 };
                assert!((short - rule.value(&known, &at(5000.0))).abs() < 1e-12);
            }
            assert!((rave(won, visits, 0.0, 0.0, 0.05) - won / visits).abs() < 1e-12, "nothing later: the mean");
        }
        assert!((rave(0.0, 0.0, 30.0, 100.0, 0.05) - 0.3).abs() < 1e-12, "untried: all moves as first");
    }

    #[test]
    fn ucb_e_looks_at_the_horizon_at_the_root_only() {
        let rule = Selection::UcbE { a: 0.5, c: 1.0 };
        // 1,000 iterations on 10 moves: a·T/K = 50, √(50/8) = 2.5.
        let root = ParentStatistics { horizon: Some(100.0), ..at(300.0) };
        assert!((rule.value(&child(8.0, 0.25), &root) - 2.75).abs() < 1e-12);
        let below = rule.value(&child(8.0, 0.25), &at(300.0));
        assert_eq!(below, Selection::Ucb1 { c: 1.0 }.value(&child(8.0, 0.25), &at(300.0)));
    }

    #[test]
    fn priors_fade() {
        let known = ChildStatistics { prior: 0.25, ..child(3.0, 0.5) };
        // 0.5 + 2·0.25·√64/4 = 1.5.
        assert!((Selection::Puct { c: 2.0 }.value(&known, &at(64.0)) - 1.5).abs() < 1e-12);
        // 0.5 + 8·0.25/4 = 1.
        assert!((Selection::Bias { c: 0.0, w: 8.0 }.value(&known, &at(64.0)) - 1.0).abs() < 1e-12);
        // n = 10, ñ = 100 as below, and 3·0.25/11.
        let both = ChildStatistics { prior: 0.25, amaf: (100.0, 0.7), ..child(10.0, 0.1) };
        let found = Selection::RaveBias { c: 0.0, bias: 0.1, w: 3.0 }.value(&both, &at(50.0));
        assert!((found - (0.1 / 3.0 + 0.7 * 2.0 / 3.0 + 0.75 / 11.0)).abs() < 1e-12, "{found}");
        let often = ChildStatistics { prior: 0.25, ..child(1e6, 0.5) };
        assert!((Selection::Bias { c: 0.0, w: 8.0 }.value(&often, &at(2e6)) - 0.5).abs() < 1e-5);
    }

    #[test]
    fn proof_numbers_bias_by_rank() {
        let best = ChildStatistics { proof_rank: 1.0, ..child(4.0, 0.5) };
        assert!((Selection::ProofNumbers { c: 0.0, w: 0.3 }.value(&best, &at(9.0)) - 0.8).abs() < 1e-12);
    }

    #[test]
    fn rave_moves_from_all_moves_as_first_to_the_mean() {
        let rule = Selection::Rave { c: 0.0, bias: 0.1 };
        let with = |visits, mean| ChildStatistics { amaf: (100.0, 0.7), ..child(visits, mean) };
        assert_eq!(rule.value(&with(0.0, 1e6), &at(10.0)), 0.7, "untried: all AMAF");
        // n = 10, ñ = 100: β = 100/(110 + 4·1000·0.01) = 100/150.
        let found = rule.value(&with(10.0, 0.1), &at(50.0));
        assert!((found - (0.1 / 3.0 + 0.7 * 2.0 / 3.0)).abs() < 1e-12, "{found}");
        let often = ChildStatistics { amaf: (2e6, 0.7), ..child(1e6, 0.1) };
        assert!((rule.value(&often, &at(2e6)) - 0.1).abs() < 1e-4);
        // Hand-tuned: at 3N = k the weights are √½.
        let found = Selection::RaveHand { c: 0.0, k: 3000.0 }.value(&with(10.0, 0.1), &at(1000.0));
        let beta = 0.5_f64.sqrt();
        assert!((found - ((1.0 - beta) * 0.1 + beta * 0.7)).abs() < 1e-12);
    }
}
