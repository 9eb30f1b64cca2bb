//! `tesuji bench complexity`: the cost of a Go playout as the board grows, and what each step to
//! the fast board saves.

use crate::arguments::Effort;
use crate::failure::Failure;
use crate::output;
use crate::progress;
use serde::Serialize;
use tesuji_agents::go_complexity::{growth, steps};
use tesuji_core::Seed;
use tesuji_lab::statistics::Interval;
use tesuji_lab::statistics::power_law::PowerLaw;

/// Boards measured for the growth.
const SIZES: std::ops::RangeInclusive<usize> = 5..=25;
/// The board of the steps, as in V-Run's chapter 5.
const STEPS_SIZE: usize = 9;

#[derive(Serialize)]
struct Complexity {
    sizes: Vec<SizeCost>,
    /// Cost of a playout ≈ factor · n^exponent; null if the fit was refused.
    exponent: Option<f64>,
    /// The 95 % confidence interval of the exponent.
    #[serde(skip_serializing_if = "Option::is_none")]
    exponent_interval: Option<[f64; 2]>,
    r_squared: Option<f64>,
    /// Why no power law was fitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
    steps_size: usize,
    steps: Vec<StepCost>,
}

#[derive(Serialize)]
struct SizeCost {
    size: usize,
    microseconds_per_playout: f64,
    nanoseconds_per_point: f64,
    mean_length: f64,
}

#[derive(Serialize)]
struct StepCost {
    name: &'static str,
    predicted: &'static str,
    playouts_per_second: f64,
    /// How many times faster than the naive board.
    speedup: f64,
    playouts: u64,
}

/// Measures and prints. The time is spread over the boards and steps.
pub fn run(effort: Effort, json: bool) -> Result<(), Failure> {
    let sizes: Vec<usize> = SIZES.collect();
    let share = effort.seconds / (sizes.len() as u32 + 5);
    let seed = Seed(effort.seed);
    let (grown, stepped) = progress::with_spinner("playouts on boards of 5 to 25 lines", || {
        (growth(&sizes, share, seed), steps(STEPS_SIZE, share, seed))
    });
    let (grown, stepped) = (grown.map_err(Failure::internal)?, stepped.map_err(Failure::internal)?);
    let naive = stepped.first().map_or(f64::NAN, |step| step.timing.seconds_per_playout());
    let points: Vec<(f64, f64)> =
        grown.iter().map(|timing| (timing.size as f64, timing.seconds_per_playout())).collect();
    let fit = PowerLaw::fit(&points);
    let law = fit.as_ref().ok();
    let complexity = Complexity {
        sizes: grown
            .iter()
            .map(|timing| SizeCost {
                size: timing.size,
                microseconds_per_playout: timing.seconds_per_playout() * 1e6,
                nanoseconds_per_point: timing.seconds_per_playout() * 1e9 / (timing.size * timing.size) as f64,
                mean_length: timing.mean_length(),
            })
            .collect(),
        exponent: law.map(|law| law.exponent.estimate),
        exponent_interval: law.map(|law| [law.exponent.low, law.exponent.high]),
        r_squared: law.map(|law| law.r_squared),
        refused: fit.as_ref().err().map(ToString::to_string),
        steps_size: STEPS_SIZE,
        steps: stepped
            .iter()
            .map(|step| StepCost {
                name: step.name,
                predicted: step.predicted,
                playouts_per_second: 1.0 / step.timing.seconds_per_playout(),
                speedup: naive / step.timing.seconds_per_playout(),
                playouts: step.timing.playouts,
            })
            .collect(),
    };
    if json {
        output::print_json(&complexity);
        return Ok(());
    }
    let sizes: Vec<Vec<String>> = complexity
        .sizes
        .iter()
        .map(|cost| {
            vec![
                cost.size.to_string(),
                format!("{:.2}", cost.microseconds_per_playout),
                format!("{:.1}", cost.nanoseconds_per_point),
                format!("{:.1}", cost.mean_length),
            ]
        })
        .collect();
    let steps: Vec<Vec<String>> = complexity
        .steps
        .iter()
        .map(|step| {
            vec![
                step.name.to_string(),
                step.predicted.to_string(),
                format!("{:.1}", step.playouts_per_second),
                format!("{:.1}", step.speedup),
                step.playouts.to_string(),
            ]
        })
        .collect();
    let growth = match fit {
        Ok(law) => {
            let Interval { estimate, low, high } = law.exponent;
            format!("cost ≈ a·n^{estimate:.3} (95 %: {low:.3} to {high:.3}), R² = {:.4}", law.r_squared)
        }
        Err(error) => format!("no power law: {error}"),
    };
    output::print(&format!(
        "{}\n{growth}\n\n\
         from V-Run's naive board to the fast one, at {STEPS_SIZE}×{STEPS_SIZE}:\n{}",
        output::table(&["lines", "µs/playout", "ns/point", "mean length"], &sizes),
        output::table(&["step", "predicted", "playouts/s", "speed-up", "playouts"], &steps),
    ));
    Ok(())
}
