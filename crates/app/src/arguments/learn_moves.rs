//! `learn games`, `learn fit` and `learn evaluate`: knowledge of moves from self-play.

use clap::{Args, ValueEnum};
use tesuji_core::FeatureSet;

/// How to play games.
#[derive(Args)]
#[command(after_help = "\
Every game has a seed of its own: a file that was interrupted at any moment is completed by the same command, \
and is then the same to the byte. Limits are iterations or nodes, so that games repeat.

Examples:
  tesuji learn games hex --agent zero --iterations 16 --output hex.games
  tesuji learn games gomoku --agent alpha-beta --nodes 3000 --output g.games")]
pub struct LearnGames {
    /// The game
    pub game: String,
    /// The agent of both sides
    #[arg(long, visible_alias = "with", value_name = "AGENT", default_value = "auto")]
    pub agent: String,
    /// Games in the file when it is done, 1 to 10,000,000
    #[arg(
        long,
        value_name = "N",
        default_value_t = 500,
        value_parser = clap::value_parser!(u32).range(1..=10_000_000)
    )]
    pub games: u32,
    /// Iterations of each move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub iterations: Option<u64>,
    /// Nodes of each move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Games begin with 0 to this many random plies, 0 to 100
    #[arg(long, value_name = "PLIES", default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=100))]
    pub openings: u32,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The file of games; made if it is missing, completed if it is not
    #[arg(long, value_name = "FILE")]
    pub output: String,
}

/// A set of features, as it is named on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum SetName {
    /// What playouts keep up to date
    Playout,
    /// What a tree looks at
    Tree,
}

impl From<SetName> for FeatureSet {
    fn from(name: SetName) -> FeatureSet {
        match name {
            SetName::Playout => FeatureSet::Playout,
            SetName::Tree => FeatureSet::Tree,
        }
    }
}

/// How to fit strengths of features.
#[derive(Args)]
#[command(after_help = "\
One game in five is held out, and quality is measured there: the mean logarithm of the probability of the move \
that was played, and how often it is the strongest or among the five strongest. Moves of random openings are \
not learned from.

Examples:
  tesuji learn fit go9.games --set tree --output go-tree.tbt
  tesuji learn fit go9.games --set playout --curve curve.svg")]
pub struct LearnFit {
    /// The file of games
    pub games: String,
    /// Which features of the game: playout or tree
    #[arg(long, value_enum, default_value = "tree")]
    pub set: SetName,
    /// The most rounds of the fit, 1 to 100,000
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub rounds: u32,
    /// Virtual wins and losses of each feature, more than 0, at most 1000
    #[arg(long, value_name = "A", default_value = "1", value_parser = super::values::prior)]
    pub prior: f64,
    /// Features in fewer positions are left out, 0 to 1,000,000
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub least: u32,
    /// Write the strengths to this file
    #[arg(long, value_name = "FILE")]
    pub output: Option<String>,
    /// Draw the learning curve, quality against games, to this SVG file
    #[arg(long, value_name = "FILE")]
    pub curve: Option<String>,
    /// Print this many of the strongest and weakest features, 0 to 1000
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=1_000))]
    pub show: u32,
}

/// How to measure strengths of features.
#[derive(Args)]
#[command(after_help = "\
Examples:
  tesuji learn evaluate go9.games --set tree
  tesuji learn evaluate go9.games --set tree --weights go-tree.tbt --all")]
pub struct LearnEvaluate {
    /// The file of games
    pub games: String,
    /// Which features of the game: playout or tree
    #[arg(long, value_enum, default_value = "tree")]
    pub set: SetName,
    /// The file of strengths; what is built in for the game if not given
    #[arg(long, value_name = "FILE")]
    pub weights: Option<String>,
    /// Measure on all games, not only on those held out of fits
    #[arg(long)]
    pub all: bool,
}
