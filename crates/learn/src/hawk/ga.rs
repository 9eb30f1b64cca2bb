//! Weights of five properties, which evolve during the search (Hawk §3.2.3) or were tuned before.
//!
//! > bias = 0.33·(h + n²)/(2n²), h = Σ wᵢ·propertyᵢ of the board, for the searching player
//!
//! is added to the value of a child during descent and to its mean in the final choice. Ten weight
//! vectors take turns. After a round the two worst become averages of the two best, mutated: each
//! weight of the first with probability 0.2, of the second 0.6, is averaged with a number from
//! [0, 1).
//!
//! | | text | program |
//! |---|---|---|
//! | weights begin in | [0, 1) | [−1, 1) |
//! | a round | 100 iterations | 1,000 iterations |
//! | fitness | the mean reward of the iterations it guided | the sum of all values compared under it |
//! | properties | as the text defines them | as programmed |
//!
//! The population lives as long as a game is followed. The size of the bias is the program's; the
//! text gives none. At nodes of the opponent the text's bias is subtracted.
//!
//! * `tuned`: one fixed vector, found by CMA-ES: the weights whose h correlates best with the value
//!   that long searches give to the moves of the same position ([`teach`](super::teach)).
//! * `equal`: all weights 1, for comparison.

use super::table::StoneTable;
use super::uct::{As, Node, Style};
use tesuji_core::Rng;

/// Weight vectors.
const POPULATION: usize = 10;
/// How much the properties count.
const SHARE: f64 = 0.33;

/// A weight vector of the population.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Member {
    pub(super) weights: [f64; 5],
    score: f64,
    uses: u32,
}

/// The population of a game.
pub type Members = Vec<Member>;

fn weigh(weights: &[f64; 5], node: &Node, points: f64) -> f64 {
    let h: f64 = weights.iter().zip(node.properties).map(|(weight, property)| weight * f64::from(property)).sum();
    SHARE * (h + points) / (2.0 * points)
}

/// The two best and the two worst, by fitness.
fn ranked(members: &Members) -> Vec<usize> {
    let fitness = |index: &usize| {
        let member = &members[*index];
        if member.uses == 0 { member.score } else { member.score / f64::from(member.uses) }
    };
    let mut order: Vec<usize> = (0..members.len()).collect();
    order.sort_by(|one, other| fitness(other).total_cmp(&fitness(one)).then(one.cmp(other)));
    order
}

/// Replaces the two worst by children of the two best, and clears all scores.
fn evolve(members: &mut Members, rng: &mut Rng) {
    let order = ranked(members);
    let (best, second) = (members[order[0]].weights, members[order[1]].weights);
    for (child, rate) in [(order[POPULATION - 1], 0.2), (order[POPULATION - 2], 0.6)] {
        for gene in 0..5 {
            let mean = (best[gene] + second[gene]) / 2.0;
            let mutated = rng.unit() < rate;
            members[child].weights[gene] = if mutated { (mean + rng.unit()) / 2.0 } else { mean };
        }
    }
    members.iter_mut().for_each(|member| (member.score, member.uses) = (0.0, 0));
}

/// The agent's part of the search, with weights that evolve.
pub(super) struct Evolving {
    whose: As,
    pub(super) members: Members,
    current: usize,
    round: u64,
    points: f64,
}

impl Evolving {
    /// With the population of the game so far; an empty one is drawn at the beginning.
    pub(super) fn new(whose: As, members: Members, lines: usize) -> Evolving {
        let round = if whose == As::Text { 100 } else { 1_000 };
        Evolving { whose, members, current: 0, round, points: (lines * lines) as f64 }
    }
}

impl Style for Evolving {
    fn begin(&mut self, _: &mut dyn StoneTable, rng: &mut Rng) {
        if self.members.is_empty() {
            let (low, width) = if self.whose == As::Text { (0.0, 1.0) } else { (-1.0, 2.0) };
            let mut draw =
                || Member { weights: std::array::from_fn(|_| low + width * rng.unit()), ..Member::default() };
            self.members = (0..POPULATION).map(|_| draw()).collect();
        }
    }

    fn properties(&self) -> Option<bool> {
        Some(self.whose == As::Code)
    }

    fn bias(&self, node: &Node) -> f64 {
        weigh(&self.members[self.current].weights, node, self.points)
    }

    fn learn(&mut self, reward: f64, values: f64, iteration: u64, rng: &mut Rng) {
        let member = &mut self.members[self.current];
        match self.whose {
            As::Text => (member.score, member.uses) = (member.score + reward, member.uses + 1),
            // The program sums, so a vector is compared by the sum; uses stay 0.
            As::Code => member.score += values,
        }
        self.current = (iteration % POPULATION as u64) as usize;
        if iteration.is_multiple_of(self.round) {
            evolve(&mut self.members, rng);
        }
    }

    fn members(&self) -> Members {
        self.members.clone()
    }

    fn final_bias(&self, node: &Node) -> f64 {
        weigh(&self.members[ranked(&self.members)[0]].weights, node, self.points)
    }
}

/// The agent's part of the search, with one weight vector.
pub(super) struct Fixed {
    pub(super) weights: [f64; 5],
    points: f64,
}

impl Fixed {
    pub(super) fn new(weights: [f64; 5], lines: usize) -> Fixed {
        Fixed { weights, points: (lines * lines) as f64 }
    }
}

impl Style for Fixed {
    fn properties(&self) -> Option<bool> {
        Some(false)
    }

    fn bias(&self, node: &Node) -> f64 {
        weigh(&self.weights, node, self.points)
    }

    fn final_bias(&self, node: &Node) -> f64 {
        weigh(&self.weights, node, self.points)
    }
}

#[cfg(test)]
mod tests {
    use super::{Member, POPULATION, evolve, ranked};
    use tesuji_core::{Rng, Seed};

    /// The two worst become mutated averages of the two best; the others stay.
    #[test]
    fn two_are_replaced() {
        let mut members: Vec<Member> =
            (0..POPULATION).map(|index| Member { weights: [index as f64; 5], score: index as f64, uses: 1 }).collect();
        assert_eq!(ranked(&members)[..2], [9, 8]);
        let mut rng = Rng::new(Seed(4));
        let (mut mutated, rounds) = ([0, 0], 400);
        for _ in 0..rounds {
            let mut next = members.clone();
            evolve(&mut next, &mut rng);
            assert!((2..POPULATION).all(|index| next[index].weights == members[index].weights));
            assert!(next.iter().all(|member| member.score == 0.0 && member.uses == 0));
            for child in 0..2 {
                for weight in next[child].weights {
                    // 8.5, or averaged with a number from [0, 1).
                    assert!(weight == 8.5 || (4.25..4.75).contains(&weight), "{weight}");
                    mutated[child] += u32::from(weight != 8.5);
                }
            }
        }
        // 20 % of the worst's weights and 60 % of the second worst's.
        assert!((350..450).contains(&mutated[0]) && (1_130..1_270).contains(&mutated[1]), "{mutated:?}");
        // Means, not sums, decide where uses are counted.
        members[0] = Member { uses: 10, score: 50.0, ..members[0] };
        assert_eq!(ranked(&members)[3..6], [6, 0, 5]);
    }
}
