//! `tesuji bench signature`: a fingerprint of everything that follows from a seed.
//!
//! One line for each game (move counts and playouts) and for each game with each agent that serves
//! it (its whole answer), then one word over all lines. The committed copy is
//! `bench/signature.txt`; a commit that changes behaviour changes it and says so.
//! No time enters, so it is the same on every machine.

use crate::failure::Failure;
use crate::output;
use serde::Serialize;
use tesuji_agents::{AgentInfo, AnyPosition, Registry, StartedGame, games, start_game};
use tesuji_core::spec::Spec;
use tesuji_core::{Budget, NoObserver, Report, Rng, Seed, mix};
use tesuji_search::SearchError;

#[derive(Serialize)]
struct Signature {
    signature: String,
    lines: Vec<String>,
}

/// Computes and prints the signature.
pub fn run(json: bool) -> Result<(), Failure> {
    let mut lines = Vec::new();
    for game in games() {
        let StartedGame { position: start, spec: name } = start_game(&Spec::bare(game.description.name))?;
        lines.push(format!("{name}: {}", rules(start.as_ref())));
        // Other engines cannot be pinned, and the sums of a network differ in their last bit
        // between processors; those who learned play some boards only.
        let serves = |agent: &&AgentInfo| agent.games.is_empty() || agent.games.contains(&game.description.name);
        let pinned = |agent: &&AgentInfo| !agent.is_program() && !agent.is_learned();
        let agents = Registry::in_force().agents().iter().filter(serves).filter(pinned);
        for agent in agents.map(|agent| agent.description.name) {
            lines.push(format!("{name} {agent}: {}", answers(start.as_ref(), agent)?));
        }
    }
    let signature = format!("{:016x}", lines.iter().fold(0, |word, line| fold(word, line)));
    if json {
        output::print_json(&Signature { signature, lines });
    } else {
        output::print(&format!("{}\nsignature {signature}", lines.join("\n")));
    }
    Ok(())
}

fn fold(word: u64, text: &str) -> u64 {
    text.bytes().fold(word, |word, byte| mix(word ^ u64::from(byte)).wrapping_add(1))
}

/// Counts to a depth that stays small, playouts, and the hash of the start.
fn rules(start: &dyn AnyPosition) -> String {
    let mut counts = Vec::new();
    for depth in 1..=4 {
        let mut meter = Budget { nodes: Some(20_000), ..Budget::default() }.meter();
        let counted = start.perft(depth, &mut meter);
        match counted.per_depth.last() {
            Some(count) if counted.complete => counts.push(count.to_string()),
            _ => break,
        }
    }
    let mut rng = Rng::new(Seed(1));
    let tally = start.playouts(1_000, &mut rng);
    let lengths = start.playout_lengths(1_000, &mut rng);
    let hash = start.hash().0;
    format!("perft {} playouts {} {} {lengths} hash {hash:016x}", counts.join(" "), tally.units, tally.margins)
}

/// The answers of an agent along a short game, folded into one word; the last move for the eye.
fn answers(start: &dyn AnyPosition, agent: &str) -> Result<String, Failure> {
    let mut player = start.agent(&Spec::bare(agent))?;
    let mut position = start.boxed_clone();
    let mut word = 0;
    let mut moves = Vec::new();
    for ply in 0..4 {
        if position.outcome().is_some() {
            break;
        }
        let budget = Budget { iterations: Some(500), nodes: Some(5_000), ..Budget::default() };
        let report = match player.think(position.as_ref(), &budget, Seed(ply), &mut NoObserver) {
            Ok(report) => report,
            Err(SearchError::Unsupported(_)) => return Ok("unsupported".into()),
            Err(error) => return Ok(error.to_string()),
        };
        word = fold(word, &in_text(&report));
        let Some(best) = report.best else { break };
        position.play(&best).map_err(Failure::internal)?;
        moves.push(best);
    }
    Ok(format!("{} {word:016x}", moves.join(" ")))
}

/// All of a report but its time.
fn in_text(report: &Report<String>) -> String {
    let mut text = format!(
        "{:?} {:?} {:?} {:?} {} {} {}",
        report.best,
        report.value,
        report.bounds,
        report.line,
        report.iterations,
        report.nodes,
        report.stopped.name()
    );
    for entry in &report.root {
        text += &format!(" {} {} {:?} {:?} {:?}", entry.mv, entry.visits, entry.value, entry.bounds, entry.note);
    }
    text
}
