//! What the kinds share that let agents search positions: every agent on every position, with every
//! seed.

use super::agents::{self, AgentText, Contestant, LimitsText};
use super::positions::{self, Case, Group, PositionText};
use super::seeds::seeds;
use crate::plan::{Planned, Problem, Setup};
use crate::tasks::Task;
use crate::tasks::limits::Limits;
use crate::tasks::position::Begun;
use crate::tasks::think::ThinkTask;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use tesuji_agents::{Access, AnyPosition};
use tesuji_core::Seed;
use toml::Spanned;

/// The common keys of a setup. A kind with further keys repeats these: serde cannot refuse unknown
/// keys of flattened types.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct SuiteText {
    pub agents: Spanned<Vec<AgentText>>,
    pub positions: Spanned<Vec<PositionText>>,
    #[serde(default)]
    pub limits: LimitsText,
    pub repeats: Option<Spanned<u32>>,
    pub seeds: Option<Spanned<Vec<u64>>>,
    pub most_positions: Option<u64>,
}

/// A label with the moves that are right in its position.
#[derive(Clone, Debug, Deserialize)]
pub struct Judged {
    /// The label.
    #[serde(flatten)]
    pub label: Label,
    /// The right moves.
    #[serde(default)]
    pub right: Vec<String>,
}

/// What a job's label says.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Label {
    /// Which agent.
    pub agent: usize,
    /// Which group of positions.
    pub group: usize,
    /// Which position of it.
    pub position: u64,
    /// Which repetition.
    pub repeat: usize,
}

/// How a search is looked at while it runs.
#[derive(Clone, Copy, Default)]
pub struct Looks<'a> {
    /// After how many iterations each; nothing: not at all.
    pub every: Option<u64>,
    /// Whether picks are dated by simulations instead of iterations.
    pub simulations: bool,
    /// Moves whose visits and value are noted.
    pub watch: &'a [String],
}

/// Agents, positions and seeds.
pub struct Suite {
    pub agents: Vec<Contestant>,
    pub groups: Vec<Group>,
    pub seeds: Vec<u64>,
    /// The positions of a group that are used, the first ones.
    most_positions: u64,
    access: Access,
}

impl Suite {
    /// Checks every agent on the first position of every group.
    ///
    /// # Errors
    /// The first problem.
    pub fn new(text: SuiteText, setup: &Setup<'_>) -> Result<Suite, Problem> {
        let SuiteText { agents: agent_texts, positions, limits, repeats, seeds: listed, most_positions } = text;
        let at_positions = positions.span();
        let (groups, firsts) = positions::read(positions.into_inner(), setup.seed, setup.access)?;
        let mut found: Option<Vec<Contestant>> = None;
        for begun in &firsts {
            let agents = agents::read(agent_texts.get_ref(), limits.into(), begun.position.as_ref(), setup.access)?;
            match &found {
                // What `auto` means may differ from game to game; a name stands for one agent.
                Some(earlier) if *earlier != agents => {
                    let what = "an agent is not the same in all positions; name it instead of auto";
                    return Err(Problem::at(&agent_texts, what));
                }
                _ => found = Some(agents),
            }
        }
        let nothing = || Problem { span: at_positions, what: "at least one position is needed".into() };
        let agents = found.ok_or_else(nothing)?;
        if agents.is_empty() {
            return Err(Problem::at(&agent_texts, "at least one agent is needed"));
        }
        let seeds = seeds(setup.seed, repeats.as_ref(), listed.as_ref())?;
        let most_positions = most_positions.unwrap_or(u64::MAX);
        Ok(Suite { agents, groups, seeds, most_positions, access: setup.access.clone() })
    }

    /// Checks that every group, read from the file at `at`, says which moves are right.
    ///
    /// # Errors
    /// The first group that does not.
    pub fn check_judged(&self, at: Range<usize>) -> Result<(), Problem> {
        let Some(group) = self.groups.iter().find(|group| !group.is_judged()) else { return Ok(()) };
        let what = format!("\"{}\" does not say which moves are right: right = [\"…\"], or right-by", group.name);
        Err(Problem { span: at, what })
    }

    /// Checks that an agent serves the first position of every group.
    ///
    /// # Errors
    /// The first that it does not.
    pub fn check_agent(&self, agent: &Spanned<String>) -> Result<(), Problem> {
        for group in &self.groups {
            let first = group.first(&self.access).map_err(|what| Problem::at(agent, what))?;
            let made = first.agent(agent.get_ref(), &Limits::default(), &self.access);
            made.map_err(|error| Problem::at(agent, error))?;
        }
        Ok(())
    }

    /// All jobs, each a search for a move, looked at while it runs.
    ///
    /// # Errors
    /// If a position cannot be made.
    pub fn searches(&self, looks: Looks<'_>) -> Result<Vec<Planned>, String> {
        let Looks { every, simulations, watch } = looks;
        self.jobs(|agent, case, seed, _| {
            Task::Think(ThinkTask {
                game: case.game.clone(),
                moves: case.moves.clone(),
                agent: agent.agent.clone(),
                limits: agent.limits,
                seed,
                every,
                simulations,
                watch: watch.to_vec(),
                // Only the searches that are looked at list changes.
                alike: if every.is_some() && case.right.len() > 1 { case.right.clone() } else { Vec::new() },
            })
        })
    }

    /// All jobs, round by round: every agent and group has one position and seed before any has another,
    /// and positions come in an order that has nothing to do with the list, so that the jobs done so
    /// far of an unfinished run are a fair sample of all.
    ///
    /// # Errors
    /// If a position cannot be made.
    pub fn jobs(&self, task: impl Fn(&Contestant, &Case, u64, &Label) -> Task) -> Result<Vec<Planned>, String> {
        let mut jobs = Vec::new();
        for (group_number, group) in self.groups.iter().enumerate() {
            for (position, case) in group.cases(self.most_positions, &self.access)?.iter().enumerate() {
                for (agent, contestant) in self.agents.iter().enumerate() {
                    let contestant = contestant.within(case.most_iterations);
                    for (repeat, seed) in self.seeds.iter().enumerate() {
                        let label = Label { agent, group: group_number, position: position as u64, repeat };
                        let task = task(&contestant, case, *seed, &label);
                        let mut label = serde_json::to_value(label).expect("labels serialise");
                        if !case.right.is_empty() {
                            label["right"] = serde_json::json!(case.right);
                        }
                        jobs.push((round(repeat, position), Planned::new(label, task)));
                    }
                }
            }
        }
        Ok(by_rounds(jobs))
    }

    /// The first position of a group.
    pub fn first_position(&self, group: usize) -> Option<Box<dyn AnyPosition>> {
        let case = self.groups.get(group)?.cases(1, &self.access).ok()?.into_iter().next()?;
        Begun::new(&case.game, &case.moves, &self.access).ok().map(|begun| begun.position)
    }

    /// The letters that the agents sweep, if all that sweep any have the same.
    pub fn swept(&self) -> Vec<&str> {
        let letters = |agent: &Contestant| agent.swept.iter().map(|(letter, _)| letter.clone()).collect::<Vec<_>>();
        let mut sweeping = self.agents.iter().filter(|agent| !agent.swept.is_empty());
        let Some(first) = sweeping.next() else { return Vec::new() };
        let alike = sweeping.all(|agent| letters(agent) == letters(first));
        if alike { first.swept.iter().map(|(letter, _)| letter.as_str()).collect() } else { Vec::new() }
    }

    /// The name of an agent on a group of positions; the group is left out where there is one.
    pub fn name(&self, agent: usize, group: usize) -> String {
        let agent = &self.agents[agent].name;
        if self.groups.len() == 1 { agent.clone() } else { format!("{agent}, {}", self.groups[group].name) }
    }

    /// All agents on all groups.
    pub fn all(&self) -> impl Iterator<Item = (usize, usize)> {
        let agents = self.agents.len();
        (0..self.groups.len()).flat_map(move |group| (0..agents).map(move |agent| (agent, group)))
    }
}

/// The round of a position: lists are often sorted by difficulty, and rounds are not.
pub fn round(repeat: usize, position: usize) -> (usize, u64) {
    (repeat, Seed(position as u64).derive(1).0)
}

/// Jobs in the order of their rounds; those of one round stay as they are.
pub fn by_rounds<R: Ord>(mut jobs: Vec<(R, Planned)>) -> Vec<Planned> {
    jobs.sort_by(|(one, _), (other, _)| one.cmp(other));
    jobs.into_iter().map(|(_, job)| job).collect()
}
