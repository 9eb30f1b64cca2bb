//! Positions with known answers.
//!
//! `crates/testing/data` holds what was generated for this project or is a fact; its README names
//! the origins. Sets under a licence of their own stay outside: they are read from the folder that
//! `TESUJI_DATA` names, by default `../shared/data` beside the repository.

use crate::skip;
use std::path::PathBuf;

pub use serde_json::Value as Json;

/// Reads one JSON value. The data files are known: anything unexpected is a panic, here and below.
///
/// # Panics
///
/// If the text is not JSON.
#[must_use]
pub fn parse(text: &str) -> Json {
    serde_json::from_str(text).expect("JSON")
}

/// Parts of a JSON value that the tests know to be there.
pub trait Known {
    /// The entry of an object.
    fn entry(&self, name: &str) -> &Json;
    /// The content of a string.
    fn text(&self) -> &str;
    /// The entries of a list.
    fn list(&self) -> &[Json];
    /// The strings of a list.
    fn texts(&self) -> Vec<&str> {
        self.list().iter().map(Known::text).collect()
    }
}

impl Known for Json {
    fn entry(&self, name: &str) -> &Json {
        self.get(name).unwrap_or_else(|| panic!("no {name} in {self}"))
    }

    fn text(&self) -> &str {
        self.as_str().unwrap_or_else(|| panic!("no text: {self}"))
    }

    fn list(&self) -> &[Json] {
        self.as_array().unwrap_or_else(|| panic!("no list: {self}"))
    }
}

/// The text of a file in `crates/testing/data`.
///
/// # Panics
///
/// If there is no such file.
#[must_use]
pub fn vendored(name: &str) -> String {
    let path = format!("{}/data/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The path of a file or folder of the public sets; where it is missing, the test is recorded as
/// skipped.
#[must_use]
pub fn public_path(name: &str) -> Option<PathBuf> {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let folder = std::env::var_os("TESUJI_DATA").map_or_else(|| PathBuf::from(default), PathBuf::from);
    let path = folder.join(name);
    if path.exists() {
        return Some(path);
    }
    skip(&format!("data:{name}"), "its cases are not checked (TESUJI_DATA names the folder)");
    None
}

/// The text of a file of the public sets; where it is missing, the test is recorded as skipped.
///
/// # Panics
///
/// If the file is there and cannot be read.
#[must_use]
pub fn public(name: &str) -> Option<String> {
    let path = public_path(name)?;
    Some(std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}
