//! Several threads: on one tree, on trees of their own, or at one leaf.
//!
//! * `tree`: all threads share the tree. A *virtual loss* marks descents under way, so that threads
//!   spread. Chaslot, Winands & van den Herik 2008; Enzenberger & Müller 2010 without locks.
//! * `root`: the threads share nothing; the root statistics are added up at the end. Cazenave &
//!   Jouandeau 2007.
//! * `leaf`: one descent; each thread plays out from the same leaf. Cazenave & Jouandeau 2007.
//!
//! One thread is repeatable to the bit, and so are `root` and `leaf` with a fixed number of threads
//! and iterations; `tree` is not.
//!
//! | file | contents |
//! |---|---|
//! | `mode.rs` | the three modes |
//! | `counters.rs` | iterations and nodes counted by all threads of a tree |
//! | `cache.rs` | each thread's cache of the statistics near the root |
//! | `leaf_pool.rs` | the threads of leaf parallelism |
//!
//! Root parallelism is in `driver/root_parallel.rs`.

mod cache;
mod counters;
mod leaf_pool;
mod mode;

pub(crate) use cache::{CacheSize, CachedChild, StatisticsCache};
pub(crate) use counters::{BATCH, CachePadded, SharedCounters};
pub(crate) use leaf_pool::LeafPool;
pub use mode::Parallel;
