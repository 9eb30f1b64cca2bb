//! The commands, one file each.

mod bench;
mod complexity;
mod lists;
mod matches;
mod perft;
mod play;
mod protocols;
mod show;
mod signature;
mod solve;
mod think;
mod verify;

pub use play::PlayArguments;
pub use protocols::EngineArguments;

use crate::arguments::{Arguments, Bench, Command, PositionArguments, completions};
use crate::failure::Failure;
use crate::output;
use std::io::Read;
use tesuji_agents::{AnyPosition, StartedGame, start_game};
use tesuji_core::spec::Spec;

/// Carries out a command.
pub fn run(arguments: Arguments) -> Result<(), Failure> {
    let json = arguments.json;
    match arguments.command {
        Command::Games => lists::games(json),
        Command::Agents => lists::agents(json),
        Command::Show { position, save } => show::run(&Table::set(&position)?, save.as_deref(), json),
        Command::Perft { position, depth } => perft::run(&Table::set(&position)?, depth as usize, json),
        Command::Think { position, agent, limits, every } => {
            think::run(&Table::set(&position)?, &agent, &limits, every, json)
        }
        Command::Solve { position, file, with, goal, limits, proof } => {
            let order = solve::Order { with: &with, goal: goal.as_deref(), limits: &limits, proof: proof.as_deref() };
            solve::run(&Table::set(&solve::with_file(position, file)?)?, &order, json)
        }
        Command::Verify { game, file } => verify::run(&game, &file, json),
        Command::Match { position, first, second, games, openings, limits } => {
            matches::run(&Table::set(&position)?, [&first, &second], (games, openings), &limits, json)
        }
        Command::Play(arguments) => play::run(&arguments),
        Command::Gtp { engine, vertices } => protocols::gtp(&engine, &vertices),
        Command::Gomocup(engine) => protocols::gomocup(&engine),
        Command::Uci(engine) => protocols::uci(&engine),
        Command::Ucci(engine) => protocols::ucci(&engine),
        Command::Nboard(engine) => protocols::nboard(&engine),
        Command::Analysis(engine) => protocols::analysis(&engine),
        Command::Bench { what } => match what {
            Bench::Playout { game, effort } => bench::playout(game, effort, json),
            Bench::Search { game, agent, threads, effort } => bench::search(game, &agent, threads, effort, json),
            Bench::Solve { game, with, memory, threads, effort } => {
                bench::solve(game, &with, memory, threads, effort, json)
            }
            Bench::Perft { game, effort } => bench::perft(game, effort, json),
            Bench::Complexity { effort } => complexity::run(effort, json),
            Bench::Signature => signature::run(json),
        },
        Command::Completions { shell } => {
            output::print(&completions(shell));
            Ok(())
        }
    }
}

/// A position on the table: the game's canonical name, the moves, and what they lead to.
struct Table {
    game: Spec,
    start: Box<dyn AnyPosition>,
    moves: Vec<String>,
    position: Box<dyn AnyPosition>,
}

impl Table {
    /// Sets up what the command line asked for.
    fn set(arguments: &PositionArguments) -> Result<Table, Failure> {
        let StartedGame { mut position, spec: game } = start_game(&spec(&arguments.game, "the game")?)
            .map_err(|error| Failure::input(format!("the game: {error}")))?;
        let start = position.boxed_clone();
        let mut moves = Vec::new();
        if let Some(path) = &arguments.sgf {
            let problem = |error: &dyn std::fmt::Display| Failure::input(format!("{path}: {error}"));
            let bytes = tesuji_agents::read_file(path, MOST_BYTES * 8).map_err(|error| problem(&error))?;
            for text in start.read_record(&bytes).map_err(|error| problem(&error))? {
                moves.push(position.play(&text).map_err(|error| problem(&error))?);
            }
        }
        for text in arguments.moves.iter().flat_map(|text| text.split_whitespace()) {
            let number = moves.len() + 1;
            moves.push(position.play(text).map_err(|error| Failure::input(format!("move {number}: {error}")))?);
        }
        Ok(Table { game, start, moves, position })
    }
}

/// The longest spec that is read from standard input.
const MOST_BYTES: u64 = 1 << 21;

/// Reads a spec; `-` stands for standard input.
fn spec(text: &str, what: &str) -> Result<Spec, Failure> {
    let mut piped = Vec::new();
    let text = if text == "-" {
        std::io::stdin().take(MOST_BYTES).read_to_end(&mut piped).map_err(Failure::ours)?;
        std::str::from_utf8(&piped).map_err(|error| Failure::input(format!("{what} is not UTF-8: {error}")))?
    } else {
        text
    };
    text.parse().map_err(|error| Failure::input(format!("{what}: {error}")))
}
