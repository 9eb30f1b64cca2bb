//! Hill climbing for Deep df-pn: good E and D by trying neighbours.
//!
//! > from (2, 2): step to (E+1, D) or (E, D+1), whichever needs fewer nodes; stop where the step and both steps after it
//! > are worse; on a plateau of equal values stop after a while and take its first point
//!
//! The cost of (E, D) is the number of nodes that Deep df-pn enters to answer the goal; what needs more than
//! the limit is given up there, and counts as infinite.
//!
//! Reference: Zhang 2019, §3.3.6, algorithm 1. Deviations: the limit of nodes stays what the caller set, so that
//! looking two steps ahead is possible; costs are kept, so no point is tried twice; the best point met is answered.

use super::DeepDfPn;
use super::thresholds::Settings;
use crate::{Search, SearchError};
use std::collections::HashMap;
use tesuji_core::{Bounds, Budget, Goal, NoObserver, Seed, Studied, Undoable};

/// What hill climbing found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Climbed {
    /// The best E.
    pub e: u32,
    /// The best D.
    pub d: u32,
    /// The nodes it needs; nothing if no point answered within the limit.
    pub nodes: Option<u64>,
    /// How many points were tried.
    pub tried: u32,
}

/// Equal values in a row that make a plateau.
const PLATEAU: u32 = 3;
/// No parameter grows beyond this.
const MOST: u32 = 64;

/// Climbs from (2, 2), with at most `nodes` nodes for a try.
///
/// # Errors
/// If the game has ended or cannot be searched.
pub fn climb<P: Undoable + Studied>(root: &P, goal: Goal, base: Settings, nodes: u64) -> Result<Climbed, SearchError> {
    let mut costs: HashMap<(u32, u32), u64> = HashMap::new();
    let mut cost = |(e, d): (u32, u32)| -> Result<u64, SearchError> {
        if let Some(known) = costs.get(&(e, d)) {
            return Ok(*known);
        }
        let budget = Budget { nodes: Some(nodes), ..Budget::default() };
        let mut search = DeepDfPn::new(Settings { e: f64::from(e), d, ..base }, goal);
        let report = search.search(root, &budget, Seed(0), &mut NoObserver)?;
        let answered = report.stopped == tesuji_core::StopReason::Finished && report.bounds != Bounds::UNKNOWN;
        let found = if answered { report.nodes } else { u64::MAX };
        costs.insert((e, d), found);
        Ok(found)
    };
    let (mut at, mut flat) = ((2, 2), 0);
    let mut best = (cost(at)?, at);
    while flat < PLATEAU && at.0 < MOST && at.1 < MOST {
        let (wider, deeper) = ((at.0 + 1, at.1), (at.0, at.1 + 1));
        let next = if cost(wider)? <= cost(deeper)? { wider } else { deeper };
        let (here, there) = (cost(at)?, cost(next)?);
        let worse = there > here && cost((next.0 + 1, next.1))? > there && cost((next.0, next.1 + 1))? > there;
        if worse || (there == u64::MAX && here != u64::MAX) {
            break;
        }
        flat = if there == here { flat + 1 } else { 0 };
        at = next;
        if there < best.0 {
            best = (there, at);
        }
    }
    let (nodes, (e, d)) = best;
    Ok(Climbed { e, d, nodes: (nodes < u64::MAX).then_some(nodes), tried: costs.len() as u32 })
}
