//! The commands that search one position: `think` and `solve`, and `show` and `perft`, which
//! look at it.

use super::limits::Limits;
use super::values::{bytes, count, iterations, seconds};
use clap::{ArgGroup, Args};
use std::ops::RangeInclusive;
use std::time::Duration;
use tesuji_agents::ChildFilter;

/// A game and moves played in it.
#[derive(Args)]
pub struct PositionArguments {
    /// The game, such as tictactoe or 'mnk(m=4,n=4,k=3)'; - reads it from standard input
    pub game: String,
    /// Moves to play first, separated by spaces
    #[arg(long, num_args = 0.., value_name = "MOVE")]
    pub moves: Vec<String>,
    /// Play the main line of this SGF file before them
    #[arg(long, value_name = "FILE")]
    pub sgf: Option<String>,
    /// Then play this many random moves, at most 1000; the game goes on
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=1000))]
    pub random_plies: Option<u32>,
    /// Seed of these random moves [default: 1]
    #[arg(long, value_name = "N", requires = "random_plies")]
    pub random_seed: Option<u64>,
}

/// `show`.
#[derive(Args)]
#[command(after_help = "Examples:
  tesuji show tictactoe --moves b2 a1
  tesuji show othello --random-plies 44 --random-seed 7
  tesuji show hex --moves f6 swap --save game.sgf
  tesuji show xiangqi --moves h2e2 --pieces latin --fen
  tesuji show 'tree(text=\"F(S(1 0) 0.5)\")' --json")]
pub struct ShowArguments {
    #[command(flatten)]
    pub position: PositionArguments,
    /// Write the game to this SGF file
    #[arg(long, value_name = "FILE")]
    pub save: Option<String>,
    /// Draw with letters and dots only [default: if the output is no terminal]
    #[arg(long)]
    pub plain: bool,
    /// The pieces of Chinese chess on a board with lines: chinese (帥) or latin (K)
    #[arg(long, value_name = "SCRIPT", value_parser = ["chinese", "latin"], conflicts_with = "plain")]
    pub pieces: Option<String>,
    /// Print the position as one line below the board: FEN in Chinese chess, NBoard's letters in
    /// Othello; in JSON it is always there
    #[arg(long)]
    pub fen: bool,
}

/// `perft`.
#[derive(Args)]
#[command(after_help = "A pass is a ply; games that ended earlier count nothing.

Example:
  tesuji perft tictactoe 9")]
pub struct PerftArguments {
    #[command(flatten)]
    pub position: PositionArguments,
    /// Length of the sequences in plies, 1 to 255
    #[arg(value_parser = clap::value_parser!(u32).range(1..=255))]
    pub depth: u32,
}

/// `think`.
#[derive(Args)]
#[command(after_help = "\
Without --iterations, --nodes and --time, agents that sample do 10,000 iterations (zero 1,000) and other \
agents search until they finish; the strongest agent of a game (auto) does as many iterations or enters \
a million positions. An agent that knows nothing about the position plays the move that the game \
prefers, or one drawn by the seed.

Ended by: finished (nothing is left to search), depth (the agent's depth is reached), limit (a limit \
of the agent, which is named), iterations, nodes, time, memory, or asked (Ctrl-C).

Examples:
  tesuji think tictactoe --agent oracle
  tesuji think 'tictactoe(position=\"...X.OXOX\")' --agent expected
  tesuji think trap --agent 'minimax(depth=2)' --json
  tesuji think go --iterations 20000 --every 5000
  tesuji think hex --agent 'mcts(select=rave,leaf=replies)' --threads 2
  tesuji think tictactoe --agent mcts --tree b2 a1
  tesuji think tictactoe --agent mcts --iterations 50 --record 48..50
  tesuji think hex --agent mcts --tree-depth 2 --tree-dot tree.dot")]
pub struct ThinkArguments {
    #[command(flatten)]
    pub position: PositionArguments,
    /// The agent, such as 'minimax(depth=3)' [default: auto, the strongest of the game]
    #[arg(long, visible_alias = "with")]
    pub agent: Option<String>,
    #[command(flatten)]
    pub limits: Limits,
    /// Also print the answer so far after every N iterations, one line each
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub every: Option<u64>,
    #[command(flatten)]
    pub tree: TreeArguments,
}

/// What to show of the tree of a Monte-Carlo search.
#[derive(Args)]
#[command(group(ArgGroup::new("exported").multiple(true)), group(ArgGroup::new("shown").multiple(true)))]
pub struct TreeArguments {
    /// Also show the node of the search tree after these moves and its children; without moves the
    /// root
    #[arg(long, num_args = 0.., value_name = "MOVE", group = "shown")]
    pub tree: Option<Vec<String>>,
    /// Children of a node at most, the most visited first
    #[arg(long, value_name = "N", default_value_t = 20, requires = "shown")]
    pub tree_limit: usize,
    /// Only children with this many visits
    #[arg(long, value_name = "N", default_value_t = 0, requires = "shown")]
    pub tree_visits: u64,
    /// Plies of an exported tree, below the node of --tree
    #[arg(long, value_name = "N", default_value_t = 3, requires = "exported")]
    pub tree_depth: usize,
    /// Write the tree to this file as JSON, at most 100,000 nodes, the most visited first
    #[arg(long, value_name = "FILE", groups = ["shown", "exported"])]
    pub tree_json: Option<String>,
    /// Write the tree to this file for Graphviz, at most 1,000 nodes, the most visited first
    #[arg(long, value_name = "FILE", groups = ["shown", "exported"])]
    pub tree_dot: Option<String>,
    /// Record the iterations I to J, at most 1,000: path, expansion, playouts, backup
    #[arg(long, value_name = "I..J", value_parser = iterations, conflicts_with = "every")]
    pub record: Option<RangeInclusive<u64>>,
}

impl TreeArguments {
    /// Whether the tree must be kept after the search.
    pub fn keeps(&self) -> bool {
        self.tree.is_some() || self.tree_json.is_some() || self.tree_dot.is_some() || self.record.is_some()
    }

    /// The moves to the node that is shown.
    pub fn moves(&self) -> Vec<String> {
        let texts = self.tree.iter().flatten().flat_map(|text| text.split_whitespace());
        texts.map(String::from).collect()
    }

    /// The children that are shown.
    pub fn children(&self) -> ChildFilter {
        ChildFilter { limit: self.tree_limit, min_visits: self.tree_visits }
    }
}

/// `solve`.
#[derive(Args)]
#[command(after_help = "\
The status is for the side to move: win, loss, draw, or unknown if a limit ended the search first.

Goals: exact asks for the value and is the default; first-wins, first-draws, second-wins, \
second-draws, score>=X and margin>=M ask less; exact-margin asks more.

The best move is one of the proof: it keeps what is proved for the side to move, or resists longest \
in a lost position; there is none while nothing is proved for the side to move. The line begins with \
it, and each of its moves keeps the proved bounds; it ends with the game, or where the proof goes on \
by a certificate instead of moves.

Ended by: finished (nothing is left to search), depth (the agent's depth is reached), limit (a limit \
of the agent, which is named), iterations, nodes, time, memory, or asked (Ctrl-C).

Examples:
  tesuji solve 'hex(size=4,swap=false)' --with df-pn --proof hex4.proof
  tesuji solve 'othello(size=4)' --goal exact-margin --json
  tesuji solve 'goproblem(problem=lin-multi)' --with 'df-pn(epsilon=0.25)'
  tesuji solve goproblem --file problem.txt")]
pub struct SolveArguments {
    #[command(flatten)]
    pub position: PositionArguments,
    /// Read the problem from this file, in games that have a parameter `file`
    #[arg(long, value_name = "FILE")]
    pub file: Option<String>,
    /// The agent that solves; auto is the solver of the game
    #[arg(long, visible_alias = "agent", value_name = "AGENT", default_value = "auto")]
    pub with: String,
    /// What to prove; the goals are listed below [default: exact]
    #[arg(long, value_name = "GOAL")]
    pub goal: Option<String>,
    #[command(flatten)]
    pub limits: Limits,
    /// Write the proof to this file
    #[arg(long, value_name = "FILE")]
    pub proof: Option<String>,
}

/// `verify`.
#[derive(Args)]
#[command(after_help = "\
Exit code 0 if the proof holds, 2 with the place and the reason if it does not, 3 if the check was \
interrupted, or if --rules-only did not expand all certificates within its limits.

Examples:
  tesuji verify 'hex(size=4,swap=false)' hex4.proof
  tesuji verify gomoku game.proof --rules-only --time 60")]
pub struct VerifyArguments {
    /// The game the proof is about
    pub game: String,
    /// The file of the proof
    pub file: String,
    /// Memory for the proof, such as 64MB; a file of more than half of it is not read [default:
    /// 1GiB]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory: Option<u64>,
    /// Trust no certificate: prove each position that has one by search over the rules
    #[arg(long)]
    pub rules_only: bool,
    /// With --rules-only: positions for each certificate, about 20 bytes each
    #[arg(long, value_name = "N", default_value_t = 4_000_000, value_parser = count, requires = "rules_only")]
    pub nodes: u64,
    /// With --rules-only: seconds for all certificates together [default: no limit]
    #[arg(long, value_name = "S", value_parser = seconds, requires = "rules_only")]
    pub time: Option<Duration>,
}
