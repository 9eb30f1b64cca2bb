//! `tesuji match`: two agents play games; colours alternate.

use super::{PlayedGame, spec};
use crate::arguments::{MatchArguments, Stated};
use crate::failure::Failure;
use crate::names;
use crate::output;
use crate::progress::{self, Progress};
use serde::Serialize;
use tesuji_agents::records::Step;
use tesuji_agents::{Access, AnyAgent, agent_for, canonical_agent};
use tesuji_core::{Budget, NoObserver, Outcome, Player, Rng, Seed};
use tesuji_lab::statistics::pairs::Pairs;
use tesuji_lab::statistics::{Confidence, Interval};
use tesuji_search::SearchError;

/// A game longer than this is void: the rules of no game allow it.
const LONGEST: usize = 100_000;

#[derive(Serialize)]
struct MatchResult {
    game: String,
    first: String,
    second: String,
    /// Whether all games were played; false if the match was interrupted.
    complete: bool,
    /// Games that were played.
    games: u64,
    first_wins: u64,
    second_wins: u64,
    draws: u64,
    /// Games that an agent failed to finish; they count for neither side.
    void: u64,
    /// Why the first void game is void.
    #[serde(skip_serializing_if = "Option::is_none")]
    void_reason: Option<String>,
    /// What was said last to and by the engine outside that made the first void game void.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    void_transcript: Vec<String>,
    /// Points of the agent named by --first, draws (and graded results) counted by their score.
    first_points: f64,
    /// Wins of the agent named by --first when it moved first.
    first_wins_moving_first: u64,
    /// Random plies before the agents begin; both games of a pair begin with the same ones.
    openings: u32,
    /// Limits of each move.
    limits: Stated,
    /// Engines outside that the limit of iterations or nodes does not reach: the other agent keeps
    /// it, these keep their own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    own_limits: Vec<&'static str>,
    /// Pairs of games with the same opening and colours exchanged, counted by the points of the
    /// agent named by --first: 0, 0.5, 1, 1.5, 2. Pairs with a void game are left out.
    pairs: [u64; 5],
    /// The first agent's share of the points of these pairs, with its 95 % confidence interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    share: Option<[f64; 3]>,
    /// The likelihood that the first agent is the stronger one, from the pairs.
    #[serde(skip_serializing_if = "Option::is_none")]
    superiority: Option<f64>,
    plies: u64,
    seconds: f64,
    seed: u64,
    /// Elo difference of the first agent to the second, with its 95 % confidence interval, from the
    /// pairs.
    #[serde(skip_serializing_if = "Option::is_none")]
    elo: Option<[f64; 3]>,
}

/// Plays and prints.
pub fn run(arguments: &MatchArguments, json: bool) -> Result<(), Failure> {
    let MatchArguments { position, first, second, games, openings, limits } = arguments;
    let (played, games, openings) = (&PlayedGame::of(position)?, *games, *openings);
    if played.position.outcome().is_some() {
        return Err(Failure::input("the game has ended before it began"));
    }
    let mut names = Vec::new();
    let mut agents = Vec::new();
    let mut budgets = Vec::new();
    let mut own_limits = Vec::new();
    let mut players: Vec<Box<dyn AnyAgent>> = Vec::new();
    for (text, what) in [first, second].into_iter().zip(["the first agent", "the second agent"]) {
        let asked = spec(text, what)?;
        let placed = |error| Failure::input(format!("{what}: {error}"));
        let agent = agent_for(&asked, played.position.as_ref()).map_err(placed)?;
        names.push(canonical_agent(&agent).map_err(placed)?.to_string());
        players.push(played.position.agent_with(&agent, &Access::unrestricted()).map_err(placed)?);
        agents.push((asked, agent));
    }
    for (number, name) in ["first", "second"].into_iter().enumerate() {
        let ((asked, agent), (_, other)) = (&agents[number], &agents[1 - number]);
        let (budget, keeps_own) = limits.budget_beside(other, asked, agent, played.position.as_ref())?;
        budgets.push(budget);
        own_limits.extend(keeps_own.then_some(name));
    }
    let started = std::time::Instant::now();
    let mut result = MatchResult {
        game: played.game.to_string(),
        first: names[0].clone(),
        second: names[1].clone(),
        complete: false,
        games: 0,
        first_wins: 0,
        second_wins: 0,
        draws: 0,
        void: 0,
        void_reason: None,
        void_transcript: Vec::new(),
        first_points: 0.0,
        first_wins_moving_first: 0,
        openings,
        limits: limits.stated(),
        own_limits,
        pairs: [0; 5],
        share: None,
        superiority: None,
        plies: 0,
        seconds: 0.0,
        seed: limits.seed().0,
        elo: None,
    };
    let mut progress = Progress::new(games);
    let mut pairs = Pairs::default();
    for game in 0..games {
        // The player to move in the given position is "first" in every even game.
        let swapped = game % 2 == 1;
        let match_so_far = format!("{}-{}-{}", result.first_wins, result.draws, result.second_wins);
        let mut each_move = |plies: usize| progress.at(game, format!("{match_so_far}, move {}", plies + 1));
        let seed = limits.seed().derive(game);
        let opened = open(played, openings, limits.seed().derive(1_000_000_007).derive(game / 2))?;
        match play(&opened, &mut players, &budgets, swapped, seed, &mut each_move) {
            Played::Ended(outcome, plies) => {
                result.plies += plies;
                let opener = opened.position.turn();
                let side_of_first = if swapped { opener.other() } else { opener };
                let points = outcome.score.for_player(side_of_first).to_f64();
                result.first_points += points;
                pairs.add(game, points);
                match outcome.winner() {
                    None => result.draws += 1,
                    Some(winner) if winner == side_of_first => {
                        result.first_wins += 1;
                        result.first_wins_moving_first += u64::from(!swapped);
                    }
                    Some(_) => result.second_wins += 1,
                }
            }
            // An agent that refuses this game is a mistake in the command line.
            Played::Refused(error) => return Err(Failure::input(error)),
            Played::Void(why, transcript) => {
                result.void += 1;
                if result.void_reason.is_none() {
                    result.void_reason = Some(why);
                    result.void_transcript = transcript;
                }
            }
            Played::Stopped => break,
        }
        result.games += 1;
        progress.at(game + 1, format!("{}-{}-{}", result.first_wins, result.draws, result.second_wins));
        if progress::interrupt().is_stopped() {
            break;
        }
    }
    drop(progress);
    result.complete = result.games == games;
    result.seconds = started.elapsed().as_secs_f64();
    let listed = |interval: Interval| [interval.estimate, interval.low, interval.high];
    result.pairs = pairs.counts();
    result.share = pairs.share(Confidence::P95).map(listed);
    result.elo = pairs.elo(Confidence::P95).map(listed);
    result.superiority = pairs.superiority();
    if json {
        output::print_json(&result);
    } else {
        output::print(&in_words(&result));
    }
    Ok(())
}

/// The game with some random plies played.
fn open(played: &PlayedGame, plies: u32, seed: Seed) -> Result<PlayedGame, Failure> {
    'tries: for attempt in 0..100 {
        let mut rng = Rng::new(seed.derive(attempt));
        let mut opened = played.copy();
        for _ in 0..plies {
            let Some(mv) = opened.position.random_move(&mut rng) else { continue 'tries };
            opened.step(Step::Move(opened.position.turn(), mv)).map_err(Failure::internal)?;
        }
        if opened.position.outcome().is_none() {
            return Ok(opened);
        }
    }
    Err(Failure::input(format!("--openings {plies}: games end before {plies} random plies")))
}

enum Played {
    /// With its number of plies.
    Ended(Outcome, u64),
    /// Why, and what was said last to and by an engine outside.
    Void(String, Vec<String>),
    Refused(String),
    Stopped,
}

fn play(
    played: &PlayedGame,
    players: &mut [Box<dyn AnyAgent>],
    budgets: &[Budget],
    swapped: bool,
    seed: Seed,
    each_move: &mut dyn FnMut(usize),
) -> Played {
    let mut position = played.position.boxed_clone();
    let opener = position.turn();
    for player in players.iter_mut() {
        match player.begin(played.start.as_ref(), &played.moves) {
            Ok(()) => {}
            Err(SearchError::Unsupported(why)) => return Played::Refused(why),
            Err(error) => return Played::Void(error.to_string(), player.transcript()),
        }
    }
    for ply in 0..LONGEST {
        if let Some(outcome) = position.outcome() {
            return Played::Ended(outcome, ply as u64);
        }
        let to_move: Player = position.turn();
        each_move(ply);
        let side = usize::from((to_move == opener) == swapped);
        let report =
            match players[side].think(position.as_ref(), &budgets[side], seed.derive(ply as u64), &mut NoObserver) {
                Ok(report) => report,
                Err(_) if progress::interrupt().is_stopped() => return Played::Stopped,
                Err(SearchError::Unsupported(why)) if ply == 0 => return Played::Refused(why),
                Err(error) => return Played::Void(error.to_string(), players[side].transcript()),
            };
        if progress::interrupt().is_stopped() {
            return Played::Stopped;
        }
        if report.resigns {
            return Played::Ended(Outcome::won_by(to_move.other()), ply as u64);
        }
        let Some(best) = report.best else { return Played::Void("an agent found no move".into(), Vec::new()) };
        if let Err(error) = position.play(&best) {
            return Played::Void(error.to_string(), Vec::new());
        }
        for player in players.iter_mut() {
            if let Err(error) = player.follow(to_move, &best) {
                return Played::Void(error.to_string(), player.transcript());
            }
        }
    }
    Played::Void(format!("no end after {LONGEST} plies"), Vec::new())
}

fn in_words(result: &MatchResult) -> String {
    let row = |name: &str, wins: u64| vec![name.to_string(), wins.to_string()];
    let rows = [
        row(&names::agent(&result.first), result.first_wins),
        row(&names::agent(&result.second), result.second_wins),
        row("draws", result.draws),
        row("void", result.void),
    ];
    let counted = result.games - result.void;
    let points = if counted == 0 {
        "no game was finished".to_string()
    } else {
        let interval = |[elo, low, high]: [f64; 3]| format!(", {elo:+.0} Elo (95 %: {low:+.0} to {high:+.0})");
        let elo = result.elo.map(interval).unwrap_or_default();
        let percent = |[_, low, high]: [f64; 3]| format!(" (95 %: {:.1} to {:.1})", 100.0 * low, 100.0 * high);
        let share = result.share.map(percent).unwrap_or_default();
        let scored = 100.0 * result.first_points / counted as f64;
        output::wrapped(&format!("the first agent scored {scored:.1} %{share}{elo}"), 0, 4)
    };
    let mut text = format!(
        "{}\n{}\n{} games, {} plies, {:.3} s\n{points}",
        names::title(&result.game),
        output::table(&["agent", "wins"], &rows),
        result.games,
        output::thousands(result.plies),
        result.seconds,
    );
    for agent in &result.own_limits {
        text += &format!("\nthe {agent} agent keeps limits of its own: iterations and nodes do not reach it");
    }
    if !result.complete {
        text += "\ninterrupted: not all games were played";
    }
    if let Some(why) = &result.void_reason {
        text += &format!("\n{}", output::wrapped(&format!("void games: {why}"), 0, 4));
        for line in &result.void_transcript {
            text += &format!("\n{}", output::wrapped(line, 2, 6));
        }
    }
    let mut agents = vec![&result.first, &result.second];
    agents.dedup();
    for agent in agents.into_iter().filter_map(|agent| names::in_full(agent)) {
        text += &format!("\n{agent}");
    }
    text
}
