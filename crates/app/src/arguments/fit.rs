//! `fit`: weights of an evaluation.

use super::values::{ridge, seconds};
use clap::Args;
use std::time::Duration;

/// How to fit weights.
#[derive(Args)]
#[command(after_help = "\
A first round, a quarter of the games, is played by weights that know only mobility and corners. The \
weights fitted to it play the second round, and the table is fitted to that one. Every fifth game is \
held out, and errors are measured there. Ctrl-C fits the table to the games played so far.

For goproblem, positions of the problems given, or of problems cut out of random games of Go, are solved; \
every second problem or game is held out. Only --games, --problems, --ridge, --seed and --output apply.

Examples:
  tesuji fit othello --games 1000 --match 200 --output weights.txt
  tesuji fit goproblem --games 4000 --problems crates/games/problems/go/*.txt")]
pub struct FitArguments {
    /// The game: othello or goproblem
    pub game: String,
    /// Games to which the weights are fitted, in Othello those of the second round, 10 to
    /// 10,000,000
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1_000,
        value_parser = clap::value_parser!(u64).range(10..=10_000_000)
    )]
    pub games: u64,
    /// Depth of the players' searches in plies, 1 to 20
    #[arg(long, value_name = "PLIES", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=20))]
    pub depth: u32,
    /// Positions with this number of empty squares or fewer are solved, 1 to 20
    #[arg(long, value_name = "SQUARES", default_value_t = 14, value_parser = clap::value_parser!(u32).range(1..=20))]
    pub exact: u32,
    /// Ridge penalty on the weights, 0 to 1,000,000
    #[arg(long, value_name = "LAMBDA", default_value = "0.001", value_parser = ridge)]
    pub ridge: f64,
    /// Games of the new weights against those in force, 0 to 1,000,000
    #[arg(
        long,
        value_name = "GAMES",
        default_value_t = 0,
        value_parser = clap::value_parser!(u64).range(0..=1_000_000)
    )]
    pub r#match: u64,
    /// Depth of the searches in these games in plies, 1 to 20
    #[arg(long, value_name = "PLIES", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=20))]
    pub match_depth: u32,
    /// Seconds for each move in these games, instead of a depth
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub match_time: Option<Duration>,
    /// Files of the problems whose positions the weights are fitted to; without them problems are
    /// generated; goproblem
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub problems: Vec<String>,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Write the table of weights to this file
    #[arg(long, value_name = "FILE")]
    pub output: Option<String>,
}
