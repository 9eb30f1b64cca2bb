//! What the tests of all crates share.
//!
//! | module | contents |
//! |---|---|
//! | [`data`] | positions with known answers: those in `data/`, and public sets outside of the repository |
//! | [`skipped`] | the one way for a test to pass without having tested |
//! | [`effort`] | how much a test does: a small share by default, everything on demand |
//! | [`judge`] | other programs' rules as judges: the Python scripts of `oracles/` |
//! | [`memory`] | an allocator that counts, by thread and by process |
//! | [`processor`] | processor time of a thread |
//! | [`screen`] | the screen of a terminal, as text and as SVG |
//! | [`figures`] | what a benchmark measured, compared with the committed result |

pub mod data;
pub mod effort;
pub mod figures;
pub mod judge;
pub mod memory;
pub mod processor;
pub mod screen;
pub mod skipped;

pub use data::{Json, Known, parse, public, vendored};
pub use effort::{setting, sized};
pub use skipped::skip;
