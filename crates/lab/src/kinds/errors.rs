//! How often the move that a solver prefers is wrong, over its iterations (Zhang 2019, Fig. 5-9 and
//! 5-12): the share of positions in which the pick at that time, or the last one of a search that has
//! ended, is a move after which less can be proved than before.

use super::suite::{Label, Suite};
use crate::plots::{Axis, Curve, LinePlot, Point};
use crate::report::{Findings, Measure, Table, figure, percent};
use crate::statistics::{Confidence, Interval, wilson};
use crate::tasks::solve::SolveResult;
use std::collections::BTreeMap;

/// The iterations at which rates are shown: two for each power of ten.
const SHOWN: [f64; 11] = [10.0, 30.0, 100.0, 300.0, 1e3, 3e3, 1e4, 3e4, 1e5, 3e5, 1e6];

/// Those iterations, in a search of which `unit` count as one.
pub fn looks(unit: f64) -> Vec<u64> {
    SHOWN.iter().map(|at| (at * unit).round() as u64).collect()
}

/// The picks of all searches.
#[derive(Default)]
pub struct ErrorRates(BTreeMap<Label, Picks>);

/// The iterations of the looks and whether the preferred move was wrong; and the last iteration.
struct Picks {
    looks: Vec<(f64, bool)>,
    end: f64,
}

impl Picks {
    /// Whether the move preferred at this time is wrong; nothing before the first look.
    fn is_wrong_at(&self, iterations: f64) -> Option<bool> {
        self.looks.iter().rev().find(|(from, _)| *from <= iterations).map(|(_, wrong)| *wrong)
    }
}

impl ErrorRates {
    /// Adds a search; `unit` of its iterations count as one.
    pub fn add(&mut self, label: Label, unit: f64, result: &SolveResult) {
        let look = |(at, pick): &(u64, String)| (*at as f64 / unit, result.wrong.contains(pick));
        let looks = result.picks.iter().map(look).collect();
        self.0.insert(label, Picks { looks, end: result.iterations as f64 / unit });
    }

    /// The table and the curves.
    pub fn report(&self, suite: &Suite, findings: &mut Findings) {
        let mut table = Table::new("Wrong moves preferred after so many iterations", &["positions", "agent"]);
        let longest = self.0.values().map(|picks| picks.end).fold(0.0, f64::max);
        // To the first mark at which all searches have ended.
        let enough = SHOWN.iter().take_while(|at| **at < longest).count() + 1;
        let marks = &SHOWN[..enough.min(SHOWN.len())];
        table.head.extend(marks.iter().map(|at| figure(*at)));
        for (group, named) in suite.groups.iter().enumerate() {
            let mut curves = Vec::new();
            for (agent, contestant) in suite.agents.iter().enumerate() {
                let own = |(label, _): &(&Label, &Picks)| label.agent == agent && label.group == group;
                let rate = |at: f64| -> Option<(Interval, u64)> {
                    let judged = self.0.iter().filter(own).filter_map(|(_, picks)| picks.is_wrong_at(at));
                    let judged: Vec<bool> = judged.collect();
                    let wrong = judged.iter().filter(|wrong| **wrong).count() as u64;
                    let count = judged.len() as u64;
                    Some((wilson::of_successes(wrong, count, Confidence::P95)?, count))
                };
                let rates: Vec<Option<(Interval, u64)>> = marks.iter().map(|at| rate(*at)).collect();
                let mut row = vec![named.name.clone(), contestant.name.clone()];
                row.extend(rates.iter().map(|it| percent(it.map(|(share, _)| share))));
                table.rows.push(row);
                for at in [100.0, 1e3, 1e4] {
                    let name = format!("wrong after {}: {}", figure(at), suite.name(agent, group));
                    let found = rate(at);
                    let (share, trials) = (found.map(|(share, _)| share), found.map_or(0, |(_, trials)| trials));
                    findings.measures.push(Measure::of_share(name, share, trials));
                }
                let point = |(at, found): (&f64, &Option<(Interval, u64)>)| {
                    found.map(|(share, _)| Point { x: *at, y: share.map(|share| 100.0 * share) })
                };
                let points: Vec<Point> = marks.iter().zip(&rates).filter_map(point).collect();
                if !points.is_empty() {
                    curves.push(Curve { name: contestant.name.clone(), points });
                }
            }
            let plot = LinePlot {
                title: format!("{}: wrong moves preferred", named.name),
                x: Axis::new("Iterations", "").logarithmic(),
                y: Axis::new("Wrong", "%"),
                curves,
                published: None,
            };
            findings.draw(|width| plot.draw(width));
        }
        findings.tables.push(table);
    }
}
