//! The lines of a run in one file, for a repository: what was run, by which programs, and the results
//! in the order of the plan. The plan itself is not kept; the experiment file makes it again.
//!
//! ```text
//! {"experiment":"FNV-1a …","runs":[{"event":"run",…}]}
//! {"job":0,"id":"…","seconds":0.1,"result":{…}}
//! ```
//!
//! A line belongs to a job by its id. The id has every parameter of the agents in it, also one that a
//! later version of the program adds with the meaning of before; as long as the experiment file is the
//! same, the number of the job says which one it was.

use super::folder::in_json;
use super::log;
use super::{Event, Plan, StoreError, Stored};
use crate::tasks::Line;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::path::Path;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    experiment: String,
    runs: Vec<Event>,
}

/// Lines that were kept, for a plan of today.
pub struct Kept {
    /// What a report needs.
    pub stored: Stored,
    /// Lines of jobs that are no longer planned.
    pub outdated: usize,
}

impl Stored {
    /// The text of a file that keeps the lines.
    #[must_use]
    pub fn kept(&self) -> String {
        let mut runs: Vec<Event> = Vec::new();
        for event in &self.events {
            if matches!(event, Event::Run { .. }) && !runs.contains(event) {
                runs.push(event.clone());
            }
        }
        let mut text = in_json(&Head { experiment: self.plan.fingerprint(), runs }) + "\n";
        for (job, planned) in self.plan.jobs.iter().enumerate() {
            if let Some(line) = self.lines.get(&planned.id) {
                // The number of the job comes first, the line follows.
                text += &format!("{{\"job\":{job},{}\n", &in_json(line)[1..]);
            }
        }
        text
    }
}

impl Kept {
    /// Reads a file for a plan.
    ///
    /// # Errors
    /// If it is no such file, or damaged.
    pub fn read(plan: Plan, path: &Path) -> Result<Kept, StoreError> {
        let texts = log::read(path)?.0;
        let wrong = |number: usize, what: &dyn std::fmt::Display| {
            StoreError::input(path, format!("line {}: {what}", number + 1))
        };
        let head = texts.first().ok_or_else(|| wrong(0, &"missing"))?;
        let head: Head = serde_json::from_str(head).map_err(|error| wrong(0, &error))?;
        let same_file = head.experiment == plan.fingerprint();
        let known: HashSet<String> = plan.jobs.iter().map(|job| job.id.clone()).collect();
        let (mut lines, mut outdated) = (HashMap::new(), 0);
        for (number, text) in texts.iter().enumerate().skip(1) {
            let mut value: Value = serde_json::from_str(text).map_err(|error| wrong(number, &error))?;
            let job = value.as_object_mut().and_then(|object| object.remove("job"));
            let job = job.and_then(|job| job.as_u64()).ok_or_else(|| wrong(number, &"no number of a job"))?;
            let mut line: Line = serde_json::from_value(value).map_err(|error| wrong(number, &error))?;
            let by_number = plan.jobs.get(job as usize).filter(|_| same_file);
            if let Some(job) = by_number.filter(|_| !known.contains(&line.id)) {
                line.id.clone_from(&job.id);
            }
            if !known.contains(&line.id) {
                outdated += 1;
            } else if lines.insert(line.id.clone(), line).is_some() {
                return Err(wrong(number, &"a second line of its job"));
            }
        }
        Ok(Kept { stored: Stored { plan, lines, events: head.runs }, outdated })
    }
}
