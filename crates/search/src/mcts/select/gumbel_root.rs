//! `gumbel(considered, visit, scale, noise)`: the improved policy as a rule of selection, and
//! sequential halving at the root. The formulas are in [`crate::gumbel`].
//!
//! * Below the root the child with the largest π′(a) − N(a)/(1 + ΣN) is visited, π′ the improved
//!   policy from priors, values and the network's value of the node.
//! * At the root, if the number of iterations is known and nothing else may end the search, a
//!   schedule of sequential halving says how many visits of *this* search the next child has had;
//!   among those the largest g + ln P + σ(q) is visited. Where no child has as many (threads, proved
//!   children, visits of the pass rule), or without a schedule, the rule is the one below the root.
//! * `decide=robust-max` plays the most visited child of this search, among equals the one with the
//!   largest g + ln P + σ(q).
//!
//! A tree that was kept from the last move counts in values and policies, not in the schedule. A
//! proved child's value is its proved score.
//!
//! Reference: Danihelka, Guez, Schrittwieser & Silver, "Policy improvement by planning with Gumbel"
//! (ICLR 2022). Deviations: those of [`crate::gumbel`]; the anytime rule at the root.

use super::rule::Selection;
use crate::gumbel::{Actions, Constants, gumbel, visits_before};
use crate::mcts::tree::{NodeId, Published, ROOT, Tree};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use tesuji_core::{Budget, Player, Rng, Score};

/// Longer searches have no schedule.
const MAX_SCHEDULE: u64 = 1 << 20;

/// What the rule needs at the root of one search.
pub(crate) struct GumbelRoot {
    pub(crate) constants: Constants,
    /// Visits of the child that is due; empty without a schedule.
    schedule: Vec<u32>,
    next: AtomicUsize,
    /// g of each child.
    noise: Vec<f32>,
    /// The visits of each child when the search began.
    before: Vec<u32>,
}

impl GumbelRoot {
    /// For a search of a root with `moves` moves; nothing for other rules.
    pub(crate) fn new(rule: Selection, tree: &Tree, moves: usize, budget: &Budget, rng: &mut Rng) -> Option<Self> {
        let Selection::Gumbel { considered, visit, scale, noise } = rule else { return None };
        let timed = budget.soft_time.is_some() || budget.hard_time.is_some() || budget.nodes.is_some();
        let schedule = match budget.iterations {
            Some(count) if !timed && considered > 0 && count <= MAX_SCHEDULE => {
                visits_before(moves.min(considered as usize), count as usize)
            }
            _ => Vec::new(),
        };
        let constants = Constants {
            simulations: schedule.len(),
            considered: considered as usize,
            visit: visit as f32,
            scale: scale as f32,
            noise: noise as f32,
        };
        let noise = if noise > 0.0 {
            (0..moves).map(|_| constants.noise * gumbel(rng.unit())).collect()
        } else {
            vec![0.0; moves]
        };
        let mut before: Vec<u32> = tree.all_children(ROOT).iter().map(|child| child.visits()).collect();
        before.resize(moves, 0);
        Some(GumbelRoot { constants, schedule, next: AtomicUsize::new(0), noise, before })
    }

    /// Whether the iterations are spread over a number that is known at the start.
    pub(crate) fn has_schedule(&self) -> bool {
        !self.schedule.is_empty()
    }

    /// Visits of a child in this search, if it has a schedule; else all.
    fn counted(&self, number: usize, visits: u32) -> u32 {
        if self.has_schedule() { visits.saturating_sub(self.before[number]) } else { visits }
    }

    /// The child that is due by the schedule.
    pub(crate) fn due(&self, siblings: &mut Siblings, is_open: impl Fn(usize) -> bool) -> Option<usize> {
        let wanted = *self.schedule.get(self.next.fetch_add(1, Relaxed))?;
        siblings.score(self);
        let due = |number: &usize| self.counted(*number, siblings.visits[*number]) == wanted && is_open(*number);
        // The first of equals, as below the root.
        (0..siblings.visits.len()).filter(due).rev().max_by(|a, b| siblings.scores[*a].total_cmp(&siblings.scores[*b]))
    }

    /// What decides between the children: visits, then g + ln P + σ(q).
    pub(crate) fn keys(&self, tree: &Tree, exact: bool) -> Vec<(f64, f64)> {
        let Some(children) = tree.node(ROOT).children().get() else { return Vec::new() };
        let mut siblings = Siblings::default();
        siblings.read(tree, ROOT, children, exact);
        siblings.score(self);
        let key = |number: usize| {
            (f64::from(self.counted(number, siblings.visits[number])), f64::from(siblings.scores[number]))
        };
        (0..siblings.visits.len()).map(key).collect()
    }
}

/// The statistics of the open children of a node, side by side.
#[derive(Default)]
pub(crate) struct Siblings {
    logits: Vec<f32>,
    priors: Vec<f32>,
    visits: Vec<u32>,
    totals: Vec<f32>,
    reversed: bool,
    value: f32,
    /// The improved policy, or the scores of the root.
    scores: Vec<f32>,
    /// 1 + ΣN.
    pub(crate) all: f64,
}

impl Siblings {
    /// Reads the open children of a node. With `exact`, a proved child has its proved score.
    pub(crate) fn read(&mut self, tree: &Tree, id: NodeId, children: Published, exact: bool) {
        let node = tree.node(id);
        let mover = node.mover();
        self.reversed = mover == Player::Second;
        self.value = match tree.judged(id) {
            Some(value) => value,
            None if node.visits() > 0 => node.mean_for(mover) as f32,
            None => 0.5,
        };
        let unit = f64::from(Score::UNITS);
        let (mut sum, mut all) = (Vec::new(), 0_u64);
        std::mem::swap(&mut sum, &mut self.totals);
        sum.clear();
        self.logits.clear();
        self.priors.clear();
        self.visits.clear();
        for (child, place) in tree.open_of(children).iter().zip(children.first..) {
            let prior = tree.prior(place) as f32;
            let visits = child.visits();
            let total = match child.bounds().proved() {
                Some(score) if exact => score.to_f64() * f64::from(visits),
                _ => child.units() as f64 / unit,
            };
            self.logits.push(libm::logf(prior.max(f32::MIN_POSITIVE)));
            self.priors.push(prior);
            self.visits.push(visits);
            sum.push(total as f32);
            all += u64::from(visits);
        }
        self.totals = sum;
        self.all = 1.0 + all as f64;
    }

    fn actions(&self) -> Actions<'_> {
        Actions {
            logits: &self.logits,
            priors: &self.priors,
            visits: &self.visits,
            totals: &self.totals,
            reversed: self.reversed,
            value: self.value,
        }
    }

    /// Computes the improved policy.
    pub(crate) fn improve(&mut self, constants: &Constants) {
        let mut scores = std::mem::take(&mut self.scores);
        self.actions().improved(constants, &mut scores);
        self.scores = scores;
    }

    /// Computes the scores of the root.
    fn score(&mut self, root: &GumbelRoot) {
        let mut scores = std::mem::take(&mut self.scores);
        self.actions().root_scores(&root.noise, &root.constants, &mut scores);
        self.scores = scores;
    }

    /// The improved policy of a child.
    pub(crate) fn policy(&self, number: usize) -> f64 {
        self.scores.get(number).map_or(0.0, |score| f64::from(*score))
    }

    /// π′ − N/(1 + ΣN) of a child.
    pub(crate) fn gap(&self, number: usize) -> f64 {
        self.policy(number) - f64::from(self.visits[number]) / self.all
    }
}
