//! `tesuji match`: two agents play games; colours alternate.

use super::{Table, spec};
use crate::arguments::Limits;
use crate::failure::Failure;
use crate::output;
use crate::progress::Progress;
use serde::Serialize;
use tesuji_agents::{AnyAgent, canonical_agent};
use tesuji_core::{Nobody, Outcome, Player};

/// A game longer than this is void: no rules of ours allow it.
const LONGEST: usize = 100_000;

#[derive(Serialize)]
struct Result {
    game: String,
    first: String,
    second: String,
    /// Games that were played; less than asked for if the match was stopped.
    games: u64,
    first_wins: u64,
    second_wins: u64,
    draws: u64,
    /// Games that an agent failed to finish; they count for nobody.
    void: u64,
    /// Points of the agent named by --first, draws (and graded results) counted by their score.
    first_points: f64,
    /// Wins of the agent named by --first when it moved first.
    first_wins_moving_first: u64,
    plies: u64,
    seconds: f64,
    seed: u64,
}

/// Plays and prints.
pub fn run(
    table: &Table,
    agents: [&str; 2],
    games: u64,
    limits: &Limits,
    json: bool,
) -> std::result::Result<(), Failure> {
    if table.position.outcome().is_some() {
        return Err(Failure::input("the game has ended before it began"));
    }
    let mut names = Vec::new();
    let mut players: Vec<Box<dyn AnyAgent>> = Vec::new();
    for (text, what) in agents.into_iter().zip(["the first agent", "the second agent"]) {
        let agent = spec(text, what)?;
        let placed = |error| Failure::input(format!("{what}: {error}"));
        names.push(canonical_agent(&agent).map_err(placed)?.to_string());
        players.push(table.position.agent(&agent).map_err(placed)?);
    }
    let started = std::time::Instant::now();
    let mut result = Result {
        game: table.game.to_string(),
        first: names[0].clone(),
        second: names[1].clone(),
        games: 0,
        first_wins: 0,
        second_wins: 0,
        draws: 0,
        void: 0,
        first_points: 0.0,
        first_wins_moving_first: 0,
        plies: 0,
        seconds: 0.0,
        seed: limits.seed().0,
    };
    let budget = limits.budget();
    let mut progress = Progress::new(games);
    let mut failure = None;
    for game in 0..games {
        // The player to move in the given position is "first" in every even game.
        let swapped = game % 2 == 1;
        match play(table, &mut players, swapped, game, limits, &mut result.plies) {
            Played::Ended(outcome) => {
                let side_of_first = if swapped { table.position.turn().other() } else { table.position.turn() };
                result.first_points += outcome.score.for_player(side_of_first).to_f64();
                match outcome.winner() {
                    None => result.draws += 1,
                    Some(winner) if winner == side_of_first => {
                        result.first_wins += 1;
                        result.first_wins_moving_first += u64::from(!swapped);
                    }
                    Some(_) => result.second_wins += 1,
                }
            }
            Played::Void(why) => {
                result.void += 1;
                failure = Some(why);
            }
            Played::Stopped => break,
        }
        result.games += 1;
        progress.at(game + 1, format!("{}-{}-{}", result.first_wins, result.draws, result.second_wins));
        if budget.stop.is_stopped() {
            break;
        }
    }
    drop(progress);
    result.seconds = started.elapsed().as_secs_f64();
    if json {
        output::print_json(&result);
    } else {
        output::print(&in_words(&result, failure.as_deref()));
    }
    Ok(())
}

enum Played {
    Ended(Outcome),
    Void(String),
    Stopped,
}

fn play(
    table: &Table,
    players: &mut [Box<dyn AnyAgent>],
    swapped: bool,
    game: u64,
    limits: &Limits,
    plies: &mut u64,
) -> Played {
    let mut position = table.position.boxed_clone();
    let opener = position.turn();
    for ply in 0..LONGEST {
        if let Some(outcome) = position.outcome() {
            return Played::Ended(outcome);
        }
        let to_move: Player = position.turn();
        let player = &mut players[usize::from((to_move == opener) == swapped)];
        let budget = limits.budget();
        let seed = limits.seed().derive(game).derive(ply as u64);
        let report = match player.think(position.as_ref(), &budget, seed, &mut Nobody) {
            Ok(report) => report,
            Err(error) => return Played::Void(error.to_string()),
        };
        if budget.stop.is_stopped() {
            return Played::Stopped;
        }
        let Some(best) = report.best else { return Played::Void("an agent found no move".into()) };
        if let Err(error) = position.play(&best) {
            return Played::Void(error.to_string());
        }
        *plies += 1;
    }
    Played::Void(format!("no end after {LONGEST} plies"))
}

fn in_words(result: &Result, failure: Option<&str>) -> String {
    let row = |name: &str, wins: u64| vec![name.to_string(), wins.to_string()];
    let rows = [
        row(&result.first, result.first_wins),
        row(&result.second, result.second_wins),
        row("draws", result.draws),
        row("void", result.void),
    ];
    let counted = (result.games - result.void).max(1) as f64;
    let mut text = format!(
        "{}\n{}\n{} games, {} plies, {:.3} s; the first agent scored {:.1} %",
        output::bold(&result.game),
        output::table(&["agent", "wins"], &rows),
        result.games,
        output::thousands(result.plies),
        result.seconds,
        100.0 * result.first_points / counted,
    );
    if let Some(why) = failure {
        text += &format!("\nvoid games: {why}");
    }
    text
}
