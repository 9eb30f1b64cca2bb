//! Which moves a search picks, by seed (V-Run 2016, Fig. 7.2 and 7.3: the first move of 1000
//! searches on the empty board).

use super::agents;
use super::suite::{Label, Looks, Suite, SuiteText};
use super::{Design, Kind, Results};
use crate::plan::{Planned, Problem, Setup};
use crate::plots::{Axis, BoardPlot, Heat};
use crate::report::{Findings, Measure, Table, percent};
use crate::statistics::{Confidence, wilson};
use crate::tasks::think::ThinkResult;
use std::collections::BTreeMap;
use tesuji_agents::AnyPosition;

const P95: Confidence = Confidence::P95;
/// Moves that the table shows.
const SHOWN: usize = 20;

struct Histogram {
    suite: Suite,
}

pub fn read(mut setup: Setup<'_>) -> Result<Design, Problem> {
    let text: SuiteText = setup.read()?;
    let at = text.positions.span();
    let suite = Suite::new(text, &setup)?;
    if let Some(group) = suite.groups.iter().find(|group| !group.is_single()) {
        let what =
            format!("\"{}\": moves of different positions are not counted together; count must be 1", group.name);
        return Err(Problem { span: at, what });
    }
    Ok(Box::new(Histogram { suite }))
}

impl Kind for Histogram {
    fn programs(&self) -> Vec<String> {
        agents::programs(&self.suite.agents)
    }

    fn jobs(&self) -> Result<Vec<Planned>, String> {
        self.suite.searches(Looks::default())
    }

    fn findings(&self, results: &Results<'_>) -> Findings {
        let mut counts: BTreeMap<(usize, usize), BTreeMap<String, u64>> = BTreeMap::new();
        for (_, label, result) in results.typed::<Label, ThinkResult>() {
            let picked = result.best.unwrap_or_else(|| "resigns".into());
            *counts.entry((label.agent, label.group)).or_default().entry(picked).or_default() += 1;
        }
        let mut findings = Findings::default();
        for (agent, group) in self.suite.all() {
            let name = self.suite.name(agent, group);
            let mut moves: Vec<(String, u64)> =
                counts.remove(&(agent, group)).unwrap_or_default().into_iter().collect();
            moves.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
            let total: u64 = moves.iter().map(|(_, count)| count).sum();
            let share = |count: u64| wilson::of_successes(count, total, P95);
            let most = moves.first().map_or(0, |(_, count)| *count);
            findings.measures.push(Measure::of_share(format!("most frequent move: {name}"), share(most), total));
            let title = format!("{name}: {total} searches, {} different moves", moves.len());
            let mut table = Table::new(&title, &["move", "searches", "share"]);
            for (mv, count) in moves.iter().take(SHOWN) {
                table.rows.push(vec![mv.clone(), count.to_string(), percent(share(*count))]);
            }
            findings.tables.push(table);
            if let Some(position) = self.suite.first_position(group) {
                let plot = picture(&name, position.as_ref(), &moves);
                findings.draw(|width| plot.draw(width));
            }
        }
        findings
    }
}

/// How often each point of the board was picked.
fn picture(name: &str, position: &dyn AnyPosition, moves: &[(String, u64)]) -> BoardPlot {
    let board = position.view();
    let width = board.columns.len();
    let mut values = vec![None; board.points.len()];
    for (mv, count) in moves {
        if let Some((column, row)) = position.place_of(mv) {
            values[row * width + column] = Some(*count as f64);
        }
    }
    let heat = Heat::Amount(Axis::new("Searches that pick the point", ""));
    BoardPlot { title: format!("Picked moves: {name}"), board, values, heat }
}
