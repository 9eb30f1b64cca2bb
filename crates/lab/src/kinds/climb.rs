//! Hill climbing on every position, against the solver with its usual parameters (Zhang 2019,
//! Table 3.3).

use super::agents::{self, AgentText, LimitsText};
use super::positions::PositionText;
use super::suite::{Label, Suite, SuiteText};
use super::{Design, Kind, Results};
use crate::plan::{Planned, Problem, Setup};
use crate::plots::{Axis, Curve, LinePlot, Point};
use crate::report::{Findings, Measure, Table, figure};
use crate::statistics::{Confidence, bootstrap};
use crate::tasks::Task;
use crate::tasks::climb::{ClimbResult, ClimbTask, at_point};
use crate::tasks::solve::{SolveResult, SolveTask};
use serde::Deserialize;
use std::collections::BTreeMap;
use tesuji_core::Seed;
use toml::Spanned;

/// Resamplings of a ratio's interval.
const DRAWS: u32 = 2_000;
/// Climbs whose steps are drawn.
const DRAWN: usize = 6;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct SetupText {
    agents: Spanned<Vec<AgentText>>,
    positions: Spanned<Vec<PositionText>>,
    #[serde(default)]
    limits: LimitsText,
    most_positions: Option<u64>,
    climb: Spanned<String>,
    largest: Spanned<u32>,
}

struct Climb {
    suite: Suite,
    climb: String,
    largest: u32,
    seed: Seed,
}

pub fn read(mut setup: Setup<'_>) -> Result<Design, Problem> {
    let SetupText { agents, positions, limits, most_positions, climb, largest } = setup.read()?;
    let at_agents = agents.span();
    let texts = SuiteText { agents, positions, limits, repeats: None, seeds: None, most_positions };
    let suite = Suite::new(texts, &setup)?;
    if suite.agents.len() != 1 {
        return Err(Problem { span: at_agents, what: "one agent: the solver with its usual parameters".into() });
    }
    if !climb.get_ref().contains("{E}") || !climb.get_ref().contains("{D}") {
        return Err(Problem::at(&climb, "the solver that is tuned has {E} and {D} in its text"));
    }
    if !(3..=1_000).contains(largest.get_ref()) {
        return Err(Problem::at(&largest, "largest must be from 3 to 1,000"));
    }
    suite.check_agent(&Spanned::new(climb.span(), at_point(climb.get_ref(), (2, 2))))?;
    let (climb, largest) = (climb.into_inner(), largest.into_inner());
    Ok(Box::new(Climb { suite, climb, largest, seed: Seed(setup.seed) }))
}

impl Kind for Climb {
    fn programs(&self) -> Vec<String> {
        agents::programs(&self.suite.agents)
    }

    /// For each position the search with usual parameters, then the climb.
    fn jobs(&self) -> Result<Vec<Planned>, String> {
        let usual = self.suite.jobs(|agent, case, seed, _| {
            Task::Solve(SolveTask {
                game: case.game.clone(),
                moves: case.moves.clone(),
                agent: agent.agent.clone(),
                limits: agent.limits,
                seed,
                looks: Vec::new(),
                judge: None,
            })
        })?;
        let climbs = self.suite.jobs(|agent, case, seed, _| {
            Task::Climb(ClimbTask {
                game: case.game.clone(),
                moves: case.moves.clone(),
                climb: self.climb.clone(),
                limits: agent.limits,
                largest: self.largest,
                seed,
            })
        })?;
        Ok(usual.into_iter().zip(climbs).flat_map(|(usual, climb)| [usual, climb]).collect())
    }

    fn findings(&self, results: &Results<'_>) -> Findings {
        let usual: BTreeMap<Label, SolveResult> = results.typed().map(|(_, label, result)| (label, result)).collect();
        let climbs: BTreeMap<Label, ClimbResult> = results.typed().map(|(_, label, result)| (label, result)).collect();
        let name = &self.suite.agents[0].name;
        let mut findings = Findings::default();
        let title = format!("Nodes of {name}, and of the point that hill climbing finds");
        let head = ["position", name, "climbed", "saved", "E, D", "points tried", "re-expansions", "climbed"];
        let mut table = Table::new(&title, &head);
        let mut both: Vec<[f64; 2]> = Vec::new();
        let mut again: Vec<[f64; 2]> = Vec::new();
        let mut curves = Vec::new();
        for (label, climb) in &climbs {
            let before = usual.get(label).filter(|result| result.solved);
            let counted = before.zip(climb.nodes).map(|(before, nodes)| [before.nodes as f64, nodes as f64]);
            both.extend(counted);
            let expanded = before.and_then(|before| before.figures.get("re-expansions").copied());
            again.extend(counted.and(expanded.zip(climb.re_expansions)).map(|(one, other)| [one, other]));
            let saved = |[before, after]: [f64; 2]| format!("{:.1} %", 100.0 * (1.0 - after / before));
            let shown = |number: Option<f64>| number.map_or("–".into(), figure);
            table.rows.push(vec![
                (label.position + 1).to_string(),
                before.map_or("not solved".into(), |before| figure(before.nodes as f64)),
                climb.nodes.map_or("not solved".into(), |nodes| figure(nodes as f64)),
                counted.map_or("–".into(), saved),
                format!("{}, {}", climb.at.0, climb.at.1),
                climb.tried.to_string(),
                shown(expanded),
                shown(climb.re_expansions),
            ]);
            if curves.len() < DRAWN {
                let point = |(step, (_, _, nodes)): (usize, &(u32, u32, Option<u64>))| {
                    Some(Point::exact(step as f64, (*nodes)? as f64))
                };
                let points: Vec<Point> = climb.path.iter().enumerate().filter_map(point).collect();
                if points.len() > 1 {
                    curves.push(Curve { name: format!("position {}", label.position + 1), points });
                }
            }
        }
        findings.tables.push(table);
        let ratios: Vec<f64> = both.iter().map(|[before, after]| after / before).collect();
        let ratio = bootstrap::geometric_mean(&ratios, DRAWS, self.seed, Confidence::P95);
        findings.measures.push(Measure::of("effort ratio: hill climbing", ratio, ratios.len() as u64));
        for (name, pairs) in [("nodes", &both), ("re-expansions", &again)] {
            let sum = |place: usize| pairs.iter().map(|pair| pair[place]).sum::<f64>();
            let value = (sum(0) > 0.0).then(|| 1.0 - sum(1) / sum(0));
            let measure = Measure::named(format!("saved on average: {name}"));
            findings.measures.push(Measure { value, trials: pairs.len() as u64, share: true, ..measure });
        }
        let plot = LinePlot {
            title: "Nodes along the climb".into(),
            x: Axis::new("Step", ""),
            y: Axis::new("Nodes", "").logarithmic(),
            curves,
            published: None,
        };
        findings.draw(|width| plot.draw(width));
        findings
    }
}
