//! Experiments as data, and the jobs they consist of.
//!
//! | file | what is in it |
//! |---|---|
//! | `experiment.rs` | experiment files, read and checked |
//! | `problem.rs` | mistakes in them, with line and column |
//! | `job.rs` | jobs, their labels, parts of a plan |
//! | `library.rs` | the experiments of this repository, by id |

mod experiment;
mod job;
pub mod library;
mod problem;
#[cfg(test)]
mod tests;

pub use experiment::{Experiment, Published, Setup, Size, fingerprint};
pub use job::{Part, Planned};
pub use problem::{FileProblem, Problem};
