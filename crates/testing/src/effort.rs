//! How much a test does.
//!
//! A test that could go on for minutes does a share that takes seconds. `TESUJI_FULL=1` asks for
//! all of it, in every test that runs; a test name selects one: `TESUJI_FULL=1 cargo test --release
//! -p tesuji-games no_draws`.

use std::fmt::Debug;
use std::str::FromStr;

/// Whether tests do all they can.
#[must_use]
pub fn is_full() -> bool {
    std::env::var_os("TESUJI_FULL").is_some_and(|value| value != "0")
}

/// The default share of a test, or with `TESUJI_FULL=1` all of it.
#[must_use]
pub fn sized<N>(share: N, full: N) -> N {
    if is_full() { full } else { share }
}

/// A setting: the number in this environment variable, or a default.
///
/// # Panics
///
/// If the variable holds something else.
pub fn setting<N: FromStr<Err: Debug>>(variable: &str, default: N) -> N {
    let read = |text: String| text.parse().unwrap_or_else(|error| panic!("{variable}={text}: {error:?}"));
    std::env::var(variable).map_or(default, read)
}
