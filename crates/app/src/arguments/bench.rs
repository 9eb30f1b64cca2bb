//! `bench` and what it measures.

use super::limits::THREADS;
use super::values::{bytes, games, seconds};
use clap::{Args, Subcommand};
use std::time::Duration;

/// What to measure.
#[derive(Subcommand)]
pub enum Bench {
    /// Random playouts per second, of one game or of all
    #[command(after_help = "Examples:
  tesuji bench playout
  tesuji bench playout 'go(size=9)' --seconds 5 --json
  tesuji bench playout 'go(size=9)' --patterns")]
    Playout {
        /// The game; all games if not given
        game: Option<String>,
        /// Playouts by learned patterns instead; games that have none are left out
        #[arg(long)]
        patterns: bool,
        #[command(flatten)]
        effort: Effort,
    },
    /// Iterations per second of an agent
    #[command(after_help = "Examples:
  tesuji bench search hex
  tesuji bench search 'go(size=9)' --agent 'mcts(select=rave)' --threads 2")]
    Search {
        /// The game; all games if not given
        game: Option<String>,
        /// The agent; the default is plain UCT with uniform playouts
        #[arg(long, visible_alias = "with", default_value = "mcts(select=ucb1,leaf=random)")]
        agent: String,
        /// Threads, 1 to 1024
        #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(THREADS))]
        threads: u32,
        #[command(flatten)]
        effort: Effort,
    },
    /// Speed-up of several threads over one for the same work, beside as many separate searches
    #[command(after_help = "\
The work is what one thread does in --seconds, or the whole search where it ends by itself.

Examples:
  tesuji bench threads othello
  tesuji bench threads xiangqi --agent 'alpha-beta(depth=8)' --rounds 5")]
    Threads {
        /// The game; all games if not given
        game: Option<String>,
        /// The agent; the default is plain UCT with uniform playouts
        #[arg(long, visible_alias = "with", default_value = "mcts(select=ucb1,leaf=random)")]
        agent: String,
        /// Threads, 1 to 1024
        #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(THREADS))]
        threads: u32,
        /// Number of measurements of each kind, taken in turn, 1 to 1000
        #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..=1000))]
        rounds: u32,
        #[command(flatten)]
        effort: Effort,
    },
    /// Positions entered per second by a solver
    #[command(after_help = "Examples:
  tesuji bench solve othello
  tesuji bench solve 'connect6(problem=vcdt-20)' --with vcdt --memory 512MB")]
    Solve {
        /// The game; all games if not given
        game: Option<String>,
        /// The agent that solves
        #[arg(long, visible_alias = "agent", value_name = "AGENT", default_value = "df-pn(goal=\"first-wins\")")]
        with: String,
        /// Memory for trees and tables, such as 64MB
        #[arg(long, value_name = "BYTES", value_parser = bytes, default_value = "64MB")]
        memory: u64,
        /// Threads, 1 to 1024
        #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(THREADS))]
        threads: u32,
        #[command(flatten)]
        effort: Effort,
    },
    /// Move sequences per second
    #[command(after_help = "Example:
  tesuji bench perft xiangqi --seconds 5")]
    Perft {
        /// The game; all games if not given
        game: Option<String>,
        #[command(flatten)]
        effort: Effort,
    },
    /// Cost of a Go playout as the board grows, and V-Run's steps to the fast board
    #[command(after_help = "Example:
  tesuji bench complexity --seconds 5")]
    Complexity {
        #[command(flatten)]
        effort: Effort,
    },
    /// Single conspiracy numbers in won, drawn and lost Chinese chess (Zhang 2019, chapter 4)
    #[command(after_help = "Ctrl-C evaluates the games played so far.

Examples:
  tesuji bench scn --games 12
  tesuji bench scn --games 96 --nodes 200000 --file mates.json --json")]
    Scn(ScnArguments),
    /// Cost of small networks, and iterations per second of the agents that learn
    #[command(after_help = "Example:
  tesuji bench learn --seconds 2")]
    Learn {
        #[command(flatten)]
        effort: Effort,
    },
    /// Fingerprint of everything seeded: any change of behaviour changes it
    #[command(after_help = "Example:
  tesuji bench signature | diff bench/signature.txt -")]
    Signature,
}

/// How long to measure.
#[derive(Args, Clone, Copy)]
pub struct Effort {
    /// Seconds to measure, more than 0, at most 10,000,000
    #[arg(long, value_name = "S", default_value = "1", value_parser = seconds)]
    pub seconds: Duration,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// How to measure single conspiracy numbers.
#[derive(Args)]
pub struct ScnArguments {
    /// Won games, each from a composed position, 1 to 100,000
    #[arg(long, value_name = "N", default_value = "24", value_parser = games)]
    pub games: usize,
    /// Read the positions from this file: FEN, one a line, or a JSON list of objects with "fen";
    /// composed if not given
    #[arg(long, value_name = "FILE")]
    pub file: Option<String>,
    /// Threshold T: the value that the side to move tries to reach, -10,000 to 10,000
    #[arg(
        long,
        short = 't',
        value_name = "T",
        default_value_t = 600,
        value_parser = clap::value_parser!(i32).range(-10_000..=10_000)
    )]
    pub threshold: i32,
    /// Longest game in plies, 1 to 1000
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub plies: u32,
    /// Positions entered for each move, at least 1
    #[arg(long, value_name = "N", default_value_t = 50_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Greatest depth of a search in plies, 1 to 1000
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub depth: u32,
    /// Extend the search by a ply in check
    #[arg(long)]
    pub extensions: bool,
    /// Games from each handicap opening at each threshold, 0 to 1,000,000
    #[arg(
        long,
        value_name = "N",
        default_value_t = 5,
        value_parser = clap::value_parser!(u64).range(0..=1_000_000)
    )]
    pub handicap_games: u64,
    /// Length of a handicap game in plies, 1 to 1000
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub handicap_plies: u32,
    /// Bootstrap samples for the confidence intervals, 1 to 1,000,000
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1_000,
        value_parser = clap::value_parser!(u32).range(1..=1_000_000)
    )]
    pub rounds: u32,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}
