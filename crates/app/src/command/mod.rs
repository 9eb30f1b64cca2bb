//! The commands, one file each.

mod bench;
mod bench_learn;
mod complexity;
mod fit;
mod fit_goproblem;
mod gallery;
mod lab;
mod learn;
mod lists;
mod manual;
mod match_files;
mod matches;
mod perft;
mod play;
mod problems;
mod protocols;
mod scn;
mod serve;
mod show;
mod signature;
mod solve;
mod think;
mod threads;
mod tournament;
mod verify;

use crate::arguments::{Arguments, Bench, Command, PositionArguments, completions};
use crate::failure::Failure;
use crate::output;
use std::io::Read;
use tesuji_agents::records::{self, Details, Record, Step};
use tesuji_agents::{Access, AnyPosition, StartedGame, random_opening, start_game_with};
use tesuji_core::Seed;
use tesuji_core::spec::Spec;

/// Carries out a command.
pub fn run(arguments: Arguments) -> Result<(), Failure> {
    let (json, used) = (arguments.json, arguments.used);
    match arguments.command {
        Command::Games { name } => lists::games(name.as_deref(), json),
        Command::Agents { name } => lists::agents(name.as_deref(), json),
        Command::Problems { game } => problems::run(game.as_deref(), json),
        Command::Show(arguments) => show::run(&arguments, json),
        Command::Perft(arguments) => perft::run(&arguments, json),
        Command::Think(arguments) => think::run(&arguments, used, json),
        Command::Solve(arguments) => solve::run(arguments, used, json),
        Command::Verify(arguments) => verify::run(&arguments, json),
        Command::Match(arguments) => matches::run(&arguments, json),
        Command::Play(arguments) => play::run(&arguments),
        Command::Serve(arguments) => serve::run(arguments, json),
        Command::Gtp(arguments) => protocols::gtp(&arguments),
        Command::Gomocup(arguments) => protocols::gomocup(&arguments),
        Command::Uci(arguments) => protocols::uci(&arguments),
        Command::Ucci(arguments) => protocols::ucci(&arguments),
        Command::Nboard(arguments) => protocols::nboard(&arguments),
        Command::Analysis(arguments) => protocols::analysis(&arguments),
        Command::Bench { what } => match what {
            Bench::Playout { game, patterns, effort } => bench::playout(game, patterns, effort, json),
            Bench::Search { game, agent, threads, effort } => bench::search(game, &agent, threads, effort, json),
            Bench::Threads { game, agent, threads, rounds, effort } => {
                threads::run(game, &agent, (threads, rounds), effort, json)
            }
            Bench::Solve { game, with, memory, threads, effort } => {
                bench::solve(game, &with, memory, threads, effort, json)
            }
            Bench::Perft { game, effort } => bench::perft(game, effort, json),
            Bench::Complexity { effort } => complexity::run(effort, json),
            Bench::Scn(arguments) => scn::run(&arguments, json),
            Bench::Learn { effort } => bench_learn::run(effort, json),
            Bench::Signature => signature::run(json),
        },
        Command::Lab { what } => lab::run(&what, json),
        Command::Fit(arguments) => fit::run(&arguments, json),
        Command::Learn { what } => learn::run(&what, json),
        Command::Completions { shell } => {
            output::print(&completions(shell));
            Ok(())
        }
        Command::Man { folder } => manual::run(&folder, json),
    }
}

/// A game under way: its canonical name, its start, its steps, and the position they led to.
struct PlayedGame {
    game: Spec,
    /// The start of the game and everything since.
    first: Box<dyn AnyPosition>,
    steps: Vec<Step>,
    /// The last position that was set up, by stones or by a move out of turn, and the moves since:
    /// what an agent is told.
    start: Box<dyn AnyPosition>,
    moves: Vec<String>,
    position: Box<dyn AnyPosition>,
    /// What the file states of the game, if nothing was played after it.
    details: Details,
}

impl PlayedGame {
    /// Sets up what the command line asked for.
    fn of(arguments: &PositionArguments) -> Result<PlayedGame, Failure> {
        let game = start(&arguments.game)?;
        let mut details = Details::default();
        let record = match &arguments.sgf {
            None => Record { game: game.spec, start: game.position, steps: Vec::new() },
            Some(path) => {
                let bytes = read_file(path, MOST_BYTES * 8)?;
                details = records::details(&bytes);
                let read = records::read_as(game, &bytes, None);
                read.map_err(|error| Failure::input(format!("{path}: {error}")))?
            }
        };
        let (first, position) = (record.start.boxed_clone(), record.start.boxed_clone());
        let mut played = PlayedGame {
            game: record.game,
            first,
            steps: Vec::new(),
            start: record.start,
            moves: Vec::new(),
            position,
            details,
        };
        for step in record.steps {
            played.step(step).map_err(Failure::input)?;
        }
        for text in arguments.moves.iter().flat_map(|text| text.split_whitespace()) {
            played.details = Details::default();
            let number = played.all_moves().len() + 1;
            let step = Step::Move(played.position.turn(), text.to_string());
            played.step(step).map_err(|error| Failure::input(format!("move {number}: {error}")))?;
        }
        if let Some(plies) = arguments.random_plies {
            played.details = Details::default();
            let drawn = random_opening(played.position.as_ref(), plies, Seed(arguments.random_seed.unwrap_or(1)));
            for text in drawn.map_err(|error| Failure::input(format!("--random-plies: {error}")))? {
                let step = Step::Move(played.position.turn(), text);
                played.step(step).map_err(Failure::input)?;
            }
        }
        Ok(played)
    }

    /// Carries a step out.
    fn step(&mut self, step: Step) -> Result<(), String> {
        match step {
            Step::Set(position) => {
                self.put(position.boxed_clone());
                self.steps.push(Step::Set(position));
            }
            Step::Move(player, text) => {
                if let Some(turned) = records::turned(self.position.as_ref(), player)? {
                    self.put(turned);
                }
                let shown = self.position.play(&text).map_err(|error| error.to_string())?;
                self.moves.push(shown.clone());
                self.steps.push(Step::Move(player, shown));
            }
        }
        Ok(())
    }

    fn put(&mut self, position: Box<dyn AnyPosition>) {
        self.start = position.boxed_clone();
        self.position = position;
        self.moves.clear();
    }

    /// All moves since the start of the game.
    fn all_moves(&self) -> Vec<String> {
        let moves = self.steps.iter().filter_map(|step| match step {
            Step::Move(_, mv) => Some(mv.clone()),
            Step::Set(_) => None,
        });
        moves.collect()
    }

    /// Whether the position does not follow from the game and its moves in turn.
    fn is_set_up(&self) -> bool {
        self.moves.len() != self.steps.len()
    }
}

/// The longest spec that is read from standard input.
const MOST_BYTES: u64 = 1 << 21;

/// Starts the game that the command line names.
fn start(game: &str) -> Result<StartedGame, Failure> {
    let started = start_game_with(&spec(game, "the game")?, &Access::unrestricted());
    started.map_err(|error| Failure::input(format!("the game: {error}")))
}

/// Reads a file that the command line names.
fn read_file(path: &str, most: u64) -> Result<Vec<u8>, Failure> {
    Access::unrestricted().read(path, most).map_err(|error| Failure::file(path, &error))
}

/// Reads a spec; `-` stands for standard input.
fn spec(text: &str, what: &str) -> Result<Spec, Failure> {
    let mut piped = Vec::new();
    let text = if text == "-" {
        std::io::stdin().take(MOST_BYTES).read_to_end(&mut piped).map_err(Failure::internal)?;
        std::str::from_utf8(&piped).map_err(|error| Failure::input(format!("{what} is not UTF-8: {error}")))?
    } else {
        text
    };
    text.parse().map_err(|error| Failure::input(format!("{what}: {error}")))
}
