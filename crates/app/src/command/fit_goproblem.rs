//! `tesuji fit goproblem`: weights of the evaluation of life-and-death problems, from generated
//! problems.

use crate::arguments::FitArguments;
use crate::failure::Failure;
use crate::output;
use crate::progress::{self, Progress};
use serde::Serialize;
use std::fmt::Write;
use tesuji_agents::Access;
use tesuji_agents::goproblem_fit::{FEATURES, Fitted, GAME, MOST_BYTES, Plan, Problem, WEIGHTS, fit};
use tesuji_core::Seed;

/// The most nodes of df-pn for one position; problems of at most nine points take fewer, but for a
/// few.
const NODES: u64 = 20_000;

#[derive(Serialize)]
struct Row {
    feature: &'static str,
    /// In thousandths of log odds.
    weight: i32,
    in_force: i32,
}

#[derive(Serialize)]
struct FitResult {
    game: &'static str,
    /// The command that makes the same weights again; null if it was interrupted.
    command: Option<String>,
    games: u64,
    positions: u64,
    held_out: u64,
    /// The share of pairs held out, one saved and one lost, that the weights order rightly.
    quality: f64,
    quality_in_force: f64,
    weights: Vec<Row>,
    seconds: f64,
    seed: u64,
}

fn rows(fitted: &Fitted) -> Vec<Row> {
    let weights = fitted.weights.into_iter().zip(WEIGHTS);
    FEATURES.into_iter().zip(weights).map(|(feature, (weight, in_force))| Row { feature, weight, in_force }).collect()
}

/// The weights and how well they do, for people and for a file.
fn in_words(fitted: &Fitted, command: &str) -> String {
    let mut text = format!(
        "# Weights of the evaluation of Go problems, in thousandths of log odds.\n# Made by: {command}\n\
         # {} games; fitted to {} positions, {} held out.\n",
        fitted.games, fitted.positions, fitted.held_out
    );
    let cells = |row: &Row| vec![row.feature.to_string(), row.weight.to_string(), row.in_force.to_string()];
    let cells: Vec<Vec<String>> = rows(fitted).iter().map(cells).collect();
    let _ = writeln!(text, "{}", output::table(&["feature", "fitted", "in force"], &cells).trim_end());
    let _ = writeln!(
        text,
        "pairs held out in the right order: {:.1} % fitted, {:.1} % in force",
        100.0 * fitted.quality,
        100.0 * fitted.quality_in_force
    );
    text
}

/// Generates, solves, fits and prints.
pub fn run(arguments: &FitArguments, json: bool) -> Result<(), Failure> {
    let FitArguments { games, ridge, seed, .. } = *arguments;
    if arguments.r#match > 0 {
        return Err(Failure::input("--match: problems of Go are not played against each other"));
    }
    let create = |path: &String| Access::unrestricted().create(path).map_err(|error| Failure::file(path, &error));
    let output = arguments.output.as_ref().map(create).transpose()?;
    let started = std::time::Instant::now();
    let read = |path: &String| {
        let bytes = super::read_file(path, MOST_BYTES)?;
        Problem::from_bytes(&bytes).map_err(|error| Failure::input(format!("{path}: {error}")))
    };
    let problems = arguments.problems.iter().map(read).collect::<Result<Vec<Problem>, Failure>>()?;
    let plan = Plan { games, problems, nodes: NODES, ridge, seed: Seed(seed), stop: progress::interrupt() };
    let mut bar = Progress::new(games);
    let fitted = fit(&plan, &mut |done| bar.at(done, "games".into())).map_err(Failure::input)?;
    drop(bar);
    let whole = fitted.games == games;
    let mut command = format!("tesuji fit {GAME} --games {games} --ridge {ridge} --seed {seed}");
    if !arguments.problems.is_empty() {
        command += &format!(" --problems {}", arguments.problems.join(" "));
    }
    let written = in_words(&fitted, if whole { &command } else { "a run that was stopped" });
    if let (Some(draft), Some(path)) = (output, &arguments.output) {
        draft.finish(written.as_bytes()).map_err(|error| Failure::file(path, &error))?;
    }
    if json {
        output::print_json(&FitResult {
            game: GAME,
            command: whole.then_some(command),
            games: fitted.games,
            positions: fitted.positions,
            held_out: fitted.held_out,
            quality: fitted.quality,
            quality_in_force: fitted.quality_in_force,
            weights: rows(&fitted),
            seconds: started.elapsed().as_secs_f64(),
            seed,
        });
    } else {
        output::print(&written);
    }
    Ok(())
}
