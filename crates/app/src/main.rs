//! The `tesuji` command.
//!
//! Exit codes: 0 success, 2 bad input (one line on stderr), 1 a failure of ours.

mod arguments;
mod command;
mod failure;
mod output;
mod progress;

use failure::Failure;
use std::process::ExitCode;

fn main() -> ExitCode {
    // A panic is a fault of ours: one line, exit 1.
    std::panic::set_hook(Box::new(|_| {}));
    let result = std::panic::catch_unwind(run).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
        Err(Failure::ours(format!("internal error: {}", text.unwrap_or("no reason given"))))
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            output::complain(&failure.message);
            ExitCode::from(failure.code)
        }
    }
}

fn run() -> Result<(), Failure> {
    let Some(arguments) = arguments::read()? else { return Ok(()) };
    command::run(arguments)
}
