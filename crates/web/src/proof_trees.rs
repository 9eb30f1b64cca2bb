//! Trees of proof-number searches that have stopped: the most-proving path, its siblings with equal
//! numbers together, and the root's numbers over time.

use crate::Program;
use crate::api::{self, Ply, ProofGroup, ProofLevel, ProofMoment, ProofTreeView};
use crate::kept::Game;
use crate::proofs::in_words;
use crate::refusal::Refusal;
use crate::reports::{self, USUAL_CANDIDATES};
use crate::state::{Wanted, points_of, side};
use tesuji_agents::{AnyPosition, ProofNode, ProofNodeStatus as Status, ProofTree, canonical_agent};
use tesuji_core::spec::Spec;
use tesuji_core::{Budget, Observer, Pace, Report, Seed};

/// The most moments that are kept; beyond, every second one is dropped.
const MOST_MOMENTS: usize = 2_000;
/// Levels below the node that was asked for.
const LEVELS: usize = 4;
/// The longest path that is told.
const MOST_PLIES: usize = 200;
/// The most moves of a group that are listed.
const MOST_MOVES: usize = 60;

/// A tree and its root.
pub(crate) struct KeptProofTree {
    document: String,
    root: Box<dyn AnyPosition>,
    pub tree: ProofTree,
}

/// Writes the root's numbers down while the search runs.
struct Recorder {
    moments: Vec<ProofMoment>,
    every: u64,
    /// The first move of the path of the last expansion.
    first: Option<String>,
    switches: u64,
}

impl Observer<String> for Recorder {
    fn pace(&self) -> Option<Pace> {
        Some(Pace::Iterations(1))
    }

    fn progress(&mut self, report: &Report<String>) {
        if let Some(first) = report.path.first() {
            self.switches += u64::from(self.first.as_ref().is_some_and(|known| known != first));
            self.first = Some(first.clone());
        }
        let Some(proof) = report.proof.filter(|_| report.iterations.is_multiple_of(self.every)) else { return };
        let (pn, dn) = (proof.proof_number, proof.disproof_number);
        self.moments.push(ProofMoment { expansions: report.iterations, pn, dn });
        if self.moments.len() > MOST_MOMENTS {
            self.every *= 2;
            let every = self.every;
            self.moments.retain(|moment| moment.expansions.is_multiple_of(every));
        }
    }
}

/// Searches the position of a game by proof numbers, and tells of the tree; its id is not known yet.
pub(crate) fn grow(
    program: &dyn Program,
    game: &Game,
    agent: &Spec,
    budget: &Budget,
) -> Result<(KeptProofTree, api::ProofTree), Refusal> {
    let root = game.session.position().boxed_clone();
    let mut search = root.agent(agent).map_err(|error| Refusal::spec("the agent", &error))?;
    let mut recorder = Recorder { moments: Vec::new(), every: 1, first: None, switches: 0 };
    let grown = search.grow_proof_tree(root.as_ref(), budget, Seed(1), &mut recorder);
    let (report, tree) = grown.map_err(|error| Refusal::unsupported(error.to_string()))?;
    let Recorder { mut moments, every, switches, .. } = recorder;
    if let Some(proof) = report.proof {
        moments.retain(|moment| moment.expansions < report.iterations);
        let (pn, dn) = (proof.proof_number, proof.disproof_number);
        moments.push(ProofMoment { expansions: report.iterations, pn, dn });
    }
    let canonical = canonical_agent(agent).map_err(|error| Refusal::spec("the agent", &error))?;
    let document = game.state(None, Wanted::default())?.document;
    let told = api::ProofTree {
        id: String::new(),
        agent: canonical.to_string(),
        document: document.clone(),
        attacker: side(tree.aim().player),
        text: in_words(root.as_ref(), tree.aim()),
        status: status(tree.node(ProofTree::ROOT).map_or(Status::Unknown, |node| node.status)),
        nodes: tree.len(),
        bytes: tree.bytes(),
        report: reports::told(program, root.as_ref(), &report, USUAL_CANDIDATES, true),
        moments,
        every,
        switches,
    };
    Ok((KeptProofTree { document, root, tree }, told))
}

fn status(status: Status) -> api::ProofStatus {
    match status {
        Status::Unknown => api::ProofStatus::Unknown,
        Status::Proved => api::ProofStatus::Proved,
        Status::Disproved => api::ProofStatus::Disproved,
    }
}

/// The numbers as they are told; nothing for solved nodes.
fn numbers(node: &ProofNode) -> [Option<f64>; 2] {
    node.numbers.map(|number| Some(number).filter(|number| node.status == Status::Unknown && number.is_finite()))
}

impl KeptProofTree {
    /// The child that the search would follow next: the least proof number where the attacker
    /// moves, the least disproof number elsewhere. Below a solved node, one that solves it.
    fn most_proving(&self, id: usize) -> Option<usize> {
        let node = self.tree.node(id)?;
        let least = usize::from(!node.or_node);
        let open = self.tree.children(id).filter(|(_, child)| child.status == Status::Unknown);
        // The first of the least.
        let next = open.reduce(|best, next| if next.1.numbers[least] < best.1.numbers[least] { next } else { best });
        let solving = || {
            let same = self.tree.children(id).filter(|(_, child)| child.status == node.status);
            same.max_by_key(|(id, child)| (child.children > 0, std::cmp::Reverse(*id)))
        };
        next.or_else(solving).map(|(id, _)| id)
    }

    /// The levels along a path and the most-proving path below it.
    pub(crate) fn view<'a>(&self, path: impl Iterator<Item = &'a str>) -> Result<ProofTreeView, Refusal> {
        let document = Some(self.document.clone());
        let mut game = Game::begin(&api::NewSession { document, ..api::NewSession::default() })?;
        let columns = self.root.view().columns.len();
        let mut position = self.root.boxed_clone();
        let (mut id, mut taken, mut levels) = (ProofTree::ROOT, Vec::new(), Vec::new());
        levels.extend(self.root_level());
        for mv in path {
            let action = position.action_named(mv);
            let next = action.and_then(|action| self.tree.after(id, action));
            let (to, from) = points_of(position.as_ref(), columns, mv);
            let ply = Ply { r#move: mv.into(), player: side(position.turn()), to, from };
            levels.push(self.level(position.as_ref(), columns, id, next));
            game.play(mv)?;
            position.play(mv)?;
            id = next.ok_or_else(|| Refusal::not_found(format!("the tree ends before {mv}: not expanded")))?;
            taken.push(ply);
        }
        let state = game.state(None, Wanted { at: None, geometry: true })?;
        let mut most_proving: Vec<Ply> = Vec::new();
        while let Some(next) = self.most_proving(id).filter(|_| most_proving.len() < MOST_PLIES) {
            if most_proving.len() < LEVELS {
                levels.push(self.level(position.as_ref(), columns, id, Some(next)));
            }
            let action = self.tree.node(next).map_or(0, |node| node.move_index);
            let Some(mv) = position.action_text(action) else { break };
            let (to, from) = points_of(position.as_ref(), columns, &mv);
            most_proving.push(Ply { player: side(position.turn()), to, from, r#move: mv });
            position.play_action(action);
            id = next;
        }
        Ok(ProofTreeView { path: taken, state, most_proving, levels })
    }

    fn root_level(&self) -> Option<ProofLevel> {
        let node = self.tree.node(ProofTree::ROOT)?;
        let group = ProofGroup { on_path: true, ..group(node) };
        let mover = side(self.root.turn().other());
        Some(ProofLevel { or_nodes: node.or_node, mover, groups: vec![group] })
    }

    /// The children of a node, the one on the path first, then open ones by urgency, then solved
    /// ones.
    fn level(&self, position: &dyn AnyPosition, columns: usize, id: usize, on_path: Option<usize>) -> ProofLevel {
        let node = self.tree.node(id);
        let least = usize::from(!node.is_some_and(|node| node.or_node));
        let told = |child: &ProofNode| {
            let mv = position.action_text(child.move_index)?;
            let (to, from) = points_of(position, columns, &mv);
            Some(Ply { player: side(position.turn()), to, from, r#move: mv })
        };
        let mut groups: Vec<ProofGroup> = Vec::new();
        let mut or_nodes = false;
        for (child_id, child) in self.tree.children(id) {
            or_nodes = child.or_node;
            let mut own = group(child);
            own.on_path = Some(child_id) == on_path;
            let same = |known: &ProofGroup| {
                !known.on_path && !own.on_path && (known.status, known.pn, known.dn) == (own.status, own.pn, own.dn)
            };
            let place = groups.iter().position(same).unwrap_or_else(|| {
                groups.push(ProofGroup { count: 0, expanded: false, ..own.clone() });
                groups.len() - 1
            });
            let known = &mut groups[place];
            known.count += 1;
            known.expanded |= own.expanded;
            if known.moves.len() < MOST_MOVES {
                known.moves.extend(told(child));
            }
        }
        let urgency = |group: &ProofGroup| [group.pn, group.dn][least].unwrap_or(f64::INFINITY);
        groups.sort_by(|one, other| {
            let solved = |group: &ProofGroup| (!group.on_path, group.status != api::ProofStatus::Unknown);
            solved(one).cmp(&solved(other)).then(urgency(one).total_cmp(&urgency(other)))
        });
        ProofLevel { or_nodes, mover: side(position.turn()), groups }
    }
}

fn group(node: &ProofNode) -> ProofGroup {
    let [pn, dn] = numbers(node);
    ProofGroup {
        moves: Vec::new(),
        count: 1,
        status: status(node.status),
        pn,
        dn,
        on_path: false,
        expanded: node.children > 0,
    }
}
