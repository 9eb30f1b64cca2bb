//! How many iterations a search needs until it picks the right move for good (Lin 2017, §4).
//!
//! **For good**: the search is looked at after every `every` iterations, and at its end. It has
//! settled at the first look from which on all picks are right, to the end of its budget. A search
//! whose last pick is wrong has not settled within the budget. The *last wrong pick* is the look
//! before; Lin's program prints the look after it (`viewDecision`, "Convergent time").
//!
//! `count = "simulations"` dates looks by the simulations of the root, as Lin's program does
//! (`numberOfSimulation`): an iteration that expands a node simulates all its children.

use super::agents::{self, AgentText, Contestant, LimitsText};
use super::arithmetic::{self, COUNTS, Counts};
use super::positions::PositionText;
use super::suite::{Judged, Label, Looks, Suite, SuiteText};
use super::{Design, Kind, Results};
use crate::plan::{Planned, Problem, Setup};
use crate::plots::{Axis, CumulativePlot};
use crate::report::{Findings, Measure, Table, figure};
use crate::statistics::paired_t::paired_t;
use crate::statistics::sample::Sample;
use crate::statistics::wilcoxon::signed_rank;
use crate::statistics::{Confidence, wilson};
use crate::tasks::think::ThinkResult;
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

const P95: Confidence = Confidence::P95;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct SetupText {
    agents: Spanned<Vec<AgentText>>,
    positions: Spanned<Vec<PositionText>>,
    #[serde(default)]
    limits: LimitsText,
    repeats: Option<Spanned<u32>>,
    seeds: Option<Spanned<Vec<u64>>>,
    most_positions: Option<u64>,
    every: Spanned<u64>,
    #[serde(default)]
    count: Count,
    arithmetic: Option<Spanned<Vec<Counts>>>,
}

/// What the looks at a search are dated by.
#[derive(Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Count {
    /// Iterations.
    #[default]
    Iterations,
    /// Simulations: the visits of all moves of the root.
    Simulations,
}

impl Count {
    /// Its name in the plural.
    fn name(self) -> &'static str {
        match self {
            Count::Iterations => "iterations",
            Count::Simulations => "simulations",
        }
    }

    /// At the beginning of a title.
    fn title(self) -> &'static str {
        match self {
            Count::Iterations => "Iterations",
            Count::Simulations => "Simulations",
        }
    }
}

struct Convergence {
    suite: Suite,
    every: u64,
    count: Count,
    /// Points at which the trap's arithmetic is shown beside the searches.
    arithmetic: Vec<Counts>,
}

pub fn read(mut setup: Setup<'_>) -> Result<Design, Problem> {
    let SetupText { agents, positions, limits, repeats, seeds, most_positions, every, count, arithmetic } =
        setup.read()?;
    let at = positions.span();
    let suite = Suite::new(SuiteText { agents, positions, limits, repeats, seeds, most_positions }, &setup)?;
    if *every.get_ref() == 0 {
        return Err(Problem::at(&every, "every must be at least 1"));
    }
    suite.check_judged(at)?;
    let wrong = |counts: &&Spanned<Vec<Counts>>| counts.get_ref().iter().flatten().any(|count| !COUNTS.contains(count));
    if let Some(counts) = arithmetic.as_ref().filter(wrong) {
        return Err(Problem::at(counts, "simulations must be from 1 to 2^40"));
    }
    let arithmetic = arithmetic.map(Spanned::into_inner).unwrap_or_default();
    Ok(Box::new(Convergence { suite, every: every.into_inner(), count, arithmetic }))
}

/// The iterations (or simulations) from which on all picks were right, to the end; nothing if the
/// last one was wrong. `picks` are the changes of the pick, in order, each with the iterations at
/// that look.
#[must_use]
pub fn settled(picks: &[(u64, String)], right: &[String]) -> Option<u64> {
    let is_right = |(_, pick): &(u64, String)| right.contains(pick);
    let wrong = picks.iter().rposition(|pick| !is_right(pick));
    match wrong {
        None => picks.first().map(|(at, _)| *at),
        Some(last) => picks.get(last + 1).map(|(at, _)| *at),
    }
}

impl Kind for Convergence {
    fn programs(&self) -> Vec<String> {
        agents::programs(&self.suite.agents)
    }

    fn jobs(&self) -> Result<Vec<Planned>, String> {
        let simulations = self.count == Count::Simulations;
        self.suite.searches(Looks { every: Some(self.every), simulations, watch: &[] })
    }

    fn findings(&self, results: &Results<'_>) -> Findings {
        // Where it settled; nothing where it did not.
        let mut found: BTreeMap<Label, Option<u64>> = BTreeMap::new();
        for (_, Judged { label, right }, result) in results.typed::<Judged, ThinkResult>() {
            found.insert(label, settled(&result.picks, &right));
        }
        let mut findings = Findings::default();
        let head = ["position", "agent", "runs", "settled", "median", "least", "most", "mean", "deviation"];
        let title = format!("{} until the right move is picked for good", self.count.title());
        let mut table = Table::new(&title, &head);
        for (agent, group) in self.suite.all() {
            let own: Vec<Option<u64>> = found
                .iter()
                .filter(|(label, _)| label.agent == agent && label.group == group)
                .map(|(_, settled)| *settled)
                .collect();
            let name = self.suite.name(agent, group);
            let settled: Vec<f64> = own.iter().filter_map(|at| at.map(|at| at as f64)).collect();
            let (runs, count) = (own.len() as u64, settled.len() as u64);
            let share = wilson::of_successes(count, runs, P95);
            findings.measures.push(Measure::of_share(format!("settled: {name}"), share, runs));
            // The median of all runs exists only where more than half of them settled.
            let median = (2 * count > runs).then(|| median_with_open(&settled, own.len())).flatten();
            findings.measures.push(Measure {
                value: median,
                trials: runs,
                ..Measure::named(format!("median {}: {name}", self.count.name()))
            });
            // Lin's tables give mean and standard deviation, which need all runs.
            let average = (count == runs).then(|| mean_and_deviation(&settled)).flatten();
            let sample = Sample::new(settled);
            let end = |q: f64| sample.as_ref().map_or("–".into(), |sample| figure(sample.quantile(q)));
            table.rows.push(vec![
                self.suite.groups[group].name.clone(),
                self.suite.agents[agent].name.clone(),
                runs.to_string(),
                count.to_string(),
                median.map_or("–".into(), figure),
                end(0.0),
                end(1.0),
                average.map_or("–".into(), |(mean, _)| figure(mean)),
                average.and_then(|(_, deviation)| deviation).map_or("–".into(), figure),
            ]);
        }
        findings.tables.push(table);
        findings.tables.push(self.tests(&found));
        let plot = self.picture(&found);
        findings.draw(|width| plot.draw(width));
        arithmetic::report(&self.arithmetic, &mut findings);
        let every = self.every;
        findings.notes.push(format!(
            "For good: right at every look (each {every} iterations) from there to the end of the budget. Medians count runs that did not settle as the longest."
        ));
        findings
    }
}

impl Convergence {
    /// When the runs of each agent settled.
    fn picture(&self, found: &BTreeMap<Label, Option<u64>>) -> CumulativePlot {
        let sample = |(agent, contestant): (usize, &Contestant)| {
            let own = found.iter().filter(|(label, _)| label.agent == agent);
            let settled = own.filter_map(|(_, settled)| settled.map(|at| at as f64)).collect();
            Some((contestant.name.clone(), Sample::new(settled)?))
        };
        CumulativePlot {
            title: "Runs that settled, of those that did".into(),
            x: Axis::new(self.count.title(), "").logarithmic(),
            counted: "runs".into(),
            samples: self.suite.agents.iter().enumerate().filter_map(sample).collect(),
        }
    }

    /// Every agent against the first, on the runs in which both settled.
    fn tests(&self, found: &BTreeMap<Label, Option<u64>>) -> Table {
        let head = ["agents", "runs", "mean difference", "95 %", "p (paired t)", "p (Wilcoxon)"];
        let title = format!("Differences in {}, on runs in which both settled", self.count.name());
        let mut table = Table::new(&title, &head);
        for agent in 1..self.suite.agents.len() {
            let difference = |(label, settled): (&Label, &Option<u64>)| {
                let other = found.get(&Label { agent: 0, ..*label }).copied().flatten()?;
                (label.agent == agent).then_some((*settled)? as f64 - other as f64)
            };
            let differences: Vec<f64> = found.iter().filter_map(difference).collect();
            let test = paired_t(&differences, P95);
            let ranks = signed_rank(&differences);
            table.rows.push(vec![
                format!("{} − {}", self.suite.agents[agent].name, self.suite.agents[0].name),
                differences.len().to_string(),
                test.map_or("–".into(), |test| figure(test.difference.estimate)),
                test.map_or("–".into(), |test| {
                    format!("{} to {}", figure(test.difference.low), figure(test.difference.high))
                }),
                test.map_or("–".into(), |test| figure(test.p_value)),
                ranks.map_or("–".into(), |test| figure(test.p_value)),
            ]);
        }
        table
    }
}

/// The median of `runs` runs of which only these ended; the others count as longer than all.
fn median_with_open(settled: &[f64], runs: usize) -> Option<f64> {
    let mut sorted = settled.to_vec();
    sorted.sort_by(f64::total_cmp);
    let upper = sorted.get(runs / 2).copied();
    if runs % 2 == 1 { upper } else { Some(f64::midpoint(*sorted.get(runs / 2 - 1)?, upper?)) }
}

/// The mean, and the standard deviation of a sample of at least two.
fn mean_and_deviation(numbers: &[f64]) -> Option<(f64, Option<f64>)> {
    let count = numbers.len() as f64;
    let mean = (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / count)?;
    let squares: f64 = numbers.iter().map(|number| (number - mean) * (number - mean)).sum();
    Some((mean, (numbers.len() > 1).then(|| libm::sqrt(squares / (count - 1.0)))))
}

#[cfg(test)]
mod tests {
    use super::{mean_and_deviation, median_with_open, settled};

    /// Lin 2017, Tables A.1.1 and 4.2.1: ten runs of plain MCTS on the level-3 trap.
    #[test]
    fn the_mean_and_deviation_of_a_printed_table() {
        let printed = [52848, 58821, 54372, 37941, 42139, 43128, 55132, 43259, 42146, 58240].map(f64::from);
        let (mean, deviation) = mean_and_deviation(&printed).expect("numbers");
        assert_eq!((mean.round(), deviation.map(f64::round)), (48803.0, Some(7792.0)));
        assert_eq!(mean_and_deviation(&[5.0]), Some((5.0, None)));
        assert_eq!(mean_and_deviation(&[]), None);
    }

    #[test]
    fn for_good_means_to_the_end() {
        let right = ["b".to_string()];
        let picks = |list: &[(u64, &str)]| list.iter().map(|(at, mv)| (*at, (*mv).to_string())).collect::<Vec<_>>();
        assert_eq!(settled(&picks(&[(100, "b")]), &right), Some(100), "right from the first look");
        assert_eq!(settled(&picks(&[(100, "a"), (300, "b")]), &right), Some(300));
        assert_eq!(settled(&picks(&[(100, "b"), (200, "a"), (500, "b")]), &right), Some(500), "not the first time");
        assert_eq!(settled(&picks(&[(100, "b"), (200, "a")]), &right), None, "wrong at the end");
        assert_eq!(settled(&[], &right), None);
        let both = ["b".to_string(), "c".to_string()];
        assert_eq!(settled(&picks(&[(100, "a"), (200, "c"), (300, "b")]), &both), Some(200), "two right moves");
    }

    #[test]
    fn runs_that_did_not_settle_are_the_longest() {
        assert_eq!(median_with_open(&[5.0, 1.0, 3.0], 3), Some(3.0));
        assert_eq!(median_with_open(&[5.0, 1.0, 3.0], 4), Some(4.0));
        assert_eq!(median_with_open(&[5.0, 1.0, 3.0], 5), Some(5.0));
        assert_eq!(median_with_open(&[5.0, 1.0, 3.0], 6), None);
    }
}
