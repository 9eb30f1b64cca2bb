//! The commands that play: the protocols and `play`.

use super::limits::Limits;
use super::values::seconds;
use clap::{Arg, Args};
use std::time::Duration;

/// What a move of an engine may take if nothing is said.
macro_rules! without_limits {
    () => {
        "Without --iterations, --nodes and --time, and without a clock of the client, a move takes 10,000 \
iterations of an agent that samples (1,000 of zero), or a million positions of another: about a second on a common board."
    };
}

/// What every engine takes beside its game.
#[derive(Args)]
pub struct EngineArguments {
    /// The agent, such as 'mcts' [default: auto, the strongest of the game]
    #[arg(long, visible_alias = "with")]
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

/// The help of `--time`, where it is the time of a move.
fn time_of_a_move(argument: Arg) -> Arg {
    argument.help("Seconds for each move, more than 0, at most 10,000,000; a clock of the client may give less")
}

/// `gtp`.
#[derive(Args)]
#[command(
    mut_arg("time", time_of_a_move),
    mut_arg("agent", |it| it.help(
        "The agent, such as 'mcts' [default: auto(resign=0.03,pass=0.02): the strongest of the game, which \
         resigns lost games and passes in settled ones]"
    )),
    after_help = concat!("\
Clients: GoGui, Sabaki, Lizzie, HexGui, KGS, CGOS. The commands are those of GTP version 2, of GoGui and of KGS, and \
the analyses of Leela Zero and KataGo; list_commands names them. ", without_limits!(), " time_settings, \
kgs-time_settings and time_left set a clock; limits that were given hold beside it.

Examples:
  tesuji gtp 'go(size=9)' --agent mcts --time 2
  tesuji gtp 'hex(swap=false)' --vertices go
  echo genmove b | tesuji gtp go")
)]
pub struct GtpArguments {
    /// The game, such as 'go(size=9)' [default: go]
    pub game: Option<String>,
    #[command(flatten)]
    pub engine: EngineArguments,
    /// How points are written: as players of the game do, or as in Go; GoGui switches to Go by
    /// itself
    #[arg(long, value_name = "STYLE", value_parser = ["native", "go"], default_value = "native")]
    pub vertices: String,
}

/// `gomocup`.
#[derive(Args)]
#[command(
    mut_arg("time", time_of_a_move),
    after_help = concat!("\
Managers: Piskvork and others of the Gomocup tournament. A copy or link of the program whose name begins with pbrain- \
speaks this protocol without being told. START and RECTSTART set the size, INFO rule the rules: freestyle, exactly \
five, or renju. ", without_limits!(), " INFO timeout_turn, timeout_match and time_left set a clock.

Examples:
  tesuji gomocup --agent mcts
  ln -s $(command -v tesuji) pbrain-tesuji")
)]
pub struct GomocupArguments {
    /// Gomoku with its parameters, such as 'gomoku(size=15,rule=renju)' [default: gomoku(size=20)]
    pub game: Option<String>,
    #[command(flatten)]
    pub engine: EngineArguments,
}

/// `uci`.
#[derive(Args)]
#[command(
    mut_arg("time", time_of_a_move),
    after_help = concat!("\
Clients: cutechess, and programs that speak the variants of Fairy-Stockfish. The option UCI_Variant chooses the game, \
Agent the agent, Hash the memory, Threads the threads, MultiPV the number of lines. ", without_limits!(), " The words \
of go (movetime, wtime, nodes, …) come before the limits.

Examples:
  tesuji uci gomoku --time 1
  tesuji uci 'xiangqi(ranks=one)' --threads 2")
)]
pub struct UciArguments {
    /// Chinese chess, Gomoku or tic-tac-toe [default: xiangqi(ranks=one)]
    pub game: Option<String>,
    #[command(flatten)]
    pub engine: EngineArguments,
}

/// `ucci`.
#[derive(Args)]
#[command(
    mut_arg("time", time_of_a_move),
    after_help = concat!("\
Clients: programs for Chinese chess that speak UCCI 3.0. Ranks are written 0 to 9. ", without_limits!(), " The words of \
go (time, increment, depth, nodes) come before the limits.

Example:
  tesuji ucci --time 1")
)]
pub struct UcciArguments {
    /// Chinese chess with its parameters [default: xiangqi]
    pub game: Option<String>,
    #[command(flatten)]
    pub engine: EngineArguments,
}

/// `nboard`.
#[derive(Args)]
#[command(
    mut_arg("time", time_of_a_move),
    after_help = concat!("\
Client: NBoard, version 2 of its protocol. The client keeps the board and sends games in GGF; hint lists the best \
moves, analyze searches every position of the game. ", without_limits!(), "

Example:
  tesuji nboard --time 1")
)]
pub struct NboardArguments {
    /// Othello with its parameters [default: othello]
    pub game: Option<String>,
    #[command(flatten)]
    pub engine: EngineArguments,
}

/// `analysis`.
#[derive(Args)]
#[command(
    mut_arg("time", |it| it.help("Seconds for each question, more than 0, at most 10,000,000; maxTime may give less")),
    after_help = concat!("\
The format is that of KataGo's analysis engine: a question is a JSON object on one line with an id, moves, and limits \
(maxVisits, maxTime); each answer has the id of its question. The fields game and agent choose others. ",
        without_limits!(), "

Examples:
  echo '{\"id\":\"1\",\"moves\":[\"E5\"],\"maxVisits\":1000}' | \\
    tesuji analysis 'go(size=9)'
  echo '{\"id\":\"2\",\"game\":\"hex(size=5)\",\"moves\":[\"c3\"]}' | tesuji analysis")
)]
pub struct AnalysisArguments {
    /// The game of questions that name none [default: go]
    pub game: Option<String>,
    #[command(flatten)]
    pub engine: EngineArguments,
}

/// `play`.
#[derive(Args)]
#[command(
    mut_arg("time", |it| it.help(
        "Seconds for each move of an agent, more than 0, at most 10,000,000 [default: 1 against a person]"
    )),
    after_help = "\
Without a game there is a menu. Lines from a pipe are played like lines that are typed; without a terminal and \
without input two agents play one game. Without limits a move of an agent against a person takes one second; Ctrl-C \
makes it move at once. A second Ctrl-C, Ctrl-C at the prompt and SIGTERM save the game and end with exit code 3. Games \
of a person are kept in the user's data folder.

Examples:
  tesuji play 'go(size=9)' --time 2
  tesuji play hex --first mcts --second me
  printf 'b2\\nresign\\n' | tesuji play tictactoe"
)]
pub struct PlayArguments {
    /// The game, such as 'go(size=9)'; without one there is a menu
    pub game: Option<String>,
    /// The agent that plays against you and gives hints [default: the strongest of the game]
    #[arg(long, visible_alias = "with")]
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
