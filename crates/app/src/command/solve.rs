//! `tesuji solve`: the value of a position, and its proof.

use super::think::{interval, tidy};
use super::{PlayedGame, spec};
use crate::arguments::{PositionArguments, SolveArguments, Used};
use crate::failure::Failure;
use crate::progress::{self, SearchProgress};
use crate::{names, output, picture};
use serde::Serialize;
use std::collections::BTreeMap;
use tesuji_agents::{Access, AnyAgent, Claim, Goal, Measure, PendingFile, Proof, agent_descriptions, canonical_agent};
use tesuji_core::spec::{Argument, Place, Spec, SpecValue};
use tesuji_core::{Bounds, Budget, Player, ProofStatus, Report, Score};
use tesuji_search::SearchError;

/// An answer for machines. Values are for the side to move, in [0, 1].
#[derive(Serialize)]
struct Answer {
    game: String,
    agent: String,
    goal: String,
    moves: Vec<String>,
    turn: String,
    /// win, loss, draw or unknown, for the side to move.
    status: &'static str,
    /// Whether the goal is reached; null while that is open, and for exact values.
    reached: Option<bool>,
    /// Null unless the exact value is proved.
    value: Option<f64>,
    bounds: [f64; 2],
    /// A move of the proof; null unless the side to move is proved to get more than 0, or to lose.
    best: Option<String>,
    /// A line of the proof from `best` on: every move keeps the bounds. Empty without `best`.
    line: Vec<String>,
    iterations: u64,
    nodes: u64,
    depth: u32,
    seconds: f64,
    memory_bytes: u64,
    /// The root's proof and disproof number, where the agent has them; infinite ones are left out.
    pn: Option<f64>,
    dn: Option<f64>,
    stopped: &'static str,
    /// The limit of the agent that ended it, where `stopped` is "limit".
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<&'static str>,
    seed: u64,
    /// What a config file decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    config: Option<Used>,
    figures: BTreeMap<&'static str, f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<Written>,
    /// Why there is no proof although one was asked for and there is something to prove.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// A proof that was written.
#[derive(Serialize)]
struct Written {
    file: String,
    bytes: usize,
    /// Positions it lists.
    positions: u64,
}

/// The position with the problem of a file as its game's parameter.
fn with_file(mut position: PositionArguments, file: Option<String>) -> Result<PositionArguments, Failure> {
    if let Some(file) = file {
        let game = spec(&position.game, "the game")?;
        position.game = set(game, "file", file).to_string();
    }
    Ok(position)
}

/// A spec with one text argument set.
fn set(mut spec: Spec, name: &str, value: String) -> Spec {
    spec.arguments.retain(|argument| argument.name != name);
    spec.arguments.push(Argument { name: name.into(), value: SpecValue::Text(value), at: Place(0) });
    spec
}

/// Solves and prints.
pub fn run(arguments: SolveArguments, config: Option<Used>, json: bool) -> Result<(), Failure> {
    let SolveArguments { position, file, with, goal: asked_goal, limits, proof: proof_file } = arguments;
    let (asked_goal, proof_file) = (asked_goal.as_deref(), proof_file.as_deref());
    let played = &PlayedGame::of(&with_file(position, file)?)?;
    let with = if with == "auto" { played.position.solver() } else { &with };
    let mut agent = spec(with, "the agent")?;
    let in_agent = |error: &dyn std::fmt::Display| Failure::input(format!("the agent: {error}"));
    // Agents with a parameter `goal` are told; for others the goal only judges the answer.
    let descriptions = agent_descriptions();
    let description = descriptions.iter().find(|description| description.name == agent.name);
    let takes_goal = description.is_some_and(|it| it.parameters.iter().any(|parameter| parameter.name == "goal"));
    if let Some(goal) = asked_goal {
        goal.parse::<Goal>().map_err(|error| Failure::input(format!("the goal: {error}")))?;
        if takes_goal {
            agent = set(agent, "goal", goal.into());
        }
    }
    if proof_file.is_some() && played.is_set_up() {
        let why = "a proof is about a game and its moves in turn; this record sets stones up or has moves out of turn";
        return Err(Failure::input(format!("--proof: {why}")));
    }
    let canonical = canonical_agent(&agent).map_err(|error| in_agent(&error))?;
    let goal = match canonical.arguments.iter().find(|argument| argument.name == "goal").map(|argument| &argument.value)
    {
        Some(SpecValue::Text(text)) => text.as_str(),
        _ => asked_goal.unwrap_or("exact"),
    };
    let goal: Goal = goal.parse().map_err(|error| in_agent(&error))?;
    let mut solver = played.position.agent_with(&agent, &Access::unrestricted()).map_err(|error| in_agent(&error))?;
    solver.begin(played.start.as_ref(), &played.moves)?;
    let budget = limits.solving_budget(&agent, played.position.as_ref())?;
    // Whether the proof can be written is found out before the search, not after it.
    let create = |file| Access::unrestricted().create(file).map_err(|error| Failure::file(file, &error));
    let draft = proof_file.map(create).transpose()?;
    let mut watch = SearchProgress::new(budget.iterations);
    let report = solver.think(played.position.as_ref(), &budget, limits.seed(), &mut watch)?;
    drop(watch);
    let reached = reached(goal, &report, takes_goal);
    let unproved = draft.is_some() && !says_something(played, &report);
    let proof = match (draft, proof_file) {
        (Some(draft), Some(file)) if !unproved => Some(write_proof(played, solver.as_mut(), &budget, (draft, file))),
        _ => None,
    };
    // The answer is printed also if its proof cannot be written.
    let (proof, lost) = match proof {
        Some(Err(why)) => (None, Some(why)),
        Some(Ok(written)) => (Some(written), None),
        None => (None, None),
    };
    let lost = lost.map(|failure| Failure {
        message: format!("no proof was written: {}", failure.message),
        is_in_answer: json,
        ..failure
    });
    let mut answer = answer(played, canonical.to_string(), (goal, reached), limits.seed().0, report, proof);
    answer.config = config;
    answer.error = lost.as_ref().map(|failure| failure.message.clone());
    if json {
        output::print_json(&answer);
    } else {
        output::print(&in_words(played, &answer, unproved));
    }
    lost.map_or(Ok(()), Err)
}

/// Whether what was found excludes any result of the game: otherwise there is nothing to prove.
fn says_something(played: &PlayedGame, report: &Report<String>) -> bool {
    let figure = |name: &str| report.figures.iter().find(|(other, _)| *other == name).map(|(_, figure)| *figure);
    let widest = played.position.widest_margin().map_or(f64::from(i32::MAX), f64::from);
    report.bounds != Bounds::UNKNOWN
        || figure("least margin").is_some_and(|least| least > -widest)
        || figure("greatest margin").is_some_and(|greatest| greatest < widest)
}

/// Writes the proof of what was found, after checking it.
fn write_proof(
    played: &PlayedGame,
    solver: &mut dyn AnyAgent,
    budget: &Budget,
    (draft, file): (PendingFile, &str),
) -> Result<Written, Failure> {
    // The limits were for the search; writing the proof ends by itself, or by Ctrl-C.
    let budget = Budget { memory: budget.memory, stop: progress::interrupt(), ..Budget::default() };
    let claims = match progress::with_spinner("the proof", || solver.proof(played.position.as_ref(), &budget)) {
        Err(SearchError::OutOfBudget(why)) if progress::was_interrupted() => return Err(Failure::interrupted(why)),
        claims => claims?,
    };
    let mut positions = 0;
    for claim in &claims {
        let checked = progress::with_spinner("checking", || {
            played.position.check_proof(claim, &mut Budget { stop: progress::interrupt(), ..Budget::default() }.meter())
        });
        positions += checked.map_err(|error| Failure::internal(format!("the proof does not hold: {error}")))?.positions;
    }
    let proof = Proof { game: played.game.to_string(), moves: played.moves.clone(), claims };
    let bytes = proof.to_bytes();
    draft.finish(&bytes).map_err(|error| Failure::file(file, &error))?;
    Ok(Written { file: file.into(), bytes: bytes.len(), positions })
}

/// What bounds say to a player.
fn status(bounds: Bounds, player: Player) -> &'static str {
    let (sure, hoped) = bounds.for_player(player);
    if sure > Score::DRAW {
        "win"
    } else if hoped < Score::DRAW {
        "loss"
    } else if sure == hoped {
        "draw"
    } else {
        "unknown"
    }
}

/// What a claim says, in words.
pub fn claim_in_words(claim: &Claim) -> String {
    match claim.aim.measure {
        Measure::Score => {
            let share = f64::from(claim.aim.least) / f64::from(Score::UNITS);
            format!("the {} player scores at least {}", claim.aim.player, tidy(share))
        }
        Measure::Margin => {
            format!("the {} player is ahead by at least {}", claim.aim.player, claim.aim.least)
        }
    }
}

/// Whether a goal is reached; nothing while that is open, and for exact values.
fn reached(goal: Goal, report: &Report<String>, takes_goal: bool) -> Option<bool> {
    let Goal::Question(aim) = goal else { return None };
    // An agent without a parameter for the goal has asked a question of its own.
    match report.proof.filter(|_| takes_goal).map(|proof| proof.status) {
        Some(ProofStatus::Proved) => return Some(true),
        Some(ProofStatus::Disproved) => return Some(false),
        Some(ProofStatus::Unknown) | None => {}
    }
    if aim.measure != Measure::Score {
        return None;
    }
    let (sure, hoped) = report.bounds.for_player(aim.player);
    if sure.units() as i32 >= aim.least {
        Some(true)
    } else if (hoped.units() as i32) < aim.least {
        Some(false)
    } else {
        None
    }
}

fn answer(
    played: &PlayedGame,
    agent: String,
    (goal, reached): (Goal, Option<bool>),
    seed: u64,
    report: Report<String>,
    proof: Option<Written>,
) -> Answer {
    let report = report.of_proof();
    let turn = report.turn;
    let figures: BTreeMap<&'static str, f64> =
        report.figures.iter().copied().filter(|(_, figure)| figure.is_finite()).collect();
    Answer {
        game: played.game.to_string(),
        agent,
        goal: goal.to_string(),
        moves: played.all_moves(),
        turn: turn.to_string(),
        status: status(report.bounds, turn),
        reached,
        value: report.bounds.proved().map(|score| tidy(score.for_player(turn).to_f64())),
        bounds: interval(report.bounds, turn),
        best: report.best,
        line: report.line,
        iterations: report.iterations,
        nodes: report.nodes,
        depth: report.depth,
        seconds: report.elapsed.as_secs_f64(),
        memory_bytes: report.memory_bytes,
        pn: report.proof.and_then(|proof| proof.proof_number),
        dn: report.proof.and_then(|proof| proof.disproof_number),
        stopped: report.stopped.name(),
        limit: report.stopped.own_limit(),
        seed,
        config: None,
        figures,
        proof,
        error: None,
    }
}

fn in_words(played: &PlayedGame, answer: &Answer, unproved: bool) -> String {
    let paragraph = |text: &str| format!("\n{}", output::wrapped(text, 0, 4));
    let view = picture::shown(&played.position.view());
    let mut text = format!("{}\n{view}\n\n", names::title(&answer.game));
    let turn = played.position.sides().name(played.position.turn());
    text += &format!("{} for {turn}, who is to move", output::bold(answer.status));
    match (answer.value, answer.bounds) {
        (Some(value), _) => text += &format!(": value {value}"),
        (None, [0.0, 1.0]) => {}
        (None, [low, high]) => text += &format!(": between {low} and {high}"),
    }
    if let Some(reached) = answer.reached {
        text += &format!("\n{}: {}", answer.goal, if reached { "yes" } else { "no" });
    }
    if !answer.line.is_empty() {
        text += &paragraph(&format!("line: {}", answer.line.join(" ")));
    }
    text += &paragraph(&format!(
        "{}: {} expansions, {} nodes, {} bytes, {:.3} s; ended by: {}",
        names::agent(&answer.agent),
        output::thousands(answer.iterations),
        output::thousands(answer.nodes),
        output::thousands(answer.memory_bytes),
        answer.seconds,
        answer.limit.map_or(answer.stopped.to_string(), |limit| format!("a limit of the agent ({limit})")),
    ));
    if !answer.figures.is_empty() {
        text += &paragraph(&output::figures(answer.figures.iter().map(|(name, figure)| (*name, *figure))));
    }
    if let Some(written) = &answer.proof {
        text += &format!(
            "\nproof: {} ({} positions, {} bytes)",
            written.file,
            output::thousands(written.positions),
            output::thousands(written.bytes as u64)
        );
    }
    if unproved {
        text += "\nno proof was written: nothing is proved";
    }
    text
}
