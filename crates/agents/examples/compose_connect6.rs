//! Composes the problems of `crates/games/problems/connect6`, and compares df-pn with Deep df-pn on them.
//!
//! ```text
//! cargo run --release --example compose_connect6 -- compose SEED GAMES LEAST FOLDER [vcst]   games of alpha-beta against itself
//! cargo run --release --example compose_connect6 -- solve NODES AGENT FILE…                  what an agent says of each, nodes and time
//! cargo run --release --example compose_connect6 -- table NODES AGENT FILE…                  nodes and re-expansions
//! ```
//!
//! `compose` lets alpha-beta with few nodes play itself after some random stones, asks before every
//! turn whether the mover wins by continuous double threats, and writes the first such position of
//! a game to the folder, if df-pn entered at least LEAST nodes to solve it; the file's name begins
//! with their number. With `vcst` it asks for positions that `vcst` solves in which `vcdt` has
//! looked at everything and found nothing. `table` solves each file, with the solver `vcdt` or
//! `vcst`, by df-pn, by 1+ε and by Deep df-pn with the E and D that hill climbing finds for it
//! (Zhang 2019, algorithm 1).

use std::fmt::Write as _;
use std::io::Write as _;
use tesuji_agents::{AnyPosition, start_game};
use tesuji_core::spec::Spec;
use tesuji_core::{Budget, NoObserver, Report, Rng, Seed, StopReason};
use tesuji_search::proof::{Climbed, hill_climb};

/// The largest E and D that are tried: those of Zhang's surfaces, D in stones instead of turns.
const MOST_E: u32 = 20;
const MOST_D: u32 = 30;

/// What one solver needed.
#[derive(Clone, Copy, Debug)]
struct Cost {
    nodes: u64,
    again: f64,
    won: bool,
}

fn solve(position: &dyn AnyPosition, agent: &str, nodes: u64) -> Result<(Cost, Report<String>), String> {
    let spec: Spec = agent.parse().map_err(|error| format!("{error}"))?;
    let mut solver = position.agent(&spec).map_err(|error| error.to_string())?;
    let budget = Budget { nodes: Some(nodes), memory: Some(1 << 29), ..Budget::default() };
    let report = solver.think(position, &budget, Seed(1), &mut NoObserver).map_err(|error| error.to_string())?;
    let again = report.figures.iter().find(|(name, _)| *name == "re-expansions").map_or(0.0, |figure| figure.1);
    let won = report.bounds.for_player(report.turn).0 == tesuji_core::Score::WIN;
    Ok((Cost { nodes: report.nodes, again, won }, report))
}

fn start(spec: &str) -> Result<Box<dyn AnyPosition>, String> {
    let spec: Spec = spec.parse().map_err(|error| format!("{error}"))?;
    start_game(&spec).map(|game| game.position).map_err(|error| error.to_string())
}

/// Whether the mover wins, for sure, and not by continuous double threats; nothing if he does by
/// these.
fn only_by_zones(position: &dyn AnyPosition) -> Result<Option<(Cost, Report<String>)>, String> {
    let (plain, report) = solve(position, "vcdt", 100_000)?;
    if plain.won {
        return Ok(None);
    }
    let finished = matches!(report.stopped, StopReason::Finished | StopReason::OwnLimit(_));
    let (mut cost, report) = solve(position, "vcst", 6_000)?;
    cost.won &= finished;
    Ok(Some((cost, report)))
}

/// One game; the first position that is won by double threats, or only `by_zones`, with its moves
/// and cost.
fn game(seed: u64, by_zones: bool) -> Result<Option<(Vec<String>, Cost, String)>, String> {
    let mut rng = Rng::new(Seed(seed));
    let mut position = start("connect6")?;
    let player: Spec = "alpha-beta".parse().map_err(|error| format!("{error}"))?;
    let mut moves: Vec<String> = Vec::new();
    let spread = 2 + rng.below(3);
    let opening = 3 + 2 * rng.below(4);
    while position.outcome().is_none() && moves.len() < 61 {
        if moves.len() % 2 == 1 && moves.len() >= opening as usize {
            let solved = if by_zones {
                only_by_zones(position.as_ref())?
            } else {
                Some(solve(position.as_ref(), "vcdt", 1_500_000)?)
            };
            let Some((cost, report)) = solved else { return Ok(None) };
            if cost.won {
                return Ok(Some((moves, cost, report.best.unwrap_or_default())));
            }
        }
        let mv = if moves.len() < opening as usize {
            let mut place = || char::from(b'J' - spread as u8 + rng.below(2 * spread + 1) as u8);
            let mv: String = [place(), place()].into_iter().collect();
            if moves.contains(&mv) {
                continue;
            }
            mv
        } else {
            let nodes = 200 + u64::from(rng.below(1_500));
            let mut agent = position.agent(&player).map_err(|error| error.to_string())?;
            let budget = Budget { nodes: Some(nodes), ..Budget::default() };
            let report = agent.think(position.as_ref(), &budget, Seed(u64::from(rng.below(1 << 30))), &mut NoObserver);
            report.map_err(|error| error.to_string())?.best.ok_or("no move")?
        };
        position.play(&mv).map_err(|error| error.to_string())?;
        moves.push(mv);
    }
    Ok(None)
}

fn compose(seed: u64, games: u64, least: u64, folder: &str, by_zones: bool) -> Result<(), String> {
    for number in seed..seed + games {
        let Some((moves, cost, first)) = game(number, by_zones)? else { continue };
        let side = if moves.len() % 4 == 1 { "White" } else { "Black" };
        let _ = writeln!(std::io::stderr(), "game {number}: {side} after {} stones, {cost:?}", moves.len());
        if cost.nodes < least {
            continue;
        }
        let how =
            if by_zones { "wins, but not by continuous double threats" } else { "wins by continuous double threats" };
        let mut text = format!("# {side} {how}.\nsize: 19\n");
        let _ = writeln!(text, "moves: {}\nanswer: win {first}", moves.join(" "));
        let file = format!("{folder}/{:08}-{number}.txt", cost.nodes);
        std::fs::write(&file, text).map_err(|error| format!("{file}: {error}"))?;
    }
    Ok(())
}

/// Hill climbing of E and D for a solver with the knowledge of the game.
fn climb(position: &dyn AnyPosition, agent: &str, most: u64) -> Result<(u32, u32, Cost), String> {
    let at = |e: u32, d: u32| solve(position, &format!("{agent}(e={e}.0,d={d})"), most);
    let climbed = hill_climb((MOST_E, MOST_D), |e, d| at(e, d).map(|(cost, _)| cost.won.then_some(cost.nodes)))?;
    let Climbed { e, d, .. } = climbed.best;
    Ok((e, d, at(e, d)?.0))
}

fn table(most: u64, agent: &str, files: &[String]) -> Result<String, String> {
    let mut text = String::from(
        "| position | df-pn nodes | again | 1+ε nodes | again | E, D | deep nodes | again |\n|---|---|---|---|---|---|---|---|\n",
    );
    let mut logs: [Vec<f64>; 4] = Default::default();
    for file in files {
        let position = start(&format!("connect6(file={file:?})"))?;
        let (plain, _) = solve(position.as_ref(), agent, most)?;
        let (longer, _) = solve(position.as_ref(), &format!("{agent}(epsilon=0.25)"), most)?;
        let (e, d, deep) = climb(position.as_ref(), agent, most)?;
        let name = file.rsplit('/').next().unwrap_or(file);
        let line = format!(
            "| {name} | {} | {} | {} | {} | {e}, {d} | {} | {} |",
            plain.nodes, plain.again, longer.nodes, longer.again, deep.nodes, deep.again
        );
        let _ = writeln!(std::io::stderr(), "{line}");
        let _ = writeln!(text, "{line}");
        let ratio = |own: f64, base: f64| (own.max(1.0) / base.max(1.0)).ln();
        logs[0].push(ratio(longer.nodes as f64, plain.nodes as f64));
        logs[1].push(ratio(longer.again, plain.again));
        logs[2].push(ratio(deep.nodes as f64, plain.nodes as f64));
        logs[3].push(ratio(deep.again, plain.again));
    }
    for (name, logs) in ["1+ε nodes", "1+ε again", "deep nodes", "deep again"].iter().zip(&logs) {
        let count = logs.len() as f64;
        let mean = logs.iter().sum::<f64>() / count;
        let variance = logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
        let t = mean / (variance / count).sqrt();
        let fewer = logs.iter().filter(|log| **log < 0.0).count();
        let _ = writeln!(
            text,
            "{name}: {:.3} of df-pn (geometric mean), fewer in {fewer} of {count}, paired t = {t:.2}",
            mean.exp()
        );
    }
    Ok(text)
}

/// Solves each file, with a line for each.
fn solve_all(most: u64, agent: &str, files: &[String]) -> Result<(), String> {
    for file in files {
        let position = start(&format!("connect6(file={file:?})"))?;
        let began = std::time::Instant::now();
        let (cost, report) = solve(position.as_ref(), agent, most)?;
        let best = report.best.unwrap_or_default();
        let _ = writeln!(
            std::io::stdout(),
            "{file}: {} {best}, {} nodes, {} again, {:.2} s",
            if cost.won { "win" } else { "unknown" },
            cost.nodes,
            cost.again,
            began.elapsed().as_secs_f64()
        );
    }
    Ok(())
}

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| arguments.get(at).and_then(|text| text.parse::<u64>().ok()).unwrap_or(1);
    let word = |at: usize| arguments.get(at).map_or("", String::as_str);
    let files = arguments.get(3..).unwrap_or_default();
    match word(0) {
        "compose" => compose(number(1), number(2), number(3), word(4), word(5) == "vcst"),
        "solve" => solve_all(number(1), word(2), files),
        "table" => {
            let text = table(number(1), word(2), files)?;
            std::io::stdout().write_all(text.as_bytes()).map_err(|error| error.to_string())
        }
        _ => Err("compose SEED GAMES LEAST FOLDER [vcst], solve NODES AGENT FILE…, or table NODES AGENT FILE…".into()),
    }
}
