//! Hill climbing for Deep df-pn: tunes E and D by comparing neighbours.
//!
//! > from (2, 2): step to the cheaper of (E+1, D) and (E, D+1); stop where the step and both steps
//! > after it cost more; on a plateau of equal costs stop after a few steps and take its first
//! > point
//!
//! The cost of (E, D) is the number of nodes that Deep df-pn enters to answer the goal. A run that
//! reaches the node limit costs infinity.
//!
//! Reference: Zhang 2019, §3.3.6, algorithm 1. Deviations: the node limit is fixed by the caller,
//! so that two steps of look-ahead are possible; costs are cached, so no point runs twice; the
//! result is the best point met.

use super::DeepDfPn;
use crate::{Search, SearchError};
use std::collections::HashMap;
use tesuji_core::solver::Settings;
use tesuji_core::{Bounds, Budget, Goal, NoObserver, Seed, Studied};

/// The result of hill climbing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HillClimb {
    /// The best E.
    pub e: u32,
    /// The best D.
    pub d: u32,
    /// Nodes of the best point; `None` if no point answered the goal within the limit.
    pub nodes: Option<u64>,
    /// Number of points that were run.
    pub tried: u32,
}

/// Consecutive equal costs that make a plateau.
const PLATEAU: u32 = 3;
/// Upper limit of both parameters.
const MAX_PARAMETER: u32 = 64;

/// Climbs from (2, 2), with at most `nodes` nodes per run.
///
/// # Errors
/// If the game has ended or the search refuses it.
pub fn hill_climb<P: Studied>(root: &P, goal: Goal, base: Settings, nodes: u64) -> Result<HillClimb, SearchError> {
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
    while flat < PLATEAU && at.0 < MAX_PARAMETER && at.1 < MAX_PARAMETER {
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
    Ok(HillClimb { e, d, nodes: (nodes < u64::MAX).then_some(nodes), tried: costs.len() as u32 })
}
