//! `learn …`: data, training and weights.

use super::learn_moves::{LearnEvaluate, LearnFit, LearnGames};
use clap::{Args, Subcommand, ValueEnum};

/// The commands of learning.
#[derive(Subcommand)]
pub enum Learn {
    /// List the weights that are built in
    #[command(after_help = "Example:\n  tesuji learn weights")]
    Weights,
    /// Make the weights of ann, ga or neat from nothing: labels, training, figures on held-out boards
    #[command(after_help = "\
Labels are kept in the folder, one file a board, and used again; Ctrl-C loses nothing.
The same seed makes the same weights.

Examples:
  tesuji learn train ga --folder labels --boards 100 --iterations 1000
  tesuji think 'hex(size=9)' --agent 'ga(as=tuned,weights=\"labels/ga.tsw\")'")]
    Train(TrainArguments),
    /// Run the problems that tell whether NEAT works: the exclusive or, two poles without velocities
    #[command(after_help = "Example:\n  tesuji learn evolve xor --runs 20")]
    Evolve(EvolveArguments),
    /// Play games of an agent with itself into a file, to learn from
    Games(LearnGames),
    /// Fit strengths of features of moves to games (Bradley–Terry); Go, Hex and Gomoku
    Fit(LearnFit),
    /// Measure how well strengths of features predict the moves of games
    Evaluate(LearnEvaluate),
}

/// An agent that is trained.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Student {
    /// Value networks
    Ann,
    /// Weights of properties
    Ga,
    /// Evolved networks and stencils
    Neat,
}

impl Student {
    /// Its name in a spec.
    pub fn name(self) -> &'static str {
        match self {
            Student::Ann => "ann",
            Student::Ga => "ga",
            Student::Neat => "neat",
        }
    }
}

/// How weights are made.
#[derive(Args)]
pub struct TrainArguments {
    /// The agent
    pub agent: Student,
    /// Folder of the labels, made if it does not exist
    #[arg(long, value_name = "DIR")]
    pub folder: String,
    /// Where the weights are written; by default into the folder, by the name of the agent
    #[arg(long, value_name = "FILE")]
    pub out: Option<String>,
    /// Labelled positions of each board, 10 to 100,000
    #[arg(long, value_name = "N", default_value_t = 2_500, value_parser = clap::value_parser!(u64).range(10..=100_000))]
    pub boards: u64,
    /// Iterations of the search behind each label, 10 to 1,000,000
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(10..=1_000_000))]
    pub iterations: u64,
    /// Boards to train for, such as go5 or hex11; all of Hawk's if not given
    #[arg(long = "board", value_name = "BOARD")]
    pub only: Vec<String>,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// A problem of evolution.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Evolved {
    /// The exclusive or
    Xor,
    /// Two poles on a cart, without velocities
    Poles,
}

/// Whose constants evolution uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Constants {
    /// Stanley & Miikkulainen 2002
    Paper,
    /// Encog 3.3, as Hawk used it
    Encog,
}

/// How a problem of evolution is run.
#[derive(Args)]
pub struct EvolveArguments {
    /// The problem
    pub problem: Evolved,
    /// Runs, 1 to 10,000
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub runs: u64,
    /// Generations of a run at most, 1 to 100,000
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub generations: u32,
    /// Whose constants
    #[arg(long, default_value = "paper")]
    pub constants: Constants,
    /// Seed of the first run; the others follow
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
}
