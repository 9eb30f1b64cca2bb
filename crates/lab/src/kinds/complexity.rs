//! How the cost of a random playout grows with a parameter of the game (V-Run 2016, Fig. 7.10 and
//! 7.11): the time is fitted by a power law, and runs too short to fit are refused.

use super::{Design, Kind, Results};
use crate::plan::{Planned, Problem, Setup};
use crate::plots::{Axis, Curve, LinePlot, Point};
use crate::report::{Findings, Measure, Table, figure};
use crate::statistics::power_law::PowerLaw;
use crate::tasks::Task;
use crate::tasks::playouts::{PlayoutsResult, PlayoutsTask};
use crate::tasks::position::Begun;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tesuji_core::Seed;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct SetupText {
    game: Spanned<String>,
    sizes: Spanned<Vec<u32>>,
    time: Spanned<f64>,
    rounds: Spanned<u32>,
}

#[derive(Serialize, Deserialize)]
struct Label {
    size: u32,
    round: u32,
}

struct Complexity {
    games: Vec<(u32, String)>,
    time: f64,
    rounds: u32,
    seed: Seed,
}

pub fn read(mut setup: Setup<'_>) -> Result<Design, Problem> {
    let SetupText { game, sizes, time, rounds } = setup.read()?;
    let mut games = Vec::new();
    for size in sizes.get_ref() {
        let text = game.get_ref().replace("{n}", &size.to_string());
        let begun = Begun::new(&text, &[], setup.access).map_err(|error| Problem::at(&game, error))?;
        if games.iter().any(|(other, _)| other == size) {
            return Err(Problem::at(&sizes, format!("{size} is listed twice")));
        }
        games.push((*size, begun.game.to_string()));
    }
    if !game.get_ref().contains("{n}") || games.len() < 3 {
        return Err(Problem::at(&game, "a fit needs {n} in the game and at least three sizes"));
    }
    if !(*time.get_ref() > 0.0 && *time.get_ref() <= 3600.0) {
        return Err(Problem::at(&time, "time must be more than 0 and at most 3600 seconds"));
    }
    if !(1..=1000).contains(rounds.get_ref()) {
        return Err(Problem::at(&rounds, "rounds must be from 1 to 1000"));
    }
    let (time, rounds) = (time.into_inner(), rounds.into_inner());
    Ok(Box::new(Complexity { games, time, rounds, seed: Seed(setup.seed) }))
}

impl Kind for Complexity {
    fn programs(&self) -> Vec<String> {
        Vec::new()
    }

    /// Round by round, so that a slow moment of the machine does not hit one size alone.
    fn jobs(&self) -> Result<Vec<Planned>, String> {
        let mut jobs = Vec::new();
        for round in 0..self.rounds {
            for (size, game) in &self.games {
                let seed = self.seed.derive(u64::from(round)).derive(u64::from(*size)).0;
                let task = Task::Playouts(PlayoutsTask { game: game.clone(), time: self.time, seed });
                let label = serde_json::to_value(Label { size: *size, round }).expect("labels serialise");
                jobs.push(Planned::new(label, task));
            }
        }
        Ok(jobs)
    }

    fn findings(&self, results: &Results<'_>) -> Findings {
        let mut found: BTreeMap<u32, Vec<PlayoutsResult>> = BTreeMap::new();
        for (_, label, result) in results.typed::<Label, PlayoutsResult>() {
            found.entry(label.size).or_default().push(result);
        }
        let mut findings = Findings::default();
        let mut table = Table::new("The cost of a playout", &["n", "playouts", "µs/playout", "ns/n²", "plies"]);
        let mut points = Vec::new();
        for (size, rounds) in &found {
            // The fastest round is the least disturbed one.
            let cost = |result: &PlayoutsResult| result.seconds / result.playouts.max(1) as f64;
            let seconds = rounds.iter().map(cost).fold(f64::INFINITY, f64::min);
            let length = rounds.iter().map(|round| round.mean_length).sum::<f64>() / rounds.len() as f64;
            points.push((f64::from(*size), seconds));
            table.rows.push(vec![
                size.to_string(),
                figure(rounds.iter().map(|round| round.playouts).sum::<u64>() as f64),
                figure(seconds * 1e6),
                figure(seconds * 1e9 / f64::from(*size).powi(2)),
                figure(length),
            ]);
        }
        findings.tables.push(table);
        let curve = |(size, seconds): &(f64, f64)| Point::exact(*size, seconds * 1e6);
        let plot = LinePlot {
            title: "The cost of a playout".into(),
            x: Axis::new("n", "").logarithmic(),
            y: Axis::new("Time", "µs").logarithmic(),
            curves: vec![Curve { name: "fastest round".into(), points: points.iter().map(curve).collect() }],
            published: None,
        };
        findings.draw(|width| plot.draw(width));
        let fit = PowerLaw::fit(&points);
        findings.measures.push(Measure::of(
            "exponent of n",
            fit.as_ref().ok().map(|fit| fit.exponent),
            points.len() as u64,
        ));
        let r_squared = fit.as_ref().ok().map(|fit| fit.r_squared);
        findings.measures.push(Measure { value: r_squared, trials: points.len() as u64, ..Measure::named("R²") });
        if let (Err(why), false) = (&fit, points.is_empty()) {
            findings.notes.push(format!("No fit: {why}."));
        }
        findings
    }
}
