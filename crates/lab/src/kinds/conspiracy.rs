//! Relative single conspiracy numbers of both sides, by the kind of the game's start (Zhang 2019,
//! Fig. 4-2 to 4-10). A smaller number is better for its side.

use super::positions::{self, Group, PositionText};
use super::suite::{Label, by_rounds, round};
use super::{Design, Kind, Results};
use crate::plan::{Planned, Problem, Setup};
use crate::plots::{Axis, Bar, BarPlot};
use crate::report::{Findings, Measure, Table, figure};
use crate::statistics::paired_t::paired_t;
use crate::statistics::{Confidence, Interval};
use crate::tasks::Task;
use crate::tasks::conspiracy::{ConspiracyResult, ConspiracyTask};
use serde::Deserialize;
use std::collections::BTreeMap;
use tesuji_agents::Access;
use tesuji_core::Seed;
use toml::Spanned;

const P95: Confidence = Confidence::P95;
/// The sides, as reports name them.
const SIDES: [&str; 2] = ["Red", "Black"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct SetupText {
    positions: Spanned<Vec<PositionText>>,
    thresholds: Spanned<Vec<i32>>,
    games: Spanned<u32>,
    plies: u32,
    nodes: u64,
    depth: u32,
    most_positions: Option<u64>,
}

struct Conspiracy {
    groups: Vec<Group>,
    thresholds: Vec<i32>,
    games: u32,
    plies: u32,
    nodes: u64,
    depth: u32,
    most_positions: u64,
    seed: Seed,
    access: Access,
}

pub fn read(mut setup: Setup<'_>) -> Result<Design, Problem> {
    let SetupText { positions, thresholds, games, plies, nodes, depth, most_positions } = setup.read()?;
    let at = positions.span();
    let (groups, firsts) = positions::read(positions.into_inner(), setup.seed, setup.access)?;
    if firsts.is_empty() || firsts.iter().any(|first| first.game.name != "xiangqi") {
        return Err(Problem { span: at, what: "positions of Chinese chess are needed: xiangqi(…)".into() });
    }
    let mut sorted = thresholds.get_ref().clone();
    sorted.sort_unstable();
    sorted.dedup();
    if sorted.is_empty() || sorted.len() < thresholds.get_ref().len() || sorted.iter().any(|it| it.abs() > 10_000) {
        return Err(Problem::at(&thresholds, "thresholds lie within ±10,000, each once"));
    }
    if !(1..=100_000).contains(games.get_ref()) {
        return Err(Problem::at(&games, "games must be from 1 to 100,000"));
    }
    Ok(Box::new(Conspiracy {
        groups,
        thresholds: thresholds.into_inner(),
        games: games.into_inner(),
        plies,
        nodes,
        depth,
        most_positions: most_positions.unwrap_or(u64::MAX),
        seed: Seed(setup.seed),
        access: setup.access.clone(),
    }))
}

impl Kind for Conspiracy {
    fn programs(&self) -> Vec<String> {
        Vec::new()
    }

    fn jobs(&self) -> Result<Vec<Planned>, String> {
        let mut jobs = Vec::new();
        for (group, named) in self.groups.iter().enumerate() {
            for (position, case) in named.cases(self.most_positions, &self.access)?.into_iter().enumerate() {
                for (agent, threshold) in self.thresholds.iter().enumerate() {
                    for repeat in 0..self.games as usize {
                        // The place of the agent in the label holds the threshold.
                        let label = Label { agent, group, position: position as u64, repeat };
                        let task = Task::Conspiracy(ConspiracyTask {
                            game: case.game.clone(),
                            threshold: *threshold,
                            plies: self.plies,
                            nodes: self.nodes,
                            depth: self.depth,
                            seed: self.seed.derive(repeat as u64).0,
                        });
                        let label = serde_json::to_value(label).expect("labels serialise");
                        jobs.push((round(repeat, position), Planned::new(label, task)));
                    }
                }
            }
        }
        Ok(by_rounds(jobs))
    }

    fn findings(&self, results: &Results<'_>) -> Findings {
        let mut found: BTreeMap<(usize, usize, usize), [Vec<f64>; 2]> = BTreeMap::new();
        for (_, label, result) in results.typed::<Label, ConspiracyResult>() {
            for side in 0..SIDES.len() {
                let [numbers, values] = found.entry((label.group, label.agent, side)).or_default();
                numbers.extend(result.rscn[side]);
                values.extend(result.value[side]);
            }
        }
        let mut findings = Findings::default();
        let head = ["start", "T", "side", "games", "mean RSCN", "95 %", "least", "most", "mean value"];
        let mut table = Table::new("Relative single conspiracy numbers", &head);
        let mut bars = Vec::new();
        for (group, named) in self.groups.iter().enumerate() {
            for (place, threshold) in self.thresholds.iter().enumerate() {
                for (side, side_name) in SIDES.iter().enumerate() {
                    let [numbers, values] = found.remove(&(group, place, side)).unwrap_or_default();
                    let mean = mean(&numbers);
                    let name = format!("{}, T = {threshold}, {side_name}", named.name);
                    findings.measures.push(Measure::of(format!("RSCN: {name}"), mean, numbers.len() as u64));
                    let shown = |number: Option<f64>| number.map_or("–".into(), figure);
                    table.rows.push(vec![
                        named.name.clone(),
                        threshold.to_string(),
                        (*side_name).into(),
                        numbers.len().to_string(),
                        shown(mean.map(|it| it.estimate)),
                        mean.map_or("–".into(), |it| format!("{} to {}", figure(it.low), figure(it.high))),
                        shown(numbers.iter().copied().min_by(f64::total_cmp)),
                        shown(numbers.iter().copied().max_by(f64::total_cmp)),
                        shown((!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)),
                    ]);
                    bars.extend(mean.map(|value| Bar { name, value }));
                }
            }
        }
        findings.tables.push(table);
        let axis = Axis::new("Mean RSCN: smaller is better for the side", "");
        let plot = BarPlot { title: "Relative single conspiracy numbers".into(), axis, base: 0.0, bars };
        findings.draw(|width| plot.draw(width));
        findings
    }
}

/// The mean of a sample with Student's interval: the paired test against zero.
fn mean(numbers: &[f64]) -> Option<Interval> {
    paired_t(numbers, P95).map(|test| test.difference)
}
