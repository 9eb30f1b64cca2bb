//! `--record I..J`: single iterations of a search, with their path, expansion, playouts and backup.
//!
//! The search runs to iteration I − 1, does the next ones one by one, and goes on to its end. Its
//! playouts are played in order from the start, as with `--every`; in Hex, whose playouts otherwise
//! fill the board at once, it is another search than that of the same seed without records.

use super::node::visits;
use super::{interval, tidy};
use crate::output;
use crate::progress::SearchProgress;
use serde::Serialize;
use std::ops::RangeInclusive;
use tesuji_agents::{AnyAgent, AnyPosition, IterationRecord, KeptTree, Playout};
use tesuji_core::{Budget, InOrder, Player, Report, Seed, Sides};
use tesuji_search::SearchError;

/// What a search with records answers.
type Recorded = (Report<String>, KeptTree, Vec<IterationRecord<String>>);

/// Searches, and records these iterations.
pub(super) fn run(
    agent: &mut dyn AnyAgent,
    position: &dyn AnyPosition,
    (budget, seed): (&Budget, Seed),
    range: &RangeInclusive<u64>,
) -> Result<Recorded, SearchError> {
    let (from, to) = (*range.start(), *range.end());
    let unsupported = |why: String| Err(SearchError::Unsupported(format!("--record {from}..{to}: {why}")));
    let iterations = match budget {
        Budget { iterations: Some(iterations), nodes: None, hard_time: None, .. } => *iterations,
        _ => {
            return unsupported("iterations repeat only under a limit of iterations; give --iterations N alone".into());
        }
    };
    if to > iterations {
        return unsupported(format!("the search ends after {iterations} iterations; --iterations {to} reaches them"));
    }
    let mut watch = InOrder(SearchProgress::new(Some(iterations)));
    let first = Budget { iterations: Some(from - 1), ..budget.clone() };
    let (_, mut tree) = agent.explore(position, &first, seed, &mut watch)?;
    let mut records = Vec::new();
    for _ in range.clone() {
        match tree.step(&budget.stop) {
            Ok(Some(record)) => records.push(record),
            // The root is proved.
            Ok(None) => break,
            // Interrupted: what is there is shown.
            Err(SearchError::OutOfBudget(_)) => break,
            Err(error) => return Err(error),
        }
    }
    let rest = Budget { iterations: Some(iterations - tree.iterations()), ..budget.clone() };
    let report = tree.more(&rest, &mut watch)?;
    Ok((report, tree, records))
}

/// Values and rewards are for the first player: the side to move changes along a path.
#[derive(Serialize)]
pub struct RecordEntry {
    iteration: u64,
    path: Vec<PathEntry>,
    expanded: Vec<usize>,
    entered: Option<usize>,
    playouts: Vec<PlayoutEntry>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    simulated: Vec<SimulatedEntry>,
    visits: u64,
    reward: f64,
}

#[derive(Serialize)]
struct PathEntry {
    /// Null for the root.
    r#move: Option<String>,
    turn: String,
    visits: u64,
    mean: Option<f64>,
    bounds: [f64; 2],
}

#[derive(Serialize)]
struct PlayoutEntry {
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    moves: Vec<String>,
    score: f64,
    reward: f64,
}

#[derive(Serialize)]
struct SimulatedEntry {
    r#move: String,
    visits: u64,
    reward: f64,
}

/// A record for machines.
pub(super) fn entry(record: IterationRecord<String>) -> RecordEntry {
    let path = record.path.into_iter().map(|node| PathEntry {
        r#move: node.mv,
        turn: node.turn.to_string(),
        visits: node.visits,
        mean: node.mean.map(|mean| tidy(mean.to_f64())),
        bounds: interval(node.bounds, Player::First),
    });
    let playouts = record.playouts.into_iter().map(|playout| PlayoutEntry {
        from: playout.from,
        moves: playout.moves,
        score: tidy(playout.score.to_f64()),
        reward: tidy(playout.reward),
    });
    let simulated = record.simulated.into_iter().map(|(mv, gain)| SimulatedEntry {
        r#move: mv,
        visits: gain.visits,
        reward: tidy(gain.reward),
    });
    RecordEntry {
        iteration: record.iteration,
        path: path.collect(),
        expanded: record.expanded,
        entered: record.entered,
        playouts: playouts.collect(),
        simulated: simulated.collect(),
        visits: record.gain.visits,
        reward: tidy(record.gain.reward),
    }
}

/// Playouts of an iteration that are shown to people.
const MOST_PLAYOUTS: usize = 5;

/// A record for people.
pub(super) fn in_words(record: &IterationRecord<String>, sides: &Sides) -> String {
    let moves: Vec<&str> = record.path.iter().filter_map(|node| node.mv.as_deref()).collect();
    let place =
        |depth: usize| if depth == 0 { "the root".into() } else { format!("after {}", moves[..depth].join(" ")) };
    let mut lines = vec![format!("{} {}", output::bold("iteration"), output::thousands(record.iteration))];
    let mut say = |what: &str, text: String| lines.push(output::wrapped(&format!("{what}: {text}"), 2, 4));
    say("path", if moves.is_empty() { "the root".into() } else { moves.join(" ") });
    if !record.expanded.is_empty() {
        let places: Vec<String> = record.expanded.iter().map(|depth| place(*depth)).collect();
        say("expanded", places.join("; "));
    }
    if let Some(depth) = record.entered {
        say("new node", place(depth));
    }
    for playout in record.playouts.iter().take(MOST_PLAYOUTS) {
        say("playout", playout_in_words(playout, sides));
    }
    if record.playouts.len() > MOST_PLAYOUTS {
        say("further playouts", (record.playouts.len() - MOST_PLAYOUTS).to_string());
    }
    let visits = visits(record.gain.visits);
    say("backup", format!("{visits}, reward {} for {}", tidy(record.gain.reward), sides.name(Player::First)));
    let rows: Vec<Vec<String>> = record
        .path
        .iter()
        .map(|node| {
            let mean = node.mean.map(|mean| format!("{:.4}", mean.to_f64())).unwrap_or_default();
            let proved = match interval(node.bounds, Player::First) {
                [0.0, 1.0] => String::new(),
                [low, high] if low == high => format!("proved {low}"),
                [low, high] => format!("proved {low} to {high}"),
            };
            vec![node.mv.clone().unwrap_or("root".into()), output::thousands(node.visits), mean, proved]
        })
        .collect();
    let table = output::table(&["node", "visits", "mean", ""], &rows);
    lines.extend(table.lines().map(|line| format!("    {line}")));
    lines.join("\n") + "\n"
}

fn playout_in_words(playout: &Playout<String>, sides: &Sides) -> String {
    let from = playout.from.as_ref().map(|mv| format!("from {mv}: ")).unwrap_or_default();
    let end = match playout.score.winner() {
        Some(winner) => format!("{} wins", sides.name(winner)),
        None => "a draw".into(),
    };
    let moves = if playout.moves.is_empty() { "no moves".into() } else { playout.moves.join(" ") };
    format!("{from}{moves}: {end}")
}
