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
    // A panic is a fault of ours: one line that says where, exit 1.
    static PLACE: std::sync::Mutex<String> = std::sync::Mutex::new(String::new());
    std::panic::set_hook(Box::new(|panic| {
        if let Ok(mut place) = PLACE.lock() {
            *place = panic.to_string();
        }
    }));
    let result = std::panic::catch_unwind(run).unwrap_or_else(|_| {
        let place = PLACE.lock().map(|place| place.clone()).unwrap_or_default();
        Err(Failure::ours(format!("internal error: {place}")))
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
