//! The commands that play: the protocols and `play`.

use super::limits::Limits;
use super::values::seconds;
use clap::Args;
use std::time::Duration;

/// What an engine plays, and how.
#[derive(Args)]
pub struct EngineArguments {
    /// The game, such as 'go(size=9)'; each protocol has a default
    pub game: Option<String>,
    /// The agent, such as 'mcts' [default: the strongest of the game; over GTP it resigns lost
    /// games and passes in settled ones]
    #[arg(long)]
    pub agent: Option<String>,
    /// Think in the other side's time too
    #[arg(long)]
    pub ponder: bool,
    /// Seconds a move under way may still take once the input has ended or `quit` waits [default:
    /// 5]
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub grace: Option<Duration>,
    /// A folder in which clients may read and write files; may be given several times
    #[arg(long, value_name = "FOLDER")]
    pub files: Vec<String>,
    /// Let clients start programs, such as the engine of gtp(cmd="…")
    #[arg(long)]
    pub allow_programs: bool,
    #[command(flatten)]
    pub limits: Limits,
}

/// `gtp`.
#[derive(Args)]
#[command(after_help = "Example:\n  tesuji gtp 'go(size=9)' --agent mcts --time 2")]
pub struct GtpArguments {
    #[command(flatten)]
    pub engine: EngineArguments,
    /// How points are written: as players of the game do, or as in Go; GoGui switches to Go by
    /// itself
    #[arg(long, value_name = "STYLE", value_parser = ["native", "go"], default_value = "native")]
    pub vertices: String,
}

/// `play`.
#[derive(Args)]
#[command(after_help = "\
Without a game there is a menu. Without a terminal two agents play one game. Without limits a move of \
an agent against a person takes one second.

Example:
  tesuji play 'go(size=9)' --time 2")]
pub struct PlayArguments {
    /// The game, such as 'go(size=9)'; without one there is a menu
    pub game: Option<String>,
    /// The agent that plays against you and gives hints [default: the strongest of the game]
    #[arg(long)]
    pub agent: Option<String>,
    /// Who moves first: me, or an agent
    #[arg(long, value_name = "PLAYER")]
    pub first: Option<String>,
    /// Who moves second: me, or an agent
    #[arg(long, value_name = "PLAYER")]
    pub second: Option<String>,
    /// Draw with letters and dots only
    #[arg(long)]
    pub plain: bool,
    /// The pieces of Chinese chess: chinese (帥) or latin (K) [default: chinese]
    #[arg(long, value_name = "SCRIPT", value_parser = ["chinese", "latin"], conflicts_with = "plain")]
    pub pieces: Option<String>,
    #[command(flatten)]
    pub limits: Limits,
}
