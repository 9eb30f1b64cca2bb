//! `tesuji bench scn`: single conspiracy numbers in Chinese chess (Zhang 2019, chapter 4).

use crate::arguments::ScnArguments;
use crate::failure::Failure;
use crate::output;
use crate::progress::{self, Progress};
use serde::Serialize;
use tesuji_agents::scn_study::{Games, Given, Interval, Kind, Measure, OPENING_COUNT, Plan, Separation};
use tesuji_agents::scn_study::{compose, composition, handicaps};
use tesuji_core::Seed;

/// The longest file of compositions that is read.
const MOST_BYTES: u64 = 1 << 20;
/// Rows of a histogram.
const CLASSES: usize = 12;
/// The widest bar.
const WIDEST: usize = 14;

#[derive(Serialize)]
struct Study {
    /// The file of the compositions; null if they were composed here.
    file: Option<String>,
    threshold: i32,
    plies: u32,
    nodes: u64,
    depth: u32,
    extensions: bool,
    won_games: usize,
    drawn_games: usize,
    rscn: Vec<KindRow>,
    value: Vec<KindRow>,
    areas: Vec<AreaRow>,
    handicaps: Vec<HandicapRow>,
    /// The positions the won games began with.
    compositions: Vec<String>,
    seconds: f64,
    seed: u64,
}

#[derive(Serialize)]
struct KindRow {
    kind: &'static str,
    games: usize,
    mean: Option<f64>,
    least: Option<f64>,
    most: Option<f64>,
    numbers: Vec<f64>,
}

#[derive(Serialize)]
struct AreaRow {
    better: &'static str,
    worse: &'static str,
    /// Each: the area under the ROC curve, then its 95 % confidence interval.
    by_rscn: Option<[f64; 3]>,
    by_value: Option<[f64; 3]>,
    difference: Option<[f64; 3]>,
    difference_either_way: Option<[f64; 3]>,
}

#[derive(Serialize)]
struct HandicapRow {
    threshold: i32,
    red_gives: &'static str,
    games: usize,
    mean_rscn: Option<f64>,
    least: Option<f64>,
    most: Option<f64>,
    mean_value: Option<f64>,
}

fn mean(numbers: &[f64]) -> Option<f64> {
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}

fn least(numbers: &[f64]) -> Option<f64> {
    numbers.iter().copied().min_by(f64::total_cmp)
}

fn most(numbers: &[f64]) -> Option<f64> {
    numbers.iter().copied().max_by(f64::total_cmp)
}

impl From<&Separation> for AreaRow {
    fn from(found: &Separation) -> AreaRow {
        let numbers = |interval: Option<Interval>| interval.map(|of| [of.found, of.low, of.high]);
        AreaRow {
            better: found.kinds[0].name(),
            worse: found.kinds[1].name(),
            by_rscn: numbers(found.by_number),
            by_value: numbers(found.by_value),
            difference: numbers(found.difference),
            difference_either_way: numbers(found.difference_either_way),
        }
    }
}

impl From<&Given> for HandicapRow {
    fn from(given: &Given) -> HandicapRow {
        HandicapRow {
            threshold: given.threshold,
            red_gives: given.pieces,
            games: given.numbers.len(),
            mean_rscn: mean(&given.numbers),
            least: least(&given.numbers),
            most: most(&given.numbers),
            mean_value: mean(&given.values),
        }
    }
}

/// Positions from a file: FEN, one a line, or a JSON list of objects with `fen`; if any of them has
/// `mate_in`, only those count.
fn from_file(path: &str) -> Result<Vec<String>, Failure> {
    let problem = |error: &dyn std::fmt::Display| Failure::input(format!("{path}: {error}"));
    let bytes = super::read_file(path, MOST_BYTES)?;
    let text = std::str::from_utf8(&bytes).map_err(|error| problem(&error))?;
    if !text.trim_start().starts_with(['[', '{']) {
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        return Ok(lines.filter(|line| !line.is_empty()).map(str::to_string).collect());
    }
    let value: serde_json::Value = serde_json::from_str(text).map_err(|error| problem(&error))?;
    let list = value.as_array().or_else(|| value.as_object()?.values().find_map(|entry| entry.as_array()));
    let list = list.ok_or_else(|| problem(&"expected a list of positions"))?;
    let has_mate = |entry: &&serde_json::Value| entry.get("mate_in").is_some_and(|mate| !mate.is_null());
    let known = list.iter().any(|entry| has_mate(&entry));
    let entries = list.iter().filter(|entry| !known || has_mate(entry));
    let fens = entries.map(|entry| Some(entry.get("fen")?.as_str()?.to_string()));
    fens.collect::<Option<Vec<String>>>().ok_or_else(|| problem(&"a position has no fen"))
}

/// Plays, measures and prints.
pub fn run(arguments: &ScnArguments, json: bool) -> Result<(), Failure> {
    let started = std::time::Instant::now();
    let stop = progress::interrupt();
    let plan = Plan {
        threshold: arguments.threshold,
        plies: arguments.plies,
        nodes: arguments.nodes,
        depth: arguments.depth,
        extensions: arguments.extensions,
        rounds: arguments.rounds,
        seed: Seed(arguments.seed),
        stop: stop.clone(),
    };
    let count = arguments.games;
    let starts = match &arguments.file {
        Some(path) => {
            let mut starts = Vec::new();
            for (number, fen) in (1..).zip(from_file(path)?) {
                // An ended game, or one with Black to move, is left out; it is no error.
                match composition(&fen) {
                    Ok(position) => starts.push(position),
                    Err(tesuji_agents::scn_study::CompositionError::Fen(error)) => {
                        return Err(Failure::input(format!("{path}: position {number}: {error}")));
                    }
                    Err(_) => {}
                }
            }
            if starts.is_empty() {
                return Err(Failure::input(format!("{path}: no position with Red to move")));
            }
            starts.truncate(count);
            starts
        }
        None => {
            let mut bar = Progress::new(count as u64);
            compose(count, plan.seed.derive(1_000), &stop, &mut |done| bar.at(done as u64, "composed wins".into()))?
        }
    };
    let mut bar = Progress::new(2 * starts.len() as u64);
    let games = Games::play(&starts, &plan, &mut |done| bar.at(done as u64, "games".into()))?;
    drop(bar);
    let separations = games.separations(plan.rounds, plan.seed);
    let mut bar = Progress::new(arguments.handicap_games * OPENING_COUNT as u64);
    let order = (arguments.handicap_games, arguments.handicap_plies);
    let given = handicaps(order, &plan, &mut |done| bar.at(done as u64, "handicap games".into()))?;
    drop(bar);
    let rows = |measure| {
        let row = |kind: Kind| {
            let numbers = games.numbers(kind, measure);
            KindRow {
                kind: kind.name(),
                games: numbers.len(),
                mean: mean(&numbers),
                least: least(&numbers),
                most: most(&numbers),
                numbers,
            }
        };
        Kind::ALL.map(row).into()
    };
    let [won_games, drawn_games] = games.counts();
    let study = Study {
        file: arguments.file.clone(),
        threshold: plan.threshold,
        plies: plan.plies,
        nodes: plan.nodes,
        depth: plan.depth,
        extensions: plan.extensions,
        won_games,
        drawn_games,
        rscn: rows(Measure::Number),
        value: rows(Measure::Value),
        areas: separations.iter().map(AreaRow::from).collect(),
        handicaps: given.iter().map(HandicapRow::from).collect(),
        compositions: starts.iter().map(|start| start.to_fen()).collect(),
        seconds: started.elapsed().as_secs_f64(),
        seed: arguments.seed,
    };
    if json {
        output::print_json(&study);
    } else {
        output::print(&in_words(&study, arguments));
    }
    Ok(())
}

fn number(found: Option<f64>, places: usize) -> String {
    found.map_or_else(|| "none".into(), |found| format!("{found:.places$}"))
}

/// Classes between the extremes, the kinds side by side.
fn histogram(title: &str, kinds: &[KindRow]) -> String {
    let rows: Vec<Vec<String>> = kinds
        .iter()
        .map(|row| {
            let mut cells = vec![row.kind.to_string(), row.games.to_string()];
            cells.extend([row.mean, row.least, row.most].map(|found| number(found, 1)));
            cells
        })
        .collect();
    let mut text = format!("{}\n{}\n", output::bold(title), output::table(&["", "", "mean", "least", "most"], &rows));
    let all: Vec<f64> = kinds.iter().flat_map(|row| row.numbers.iter().copied()).collect();
    let (Some(low), Some(high)) = (least(&all), most(&all)) else { return text };
    let width = (high - low).max(1e-9) / CLASSES as f64;
    let class = |number: f64| (((number - low) / width) as usize).min(CLASSES - 1);
    let counts: Vec<[usize; CLASSES]> = kinds
        .iter()
        .map(|row| {
            let mut counts = [0; CLASSES];
            row.numbers.iter().for_each(|number| counts[class(*number)] += 1);
            counts
        })
        .collect();
    let tallest = counts.iter().flatten().copied().max().unwrap_or(1).max(1);
    text += &format!("{:>10}  ", "from");
    kinds.iter().for_each(|row| text += &format!("{:<20}", row.kind));
    for at in 0..CLASSES {
        text += &format!("\n{:>10.1}  ", low + width * at as f64);
        for counts in &counts {
            let bar = "█".repeat((counts[at] * WIDEST).div_ceil(tallest));
            text += &format!("{:<20}", if counts[at] > 0 { format!("{bar} {}", counts[at]) } else { String::new() });
        }
        text.truncate(text.trim_end().len());
    }
    text + "\n"
}

fn in_words(study: &Study, arguments: &ScnArguments) -> String {
    let source = study.file.as_deref().unwrap_or("composed");
    let mut text = format!(
        "{} won games ({source}), {} drawn games; T = {}, {} positions a move, depth at most {}, {} plies{}\n\n",
        study.won_games,
        study.drawn_games,
        study.threshold,
        output::thousands(study.nodes),
        study.depth,
        study.plies,
        if study.extensions { ", a ply more in check" } else { "" },
    );
    text += &histogram("RSCN (smaller is better)", &study.rscn);
    text.push('\n');
    text += &histogram("value (larger is better)", &study.value);
    let interval = |found: Option<[f64; 3]>| {
        found.map_or_else(|| "none".into(), |[found, low, high]| format!("{found:.3} ({low:.3}–{high:.3})"))
    };
    let rows: Vec<Vec<String>> = study
        .areas
        .iter()
        .map(|area| {
            let mut cells = vec![format!("{}, {}", area.better, area.worse)];
            cells.extend([area.by_rscn, area.by_value, area.difference, area.difference_either_way].map(interval));
            cells
        })
        .collect();
    let head = ["area (95 %)", "by RSCN", "by value", "difference", "either way"];
    text += &format!("\n{}\n", output::table(&head, &rows));
    if !study.handicaps.is_empty() {
        let rows: Vec<Vec<String>> = study
            .handicaps
            .iter()
            .map(|row| {
                let mut cells = vec![row.threshold.to_string(), row.red_gives.to_string(), row.games.to_string()];
                cells.extend([row.mean_rscn, row.least, row.most].map(|found| number(found, 1)));
                cells.push(number(row.mean_value, 0));
                cells
            })
            .collect();
        let head = ["T", "Red gives", "games", "mean RSCN", "least", "most", "mean value"];
        text += &format!("\nhandicap openings, {} plies\n{}\n", arguments.handicap_plies, output::table(&head, &rows));
    }
    text
}
