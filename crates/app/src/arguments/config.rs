//! The config file: defaults for the commands that people type.
//!
//! It is `config.toml` in the folder that `places.rs` names. `--config` names another file,
//! `--no-config` reads none. The command line comes before the file, the file before what is built
//! in. Measurements and engines must not depend on the machine: every command but those of
//! [`READERS`] ignores the file.
//!
//! ```toml
//! agent = "mcts"      # play and think
//! time = 2            # seconds for each move: play and think, where no limit is given
//! threads = 2         # play, think and solve, for agents that use several
//! memory = "2GiB"     # play, think and solve
//! plain = true        # play: letters and dots only
//! pieces = "latin"    # play: the pieces of Chinese chess; or chinese
//! colour = "never"    # all of them; or auto, always
//! ```

use super::values::{bytes, seconds};
use super::{Arguments, Colour, Command};
use crate::failure::Failure;
use crate::places;
use clap::ValueEnum;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::ops::Range;
use std::time::Duration;
use tesuji_agents::{Access, FileError, canonical_agent};
use tesuji_core::spec::{Spec, nearest};
use toml::{Spanned, Value};

/// The commands that read the file.
pub const READERS: &str = "play, think, solve and show";
/// The largest file that is read.
const MOST_BYTES: u64 = 1 << 16;
/// What the file may say.
const KEYS: [&str; 7] = ["agent", "time", "threads", "memory", "plain", "pieces", "colour"];

/// What a command took from a config file.
#[derive(Clone, Serialize)]
pub struct Used {
    /// The file.
    pub file: String,
    /// The keys.
    pub keys: Vec<&'static str>,
}

impl std::fmt::Display for Used {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} from {}", self.keys.join(", "), self.file)
    }
}

/// The defaults of a file.
#[derive(Default, PartialEq, Debug)]
struct Config {
    agent: Option<String>,
    time: Option<Duration>,
    threads: Option<u32>,
    memory: Option<u64>,
    plain: Option<bool>,
    pieces: Option<String>,
    colour: Option<Colour>,
}

/// A mistake, and the bytes of the file that are wrong.
type Mistake = (String, Option<Range<usize>>);

/// Takes from the config file what the command line leaves open.
///
/// # Errors
/// If the file cannot be read or has a mistake, with its place; or if `--config` is given to a
/// command that reads none.
pub fn apply(arguments: &mut Arguments) -> Result<Option<Used>, Failure> {
    let named = arguments.config.as_deref();
    let reads =
        matches!(arguments.command, Command::Play(_) | Command::Think(_) | Command::Solve(_) | Command::Show(_));
    if !reads {
        return match named {
            Some(_) => Err(Failure::input(format!("--config: only {READERS} read a config file"))),
            None => Ok(None),
        };
    }
    if arguments.no_config {
        return Ok(None);
    }
    let Some((path, text)) = read(named)? else { return Ok(None) };
    let config = parse(&text).map_err(|(problem, span)| {
        let (line, column) = place(&text, span.map_or(0, |span| span.start));
        Failure::input(format!("{path}, line {line}, column {column}: {problem}"))
    })?;
    let keys = config.fill(arguments);
    Ok((!keys.is_empty()).then_some(Used { file: path, keys }))
}

/// The file that applies and its contents; nothing if there is none.
fn read(named: Option<&str>) -> Result<Option<(String, String)>, Failure> {
    let path = match named {
        Some(path) => path.to_string(),
        None => match places::config() {
            Some(folder) => folder.join("config.toml").display().to_string(),
            None => return Ok(None),
        },
    };
    let bytes = match Access::unrestricted().read(&path, MOST_BYTES) {
        Err(FileError::Path(error)) if error.kind() == ErrorKind::NotFound && named.is_none() => return Ok(None),
        bytes => bytes.map_err(|error| Failure::file(&path, &error))?,
    };
    let text = String::from_utf8(bytes).map_err(|error| Failure::input(format!("{path}: not UTF-8: {error}")))?;
    Ok(Some((path, text)))
}

/// Line and column of a byte, from 1.
fn place(text: &str, at: usize) -> (usize, usize) {
    let before: String = text.char_indices().take_while(|(index, _)| *index < at).map(|(_, letter)| letter).collect();
    let column = before.chars().rev().take_while(|letter| *letter != '\n').count() + 1;
    (before.matches('\n').count() + 1, column)
}

fn parse(text: &str) -> Result<Config, Mistake> {
    let table: BTreeMap<Spanned<String>, Spanned<Value>> =
        toml::from_str(text).map_err(|error| (error.message().to_string(), error.span()))?;
    let mut config = Config::default();
    for (key, value) in &table {
        let name = key.get_ref().as_str();
        let set = match name {
            "agent" => string(value).and_then(agent).map(|agent| config.agent = Some(agent)),
            "time" => number(value).and_then(|text| seconds(&text)).map(|time| config.time = Some(time)),
            "threads" => threads(value).map(|threads| config.threads = Some(threads)),
            "memory" => size(value).and_then(|text| bytes(&text)).map(|memory| config.memory = Some(memory)),
            "plain" => switch(value).map(|plain| config.plain = Some(plain)),
            "pieces" => string(value).and_then(pieces).map(|pieces| config.pieces = Some(pieces)),
            "colour" => string(value).and_then(colour).map(|colour| config.colour = Some(colour)),
            _ => {
                let near = nearest(name, &KEYS).filter(|_| !value.get_ref().is_table());
                let hint = near.map(|near| format!("; did you mean {near}?"));
                let hint = hint.unwrap_or_else(|| format!("; the keys are {}, without tables", KEYS.join(", ")));
                return Err((format!("unknown key {name:?}{hint}"), Some(key.span())));
            }
        };
        set.map_err(|problem| (format!("{name}: {problem}"), Some(value.span())))?;
    }
    Ok(config)
}

/// What was expected, and what stands there.
fn wrong(expected: &str, value: &Spanned<Value>) -> String {
    format!("expected {expected}, not {}", value.get_ref().type_str())
}

fn string(value: &Spanned<Value>) -> Result<&str, String> {
    value.get_ref().as_str().ok_or_else(|| wrong("a text in quotes", value))
}

fn number(value: &Spanned<Value>) -> Result<String, String> {
    match value.get_ref() {
        Value::Integer(number) => Ok(number.to_string()),
        Value::Float(number) => Ok(number.to_string()),
        _ => Err(wrong("a number of seconds", value)),
    }
}

fn size(value: &Spanned<Value>) -> Result<String, String> {
    match value.get_ref() {
        Value::Integer(number) => Ok(number.to_string()),
        Value::String(text) => Ok(text.clone()),
        _ => Err(wrong("a number of bytes, or a text such as \"2GiB\"", value)),
    }
}

fn switch(value: &Spanned<Value>) -> Result<bool, String> {
    value.get_ref().as_bool().ok_or_else(|| wrong("true or false", value))
}

fn threads(value: &Spanned<Value>) -> Result<u32, String> {
    let number = value.get_ref().as_integer().ok_or_else(|| wrong("a whole number", value))?;
    if !super::limits::THREADS.contains(&number) {
        return Err(format!("expected a whole number from 1 to 1024, not {number}"));
    }
    u32::try_from(number).map_err(|error| error.to_string())
}

fn agent(text: &str) -> Result<String, String> {
    let spec: Spec = text.parse().map_err(|error: tesuji_core::spec::SpecError| error.to_string())?;
    canonical_agent(&spec).map_err(|error| error.to_string())?;
    Ok(text.to_string())
}

fn pieces(text: &str) -> Result<String, String> {
    if ["chinese", "latin"].contains(&text) {
        return Ok(text.to_string());
    }
    Err(format!("expected chinese or latin, not {text:?}"))
}

fn colour(text: &str) -> Result<Colour, String> {
    Colour::from_str(text, false).map_err(|_| format!("expected auto, always or never, not {text:?}"))
}

impl Config {
    /// Fills what the command line leaves open, and answers the keys that were used.
    fn fill(self, arguments: &mut Arguments) -> Vec<&'static str> {
        let mut used = Vec::new();
        let mut set_agent = |agent: &mut Option<String>| {
            if agent.is_none() && self.agent.is_some() {
                agent.clone_from(&self.agent);
                used.push("agent");
            }
        };
        match &mut arguments.command {
            Command::Play(play) => {
                set_agent(&mut play.agent);
                used.extend(play.limits.fill(self.time, self.memory, self.threads));
                if !play.plain && self.plain == Some(true) {
                    play.plain = true;
                    used.push("plain");
                }
                if play.pieces.is_none() && self.pieces.is_some() {
                    play.pieces.clone_from(&self.pieces);
                    used.push("pieces");
                }
            }
            Command::Think(think) => {
                set_agent(&mut think.agent);
                used.extend(think.limits.fill(self.time, self.memory, self.threads));
            }
            // A solver goes on until the position is solved: the time of a move is not for it.
            Command::Solve(solve) => used.extend(solve.limits.fill(None, self.memory, self.threads)),
            _ => {}
        }
        if arguments.colour.is_none() && self.colour.is_some() && !arguments.json {
            arguments.colour = self.colour;
            used.push("colour");
        }
        used
    }
}

#[cfg(test)]
mod tests {
    use super::{Colour, Config, KEYS, parse, place};
    use std::time::Duration;

    #[test]
    fn every_key_is_read() {
        let text = "agent = \"mcts\"\ntime = 2\nthreads = 3\nmemory = \"64MB\"\nplain = true\n\
                    pieces = \"latin\"\ncolour = \"never\"\n";
        let whole = Config {
            agent: Some("mcts".into()),
            time: Some(Duration::from_secs(2)),
            threads: Some(3),
            memory: Some(64_000_000),
            plain: Some(true),
            pieces: Some("latin".into()),
            colour: Some(Colour::Never),
        };
        assert_eq!(parse(text), Ok(whole));
        assert_eq!(text.lines().count(), KEYS.len());
        assert_eq!(parse("# nothing\n\n"), Ok(Config::default()));
    }

    #[test]
    fn mistakes_are_told_with_their_place() {
        for (text, at, part) in [
            ("time = 2\nagnet = \"mcts\"", (2, 1), "unknown key \"agnet\"; did you mean agent?"),
            ("[play]\ntime = 2", (1, 2), "the keys are agent, time"),
            ("time = \"two\"", (1, 8), "time: expected a number of seconds, not string"),
            ("time = 0", (1, 8), "time: expected more than 0"),
            ("threads = 2000", (1, 11), "threads: expected a whole number from 1 to 1024, not 2000"),
            ("memory = \"100TB\"", (1, 10), "memory: unknown unit \"TB\"; the units are"),
            ("agent = \"mtcs\"", (1, 9), "did you mean \"mcts\"?"),
            ("\n  plain = \"yes\"", (2, 11), "plain: expected true or false"),
            ("pieces = \"greek\"", (1, 10), "pieces: expected chinese or latin"),
            ("colour = \"blue\"", (1, 10), "auto, always or never"),
            ("time = 1\ntime = 2", (2, 1), "duplicate key"),
            ("time == 1", (1, 7), ""),
            ("\u{e9}", (1, 2), ""),
        ] {
            let (problem, span) = parse(text).expect_err(text);
            assert!(problem.contains(part), "{text}: {problem}");
            assert_eq!(place(text, span.map_or(0, |span| span.start)), at, "{text}: {problem}");
        }
    }
}
