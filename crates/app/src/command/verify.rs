//! `tesuji verify`: checks a saved proof by the rules of the game, without the code that found it.
//!
//! With `--rules-only` certificates are not trusted but expanded over the rules, within limits.

use super::solve::claim_in_words;
use super::start;
use crate::arguments::VerifyArguments;
use crate::failure::Failure;
use crate::output;
use crate::progress;
use serde::Serialize;
use std::time::Instant;
use tesuji_agents::{Access, ExpansionLimits, FileError, Measure, Proof, StartedGame};
use tesuji_core::spec::{Spec, SpecValue};
use tesuji_core::{Budget, Score};

/// A proof that was checked, for machines.
#[derive(Serialize)]
struct Answer {
    game: String,
    moves: Vec<String>,
    /// True; or null if `--rules-only` left certificates unexpanded, with exit code 3. A proof that
    /// does not hold is refused with exit code 2.
    holds: Option<bool>,
    rules_only: bool,
    claims: Vec<Held>,
    bytes: usize,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

#[derive(Serialize)]
struct Held {
    player: String,
    measure: &'static str,
    /// A score in [0, 1], or a margin, as the player counts.
    at_least: f64,
    positions: u64,
    ends: u64,
    references: u64,
    /// Certificates that stand in place of moves, each checked.
    certificates: u64,
    /// With `--rules-only`: certificates that were not expanded within the limits.
    unexpanded: u64,
    depth: u32,
}

/// Whether a proof of the game `written` may be one of `given`. The path of a file that a game is
/// read from is ignored: the proof is checked against the position that was given.
fn is_about(written: &str, given: &Spec) -> bool {
    let Ok(mut written) = written.parse::<Spec>() else { return false };
    let mut given = given.clone();
    for spec in [&mut written, &mut given] {
        spec.arguments.iter_mut().filter(|argument| argument.name == "file").for_each(|argument| {
            argument.value = SpecValue::Text(String::new());
        });
    }
    written == given
}

/// Checks and prints.
pub fn run(arguments: &VerifyArguments, json: bool) -> Result<(), Failure> {
    let file = arguments.file.as_str();
    let started = Instant::now();
    let problem = |error: &dyn std::fmt::Display| Failure::input(format!("{file}: {error}"));
    let StartedGame { mut position, spec: game } = start(&arguments.game)?;
    // The proof is read into memory and then parsed into a second copy of nearly all of it.
    let most = arguments.memory.unwrap_or(Budget::DEFAULT_MEMORY) / 2;
    let bytes = Access::unrestricted().read_of_kind(file, Proof::MAGIC, most).map_err(|error| match error {
        FileError::Size(_) => problem(&format!("{error}, half of --memory; more memory allows it")),
        other => Failure::file(file, &other),
    })?;
    let proof = Proof::from_bytes(&bytes).map_err(|error| problem(&error))?;
    let length = bytes.len();
    drop(bytes);
    if !is_about(&proof.game, &game) {
        let shown: String = proof.game.chars().take(200).collect();
        return Err(problem(&format!("the proof is about another game, {shown}")));
    }
    for (number, mv) in proof.moves.iter().enumerate() {
        position.play(mv).map_err(|error| problem(&format!("move {}: {error}", number + 1)))?;
    }
    let expansion_budget = Budget { stop: progress::interrupt(), hard_time: arguments.time, ..Budget::default() };
    let limits = ExpansionLimits { positions: arguments.nodes, deadline: expansion_budget.meter().deadline() };
    let mut claims = Vec::new();
    let mut words = Vec::new();
    for claim in &proof.claims {
        if claim.aim.says_nothing(position.widest_margin()) {
            let claimed = claim_in_words(claim);
            return Err(problem(&format!("the claim says nothing: {claimed}, as in every game, whatever is played")));
        }
        let mut meter = Budget { stop: progress::interrupt(), ..Budget::default() }.meter();
        let checked = progress::with_spinner("checking", || {
            if arguments.rules_only {
                position.check_proof_by_rules(claim, &limits, &mut meter)
            } else {
                position.check_proof(claim, &mut meter)
            }
        });
        if progress::was_interrupted() {
            return Err(Failure::interrupted(format!("{file}: interrupted before the proof was checked")));
        }
        let checked = checked.map_err(|error| problem(&format!("the proof does not hold: {error}")))?;
        let mut contents = format!("{} positions", output::thousands(checked.positions));
        if arguments.rules_only {
            let (all, left) = (checked.certificates, checked.unexpanded);
            contents +=
                &format!(", {} of {} certificates expanded", output::thousands(all - left), output::thousands(all));
        }
        words.push(format!("{} ({contents})", claim_in_words(claim)));
        let (measure, at_least) = match claim.aim.measure {
            Measure::Score => ("score", f64::from(claim.aim.least) / f64::from(Score::UNITS)),
            Measure::Margin => ("margin", f64::from(claim.aim.least)),
        };
        claims.push(Held {
            player: claim.aim.player.to_string(),
            measure,
            at_least,
            positions: checked.positions,
            ends: checked.ends,
            references: checked.references,
            certificates: checked.certificates,
            unexpanded: checked.unexpanded,
            depth: checked.depth,
        });
    }
    let seconds = started.elapsed().as_secs_f64();
    let unexpanded: u64 = claims.iter().map(|claim| claim.unexpanded).sum();
    let unfinished = (unexpanded > 0).then(|| Failure {
        is_in_answer: json,
        ..Failure::interrupted(format!(
            "{file}: not decided: {unexpanded} certificates were not expanded within the limits; more --nodes \
             or --time may decide it"
        ))
    });
    let answer = Answer {
        game: game.to_string(),
        moves: proof.moves,
        holds: unfinished.is_none().then_some(true),
        rules_only: arguments.rules_only,
        claims,
        bytes: length,
        seconds,
        error: unfinished.as_ref().map(|failure| failure.message.clone()),
    };
    if json {
        output::print_json(&answer);
    } else {
        let after = if answer.moves.is_empty() { String::new() } else { format!(" after {}", answer.moves.join(" ")) };
        output::print(&format!(
            "{}{after}\n{}: {}",
            output::bold(&answer.game),
            output::bold(if unfinished.is_none() { "holds" } else { "not decided" }),
            words.join("; ")
        ));
    }
    unfinished.map_or(Ok(()), Err)
}
