//! One iteration of one thread: *gather* (descend, expand, estimate) and *apply* (back up the
//! estimate along the path).
//!
//! | file | contents |
//! |---|---|
//! | `shared.rs` | what all threads of a search read |
//! | `worker.rs` | the state of one thread |
//! | `select.rs` | the choice among the children of a node |
//! | `gather.rs` | descent, expansion, probes and playouts |
//! | `apply.rs` | the backup, and what a thread defers on a shared tree |

mod apply;
mod gather;
mod select;
mod shared;
mod worker;

pub(crate) use select::{compared, is_specialised};
pub(crate) use shared::Shared;
pub(crate) use worker::Worker;
