//! The atomics of code that is also checked by loom, whose tests bring their own.

pub(crate) use std::sync::atomic::{AtomicU32, Ordering};
