//! Majority voting: d searches of i/d iterations each; the move that most of them choose is played.
//!
//! Reference: V-Run 2016 §7.5. Its automatic switch: with i iterations and m moves, one search of i
//! iterations if i/m < k, the vote if i/m ≥ k. Ties go to the move with more visits in all searches
//! together. A budget in seconds or nodes is divided like one in iterations; then i is not known in
//! advance, and the vote is always held. When the time is up or the stop flag is set, the votes so
//! far count.

use super::driver::search;
use super::recipe::Mcts;
use crate::root_moves::{fill_counters, set_choice};
use crate::{Search, SearchError, Technique};
use tesuji_core::spec::{ArgumentError, Arguments, Describe, Description, Kind, Parameter};
use tesuji_core::{Bounds, Budget, NoObserver, Observer, Report, RootMove, Seed, StopReason, Studied, Value, Watch};

/// A vote among searches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Vote {
    /// The search that votes.
    pub search: Mcts,
    /// The number of searches.
    pub voters: u32,
    /// Iterations per move below which one search replaces the vote; 0 always votes.
    pub switch: f64,
}

impl<P: Studied> Search<P> for Vote {
    fn search(
        &mut self,
        root: &P,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError> {
        let moves = root.move_count().max(1) as f64;
        if budget.iterations.is_some_and(|iterations| (iterations as f64) / moves < self.switch) {
            return search(&self.search, None, root, budget, seed, watch, None).map(|(report, _)| report);
        }
        let mut meter = budget.meter();
        let mut watch = Watch::new(watch);
        let mut count = Count { report: Report::empty(root.turn()), votes: Vec::new() };
        // Every voter needs at least one iteration.
        let voters = u64::from(self.voters).min(budget.iterations.unwrap_or(u64::MAX)).max(1) as u32;
        let deadline = meter.deadline();
        for voter in 0..voters {
            // A search takes some time even with a zero time limit: no search starts after the
            // deadline.
            if voter > 0 && deadline.is_over() {
                meter.stop(if budget.stop.is_stopped() { StopReason::Asked } else { StopReason::Time });
                break;
            }
            let left = voters - voter;
            let part = |most: u64, used: u64| (most.saturating_sub(used)) / u64::from(left);
            let elapsed = meter.elapsed();
            let own = Budget {
                iterations: budget.iterations.map(|most| part(most, count.report.iterations)),
                nodes: budget.nodes.map(|most| part(most, count.nodes_entered())),
                hard_time: budget.hard_time.map(|most| most.saturating_sub(elapsed) / left),
                soft_time: budget.soft_time.map(|most| most.saturating_sub(elapsed) / left),
                ..budget.clone()
            };
            let seed = seed.derive(u64::from(voter));
            let (ballot, _) = search(&self.search, None, root, &own, seed, &mut NoObserver, None)?;
            let (proved, stopped) = (ballot.bounds.proved().is_some(), ballot.stopped);
            count.add(ballot);
            watch.tick(count.report.iterations, meter.elapsed(), || count.result(StopReason::Asked));
            if proved {
                break;
            }
            if stopped == StopReason::Asked {
                meter.stop(StopReason::Asked);
                break;
            }
            if voter + 1 == voters {
                meter.stop(stopped);
            }
        }
        let mut report = count.result(meter.reason());
        let (iterations, nodes) = (report.iterations, report.nodes);
        fill_counters(&mut report, &meter);
        (report.iterations, report.nodes) = (iterations, nodes);
        Ok(report)
    }
}

/// The ballots so far, added up.
struct Count<M> {
    report: Report<M>,
    /// Votes for each move of the root table.
    votes: Vec<u32>,
}

impl<M: Copy + PartialEq> Count<M> {
    fn nodes_entered(&self) -> u64 {
        self.report.nodes
    }

    fn add(&mut self, ballot: Report<M>) {
        let sum = &mut self.report;
        sum.iterations += ballot.iterations;
        sum.nodes += ballot.nodes;
        sum.depth = sum.depth.max(ballot.depth);
        sum.memory_bytes = sum.memory_bytes.max(ballot.memory_bytes);
        if sum.root.is_empty() {
            sum.root = ballot.root.iter().map(|entry| RootMove::untried(entry.mv)).collect();
            self.votes = vec![0; sum.root.len()];
        }
        for entry in &ballot.root {
            let Some(number) = sum.root.iter().position(|kept| kept.mv == entry.mv) else { continue };
            let kept = &mut sum.root[number];
            kept.value = match (kept.value, entry.value) {
                (Some(old), Some(new)) => {
                    let (before, after) = (kept.visits as f64, entry.visits as f64);
                    let total = (before + after).max(1.0);
                    Some(Value::new((old.to_f64() * before + new.to_f64() * after) / total))
                }
                (old, new) => new.or(old),
            };
            kept.visits += entry.visits;
            kept.bounds = kept.bounds.intersect(entry.bounds).expect("proofs do not contradict each other");
            if Some(entry.mv) == ballot.best {
                self.votes[number] += 1;
                kept.note = Some(format!("{} votes", self.votes[number]));
            }
        }
        if ballot.bounds.proved().is_some() {
            // A proof decides the vote.
            self.votes.iter_mut().for_each(|votes| *votes = 0);
            let keeps = sum.root.iter().position(|entry| Some(entry.mv) == ballot.best);
            keeps.into_iter().for_each(|number| self.votes[number] = u32::MAX);
        }
        sum.bounds = sum.bounds.intersect(ballot.bounds).expect("proofs do not contradict each other");
        sum.resigns |= ballot.resigns && ballot.best.is_none();
        // A line that preserves the bounds of one voter need not preserve those of all voters
        // together, of the position or of its first move.
        let bounds_in = |root: &[RootMove<M>]| {
            let first = root.iter().find(|entry| Some(&entry.mv) == ballot.line.first());
            first.map(|entry| entry.bounds)
        };
        let preserves = ballot.bounds == sum.bounds && bounds_in(&ballot.root) == bounds_in(&sum.root);
        sum.line = if preserves { ballot.line } else { Vec::new() };
    }

    fn result(&self, stopped: StopReason) -> Report<M> {
        let mut report = self.report.clone();
        let key = |number: &usize| (self.votes[*number], report.root[*number].visits);
        if let Some(chosen) = (0..report.root.len()).max_by_key(key) {
            let (line, bounds): (Vec<M>, Bounds) = (std::mem::take(&mut report.line), report.bounds);
            set_choice(&mut report, chosen);
            report.bounds = bounds.intersect(report.bounds).unwrap_or(bounds);
            // The mean of all voters is clamped to what one of them has proved.
            let (least, most) = (report.bounds.lower().to_f64(), report.bounds.upper().to_f64());
            report.value = Value::new(report.value.to_f64().clamp(least, most));
            // The root tables together may prove more than any line preserves.
            if line.first() == report.best.as_ref() && report.bounds == bounds {
                report.line = line;
            }
            // The search resigns only if all voters do.
            report.resigns &= self.votes.iter().all(|votes| *votes == 0);
            if report.resigns {
                report.best = None;
            }
        }
        report.stopped = stopped;
        report
    }
}

impl Describe for Vote {
    const DESCRIPTION: Description = Description {
        name: "vote",
        about: "majority voting among Monte-Carlo searches (V-Run 2016)",
        parameters: &[
            Parameter {
                name: "search",
                about: "the search that votes",
                kind: Kind::Part(&[Mcts::DESCRIPTION]),
                default: Some("mcts"),
            },
            Parameter {
                name: "voters",
                about: "number of searches",
                kind: Kind::Integer(1, 100_000),
                default: Some("10"),
            },
            Parameter {
                name: "switch",
                about: "iterations per move below which a single search replaces the vote; 0 always votes",
                kind: Kind::Number(0.0, 1e9),
                default: Some("0.0"),
            },
        ],
    };
}

impl Technique for Vote {
    const ENDLESS: bool = true;
    const PARALLEL: bool = true;

    fn configure(arguments: &Arguments) -> Result<Vote, ArgumentError> {
        let (_, search) = arguments.part("search");
        let search = Mcts::configure(&search)?;
        if !search.reuse {
            return Err(ArgumentError::of("search", "reuse=false has no effect: voters do not reuse trees"));
        }
        Ok(Vote { search, voters: arguments.count("voters"), switch: arguments.number("switch") })
    }
}
