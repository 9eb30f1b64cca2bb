//! Statistics of matches, solvers and sweeps.
//!
//! | question | file |
//! |---|---|
//! | how sure is a share of successes? | [`wilson`] |
//! | how much stronger is one agent, from games in pairs? | [`pairs`], [`elo`] |
//! | may the match stop? | [`sprt`] |
//! | how strong are the players of a pool? | [`bradley_terry`], with [`connectivity`] |
//! | does moving first help? are games repeated? | [`first_move`], [`duplicates`] |
//! | does B need less work than A on the same positions? | [`paired_t`], [`wilcoxon`], [`bootstrap`] |
//! | does B solve more of them? | [`mcnemar`], [`censored`] |
//! | which of many comparisons stand? | [`holm`] |
//! | how does the cost grow? | [`power_law`] |
//! | how do the numbers lie? | [`sample`], [`histogram`] |
//!
//! Estimates carry an [`Interval`] at a [`Confidence`]. The tests compare with scipy, statsmodels
//! and choix (`oracles/scipy_statistics.py`).

pub mod bootstrap;
pub mod bradley_terry;
pub mod censored;
mod confidence;
pub mod connectivity;
pub mod duplicates;
pub mod elo;
pub mod first_move;
pub mod histogram;
pub mod holm;
pub mod mcnemar;
pub mod paired_t;
pub mod pairs;
pub mod power_law;
pub mod sample;
pub mod sprt;
pub mod wilcoxon;
pub mod wilson;

pub use confidence::{Confidence, ConfidenceError, Interval};
