//! Tests that cannot run where they are: a program, a module or a data set is missing.
//!
//! Such a test calls [`skip`] and returns. The call prints one line past libtest's capture and,
//! where the environment variable `TESUJI_SKIPPED` names a file, appends
//! `test<TAB>requirement<TAB>consequence` to it.
//! `.ci/run` ends with the list, and fails if a requirement that it installed is in it.

use std::fs::OpenOptions;
use std::io::Write;

/// Records that the running test does not run: the program, module or data set that is missing, and
/// what is therefore not tested.
pub fn skip(requirement: &str, consequence: &str) {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("a thread without a name");
    let mut hint = " (TESUJI_SKIPPED=FILE collects these lines)";
    if let Some(path) = std::env::var_os("TESUJI_SKIPPED") {
        let line = format!("{test}\t{requirement}\t{consequence}\n");
        let mut file = OpenOptions::new().create(true).append(true).open(&path).expect("TESUJI_SKIPPED is a file");
        file.write_all(line.as_bytes()).expect("TESUJI_SKIPPED can be written");
        hint = "";
    }
    let _ = writeln!(std::io::stderr(), "SKIPPED {test}: no {requirement}: {consequence}{hint}");
}
