//! The atomics of code that loom checks too; its tests replace this module.

pub(crate) use std::sync::atomic::{AtomicU32, Ordering};
