//! Signals of the process, handed to an [`Attention`].
//!
//! On Unix `signal-hook` tells Ctrl-C from SIGTERM, which `ctrlc`, the choice of the other commands
//! and of other systems, does not. A process that ends while a line is edited puts the terminal
//! back into the mode in which it found it.

use super::attention::{Attention, Reaction, Signal};
use crate::output;
use std::io::Result;
use std::sync::Arc;

/// Hands signals over from now on.
///
/// # Errors
/// If the system refuses.
#[cfg(unix)]
pub fn watch(attention: Arc<Attention>) -> Result<()> {
    use nix::sys::termios::{SetArg, tcgetattr, tcsetattr};
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    let mode = tcgetattr(std::io::stdin()).ok();
    std::thread::spawn(move || {
        for number in signals.forever() {
            let signal = if number == SIGINT { Signal::Interrupt } else { Signal::End };
            if let Reaction::EndNow(farewell) = attention.signal(signal) {
                if let Some(mode) = &mode {
                    // It may be gone.
                    let _ = tcsetattr(std::io::stdin(), SetArg::TCSANOW, mode);
                }
                end(&farewell);
            }
        }
    });
    Ok(())
}

/// Hands signals over from now on.
///
/// # Errors
/// If the system refuses.
#[cfg(not(unix))]
pub fn watch(attention: Arc<Attention>) -> Result<()> {
    let handler = move || {
        if let Reaction::EndNow(farewell) = attention.signal(Signal::Interrupt) {
            end(&farewell);
        }
    };
    ctrlc::set_handler(handler).map_err(std::io::Error::other)
}

/// Ends the process as interrupted.
fn end(farewell: &str) -> ! {
    // The prompt has no end of its line.
    let _ = std::io::Write::write_all(&mut std::io::stdout(), b"\n");
    output::print_error(farewell);
    std::process::exit(3)
}
