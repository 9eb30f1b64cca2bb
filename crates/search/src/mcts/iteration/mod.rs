//! One iteration of one thread: *gather* (descend, expand, estimate) and *apply* (back up the
//! estimate along the path).
//!
//! | file | contents |
//! |---|---|
//! | `shared.rs` | what all threads of a search read |
//! | `worker.rs` | the state of one thread |
//! | `select.rs` | the choice among the children of a node |
//! | `gather.rs` | descent, expansion, probes and playouts |
//! | `judged.rs` | leaves that a network judges |
//! | `apply.rs` | the backup, and what a thread defers on a shared tree |

mod apply;
mod gather;
mod judged;
mod select;
mod shared;
mod worker;

pub(crate) use judged::Deferred;
pub(crate) use select::{compared, first_play_urgency, is_specialised};
pub(crate) use shared::Shared;
pub(crate) use worker::Worker;
