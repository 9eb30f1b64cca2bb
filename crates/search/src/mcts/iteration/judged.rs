//! Leaves that a network judges: the verdict gives a node its value, its children and their priors.
//!
//! With `net(batch=n)` a thread descends n times, with virtual losses on its way, before the leaves are
//! judged in one call. A descent that ends where another waits is given up, and the batch is judged.

use super::shared::Shared;
use super::worker::{Step, Worker};
use crate::gumbel::softmax;
use crate::mcts::backup::Estimate;
use crate::mcts::tree::NodeId;
use tesuji_core::{Player, Score, Studied, Verdict};

/// A leaf that waits for a verdict.
pub(super) struct Waiting<P> {
    id: NodeId,
    position: P,
    path: Vec<NodeId>,
    steps: Vec<Step>,
}

/// What became of a descent to a leaf that is judged together with others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Deferred {
    /// It was estimated at once.
    #[default]
    No,
    /// It waits.
    Waits,
    /// An earlier descent waits at the same leaf: this one must be given up.
    Again,
}

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
            None if shared.recipe.leaf.batch() > 1 => self.defer(id),
            None => self.judge_leaf(shared, id),
        }
    }

    /// Puts the leaf of the descent among those that wait for a verdict, and returns no estimate.
    /// A leaf that waits already is not waited for twice.
    pub(super) fn defer(&mut self, id: NodeId) -> Estimate {
        self.deferred = if self.waiting.iter().any(|waiting| waiting.id == id) {
            Deferred::Again
        } else {
            let (path, steps) = (self.path.clone(), self.steps.clone());
            self.waiting.push(Waiting { id, position: self.position.clone(), path, steps });
            Deferred::Waits
        };
        Estimate::default()
    }

    /// What became of the last descent, if its leaf was put off; nothing if it was estimated.
    pub(crate) fn take_deferred(&mut self) -> Deferred {
        std::mem::take(&mut self.deferred)
    }

    /// Leaves that wait for a verdict.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Judges all leaves that wait, in one call, and applies the verdicts.
    pub(crate) fn judge_waiting(&mut self, shared: &Shared<P>) {
        let waiting = std::mem::take(&mut self.waiting);
        if waiting.is_empty() {
            return;
        }
        let positions: Vec<&P> = waiting.iter().map(|leaf| &leaf.position).collect();
        let judge = self.judge.as_mut().expect("a network judges the leaves");
        let verdicts = judge.judge(&positions);
        assert_eq!(verdicts.len(), waiting.len(), "a verdict for each position");
        for (leaf, verdict) in waiting.into_iter().zip(verdicts) {
            (self.path, self.steps, self.position) = (leaf.path, leaf.steps, leaf.position);
            self.verdict = verdict;
            let estimate = self.open_by_verdict(shared, leaf.id);
            self.apply(shared, &estimate);
        }
    }

    /// Judges the position of the descent and opens its node.
    pub(super) fn judge_leaf(&mut self, shared: &Shared<P>, id: NodeId) -> Estimate {
        let judge = self.judge.as_mut().expect("a network judges the leaves");
        self.verdict = judge.judge(&[&self.position]).pop().expect("a verdict for each position");
        self.open_by_verdict(shared, id)
    }

    /// Gives the node of the position its value, its children and their priors.
    fn open_by_verdict(&mut self, shared: &Shared<P>, id: NodeId) -> Estimate {
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
