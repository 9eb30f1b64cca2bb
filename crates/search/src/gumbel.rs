//! Planning with few simulations: the Gumbel search at the root and the improved policy everywhere
//! else.
//!
//! **Idea.** AlphaZero's root selection needs many simulations before its visit counts are a better
//! policy than the network's. Danihelka, Guez, Schrittwieser & Silver, "Policy improvement by
//! planning with Gumbel" (ICLR 2022) choose the root's action so that the policy improves with any
//! number of simulations n ≥ 2:
//!
//! 1. sample a Gumbel variable g(a) for each root action and consider the m actions with the
//!    largest g(a) + logit(a);
//! 2. share the n simulations among them by *sequential halving* (Karnin et al. 2013): ⌈log₂ m⌉
//!    phases, each of which gives every considered action max(1, ⌊n / (⌈log₂ m⌉ · considered)⌋)
//!    visits and keeps the better half by g + logit + σ(q̂);
//! 3. play the most visited action with the largest g + logit + σ(q̂).
//!
//! > σ(q) = (c_visit + max_b N(b)) · c_scale · q
//!
//! The *improved policy* is the training target and guides all other nodes:
//!
//! > π′ = softmax(logit + σ(completed q)),  completed q(a) = q̂(a) if N(a) > 0, else v_mix
//! > v_mix = (v̂ + ΣN · Σ_{visited} π(b) q̂(b) / Σ_{visited} π(b)) / (1 + ΣN)
//! > a = argmax_a  π′(a) − N(a) / (1 + ΣN)      (below the root)
//!
//! **Deviations.** Completed values are rescaled linearly to [0, 1] over the actions of a node
//! before σ, as the authors' library mctx does by default, with its c_scale = 0.1 and c_visit = 50
//! (the paper's board games: c_scale = 1 without rescaling). A range below `MIN_RANGE` is treated
//! as `MIN_RANGE`, so that noise around a decided result is not amplified.

/// The smallest range of completed values that is rescaled to [0, 1].
const MIN_RANGE: f32 = 0.02;

/// The constants of the search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Constants {
    /// Simulations of one move.
    pub simulations: usize,
    /// Root actions considered, m.
    pub considered: usize,
    /// c_visit.
    pub visit: f32,
    /// c_scale.
    pub scale: f32,
    /// The scale of the Gumbel noise at the root: 1 for self-play, 0 for play without noise.
    pub noise: f32,
}

impl Default for Constants {
    fn default() -> Constants {
        Constants { simulations: 32, considered: 16, visit: 50.0, scale: 0.1, noise: 1.0 }
    }
}

/// The schedule of sequential halving: entry i is the number of visits of the action for simulation
/// i.
///
/// Among the root actions with that many visits, the one with the largest score is simulated.
/// Actions that were dropped in an earlier phase have fewer visits than the schedule requires and
/// are not chosen again.
#[must_use]
pub fn visits_before(considered: usize, simulations: usize) -> Vec<u32> {
    if considered <= 1 {
        return (0..simulations as u32).collect();
    }
    let phases = considered.next_power_of_two().trailing_zeros() as usize;
    let mut order = Vec::with_capacity(simulations);
    let (mut remaining, mut visits) = (considered, 0_u32);
    while order.len() < simulations {
        let rounds = (simulations / (phases * remaining)).max(1);
        for _ in 0..rounds {
            order.extend(std::iter::repeat_n(visits, remaining));
            visits += 1;
        }
        remaining = (remaining / 2).max(2);
    }
    order.truncate(simulations);
    order
}

/// The statistics of a node's actions, one entry each.
#[derive(Clone, Copy, Debug)]
pub struct Actions<'a> {
    /// The network's logits.
    pub logits: &'a [f32],
    /// Their softmax.
    pub priors: &'a [f32],
    /// Simulations through the action.
    pub visits: &'a [u32],
    /// The sum of their results, in [0, 1], for the side to move, or for the opponent if
    /// `reversed`.
    pub totals: &'a [f32],
    /// Whether `totals` belong to the opponent of the side to move.
    pub reversed: bool,
    /// The network's value of the node, in [0, 1], for the side to move.
    pub value: f32,
}

impl Actions<'_> {
    /// The mean result of a visited action for the side to move.
    #[inline]
    fn mean(&self, action: usize) -> f32 {
        let mean = self.totals[action] / self.visits[action] as f32;
        if self.reversed { 1.0 - mean } else { mean }
    }

    /// v_mix: the value of an untried action, for the side to move.
    #[must_use]
    pub fn mixed_value(&self) -> f32 {
        let (mut sum, mut seen, mut weighted) = (0_u32, 0.0, 0.0);
        for action in 0..self.visits.len() {
            if self.visits[action] > 0 {
                sum += self.visits[action];
                // A prior may underflow to zero; a minimal weight keeps the quotient defined.
                let prior = self.priors[action].max(f32::MIN_POSITIVE);
                seen += prior;
                weighted += prior * self.mean(action);
            }
        }
        if sum == 0 {
            return self.value;
        }
        (self.value + sum as f32 * (weighted / seen)) / (1 + sum) as f32
    }

    /// σ(completed q) of every action, into `scores`.
    pub fn transformed(&self, constants: &Constants, scores: &mut Vec<f32>) {
        let mixed = self.mixed_value();
        let mut most = 0;
        let (mut low, mut high) = (mixed, mixed);
        scores.clear();
        for action in 0..self.visits.len() {
            let visits = self.visits[action];
            let q = if visits > 0 { self.mean(action) } else { mixed };
            most = most.max(visits);
            low = low.min(q);
            high = high.max(q);
            scores.push(q);
        }
        let factor = (constants.visit + most as f32) * constants.scale / (high - low).max(MIN_RANGE);
        for score in scores {
            *score = (*score - low) * factor;
        }
    }

    /// The improved policy π′, into `policy`.
    pub fn improved(&self, constants: &Constants, policy: &mut Vec<f32>) {
        self.transformed(constants, policy);
        for (score, logit) in policy.iter_mut().zip(self.logits) {
            *score += logit;
        }
        softmax(policy);
    }

    /// The action to simulate below the root. `policy` is scratch.
    #[must_use]
    pub fn select(&self, constants: &Constants, policy: &mut Vec<f32>) -> usize {
        self.improved(constants, policy);
        let sum: u32 = self.visits.iter().sum();
        let share = 1.0 / (1 + sum) as f32;
        let (mut best, mut best_gap) = (0, f32::NEG_INFINITY);
        for (action, probability) in policy.iter().enumerate() {
            let gap = probability - self.visits[action] as f32 * share;
            if gap > best_gap {
                (best, best_gap) = (action, gap);
            }
        }
        best
    }

    /// g + logit + σ(completed q) of every action, into `scores`.
    pub fn root_scores(&self, gumbels: &[f32], constants: &Constants, scores: &mut Vec<f32>) {
        self.transformed(constants, scores);
        for (action, score) in scores.iter_mut().enumerate() {
            *score += gumbels[action] + self.logits[action];
        }
    }

    /// Among the root's actions with exactly `visits` visits, the one with the largest g + logit +
    /// σ(completed q). `scores` is scratch. Nothing if no action has that many visits.
    #[must_use]
    pub fn best_with(
        &self,
        visits: u32,
        gumbels: &[f32],
        constants: &Constants,
        scores: &mut Vec<f32>,
    ) -> Option<usize> {
        self.root_scores(gumbels, constants, scores);
        let (mut best, mut best_score) = (None, f32::NEG_INFINITY);
        for (action, &score) in scores.iter().enumerate() {
            if self.visits[action] == visits && (best.is_none() || score > best_score) {
                (best, best_score) = (Some(action), score);
            }
        }
        best
    }
}

/// e^x for x ≤ 0 as 2^(x·log₂e), the fractional part by a polynomial; results below 2⁻¹²⁶ are 0.
///
/// The same on every machine. The relative error is below 3·10⁻⁷ near zero and 10⁻⁵ at −87.
#[inline]
#[must_use]
pub fn exp(x: f32) -> f32 {
    let scaled = (x * std::f32::consts::LOG2_E).max(-150.0);
    let whole = scaled.floor();
    let t = (scaled - whole) * std::f32::consts::LN_2;
    let series = 1.0
        + t * (1.0
            + t * (0.5 + t * (1.0 / 6.0 + t * (1.0 / 24.0 + t * (1.0 / 120.0 + t * (1.0 / 720.0 + t / 5040.0))))));
    let exponent = whole as i32 + 127;
    if exponent <= 0 { 0.0 } else { series * f32::from_bits((exponent as u32) << 23) }
}

/// Replaces logits by their softmax.
pub fn softmax(logits: &mut [f32]) {
    let high = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for logit in logits.iter_mut() {
        *logit = exp(*logit - high);
        sum += *logit;
    }
    let scale = 1.0 / sum;
    for logit in logits {
        *logit *= scale;
    }
}

/// A Gumbel variable from a uniform one in [0, 1): −ln(−ln u).
#[must_use]
pub fn gumbel(uniform: f64) -> f32 {
    let u = uniform.max(f64::MIN_POSITIVE);
    -libm::log(-libm::log(u).min(-1e-300)) as f32
}

#[cfg(test)]
mod tests {
    use super::{Actions, Constants, exp, gumbel, softmax, visits_before};
    use tesuji_core::{Rng, Seed};

    /// The visits of each considered action if the order of scores never changes.
    fn totals(considered: usize, simulations: usize) -> Vec<usize> {
        let mut visits = vec![0_usize; considered];
        for before in visits_before(considered, simulations) {
            let action = visits.iter().position(|&count| count == before as usize).expect("an action has it");
            visits[action] += 1;
        }
        visits
    }

    /// The paper's example (§2 and Figure 1), 16 actions and 200 simulations: four phases of 16 ×
    /// 3, 8 × 6, 4 × 12 and 2 × 25 visits; the rest goes to the last two.
    #[test]
    fn the_schedule_of_the_paper() {
        let totals = totals(16, 200);
        assert_eq!(totals.iter().sum::<usize>(), 200);
        assert_eq!(totals[8..], [3; 8]);
        assert_eq!(totals[4..8], [9; 4]);
        assert_eq!(totals[2..4], [21; 2]);
        assert_eq!(totals[..2], [49, 49]);
    }

    #[test]
    fn small_schedules() {
        assert_eq!(visits_before(1, 4), [0, 1, 2, 3]);
        assert_eq!(visits_before(2, 4), [0, 0, 1, 1]);
        // 4 actions, 8 simulations: 4 × 1, then 2 × 2.
        assert_eq!(visits_before(4, 8), [0, 0, 0, 0, 1, 1, 2, 2]);
        // Fewer simulations than actions: one each.
        assert_eq!(visits_before(16, 5), [0; 5]);
        // 16 actions, 32 simulations: 16 × 1, 8 × 1, 4 × 2 in four phases; nothing is left for the
        // last one.
        assert_eq!(totals(16, 32)[..5], [4, 4, 4, 4, 2]);
        // A number that is no power of two: 3 actions, 12 simulations: two phases, 3 × 2, then 2 ×
        // 3.
        assert_eq!(totals(3, 12), [5, 5, 2]);
    }

    #[test]
    fn exponentials_are_close() {
        for step in 0..2_000 {
            let x = -f64::from(step) * 0.04;
            let error = (f64::from(exp(x as f32)) / libm::exp(f64::from(x as f32)) - 1.0).abs();
            assert!(error < 1e-5, "{x}: {error}");
        }
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(exp(-1e9), 0.0);
        let mut pair = [3.0, 3.0 + std::f32::consts::LN_2];
        softmax(&mut pair);
        assert!((pair[0] - 1.0 / 3.0).abs() < 1e-6 && (pair[1] - 2.0 / 3.0).abs() < 1e-6);
    }

    /// v_mix by hand: value 0.5, two visited actions of prior ¼ and ½ with means 1 and 0.5 after 1
    /// and 3 visits: the weighted mean is (0.25·1 + 0.5·0.5)/0.75 = 2/3, and (0.5 + 4·2/3)/5 =
    /// 0.6333…
    #[test]
    fn values_are_completed_by_the_mixed_value() {
        let priors = [0.25_f32, 0.5, 0.25];
        let logits = priors.map(libm::logf);
        let mut actions = Actions {
            logits: &logits,
            priors: &priors,
            visits: &[1, 3, 0],
            totals: &[1.0, 1.5, 0.0],
            reversed: false,
            value: 0.5,
        };
        assert!((actions.mixed_value() - 19.0 / 30.0).abs() < 1e-6);
        let constants = Constants::default();
        let mut scores = Vec::new();
        actions.transformed(&constants, &mut scores);
        // σ = (50 + 3) · 0.1 · rescaled q: 1 → 1, 0.5 → 0, 0.6333 → 0.2667.
        for (score, expected) in scores.iter().zip([5.3, 0.0, 5.3 * 4.0 / 15.0]) {
            assert!((score - expected).abs() < 1e-4, "{scores:?}");
        }
        // The same node with the sums counted by the other side.
        actions.totals = &[0.0, 1.5, 0.0];
        actions.reversed = true;
        assert!((actions.mixed_value() - 19.0 / 30.0).abs() < 1e-6);
        // Nothing tried: the value itself, and the policy is the prior.
        actions = Actions { visits: &[0; 3], totals: &[0.0; 3], ..actions };
        assert_eq!(actions.mixed_value(), 0.5);
        actions.improved(&constants, &mut scores);
        for (probability, prior) in scores.iter().zip(priors) {
            assert!((probability - prior).abs() < 1e-6);
        }
    }

    /// The Gumbel trick: argmax of g + logit is a sample from the softmax.
    #[test]
    fn gumbel_samples_follow_the_policy() {
        let mut rng = Rng::new(Seed(1));
        let priors = [0.5_f32, 0.3, 0.2];
        let mut counts = [0_u32; 3];
        for _ in 0..60_000 {
            let scores = priors.map(|prior| gumbel(rng.unit()) + libm::logf(prior));
            let best = (0..3).max_by(|a, b| scores[*a].total_cmp(&scores[*b])).expect("three");
            counts[best] += 1;
        }
        for (count, prior) in counts.iter().zip(priors) {
            assert!((f64::from(*count) / 60_000.0 - f64::from(prior)).abs() < 0.008, "{counts:?}");
        }
        assert!(gumbel(0.0).is_finite() && gumbel(1.0 - f64::EPSILON).is_finite());
    }
}
