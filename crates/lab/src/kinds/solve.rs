//! Solvers on the same positions, and sweeps of their parameters.
//!
//! What a solver needs is its *effort*: iterations, nodes, seconds, or a figure of its own by name.
//! Agents are compared with the *baseline* position by position, on what both solved; what a limit
//! cut off is reported beside (see [`censored`](crate::statistics::censored)). The p-values of
//! several agents are corrected by Holm's method.
//!
//! ```toml
//! also = ["seconds", "re-expansions"]                 # further efforts, of which means are shown
//! units = { "UCT solver" = { "8×8" = 8 } }            # so many iterations of it count as one
//! judge = "pn(goal=\"first-wins\")"                   # judges the moves preferred on the way
//! ```

use super::agents::{self, AgentText, Contestant, LimitsText};
use super::errors::{self, ErrorRates};
use super::positions::PositionText;
use super::suite::{Label, Suite, SuiteText};
use super::{Design, Kind, Results};
use crate::plan::{Planned, Problem, Setup};
use crate::plots::{Axis, Best, CactusPlot, Curve, Heat, LinePlot, Point, Solver, SurfacePlot};
use crate::report::{Findings, Measure, Table, figure};
use crate::statistics::censored::{Compared, Time, cactus, compare, par2};
use crate::statistics::holm::holm;
use crate::statistics::paired_t::paired_t;
use crate::statistics::wilcoxon::signed_rank;
use crate::statistics::{Confidence, Interval, bootstrap, wilson};
use crate::tasks::Task;
use crate::tasks::solve::{SolveResult, SolveTask};
use serde::Deserialize;
use std::collections::BTreeMap;
use tesuji_core::Seed;
use toml::Spanned;

const P95: Confidence = Confidence::P95;
/// Resamplings of a ratio's interval.
const DRAWS: u32 = 2_000;

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
    effort: String,
    baseline: Spanned<String>,
    #[serde(default)]
    any_end: bool,
    #[serde(default)]
    also: Vec<String>,
    #[serde(default)]
    units: BTreeMap<Spanned<String>, BTreeMap<Spanned<String>, Spanned<f64>>>,
    judge: Option<Spanned<String>>,
}

struct Solve {
    suite: Suite,
    effort: String,
    /// Further efforts.
    also: Vec<String>,
    /// Iterations of an agent on a group that count as one, where that is not 1.
    units: BTreeMap<(usize, usize), f64>,
    /// The agent that judges the moves preferred on the way.
    judge: Option<String>,
    baseline: usize,
    /// Whether a search counts however it ended: its effort is the question, not its answer.
    any_end: bool,
    seed: Seed,
}

pub fn read(mut setup: Setup<'_>) -> Result<Design, Problem> {
    let text: SetupText = setup.read()?;
    let SetupText { agents, positions, limits, repeats, seeds, most_positions, effort, baseline, any_end, .. } = text;
    let suite = Suite::new(SuiteText { agents, positions, limits, repeats, seeds, most_positions }, &setup)?;
    let found = suite.agents.iter().position(|agent| agent.name == *baseline.get_ref());
    let names = || suite.agents.iter().map(|agent| agent.name.as_str()).collect::<Vec<_>>().join(", ");
    let baseline = found.ok_or_else(|| {
        Problem::at(&baseline, format!("no agent is named \"{}\"; there are {}", baseline.get_ref(), names()))
    })?;
    let units = units(&text.units, &suite)?;
    text.judge.as_ref().map(|judge| suite.check_agent(judge)).transpose()?;
    let (also, judge) = (text.also, text.judge.map(Spanned::into_inner));
    Ok(Box::new(Solve { suite, effort, also, units, judge, baseline, any_end, seed: Seed(setup.seed) }))
}

fn units(
    texts: &BTreeMap<Spanned<String>, BTreeMap<Spanned<String>, Spanned<f64>>>,
    suite: &Suite,
) -> Result<BTreeMap<(usize, usize), f64>, Problem> {
    let mut units = BTreeMap::new();
    for (name, groups) in texts {
        let agent = suite.agents.iter().position(|agent| agent.name == *name.get_ref());
        let agent = agent.ok_or_else(|| Problem::at(name, "no agent has this name"))?;
        for (name, unit) in groups {
            let group = suite.groups.iter().position(|group| group.name == *name.get_ref());
            let group = group.ok_or_else(|| Problem::at(name, "no group of positions has this name"))?;
            if !(*unit.get_ref() > 0.0 && unit.get_ref().is_finite()) {
                return Err(Problem::at(unit, "a unit is a number above 0"));
            }
            units.insert((agent, group), *unit.get_ref());
        }
    }
    Ok(units)
}

impl Solve {
    fn unit(&self, label: &Label) -> f64 {
        self.units.get(&(label.agent, label.group)).copied().unwrap_or(1.0)
    }

    fn time(&self, effort: &str, label: &Label, result: &SolveResult) -> Option<Time> {
        let (limits, unit) = (self.suite.agents[label.agent].limits, self.unit(label));
        let (effort, limit) = match effort {
            "iterations" => (result.iterations as f64 / unit, limits.iterations.map(|most| most as f64 / unit)),
            "nodes" => (result.nodes as f64, limits.nodes.map(|most| most as f64)),
            "seconds" => (result.seconds, limits.time),
            name => (*result.figures.get(name)?, None),
        };
        Some(if result.solved || self.any_end { Time::Solved(effort) } else { Time::Beyond(limit.unwrap_or(effort)) })
    }
}

impl Kind for Solve {
    fn programs(&self) -> Vec<String> {
        agents::programs(&self.suite.agents)
    }

    fn jobs(&self) -> Result<Vec<Planned>, String> {
        self.suite.jobs(|agent, case, seed, label| {
            let (game, moves, limits) = (case.game.clone(), case.moves.clone(), agent.limits);
            let (looks, judge) = (self.judge.as_ref().map(|_| errors::looks(self.unit(label))), self.judge.clone());
            let looks = looks.unwrap_or_default();
            Task::Solve(SolveTask { game, moves, agent: agent.agent.clone(), limits, seed, looks, judge })
        })
    }

    fn findings(&self, results: &Results<'_>) -> Findings {
        let mut times: BTreeMap<Label, Time> = BTreeMap::new();
        let mut further: Vec<BTreeMap<Label, Time>> = vec![BTreeMap::new(); self.also.len()];
        let mut errors = ErrorRates::default();
        let mut proved: BTreeMap<(usize, u64), Vec<[f64; 2]>> = BTreeMap::new();
        for (_, label, result) in results.typed::<Label, SolveResult>() {
            if label.agent < self.suite.agents.len() && label.group < self.suite.groups.len() {
                proved.entry((label.group, label.position)).or_default().push(result.bounds);
                times.extend(self.time(&self.effort, &label, &result).map(|time| (label, time)));
                for (effort, times) in self.also.iter().zip(&mut further) {
                    times.extend(self.time(effort, &label, &result).map(|time| (label, time)));
                }
                errors.add(label, self.unit(&label), &result);
            }
        }
        let mut findings = Findings::default();
        let base_name = &self.suite.agents[self.baseline].name;
        let title = format!("Effort in {}; ratios to {base_name}, geometric means over what both solved", self.effort);
        let head = ["positions", "agent", "runs", "solved", "median", "PAR2", "ratio", "95 %", "alone", "p (Holm)"];
        let mut table = Table::new(&title, &head);
        let mut tests = Vec::new();
        for (agent, group) in self.suite.all() {
            let own: Vec<(Label, Time)> = of(&times, agent, group).collect();
            let efforts: Vec<Time> = own.iter().map(|(_, time)| *time).collect();
            let solved = cactus(&efforts);
            let name = self.suite.name(agent, group);
            let (runs, count) = (own.len() as u64, solved.len() as u64);
            findings.measures.push(Measure::of_share(
                format!("solved: {name}"),
                wilson::of_successes(count, runs, P95),
                runs,
            ));
            let pairs: Vec<(Time, Time)> = own
                .iter()
                .filter_map(|(label, time)| Some((*times.get(&Label { agent: self.baseline, ..*label })?, *time)))
                .collect();
            let Compared { ratios, only_first, only_second, .. } = compare(&pairs);
            let ratio = bootstrap::geometric_mean(&ratios, DRAWS, self.seed, P95);
            let mut row = vec![
                self.suite.groups[group].name.clone(),
                self.suite.agents[agent].name.clone(),
                runs.to_string(),
                count.to_string(),
                solved.get(solved.len() / 2).map_or("–".into(), |effort| figure(*effort)),
                par2(&efforts).map_or("–".into(), figure),
            ];
            if agent == self.baseline {
                row.extend(["1", "", "", ""].map(String::from));
            } else {
                findings.measures.push(Measure::of(format!("effort ratio: {name}"), ratio, ratios.len() as u64));
                let logarithms: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
                let p = signed_rank(&logarithms).map(|test| test.p_value);
                row.push(ratio.map_or("–".into(), |it| figure(it.estimate)));
                row.push(ratio.map_or("–".into(), |it| format!("{} to {}", figure(it.low), figure(it.high))));
                row.push(format!("{only_second} : {only_first}"));
                row.push("–".into());
                tests.extend(p.map(|p| (table.rows.len(), p)));
            }
            table.rows.push(row);
        }
        let corrected = holm(&tests.iter().map(|(_, p)| *p).collect::<Vec<_>>());
        for ((row, _), p) in tests.iter().zip(corrected) {
            table.rows[*row][9] = figure(p);
        }
        findings.tables.push(table);
        self.draw(&times, &mut findings);
        if !self.also.is_empty() {
            self.means(&times, &further, &mut findings);
        }
        if self.judge.is_some() {
            errors.report(&self.suite, &mut findings);
        }
        findings.notes.push(format!(
            "“alone”: positions that this agent solved and {base_name} did not : the reverse. Ratios say nothing of those."
        ));
        findings.notes.extend(contradictions(&proved));
        findings
    }
}

impl Solve {
    /// The means of all efforts; what was not solved counts with its limit.
    fn means(&self, times: &BTreeMap<Label, Time>, further: &[BTreeMap<Label, Time>], findings: &mut Findings) {
        let efforts = || std::iter::once(&self.effort).chain(&self.also).zip(std::iter::once(times).chain(further));
        let mut table = Table::new("Means (95 %); what was not solved counts with its limit", &["positions", "agent"]);
        table.head.extend(efforts().map(|(name, _)| name.clone()));
        for (agent, group) in self.suite.all() {
            let mut row = vec![self.suite.groups[group].name.clone(), self.suite.agents[agent].name.clone()];
            for (effort, times) in efforts() {
                let spent = |(_, time): (Label, Time)| match time {
                    Time::Solved(spent) | Time::Beyond(spent) => spent,
                };
                let spent: Vec<f64> = of(times, agent, group).map(spent).collect();
                let mean = paired_t(&spent, P95).map(|test| test.difference);
                let name = format!("mean {effort}: {}", self.suite.name(agent, group));
                findings.measures.push(Measure::of(name, mean, spent.len() as u64));
                row.push(mean.map_or("–".into(), |it| {
                    format!("{} ({} to {})", figure(it.estimate), figure(it.low), figure(it.high))
                }));
            }
            table.rows.push(row);
        }
        findings.tables.push(table);
    }

    /// Ratios over what is swept (a curve or a surface), else the cactus plot of each group.
    fn draw(&self, times: &BTreeMap<Label, Time>, findings: &mut Findings) {
        let base = &self.suite.agents[self.baseline].name;
        let letters: Vec<String> = self.suite.swept().into_iter().map(String::from).collect();
        for (group, named) in self.suite.groups.iter().enumerate() {
            let title = format!("{}: {} against {base}", named.name, self.effort);
            match &letters[..] {
                [letter] => {
                    let plot = self.curve(findings, title, letter, group);
                    findings.draw(|width| plot.draw(width));
                }
                [rows, columns] => {
                    let plot = self.surface(findings, title, [rows, columns], group);
                    findings.draw(|width| plot.draw(width));
                }
                _ => {
                    let solver = |(agent, it): (usize, &Contestant)| Solver {
                        name: it.name.clone(),
                        times: of(times, agent, group).map(|(_, time)| time).collect(),
                    };
                    let solvers = self.suite.agents.iter().enumerate().map(solver).collect();
                    let effort = Axis::new(&self.effort, "").logarithmic();
                    let title = format!("{}: solved within an effort", named.name);
                    let plot = CactusPlot { title, effort, limit: None, solvers };
                    findings.draw(|width| plot.draw(width));
                }
            }
        }
    }

    /// The ratio of an agent on a group to the baseline, which is 1.
    fn ratio(&self, findings: &Findings, agent: usize, group: usize) -> Option<Interval> {
        if agent == self.baseline {
            return Some(Interval { estimate: 1.0, low: 1.0, high: 1.0 });
        }
        let name = format!("effort ratio: {}", self.suite.name(agent, group));
        let measure = findings.measures.iter().find(|measure| measure.name == name)?;
        let [low, high] = measure.interval?;
        Some(Interval { estimate: measure.value?, low, high })
    }

    fn curve(&self, findings: &Findings, title: String, letter: &str, group: usize) -> LinePlot {
        let point = |(agent, it): (usize, &Contestant)| {
            Some(Point { x: it.swept.first()?.1, y: self.ratio(findings, agent, group)? })
        };
        let mut points: Vec<Point> = self.suite.agents.iter().enumerate().filter_map(point).collect();
        points.sort_by(|one, other| one.x.total_cmp(&other.x));
        let curves = if points.len() < 2 { Vec::new() } else { vec![Curve { name: "ratio".into(), points }] };
        LinePlot { title, x: Axis::new(letter, ""), y: Axis::new("Ratio", ""), curves, published: None }
    }

    fn surface(&self, findings: &Findings, title: String, letters: [&str; 2], group: usize) -> SurfacePlot {
        let values_of = |place: usize| {
            let mut values: Vec<f64> = Vec::new();
            for agent in &self.suite.agents {
                values.extend(agent.swept.get(place).map(|(_, value)| *value).filter(|value| !values.contains(value)));
            }
            values
        };
        let (rows, columns) = (values_of(0), values_of(1));
        let mut values = Vec::new();
        for row in &rows {
            for column in &columns {
                let is_here = |agent: &Contestant| matches!(&agent.swept[..], [(_, one), (_, other)] if one == row && other == column);
                let agent = self.suite.agents.iter().position(is_here);
                values.push(agent.and_then(|agent| self.ratio(findings, agent, group)).map(|it| it.estimate));
            }
        }
        let texts = |values: &[f64]| values.iter().map(f64::to_string).collect();
        SurfacePlot {
            title,
            columns: (letters[1].into(), texts(&columns)),
            rows: (letters[0].into(), texts(&rows)),
            values,
            heat: Heat::Amount(Axis::new("Ratio", "")),
            best: Best::Least,
        }
    }
}

fn of(times: &BTreeMap<Label, Time>, agent: usize, group: usize) -> impl Iterator<Item = (Label, Time)> {
    let own = move |(label, _): &(&Label, &Time)| label.agent == agent && label.group == group;
    times.iter().filter(own).map(|(label, time)| (*label, *time))
}

/// Two proofs about one position that cannot both hold: a bug, which no report may hide.
fn contradictions(proved: &BTreeMap<(usize, u64), Vec<[f64; 2]>>) -> Option<String> {
    let disagree = |bounds: &&Vec<[f64; 2]>| {
        let low = bounds.iter().map(|[low, _]| *low).fold(0.0, f64::max);
        let high = bounds.iter().map(|[_, high]| *high).fold(1.0, f64::min);
        low > high
    };
    let count = proved.values().filter(disagree).count();
    (count > 0).then(|| format!("ERROR: on {count} positions two agents have proved values that exclude each other."))
}
