//! `learn …`: data, training and weights.

use super::learn_moves::{LearnEvaluate, LearnFit, LearnGames};
use clap::Subcommand;

/// The commands of learning.
#[derive(Subcommand)]
pub enum Learn {
    /// List the weights that are built in
    #[command(after_help = "Example:\n  tesuji learn weights")]
    Weights,
    /// Play games of an agent with itself into a file, to learn from
    Games(LearnGames),
    /// Fit strengths of features of moves to games (Bradley–Terry); Go, Hex and Gomoku
    Fit(LearnFit),
    /// Measure how well strengths of features predict the moves of games
    Evaluate(LearnEvaluate),
}
