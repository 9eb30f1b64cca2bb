//! Jobs: tasks with their ids and the labels by which a report sorts them.

use crate::tasks::Task;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A job of a plan.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Planned {
    /// The task's id.
    pub id: String,
    /// Which part of the experiment it belongs to; no part of what is run.
    pub label: Value,
    /// What is run.
    pub task: Task,
}

impl Planned {
    /// A task with its label.
    #[must_use]
    pub fn new(label: Value, task: Task) -> Planned {
        Planned { id: task.id(), label, task }
    }
}

/// A part of a plan: jobs number i, i + n, i + 2n … of n parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// From 1.
    pub number: u32,
    /// How many parts there are.
    pub of: u32,
}

impl Part {
    /// Everything.
    pub const WHOLE: Part = Part { number: 1, of: 1 };

    /// Whether a job, by its number in the plan, is in this part.
    #[must_use]
    pub fn has(self, job: usize) -> bool {
        job as u64 % u64::from(self.of) == u64::from(self.number) - 1
    }
}

/// Written `3/64`.
impl std::str::FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Part, String> {
        let numbers = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match numbers {
            Some((number, of)) if 1 <= number && number <= of && of <= 1_000_000 => Ok(Part { number, of }),
            _ => Err("expected a part such as 3/64: from 1/64 to 64/64".into()),
        }
    }
}

impl std::fmt::Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::Part;

    #[test]
    fn parts_cover_the_plan_once() {
        let parts: Vec<Part> = ["1/3", "2/3", "3/3"].map(|text| text.parse().expect("a part")).into();
        for job in 0..10 {
            assert_eq!(parts.iter().filter(|part| part.has(job)).count(), 1, "{job}");
        }
        assert!((0..10).all(|job| Part::WHOLE.has(job)));
        for wrong in ["", "0/3", "4/3", "1", "1/0", "-1/3", "1/3/5", "1/9999999999"] {
            assert!(wrong.parse::<Part>().is_err(), "{wrong}");
        }
    }
}
