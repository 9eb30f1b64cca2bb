//! `tesuji learn games`: self-play into a file that survives a kill at any byte.

use crate::arguments::LearnGames;
use crate::command::{read_file, spec, start};
use crate::failure::Failure;
use crate::output;
use crate::progress::{self, Progress};
use serde::Serialize;
use std::io::Write;
use tesuji_agents::{Access, AnyPosition, agent_for, canonical_agent};
use tesuji_core::{Budget, NoObserver, Rng, Seed};
use tesuji_learn::bradley::archive::{Archive, MOST_MOVES, Origin, PlayedGame};

/// The largest file of games that is read.
pub(super) const MOST_BYTES: u64 = 1 << 30;

#[derive(Serialize)]
struct Answer {
    game: String,
    agent: String,
    limits: String,
    openings: u32,
    seed: u64,
    /// In the file.
    games: usize,
    /// Played now; the others were there.
    played: usize,
    complete: bool,
    plies: usize,
    bytes: usize,
    seconds: f64,
}

/// Plays and writes.
pub fn run(arguments: &LearnGames, json: bool) -> Result<(), Failure> {
    let game = start(&arguments.game)?;
    let asked = spec(&arguments.agent, "the agent")?;
    let agent = agent_for(&asked, game.position.as_ref())?;
    let limits = match (arguments.iterations, arguments.nodes) {
        (Some(count), None) => format!("iterations {count}"),
        (None, Some(count)) => format!("nodes {count}"),
        (None, None) => "its own".to_string(),
        (Some(_), Some(_)) => return Err(Failure::input("--iterations and --nodes: give one of them")),
    };
    if game.position.move_space() > usize::from(u16::MAX) {
        return Err(Failure::input(format!(
            "{}: has more than 65,535 moves, which a file of games cannot hold",
            game.spec
        )));
    }
    let origin = Origin {
        game: game.spec.to_string(),
        agent: canonical_agent(&agent)?.to_string(),
        limits,
        openings: arguments.openings,
        seed: arguments.seed,
        wide: game.position.move_space() > 256,
    };
    let (mut file, mut archive) = open(&arguments.output, &origin)?;
    let before = archive.games.len();
    let begun = std::time::Instant::now();
    let mut bar = Progress::new(u64::from(arguments.games));
    let mut player = game.position.agent_with(&agent, &Access::unrestricted())?;
    let stop = progress::interrupt();
    while archive.games.len() < arguments.games as usize && !stop.is_stopped() {
        let number = archive.games.len() as u32;
        bar.at(u64::from(number), "games".into());
        let budget = Budget {
            iterations: arguments.iterations,
            nodes: arguments.nodes,
            stop: stop.clone(),
            ..Budget::default()
        };
        let seed = Seed(arguments.seed).derive(u64::from(number));
        let Some(played) = play(game.position.as_ref(), player.as_mut(), arguments.openings, &budget, seed, number)?
        else {
            break;
        };
        let record = played.to_bytes(origin.wide).ok_or_else(|| {
            Failure::internal(format!(
                "game {number}: {} moves are more than a file of games holds",
                played.moves.len()
            ))
        })?;
        // One write for one record: a kill leaves whole records and at most one torn one.
        file.write_all(&record).map_err(|error| Failure::internal(format!("{}: {error}", arguments.output)))?;
        archive.whole += record.len();
        archive.games.push(played);
    }
    drop(bar);
    file.sync_all().map_err(|error| Failure::internal(format!("{}: {error}", arguments.output)))?;
    let answer = Answer {
        game: origin.game,
        agent: origin.agent,
        limits: origin.limits,
        openings: origin.openings,
        seed: origin.seed,
        games: archive.games.len(),
        played: archive.games.len() - before,
        complete: archive.games.len() >= arguments.games as usize,
        plies: archive.games.iter().map(|game| game.moves.len()).sum(),
        bytes: archive.whole,
        seconds: begun.elapsed().as_secs_f64(),
    };
    if json {
        output::print_json(&answer);
    } else {
        output::print(&format!(
            "{}: {} games of {} ({} played now, {:.1} s), {} plies, {} bytes{}",
            arguments.output,
            output::thousands(answer.games as u64),
            answer.game,
            output::thousands(answer.played as u64),
            answer.seconds,
            output::thousands(answer.plies as u64),
            output::thousands(answer.bytes as u64),
            if answer.complete { "" } else { "; interrupted, the same command goes on" },
        ));
    }
    if answer.complete { Ok(()) } else { Err(Failure::interrupted("interrupted; the games so far are in the file")) }
}

/// Opens the file behind its last whole game, with the games that it has.
fn open(path: &str, origin: &Origin) -> Result<(std::fs::File, Archive), Failure> {
    let failed = |error: std::io::Error| Failure::internal(format!("{path}: {error}"));
    let beginning = origin.to_bytes();
    let fresh = Archive { origin: origin.clone(), games: Vec::new(), whole: beginning.len() };
    let there = std::path::Path::new(path).exists();
    let bytes = if there { read_file(path, MOST_BYTES)? } else { Vec::new() };
    // A beginning that was cut off is written anew.
    let is_begun = there && !beginning.starts_with(&bytes);
    let archive = if is_begun {
        Archive::read(&bytes).map_err(|error| Failure::input(format!("{path}: {error}")))?
    } else {
        fresh
    };
    if archive.origin != *origin {
        return Err(Failure::input(format!(
            "{path}: holds other games ({}, {}, {}, openings {}, seed {}); name another file",
            archive.origin.game,
            archive.origin.agent,
            archive.origin.limits,
            archive.origin.openings,
            archive.origin.seed
        )));
    }
    let mut file = std::fs::OpenOptions::new().write(true).create(true).truncate(false).open(path).map_err(failed)?;
    if is_begun {
        file.set_len(archive.whole as u64).map_err(failed)?;
        std::io::Seek::seek(&mut file, std::io::SeekFrom::End(0)).map_err(failed)?;
    } else {
        file.set_len(0).map_err(failed)?;
        file.write_all(&beginning).map_err(failed)?;
    }
    Ok((file, archive))
}

/// One game; nothing if it was interrupted.
fn play(
    start: &dyn AnyPosition,
    player: &mut dyn tesuji_agents::AnyAgent,
    openings: u32,
    budget: &Budget,
    seed: Seed,
    number: u32,
) -> Result<Option<PlayedGame>, Failure> {
    let mut rng = Rng::new(seed.derive(0));
    let wanted = rng.below(openings + 1);
    let mut position = start.boxed_clone();
    let mut moves: Vec<u16> = Vec::new();
    let action = |position: &dyn AnyPosition, text: &str| {
        let found = position.action_named(text).ok_or_else(|| Failure::internal(format!("{text} is no move here")));
        found.map(|action| action as u16)
    };
    let mut opening = 0;
    for _ in 0..wanted {
        let Some(text) = position.random_move(&mut rng) else { break };
        let mut after = position.boxed_clone();
        after.play(&text).map_err(Failure::internal)?;
        if after.outcome().is_some() {
            break;
        }
        moves.push(action(position.as_ref(), &text)?);
        position = after;
        opening += 1;
    }
    player.begin(position.as_ref(), &[])?;
    let outcome = loop {
        if let Some(outcome) = position.outcome() {
            break outcome;
        }
        if moves.len() >= MOST_MOVES {
            return Err(Failure::internal(format!("game {number}: does not end within {MOST_MOVES} moves")));
        }
        let turn = position.turn();
        let report = player.think(position.as_ref(), budget, seed.derive(1 + moves.len() as u64), &mut NoObserver)?;
        if budget.stop.is_stopped() {
            return Ok(None);
        }
        let text = report.best.ok_or_else(|| Failure::input(format!("game {number}: the agent answers no move")))?;
        moves.push(action(position.as_ref(), &text)?);
        position.play(&text).map_err(Failure::internal)?;
        player.follow(turn, &text)?;
    };
    Ok(Some(PlayedGame { number, opening, score: outcome.score, moves }))
}
