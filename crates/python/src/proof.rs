//! `Proof`: what a solver found, with a proof that is checked by the rules, saved, and browsed.

use crate::agent::{Agent, Limits};
use crate::game::Rules;
use crate::python_rules;
use crate::report::centred_bounds;
use crate::running;
use crate::state::State;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::{Arc, Mutex, PoisonError};
use tesuji_agents::{
    Access, AnyPosition, Claim, ExpansionLimits, Goal, Measure, Outline, ProofPlace, ProofStep, agent_descriptions,
    canonical_agent,
};
use tesuji_core::spec::{Argument, Place, Spec, SpecValue};
use tesuji_core::{Bounds, Budget, NoObserver, Player, ProofStatus, Score, Seed};
use tesuji_search::SearchError;

/// The largest proof file that is read.
const MOST_BYTES: u64 = 1 << 30;

fn wrong(error: &dyn std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn failed(error: &dyn std::fmt::Display) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}

/// What bounds say to a player.
fn status(bounds: Bounds, player: Player) -> &'static str {
    let (sure, hoped) = bounds.for_player(player);
    if sure > Score::DRAW {
        "win"
    } else if hoped < Score::DRAW {
        "loss"
    } else if sure == hoped {
        "draw"
    } else {
        "unknown"
    }
}

/// Whether a question is answered; nothing while it is open.
fn reached(goal: Goal, report: &tesuji_core::Report<String>, takes_goal: bool) -> Option<bool> {
    let Goal::Question(aim) = goal else { return None };
    match report.proof.filter(|_| takes_goal).map(|proof| proof.status) {
        Some(ProofStatus::Proved) => return Some(true),
        Some(ProofStatus::Disproved) => return Some(false),
        Some(ProofStatus::Unknown) | None => {}
    }
    if aim.measure != Measure::Score {
        return None;
    }
    let (sure, hoped) = report.bounds.for_player(aim.player);
    match (sure.units() as i32 >= aim.least, (hoped.units() as i32) < aim.least) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

/// Solves a position.
pub fn solve(py: Python<'_>, state: &State, agent: &str, goal: Option<&str>, limits: &Limits) -> PyResult<Proof> {
    let own = if agent == "auto" { state.rules().start.solver() } else { agent };
    let mut spec: Spec = own.parse().map_err(|error| wrong(&error))?;
    let known = agent_descriptions();
    let takes_goal = known
        .iter()
        .find(|description| description.name == spec.name)
        .is_some_and(|description| description.parameters.iter().any(|parameter| parameter.name == "goal"));
    if let Some(goal) = goal {
        goal.parse::<Goal>().map_err(|error| wrong(&format!("the goal: {error}")))?;
        if takes_goal {
            spec.arguments.retain(|argument| argument.name != "goal");
            let value = SpecValue::Text(goal.into());
            spec.arguments.push(Argument { name: "goal".into(), value, at: Place(0) });
        }
    }
    let canonical = canonical_agent(&spec).map_err(|error| wrong(&error))?;
    let stated = canonical.arguments.iter().find(|argument| argument.name == "goal").map(|argument| &argument.value);
    let text = match stated {
        Some(SpecValue::Text(text)) => text.clone(),
        _ => goal.unwrap_or("exact").to_string(),
    };
    let question: Goal = text.parse().map_err(|error| wrong(&error))?;
    let solver = Agent::of(state.rules(), &spec.to_string())?;
    let budget = limits.budget()?;
    let (position, failure) = python_rules::watched(state.position(), &budget.stop);
    let root = position.as_ref();
    let (search_budget, seed) = (&budget, Seed(limits.seed));
    let (report, claims) = solver.work(py, &budget.stop, failure.as_ref(), |solver| {
        let report = solver.think(root, search_budget, seed, &mut NoObserver)?;
        // The limits were for the search; writing the proof ends by itself, or by Ctrl-C.
        let writing = Budget { memory: search_budget.memory, stop: search_budget.stop.clone(), ..Budget::default() };
        let claims = match solver.proof(root, &writing) {
            Ok(claims) => claims,
            // Agents that prove nothing, or have proved nothing, still have an answer.
            Err(SearchError::Unsupported(_) | SearchError::OutOfBudget(_)) => Vec::new(),
            Err(error) => return Err(error),
        };
        Ok((report, claims))
    })?;
    let reached = reached(question, &report, takes_goal);
    let report = report.of_proof();
    Ok(Proof {
        rules: Arc::clone(state.rules()),
        moves: state.moves(),
        position: state.position().boxed_clone(),
        claims: claims.into_iter().map(|claim| Arc::new((claim, Mutex::new(None)))).collect(),
        agent: canonical.to_string(),
        goal: question.to_string(),
        status: status(report.bounds, report.turn).into(),
        value: report.bounds.proved().map(|_| centred_bounds(report.bounds).0),
        bounds: centred_bounds(report.bounds),
        reached,
        r#move: report.best,
        line: report.line,
        iterations: report.iterations,
        nodes: report.nodes,
        seconds: report.elapsed.as_secs_f64(),
        stopped: report.stopped.name().into(),
    })
}

/// A claim and its outline, once it was asked for.
type Kept = Arc<(Claim, Mutex<Option<Arc<Outline>>>)>;

/// What a solver found of a position. Values are for the first player, in [-1, 1].
///
/// >>> import tesuji
/// >>> state = tesuji.load_game("hex(size=3,swap=false)").new_initial_state()
/// >>> proof = state.solve("df-pn")
/// >>> proof.status, len(proof.claims) > 0, proof.verify(rules_only=True).unexpanded
/// ('win', True, 0)
/// >>> again = tesuji.Proof.from_bytes(proof.to_bytes())
/// >>> again.verify().positions == proof.verify().positions
/// True
/// >>> root = proof.claims[0]
/// >>> root.kind, root.children()[0].kind in ("replies", "certificate", "end")
/// ('plays', True)
#[pyclass(frozen, module = "tesuji._native")]
pub struct Proof {
    rules: Arc<Rules>,
    moves: Vec<String>,
    position: Box<dyn AnyPosition>,
    claims: Vec<Kept>,
    /// The solver's canonical spec; empty for a proof that was read.
    #[pyo3(get)]
    agent: String,
    /// What was asked.
    #[pyo3(get)]
    goal: String,
    /// "win", "loss", "draw" or "unknown", for the side to move.
    #[pyo3(get)]
    status: String,
    /// The exact value; None unless it is proved.
    #[pyo3(get)]
    value: Option<f64>,
    /// What is proved: (low, high).
    #[pyo3(get)]
    bounds: (f64, f64),
    /// Whether the goal is reached; None while that is open, and for exact values.
    #[pyo3(get)]
    reached: Option<bool>,
    /// A move that keeps what is proved.
    #[pyo3(get)]
    r#move: Option<String>,
    /// A line of the proof.
    #[pyo3(get)]
    line: Vec<String>,
    /// Expansions.
    #[pyo3(get)]
    iterations: u64,
    /// Positions entered.
    #[pyo3(get)]
    nodes: u64,
    /// The time of the search.
    #[pyo3(get)]
    seconds: f64,
    /// Why the search ended.
    #[pyo3(get)]
    stopped: String,
}

/// What a check of a proof counted.
#[pyclass(frozen, get_all, module = "tesuji._native")]
pub struct Checked {
    /// Positions that the proof lists.
    positions: u64,
    /// Ends of games among them.
    ends: u64,
    /// References to positions checked before.
    references: u64,
    /// Certificates in place of moves.
    certificates: u64,
    /// Certificates that were not expanded within the limits: the proof holds if these do.
    unexpanded: u64,
    /// The longest line.
    depth: u32,
}

#[pymethods]
impl Checked {
    fn __repr__(&self) -> String {
        format!("<tesuji.Checked {} positions, depth {}, {} unexpanded>", self.positions, self.depth, self.unexpanded)
    }
}

fn in_words(claim: &Claim) -> String {
    let aim = claim.aim;
    match aim.measure {
        Measure::Score => {
            let share = f64::from(aim.least) / f64::from(Score::UNITS);
            format!("the {} player scores at least {share}", aim.player)
        }
        Measure::Margin => format!("the {} player is ahead by at least {}", aim.player, aim.least),
    }
}

#[pymethods]
impl Proof {
    /// What is proved, each as the root of a tree that can be browsed; empty if there is no proof.
    #[getter]
    fn claims(&self) -> Vec<ProofNode> {
        let root = |claim: &Kept| ProofNode {
            claim: Arc::clone(claim),
            root: self.position.boxed_clone(),
            position: self.position.boxed_clone(),
            place: 0,
            path: Vec::new(),
        };
        self.claims.iter().map(root).collect()
    }

    /// Checks all claims by the rules of the game, without the code that found them, and answers what
    /// it counted. With `rules_only`, certificates are not trusted but expanded, up to `nodes`
    /// positions each.
    #[pyo3(signature = (*, rules_only=false, nodes=1_000_000))]
    fn verify(&self, py: Python<'_>, rules_only: bool, nodes: u64) -> PyResult<Checked> {
        if self.claims.is_empty() {
            return Err(failed(&"there is no proof: nothing was proved, or the agent writes no proofs"));
        }
        let budget = Budget::default();
        let (position, failure) = python_rules::watched(self.position.as_ref(), &budget.stop);
        let mut sum = Checked { positions: 0, ends: 0, references: 0, certificates: 0, unexpanded: 0, depth: 0 };
        for claim in &self.claims {
            let (claim, position) = (&claim.0, position.as_ref());
            let checked = running::run(py, &budget.stop, || {
                if rules_only {
                    let limits = ExpansionLimits { positions: nodes, deadline: budget.meter().deadline() };
                    position.check_proof_by_rules(claim, &limits, &mut budget.meter())
                } else {
                    position.check_proof(claim, &mut budget.meter())
                }
            });
            if let Some(error) = failure.as_ref().and_then(python_rules::Failure::take) {
                return Err(error);
            }
            let checked = checked?.map_err(|error| failed(&format!("the proof does not hold: {error}")))?;
            sum.positions += checked.positions;
            sum.ends += checked.ends;
            sum.references += checked.references;
            sum.certificates += checked.certificates;
            sum.unexpanded += checked.unexpanded;
            sum.depth = sum.depth.max(checked.depth);
        }
        Ok(sum)
    }

    /// The proof as the file that `tesuji verify` reads.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        if self.claims.is_empty() || self.rules.written.is_some() {
            return Err(failed(&"only a proof about a game with a spec can be written, and only if there is one"));
        }
        let claims = self.claims.iter().map(|claim| claim.0.clone()).collect();
        let proof = tesuji_agents::Proof { game: self.rules.spec.clone(), moves: self.moves.clone(), claims };
        Ok(PyBytes::new(py, &proof.to_bytes()))
    }

    /// Writes the proof to a file.
    fn save(&self, py: Python<'_>, path: &str) -> PyResult<()> {
        let bytes = self.to_bytes(py)?;
        Access::unrestricted()
            .write(path, bytes.as_bytes())
            .map_err(|error| pyo3::exceptions::PyOSError::new_err(format!("{path}: {error}")))
    }

    /// A proof that was written; it is not checked by reading.
    #[staticmethod]
    fn from_bytes(bytes: &[u8]) -> PyResult<Proof> {
        let proof = tesuji_agents::Proof::from_bytes(bytes).map_err(|error| wrong(&error))?;
        let game = crate::game::load_game(&proof.game)?;
        let mut position = game.rules.start.boxed_clone();
        for (number, mv) in proof.moves.iter().enumerate() {
            position.play(mv).map_err(|error| wrong(&format!("move {}: {error}", number + 1)))?;
        }
        Ok(Proof {
            rules: game.rules,
            moves: proof.moves,
            position,
            claims: proof.claims.into_iter().map(|claim| Arc::new((claim, Mutex::new(None)))).collect(),
            agent: String::new(),
            goal: "exact".into(),
            status: "unknown".into(),
            value: None,
            bounds: (-1.0, 1.0),
            reached: None,
            r#move: None,
            line: Vec::new(),
            iterations: 0,
            nodes: 0,
            seconds: 0.0,
            stopped: String::new(),
        })
    }

    /// Reads a proof from a file.
    #[staticmethod]
    fn load(path: &str) -> PyResult<Proof> {
        let bytes = Access::unrestricted().read(path, MOST_BYTES);
        let bytes = bytes.map_err(|error| pyo3::exceptions::PyOSError::new_err(format!("{path}: {error}")))?;
        Proof::from_bytes(&bytes)
    }

    fn __repr__(&self) -> String {
        let claims: Vec<String> = self.claims.iter().map(|claim| in_words(&claim.0)).collect();
        format!("<tesuji.Proof {}: {}, {} nodes>", self.status, claims.join("; "), self.nodes)
    }
}

/// A position of a proof, read when it is asked for.
#[pyclass(frozen, module = "tesuji._native")]
pub struct ProofNode {
    claim: Kept,
    root: Box<dyn AnyPosition>,
    position: Box<dyn AnyPosition>,
    place: ProofPlace,
    path: Vec<String>,
}

impl ProofNode {
    fn outline(&self) -> PyResult<Arc<Outline>> {
        let kept = || self.claim.1.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(outline) = &*kept() {
            return Ok(Arc::clone(outline));
        }
        // Nothing is held meanwhile: rules may be Python code.
        let checked = self.root.outline_proof(&self.claim.0, &mut Budget::default().meter());
        let (_, outline) = checked.map_err(|error| failed(&format!("the proof does not hold: {error}")))?;
        Ok(Arc::clone(kept().get_or_insert(Arc::new(outline))))
    }

    fn step(&self) -> PyResult<ProofStep> {
        Ok(self.outline()?.step(&self.claim.0, self.place).map_err(|error| failed(&error))?.1)
    }

    fn below(&self, action: usize, place: ProofPlace) -> ProofNode {
        let mut position = self.position.boxed_clone();
        let text = position.action_text(action).unwrap_or_default();
        position.play_action(action);
        let path = self.path.iter().cloned().chain([text]).collect();
        ProofNode { claim: Arc::clone(&self.claim), root: self.root.boxed_clone(), position, place, path }
    }
}

#[pymethods]
impl ProofNode {
    /// What is claimed, in words.
    #[getter]
    fn claim(&self) -> String {
        in_words(&self.claim.0)
    }

    /// The player who claims it: 0 or 1.
    #[getter]
    fn player(&self) -> usize {
        self.claim.0.aim.player.index()
    }

    /// The moves from the root.
    #[getter]
    fn path(&self) -> Vec<String> {
        self.path.clone()
    }

    /// "end": the game has ended; "plays": the claimant has a move; "replies": every move of the
    /// opponent has an answer; "certificate": the claimant wins for a reason that can be checked.
    #[getter]
    fn kind(&self) -> PyResult<&'static str> {
        Ok(match self.step()? {
            ProofStep::End => "end",
            ProofStep::Plays(..) => "plays",
            ProofStep::Replies(_) => "replies",
            ProofStep::Certificate(..) => "certificate",
        })
    }

    /// The kind of the certificate that stands here; None without one.
    #[getter]
    fn certificate(&self) -> PyResult<Option<String>> {
        let step = self.step()?;
        Ok(if let ProofStep::Certificate(certificate, _) = step { Some(certificate.kind.into_owned()) } else { None })
    }

    /// How many positions the proof lists from here on.
    #[getter]
    fn size(&self) -> PyResult<u32> {
        Ok(self.outline()?.size(self.place))
    }

    /// The positions that the proof lists after this one.
    fn children(&self) -> PyResult<Vec<ProofNode>> {
        Ok(match self.step()? {
            ProofStep::End => Vec::new(),
            ProofStep::Plays(action, place) => vec![self.below(action, place)],
            ProofStep::Replies(places) => {
                // One place for each legal move, in the game's order.
                let moves = self.position.moves();
                let actions = moves.iter().filter_map(|text| self.position.action_named(text));
                actions.zip(places).map(|(action, place)| self.below(action, place)).collect()
            }
            ProofStep::Certificate(_, listed) => {
                listed.into_iter().map(|(action, place)| self.below(action, place)).collect()
            }
        })
    }

    fn __str__(&self) -> String {
        self.position.view().to_string()
    }

    fn __repr__(&self) -> PyResult<String> {
        let path = if self.path.is_empty() { "root".into() } else { self.path.join(" ") };
        Ok(format!("<tesuji.ProofNode {path}: {}, {} positions>", self.kind()?, self.size()?))
    }

    fn _repr_svg_(&self) -> String {
        crate::svg::of(self.position.as_ref())
    }
}
