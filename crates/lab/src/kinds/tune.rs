//! Tuning of numeric parameters of an agent by SPSA, several times with different seeds.
//!
//! ```toml
//! [setup]
//! game = "go(size=5)"
//! agent = "mcts(select=ucb1(c={c}),leaf=random,reuse=false)"
//! parameters = [{ name = "c", low = 0.0, high = 2.0, start = 1.8 }]   # whole = true: whole numbers
//! rounds = 500
//! pairs = 1              # of games in a round: one opening, sides exchanged
//! random-plies = 2       # of the opening
//! limits = { iterations = 100 }
//! repeats = 4
//! ```

use super::agents::LimitsText;
use super::seeds::seeds;
use super::{Design, Kind, Results};
use crate::plan::{Planned, Problem, Setup};
use crate::plots::{Axis, Curve, LinePlot, Point};
use crate::report::{Findings, Measure, Table, figure};
use crate::tasks::Task;
use crate::tasks::limits::Limits;
use crate::tasks::position::Begun;
use crate::tasks::tune::{TuneResult, TuneTask, TunedParameter};
use crate::tuning::Gains;
use serde::{Deserialize, Serialize};
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct SetupText {
    game: Spanned<String>,
    agent: Spanned<String>,
    parameters: Spanned<Vec<TunedParameter>>,
    rounds: Spanned<u32>,
    pairs: Spanned<u32>,
    #[serde(default)]
    random_plies: u32,
    step: Option<Spanned<f64>>,
    perturbation: Option<Spanned<f64>>,
    #[serde(default)]
    limits: LimitsText,
    repeats: Option<Spanned<u32>>,
}

#[derive(Serialize, Deserialize)]
struct Label {
    run: usize,
}

struct Tune {
    task: TuneTask,
    seeds: Vec<u64>,
}

pub fn read(mut setup: Setup<'_>) -> Result<Design, Problem> {
    let SetupText { game, agent, parameters, rounds, pairs, random_plies, step, perturbation, limits, repeats } =
        setup.read()?;
    let begun = Begun::new(game.get_ref(), &[], setup.access).map_err(|error| Problem::at(&game, error))?;
    let within = |number: &Option<Spanned<f64>>, usual: f64| match number {
        Some(number) if !(*number.get_ref() > 0.0 && *number.get_ref() <= 0.5) => {
            Err(Problem::at(number, "a gain must be more than 0 and at most 0.5"))
        }
        number => Ok(number.as_ref().map_or(usual, |number| *number.get_ref())),
    };
    let usual = Gains::default();
    let task = TuneTask {
        game: begun.game.to_string(),
        agent: agent.get_ref().clone(),
        parameters: parameters.get_ref().clone(),
        rounds: *rounds.get_ref(),
        pairs: *pairs.get_ref(),
        random_plies,
        step: within(&step, usual.step)?,
        perturbation: within(&perturbation, usual.perturbation)?,
        limits: Limits::from(limits),
        seed: 0,
    };
    if !(1..=1_000_000).contains(&task.rounds) {
        return Err(Problem::at(&rounds, "rounds must be from 1 to 1,000,000"));
    }
    if !(1..=1_000).contains(&task.pairs) {
        return Err(Problem::at(&pairs, "pairs must be from 1 to 1,000"));
    }
    task.ranges().map_err(|error| Problem::at(&parameters, error))?;
    let missing = |it: &&TunedParameter| !task.agent.contains(&format!("{{{}}}", it.name));
    match task.parameters.iter().find(missing) {
        Some(parameter) => {
            let name = &parameter.name;
            return Err(Problem::at(&agent, format!("the text has no {{{name}}}, so nothing changes with {name}")));
        }
        None if task.parameters.is_empty() => return Err(Problem::at(&parameters, "at least one is needed")),
        None => {}
    }
    begun.after_random_plies(random_plies, tesuji_core::Seed(setup.seed)).map_err(|error| Problem::at(&game, error))?;
    // Every corner of the ranges makes an agent.
    let corner = |pick: fn(&TunedParameter) -> f64| -> Vec<f64> { task.parameters.iter().map(pick).collect() };
    for values in [corner(|it| it.low), corner(|it| it.high), corner(|it| it.start)] {
        begun.agent(&task.at(&values), &task.limits, setup.access).map_err(|error| Problem::at(&agent, error))?;
    }
    Ok(Box::new(Tune { task, seeds: seeds(setup.seed, repeats.as_ref(), None)? }))
}

impl Kind for Tune {
    fn programs(&self) -> Vec<String> {
        Vec::new()
    }

    fn jobs(&self) -> Result<Vec<Planned>, String> {
        let job = |(run, seed): (usize, &u64)| {
            let label = serde_json::to_value(Label { run }).expect("labels serialise");
            Planned::new(label, Task::Tune(TuneTask { seed: *seed, ..self.task.clone() }))
        };
        Ok(self.seeds.iter().enumerate().map(job).collect())
    }

    fn findings(&self, results: &Results<'_>) -> Findings {
        let runs: Vec<(Label, TuneResult)> = results.typed().map(|(_, label, result)| (label, result)).collect();
        let mut findings = Findings::default();
        let names: Vec<&str> = self.task.parameters.iter().map(|it| it.name.as_str()).collect();
        let head: Vec<&str> = ["run"].into_iter().chain(names.iter().copied()).chain(["games"]).collect();
        let mut table = Table::new("Tuned parameters", &head);
        let start = self.task.parameters.iter().map(|it| figure(it.start));
        table.rows.push(["start".to_string()].into_iter().chain(start).chain(["–".to_string()]).collect());
        for (label, run) in &runs {
            let values = run.values.iter().map(|value| figure(*value));
            let name = (label.run + 1).to_string();
            table.rows.push([name].into_iter().chain(values).chain([figure(run.games as f64)]).collect());
        }
        findings.tables.push(table);
        for (number, parameter) in self.task.parameters.iter().enumerate() {
            let values: Vec<f64> = runs.iter().filter_map(|(_, run)| run.values.get(number).copied()).collect();
            let mean = (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
            let measure = Measure::named(format!("tuned: {}", parameter.name));
            findings.measures.push(Measure { value: mean, trials: values.len() as u64, ..measure });
            let curve = |(label, run): &(Label, TuneResult)| Curve {
                name: format!("run {}", label.run + 1),
                points: run
                    .path
                    .iter()
                    .filter_map(|(round, values)| Some(Point::exact(f64::from(*round), *values.get(number)?)))
                    .collect(),
            };
            let plot = LinePlot {
                title: format!("{} by round", parameter.name),
                x: Axis::new("Round", ""),
                y: Axis::new(&parameter.name, ""),
                curves: runs.iter().map(curve).collect(),
                published: None,
            };
            findings.draw(|width| plot.draw(width));
        }
        findings
    }
}
