//! What one job does: the unit of work that a machine can be handed as text.
//!
//! A [`Task`] is data that prints as one line of JSON and parses back. What it answers is a function
//! of that text alone (its seed is part of it), wherever and whenever it runs; only what is named
//! `seconds` depends on the machine, and everything else where a limit is a time. The id of a task is
//! a hash of the text, so that a result belongs to exactly what was run.
//!
//! | task | what it does | file |
//! |---|---|---|
//! | `game` | two agents play one game | `game.rs` |
//! | `think` | an agent searches one position, watched if asked | `think.rs` |
//! | `solve` | an agent solves one position | `solve.rs` |
//! | `playouts` | random playouts are timed | `playouts.rs` |
//! | `climb` | hill climbing over two parameters of a solver | `climb.rs` |
//! | `conspiracy` | a game in which single conspiracy numbers are measured | `conspiracy.rs` |
//! | `tune` | parameters of an agent are tuned by games | `tune.rs` |

pub mod climb;
pub mod conspiracy;
pub mod game;
pub mod limits;
pub mod playouts;
pub mod position;
pub mod solve;
pub mod think;
pub mod tune;

use crate::environment::Stopwatch;
use climb::ClimbTask;
use conspiracy::ConspiracyTask;
use game::GameTask;
use playouts::PlayoutsTask;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use solve::SolveTask;
use tesuji_agents::Access;
use think::ThinkTask;
use tune::TuneTask;

/// One unit of work.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "task", rename_all = "kebab-case")]
pub enum Task {
    /// Two agents play one game.
    Game(GameTask),
    /// An agent searches one position.
    Think(ThinkTask),
    /// An agent solves one position.
    Solve(SolveTask),
    /// Random playouts are timed.
    Playouts(PlayoutsTask),
    /// Hill climbing over two parameters of a solver.
    Climb(ClimbTask),
    /// A game in which single conspiracy numbers are measured.
    Conspiracy(ConspiracyTask),
    /// Parameters of an agent are tuned by games.
    Tune(TuneTask),
}

/// The answer to a task: one line of a result file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// The id of the task.
    pub id: String,
    /// The processor time it took, where one thread does the work and the system tells; else how long
    /// it took.
    pub seconds: f64,
    /// What came out; its keys are the task's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
    /// Why there is no result, and never will be: it counts for no side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub void: Option<String>,
    /// What was said last to and by an engine outside that made it void.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub transcript: Vec<String>,
}

/// Why a task has no result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Void {
    /// The reason.
    pub why: String,
    /// What was said last to and by an engine outside.
    pub transcript: Vec<String>,
}

impl From<String> for Void {
    fn from(why: String) -> Void {
        Void { why, transcript: Vec::new() }
    }
}

impl Task {
    /// Reads a task.
    ///
    /// # Errors
    /// If the text is no task; the message has the line and column.
    pub fn read(text: &str) -> Result<Task, String> {
        serde_json::from_str(text).map_err(|error| format!("not a job: {error}"))
    }

    /// The text, on one line. Equal tasks have equal texts.
    #[must_use]
    pub fn text(&self) -> String {
        serde_json::to_string(self).expect("tasks serialise")
    }

    /// The id: 128 bits of the text's hash, in hexadecimal.
    #[must_use]
    pub fn id(&self) -> String {
        format!("{:032x}", fnv1a(self.text().as_bytes()))
    }

    /// Does the work. What the task's specs may open and start is said by `access`.
    #[must_use]
    pub fn run(&self, access: &Access) -> Line {
        let watch = Stopwatch::start(works_elsewhere(&self.text()));
        let outcome = match self {
            Task::Game(task) => task.run(access).map(|result| json(&result)),
            Task::Think(task) => task.run(access).map(|result| json(&result)).map_err(Void::from),
            Task::Solve(task) => task.run(access).map(|result| json(&result)).map_err(Void::from),
            Task::Playouts(task) => task.run(access).map(|result| json(&result)).map_err(Void::from),
            Task::Climb(task) => task.run(access).map(|result| json(&result)).map_err(Void::from),
            Task::Conspiracy(task) => task.run(access).map(|result| json(&result)).map_err(Void::from),
            Task::Tune(task) => task.run(access).map(|result| json(&result)),
        };
        let (result, void, transcript) = match outcome {
            Ok(result) => (Some(result), None, Vec::new()),
            Err(Void { why, transcript }) => (None, Some(why), transcript),
        };
        Line { id: self.id(), seconds: watch.seconds(), result, void, transcript }
    }
}

/// Whether a job, or an agent, by its text, has work done by other threads or programs.
fn works_elsewhere(text: &str) -> bool {
    text.contains("\"threads\":") || text.contains("cmd=")
}

fn json(result: &impl Serialize) -> Value {
    serde_json::to_value(result).expect("results serialise")
}

impl Line {
    /// The line without anything that depends on the machine's speed: all that is named `seconds` is
    /// taken out, at any depth. Two runs of an iteration-limited job agree on it.
    #[must_use]
    pub fn timeless(&self) -> Value {
        let mut value = json(self);
        drop_seconds(&mut value);
        value
    }
}

/// Results are as deep as this module makes them: three levels.
fn drop_seconds(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.remove("seconds");
            map.values_mut().for_each(drop_seconds);
        }
        Value::Array(values) => values.iter_mut().for_each(drop_seconds),
        _ => {}
    }
}

/// FNV-1a with 128 bits (Fowler, Noll & Vo; draft-eastlake-fnv): not for secrets, but the same on
/// every machine and in every version, with no collision to be expected among 10^15 jobs.
pub(crate) fn fnv1a(bytes: &[u8]) -> u128 {
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    const BASIS: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    bytes.iter().fold(BASIS, |hash, byte| (hash ^ u128::from(*byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::{Task, fnv1a};

    /// Test vectors of the reference implementation (FNV-1a, 128 bits): "" and "a".
    #[test]
    fn hashes_are_the_published_ones() {
        assert_eq!(fnv1a(b""), 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
        assert_eq!(fnv1a(b"a"), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
    }

    #[test]
    fn a_task_is_its_text() {
        let text = r#"{"task":"think","game":"tictactoe","moves":["b2"],"agent":"random","limits":{"iterations":5},"seed":18446744073709551615}"#;
        let task = Task::read(text).expect("a task");
        assert_eq!(task.text(), text);
        let spaced = text.replace(',', " ,\n ");
        assert_eq!(Task::read(&spaced).expect("the same").id(), task.id());
        assert_ne!(Task::read(&text.replace(":5}", ":6}")).expect("another").id(), task.id());
        for wrong in ["", "{}", "[]", r#"{"task":"dance"}"#, &text.replace("\"seed\"", "\"sead\"")] {
            assert!(Task::read(wrong).is_err(), "{wrong}");
        }
    }
}
