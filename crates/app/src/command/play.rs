//! `tesuji play`
use crate::failure::Failure;
use clap::Args;
#[derive(Args)]
pub struct PlayArguments {
    game: Option<String>,
}
pub fn run(_: &PlayArguments) -> Result<(), Failure> {
    Ok(())
}
