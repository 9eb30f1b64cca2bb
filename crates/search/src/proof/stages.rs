//! Several advised searches in turn, each with more and more nodes.
//!
//! Advisers differ in how much of the attacker's moves they leave out: one that keeps few answers soon or never, one that keeps many answers late. So each gets a number of
//! nodes, then each four times as many, and so on, until one has the proof or the budget is spent; an adviser whose search has ended without a proof is not asked
//! again. Memory is that of one search: a search gives its table back when the next one's turn comes, and what the advisers of the others keep is taken
//! off.

use super::Advised;
use super::solve::DEFAULT_MEMORY;
use crate::{Search, SearchError};
use std::time::Duration;
use tesuji_core::{Bounds, Budget, Observer, Position, Report, Seed, StopReason, Studied, Undoable};
use tesuji_proof::Claim;

/// Advised searches, with the nodes that each gets in the first round.
pub struct Staged<P: Position> {
    stages: Vec<(Advised<P>, u64)>,
    /// Which of them answered.
    answered: Option<usize>,
}

impl<P: Position> Staged<P> {
    /// These searches, the quickest first, with the nodes that each gets in the first round.
    #[must_use]
    pub fn new(stages: Vec<(Advised<P>, u64)>) -> Staged<P> {
        Staged { stages, answered: None }
    }
}

impl<P: Undoable + Studied> Search<P> for Staged<P> {
    fn search(
        &mut self,
        root: &P,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError> {
        self.answered = None;
        let meter = budget.meter();
        let mut ended = vec![false; self.stages.len()];
        let (mut nodes, mut iterations, mut again) = (0_u64, 0_u64, 0.0);
        let mut last: Option<Report<P::Move>> = None;
        let mut factor = 1_u64;
        'rounds: while ended.contains(&false) {
            for (number, ended) in ended.iter_mut().enumerate() {
                if *ended {
                    continue;
                }
                let others = self.stages.iter().enumerate().filter(|(other, _)| *other != number);
                let kept: u64 = others.map(|(_, (search, _))| search.kept_bytes()).sum();
                let (search, first) = &mut self.stages[number];
                let left = |most: Option<Duration>| most.map(|most| most.saturating_sub(meter.elapsed()));
                let cap = first.saturating_mul(factor);
                let total = budget.nodes.map(|most| most.saturating_sub(nodes));
                let own = Budget {
                    nodes: Some(total.map_or(cap, |total| total.min(cap))),
                    iterations: budget.iterations.map(|most| most.saturating_sub(iterations)),
                    soft_time: left(budget.soft_time),
                    hard_time: left(budget.hard_time),
                    memory: Some(budget.memory.unwrap_or(DEFAULT_MEMORY).saturating_sub(kept)),
                    ..budget.clone()
                };
                let mut report = search.search(root, &own, seed, watch)?;
                report.memory_bytes += kept;
                nodes += report.nodes;
                iterations += report.iterations;
                again += report.figures.iter().find(|(name, _)| *name == "re-expansions").map_or(0.0, |it| it.1);
                let solved = report.bounds != Bounds::UNKNOWN;
                let stopped = report.stopped;
                *ended = matches!(stopped, StopReason::Finished | StopReason::OwnLimit(_));
                last = Some(report);
                if solved {
                    self.answered = Some(number);
                    break 'rounds;
                }
                search.forget();
                // Its own cap is no reason to end; the budget is.
                let spent = total.is_some_and(|total| total <= cap);
                if !*ended && (stopped != StopReason::Nodes || spent) {
                    break 'rounds;
                }
            }
            factor = factor.saturating_mul(4);
        }
        let mut report = last.ok_or(SearchError::Unsupported("there is nobody to advise".into()))?;
        (report.nodes, report.iterations, report.elapsed) = (nodes, iterations, meter.elapsed());
        for figure in report.figures.iter_mut().filter(|(name, _)| *name == "re-expansions") {
            figure.1 = again;
        }
        if let Some(number) = self.answered {
            report.figures.push(("stage", number as f64 + 1.0));
        }
        Ok(report)
    }

    fn proof(&mut self, root: &P, budget: &Budget) -> Result<Vec<Claim>, SearchError> {
        let nothing = || SearchError::Unsupported("nothing is proved".into());
        let number = self.answered.ok_or_else(nothing)?;
        self.stages.get_mut(number).ok_or_else(nothing)?.0.proof(root, budget)
    }
}
