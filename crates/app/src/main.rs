//! The `tesuji` command.
//!
//! Exit codes: see `failure.rs`. An error is one line on standard error and, with `--json`, the
//! object `{"error":…}` on standard output.

mod arguments;
mod command;
mod failure;
mod output;
mod progress;

use failure::Failure;
use std::process::ExitCode;

fn main() -> ExitCode {
    // A panic is a bug: one line says where, and the exit code is 1.
    static PLACE: std::sync::Mutex<String> = std::sync::Mutex::new(String::new());
    std::panic::set_hook(Box::new(|panic| {
        if let Ok(mut place) = PLACE.lock() {
            *place = panic.to_string();
        }
    }));
    let result = std::panic::catch_unwind(run).unwrap_or_else(|_| {
        let place = PLACE.lock().map(|place| place.clone()).unwrap_or_default();
        Err(Failure::internal(format!("internal error: {place}")))
    });
    match result {
        Ok(()) if progress::was_interrupted() => ExitCode::from(3),
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let line = output::print_error(&failure.message);
            if wants_json() && !failure.is_in_answer {
                output::print_json(&serde_json::json!({ "error": line }));
            }
            ExitCode::from(failure.code)
        }
    }
}

/// Whether the command line asks for JSON, also where it is wrong otherwise.
fn wants_json() -> bool {
    std::env::args_os().skip(1).take_while(|word| word != "--").any(|word| word == "--json")
}

fn run() -> Result<(), Failure> {
    let Some(arguments) = arguments::read()? else { return Ok(()) };
    command::run(arguments)
}
