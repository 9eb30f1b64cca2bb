//! How often a search picks a right move (Li 2018, Table 1): the share of seeds and positions of a
//! group in which its answer at the end of the budget is one of the right moves.

use super::agents::{self, AgentText, LimitsText};
use super::positions::PositionText;
use super::suite::{Judged, Label, Suite, SuiteText};
use super::{Design, Kind, Results};
use crate::plan::{Planned, Problem, Setup};
use crate::report::{Findings, Measure, Table, percent};
use crate::statistics::mcnemar::mcnemar;
use crate::statistics::{Confidence, wilson};
use crate::tasks::Task;
use crate::tasks::think::{ThinkResult, ThinkTask};
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
}

struct Detection {
    suite: Suite,
}

pub fn read(mut setup: Setup<'_>) -> Result<Design, Problem> {
    let SetupText { agents, positions, limits, repeats, seeds, most_positions } = setup.read()?;
    let at = positions.span();
    let suite = Suite::new(SuiteText { agents, positions, limits, repeats, seeds, most_positions }, &setup)?;
    if let Some(group) = suite.groups.iter().find(|group| !group.is_judged()) {
        let what = format!("\"{}\" does not say which moves are right: right = [\"…\"], or right-by", group.name);
        return Err(Problem { span: at, what });
    }
    Ok(Box::new(Detection { suite }))
}

impl Kind for Detection {
    fn programs(&self) -> Vec<String> {
        agents::programs(&self.suite.agents)
    }

    fn jobs(&self) -> Result<Vec<Planned>, String> {
        self.suite.jobs(|agent, case, seed| {
            Task::Think(ThinkTask {
                game: case.game.clone(),
                moves: case.moves.clone(),
                agent: agent.agent.clone(),
                limits: agent.limits,
                seed,
                every: None,
                watch: Vec::new(),
            })
        })
    }

    fn findings(&self, results: &Results<'_>) -> Findings {
        let mut found: BTreeMap<Label, bool> = BTreeMap::new();
        for (_, Judged { label, right }, result) in results.typed::<Judged, ThinkResult>() {
            found.insert(label, result.best.is_some_and(|best| right.contains(&best)));
        }
        let mut findings = Findings::default();
        let first = &self.suite.agents[0].name;
        let versus = format!("p against {first} (McNemar)");
        let mut table =
            Table::new("How often a right move is found", &["position", "agent", "searches", "found", &versus]);
        for (agent, group) in self.suite.all() {
            let own = || found.iter().filter(|(label, _)| label.agent == agent && label.group == group);
            let (trials, right) = (own().count() as u64, own().filter(|(_, right)| **right).count() as u64);
            let share = wilson::of_successes(right, trials, P95);
            findings.measures.push(Measure::of_share(
                format!("found: {}", self.suite.name(agent, group)),
                share,
                trials,
            ));
            let mut alone = [0, 0];
            for (label, right) in own() {
                match (found.get(&Label { agent: 0, ..*label }), right) {
                    (Some(true), false) => alone[0] += 1,
                    (Some(false), true) => alone[1] += 1,
                    _ => {}
                }
            }
            let test = mcnemar(alone[0], alone[1], P95);
            table.rows.push(vec![
                self.suite.groups[group].name.clone(),
                self.suite.agents[agent].name.clone(),
                trials.to_string(),
                percent(share),
                if agent == 0 || trials == 0 { "".into() } else { crate::report::figure(test.p_value) },
            ]);
        }
        findings.tables.push(table);
        findings
    }
}
