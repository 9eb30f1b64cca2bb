//! `match`: who plays, how games begin and end, and what is written.

use super::limits::Limits;
use super::search::PositionArguments;
use super::values::{count, match_games, seconds, share};
use clap::Args;
use std::time::Duration;
use tesuji_lab::tasks::game::Adjudication;

/// `match`.
#[derive(Args)]
#[command(mut_arg("time", |it| it.help("Seconds for each move, more than 0, at most 10,000,000")), after_help = "\
The limits hold for each move. Without --iterations, --nodes and --time, an agent that samples does \
10,000 iterations for a move (zero 1,000), the strongest agent of a game (auto) as many or a million \
positions, and other agents search until they finish. Two games in a row make a pair: the same opening, \
colours exchanged. The confidence intervals follow from the pairs.

--sprt ends the match as soon as one of two Elo differences of the first agent is rejected in favour \
of the other, by the generalised sequential probability ratio test on pairs; --games is the most it \
may take.

Examples:
  tesuji match tictactoe --first 'rps(depth=2)' --second rps --iterations 1k
  tesuji match hex --first mcts --second 'mcts(select=ucb1)' --openings 2 \\
    --time 0.1
  tesuji match gomoku --first mcts --second mcts --first-iterations 4k \\
    --iterations 1k --games 20
  tesuji match othello --first auto --second mcts --also random --games 10 \\
    --iterations 200
  tesuji match 'go(size=9)' --first mcts --second 'mcts(leaf=replies)' \\
    --iterations 500 --sprt 0 50")]
pub struct MatchArguments {
    #[command(flatten)]
    pub position: PositionArguments,
    /// The agent whose wins are `first_wins`; it moves first in every other game. auto is the
    /// strongest of the game
    #[arg(long, value_name = "AGENT")]
    pub first: String,
    /// The other agent
    #[arg(long, value_name = "AGENT")]
    pub second: String,
    /// One more agent, as often as you like: every two of all agents play --games games
    #[arg(long, value_name = "AGENT", conflicts_with_all = ["odds", "sprt"])]
    pub also: Vec<String>,
    /// Number of games, 1 to 1,000,000,000
    #[arg(long, default_value_t = 100, value_parser = match_games)]
    pub games: u64,
    /// Random plies before the agents begin, 0 to 1000; both games of a pair begin with the same
    /// ones
    #[arg(long, default_value_t = 0, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub openings: u32,
    /// Begin with the openings of this file, one a line: moves, separated by spaces; a line that
    /// begins with # is skipped
    #[arg(long, value_name = "FILE", conflicts_with = "openings")]
    pub opening_file: Option<String>,
    #[command(flatten)]
    pub limits: Limits,
    #[command(flatten)]
    pub odds: Odds,
    /// End the match when one of these Elo differences of the first agent is rejected
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    pub sprt: Vec<f64>,
    /// The error rates of --sprt: of wrongly accepting ELO1, and of wrongly accepting ELO0
    #[arg(long, num_args = 2, value_names = ["ALPHA", "BETA"], default_values_t = [0.05, 0.05])]
    pub sprt_errors: Vec<f64>,
    #[command(flatten)]
    pub adjudication: AdjudicationArguments,
    /// Write every game to an SGF file in this folder, which is made
    #[arg(long, value_name = "FOLDER")]
    pub save: Option<String>,
    /// Write every move of every game to this file: value, iterations, time and stones
    #[arg(long, value_name = "FILE")]
    pub csv: Option<String>,
}

/// Limits of one side that differ from those of both.
#[derive(Args)]
#[group(id = "odds", multiple = true)]
pub struct Odds {
    /// Iterations of the first agent, in place of the limits of both
    #[arg(long, value_name = "N", value_parser = count)]
    first_iterations: Option<u64>,
    /// Positions entered by the first agent, in place of the limits of both
    #[arg(long, value_name = "N", value_parser = count)]
    first_nodes: Option<u64>,
    /// Seconds of the first agent, in place of the limits of both
    #[arg(long, value_name = "S", value_parser = seconds)]
    first_time: Option<Duration>,
    /// Iterations of the second agent, in place of the limits of both
    #[arg(long, value_name = "N", value_parser = count)]
    second_iterations: Option<u64>,
    /// Positions entered by the second agent, in place of the limits of both
    #[arg(long, value_name = "N", value_parser = count)]
    second_nodes: Option<u64>,
    /// Seconds of the second agent, in place of the limits of both
    #[arg(long, value_name = "S", value_parser = seconds)]
    second_time: Option<Duration>,
}

impl Odds {
    /// The limits of each side; nothing where they are those of both.
    pub fn of(&self, both: &Limits) -> [Option<Limits>; 2] {
        let Odds { first_iterations, first_nodes, first_time, second_iterations, second_nodes, second_time } = self;
        [
            both.replaced(*first_iterations, *first_nodes, *first_time),
            both.replaced(*second_iterations, *second_nodes, *second_time),
        ]
    }
}

/// When a game ends before its rules say so.
#[derive(Args)]
pub struct AdjudicationArguments {
    /// A side loses when both agents value its game below this, 0 to 0.5, for some moves each
    #[arg(long, value_name = "VALUE", value_parser = share)]
    resign_below: Option<f64>,
    /// A game is drawn when both agents value it within this of 0.5, 0 to 0.5, for some moves each
    #[arg(long, value_name = "VALUE", value_parser = share)]
    draw_within: Option<f64>,
    /// The moves in a row of each side for --resign-below and --draw-within [default: 3]
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    agree_for: Option<u32>,
    /// A game of this number of plies after the opening is drawn
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    draw_after: Option<u32>,
}

impl AdjudicationArguments {
    /// As rules; nothing if no option was given.
    pub fn rules(&self) -> Option<Adjudication> {
        let AdjudicationArguments { resign_below, draw_within, agree_for, draw_after } = *self;
        let rules = Adjudication { resign_below, draw_within, moves: agree_for, draw_after };
        (rules != Adjudication::default()).then_some(rules)
    }
}
