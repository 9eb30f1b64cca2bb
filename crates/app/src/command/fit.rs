//! `tesuji fit othello`: weights of an evaluation from self-play games. `fit_goproblem.rs` has the
//! other game.

use super::{fit_goproblem, start};
use crate::arguments::FitArguments;
use crate::failure::Failure;
use crate::output;
use crate::progress::{self, Progress};
use serde::Serialize;
use tesuji_agents::othello_fit::{FitError, Fitted, GAME, Match, Plan, StageError, compare, fit};
use tesuji_agents::{Access, goproblem_fit, start_game};
use tesuji_core::spec::Spec;
use tesuji_core::{Budget, Seed};

#[derive(Serialize)]
struct FitResult {
    game: String,
    /// The command that makes the same table again; null if it was interrupted.
    command: Option<String>,
    games: u64,
    positions: u64,
    /// By stage, the last one over all.
    errors: Vec<ErrorRow>,
    #[serde(skip_serializing_if = "Option::is_none", rename = "match")]
    played: Option<MatchRow>,
    weights: String,
    seconds: f64,
    seed: u64,
}

/// Errors on games held out, in discs.
#[derive(Serialize)]
struct ErrorRow {
    empties: [u32; 2],
    positions: u64,
    spread: f64,
    error: f64,
    r_squared: f64,
    error_in_force: f64,
    r_squared_in_force: f64,
}

impl From<&StageError> for ErrorRow {
    fn from(stage: &StageError) -> ErrorRow {
        ErrorRow {
            empties: [stage.from, stage.to],
            positions: stage.positions,
            spread: stage.spread,
            error: stage.fitted,
            r_squared: stage.explained(stage.fitted),
            error_in_force: stage.in_force,
            r_squared_in_force: stage.explained(stage.in_force),
        }
    }
}

#[derive(Serialize)]
struct MatchRow {
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    share: f64,
    /// Of 95 %.
    interval: [f64; 2],
    mean_margin: f64,
}

impl From<Match> for MatchRow {
    fn from(played: Match) -> MatchRow {
        MatchRow {
            games: played.games,
            wins: played.wins,
            draws: played.draws,
            losses: played.losses,
            share: played.share,
            interval: [played.share - played.error, played.share + played.error],
            mean_margin: played.margin,
        }
    }
}

/// Refuses games without a table of weights.
fn check_game(text: &str) -> Result<String, Failure> {
    let game = start(text)?.spec.to_string();
    if game != start_game(&Spec::bare(GAME))?.spec.to_string() {
        return Err(Failure::input(format!(
            "{text}: only the weights of {GAME}, as it starts on 8×8, and of {} can be fitted",
            goproblem_fit::GAME
        )));
    }
    Ok(game)
}

/// Plays, fits, compares and prints.
pub fn run(arguments: &FitArguments, json: bool) -> Result<(), Failure> {
    if arguments.game == goproblem_fit::GAME {
        return fit_goproblem::run(arguments, json);
    }
    let game = check_game(&arguments.game)?;
    let FitArguments { games, depth, exact, ridge, seed, .. } = *arguments;
    // Whether the file can be written is found out now, not after an hour of games.
    let create = |path: &String| Access::unrestricted().create(path).map_err(|error| Failure::file(path, &error));
    let output = arguments.output.as_ref().map(create).transpose()?;
    let started = std::time::Instant::now();
    let stop = progress::interrupt();
    let plan = Plan { games, depth, exact, ridge, seed: Seed(seed), stop: stop.clone() };
    let mut bar = Progress::new(plan.all_games());
    let fitted = fit(&plan, &mut |done| bar.at(done, "games".into())).map_err(|error| match error {
        FitError::Search(error) => Failure::internal(error),
        refused => Failure::input(refused),
    })?;
    drop(bar);
    let whole = fitted.games == games;
    let played = match arguments.r#match {
        0 => None,
        games if whole => {
            let mut bar = Progress::new(games);
            let time = arguments.match_time;
            let depth = if time.is_none() { Some(arguments.match_depth) } else { None };
            let budget = Budget { depth, soft_time: time, hard_time: time, stop, ..Budget::default() };
            Some(compare(&fitted.weights, games, &budget, Seed(seed).derive(3), &mut |done| {
                bar.at(done, "games against the weights in force".into());
            })?)
        }
        _ => None,
    };
    let command =
        format!("tesuji fit othello --games {games} --depth {depth} --exact {exact} --ridge {ridge} --seed {seed}");
    let written = in_file(&fitted, if whole { &command } else { "a run that was stopped" });
    if let (Some(draft), Some(path)) = (output, &arguments.output) {
        draft.finish(written.as_bytes()).map_err(|error| Failure::file(path, &error))?;
    }
    if json {
        output::print_json(&FitResult {
            game,
            command: whole.then_some(command),
            games: fitted.games,
            positions: fitted.positions,
            errors: fitted.errors.iter().map(ErrorRow::from).collect(),
            played: played.map(MatchRow::from),
            weights: written,
            seconds: started.elapsed().as_secs_f64(),
            seed,
        });
    } else {
        output::print(&in_words(&fitted, played, &written, arguments));
    }
    Ok(())
}

/// The table as the evaluation embeds it.
fn in_file(fitted: &Fitted, command: &str) -> String {
    let all = fitted.errors.last();
    let error = all.map(|all| {
        format!("{:.2} discs, R² {:.3}, on {} positions", all.fitted, all.explained(all.fitted), all.positions)
    });
    format!(
        "# Weights of Othello's evaluation, in hundredths of a disc, by empty squares; see weights.rs.\n\
         # Made by: {command}\n# {} games, {} positions; error on games held out: {}.\n{}",
        fitted.games,
        fitted.positions,
        error.unwrap_or_else(|| "none were".into()),
        fitted.weights,
    )
}

fn in_words(fitted: &Fitted, played: Option<Match>, written: &str, arguments: &FitArguments) -> String {
    let rows: Vec<Vec<String>> = fitted
        .errors
        .iter()
        .map(|stage| {
            let mut row = vec![format!("{} to {}", stage.from, stage.to), stage.positions.to_string()];
            let (new, old) = (stage.explained(stage.fitted), stage.explained(stage.in_force));
            row.extend([stage.spread, stage.fitted].map(|number| format!("{number:.2}")));
            row.push(format!("{new:.3}"));
            row.push(format!("{:.2}", stage.in_force));
            row.push(format!("{old:.3}"));
            row
        })
        .collect();
    let head = ["empty squares", "positions", "spread", "error", "R²", "error in force", "R² in force"];
    let mut text =
        format!("{}\nerrors in discs, on games held out\n{}\n", written.trim_end(), output::table(&head, &rows));
    if let Some(played) = played {
        let limit = arguments.match_time.map_or_else(
            || format!("depth {}", arguments.match_depth),
            |time| format!("{} s a move", time.as_secs_f64()),
        );
        let [share, low, high] =
            [played.share, played.share - played.error, played.share + played.error].map(|part| 100.0 * part);
        text += &format!(
            "{} games against the weights in force at {limit}: {} won, {} drawn, {} lost: {share:.1} % \
             (95 %: {low:.1} to {high:.1}), {:+.1} discs a game\n",
            played.games, played.wins, played.draws, played.losses, played.margin,
        );
    }
    text
}
