//! Leaves that a network judges: the verdict gives a node its value, its children and their priors.

use super::shared::Shared;
use super::worker::Worker;
use crate::gumbel::softmax;
use crate::mcts::backup::Estimate;
use crate::mcts::tree::NodeId;
use tesuji_core::{Player, Score, Studied, Verdict};

/// A logit in place of one that is no number.
const LOWEST: f32 = -1e9;

/// The value of a verdict in [0, 1], for the side to move.
fn expectation(verdict: &Verdict) -> f32 {
    if verdict.value.is_finite() { (verdict.value.clamp(-1.0, 1.0) + 1.0) * 0.5 } else { 0.5 }
}

impl<P: Studied> Worker<P> {
    /// The estimate of a live leaf.
    pub(super) fn evaluate(&mut self, shared: &Shared<P>, id: NodeId) -> Estimate {
        if self.judge.is_none() {
            return self.estimate(shared, id);
        }
        let open = shared.tree.node(id).children().get().is_some();
        match shared.tree.judged(id).filter(|_| open) {
            Some(value) => self.reward(value),
            None => self.judge_leaf(shared, id),
        }
    }

    /// Judges the position of the descent and opens its node.
    pub(super) fn judge_leaf(&mut self, shared: &Shared<P>, id: NodeId) -> Estimate {
        let judge = self.judge.as_mut().expect("a network judges the leaves");
        self.verdict = judge.judge(&[&self.position]).pop().expect("a verdict for each position");
        let value = expectation(&self.verdict);
        shared.tree.set_judged(id, value);
        self.expand(shared, id);
        self.reward(value)
    }

    /// The reward of a value in [0, 1] for the side to move at the end of the descent.
    fn reward(&mut self, value: f32) -> Estimate {
        let first = match self.position.turn() {
            Player::First => f64::from(value),
            Player::Second => 1.0 - f64::from(value),
        };
        self.sample = (first * f64::from(Score::UNITS)).round() as i64;
        Estimate::single(self.sample)
    }

    /// The priors of the listed moves, by the last verdict.
    pub(super) fn write_priors(&mut self) {
        let logit = |index: u32| self.verdict.logits.get(index as usize).copied().filter(|logit| logit.is_finite());
        let mut priors: Vec<f32> = self.order.iter().map(|(index, _)| logit(*index).unwrap_or(LOWEST)).collect();
        softmax(&mut priors);
        self.order.iter_mut().zip(priors).for_each(|(entry, prior)| entry.1 = f64::from(prior));
    }
}
