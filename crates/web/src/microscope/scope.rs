//! One tree under the microscope.
//!
//! The search is kept as it stopped. An earlier iteration is the same search, run again by its seed
//! up to there: with one thread and no time limit that is the same tree to the bit (decision 16). Two
//! such trees are kept, one before and one after the iteration that is looked at, so that the next
//! iteration costs one iteration, and an earlier one a search up to it.

use super::told;
use crate::api::{
    IterationStep, Iterations, NewSession, NewTree, Trace, TraceLook, TraceValue, Tree, TreeNode, TreePart,
};
use crate::document;
use crate::kept::{Game, locked};
use crate::refusal::Refusal;
use crate::server::Shared;
use crate::state::{self, side};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tesuji_agents::{
    Access, AnyPosition, ChildFilter, ExportLimits, IterationRecord, KeptTree, NodeError, agent_for, canonical_agent,
    short_agent,
};
use tesuji_core::spec::Spec;
use tesuji_core::{Budget, InOrder, NoObserver, Report, Seed, StopFlag, StopReason};
use tesuji_search::SearchError;

/// The last iteration that can be looked at by itself.
const MOST_STEPS: u64 = 100_000;
/// The most nodes of a path whose children are told, and the most children of each.
const MOST_CHOICES: usize = 24;
const MOST_CHILDREN: usize = 400;

/// What a request may use.
pub(super) struct Caps {
    pub time: Duration,
    pub bytes: u64,
    pub stop: StopFlag,
}

/// How a tree is grown from nothing.
struct Recipe {
    position: Box<dyn AnyPosition>,
    agent: Spec,
    seed: Seed,
}

/// A tree that is kept.
pub(super) struct Scope {
    recipe: Recipe,
    document: String,
    canonical: Spec,
    report: Report<String>,
    tree: KeptTree,
    /// Whether the same seed and iterations give the same tree.
    exact: bool,
    before: Option<KeptTree>,
    after: Option<KeptTree>,
}

fn failed(error: &SearchError) -> Refusal {
    let message = error.to_string();
    match error {
        SearchError::Ended | SearchError::Unsupported(_) => Refusal::unsupported(message),
        SearchError::OutOfBudget(_) => Refusal::too_slow(message),
        SearchError::Failed(_) => Refusal::internal(message),
    }
}

fn no_node(error: &NodeError) -> Refusal {
    match error {
        NodeError::Move { .. } => Refusal::illegal_move(error.to_string()),
        NodeError::Unknown { .. } => Refusal::not_found(error.to_string()),
    }
}

/// Whether a search ended where any search of its seed does.
fn is_exact(report: &Report<String>) -> bool {
    !matches!(report.stopped, StopReason::Time | StopReason::Asked)
}

impl Caps {
    /// A third of the bytes: a search is kept up to three times.
    fn budget(&self, iterations: u64) -> Budget {
        Budget {
            hard_time: Some(self.time),
            memory: Some((self.bytes / 3).max(1 << 20)),
            stop: self.stop.clone(),
            ..Budget::iterations(iterations)
        }
    }
}

impl Recipe {
    fn grow(&self, iterations: u64, caps: &Caps) -> Result<(Report<String>, KeptTree), Refusal> {
        let wrong = |error| Refusal::spec("the agent", &error);
        let position = self.position.as_ref();
        let mut agent = position.agent_with(&self.agent, &Access::restricted()).map_err(wrong)?;
        agent.begin(position, &[]).map_err(|error| failed(&error))?;
        agent
            .explore(position, &caps.budget(iterations), self.seed, &mut InOrder(NoObserver))
            .map_err(|error| failed(&error))
    }

    /// A tree of this number of iterations: a smaller one that grows, or a new one.
    fn at(&self, kept: Option<KeptTree>, iterations: u64, caps: &Caps) -> Result<KeptTree, Refusal> {
        let (report, tree) = match kept {
            Some(tree) if tree.iterations() == iterations => return Ok(tree),
            Some(mut tree) if tree.iterations() < iterations => {
                let budget = caps.budget(iterations - tree.iterations());
                (tree.more(&budget, &mut InOrder(NoObserver)).map_err(|error| failed(&error))?, tree)
            }
            _ => self.grow(iterations, caps)?,
        };
        match is_exact(&report) {
            true => Ok(tree),
            false => Err(Refusal::too_slow("the iterations before this one take too long on this server")),
        }
    }
}

impl Scope {
    /// Searches what a request asks for.
    pub(super) fn begin(shared: &Shared, request: &NewTree, iterations: u64, caps: Caps) -> Result<Scope, Refusal> {
        let kept = match (&request.session, &request.document) {
            (Some(id), None) => shared.store.find(id)?,
            (None, Some(document)) => {
                let request = NewSession { document: Some(document.clone()), ..NewSession::default() };
                Arc::new(Mutex::new(Game::begin(&request)?))
            }
            _ => return Err(Refusal::bad_request("expected either a session or a document")),
        };
        let game = locked(&kept);
        let (first, steps) = (game.session.first_position(), game.session.history());
        let position = state::replayed(first, &steps, request.at)?.position;
        let at = request.at.unwrap_or(steps.len());
        let document = document::write(game.session.game(), first, &steps[..at]);
        let wrong = |error| Refusal::spec("the agent", &error);
        let asked = request.agent.as_deref().unwrap_or("mcts").parse().map_err(wrong)?;
        let agent = agent_for(&asked, position.as_ref()).map_err(wrong)?;
        let canonical = canonical_agent(&agent).map_err(wrong)?;
        drop(game);
        let recipe = Recipe { position, agent, seed: Seed(request.seed.unwrap_or(1)) };
        let (report, tree) = recipe.grow(iterations, &caps)?;
        let exact = is_exact(&report);
        Ok(Scope { recipe, document, canonical, report, tree, exact, before: None, after: None })
    }

    /// The bytes of its trees.
    pub(super) fn bytes(&self) -> u64 {
        let kept = 1 + u64::from(self.before.is_some()) + u64::from(self.after.is_some());
        self.report.memory_bytes * kept
    }

    fn no_steps(&self) -> Option<String> {
        if !self.exact {
            return Some("the search was cut off by time, so that it cannot be repeated".into());
        }
        None
    }

    pub(super) fn told(&self, id: String) -> Tree {
        let Scope { recipe, report, .. } = self;
        Tree {
            id,
            document: self.document.clone(),
            sides: state::sides(recipe.position.sides()),
            agent: self.canonical.to_string(),
            short: short_agent(&self.canonical).to_string(),
            seed: recipe.seed.0,
            turn: side(report.turn),
            iterations: self.tree.iterations(),
            nodes: self.tree.nodes(),
            memory_bytes: report.memory_bytes,
            best: report.best.clone(),
            value: told::tidy(report.value.for_player(report.turn)),
            bounds: told::interval(report.bounds, report.turn),
            steps: if self.exact { self.tree.iterations().min(MOST_STEPS) } else { 0 },
            no_steps: self.no_steps(),
            stopped: report.stopped.to_string(),
        }
    }

    /// Searches on.
    pub(super) fn more(&mut self, iterations: u64, caps: Caps) -> Result<(), Refusal> {
        self.report =
            self.tree.more(&caps.budget(iterations), &mut InOrder(NoObserver)).map_err(|error| failed(&error))?;
        self.exact &= is_exact(&self.report);
        Ok(())
    }

    fn check(&self, iteration: u64) -> Result<(), Refusal> {
        if let Some(why) = self.no_steps() {
            return Err(Refusal::unsupported(why));
        }
        let most = self.tree.iterations().min(MOST_STEPS);
        match iteration {
            0 => Ok(()),
            _ if iteration <= most => Ok(()),
            _ => Err(Refusal::not_found(format!("single iterations can be looked at up to {most}"))),
        }
    }

    /// The tree at an iteration, or at the end.
    fn tree_at(&mut self, iteration: Option<u64>, caps: &Caps) -> Result<&KeptTree, Refusal> {
        let Some(iteration) = iteration.filter(|iteration| *iteration != self.tree.iterations()) else {
            return Ok(&self.tree);
        };
        self.check(iteration)?;
        let is_there = |tree: &Option<KeptTree>| tree.as_ref().is_some_and(|tree| tree.iterations() == iteration);
        if !is_there(&self.before) && !is_there(&self.after) {
            self.after = Some(self.recipe.at(self.after.take(), iteration, caps)?);
        }
        let found = if is_there(&self.after) { &self.after } else { &self.before };
        Ok(found.as_ref().expect("it is there"))
    }

    pub(super) fn node(
        &mut self,
        moves: &[String],
        (limit, min_visits): (usize, u64),
        iteration: Option<u64>,
        caps: Caps,
    ) -> Result<TreeNode, Refusal> {
        let wanted = ChildFilter { limit: limit.min(MOST_CHILDREN), min_visits };
        let tree = self.tree_at(iteration, &caps)?;
        let view = tree.node(moves, &wanted).map_err(|error| no_node(&error))?;
        Ok(told::node(tree, &view))
    }

    pub(super) fn part(
        &mut self,
        moves: &[String],
        (depth, nodes, min_visits): (usize, usize, u64),
        iteration: Option<u64>,
        caps: Caps,
    ) -> Result<TreePart, Refusal> {
        let limits = ExportLimits { depth, children: ChildFilter { limit: MOST_CHILDREN, min_visits }, nodes };
        let tree = self.tree_at(iteration, &caps)?;
        let nodes = tree.export(moves, &limits).map_err(|error| no_node(&error))?;
        Ok(told::part(tree, &nodes))
    }

    /// Brings the tree after an iteration to the one before it, and does that iteration.
    fn record(&mut self, iteration: u64, caps: &Caps) -> Result<Option<IterationRecord<String>>, Refusal> {
        let mut tree = self.recipe.at(self.after.take(), iteration - 1, caps)?;
        let record = tree.step(&caps.stop).map_err(|error| failed(&error))?;
        self.after = Some(tree);
        Ok(record)
    }

    /// One iteration, from 1.
    pub(super) fn step(&mut self, iteration: u64, caps: Caps) -> Result<IterationStep, Refusal> {
        self.check(iteration)?;
        if iteration == 0 {
            return Err(Refusal::bad_request("the first iteration is 1"));
        }
        let nothing = || Refusal::not_found("the search had nothing left to do: the root is proved");
        let record = self.record(iteration, &caps)?.ok_or_else(nothing)?;
        let before = self.recipe.at(self.before.take(), iteration - 1, &caps)?;
        let wanted = ChildFilter { limit: MOST_CHILDREN, min_visits: 0 };
        let moves: Vec<String> = record.path.iter().filter_map(|node| node.mv.clone()).collect();
        let mut choices = Vec::new();
        for depth in 0..record.path.len().min(MOST_CHOICES) {
            // The new node is not in the tree before.
            let Ok(view) = before.node(&moves[..depth], &wanted) else { break };
            choices.push(told::node(&before, &view));
        }
        self.before = Some(before);
        Ok(told::step(self.recipe.position.as_ref(), &record, choices))
    }

    /// Iterations from one to another.
    pub(super) fn records(&mut self, from: u64, to: u64, caps: Caps) -> Result<Iterations, Refusal> {
        self.check(to)?;
        let mut records = Vec::new();
        for iteration in from..=to {
            match self.record(iteration, &caps)? {
                Some(record) => records.push(told::iteration(self.recipe.position.as_ref(), &record)),
                None => break,
            }
        }
        Ok(Iterations { records })
    }

    /// Nodes over time: the search once more, stopped at every look.
    pub(super) fn trace(&self, paths: Vec<String>, looks: u64, to: Option<u64>, caps: Caps) -> Result<Trace, Refusal> {
        let all = to.unwrap_or(u64::MAX).min(self.tree.iterations()).clamp(1, MOST_STEPS);
        self.check(all)?;
        let moves: Vec<Vec<String>> = paths.iter().map(|path| super::moves_of(path)).collect();
        let (every, began) = (all.div_ceil(looks).max(1), Instant::now());
        let (mut report, mut tree) = self.recipe.grow(every.min(all), &caps)?;
        let mut list = Vec::new();
        let nothing = ChildFilter { limit: 0, min_visits: 0 };
        loop {
            let turn = report.turn;
            let look = |moves: &Vec<String>| match tree.node(moves, &nothing) {
                Ok(node) => Ok(TraceValue {
                    visits: node.visits,
                    value: node.mean.map(|mean| told::tidy(mean.for_player(turn))),
                }),
                Err(NodeError::Unknown { .. }) => Ok(TraceValue { visits: 0, value: None }),
                Err(error) => Err(no_node(&error)),
            };
            let nodes = moves.iter().map(look).collect::<Result<_, _>>()?;
            list.push(TraceLook { iteration: report.iterations, best: report.best.clone(), nodes });
            let is_last = report.stopped != StopReason::Iterations || report.iterations >= all;
            if is_last || began.elapsed() > caps.time {
                return Ok(Trace { paths, every, looks: list, settled: None });
            }
            let budget = caps.budget(every.min(all - report.iterations));
            report = tree.more(&budget, &mut InOrder(NoObserver)).map_err(|error| failed(&error))?;
        }
    }
}
