//! Hill climbing for Deep df-pn: tunes E and D by comparing neighbours.
//!
//! > from (2, 2): step to the cheaper of (E+1, D) and (E, D+1), to the former if they are equal; stop
//! > where the step and both steps after it cost more; on a plateau of equal costs stop after a few
//! > steps and take its first point
//!
//! The cost of (E, D) is the number of nodes that a solver enters to answer its question, and
//! infinite if it does not within its limit. The solver is the caller's: Deep df-pn, or the same
//! with the knowledge of a game. A step to an infinite cost is one like any other: it is more than
//! a finite cost, and two infinite costs are equal, so the climb goes on behind it.
//!
//! Reference: Zhang 2019, §3.3.6, algorithm 1. Deviations: the limit is the caller's and stays, while
//! the algorithm lowers it to the cost of the last step, after which most costs are infinite; costs
//! are cached, so no point runs twice; the result is the best point met, where the algorithm returns
//! its last.

use std::collections::HashMap;

/// Consecutive equal costs that make a plateau.
const PLATEAU: u32 = 3;

/// A point and its cost; no cost is infinite.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Climbed {
    /// E.
    pub e: u32,
    /// D.
    pub d: u32,
    /// Nodes of the solver; `None` if it did not answer within its limit.
    pub nodes: Option<u64>,
}

/// The result of hill climbing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HillClimb {
    /// The best point met, the first of equal ones.
    pub best: Climbed,
    /// The points stepped on, from (2, 2).
    pub path: Vec<Climbed>,
    /// Number of points that were run.
    pub tried: u32,
}

/// Climbs from (2, 2), with E and D up to `most`.
///
/// ```
/// use tesuji_search::proof::hill_climb;
///
/// // A valley at E = 5, D = 3.
/// let cost = |e: u32, d: u32| Ok::<_, String>(Some(u64::from(10 + 7 * e.abs_diff(5) + 9 * d.abs_diff(3))));
/// let climbed = hill_climb((20, 15), cost).unwrap();
/// assert_eq!((climbed.best.e, climbed.best.d, climbed.best.nodes), (5, 3, Some(10)));
/// ```
///
/// # Errors
/// The first error of `cost`.
pub fn hill_climb<F>(
    most: (u32, u32),
    mut cost: impl FnMut(u32, u32) -> Result<Option<u64>, F>,
) -> Result<HillClimb, F> {
    let mut costs: HashMap<(u32, u32), u64> = HashMap::new();
    let mut known = |(e, d): (u32, u32)| -> Result<u64, F> {
        if e > most.0 || d > most.1 {
            return Ok(u64::MAX);
        }
        if let Some(known) = costs.get(&(e, d)) {
            return Ok(*known);
        }
        let found = cost(e, d)?.unwrap_or(u64::MAX);
        costs.insert((e, d), found);
        Ok(found)
    };
    let climbed = |(e, d): (u32, u32), nodes: u64| Climbed { e, d, nodes: (nodes < u64::MAX).then_some(nodes) };
    let (mut at, mut flat) = ((2, 2), 0);
    let mut here = known(at)?;
    let mut best = (here, at);
    let mut path = vec![climbed(at, here)];
    while flat < PLATEAU {
        let (wider, deeper) = ((at.0 + 1, at.1), (at.0, at.1 + 1));
        let next = match (wider.0 <= most.0, deeper.1 <= most.1) {
            (false, false) => break,
            (true, true) if known(wider)? > known(deeper)? => deeper,
            (wide, _) => {
                if wide {
                    wider
                } else {
                    deeper
                }
            }
        };
        let there = known(next)?;
        if there > here && known((next.0 + 1, next.1))? > there && known((next.0, next.1 + 1))? > there {
            break;
        }
        flat = if there == here { flat + 1 } else { 0 };
        (at, here) = (next, there);
        path.push(climbed(at, here));
        if there < best.0 {
            best = (there, at);
        }
    }
    let (nodes, at) = best;
    Ok(HillClimb { best: climbed(at, nodes), path, tried: costs.len() as u32 })
}

#[cfg(test)]
mod tests {
    use super::{HillClimb, hill_climb};

    fn climb(cost: impl Fn(u32, u32) -> Option<u64>) -> HillClimb {
        hill_climb((1000, 1000), |e, d| Ok::<_, ()>(cost(e, d))).expect("costs are known")
    }

    fn best(climbed: &HillClimb) -> (u32, u32, Option<u64>) {
        (climbed.best.e, climbed.best.d, climbed.best.nodes)
    }

    /// Tables 3.2 and 3.3, position 1: the best point is (17, 4) with 5,568 nodes, and hill climbing
    /// ends at (7, 4) with 10,529. The other costs are planted.
    #[test]
    fn it_ends_where_the_table_says() {
        let cost = |e: u32, d: u32| match (e, d) {
            (17, 4) => Some(5_568),
            (7, 4) => Some(10_529),
            _ => Some(10_530 + 1_000 * u64::from(e.abs_diff(7) + d.abs_diff(4))),
        };
        assert_eq!(best(&climb(cost)), (7, 4, Some(10_529)));
    }

    /// "To avoid the noise effect … this method is implemented to ignore some local optimums": one
    /// step up is taken if a further one leads down.
    #[test]
    fn it_crosses_a_bump_and_no_more() {
        let cost =
            |bump: u32| move |e: u32, d: u32| Some(u64::from(1_000 - 10 * e + 90 * d + if e == bump { 15 } else { 0 }));
        let crossed = climb(|e, d| if e > 12 { Some(5_000 + u64::from(e + d)) } else { cost(5)(e, d) });
        assert_eq!((crossed.best.e, crossed.best.d), (12, 2));
        assert!(crossed.path.iter().any(|point| point.e == 5));
        // Two worse points in a row end it.
        let wall = climb(|e, d| if e < 5 { cost(0)(e, d) } else { Some(5_000 + u64::from(10 * e + d)) });
        assert_eq!((wall.best.e, wall.best.d), (4, 2));
    }

    /// It once stopped at the first neighbour that did not answer within the limit.
    #[test]
    fn it_goes_on_behind_infinite_neighbours() {
        let cost = |e: u32, d: u32| match e {
            2..=3 => Some(u64::from(900 - e + 10 * d)),
            4..=5 => None,
            6..=8 => Some(u64::from(500 - e + 10 * d)),
            _ => Some(u64::from(2_000 + e + d)),
        };
        let climbed = climb(|e, d| if d > 2 { None } else { cost(e, d) });
        assert_eq!((climbed.best.e, climbed.best.d), (8, 2), "{climbed:?}");
        assert!(climbed.path.iter().any(|point| point.nodes.is_none()));
        assert_eq!(best(&climb(|_, _| None)), (2, 2, None), "a plateau without an answer ends");
    }

    /// It once had caps of 64 and of 16 and 40.
    #[test]
    fn it_climbs_as_far_as_it_pays() {
        let climbed = climb(|e, d| Some(u64::from(10_000 - 3 * e.min(200) - 5 * d.min(90) + e.abs_diff(200) / 300)));
        assert_eq!((climbed.best.e, climbed.best.d), (200, 90));
        let capped = hill_climb((20, 15), |e, d| Ok::<_, ()>(Some(u64::from(1_000 - e - d)))).expect("costs are known");
        assert_eq!((capped.best.e, capped.best.d), (20, 15), "the caller's own limits hold");
        assert!(capped.path.iter().all(|point| point.e <= 20 && point.d <= 15 && point.nodes.is_some()));
    }

    /// The first point of a plateau, and no point twice.
    #[test]
    fn a_plateau_ends_it_at_its_first_point() {
        let climbed = climb(|e, d| Some(u64::from(100 - e.min(5) - d.min(2))));
        assert_eq!((climbed.best.e, climbed.best.d), (5, 2));
        let mut runs = std::collections::HashMap::new();
        let counted = hill_climb((50, 50), |e, d| {
            *runs.entry((e, d)).or_insert(0) += 1;
            Ok::<_, ()>(Some(u64::from(e + d)))
        });
        assert_eq!(counted.expect("costs are known").tried as usize, runs.len());
        assert!(runs.values().all(|count| *count == 1));
    }
}
