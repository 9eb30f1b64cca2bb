//! The command line, as a type.

use crate::command::{EngineArguments, PlayArguments};
use crate::failure::Failure;
use crate::output;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use std::time::Duration;
use tesuji_agents::{is_auto, is_parallel, usual_effort};
use tesuji_core::spec::{Spec, SpecValue};
use tesuji_core::{Budget, Seed, StopFlag};

/// Everything that can be typed.
#[derive(Parser)]
#[command(
    name = "tesuji",
    version,
    about = "Plays, solves and studies perfect-information games.",
    max_term_width = 100
)]
#[command(after_help = "Examples:
  tesuji play
  tesuji games
  tesuji think tictactoe --agent oracle --moves b2 a1
  tesuji think 'mnk(m=4,n=4,k=4)' --agent 'rps(depth=2)' --iterations 50000 --json
  tesuji match tictactoe --first oracle --second random --games 100
  tesuji bench playout tictactoe
  tesuji gtp 'go(size=9)' --time 2

Games and agents are written name(parameter=value,…); a bare name means its defaults.
Exit codes: 0 done, 2 a mistake in the input, 1 a failure of the program or the machine, 3 interrupted by
Ctrl-C or SIGTERM with the answer so far printed. With --json an error is {\"error\":…} on standard output too.")]
pub struct Arguments {
    /// Print one JSON object on standard output instead of text for people
    #[arg(long, global = true)]
    pub json: bool,
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand)]
pub enum Command {
    /// List the games, their parameters and how moves are written
    Games,
    /// List the agents and their parameters
    Agents,
    /// Draw a position
    #[command(
        after_help = "Examples:\n  tesuji show tictactoe --moves b2 a1\n  tesuji show hex --moves f6 swap --save game.sgf\n  tesuji show 'tree(text=\"F(S(1 0) 0.5)\")' --json"
    )]
    Show {
        #[command(flatten)]
        position: PositionArguments,
        /// Write the game to this SGF file
        #[arg(long, value_name = "FILE")]
        save: Option<String>,
    },
    /// Count the move sequences of exactly DEPTH plies
    #[command(
        after_help = "A pass is a ply; games that ended earlier count nothing.\n\nExample:\n  tesuji perft tictactoe 9"
    )]
    Perft {
        #[command(flatten)]
        position: PositionArguments,
        /// Plies
        #[arg(value_parser = clap::value_parser!(u32).range(1..=255))]
        depth: u32,
    },
    /// Let an agent search a position
    #[command(
        after_help = "Without a limit, agents that sample do 10,000 iterations and agents that look ahead finish;
the strongest agent of a game (auto, the default) does 10,000 iterations or enters a million positions.
Ctrl-C stops the search, prints the best answer so far and ends with exit code 3.
An agent that knows nothing plays the move that the game prefers, or one drawn by the seed.
Ended by: finished (nothing is left to look at), depth (as deep as it was told), limit (one of the agent's own,
which is named), iterations, nodes, time, memory or asked.

Examples:
  tesuji think tictactoe --agent oracle
  tesuji think 'tictactoe(position=\"...X.OXOX\")' --agent expected
  tesuji think trap --agent 'minimax(depth=2)' --json
  tesuji think go --iterations 20000 --every 5000
  tesuji think hex --agent 'mcts(select=rave,leaf=replies)' --time 5 --threads 2"
    )]
    Think {
        #[command(flatten)]
        position: PositionArguments,
        /// The agent, such as 'minimax(depth=3)'; auto is the strongest of the game
        #[arg(long, default_value = "auto")]
        agent: String,
        #[command(flatten)]
        limits: Limits,
        /// Also print the answer so far after every so many iterations, one line each
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
        every: Option<u64>,
    },
    /// Solve a position, and write the proof
    #[command(
        after_help = "The status is for the side to move: win, loss, draw, or unknown if a limit ended the search first.
A goal asks less than the exact value: first-wins, first-draws, second-wins, second-draws, score>=X, margin>=M;
exact-margin asks more. Ctrl-C stops the search and prints what is known.
The best move is one of the proof: it keeps what the side to move is sure of, or resists longest in a lost position;
there is none where the side to move is sure of nothing. The line begins with it, and each of its moves keeps the proved
bounds; it ends with the game, or where the proof goes on by other means than moves.
Ended by: finished (nothing is left to look at), depth (as deep as it was told), limit (one of the agent's own,
which is named), iterations, nodes, time, memory or asked.

Examples:
  tesuji solve 'hex(size=4,swap=false)' --with df-pn --proof hex4.proof
  tesuji solve 'othello(size=4)' --goal exact-margin --json
  tesuji solve goproblem --file problems/go/lin-multi.txt --with 'df-pn(epsilon=0.25)' --time 10"
    )]
    Solve {
        #[command(flatten)]
        position: PositionArguments,
        /// Read the problem from this file, in games that have a parameter of this name
        #[arg(long, value_name = "FILE")]
        file: Option<String>,
        /// The agent that solves
        #[arg(long, default_value = "auto")]
        with: String,
        /// What to prove
        #[arg(long, value_name = "GOAL")]
        goal: Option<String>,
        #[command(flatten)]
        limits: Limits,
        /// Write the proof to this file
        #[arg(long, value_name = "FILE")]
        proof: Option<String>,
    },
    /// Check a saved proof by the rules of the game alone
    #[command(
        after_help = "Exit code 0 if the proof holds, 2 with the place and the reason if it does not, 3 if the check was interrupted.\n\nExample:\n  tesuji verify 'hex(size=4,swap=false)' hex4.proof"
    )]
    Verify {
        /// The game the proof is about
        game: String,
        /// The proof
        file: String,
        /// Memory for the proof, such as 64MB: a file of more than half of it is not read [default:
        /// 2GiB]
        #[arg(long, value_name = "BYTES", value_parser = bytes)]
        memory: Option<u64>,
    },
    /// Let two agents play games against each other, colours alternating
    #[command(after_help = "The limits hold for each move.

Examples:
  tesuji match tictactoe --first 'rps(depth=2)' --second rps --games 200 --iterations 1000
  tesuji match hex --first mcts --second 'mcts(select=ucb1)' --games 100 --time 0.1 --openings 2")]
    Match {
        #[command(flatten)]
        position: PositionArguments,
        /// The agent whose wins are `first_wins`; moves first in every other game. auto is the
        /// strongest of the game
        #[arg(long)]
        first: String,
        /// The other agent
        #[arg(long)]
        second: String,
        /// How many games
        #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
        games: u64,
        /// Random plies before the agents begin; two games in a row, colours exchanged, begin alike
        #[arg(long, default_value_t = 0, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(0..=1000))]
        openings: u32,
        #[command(flatten)]
        limits: Limits,
    },
    /// Play in the terminal: against an agent, or watch two of them
    #[command(
        after_help = "Without a game it asks which one. Without a terminal two agents play one game.\n\nExample:\n  tesuji play 'go(size=9)' --time 2"
    )]
    Play(PlayArguments),
    /// Speak GTP, for GoGui, Sabaki, HexGui and others; every game
    #[command(after_help = "Example:\n  tesuji gtp 'go(size=9)' --agent mcts --time 2")]
    Gtp {
        #[command(flatten)]
        engine: EngineArguments,
        /// How points are written: as the game's own people do, or as in Go. GoGui switches by itself
        #[arg(long, value_name = "STYLE", value_parser = ["native", "go"], default_value = "native")]
        vertices: String,
    },
    /// Speak the Gomocup (Piskvork) protocol; Gomoku and renju
    #[command(
        after_help = "A copy of the program whose name begins with pbrain- does this by itself.\n\nExample:\n  tesuji gomocup --agent mcts"
    )]
    Gomocup(EngineArguments),
    /// Speak UCI, for cutechess and others; Chinese chess, Gomoku and tic-tac-toe
    Uci(EngineArguments),
    /// Speak UCCI, for Chinese chess programs
    Ucci(EngineArguments),
    /// Speak NBoard's protocol; Othello
    Nboard(EngineArguments),
    /// Answer questions in JSON, one a line; every game
    #[command(
        after_help = "Example:\n  echo '{\"id\":\"1\",\"moves\":[\"E5\"],\"maxVisits\":1000}' | tesuji analysis 'go(size=9)'"
    )]
    Analysis(EngineArguments),
    /// Measure speed, or pin behaviour
    Bench {
        #[command(subcommand)]
        what: Bench,
    },
    /// Fit the weights of an evaluation to games of our own; Othello
    #[command(after_help = "Ctrl-C fits the table to the games played so far.

Example:
  tesuji fit othello --games 1000 --match 200 --output weights.txt")]
    Fit(FitArguments),
    /// Print a completion script for a shell
    #[command(after_help = "Example:\n  tesuji completions bash > ~/.local/share/bash-completion/completions/tesuji")]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// What to measure.
#[derive(Subcommand)]
pub enum Bench {
    /// Random playouts per second, of one game or of all
    Playout {
        /// The game
        game: Option<String>,
        #[command(flatten)]
        effort: Effort,
    },
    /// Iterations per second of an agent
    Search {
        /// The game
        game: Option<String>,
        /// The agent; plain UCT with the game's own playouts unless named
        #[arg(long, default_value = "mcts(select=ucb1,leaf=random)")]
        agent: String,
        /// Threads
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
        threads: u32,
        #[command(flatten)]
        effort: Effort,
    },
    /// What several threads gain over one for the same work, beside as many separate searches
    #[command(
        after_help = "The work is what one thread does in --seconds, or the whole search where it ends by itself.\n\nExamples:\n  tesuji bench threads othello\n  tesuji bench threads xiangqi --agent 'alpha-beta(depth=8)' --rounds 5"
    )]
    Threads {
        /// The game
        game: Option<String>,
        /// The agent; plain UCT with the game's own playouts unless named
        #[arg(long, default_value = "mcts(select=ucb1,leaf=random)")]
        agent: String,
        /// Threads
        #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=1024))]
        threads: u32,
        /// How often each is measured, in turn
        #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..=1000))]
        rounds: u32,
        #[command(flatten)]
        effort: Effort,
    },
    /// Positions entered per second by a solver
    Solve {
        /// The game
        game: Option<String>,
        /// The agent
        #[arg(long, default_value = "df-pn(goal=\"first-wins\")")]
        with: String,
        /// Memory for trees and tables, such as 64MB
        #[arg(long, value_name = "BYTES", value_parser = bytes, default_value = "64MB")]
        memory: u64,
        /// Threads
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
        threads: u32,
        #[command(flatten)]
        effort: Effort,
    },
    /// Move sequences per second
    Perft {
        /// The game
        game: Option<String>,
        #[command(flatten)]
        effort: Effort,
    },
    /// What a Go playout costs as the board grows, and V-Run's steps to the fast board
    Complexity {
        #[command(flatten)]
        effort: Effort,
    },
    /// What Single Conspiracy Numbers tell of won, drawn and lost Chinese chess (Zhang 2019, chapter 4)
    #[command(after_help = "Ctrl-C measures the games played so far.

Examples:
  tesuji bench scn --games 12
  tesuji bench scn --games 96 --nodes 200000 --file mates.json --json")]
    Scn(ScnArguments),
    /// A fingerprint of everything seeded; any change of behaviour changes it
    Signature,
}

/// How long to measure.
#[derive(Args, Clone, Copy)]
pub struct Effort {
    /// Seconds to measure
    #[arg(long, default_value = "1", value_parser = seconds)]
    pub seconds: Duration,
    /// Everything random follows from it
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// How to measure Single Conspiracy Numbers.
#[derive(Args)]
pub struct ScnArguments {
    /// Composed wins to begin with
    #[arg(long, default_value = "24", value_parser = games)]
    pub games: usize,
    /// Take them from this file: FEN, one a line, or a JSON list of objects with "fen"; our own if not given
    #[arg(long, value_name = "FILE")]
    pub file: Option<String>,
    /// T: the value the side to move wants to reach
    #[arg(long, short = 't', default_value_t = 600, value_parser = clap::value_parser!(i32).range(-10_000..=10_000))]
    pub threshold: i32,
    /// The most plies of a game
    #[arg(long, default_value_t = 24, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub plies: u32,
    /// Positions a move
    #[arg(long, default_value_t = 50_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// The deepest a search goes
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub depth: u32,
    /// Search a ply more in check
    #[arg(long)]
    pub extensions: bool,
    /// Games from each handicap opening at each T; 0: none
    #[arg(long, default_value_t = 5, value_name = "GAMES", value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    pub handicap_games: u64,
    /// Plies of such a game
    #[arg(long, default_value_t = 5, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub handicap_plies: u32,
    /// How often games are drawn anew for the intervals
    #[arg(long, default_value_t = 1_000, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub rounds: u32,
    /// Everything random follows from it
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// How to fit weights.
#[derive(Args)]
pub struct FitArguments {
    /// The game: othello
    pub game: String,
    /// Games to fit to; a quarter more are played before them
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(10..=10_000_000))]
    pub games: u64,
    /// Plies the players look ahead
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=20))]
    pub depth: u32,
    /// Positions with so many empty squares or fewer are solved
    #[arg(long, default_value_t = 14, value_parser = clap::value_parser!(u32).range(1..=20))]
    pub exact: u32,
    /// How much large weights cost
    #[arg(long, default_value = "0.001", value_parser = ridge)]
    pub ridge: f64,
    /// Then let the new weights play so many games against those in force
    #[arg(long, default_value_t = 0, value_name = "GAMES", value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    pub r#match: u64,
    /// Plies both look ahead in these games
    #[arg(long, default_value_t = 5, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=20))]
    pub match_depth: u32,
    /// Seconds a move instead
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub match_time: Option<Duration>,
    /// Everything random follows from it
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Write the table to this file
    #[arg(long, value_name = "FILE")]
    pub output: Option<String>,
}

/// A game and moves played in it.
#[derive(Args)]
pub struct PositionArguments {
    /// The game, such as tictactoe or 'mnk(m=4,n=4,k=3)'; - reads it from standard input
    pub game: String,
    /// Moves to play first
    #[arg(long, num_args = 0.., value_name = "MOVE")]
    pub moves: Vec<String>,
    /// Play the main line of this SGF file before them
    #[arg(long, value_name = "FILE")]
    pub sgf: Option<String>,
}

/// How much work a search may do.
#[derive(Args, Clone)]
pub struct Limits {
    /// Iterations (playouts, expansions)
    #[arg(long, value_name = "N")]
    iterations: Option<u64>,
    /// Positions entered
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Seconds
    #[arg(long, value_name = "S", value_parser = seconds)]
    time: Option<Duration>,
    /// Memory for trees and tables, such as 64MB
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    memory: Option<u64>,
    /// Everything random follows from it
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads, for agents that can use several
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
}

/// Memory of a search that nobody limited.
pub const DEFAULT_MEMORY: u64 = 2 << 30;

impl Limits {
    /// As a budget for an agent, asked for by its name or as `auto`. One that would never end gets
    /// a default if nothing limits it.
    ///
    /// # Errors
    /// If the agent cannot use so many threads.
    pub fn budget(&self, asked: &Spec, agent: &Spec) -> Result<Budget, Failure> {
        Ok(Budget { stop: crate::progress::interrupt(), ..self.engine_budget(asked, agent)? })
    }

    /// As a budget for an agent that ends by itself when there is nothing left to do.
    ///
    /// # Errors
    /// If the agent cannot use so many threads.
    pub fn solving_budget(&self, agent: &Spec) -> Result<Budget, Failure> {
        // The soft limit is for players, who do not think about an only move and begin nothing that they cannot finish.
        let budget = self.budget(agent, agent)?;
        Ok(Budget { iterations: self.iterations, nodes: self.nodes, soft_time: None, ..budget })
    }

    /// Whether a person chose how much work a search may do.
    pub fn is_limited(&self) -> bool {
        self.iterations.is_some() || self.nodes.is_some() || self.time.is_some()
    }

    /// The same without Ctrl-C, for engines that others drive.
    ///
    /// # Errors
    /// If the agent cannot use so many threads.
    pub fn engine_budget(&self, asked: &Spec, agent: &Spec) -> Result<Budget, Failure> {
        // Threads are for agents that use them; one that was named and does not is refused.
        let threads = if is_auto(asked) && !is_parallel(agent) { 1 } else { self.threads };
        check_threads(threads, agent)?;
        let memory = self.memory.unwrap_or(DEFAULT_MEMORY);
        check_table(memory, agent)?;
        let (iterations, nodes) =
            if self.is_limited() { (self.iterations, self.nodes) } else { usual_effort(asked, agent) };
        Ok(Budget {
            iterations,
            nodes,
            depth: None,
            soft_time: self.time,
            hard_time: self.time,
            memory: Some(memory),
            threads: std::num::NonZeroU32::new(threads),
            stop: StopFlag::new(),
        })
    }

    /// The seed.
    pub fn seed(&self) -> Seed {
        Seed(self.seed)
    }

    /// As they were given, for records.
    pub fn stated(&self) -> Stated {
        Stated {
            iterations: self.iterations,
            nodes: self.nodes,
            seconds: self.time.map(|time| time.as_secs_f64()),
            memory: self.memory,
            threads: self.threads,
        }
    }
}

/// Limits as they were given; what is missing was not limited.
#[derive(serde::Serialize)]
pub struct Stated {
    #[serde(skip_serializing_if = "Option::is_none")]
    iterations: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<u64>,
    threads: u32,
}

/// Refuses more threads than an agent can use.
pub fn check_threads(threads: u32, agent: &Spec) -> Result<(), Failure> {
    if threads > 1 && !is_parallel(agent) {
        return Err(Failure::input(format!("--threads {threads}: the agent {} uses one thread", agent.name)));
    }
    Ok(())
}

/// A table that somebody asked for is not made smaller without a word.
fn check_table(memory: u64, agent: &Spec) -> Result<(), Failure> {
    let asked = agent.arguments.iter().find(|argument| argument.name == "bytes").map(|argument| &argument.value);
    match asked {
        Some(SpecValue::Integer(bytes)) if u64::try_from(*bytes).is_ok_and(|bytes| bytes > memory) => {
            let name = &agent.name;
            let why = format!("{name}: a table of {bytes} bytes, and {memory} are allowed; --memory {bytes} allows it");
            Err(Failure::input(why))
        }
        _ => Ok(()),
    }
}

pub fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "expected a number of seconds".to_string())?;
    if !(number > 0.0 && number <= 1e7) {
        return Err("expected more than 0 and at most 10,000,000 seconds".into());
    }
    Ok(Duration::from_secs_f64(number))
}

fn games(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=100_000).contains(number));
    number.ok_or_else(|| "expected a whole number from 1 to 100,000".to_string())
}

fn ridge(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1e6).contains(number));
    number.ok_or_else(|| "expected a number from 0 to 1,000,000".to_string())
}

fn bytes(text: &str) -> Result<u64, String> {
    let expected = || "expected a number of bytes such as 1000000, 64MB or 2GiB".to_string();
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let number: f64 = text[..end].parse().map_err(|_| expected())?;
    let unit = match text[end..].to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "kib" => 1024.0,
        "mib" => 1024.0 * 1024.0,
        "gib" => 1024.0 * 1024.0 * 1024.0,
        _ => return Err(expected()),
    };
    if number * unit < 1.0 || number * unit > 1e15 {
        return Err(expected());
    }
    Ok((number * unit) as u64)
}

/// Reads the command line; nothing if it only asked for help, which has been printed.
pub fn read() -> Result<Option<Arguments>, Failure> {
    use clap::error::ErrorKind;
    let mut words: Vec<std::ffi::OsString> = std::env::args_os().collect();
    // Piskvork starts programs by their name alone.
    if words.len() == 1 && program_is_a_brain(&words[0]) {
        words.push("gomocup".into());
    }
    let parsed = with_negative_numbers(Arguments::command()).try_get_matches_from(words);
    match parsed.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(arguments) => Ok(Some(arguments)),
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            output::print(&error.render().ansi().to_string());
            Ok(None)
        }
        Err(error) if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            Err(Failure::input("expected a command; --help lists what there is"))
        }
        Err(error) => Err(Failure::input(in_one_line(&error))),
    }
}

/// Options take negative numbers, so that whoever gives one is told what would be right, not that it is no argument.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let command = command.mut_args(|argument| {
        let takes = argument.get_long().is_some() && argument.get_action().takes_values();
        if takes { argument.allow_negative_numbers(true) } else { argument }
    });
    command.mut_subcommands(with_negative_numbers)
}

fn program_is_a_brain(path: &std::ffi::OsStr) -> bool {
    let name = std::path::Path::new(path).file_name();
    name.is_some_and(|name| name.to_string_lossy().to_ascii_lowercase().starts_with("pbrain-"))
}

/// clap explains in paragraphs; we keep the first, and the tip if there is one.
fn in_one_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let mut paragraphs = text.split("\n\n").map(|paragraph| {
        let lines: Vec<&str> = paragraph.lines().map(str::trim).collect();
        lines.join(" ")
    });
    let problem = paragraphs.next().unwrap_or_default();
    let problem = problem.trim_start_matches("error: ");
    // Text of the user's own with empty lines in it must not pass for ours.
    let strange = std::env::args_os().any(|argument| argument.to_string_lossy().contains('\n'));
    match paragraphs.find(|paragraph| paragraph.starts_with("tip:") && !strange) {
        Some(tip) => format!("{problem}; {tip}"),
        None => problem.to_string(),
    }
}

/// The completion script for a shell.
pub fn completions(shell: clap_complete::Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "tesuji", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

#[cfg(test)]
mod tests {
    use super::{Arguments, bytes, seconds};
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn sizes_and_times() {
        assert_eq!(bytes("64MB"), Ok(64_000_000));
        assert_eq!(bytes("1.5GiB"), Ok(1_610_612_736));
        assert_eq!(bytes("123"), Ok(123));
        for wrong in ["", "MB", "-1", "0", "1e9", "64 MB", "1PB", "9999999999999999GB", "NaN"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
        for wrong in ["", "0", "-1", "nan", "inf", "1e99", "1s"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
        assert_eq!(seconds("0.5").expect("half a second").as_millis(), 500);
    }
}
