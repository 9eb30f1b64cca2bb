//! The results of a run, in a folder. The lines are the store; there is no database.
//!
//! | file | what is in it |
//! |---|---|
//! | `plan.json` | the experiment's text, size and part, and all jobs; written once, whole |
//! | `results.jsonl` | one line for each job that is done or void; appended, never changed |
//! | `attempts.jsonl` | what was begun, by which program and machine, and what died; appended |
//! | `lock` | held by the run that writes, by the operating system: a dead run holds nothing |
//!
//! A job is done when its line is in `results.jsonl`. What remains is what was planned minus what is
//! done; a run may die at any moment, and the next one goes on there. A line that a dying run left
//! unfinished at the end of a file is cut off when the next run opens it. `kept.rs` is the same in one
//! file, without the plan.

mod error;
mod folder;
mod kept;
mod log;
mod merge;
#[cfg(test)]
mod tests;

pub use error::StoreError;
pub use folder::{Attempts, Event, Folder, Plan, Results, Stored};
pub use kept::Kept;
pub use merge::{Merged, merge};
