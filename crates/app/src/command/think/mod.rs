//! `tesuji think`: lets an agent search a position.
//!
//! | file | contents |
//! |---|---|
//! | `mod.rs` | the search and its report |
//! | `node.rs` | `--tree`: a node of the tree and its children |
//! | `record.rs` | `--record`: single iterations |
//! | `export.rs` | `--tree-json`, `--tree-dot`: the tree as a file |

mod export;
mod node;
mod record;

use super::{PlayedGame, spec};
use crate::arguments::{ThinkArguments, TreeArguments, Used};
use crate::failure::Failure;
use crate::progress::{self, SearchProgress};
use crate::{names, output, picture};
use serde::Serialize;
use std::collections::BTreeMap;
use tesuji_agents::{Access, KeptTree, NodeView, agent_for, canonical_agent};
use tesuji_core::{Bounds, Observer, Pace, Player, Report, Value};
use tesuji_lab::kinds::settled;
use tesuji_search::SearchError;

/// A report for machines. Values are for the side to move, in [0, 1].
#[derive(Serialize)]
struct Answer {
    game: String,
    agent: String,
    moves: Vec<String>,
    turn: String,
    best: Option<String>,
    /// Only there when it is true.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    resigns: bool,
    value: f64,
    /// Proved: the side to move gets at least the first and at most the second.
    bounds: [f64; 2],
    line: Vec<String>,
    iterations: u64,
    nodes: u64,
    depth: u32,
    memory_bytes: u64,
    seconds: f64,
    /// Null while the search runs.
    stopped: Option<&'static str>,
    /// The limit of the agent that ended it, where `stopped` is "limit".
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<&'static str>,
    seed: u64,
    /// What a config file decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    config: Option<Used>,
    /// The path of the last iteration through the tree.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    path: Vec<String>,
    /// Plies from the root to the end of the last playout, where the search counts them.
    #[serde(skip_serializing_if = "Option::is_none")]
    playout_end: Option<u32>,
    /// Figures of the search, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    figures: BTreeMap<&'static str, f64>,
    root: Vec<RootEntry>,
    /// With --every: from which look on the answer stayed the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    settled: Option<u64>,
    /// The node that --tree asks for.
    #[serde(skip_serializing_if = "Option::is_none")]
    tree: Option<node::NodeEntry>,
    /// The iterations that --record asks for.
    #[serde(skip_serializing_if = "Option::is_none")]
    records: Option<Vec<record::RecordEntry>>,
}

#[derive(Serialize)]
struct RootEntry {
    r#move: String,
    visits: u64,
    /// Null if the move was never tried.
    mean: Option<f64>,
    bounds: [f64; 2],
    /// Lower and upper confidence bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<[f64; 2]>,
    /// All moves as first.
    #[serde(skip_serializing_if = "Option::is_none")]
    amaf: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prior: Option<f64>,
    /// The expected continuation, beginning with the move, where the search knows it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    line: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

/// Nine decimals: 1 − 0.7 is 0.3.
pub(super) fn tidy(value: f64) -> f64 {
    (value * 1e9).round() / 1e9
}

pub(super) fn interval(bounds: Bounds, player: Player) -> [f64; 2] {
    let (sure, hoped) = bounds.for_player(player);
    [sure.to_f64(), hoped.to_f64()].map(tidy)
}

/// Searches and prints.
pub fn run(arguments: &ThinkArguments, config: Option<Used>, json: bool) -> Result<(), Failure> {
    let ThinkArguments { position, agent, limits, every, tree } = arguments;
    let played = &PlayedGame::of(position)?;
    let asked = spec(agent.as_deref().unwrap_or("auto"), "the agent")?;
    let wrong = |error| Failure::input(format!("the agent: {error}"));
    let agent = agent_for(&asked, played.position.as_ref()).map_err(wrong)?;
    let canonical = canonical_agent(&agent).map_err(wrong)?;
    let mut player = played.position.agent_with(&agent, &Access::unrestricted()).map_err(wrong)?;
    player.begin(played.start.as_ref(), &played.moves)?;
    let budget = limits.budget(&asked, &agent, played.position.as_ref())?;
    let mut picks = Vec::new();
    let mut show = |report: &Report<String>| {
        note_pick(&mut picks, report);
        if json {
            let so_far = answer(played, canonical.to_string(), limits.seed().0, report.clone());
            output::print_json(&Answer { stopped: None, limit: None, config: config.clone(), ..so_far });
        } else {
            output::print(&in_one_line(report));
        }
    };
    let mut stream = every.map(|pace| Stream { pace, show: &mut show });
    let mut progress = SearchProgress::new(budget.iterations);
    let watch: &mut dyn Observer<String> = match &mut stream {
        Some(stream) => stream,
        None => &mut progress,
    };
    let position = played.position.as_ref();
    let found = if let Some(range) = &tree.record {
        record::run(player.as_mut(), position, (&budget, limits.seed()), range)
            .map(|(report, kept, records)| (report, Some(kept), Some(records)))
    } else if tree.keeps() {
        player.explore(position, &budget, limits.seed(), watch).map(|(report, kept)| (report, Some(kept), None))
    } else {
        player.think(position, &budget, limits.seed(), watch).map(|report| (report, None, None))
    };
    let (report, kept, records) = found.map_err(|error| match error {
        // An engine outside that had no move to answer with when it was stopped.
        SearchError::Failed(why) if progress::was_interrupted() => Failure::interrupted(why),
        error => error.into(),
    })?;
    let settled = every.and_then(|_| {
        note_pick(&mut picks, &report);
        settled(&picks, std::slice::from_ref(&picks.last()?.1))
    });
    let shown = kept.as_ref().map(|kept| shown_tree(kept, tree)).transpose()?.flatten();
    if let Some(kept) = &kept {
        let (game, agent) = (played.game.to_string(), canonical.to_string());
        export::write(kept, tree, &export::Origin { game, agent, seed: limits.seed().0 })?;
    }
    if json {
        let answer = answer(played, canonical.to_string(), limits.seed().0, report);
        let records = records.map(|records| records.into_iter().map(record::entry).collect());
        output::print_json(&Answer { config, settled, tree: shown.map(node::entry), records, ..answer });
    } else {
        let sides = position.sides();
        for one in records.iter().flatten() {
            output::print(&record::in_words(one, &sides));
        }
        let mut text = in_words(played, &names::agent(&canonical.to_string()), &report);
        if let (Some(at), Some(pace)) = (settled, every) {
            let [at, pace] = [at, *pace].map(output::thousands);
            let best = report.best.as_deref().unwrap_or("resign");
            let convergent = format!("convergent move: {best}, at every look from {at} iterations on (each {pace})");
            text += &format!("\n{}", output::wrapped(&convergent, 0, 4));
        }
        output::print(&text);
        if let (Some(view), Some(kept)) = (shown, &kept) {
            output::print(&node::in_words(&view, &sides, kept.nodes()));
        }
    }
    Ok(())
}

/// The node that --tree asks for.
fn shown_tree(kept: &KeptTree, asked: &TreeArguments) -> Result<Option<NodeView<String>>, Failure> {
    let shown = asked.tree.as_ref().map(|_| kept.node(&asked.moves(), &asked.children()));
    shown.transpose().map_err(|error| Failure::input(format!("--tree: {error}")))
}

/// Takes note of the move that the search would play, if it is another one.
fn note_pick(picks: &mut Vec<(u64, String)>, report: &Report<String>) {
    let pick = report.best.clone().unwrap_or_default();
    if picks.last().is_none_or(|(_, last)| *last != pick) {
        picks.push((report.iterations, pick));
    }
}

/// Shows at an interval of iterations what the search would answer.
struct Stream<'a> {
    pace: u64,
    show: &'a mut dyn FnMut(&Report<String>),
}

impl Observer<String> for Stream<'_> {
    fn pace(&self) -> Option<Pace> {
        Some(Pace::Iterations(self.pace))
    }

    fn wants_playouts(&self) -> bool {
        true
    }

    fn progress(&mut self, report: &Report<String>) {
        (self.show)(report);
    }
}

/// One line of a stream, for people.
fn in_one_line(report: &Report<String>) -> String {
    let end = report.playout_end.map(|end| format!("  playout to {end}")).unwrap_or_default();
    format!(
        "{:>12} {:>10.4}  {:<8} path {}{end}",
        output::thousands(report.iterations),
        report.value.for_player(report.turn),
        report.best.as_deref().unwrap_or("resign"),
        report.path.join(" "),
    )
}

fn answer(played: &PlayedGame, agent: String, seed: u64, report: Report<String>) -> Answer {
    let turn = report.turn;
    let root = report.root.into_iter().map(|entry| RootEntry {
        r#move: entry.mv,
        visits: entry.visits,
        mean: entry.value.map(|value: Value| tidy(value.for_player(turn))),
        bounds: interval(entry.bounds, turn),
        confidence: entry.confidence.map(|(low, high)| [tidy(low), tidy(high)]),
        amaf: entry.amaf.map(|value| tidy(value.for_player(turn))),
        prior: entry.prior.map(tidy),
        line: entry.line,
        note: entry.note,
    });
    Answer {
        game: played.game.to_string(),
        agent,
        moves: played.all_moves(),
        turn: turn.to_string(),
        best: report.best,
        resigns: report.resigns,
        value: tidy(report.value.for_player(turn)),
        bounds: interval(report.bounds, turn),
        line: report.line,
        iterations: report.iterations,
        nodes: report.nodes,
        depth: report.depth,
        memory_bytes: report.memory_bytes,
        seconds: report.elapsed.as_secs_f64(),
        stopped: Some(report.stopped.name()),
        limit: report.stopped.own_limit(),
        seed,
        config: None,
        path: report.path,
        playout_end: report.playout_end,
        figures: report.figures.into_iter().collect(),
        root: root.collect(),
        settled: None,
        tree: None,
        records: None,
    }
}

/// Moves shown in the table for people.
const MOST_ROWS: usize = 20;

fn in_words(played: &PlayedGame, agent: &str, report: &Report<String>) -> String {
    let turn = report.turn;
    let mut entries: Vec<_> = report.root.iter().collect();
    let mean = |value: Option<Value>| value.map_or(-1.0, |value| value.for_player(turn));
    let chosen = |mv: &String| Some(mv) == report.best.as_ref();
    entries.sort_by(|a, b| {
        (chosen(&b.mv), b.visits).cmp(&(chosen(&a.mv), a.visits)).then(mean(b.value).total_cmp(&mean(a.value)))
    });
    let rows: Vec<Vec<String>> = entries
        .iter()
        .take(MOST_ROWS)
        .map(|entry| {
            let proved = match interval(entry.bounds, turn) {
                [0.0, 1.0] => String::new(),
                [low, high] if low == high => format!("{low}"),
                [low, high] => format!("{low} to {high}"),
            };
            let value = entry.value.map(|value| format!("{:.4}", value.for_player(turn))).unwrap_or_default();
            let note = entry.note.clone().unwrap_or_default();
            vec![entry.mv.clone(), entry.visits.to_string(), value, proved, note]
        })
        .collect();
    let view = picture::shown(&played.position.view());
    let mut text = format!("{}\n{view}\n\n", names::title(&played.game.to_string()));
    if !rows.is_empty() {
        text += &output::table(&["move", "visits", "mean", "proved", ""], &rows);
        if entries.len() > MOST_ROWS {
            text += &format!("\n… and {} more moves", entries.len() - MOST_ROWS);
        }
        text += "\n\n";
    }
    // Some engines outside tell a move and nothing else.
    let is_bare = report.root.is_empty() && report.iterations == 0 && report.nodes == 0;
    let mut sentence = format!("{agent} plays {}", report.best.as_deref().unwrap_or("nothing: it resigns"));
    if !is_bare {
        let side = played.position.sides().name(turn);
        sentence += &format!(" (value {:.4} for {side})", report.value.for_player(turn));
    }
    let sentence = output::wrapped(&sentence, 0, 4).replacen(agent, &output::bold(agent), 1);
    text += &sentence;
    let work = if is_bare {
        String::new()
    } else {
        let [iterations, nodes] = [report.iterations, report.nodes].map(output::thousands);
        format!("{iterations} iterations, {nodes} nodes, ")
    };
    let mut paragraphs = vec![
        format!("line: {}", report.line.join(" ")),
        format!("{work}{:.3} s; ended by: {}", report.elapsed.as_secs_f64(), report.stopped),
    ];
    if !report.figures.is_empty() {
        paragraphs.push(output::figures(report.figures.iter().copied()));
    }
    for paragraph in paragraphs {
        text += &format!("\n{}", output::wrapped(&paragraph, 0, 4));
    }
    text
}
