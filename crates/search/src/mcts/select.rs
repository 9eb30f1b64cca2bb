//! Selection: which open child to descend to.
//!
//! With X̄ the child's mean for the player who chooses, n its visits and N its parent's:
//!
//! | rule | value | reference |
//! |---|---|---|
//! | `ucb1(c)` | X̄ + c·√(2 ln N / n) | Auer, Cesa-Bianchi & Fischer 2002; Kocsis & Szepesvári 2006 (UCT) |
//! | `ucb1-tuned(c)` | X̄ + c·√(ln N / n · min(¼, V)), V = s² + √(2 ln N / n), s² the sample variance | Auer et al. 2002 §4 |
//! | `rave(c, bias)` | (1−β)·X̄ + β·X̃ + c·√(2 ln N / n), β = ñ/(n + ñ + 4nñ·bias²) | Gelly & Silver 2011, minimum mean squared error |
//! | `rave-hand(c, k)` | the same with β = √(k/(3N + k)) | Gelly & Silver 2007, hand-tuned |
//!
//! where X̃ and ñ count all playouts in which the move was played later by the same player. Rewards are in
//! [0, 1]. Other conventions: X̄ + √(C ln N / n) is c = √(C/2) (V-Run, Zhang); rewards in [−1, 1] with constant
//! C are c = C/2 (Li). c = 0 is pure exploitation.
//!
//! Erratum: Lin prints ½ΣX² for the variance of UCB1-Tuned; it is (1/n)ΣX² − X̄².

use super::tree::{Amaf, Node};
use tesuji_core::{Player, Score};

/// A selection rule.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Selection {
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
    /// RAVE with the minimum-mean-squared-error schedule.
    Rave {
        /// Exploration.
        c: f64,
        /// The assumed bias of all-moves-as-first values.
        bias: f64,
    },
    /// RAVE with the hand-tuned schedule.
    RaveHand {
        /// Exploration.
        c: f64,
        /// After how many visits of the parent both values weigh the same.
        k: f64,
    },
}

/// What a rule sees of one child.
pub(super) struct Candidate<'a> {
    pub(super) node: &'a Node,
    pub(super) squares: u64,
    pub(super) amaf: Amaf,
}

impl Selection {
    pub(super) fn needs_squares(self) -> bool {
        matches!(self, Selection::Ucb1Tuned { .. })
    }

    pub(super) fn needs_amaf(self) -> bool {
        matches!(self, Selection::Rave { .. } | Selection::RaveHand { .. })
    }

    /// The value of a child for `mover`; `log_visits` is ln N, `urgency` the value of a child nobody has tried.
    #[inline]
    pub(super) fn value(self, child: &Candidate<'_>, mover: Player, visits: f64, log_visits: f64, urgency: f64) -> f64 {
        let node = child.node;
        let tried = f64::from(node.visits);
        let explore = |c: f64| if c == 0.0 || node.visits == 0 { 0.0 } else { c * (2.0 * log_visits / tried).sqrt() };
        let mean = || if node.visits == 0 { urgency } else { node.mean_for(mover) };
        match self {
            Selection::Ucb1 { c } => mean() + explore(c),
            Selection::Ucb1Tuned { c } => {
                if node.visits == 0 {
                    return urgency;
                }
                let unit = f64::from(Score::UNITS);
                let mean = node.units as f64 / (tried * unit);
                let variance = (child.squares as f64 / (tried * unit * unit) - mean * mean).max(0.0);
                let bound = variance + (2.0 * log_visits / tried).sqrt();
                node.mean_for(mover) + c * (log_visits / tried * bound.min(0.25)).sqrt()
            }
            Selection::Rave { c, bias } => {
                let others = f64::from(child.amaf.visits);
                if child.amaf.visits == 0 {
                    return mean() + explore(c);
                }
                let beta = others / (tried + others + 4.0 * tried * others * bias * bias);
                blend(beta, mean, child.amaf, mover) + explore(c)
            }
            Selection::RaveHand { c, k } => {
                if child.amaf.visits == 0 {
                    return mean() + explore(c);
                }
                let beta = if node.visits == 0 { 1.0 } else { (k / (3.0 * visits + k)).sqrt() };
                blend(beta, mean, child.amaf, mover) + explore(c)
            }
        }
    }
}

fn blend(beta: f64, mean: impl Fn() -> f64, amaf: Amaf, mover: Player) -> f64 {
    let others = amaf.units as f64 / (f64::from(amaf.visits) * f64::from(Score::UNITS));
    let others = if mover == Player::First { others } else { 1.0 - others };
    if beta >= 1.0 { others } else { (1.0 - beta) * mean() + beta * others }
}

#[cfg(test)]
mod tests {
    use super::super::tree::{Amaf, Columns, Node, ROOT, Tree};
    use super::{Candidate, Selection};
    use tesuji_core::{Player, Score};

    fn node(wins: u64, visits: u32) -> Node {
        let mut node = *Tree::new(Columns::default(), 1000).node(ROOT);
        node.units = wins * u64::from(Score::UNITS);
        node.visits = visits;
        node
    }

    fn value(rule: Selection, node: &Node, amaf: Amaf, mover: Player, parent: f64) -> f64 {
        // Wins and losses only, so the sum of squares is the sum of wins in squared units.
        let squares = node.units * u64::from(Score::UNITS);
        rule.value(&Candidate { node, squares, amaf }, mover, parent, libm::log(parent), 1e9)
    }

    /// Lin's Table 3.1.1 uses log10; with it the normal move's bound is 0.5 + √(2·log10(479)/23) = 0.9828.
    #[test]
    fn ucb1_by_the_published_arithmetic() {
        let mut normal = node(0, 23);
        normal.units = 23 * u64::from(Score::UNITS) / 2;
        let rule = Selection::Ucb1 { c: 1.0 };
        let candidate = Candidate { node: &normal, squares: 0, amaf: Amaf::default() };
        let printed = rule.value(&candidate, Player::First, 479.0, libm::log10(479.0), 1e9);
        assert!((printed - 0.9828).abs() < 5e-5, "{printed}");
        let honest = value(rule, &normal, Amaf::default(), Player::First, 479.0);
        assert!((honest - 1.2326).abs() < 5e-5, "{honest}");
        // The other side's bound is the mirror image: its LCB.
        assert!((value(rule, &normal, Amaf::default(), Player::Second, 479.0) - honest).abs() < 1e-12);
    }

    #[test]
    fn ucb1_tuned_by_hand() {
        // 6 wins of 10, N = 100: V = 0.24 + √(2·4.605/10) = 1.2, so the bound is ¼.
        let child = node(6, 10);
        let found = value(Selection::Ucb1Tuned { c: 1.0 }, &child, Amaf::default(), Player::First, 100.0);
        assert!((found - (0.6 + (libm::log(100.0) / 10.0 * 0.25).sqrt())).abs() < 1e-12);
        // 99,000 wins of 100,000, N = 200,000: V = 0.0099 + 0.01562 = 0.0255, below ¼.
        let child = node(99_000, 100_000);
        let found = value(Selection::Ucb1Tuned { c: 1.0 }, &child, Amaf::default(), Player::First, 200_000.0);
        let log = libm::log(200_000.0);
        let bound = 0.99 * 0.01 + (2.0 * log / 100_000.0).sqrt();
        assert!((found - (0.99 + (log / 100_000.0 * bound).sqrt())).abs() < 1e-9);
    }

    #[test]
    fn rave_moves_from_all_moves_as_first_to_the_mean() {
        let amaf = Amaf { units: 70 * u64::from(Score::UNITS), visits: 100 };
        let rule = Selection::Rave { c: 0.0, bias: 0.1 };
        assert_eq!(value(rule, &node(0, 0), amaf, Player::First, 10.0), 0.7, "untried: all AMAF");
        // n = 10, ñ = 100: β = 100/(110 + 4·1000·0.01) = 100/150.
        let found = value(rule, &node(1, 10), amaf, Player::First, 50.0);
        assert!((found - (0.1 / 3.0 + 0.7 * 2.0 / 3.0)).abs() < 1e-12, "{found}");
        let late = value(rule, &node(100_000, 1_000_000), amaf, Player::First, 2e6);
        assert!((late - 0.1).abs() < 1e-4, "{late}");
        // Hand-tuned: at 3N = k the weights are √½.
        let hand = Selection::RaveHand { c: 0.0, k: 3000.0 };
        let found = value(hand, &node(1, 10), amaf, Player::First, 1000.0);
        let beta = 0.5_f64.sqrt();
        assert!((found - ((1.0 - beta) * 0.1 + beta * 0.7)).abs() < 1e-12);
    }
}
