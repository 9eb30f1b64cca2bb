//! The user's folders: where the config file is, where games are kept and what was typed is
//! remembered.
//!
//! | | Linux and others | macOS | Windows |
//! |---|---|---|---|
//! | config | `~/.config/tesuji` | `~/.config/tesuji` | `%APPDATA%\tesuji` |
//! | data | `~/.local/share/tesuji` | `~/Library/Application Support/tesuji` | `%APPDATA%\tesuji` |
//! | state | `~/.local/state/tesuji` | `~/Library/Application Support/tesuji` | `%LOCALAPPDATA%\tesuji` |
//!
//! Everywhere but on Windows `XDG_CONFIG_HOME`, `XDG_DATA_HOME` and `XDG_STATE_HOME` name other
//! places, if they are absolute paths (XDG Base Directory Specification 0.8).

use std::path::PathBuf;

const MAC: &[&str] = &["Library", "Application Support"];

/// The folder that a variable names, or else one inside the home folder; in it, the program's own.
fn place(variable: &str, inside_home: &[&str]) -> Option<PathBuf> {
    let named = std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    // Users that are services have a home that is no folder, such as /dev/null.
    let is_home = |home: &PathBuf| home.is_absolute() && (home.is_dir() || !home.exists());
    let usual = || std::env::home_dir().filter(is_home).map(|home| home.join(folder(inside_home)));
    Some(named.or_else(usual)?.join("tesuji"))
}

fn folder(parts: &[&str]) -> PathBuf {
    parts.iter().collect()
}

/// What the user has set; nothing if there is no home folder.
#[must_use]
pub fn config() -> Option<PathBuf> {
    match std::env::consts::OS {
        "windows" => place("APPDATA", &["AppData", "Roaming"]),
        _ => place("XDG_CONFIG_HOME", &[".config"]),
    }
}

/// What the user keeps; nothing if there is no home folder.
#[must_use]
pub fn data() -> Option<PathBuf> {
    match std::env::consts::OS {
        "windows" => place("APPDATA", &["AppData", "Roaming"]),
        "macos" => place("XDG_DATA_HOME", MAC),
        _ => place("XDG_DATA_HOME", &[".local", "share"]),
    }
}

/// What the program remembers from one run to the next; nothing if there is no home folder.
#[must_use]
pub fn state() -> Option<PathBuf> {
    match std::env::consts::OS {
        "windows" => place("LOCALAPPDATA", &["AppData", "Local"]),
        "macos" => place("XDG_STATE_HOME", MAC),
        _ => place("XDG_STATE_HOME", &[".local", "state"]),
    }
}
