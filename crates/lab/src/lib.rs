//! Experiments on game search: what was measured, how sure it is, and a picture of it.
//!
//! | module | contents |
//! |---|---|
//! | [`statistics`] | intervals, tests, ratings and fits, one idea per file |
//! | [`plots`] | charts and boards as SVG text |
//!
//! Nothing here reads files, prints or knows a game.

pub mod plots;
pub mod statistics;
