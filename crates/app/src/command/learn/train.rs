//! `tesuji learn train`: labels, training, weights, and how well they do.

use super::super::spec;
use crate::arguments::TrainArguments;
use crate::failure::Failure;
use crate::output;
use crate::progress::{self, Progress};
use serde::Serialize;
use std::fs;
use std::io::Write as _;
use tesuji_agents::{Access, start_game};
use tesuji_core::Seed;
use tesuji_learn::hawk::labels::{Labels, label};
use tesuji_learn::hawk::{course, teach};

#[derive(Serialize)]
struct Answer {
    agent: &'static str,
    out: String,
    bytes: usize,
    seed: u64,
    boards: u64,
    iterations: u64,
    lessons: Vec<Row>,
    /// Training error after 200 epochs by each rule, on the first board; of ann alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<Vec<Figure>>,
}

#[derive(Serialize)]
struct Row {
    game: String,
    lines: usize,
    style: String,
    bytes: usize,
    figures: Vec<Figure>,
}

#[derive(Serialize)]
struct Figure {
    name: &'static str,
    value: f64,
}

fn figures(all: Vec<(&'static str, f64)>) -> Vec<Figure> {
    all.into_iter().map(|(name, value)| Figure { name, value }).collect()
}

/// The labels of one board, made as far as the folder does not have them.
fn labels(board: course::Board, arguments: &TrainArguments) -> Result<Labels, Failure> {
    let boards = arguments.boards;
    let path = format!("{}/{}-{}.labels", arguments.folder, board.0, board.1);
    let fail = |error: std::io::Error| Failure::input(format!("{path}: {error}"));
    let started = start_game(&spec(&course::spec_of(board), "the game")?)?;
    let mut table = started.position.stone_table().expect("Hawk's boards have stones");
    let mut labels = Labels::new(table.as_ref(), arguments.iterations, Seed(arguments.seed));
    if fs::exists(&path).map_err(fail)? {
        let text = fs::read_to_string(&path).map_err(fail)?;
        labels.read_lines(&text).map_err(|error| Failure::input(format!("{path}: {error}")))?;
    }
    let known = labels.boards.len() as u64;
    if known < boards {
        // What was cut off by an interruption is written anew.
        let lines = std::iter::once(labels.head()).chain(labels.boards.iter().map(|board| board.line()));
        let text: String = lines.map(|line| line + "\n").collect();
        Access::unrestricted().write(&path, text.as_bytes()).map_err(|error| Failure::file(&path, &error))?;
        let mut file = fs::OpenOptions::new().append(true).open(&path).map_err(fail)?;
        let mut progress = Progress::new(boards);
        for number in known..boards {
            if progress::interrupt().is_stopped() {
                return Err(Failure::interrupted("interrupted; the labels made so far are kept"));
            }
            progress.at(number, format!("labels of {} {}", board.0, board.1));
            let made = label(table.as_mut(), arguments.iterations, Seed(arguments.seed), number);
            writeln!(file, "{}", made.line()).map_err(fail)?;
            labels.boards.push(made);
        }
    }
    labels.boards.truncate(boards as usize);
    Ok(labels)
}

/// Makes weights.
pub fn run(arguments: &TrainArguments, json: bool) -> Result<(), Failure> {
    let agent = arguments.agent.name();
    let known = course::boards_of(agent);
    let name = |board: &course::Board| format!("{}{}", board.0, board.1);
    for wanted in &arguments.only {
        if !known.iter().any(|board| name(board) == *wanted) {
            let all: Vec<String> = known.iter().map(name).collect();
            return Err(Failure::input(format!("no board is named {wanted}; there are {}", all.join(", "))));
        }
    }
    let chosen = known.iter().filter(|board| arguments.only.is_empty() || arguments.only.contains(&name(board)));
    fs::create_dir_all(&arguments.folder).map_err(|error| Failure::input(format!("{}: {error}", arguments.folder)))?;
    let all: Vec<Labels> = chosen.map(|board| labels(*board, arguments)).collect::<Result<_, _>>()?;
    let (mut bundle, mut lessons) = (Vec::new(), Vec::new());
    progress::with_spinner("training", || {
        course::teach(agent, &all, course::usual_effort(), Seed(arguments.seed), &mut |lesson| {
            lessons.push(Row {
                game: lesson.game,
                lines: lesson.lines,
                style: lesson.style,
                bytes: lesson.taught.file.len(),
                figures: figures(lesson.taught.figures),
            });
            bundle.extend(lesson.taught.file);
        });
    });
    let compare = || figures(teach::compare_rules(&all[0], 200, Seed(arguments.seed)));
    let rules = (agent == "ann" && !all.is_empty()).then(|| progress::with_spinner("comparing rules", compare));
    let out = arguments.out.clone().unwrap_or_else(|| format!("{}/{agent}.tsw", arguments.folder));
    Access::unrestricted().write(&out, &bundle).map_err(|error| Failure::file(&out, &error))?;
    let answer = Answer {
        agent,
        out,
        bytes: bundle.len(),
        seed: arguments.seed,
        boards: arguments.boards,
        iterations: arguments.iterations,
        lessons,
        rules,
    };
    if json {
        output::print_json(&answer);
    } else {
        output::print(&in_words(&answer));
    }
    Ok(())
}

fn in_words(answer: &Answer) -> String {
    let told = |figures: &[Figure]| {
        figures.iter().map(|figure| format!("{} {:.4}", figure.name, figure.value)).collect::<Vec<_>>().join("; ")
    };
    let size = |lines: usize| if lines == 0 { "every size".to_string() } else { lines.to_string() };
    let rows: Vec<Vec<String>> = answer
        .lessons
        .iter()
        .map(|row| vec![row.game.clone(), size(row.lines), row.style.clone(), told(&row.figures)])
        .collect();
    let table = output::table(&["game", "lines", "as", "figures"], &rows);
    let rules = answer.rules.as_ref().map_or(String::new(), |rules| {
        format!("\ntraining error after 200 epochs on the first board: {}", told(rules))
    });
    format!("{table}{rules}\n{} bytes written to {}", output::thousands(answer.bytes as u64), answer.out)
}
