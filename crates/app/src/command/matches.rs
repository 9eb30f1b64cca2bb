//! `tesuji match`: agents play games; colours alternate. The games are played, and their results
//! counted, by the lab (`tesuji_lab::tasks::game`, `tesuji_lab::statistics`).

use super::match_files::Files;
use super::tournament::Tournament;
use super::{PlayedGame, read_file, spec};
use crate::arguments::{MatchArguments, Stated};
use crate::failure::Failure;
use crate::names;
use crate::output;
use crate::progress::{self, Progress};
use serde::Serialize;
use tesuji_agents::{Access, agent_for, canonical_agent};
use tesuji_core::spec::Spec;
use tesuji_core::{Budget, Seed};
use tesuji_lab::kinds::Openings;
use tesuji_lab::statistics::pairs::Pairs;
use tesuji_lab::statistics::sprt::{Scale, Sprt, Verdict};
use tesuji_lab::statistics::{Confidence, Interval};
use tesuji_lab::tasks::Void;
use tesuji_lab::tasks::game::{Conduct, GameResult, NoResult, Players};
use tesuji_lab::tasks::position::Begun;

/// The largest file of openings.
const MOST_BYTES: u64 = 1 << 24;

#[derive(Serialize)]
pub(super) struct MatchResult {
    game: String,
    pub(super) first: String,
    pub(super) second: String,
    /// Whether all games were played; false if the match was interrupted.
    pub(super) complete: bool,
    /// Games that were played.
    pub(super) games: u64,
    pub(super) first_wins: u64,
    pub(super) second_wins: u64,
    pub(super) draws: u64,
    /// Games that an agent failed to finish; they count for neither side.
    pub(super) void: u64,
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
    /// Openings of the file; both games of a pair begin with the same one.
    #[serde(skip_serializing_if = "Option::is_none")]
    opening_file: Option<usize>,
    /// Limits of each move.
    limits: Stated,
    /// Limits of the moves of one side, where they are not those of both.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_limits: Option<Stated>,
    #[serde(skip_serializing_if = "Option::is_none")]
    second_limits: Option<Stated>,
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
    /// How the sequential test stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<SprtResult>,
}

#[derive(Serialize)]
struct SprtResult {
    /// The Elo differences that are compared.
    hypotheses: [f64; 2],
    /// The log-likelihood ratio of the second to the first, and where the match ends.
    ratio: f64,
    bounds: [f64; 2],
    /// open, H0 or H1: the hypothesis that was accepted.
    accepted: &'static str,
}

/// An agent of the command line.
struct Entrant {
    asked: Spec,
    agent: Spec,
    name: String,
}

/// Plays and prints.
pub fn run(arguments: &MatchArguments, json: bool) -> Result<(), Failure> {
    let contest = Contest::new(arguments)?;
    let count = contest.entrants.len();
    let mut files = Files::new(arguments.save.as_deref(), arguments.csv.as_deref())?;
    let mut results = Vec::new();
    for (one, other) in (0..count).flat_map(|one| (one + 1..count).map(move |other| (one, other))) {
        let begins = results.iter().all(|result: &MatchResult| result.games == 0);
        results.push(contest.play([one, other], begins, &mut files)?);
        if progress::interrupt().is_stopped() {
            break;
        }
    }
    files.finish()?;
    if count > 2 {
        let names = contest.entrants.into_iter().map(|entrant| entrant.name).collect();
        Tournament::new(contest.played.game.to_string(), names, results).print(json);
        return Ok(());
    }
    for result in &results {
        if json {
            output::print_json(result);
        } else {
            output::print(&in_words(result));
        }
    }
    Ok(())
}

/// What all pairings share.
struct Contest<'a> {
    arguments: &'a MatchArguments,
    played: PlayedGame,
    begun: Begun,
    entrants: Vec<Entrant>,
    openings: Openings,
    sprt: Option<Sprt>,
}

impl Contest<'_> {
    fn new(arguments: &MatchArguments) -> Result<Contest<'_>, Failure> {
        let played = PlayedGame::of(&arguments.position)?;
        if played.position.outcome().is_some() {
            return Err(Failure::input("the game has ended before it began"));
        }
        let mut texts = vec![(&arguments.first, "the first agent"), (&arguments.second, "the second agent")];
        texts.extend(arguments.also.iter().map(|text| (text, "--also")));
        let mut entrants = Vec::new();
        for (text, what) in texts {
            let asked = spec(text, what)?;
            let placed = |error| Failure::input(format!("{what}: {error}"));
            let agent = agent_for(&asked, played.position.as_ref()).map_err(placed)?;
            let name = canonical_agent(&agent).map_err(placed)?.to_string();
            // Made now, so that a mistake is told before the first game.
            played.position.agent_with(&agent, &Access::unrestricted()).map_err(placed)?;
            entrants.push(Entrant { asked, agent, name });
        }
        let begun = Begun {
            game: played.game.clone(),
            start: played.start.boxed_clone(),
            moves: played.moves.clone(),
            position: played.position.boxed_clone(),
        };
        let openings = match &arguments.opening_file {
            None => Openings::Random(arguments.openings),
            Some(path) => from_file(&begun, path)?,
        };
        let sprt = match arguments.sprt[..] {
            [null, alternative] => {
                let errors = [arguments.sprt_errors[0], arguments.sprt_errors[1]];
                let test = Sprt::new([null, alternative], errors, Scale::Logistic);
                Some(test.map_err(|error| Failure::input(format!("--sprt: {error}")))?)
            }
            _ => None,
        };
        Ok(Contest { arguments, played, begun, entrants, openings, sprt })
    }

    /// The agents of a pairing with their budgets, and which of them keep limits of their own.
    fn players(&self, pairing: [usize; 2]) -> Result<(Players, Vec<&'static str>), Failure> {
        let MatchArguments { limits, odds, .. } = self.arguments;
        let both = pairing.map(|entrant| &self.entrants[entrant]);
        let own = odds.of(limits);
        let mut budgets: Vec<Budget> = Vec::new();
        let mut own_limits = Vec::new();
        for (number, name) in ["first", "second"].into_iter().enumerate() {
            let Entrant { asked, agent, .. } = both[number];
            let position = self.played.position.as_ref();
            let (budget, keeps_own) = match &own[number] {
                Some(own) => (own.budget(asked, agent, position)?, false),
                None => limits.budget_beside(&both[1 - number].agent, asked, agent, position)?,
            };
            budgets.push(budget);
            own_limits.extend(keeps_own.then_some(name));
        }
        let make = |entrant: &Entrant| self.played.position.agent_with(&entrant.agent, &Access::unrestricted());
        let agents = [make(both[0])?, make(both[1])?];
        let budgets = budgets.try_into().expect("two agents have two budgets");
        Ok((Players { agents, budgets }, own_limits))
    }

    /// Plays all games of a pairing. An agent that refuses its first game is a mistake in the command
    /// line while the match `begins`; later the games that it refuses are void, and no result is lost.
    fn play(&self, pairing: [usize; 2], begins: bool, files: &mut Files) -> Result<MatchResult, Failure> {
        let MatchArguments { games, limits, adjudication, .. } = self.arguments;
        let started = std::time::Instant::now();
        let names = pairing.map(|entrant| self.entrants[entrant].name.clone());
        let (mut players, own_limits) = match self.players(pairing) {
            Ok(both) => both,
            Err(failure) if begins => return Err(failure),
            Err(failure) => {
                let mut result = self.empty(&names, Vec::new());
                (result.games, result.complete) = (*games, true);
                result.add_void(Void::from(failure.message), 0);
                result.void = *games;
                return Ok(result);
            }
        };
        let mut result = self.empty(&names, own_limits);
        let (mut progress, mut pairs) = (Progress::new(*games), Pairs::default());
        let stop = progress::interrupt();
        for game in 0..*games {
            // The player to move in the given position is "first" in every even game.
            let swapped = game % 2 == 1;
            let match_so_far = format!("{}-{}-{}", result.first_wins, result.draws, result.second_wins);
            let mut played = 0;
            let mut each_move = |plies: usize| {
                played = plies;
                progress.at(game, format!("{match_so_far}, move {}", plies + 1));
            };
            let opened = self.open(game / 2, limits.seed())?;
            let seed = limits.seed().derive(game);
            let conduct =
                Conduct { swapped, seed, adjudicate: adjudication.rules(), trace: files.wants_moves(), stop: &stop };
            match players.play(&opened, &conduct, &mut each_move) {
                Ok(ended) => {
                    result.count(&ended, swapped);
                    pairs.add(game, if swapped { 1.0 - ended.score } else { ended.score });
                    let sides = if swapped { [&names[1], &names[0]] } else { [&names[0], &names[1]] };
                    files.add(&self.played, &opened, &ended, sides)?;
                }
                Err(NoResult::Refused(refusal)) if begins && game == 0 => return Err(Failure::input(refusal.why)),
                Err(NoResult::Void(void) | NoResult::Refused(void)) => result.add_void(void, played),
                Err(NoResult::Stopped) => break,
            }
            result.games += 1;
            progress.at(game + 1, format!("{}-{}-{}", result.first_wins, result.draws, result.second_wins));
            let decided = swapped && self.sprt.is_some_and(|test| test.verdict(pairs.counts()) != Verdict::Open);
            if stop.is_stopped() || decided {
                break;
            }
        }
        drop(progress);
        result.seconds = started.elapsed().as_secs_f64();
        result.conclude(&pairs, self.sprt.map(|test| sprt_result(&test, &self.arguments.sprt, &pairs)));
        let decided = result.sprt.as_ref().is_some_and(|test| test.accepted != "open");
        result.complete = result.games == *games || decided;
        Ok(result)
    }

    fn open(&self, number: u64, seed: Seed) -> Result<Begun, Failure> {
        let plies = self.arguments.openings;
        let opened = self.openings.open(&self.begun, number, seed);
        opened.map_err(|_| Failure::input(format!("--openings {plies}: games end before {plies} random plies")))
    }

    fn empty(&self, names: &[String; 2], own_limits: Vec<&'static str>) -> MatchResult {
        let MatchArguments { openings, limits, odds, .. } = self.arguments;
        let [first_limits, second_limits] = odds.of(limits).map(|own| own.map(|own| own.stated()));
        MatchResult {
            game: self.played.game.to_string(),
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
            openings: *openings,
            opening_file: if let Openings::Listed(all) = &self.openings { Some(all.len()) } else { None },
            limits: limits.stated(),
            first_limits,
            second_limits,
            own_limits,
            pairs: [0; 5],
            share: None,
            superiority: None,
            plies: 0,
            seconds: 0.0,
            seed: limits.seed().0,
            elo: None,
            sprt: None,
        }
    }
}

/// An interval as JSON has it: the estimate and both ends.
pub(super) fn listed(interval: Interval) -> [f64; 3] {
    [interval.estimate, interval.low, interval.high]
}

impl MatchResult {
    /// Counts a game that was played to its end.
    fn count(&mut self, ended: &GameResult, swapped: bool) {
        let points = if swapped { 1.0 - ended.score } else { ended.score };
        self.plies += ended.moves.split_whitespace().count() as u64;
        self.first_points += points;
        if points > 0.5 {
            self.first_wins += 1;
            self.first_wins_moving_first += u64::from(!swapped);
        } else if points < 0.5 {
            self.second_wins += 1;
        } else {
            self.draws += 1;
        }
    }

    /// Counts a game that an agent failed to finish, after this number of plies.
    fn add_void(&mut self, Void { why, transcript }: Void, plies: usize) {
        self.void += 1;
        self.plies += plies as u64;
        if self.void_reason.is_none() {
            self.void_reason = Some(why);
            self.void_transcript = transcript;
        }
    }

    fn conclude(&mut self, pairs: &Pairs, sprt: Option<SprtResult>) {
        self.pairs = pairs.counts();
        self.share = pairs.share(Confidence::P95).map(listed);
        self.elo = pairs.elo(Confidence::P95).map(listed);
        self.superiority = pairs.superiority();
        self.sprt = sprt;
    }
}

fn sprt_result(test: &Sprt, hypotheses: &[f64], pairs: &Pairs) -> SprtResult {
    SprtResult {
        hypotheses: [hypotheses[0], hypotheses[1]],
        ratio: test.ratio(pairs.counts()),
        bounds: test.bounds(),
        accepted: match test.verdict(pairs.counts()) {
            Verdict::Open => "open",
            Verdict::AcceptH0 => "H0",
            Verdict::AcceptH1 => "H1",
        },
    }
}

/// The openings of a file, each legal.
fn from_file(begun: &Begun, path: &str) -> Result<Openings, Failure> {
    let bytes = read_file(path, MOST_BYTES)?;
    let placed = |error: &dyn std::fmt::Display| Failure::input(format!("{path}: {error}"));
    let text = String::from_utf8(bytes).map_err(|error| placed(&error))?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let lines: Vec<String> = lines.map(String::from).collect();
    Openings::listed(begun, &lines, &Access::unrestricted()).map_err(|error| placed(&error))
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
    if let Some(SprtResult { hypotheses: [null, alternative], ratio, bounds: [low, high], accepted }) = &result.sprt {
        let verdict = match *accepted {
            "H0" => format!("{null} Elo is accepted"),
            "H1" => format!("{alternative} Elo is accepted"),
            _ => "open".into(),
        };
        text += &format!("\nsequential test: {verdict}; ratio {ratio:.2} between {low:.2} and {high:.2}");
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
