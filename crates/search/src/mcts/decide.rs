//! The final choice among the root's children.
//!
//! | rule | picks | reference |
//! |---|---|---|
//! | `max` | the highest mean | Chaslot et al. 2008, as are the others |
//! | `robust` | the most visits | |
//! | `robust-max` | the most visits; among equals the highest mean | |
//! | `wins-and-visits` | the highest wins + visits | V-Run 2016 §3.1.2, robust-max |
//! | `secure(a)` | the highest mean − a/√n | |
//! | `secure-plus(a)` | the highest v + a/√n, v = 2·mean − 1 | Zhang 2019 §2.2.3, §5.3.2 |
//!
//! V-Run's robust-max child has "both highest wins and visit count". Such a child also has the
//! highest sum; where no child has both, V-Run does not say what is chosen, and the sum decides
//! (Chaslot et al. search on). Zhang's values are in [−1, 1], and the sign is the opposite of
//! Chaslot's: of two equal values the one with fewer visits is preferred.
//!
//! Proved results come first: if the root is proved, a move that preserves its value is played;
//! otherwise a proved move is played if it is at least as good as the mean of the move the rule
//! picks.
//!
//! Two further rules serve games against people. *Resign*: if the mean of the chosen move is below
//! `resign` after at least 100 visits, or 10 with `leaf=net`, whose values are no samples. *Pass*: in a decided game (the chosen move's mean within 0.1
//! of a win or a loss) a pass that costs at most `pass` replaces the chosen move, so that the
//! search does not fill the board. One visit of the root in 32 goes to the pass, so that its value
//! is known. 0 disables either rule. *Imitate*: where a pass ends the game, the opponent has just
//! passed; with `imitate=true` the answer is a pass, without a search. V-Run 2016 §6.2.1: "when the
//! human player pass his/her turn, thinking the game is over, V-Run imitates the player".

use super::tree::Node;
use crate::root_moves::best_index;
use tesuji_core::{Bounds, Player, Rng};

/// A rule for the final choice.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Decision {
    /// The highest mean.
    Max,
    /// The most visits.
    Robust,
    /// The most visits, then the highest mean.
    RobustMax,
    /// The highest sum of wins and visits.
    WinsAndVisits,
    /// The highest lower bound.
    Secure {
        /// The weight of uncertainty.
        a: f64,
    },
    /// The highest upper bound, for values in [−1, 1].
    SecurePlus {
        /// The weight of uncertainty.
        a: f64,
    },
}

/// Visits of the chosen move before the search may resign: by playouts, and by a network's values.
const RESIGN_VISITS: [u32; 2] = [100, 10];
/// Visits of the chosen move and of the pass before the pass rule applies.
const PASS_VISITS: u32 = 10;
/// The largest distance of a decided game's mean from a win or a loss.
const DECIDED: f64 = 0.1;

impl Decision {
    /// The sort key of an unproved child, for the mover.
    fn key(self, child: &Node, mover: Player) -> (f64, f64) {
        if child.is_excluded() {
            return (-1e10, 0.0);
        }
        if child.visits() == 0 {
            return (-1e9, 0.0);
        }
        let (visits, mean) = (f64::from(child.visits()), expected(child, mover));
        match self {
            Decision::Max => (mean, visits),
            Decision::Robust => (visits, 0.0),
            Decision::RobustMax => (visits, mean),
            Decision::WinsAndVisits => (visits + visits * mean, visits),
            Decision::Secure { a } => (mean - a / visits.sqrt(), visits),
            // v + a/√n = 2·(mean + a/(2√n)) − 1.
            Decision::SecurePlus { a } => (mean + a / (2.0 * visits.sqrt()), visits),
        }
    }

    /// The child to play, ties broken at random; nothing if there are no children. `own` replaces
    /// the keys of children that are neither proved nor excluded.
    pub(crate) fn choose(
        self,
        children: &[Node],
        root: Bounds,
        mover: Player,
        own: Option<&[(f64, f64)]>,
        rng: &mut Rng,
    ) -> Option<usize> {
        let sure = |child: &Node| child.bounds().for_player(mover).0;
        if root.proved().is_some() {
            let value = root.for_player(mover).0;
            // After recycling, the child that preserves the value may be unproved: then the rule
            // decides.
            if children.iter().any(|child| sure(child) == value) {
                let keeps = |child: &Node| (sure(child) == value, !child.is_excluded(), child.visits());
                return best_index(children.iter().map(keeps), rng);
            }
        }
        // The best unproved move by the rule, and the best proved one by its score. Moves that
        // cannot beat a guaranteed score come last.
        let most_sure = children.iter().map(sure).max()?;
        let dominated = |child: &Node| child.bounds().for_player(mover).1 <= most_sure && sure(child) < most_sure;
        let unproved = |(number, child): (usize, &Node)| match child.bounds().proved() {
            None if dominated(child) => (-1e11, 0.0),
            None => match own.and_then(|own| own.get(number)) {
                Some(key) if !child.is_excluded() => *key,
                _ => self.key(child, mover),
            },
            Some(_) => (-1e12, 0.0),
        };
        let best = best_index(children.iter().enumerate().map(unproved), rng)?;
        let proved = |child: &Node| child.bounds().proved().map(|score| score.for_player(mover));
        let safe = best_index(children.iter().map(proved), rng)?;
        let Some(score) = proved(&children[safe]) else { return Some(best) };
        let chosen = &children[best];
        let undecided = chosen.bounds().proved().is_none() && !chosen.is_excluded() && !dominated(chosen);
        let hope = match (undecided, chosen.visits()) {
            (false, _) => -1.0,
            // Untried: better than a proved loss, worse than anything else.
            (true, 0) => f64::MIN_POSITIVE,
            (true, _) => expected(chosen, mover),
        };
        Some(if score.to_f64() >= hope { safe } else { best })
    }
}

/// The mean of a visited child, clamped to its bounds.
pub(crate) fn expected(child: &Node, mover: Player) -> f64 {
    let (sure, hoped) = child.bounds().for_player(mover);
    child.mean_for(mover).max(sure.to_f64()).min(hoped.to_f64())
}

/// Whether the mover resigns instead of playing this child.
pub(crate) fn resigns(child: &Node, mover: Player, threshold: f64, judged: bool) -> bool {
    let worth = match child.bounds().proved() {
        Some(score) => score.for_player(mover).to_f64(),
        None if child.visits() >= RESIGN_VISITS[usize::from(judged)] => child.mean_for(mover),
        None => 1.0,
    };
    threshold > 0.0 && worth < threshold
}

/// Whether a pass replaces the chosen child.
pub(crate) fn prefers_pass(chosen: &Node, pass: &Node, mover: Player, margin: f64) -> bool {
    if margin <= 0.0 || pass.is_excluded() {
        return false;
    }
    let worth = |child: &Node| match child.bounds().proved() {
        Some(score) => Some(score.for_player(mover).to_f64()),
        None if child.visits() >= PASS_VISITS => Some(child.mean_for(mover)),
        None => None,
    };
    let (Some(best), Some(pass)) = (worth(chosen), worth(pass)) else { return false };
    (best - 0.5).abs() >= 0.5 - DECIDED && pass >= best - margin
}

#[cfg(test)]
mod tests {
    use super::Decision;
    use crate::mcts::tree::{Columns, ROOT, Tree};
    use tesuji_core::{Bounds, Player, Rng, Score, Seed};

    /// The child that a rule chooses among children with these wins and visits.
    fn chosen(rule: Decision, children: &[(u32, u32)], mover: Player) -> usize {
        let tree = Tree::new(Columns::default(), 1 << 16).expect("memory");
        let first = tree.allocate(children.len() as u16).expect("memory");
        for (id, &(wins, visits)) in (first..).zip(children) {
            tree.reset(id, id, ROOT);
            let won = if mover == Player::First { wins } else { visits - wins };
            tree.node(id).add(i64::from(won) * i64::from(Score::UNITS), visits, false);
        }
        let all = &tree.nodes[first as usize..first as usize + children.len()];
        rule.choose(all, Bounds::UNKNOWN, mover, None, &mut Rng::new(Seed(1))).expect("there are children")
    }

    /// Zhang's v + A/√n: with v = 0.5 after 100 visits and v = 0.4 after 10 it is 0.6 and 0.716 for
    /// A = 1, 0.545 and 0.542 for A = 0.45. Chaslot's v − A/√n prefers the former.
    #[test]
    fn zhang_prefers_what_is_less_certain() {
        for mover in Player::BOTH {
            let children = [(75, 100), (7, 10)];
            assert_eq!(chosen(Decision::SecurePlus { a: 1.0 }, &children, mover), 1);
            assert_eq!(chosen(Decision::Secure { a: 1.0 }, &children, mover), 0);
            // In units of [0, 1] the second would be preferred from A = 0.231 on.
            assert_eq!(chosen(Decision::SecurePlus { a: 0.45 }, &children, mover), 0);
            assert_eq!(chosen(Decision::SecurePlus { a: 0.47 }, &children, mover), 1);
        }
    }

    /// V-Run, Fig. 3.1: the nodes 4/6 and 1/4 below the root; the first has most wins and visits.
    #[test]
    fn wins_and_visits_of_v_run() {
        let rules = [Decision::Max, Decision::Robust, Decision::RobustMax, Decision::WinsAndVisits];
        for rule in rules {
            assert_eq!(chosen(rule, &[(4, 6), (1, 4)], Player::First), 0, "{rule:?}");
        }
        // Most visits and a worse mean: most wins and visits all the same.
        assert_eq!(chosen(Decision::Max, &[(50, 100), (9, 10)], Player::First), 1);
        assert_eq!(chosen(Decision::WinsAndVisits, &[(50, 100), (9, 10)], Player::First), 0);
        // No child has both: the rule is neither robust nor max.
        let split = [(10, 100), (30, 95), (9, 10)];
        assert_eq!(chosen(Decision::RobustMax, &split, Player::Second), 0);
        assert_eq!(chosen(Decision::Max, &split, Player::Second), 2);
        assert_eq!(chosen(Decision::WinsAndVisits, &split, Player::Second), 1);
    }
}
