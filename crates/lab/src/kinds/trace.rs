//! Visits and values of chosen nodes over time (Li 2018, Fig. 12 to 16). A node is named by the
//! moves that lead to it from the root, such as `"e2"` or `"e2 d3"`. Where it is known what they are
//! worth (`worth`), the report says whether their confidence bounds hold (Lin 2017, Table 4.6.5).

use super::agents::{self, AgentText, LimitsText};
use super::positions::PositionText;
use super::suite::{Label, Looks, Suite, SuiteText};
use super::{Design, Kind, Results};
use crate::plan::{Planned, Problem, Setup};
use crate::plots::{Axis, Curve, LinePlot, Point};
use crate::report::{Findings, Measure, Table, figure};
use crate::tasks::think::{Look, ThinkResult, Watched};
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// Looks that the table shows; the lines have all.
const SHOWN: usize = 16;
/// Watched nodes in a picture, the first ones: more cannot be told apart.
const MOST_CURVES: usize = 6;

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
    watch: Spanned<Vec<String>>,
    /// What the watched nodes are worth to the side to move, in their order.
    worth: Option<Spanned<Vec<f64>>>,
}

struct Trace {
    suite: Suite,
    every: u64,
    watch: Vec<String>,
    worth: Option<Vec<f64>>,
}

pub fn read(mut setup: Setup<'_>) -> Result<Design, Problem> {
    let SetupText { agents, positions, limits, repeats, seeds, most_positions, every, watch, worth } = setup.read()?;
    let suite = Suite::new(SuiteText { agents, positions, limits, repeats, seeds, most_positions }, &setup)?;
    if *every.get_ref() == 0 {
        return Err(Problem::at(&every, "every must be at least 1"));
    }
    if watch.get_ref().is_empty() {
        return Err(Problem::at(&watch, "at least one move is watched"));
    }
    if let Some(worth) = &worth {
        if worth.get_ref().len() != watch.get_ref().len() {
            return Err(Problem::at(worth, "worth has a value for each watched move"));
        }
        if !worth.get_ref().iter().all(|value| (0.0..=1.0).contains(value)) {
            return Err(Problem::at(worth, "values lie from 0 to 1"));
        }
    }
    for position in (0..suite.groups.len()).filter_map(|group| suite.first_position(group)) {
        for mv in watch.get_ref() {
            let mut at = position.boxed_clone();
            for step in mv.split_whitespace() {
                at.play(step).map_err(|error| Problem::at(&watch, format!("\"{mv}\": {error}")))?;
            }
        }
    }
    let worth = worth.map(Spanned::into_inner);
    Ok(Box::new(Trace { suite, every: every.into_inner(), watch: watch.into_inner(), worth }))
}

impl Trace {
    /// The values of the watched moves over time.
    fn picture(&self, name: &str, looks: &[Look]) -> LinePlot {
        let curve = |(place, mv): (usize, &String)| {
            let point = |look: &Look| Some(Point::exact(look.at as f64, look.moves.get(place)?.value?));
            Curve { name: mv.clone(), points: looks.iter().filter_map(point).collect() }
        };
        LinePlot {
            title: format!("Values over time: {name}"),
            x: Axis::new("Iterations", ""),
            y: Axis::new("Value for the side to move", ""),
            curves: self.watch.iter().enumerate().take(MOST_CURVES).map(curve).collect(),
            published: None,
        }
    }

    /// Whether the bounds of the watched moves contain what they are worth, at the first look and at
    /// the last one; the table is of one search, the measures of all.
    fn bounds(&self, name: &str, shown: Option<&ThinkResult>, all: &[&ThinkResult], findings: &mut Findings) {
        let Some(worth) = &self.worth else { return };
        type Pick = fn(&[Look]) -> Option<&Look>;
        let ends: [(&str, Pick); 2] = [("first", <[Look]>::first), ("last", <[Look]>::last)];
        let holds = |watched: &Watched, worth: f64| watched.confidence.map(|(low, high)| (low..=high).contains(&worth));
        let mut table = Table::new(
            &format!("{name}: true values and bounds"),
            &["move", "true value", "first look", "contained", "last look", "contained"],
        );
        for (place, (mv, worth)) in self.watch.iter().zip(worth).enumerate() {
            let mut row = vec![mv.clone(), figure(*worth)];
            for (_, end) in ends {
                let watched = shown.and_then(|result| end(&result.series)).and_then(|look| look.moves.get(place));
                row.push(watched.map_or("–".into(), value_in_words));
                let held = watched.and_then(|watched| holds(watched, *worth));
                row.push(held.map_or("–", |held| if held { "yes" } else { "no" }).into());
            }
            table.rows.push(row);
        }
        findings.tables.push(table);
        for (when, end) in ends {
            let looks = all.iter().filter_map(|result| end(&result.series));
            let held: Vec<bool> = looks
                .flat_map(|look| look.moves.iter().zip(worth).filter_map(|(watched, worth)| holds(watched, *worth)))
                .collect();
            let (count, trials) = (held.iter().filter(|held| **held).count() as u64, held.len() as u64);
            // The moves of a search depend on each other: a share without an interval.
            let value = (trials > 0).then(|| count as f64 / trials as f64);
            let measure = Measure::named(format!("bounds that hold at the {when} look: {name}"));
            findings.measures.push(Measure { value, trials, share: true, ..measure });
        }
    }
}

/// A value with its bounds.
fn value_in_words(watched: &Watched) -> String {
    let bounds = watched.confidence.map_or(String::new(), |(low, high)| format!(" ({low:.3} to {high:.3})"));
    watched.value.map_or("–".into(), |value| format!("{value:.3}{bounds}"))
}

impl Kind for Trace {
    fn programs(&self) -> Vec<String> {
        agents::programs(&self.suite.agents)
    }

    fn jobs(&self) -> Result<Vec<Planned>, String> {
        self.suite.searches(Looks { every: Some(self.every), watch: &self.watch, ..Looks::default() })
    }

    fn findings(&self, results: &Results<'_>) -> Findings {
        let mut traces: BTreeMap<Label, ThinkResult> = BTreeMap::new();
        for (_, label, result) in results.typed::<Label, ThinkResult>() {
            traces.insert(label, result);
        }
        let mut findings = Findings::default();
        for (agent, group) in self.suite.all() {
            let name = self.suite.name(agent, group);
            // The first repetition of the first position stands for all in the table.
            let shown = traces.get(&Label { agent, group, position: 0, repeat: 0 });
            let mut head = vec!["iterations".to_string()];
            head.extend(self.watch.iter().flat_map(|mv| [format!("{mv}: visits"), format!("{mv}: value (bounds)")]));
            let mut table = Table { title: format!("{name}: one search"), head, rows: Vec::new() };
            let looks = shown.map_or(&[][..], |result| &result.series);
            let step = looks.len().div_ceil(SHOWN).max(1);
            for look in
                looks.iter().enumerate().filter(|(at, _)| at % step == 0 || at + 1 == looks.len()).map(|it| it.1)
            {
                let mut row = vec![figure(look.at as f64)];
                for watched in &look.moves {
                    row.push(figure(watched.visits as f64));
                    row.push(value_in_words(watched));
                }
                table.rows.push(row);
            }
            findings.tables.push(table);
            let plot = self.picture(&name, looks);
            findings.draw(|width| plot.draw(width));
            let own = traces.iter().filter(|(label, _)| label.agent == agent && label.group == group);
            let all: Vec<&ThinkResult> = own.map(|(_, result)| result).collect();
            self.bounds(&name, shown, &all, &mut findings);
            for (place, mv) in self.watch.iter().enumerate() {
                let own = traces.iter().filter(|(label, _)| label.agent == agent && label.group == group);
                let last = |result: &ThinkResult| result.series.last()?.moves.get(place)?.value;
                let values: Vec<f64> = own.filter_map(|(_, result)| last(result)).collect();
                let mean = (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
                let measure = Measure::named(format!("final value of {mv}: {name}"));
                findings.measures.push(Measure { value: mean, trials: values.len() as u64, ..measure });
            }
        }
        findings
    }
}
