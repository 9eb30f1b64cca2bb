//! `tesuji bench playout|search|solve|perft`: speeds, on one core.

use super::spec;
use crate::arguments::{Effort, check_threads};
use crate::failure::Failure;
use crate::names;
use crate::output;
use crate::progress;
use serde::Serialize;
use std::time::{Duration, Instant};
use tesuji_agents::{Access, AnyPosition, PlayoutTally, StartedGame, canonical_agent, games, start_game_with};
use tesuji_core::spec::Spec;
use tesuji_core::{Bounds, Budget, Report, Rng, Score, Seed, StopReason};

/// The games to measure: the one named, or all with their defaults.
pub(super) fn chosen(game: Option<String>) -> Result<Vec<StartedGame>, Failure> {
    let specs = match game {
        Some(text) => vec![spec(&text, "the game")?],
        None => games().iter().map(|game| Spec::bare(game.description.name)).collect(),
    };
    specs.iter().map(|spec| start_game_with(spec, &Access::unrestricted()).map_err(Failure::from)).collect()
}

fn print<T: Serialize>(lines: &[T], json: bool, head: &[&str], row: impl Fn(&T) -> Vec<String>) {
    if json {
        lines.iter().for_each(output::print_json);
    } else {
        output::print(&output::table(head, &lines.iter().map(row).collect::<Vec<_>>()));
    }
}

/// The line above a table of what one agent does.
pub(super) fn print_agent(canonical: &Spec, json: bool) {
    if !json {
        let name = names::agent(&canonical.to_string());
        output::print(&output::wrapped(&format!("agent {name}"), 0, 4));
    }
}

#[derive(Serialize)]
struct PlayoutSpeed {
    game: String,
    playouts_per_second: f64,
    moves_per_second: f64,
    /// Null where playouts make no moves.
    ns_per_move: Option<f64>,
    /// A lower bound for a move: its share of copying the position, one random draw, one swap in a
    /// list.
    floor_ns_per_move: Option<f64>,
    copy_ns: f64,
    mean_length: f64,
    /// Mean score of the first player.
    mean_score: f64,
    position_bytes: usize,
    playouts: u64,
    seconds: f64,
}

/// Nanoseconds for one of `count` repetitions.
fn nanoseconds(count: u64, work: impl FnOnce(u64)) -> f64 {
    let started = Instant::now();
    work(count);
    started.elapsed().as_secs_f64() * 1e9 / count as f64
}

/// Nanoseconds of drawing a move at random and taking it out of a list: the cost of choosing alone.
fn draw_cost(moves: usize, rng: &mut Rng) -> f64 {
    let full: Vec<u16> = (0..moves.clamp(1, 65_535) as u16).collect();
    let mut list = full.clone();
    let rounds = (2_000_000 / full.len() as u64).max(1);
    nanoseconds(rounds * full.len() as u64, |_| {
        for _ in 0..rounds {
            list.copy_from_slice(&full);
            for left in (0..list.len()).rev() {
                list.swap(rng.below(left as u32 + 1) as usize, left);
            }
            std::hint::black_box(&mut list);
        }
    })
}

/// Measures random playouts, or those by learned patterns.
pub fn playout(game: Option<String>, patterns: bool, effort: Effort, json: bool) -> Result<(), Failure> {
    let mut speeds = Vec::new();
    let named = game.is_some();
    for StartedGame { position, spec: name } in chosen(game)? {
        if patterns && position.pattern_playouts(0, &mut Rng::new(Seed(0))).is_none() {
            if named {
                return Err(Failure::input(format!(
                    "{name}: has no learned patterns; `tesuji learn weights` lists them"
                )));
            }
            continue;
        }
        let playouts = |count: u64, rng: &mut Rng| match patterns {
            true => position.pattern_playouts(count, rng).map_or_else(PlayoutTally::default, |(tally, _)| tally),
            false => position.playouts(count, rng),
        };
        let mut rng = Rng::new(Seed(effort.seed));
        // Batches grow until one takes a hundredth of the time, so that the clock costs nothing.
        let (mut batch, mut count, mut units) = (16_u64, 0, 0);
        let seconds = progress::with_spinner(&format!("playouts of {name}"), || {
            let started = Instant::now();
            // One batch at least: a busy machine may let the time pass before the first.
            while (count == 0 || started.elapsed() < effort.seconds) && !progress::interrupt().is_stopped() {
                let begun = Instant::now();
                let tally = playouts(batch, &mut rng);
                (count, units) = (count + tally.count, units + tally.units);
                if begun.elapsed() < (effort.seconds / 100).min(Duration::from_millis(20)) {
                    batch *= 2;
                }
            }
            started.elapsed().as_secs_f64()
        });
        if count == 0 {
            break;
        }
        // Lengths are counted separately, so that counting does not slow what is measured.
        let sample = count.clamp(1, 10_000);
        let mut counting = rng.split(1);
        let length = match patterns {
            true => position.pattern_playouts(sample, &mut counting).map_or(0, |(_, moves)| moves),
            false => position.playout_lengths(sample, &mut counting),
        };
        let mean_length = length as f64 / sample as f64;
        let playouts_per_second = count as f64 / seconds;
        let moves_per_second = playouts_per_second * mean_length;
        let copy_ns = nanoseconds(200_000, |count| position.copies(count));
        let draw_ns = draw_cost(position.move_space(), &mut rng.split(2));
        speeds.push(PlayoutSpeed {
            game: name.to_string(),
            playouts_per_second,
            moves_per_second,
            ns_per_move: (moves_per_second > 0.0).then(|| 1e9 / moves_per_second),
            floor_ns_per_move: (mean_length > 0.0).then(|| copy_ns / mean_length + draw_ns),
            copy_ns,
            mean_length,
            mean_score: units as f64 / (count as f64 * f64::from(Score::UNITS)),
            position_bytes: position.size_in_bytes(),
            playouts: count,
            seconds,
        });
    }
    let head = ["game", "playouts/s", "moves/s", "ns/move", "floor", "copy ns", "mean length", "mean score", "bytes"];
    print(&speeds, json, &head, |speed| {
        vec![
            names::game(&speed.game),
            output::thousands(speed.playouts_per_second as u64),
            output::thousands(speed.moves_per_second as u64),
            speed.ns_per_move.map(|time| format!("{time:.1}")).unwrap_or_default(),
            speed.floor_ns_per_move.map(|time| format!("{time:.1}")).unwrap_or_default(),
            format!("{:.0}", speed.copy_ns),
            format!("{:.2}", speed.mean_length),
            format!("{:.4}", speed.mean_score),
            speed.position_bytes.to_string(),
        ]
    });
    Ok(())
}

#[derive(Serialize)]
struct SearchSpeed {
    game: String,
    agent: String,
    iterations_per_second: f64,
    nodes_per_second: f64,
    /// Of the game alone, on one thread, in the same run.
    playouts_per_second: f64,
    /// The share of the time outside playouts, for a search with a tree and one playout an
    /// iteration.
    tree_share: Option<f64>,
    threads: u32,
    /// Null for a search without a tree.
    bytes_per_node: Option<f64>,
    iterations: u64,
    nodes: u64,
    seconds: f64,
}

/// Nodes of the tree a search kept, if it kept one.
fn tree_nodes(report: &Report<String>) -> Option<f64> {
    report.figures.iter().find(|(name, nodes)| *name == "tree-nodes" && *nodes > 0.0).map(|(_, nodes)| *nodes)
}

/// Playouts per second from here.
fn playout_speed(position: &dyn AnyPosition, effort: Effort) -> f64 {
    let mut rng = Rng::new(Seed(effort.seed));
    let (mut count, mut batch) = (0, 1);
    let started = Instant::now();
    while (count == 0 || started.elapsed() < effort.seconds / 4) && !progress::interrupt().is_stopped() {
        let begun = Instant::now();
        count += position.playouts(batch, &mut rng).count;
        if begun.elapsed() < effort.seconds / 100 {
            batch *= 2;
        }
    }
    count as f64 / started.elapsed().as_secs_f64()
}

/// Measures a search.
pub fn search(game: Option<String>, agent: &str, threads: u32, effort: Effort, json: bool) -> Result<(), Failure> {
    let agent = spec(agent, "the agent")?;
    let canonical = canonical_agent(&agent)?;
    check_threads(threads, &agent)?;
    let mut speeds = Vec::new();
    for StartedGame { position, spec: name } in chosen(game)? {
        let mut player = position.agent_with(&agent, &Access::unrestricted())?;
        let budget = Budget {
            hard_time: Some(effort.seconds),
            threads: std::num::NonZeroU32::new(threads),
            stop: progress::interrupt(),
            ..Budget::default()
        };
        let mut watch = progress::SearchProgress::new(None);
        let report = player.think(position.as_ref(), &budget, Seed(effort.seed), &mut watch)?;
        let playouts_per_second = playout_speed(position.as_ref(), effort);
        let seconds = report.elapsed.max(Duration::from_nanos(1)).as_secs_f64();
        let playouts_taken = report.iterations as f64 / playouts_per_second / f64::from(threads);
        let tree_nodes = tree_nodes(&report);
        speeds.push(SearchSpeed {
            game: name.to_string(),
            agent: canonical.to_string(),
            iterations_per_second: report.iterations as f64 / seconds,
            nodes_per_second: report.nodes as f64 / seconds,
            playouts_per_second,
            tree_share: tree_nodes.map(|_| 1.0 - playouts_taken / seconds),
            threads,
            bytes_per_node: tree_nodes.map(|nodes| report.memory_bytes as f64 / nodes),
            iterations: report.iterations,
            nodes: report.nodes,
            seconds,
        });
    }
    print_agent(&canonical, json);
    print(&speeds, json, &["game", "iterations/s", "playouts/s", "tree share", "bytes/node"], |speed| {
        vec![
            names::game(&speed.game),
            output::thousands(speed.iterations_per_second as u64),
            output::thousands(speed.playouts_per_second as u64),
            speed.tree_share.map(|share| format!("{:.1} %", 100.0 * share)).unwrap_or_default(),
            speed.bytes_per_node.map(|bytes| format!("{bytes:.1}")).unwrap_or_default(),
        ]
    });
    Ok(())
}

#[derive(Serialize)]
struct SolveSpeed {
    game: String,
    agent: String,
    nodes_per_second: f64,
    /// Successors looked at, most of them without being entered.
    looked_at_per_second: f64,
    expansions_per_second: f64,
    nodes: u64,
    memory_bytes: u64,
    threads: u32,
    /// How often the position was solved in the time.
    solved: u64,
    /// How long that took each time, if it was.
    seconds_per_solution: Option<f64>,
    seconds: f64,
}

/// Measures a solver: positions entered in a second. What is solved sooner is solved again.
pub fn solve(
    game: Option<String>,
    with: &str,
    memory: u64,
    threads: u32,
    effort: Effort,
    json: bool,
) -> Result<(), Failure> {
    let agent = spec(with, "the agent")?;
    let canonical = canonical_agent(&agent)?;
    let mut speeds = Vec::new();
    for StartedGame { position, spec: name } in chosen(game)? {
        let mut player = position.agent_with(&agent, &Access::unrestricted())?;
        let (mut nodes, mut looked_at, mut expansions, mut solved, mut memory_bytes) = (0, 0.0, 0, 0, 0);
        let (mut seconds, mut solving) = (0.0, 0.0);
        let mut watch = progress::SearchProgress::new(None);
        while seconds < effort.seconds.as_secs_f64() && !progress::interrupt().is_stopped() {
            let left = effort.seconds.saturating_sub(Duration::from_secs_f64(seconds));
            let budget = Budget {
                hard_time: Some(left),
                memory: Some(memory),
                threads: std::num::NonZeroU32::new(threads),
                stop: progress::interrupt(),
                ..Budget::default()
            };
            let report = player.think(position.as_ref(), &budget, Seed(effort.seed), &mut watch)?;
            let figure = report.figures.iter().find(|(name, _)| *name == "positions looked at");
            nodes += report.nodes;
            expansions += report.iterations;
            looked_at += figure.map_or(0.0, |(_, count)| *count);
            memory_bytes = memory_bytes.max(report.memory_bytes);
            let known = report.stopped == StopReason::Finished && report.bounds != Bounds::UNKNOWN;
            solved += u64::from(known);
            let took = report.elapsed.max(Duration::from_nanos(1)).as_secs_f64();
            seconds += took;
            if !known {
                break;
            }
            solving += took;
        }
        speeds.push(SolveSpeed {
            game: name.to_string(),
            agent: canonical.to_string(),
            nodes_per_second: nodes as f64 / seconds.max(1e-9),
            looked_at_per_second: looked_at / seconds.max(1e-9),
            expansions_per_second: expansions as f64 / seconds.max(1e-9),
            nodes,
            memory_bytes,
            threads,
            solved,
            seconds_per_solution: (solved > 0).then(|| solving / solved as f64),
            seconds,
        });
    }
    print_agent(&canonical, json);
    let head = ["game", "nodes/s", "expansions/s", "looked at/s", "solved", "s/solution"];
    print(&speeds, json, &head, |speed| {
        vec![
            names::game(&speed.game),
            output::thousands(speed.nodes_per_second as u64),
            output::thousands(speed.expansions_per_second as u64),
            output::thousands(speed.looked_at_per_second as u64),
            output::thousands(speed.solved),
            speed.seconds_per_solution.map(|seconds| format!("{seconds:.4}")).unwrap_or_default(),
        ]
    });
    Ok(())
}

#[derive(Serialize)]
struct PerftSpeed {
    game: String,
    depth: usize,
    nodes: u64,
    nodes_per_second: f64,
    seconds: f64,
}

/// Counts deeper and deeper until the time is used; the last complete depth is reported.
pub fn perft(game: Option<String>, effort: Effort, json: bool) -> Result<(), Failure> {
    let mut speeds = Vec::new();
    for StartedGame { position, spec: name } in chosen(game)? {
        if position.outcome().is_some() {
            return Err(Failure::input(format!("{name}: the game has ended")));
        }
        let started = Instant::now();
        let mut best: Option<PerftSpeed> = None;
        for depth in 1..=255 {
            let left = effort.seconds.saturating_sub(started.elapsed());
            let budget = Budget { hard_time: Some(left), stop: progress::interrupt(), ..Budget::default() };
            let mut meter = budget.meter();
            let counted = progress::with_spinner(&format!("perft of {name}"), || position.perft(depth, &mut meter));
            let nodes = counted.per_depth.last().copied().unwrap_or(0);
            if nodes == 0 || (!counted.complete && best.is_some()) {
                break;
            }
            let seconds = meter.elapsed().as_secs_f64();
            best = Some(PerftSpeed {
                game: name.to_string(),
                depth,
                nodes,
                nodes_per_second: nodes as f64 / seconds,
                seconds,
            });
        }
        speeds.extend(best);
    }
    print(&speeds, json, &["game", "depth", "sequences", "sequences/s"], |speed| {
        vec![
            names::game(&speed.game),
            speed.depth.to_string(),
            output::thousands(speed.nodes),
            output::thousands(speed.nodes_per_second as u64),
        ]
    });
    Ok(())
}
