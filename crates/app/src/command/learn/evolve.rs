//! `tesuji learn evolve`: the problems that tell whether NEAT works.

use crate::arguments::{Constants, EvolveArguments, Evolved};
use crate::failure::Failure;
use crate::output;
use crate::progress::{self, Progress};
use serde::Serialize;
use tesuji_core::Seed;
use tesuji_learn::neat::Config;
use tesuji_learn::neat::benchmarks::{Solved, exclusive_or, two_poles};

#[derive(Serialize)]
struct Answer {
    problem: &'static str,
    constants: &'static str,
    runs: u64,
    solved: u64,
    /// Of the runs that solved it; null if none did.
    mean_evaluations: Option<f64>,
    deviation: Option<f64>,
    worst: Option<u64>,
    mean_hidden: Option<f64>,
    mean_links: Option<f64>,
    /// Starts of 625 that the solutions balance; of the poles alone.
    mean_starts: Option<f64>,
    /// What Stanley & Miikkulainen 2002 report.
    published: &'static str,
    seed: u64,
}

/// Runs a problem.
pub fn run(arguments: &EvolveArguments, json: bool) -> Result<(), Failure> {
    let poles = arguments.problem == Evolved::Poles;
    let config = match (arguments.constants, poles) {
        (Constants::Paper, false) => Config::paper(),
        (Constants::Paper, true) => Config::poles(),
        (Constants::Encog, _) => Config::encog(),
    };
    let mut found: Vec<Solved> = Vec::new();
    let mut progress = Progress::new(arguments.runs);
    for run in 0..arguments.runs {
        if progress::interrupt().is_stopped() {
            break;
        }
        let seed = Seed(arguments.seed + run);
        let solved = if poles {
            two_poles(config, arguments.generations, seed)
        } else {
            exclusive_or(config, arguments.generations, seed)
        };
        found.push(solved);
        progress.at(run + 1, "runs".into());
    }
    drop(progress);
    let solved: Vec<&Solved> = found.iter().filter(|run| run.solved).collect();
    let mean = |figure: fn(&Solved) -> f64| {
        (!solved.is_empty()).then(|| solved.iter().map(|run| figure(run)).sum::<f64>() / solved.len() as f64)
    };
    let evaluations = mean(|run| run.evaluations as f64);
    let deviation = evaluations.filter(|_| solved.len() > 1).map(|mean| {
        let squares: f64 =
            solved.iter().map(|run| (run.evaluations as f64 - mean) * (run.evaluations as f64 - mean)).sum();
        (squares / (solved.len() - 1) as f64).sqrt()
    });
    let answer = Answer {
        problem: if poles { "poles" } else { "xor" },
        constants: if arguments.constants == Constants::Paper { "paper" } else { "encog" },
        runs: found.len() as u64,
        solved: solved.len() as u64,
        mean_evaluations: evaluations,
        deviation,
        worst: solved.iter().map(|run| run.evaluations).max(),
        mean_hidden: mean(|run| run.hidden as f64),
        mean_links: mean(|run| run.links as f64),
        mean_starts: mean(|run| f64::from(run.starts)).filter(|_| poles),
        published: if poles {
            "33,184 evaluations in the mean of 20 runs, 286 starts"
        } else {
            "100 of 100 runs, 4,755 evaluations in the mean (deviation 2,553), worst 13,459, 2.35 hidden nodes, 7.48 links"
        },
        seed: arguments.seed,
    };
    if json {
        output::print_json(&answer);
    } else {
        let one = |value: Option<f64>| value.map_or("–".into(), |value| format!("{value:.2}"));
        output::print(&format!(
            "{} with the constants of {}: {} of {} runs solved it\nevaluations: mean {}, deviation {}, worst {}\nsolutions: {} hidden nodes, {} links{}\npublished: {}",
            answer.problem,
            answer.constants,
            answer.solved,
            answer.runs,
            one(answer.mean_evaluations),
            one(answer.deviation),
            answer.worst.map_or("–".into(), output::thousands),
            one(answer.mean_hidden),
            one(answer.mean_links),
            answer.mean_starts.map_or(String::new(), |starts| format!(", {starts:.0} of 625 starts")),
            answer.published,
        ));
    }
    if progress::was_interrupted() { Err(Failure::interrupted("interrupted")) } else { Ok(()) }
}
