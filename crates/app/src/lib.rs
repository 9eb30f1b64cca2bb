//! The `tesuji` command as a library.
//!
//! [`run`] is the whole command line over a registry of games and agents: ours in `main.rs`, ours
//! and more in a program of its own (`examples/outside`). The protocols and games at the terminal
//! are public, so that tests and fuzzers talk to them without processes.
//!
//! Exit codes: see `failure.rs`. An error is one line on standard error and, with `--json`, the
//! object `{"error":…}` on standard output.

mod arguments;
mod command;
mod date;
mod failure;
pub mod move_choice;
mod names;
mod output;
pub mod picture;
mod places;
mod progress;
pub mod protocol;
mod ranking;
pub mod terminal;

use failure::Failure;
use std::process::ExitCode;
use tesuji_agents::Registry;

/// The whole command line, with the games and agents of this registry: what `main` calls.
///
/// # Panics
/// If a registry is in force already.
pub fn run(registry: Registry) -> ExitCode {
    registry.install().expect("the program's registry is the first");
    // A panic is a bug: one line says where, and the exit code is 1.
    static PLACE: std::sync::Mutex<String> = std::sync::Mutex::new(String::new());
    std::panic::set_hook(Box::new(|panic| {
        if let Ok(mut place) = PLACE.lock() {
            *place = panic.to_string();
        }
    }));
    let result = std::panic::catch_unwind(run_command).unwrap_or_else(|_| {
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

fn run_command() -> Result<(), Failure> {
    let Some(arguments) = arguments::read()? else { return Ok(()) };
    command::run(arguments)
}
