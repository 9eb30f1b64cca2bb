//! `tesuji learn …`: one file for each subcommand.

mod evaluate;
mod evolve;
mod fit;
mod games;
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
        Learn::Games(arguments) => games::run(arguments, json),
        Learn::Fit(arguments) => fit::run(arguments, json),
        Learn::Evaluate(arguments) => evaluate::run(arguments, json),
    }
}
