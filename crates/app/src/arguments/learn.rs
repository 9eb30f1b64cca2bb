//! `learn …`: data, training and weights.

use clap::Subcommand;

/// The commands of learning.
#[derive(Subcommand)]
pub enum Learn {
    /// List the weights that are built in
    #[command(after_help = "Example:\n  tesuji learn weights")]
    Weights,
}
