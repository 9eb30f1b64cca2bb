//! Hill climbing over two whole parameters of a solver, on one position (Zhang 2019, §3.3.6,
//! algorithm 1).
//!
//! > from (2, 2): step to the cheaper of (E+1, D) and (E, D+1); stop where the step and both steps
//! > after it cost more; on a flat of equal costs stop after a few steps
//!
//! The cost of a point is the number of nodes until the question is answered, infinite beyond the
//! limit. Deviations: the limit stays, where the source lowers it to the cost of the last point; a flat
//! is [`FLAT`] equal costs in a row, which the source does not number; the answer is the cheapest point
//! met. Infinite neighbours do not end the climb, but a flat of them does.

use super::limits::Limits;
use super::solve::{SolveResult, SolveTask};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tesuji_agents::Access;

/// Equal costs in a row that make a flat.
const FLAT: u32 = 3;

/// A position, a solver with `{E}` and `{D}` in its text, and the limits of each of its searches.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClimbTask {
    /// The canonical game.
    pub game: String,
    /// Moves before the search.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
    /// The solver.
    pub climb: String,
    /// The limits of one search.
    pub limits: Limits,
    /// The largest E and D.
    pub largest: u32,
    /// The seed of all searches.
    pub seed: u64,
}

/// Where the climb ended.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClimbResult {
    /// E and D of the cheapest point.
    pub at: (u32, u32),
    /// Its nodes; nothing if no point answered within the limits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Positions that it expanded again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub re_expansions: Option<f64>,
    /// Points that were searched.
    pub tried: u32,
    /// The steps: E, D, and nodes where they are finite.
    pub path: Vec<(u32, u32, Option<u64>)>,
}

/// The text of a solver at a point.
#[must_use]
pub fn at_point(text: &str, (e, d): (u32, u32)) -> String {
    text.replace("{E}", &e.to_string()).replace("{D}", &d.to_string())
}

impl ClimbTask {
    /// Climbs.
    ///
    /// # Errors
    /// If the task is not possible.
    pub fn run(&self, access: &Access) -> Result<ClimbResult, String> {
        let mut found: BTreeMap<(u32, u32), SolveResult> = BTreeMap::new();
        let Climbed { at, tried, path } = climb(self.largest, &mut |point| {
            let task = SolveTask {
                game: self.game.clone(),
                moves: self.moves.clone(),
                agent: at_point(&self.climb, point),
                limits: self.limits,
                seed: self.seed,
                looks: Vec::new(),
                judge: None,
            };
            let result = task.run(access)?;
            let nodes = result.solved.then_some(result.nodes);
            found.insert(point, result);
            Ok(nodes)
        })?;
        let best = found.get(&at).filter(|result| result.solved);
        let re_expansions = best.and_then(|result| result.figures.get("re-expansions").copied());
        Ok(ClimbResult { at, nodes: best.map(|result| result.nodes), re_expansions, tried, path })
    }
}

struct Climbed {
    at: (u32, u32),
    tried: u32,
    path: Vec<(u32, u32, Option<u64>)>,
}

/// Climbs over any cost; `None` is infinite. No point is asked for twice.
fn climb(largest: u32, cost: &mut dyn FnMut((u32, u32)) -> Result<Option<u64>, String>) -> Result<Climbed, String> {
    let mut known: BTreeMap<(u32, u32), u64> = BTreeMap::new();
    let mut cost = |point: (u32, u32)| -> Result<u64, String> {
        if let Some(known) = known.get(&point) {
            return Ok(*known);
        }
        let found = cost(point)?.unwrap_or(u64::MAX);
        known.insert(point, found);
        Ok(found)
    };
    let (mut at, mut flat) = ((2, 2), 0);
    let mut here = cost(at)?;
    let mut path = vec![(at, here)];
    while flat < FLAT && at.0 < largest && at.1 < largest {
        let (wider, deeper) = ((at.0 + 1, at.1), (at.0, at.1 + 1));
        let next = if cost(wider)? <= cost(deeper)? { wider } else { deeper };
        let there = cost(next)?;
        if there > here && cost((next.0 + 1, next.1))? > there && cost((next.0, next.1 + 1))? > there {
            break;
        }
        flat = if there == here { flat + 1 } else { 0 };
        (at, here) = (next, there);
        path.push((at, here));
    }
    let best = path.iter().min_by_key(|(_, cost)| *cost).map_or((2, 2), |(at, _)| *at);
    let finite = |cost: u64| (cost < u64::MAX).then_some(cost);
    let path = path.into_iter().map(|((e, d), cost)| (e, d, finite(cost))).collect();
    Ok(Climbed { at: best, tried: known.len() as u32, path })
}

#[cfg(test)]
mod tests {
    use super::{at_point, climb};

    fn climbed(cost: impl Fn(u32, u32) -> Option<u64>) -> ((u32, u32), u32) {
        let climbed = climb(50, &mut |(e, d)| Ok(cost(e, d))).expect("costs are known");
        (climbed.at, climbed.tried)
    }

    #[test]
    fn a_valley_is_found() {
        let (at, tried) = climbed(|e, d| Some(u64::from(e.abs_diff(7) + 3 * d.abs_diff(4)) + 1));
        assert_eq!(at, (7, 4));
        assert!(tried < 30, "{tried}");
    }

    /// Zhang's node(E', D') is infinite beyond the limit, and line 8 cannot hold there: nothing is
    /// more. The climb goes on to the valley behind.
    #[test]
    fn infinite_neighbours_do_not_end_it() {
        let (at, _) = climbed(|e, d| match (e, d) {
            (2, 2) => Some(100),
            (3, 2) | (2, 3) => None,
            _ => Some(40 + u64::from(e.abs_diff(5) + d.abs_diff(3))),
        });
        assert_eq!(at, (5, 3));
    }

    /// Two steps of look-ahead pass a bump of one point; a flat ends the climb at its first point.
    #[test]
    fn bumps_are_passed_and_flats_end_it() {
        let (at, _) = climbed(|e, _| Some(if e == 3 { 12 } else { 10_u64.saturating_sub(u64::from(e)).max(2) }));
        assert_eq!(at.0, 8, "2 costs from E = 8 on");
        assert_eq!(climbed(|_, _| None), ((2, 2), 7), "nothing is answered: three steps on the flat");
        assert_eq!(at_point("vcdt(e={E},d={D})", (7, 4)), "vcdt(e=7,d=4)");
    }
}
