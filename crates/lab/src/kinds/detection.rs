//! How often a search picks a right move (Li 2018, Table 1): the share of seeds and positions of a
//! group in which its answer at the end of the budget is one of the right moves.

use super::agents::{self, Contestant};
use super::positions::Group;
use super::suite::{Judged, Label, Looks, Suite, SuiteText};
use super::{Design, Kind, Results};
use crate::plan::{Planned, Problem, Setup};
use crate::plots::{Axis, Bar, BarPlot, Best, Curve, Heat, LinePlot, Point, SurfacePlot};
use crate::report::{Findings, Measure, Table, percent};
use crate::statistics::mcnemar::mcnemar;
use crate::statistics::{Confidence, Interval, wilson};
use crate::tasks::think::ThinkResult;
use std::collections::BTreeMap;

const P95: Confidence = Confidence::P95;
/// The most bars of a picture.
const MOST_BARS: usize = 16;

struct Detection {
    suite: Suite,
}

pub fn read(mut setup: Setup<'_>) -> Result<Design, Problem> {
    let text: SuiteText = setup.read()?;
    let at = text.positions.span();
    let suite = Suite::new(text, &setup)?;
    suite.check_judged(at)?;
    Ok(Box::new(Detection { suite }))
}

impl Kind for Detection {
    fn programs(&self) -> Vec<String> {
        agents::programs(&self.suite.agents)
    }

    fn jobs(&self) -> Result<Vec<Planned>, String> {
        self.suite.searches(Looks::default())
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
        self.draw(&mut findings);
        findings
    }
}

impl Detection {
    /// The shares: curves over what is swept, else bars, or a table of colours where bars would be many.
    fn draw(&self, findings: &mut Findings) {
        let share = |agent: usize, group: usize| {
            let name = format!("found: {}", self.suite.name(agent, group));
            let measure = findings.measures.iter().find(|measure| measure.name == name)?;
            let ([low, high], estimate) = (measure.interval?, measure.value?);
            Some(Interval { estimate, low, high }.map(|share| 100.0 * share))
        };
        let axis = Axis::new("Right moves", "%").between(0.0, 100.0);
        let title = "How often a right move is found".to_string();
        if let [letter] = self.suite.swept()[..] {
            let curve = |(group, named): (usize, &Group)| {
                let agents = self.suite.agents.iter().enumerate();
                let point =
                    |(agent, it): (usize, &Contestant)| Some(Point { x: it.swept.first()?.1, y: share(agent, group)? });
                Curve { name: named.name.clone(), points: agents.filter_map(point).collect() }
            };
            let curves = self.suite.groups.iter().enumerate().map(curve).collect();
            let plot = LinePlot { title, x: Axis::new(letter, ""), y: axis, curves, published: None };
            findings.draw(|width| plot.draw(width));
        } else if self.suite.agents.len() * self.suite.groups.len() > MOST_BARS {
            let shares = |group: usize| (0..self.suite.agents.len()).map(move |agent| (agent, group));
            let values = (0..self.suite.groups.len()).flat_map(shares);
            let values = values.map(|(agent, group)| share(agent, group).map(|share| share.estimate)).collect();
            let plot = SurfacePlot {
                title,
                columns: ("search".into(), self.suite.agents.iter().map(|agent| agent.name.clone()).collect()),
                rows: ("positions".into(), self.suite.groups.iter().map(|group| group.name.clone()).collect()),
                values,
                heat: Heat::Amount(axis),
                best: Best::Greatest,
            };
            findings.draw(|width| plot.draw(width));
        } else {
            let bar = |(agent, group)| Some(Bar { name: self.suite.name(agent, group), value: share(agent, group)? });
            let bars = self.suite.all().filter_map(bar).collect();
            let plot = BarPlot { title, axis, base: 0.0, bars };
            findings.draw(|width| plot.draw(width));
        }
    }
}
