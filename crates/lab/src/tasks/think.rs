//! One search of one position, and, if asked, what it would have played on the way.

mod below;

use super::limits::Limits;
use super::position::Begun;
use serde::{Deserialize, Serialize};
use tesuji_agents::Access;
use tesuji_core::{Observer, Pace, Report, Seed, StopFlag};

/// A position, an agent, its limits and the seed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThinkTask {
    /// The canonical game.
    pub game: String,
    /// Moves before the search.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
    /// The agent's canonical text.
    pub agent: String,
    /// The limits of the search.
    pub limits: Limits,
    /// Its seed.
    pub seed: u64,
    /// Look at the search after every this many iterations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub every: Option<u64>,
    /// Whether picks are dated by simulations, the visits of all moves of the root together, instead
    /// of iterations. They differ where an iteration simulates every child of the node that it
    /// expands (`expand=each`).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub simulations: bool,
    /// Moves whose visits and value are noted at every look. Several moves, separated by blanks, are
    /// the way to a node below: the search is then stopped at every look and goes on, which changes
    /// nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub watch: Vec<String>,
    /// Moves that are equally right: changes among them are not listed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alike: Vec<String>,
}

/// What the search answered.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThinkResult {
    /// The move it plays; nothing if it resigns.
    pub best: Option<String>,
    /// The value for the side to move.
    pub value: f64,
    /// Iterations done.
    pub iterations: u64,
    /// Positions entered.
    pub nodes: u64,
    /// Why it ended.
    pub stopped: String,
    /// The move it would have played, from the look at these iterations (or simulations) on, until
    /// the next entry: only changes are listed, and none between moves that are alike.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub picks: Vec<(u64, String)>,
    /// What was watched, at every look.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub series: Vec<Look>,
    /// The time of the search.
    pub seconds: f64,
}

/// Watched moves at one time.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Look {
    /// Iterations done.
    pub at: u64,
    /// The watched moves, in their order.
    pub moves: Vec<Watched>,
}

/// A watched move at one time. Values are for the side to move at the root.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Watched {
    /// How often it was tried.
    pub visits: u64,
    /// What it seems to be worth; nothing before the first visit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// The lower and upper confidence bound, where the search has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<(f64, f64)>,
}

impl ThinkTask {
    /// Searches.
    ///
    /// # Errors
    /// If the task is not possible, or an agent outside failed.
    pub fn run(&self, access: &Access) -> Result<ThinkResult, String> {
        let begun = Begun::new(&self.game, &self.moves, access)?;
        let mut agent = begun.agent(&self.agent, &self.limits, access)?;
        agent.begin(begun.start.as_ref(), &begun.moves).map_err(|error| error.to_string())?;
        let budget = self.limits.budget(&StopFlag::new())?;
        let (watched, alike) = (&self.watch[..], &self.alike[..]);
        let mut watcher = Watcher {
            every: self.every,
            simulations: self.simulations,
            watched,
            alike,
            picks: Vec::new(),
            series: Vec::new(),
        };
        let position = begun.position.as_ref();
        let report = match self.every {
            Some(every) if self.watch.iter().any(|path| path.split_whitespace().nth(1).is_some()) => {
                below::watch(agent.as_mut(), position, (&budget, Seed(self.seed)), every, &mut watcher)?
            }
            _ => {
                let report = agent.think(position, &budget, Seed(self.seed), &mut watcher);
                let report = report.map_err(|error| error.to_string())?;
                if self.every.is_some() {
                    watcher.progress(&report);
                }
                report
            }
        };
        let Watcher { picks, series, .. } = watcher;
        Ok(ThinkResult {
            value: report.value.for_player(report.turn),
            iterations: report.iterations,
            nodes: report.nodes,
            stopped: report.stopped.name().into(),
            picks,
            series,
            seconds: report.elapsed.as_secs_f64(),
            best: report.best,
        })
    }
}

/// Notes picks and watched moves.
struct Watcher<'a> {
    every: Option<u64>,
    simulations: bool,
    watched: &'a [String],
    alike: &'a [String],
    picks: Vec<(u64, String)>,
    series: Vec<Look>,
}

impl Watcher<'_> {
    /// Notes what the search would play now, and what `entry` says of the watched moves.
    fn note(&mut self, report: &Report<String>, entry: impl Fn(&String) -> Watched) {
        let pick = report.best.clone().unwrap_or_default();
        let same = |last: &String| *last == pick || (self.alike.contains(last) && self.alike.contains(&pick));
        if self.picks.last().is_none_or(|(_, last)| !same(last)) {
            let simulated = || report.root.iter().map(|entry| entry.visits).sum();
            self.picks.push((if self.simulations { simulated() } else { report.iterations }, pick));
        }
        if self.watched.is_empty() || self.series.last().is_some_and(|last| last.at == report.iterations) {
            return;
        }
        self.series.push(Look { at: report.iterations, moves: self.watched.iter().map(entry).collect() });
    }
}

impl Observer<String> for Watcher<'_> {
    fn pace(&self) -> Option<Pace> {
        self.every.map(Pace::Iterations)
    }

    fn progress(&mut self, report: &Report<String>) {
        self.note(report, |mv| {
            let found = report.root.iter().find(|entry| entry.mv == *mv);
            found.map_or_else(Watched::default, |entry| Watched {
                visits: entry.visits,
                value: entry.value.map(|value| value.for_player(report.turn)),
                confidence: entry.confidence.filter(|(low, high)| low.is_finite() && high.is_finite()),
            })
        });
    }
}

#[cfg(test)]
mod tests {
    use super::ThinkTask;
    use crate::tasks::limits::Limits;
    use tesuji_agents::Access;

    /// The trap tree has 20 moves, and the iteration that expands its root simulates all of them; the
    /// iterations after it simulate the 20 moves of a child each (Lin 2017 §3.4.2).
    #[test]
    fn simulations_are_those_of_the_root() {
        let task = ThinkTask {
            game: "trap".into(),
            moves: Vec::new(),
            agent: "mcts(select=ucb1(c=1.0),expand=each,leaf=random,decide=max,solver=false,ties=first)".into(),
            limits: Limits { iterations: Some(1), ..Limits::default() },
            seed: 1,
            every: Some(1),
            simulations: false,
            watch: Vec::new(),
            alike: Vec::new(),
        };
        let first = |task: &ThinkTask| task.run(&Access::restricted()).expect("a result").picks[0].0;
        assert_eq!(first(&task), 1);
        let simulated = ThinkTask { simulations: true, ..task.clone() };
        assert_eq!(first(&simulated), 20);
        let later =
            ThinkTask { every: Some(5), limits: Limits { iterations: Some(5), ..Limits::default() }, ..simulated };
        assert_eq!(first(&later), 100);
        let text = serde_json::to_string(&task).expect("it serialises");
        assert!(!text.contains("simulations"), "tasks that count iterations keep their ids: {text}");
    }
}
