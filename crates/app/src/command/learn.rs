//! `tesuji learn …`: one file for each subcommand.

mod evolve;
mod train;
mod weights;

use crate::arguments::Learn;
use crate::failure::Failure;

/// Carries a subcommand out.
pub fn run(what: &Learn, json: bool) -> Result<(), Failure> {
    match what {
        Learn::Weights => weights::run(json),
        Learn::Train(arguments) => train::run(arguments, json),
        Learn::Evolve(arguments) => evolve::run(arguments, json),
    }
}
