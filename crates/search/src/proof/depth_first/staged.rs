//! Several advised searches in turn, each with growing node limits.
//!
//! Advisers differ in how many moves of the attacker they omit. An adviser that keeps few moves
//! answers soon or never; one that keeps many answers late. Each search gets its first node limit,
//! then four times as many nodes, and so on, until one has a proof or the budget is spent. A search
//! that ended without a proof is not repeated. Only one search has a table at a time; the memory
//! that the other advisers keep is subtracted.

use super::Advised;
use super::advised::INNER_NODES;
use crate::{Search, SearchError};
use std::time::Duration;
use tesuji_core::{Bounds, Budget, Observer, Position, Report, Seed, StopReason, Studied};
use tesuji_proof::Claim;

/// The figures that add up over the stages and their rounds.
const SUMMED: [&str; 2] = ["re-expansions", INNER_NODES];

/// Advised searches with the node limit of each in the first round.
pub struct Staged<P: Position> {
    stages: Vec<(Advised<P>, u64)>,
    /// The search that answered.
    answered: Option<usize>,
}

impl<P: Position> Staged<P> {
    /// These searches, the quickest first, with the node limit of each in the first round.
    #[must_use]
    pub fn new(stages: Vec<(Advised<P>, u64)>) -> Staged<P> {
        Staged { stages, answered: None }
    }
}

impl<P: Studied> Search<P> for Staged<P> {
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
        let (mut nodes, mut iterations) = (0_u64, 0_u64);
        let mut sums = SUMMED.map(|name| (name, 0.0));
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
                    memory: Some(budget.memory_bytes().saturating_sub(kept)),
                    ..budget.clone()
                };
                let mut report = search.search(root, &own, seed, watch)?;
                report.memory_bytes += kept;
                nodes += report.nodes;
                iterations += report.iterations;
                for (name, sum) in &mut sums {
                    *sum += report.figures.iter().find(|(other, _)| other == name).map_or(0.0, |it| it.1);
                }
                let solved = report.bounds != Bounds::UNKNOWN;
                let stopped = report.stopped;
                *ended = matches!(stopped, StopReason::Finished | StopReason::OwnLimit(_));
                last = Some(report);
                if solved {
                    self.answered = Some(number);
                    break 'rounds;
                }
                search.forget();
                // The limit of the stage does not end the search; the budget does.
                let spent = total.is_some_and(|total| total <= cap);
                if !*ended && (stopped != StopReason::Nodes || spent) {
                    break 'rounds;
                }
            }
            factor = factor.saturating_mul(4);
        }
        let mut report = last.ok_or(SearchError::Unsupported("the list of advised searches is empty".into()))?;
        (report.nodes, report.iterations, report.elapsed) = (nodes, iterations, meter.elapsed());
        for figure in &mut report.figures {
            if let Some((_, sum)) = sums.iter().find(|(name, _)| *name == figure.0) {
                figure.1 = *sum;
            }
        }
        if let Some(number) = self.answered {
            report.figures.push(("stage", number as f64 + 1.0));
        }
        Ok(report)
    }

    fn proof(&mut self, root: &P, budget: &Budget) -> Result<Vec<Claim>, SearchError> {
        let nothing = || SearchError::Unsupported("the search has proved nothing".into());
        let number = self.answered.ok_or_else(nothing)?;
        self.stages.get_mut(number).ok_or_else(nothing)?.0.proof(root, budget)
    }
}
