//! `tesuji learn fit`: strengths of features of moves from games on file, with the learning curve.

use super::evaluate::{Material, QualityRow};
use crate::arguments::LearnFit;
use crate::failure::Failure;
use crate::output;
use crate::progress::{self, Progress};
use serde::Serialize;
use tesuji_agents::Access;
use tesuji_core::{FeatureSet, Gammas};
use tesuji_lab::plots::{Axis, Curve, LinePlot, Point, Width};
use tesuji_learn::bradley::archive::PlayedGame;
use tesuji_learn::bradley::contests::Contests;
use tesuji_learn::bradley::fit::{Settings, fit, to_gammas};

#[derive(Serialize)]
struct Answer {
    game: String,
    agent: String,
    features: &'static str,
    command: String,
    games: usize,
    strengths: usize,
    bytes: usize,
    rounds: u32,
    fitted: QualityRow,
    held_out: QualityRow,
    /// Quality on the games held out, by the number of games that were learned from.
    curve: Vec<CurveRow>,
    strongest: Vec<FeatureRow>,
    weakest: Vec<FeatureRow>,
    seconds: f64,
}

#[derive(Serialize)]
struct CurveRow {
    games: usize,
    fitted: QualityRow,
    held_out: QualityRow,
}

#[derive(Serialize)]
struct FeatureRow {
    group: &'static str,
    feature: String,
    gamma: f64,
}

/// Fits, measures, writes and prints.
pub fn run(arguments: &LearnFit, json: bool) -> Result<(), Failure> {
    let begun = std::time::Instant::now();
    let material = Material::read(&arguments.games, FeatureSet::from(arguments.set))?;
    let (held_out, learned): (Vec<&PlayedGame>, Vec<&PlayedGame>) =
        material.archive.games.iter().partition(|game| game.is_held_out());
    let judged = material.contests(held_out.iter().copied())?;
    if judged.is_empty() {
        return Err(Failure::input(format!("{}: needs five games at least, one is held out", arguments.games)));
    }
    let settings =
        Settings { rounds: arguments.rounds, prior: arguments.prior, least: arguments.least, ..Settings::default() };
    // Files are opened now, not after minutes of work.
    let create = |path: &String| Access::unrestricted().create(path).map_err(|error| Failure::file(path, &error));
    let output_file = arguments.output.as_ref().map(create).transpose()?;
    let curve_file = arguments.curve.as_ref().map(create).transpose()?;
    let sizes: Vec<usize> = match curve_file {
        Some(_) => curve_sizes(learned.len()),
        None => vec![learned.len()],
    };
    let command = format!(
        "tesuji learn fit {} --set {} --rounds {} --prior {} --least {}",
        name_of(&arguments.games),
        FeatureSet::from(arguments.set),
        arguments.rounds,
        arguments.prior,
        arguments.least,
    );
    let origin = &material.archive.origin;
    let note = format!(
        "{command}; {} games of {}, {} a move, openings of up to {} plies, seed {}",
        material.archive.games.len(),
        short(&origin.agent),
        origin.limits,
        origin.openings,
        origin.seed
    );
    let (mut curve, mut last) = (Vec::new(), None);
    for size in sizes {
        let contests = material.contests(learned[..size].iter().copied())?;
        let (strengths, rounds) = fit_with_progress(&contests, &settings)?;
        let gammas = to_gammas(&contests, &strengths, settings.least, material.features.name(), &note)
            .map_err(Failure::internal)?;
        curve.push(CurveRow {
            games: size,
            fitted: contests.judge(&gammas).into(),
            held_out: judged.judge(&gammas).into(),
        });
        last = Some((gammas, rounds));
    }
    let Some((gammas, rounds)) = last else { return Err(Failure::internal("nothing was fitted")) };
    let bytes = gammas.to_bytes();
    if let (Some(draft), Some(path)) = (output_file, &arguments.output) {
        draft.finish(&bytes).map_err(|error| Failure::file(path, &error))?;
    }
    if let (Some(draft), Some(path)) = (curve_file, &arguments.curve) {
        let svg = draw(&origin.game, material.features.name(), &curve)?;
        draft.finish(svg.as_bytes()).map_err(|error| Failure::file(path, &error))?;
    }
    let [strongest, weakest] = extremes(&material, &gammas, arguments.show as usize);
    let whole = curve.last().expect("at least one size");
    let answer = Answer {
        game: origin.game.clone(),
        agent: origin.agent.clone(),
        features: material.features.name(),
        command,
        games: learned.len(),
        strengths: gammas.len(),
        bytes: bytes.len(),
        rounds,
        fitted: whole.fitted,
        held_out: whole.held_out,
        curve,
        strongest,
        weakest,
        seconds: begun.elapsed().as_secs_f64(),
    };
    if json {
        output::print_json(&answer);
    } else {
        output::print(&in_words(&answer));
    }
    Ok(())
}

/// The end of a path.
fn name_of(path: &str) -> String {
    std::path::Path::new(path).file_name().map_or_else(|| path.into(), |name| name.to_string_lossy().into_owned())
}

/// A spec without its arguments.
fn short(spec: &str) -> &str {
    spec.split('(').next().unwrap_or(spec)
}

/// A fit with a progress bar; and the rounds it took.
fn fit_with_progress(contests: &Contests, settings: &Settings) -> Result<(Vec<f64>, u32), Failure> {
    let mut bar = Progress::new(u64::from(settings.rounds));
    let (stop, mut rounds) = (progress::interrupt(), 0);
    let strengths = fit(contests, settings, |round, _| {
        bar.at(u64::from(round), "rounds".into());
        rounds = round;
        !stop.is_stopped()
    });
    if stop.is_stopped() {
        Err(Failure::interrupted("interrupted before the fit was done"))
    } else {
        Ok((strengths, rounds))
    }
}

/// An eighth, a quarter, a half, three quarters and all of the games.
fn curve_sizes(games: usize) -> Vec<usize> {
    let mut sizes: Vec<usize> = [games / 8, games / 4, games / 2, games * 3 / 4, games].into();
    sizes.retain(|size| *size > 0);
    sizes.dedup();
    sizes
}

/// The learning curve.
fn draw(game: &str, features: &str, rows: &[CurveRow]) -> Result<String, Failure> {
    let curve = |name: &str, of: &dyn Fn(&CurveRow) -> f64| Curve {
        name: name.into(),
        points: rows.iter().map(|row| Point::exact(row.games as f64, of(row))).collect(),
    };
    let plot = LinePlot {
        title: format!("{features}: moves predicted, {}", short(game)),
        x: Axis::new("games learned from", ""),
        y: Axis::new("share of moves", ""),
        curves: vec![
            curve("top 1, held out", &|row| row.held_out.top_1),
            curve("top 5, held out", &|row| row.held_out.top_5),
            curve("top 1, fitted", &|row| row.fitted.top_1),
            curve("top 5, fitted", &|row| row.fitted.top_5),
        ],
        published: None,
    };
    plot.draw(Width::Wide).map(|svg| svg.file()).map_err(Failure::internal)
}

/// The strongest and the weakest features.
fn extremes(material: &Material, gammas: &Gammas, count: usize) -> [Vec<FeatureRow>; 2] {
    let mut all: Vec<_> = gammas.iter().collect();
    all.sort_by(|one, other| other.1.total_cmp(&one.1));
    let row = |(feature, gamma): &(tesuji_core::Feature, f64)| FeatureRow {
        group: material.features.groups().get(feature.group()).copied().unwrap_or_default(),
        feature: material.features.explain(*feature),
        gamma: *gamma,
    };
    let count = count.min(all.len());
    [all[..count].iter().map(row).collect(), all[all.len() - count..].iter().rev().map(row).collect()]
}

fn in_words(answer: &Answer) -> String {
    let mut text = format!(
        "{}, features {}: {} strengths after {} rounds ({:.1} s), {} bytes\nfitted to {} games, {}\nheld out: {}",
        answer.game,
        answer.features,
        output::thousands(answer.strengths as u64),
        answer.rounds,
        answer.seconds,
        output::thousands(answer.bytes as u64),
        answer.games,
        answer.fitted.in_words(),
        answer.held_out.in_words()
    );
    if answer.curve.len() > 1 {
        let rows: Vec<Vec<String>> = answer
            .curve
            .iter()
            .map(|row| {
                let percent = |share: f64| format!("{:.1} %", 100.0 * share);
                let held_out = row.held_out;
                vec![
                    row.games.to_string(),
                    format!("{:.3}", held_out.log_evidence),
                    percent(held_out.top_1),
                    percent(held_out.top_5),
                    percent(row.fitted.top_1),
                ]
            })
            .collect();
        let head = ["games", "log-evidence held out", "top 1", "top 5", "top 1 fitted"];
        text += &format!("\n\n{}", output::table(&head, &rows));
    }
    for (name, rows) in [("strongest", &answer.strongest), ("weakest", &answer.weakest)] {
        if !rows.is_empty() {
            let rows: Vec<Vec<String>> = rows
                .iter()
                .map(|row| vec![row.group.to_string(), row.feature.clone(), format!("{:.4}", row.gamma)])
                .collect();
            text += &format!("\n\n{name}\n{}", output::table(&["group", "feature", "γ"], &rows));
        }
    }
    text
}
