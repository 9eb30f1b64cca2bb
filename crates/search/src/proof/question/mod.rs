//! From a goal to a report and a proof: what all proof-number searches share.
//!
//! | file | what is inside |
//! |---|---|
//! | `solve.rs` | asks as many questions as the goal needs and writes the report; the trait [`Solver`] |
//! | `work.rs` | the effort of a search: meter, observer, counters |
//! | `interval.rs` | what several answers say of a value together |
//! | `extract.rs` | the proof of an answered question |

mod extract;
mod interval;
mod solve;
mod work;

pub(super) use extract::{ProofSource, extract};
pub(crate) use interval::bounds_of_answer;
pub(super) use solve::{AnsweredQuestion, Solver, Verdict, prove, solve};
pub(super) use work::Work;
