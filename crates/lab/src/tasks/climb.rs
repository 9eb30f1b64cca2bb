//! Hill climbing over two whole parameters of a solver, on one position (Zhang 2019, §3.3.6; see
//! [`hill_climb`]). The cost of a point is the number of nodes until the question is answered, infinite
//! beyond the limits.

use super::limits::Limits;
use super::solve::{SolveResult, SolveTask};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tesuji_agents::Access;
use tesuji_search::proof::{Climbed, hill_climb};

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
        let climbed = hill_climb((self.largest, self.largest), |e, d| -> Result<Option<u64>, String> {
            let task = SolveTask {
                game: self.game.clone(),
                moves: self.moves.clone(),
                agent: at_point(&self.climb, (e, d)),
                limits: self.limits,
                seed: self.seed,
                looks: Vec::new(),
                judge: None,
            };
            let result = task.run(access)?;
            let nodes = result.solved.then_some(result.nodes);
            found.insert((e, d), result);
            Ok(nodes)
        })?;
        let Climbed { e, d, nodes } = climbed.best;
        let best = found.get(&(e, d)).filter(|result| result.solved);
        let re_expansions = best.and_then(|result| result.figures.get("re-expansions").copied());
        let path = climbed.path.iter().map(|step| (step.e, step.d, step.nodes)).collect();
        Ok(ClimbResult { at: (e, d), nodes, re_expansions, tried: climbed.tried, path })
    }
}

#[cfg(test)]
mod tests {
    use super::{ClimbTask, at_point};
    use crate::tasks::limits::Limits;
    use tesuji_agents::Access;

    /// A small end of Othello by Deep df-pn: the point that is answered costs what it says.
    #[test]
    fn a_climb_answers_its_cheapest_point() {
        assert_eq!(at_point("vcdt(e={E},d={D})", (7, 4)), "vcdt(e=7,d=4)");
        let game = "othello(random_plies=50,seed=3)".to_string();
        let climb = "deep-df-pn(e={E},d={D},goal=\"first-wins\")".to_string();
        let limits = Limits { nodes: Some(100_000), ..Limits::default() };
        let task = ClimbTask { game, moves: Vec::new(), climb, limits, largest: 6, seed: 1 };
        let result = task.run(&Access::restricted()).expect("it climbs");
        assert!(result.tried >= 3 && result.path[0].0 == 2 && result.path[0].1 == 2, "{result:?}");
        let least = result.path.iter().filter_map(|(_, _, nodes)| *nodes).min();
        assert!(result.nodes.is_some() && result.nodes == least, "{result:?}");
    }
}
