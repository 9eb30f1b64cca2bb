//! Best-first search with the tree in memory, for PN-search, `DeepPN`, MCPN and PPN.
//!
//! An iteration descends from the root to the most-proving leaf, expands it (all successors at
//! once, terminal ones evaluated), and backs numbers and results up as far as they change. A
//! [`Rule`] defines what a number is, how numbers combine and which child is selected. Solved
//! children are never selected and do not enter their parent's sums.
//!
//! The successors of a node are in the game's order, or shuffled by the seed
//! ([`Order`](super::Order)): "leftmost" then means the first of a random order, which is what Zhang
//! 2019 (§2.1.6, Hex) takes means over.
//!
//! The arena is game-blind: moves are indices. Its size is fixed by the memory of the budget; when
//! the next expansion does not fit, the search ends. Equal positions share nothing, so the history
//! of the game needs no care.

use super::view::ProofTree;
use crate::proof::Status;
use crate::proof::question::{AnsweredQuestion, Solver, Verdict, Work, prove, solve};
use crate::proof::question::{ProofSource, extract};
use crate::{Search, SearchError};
use std::cmp::Ordering;
use std::ops::ControlFlow;
use tesuji_core::spec::{Arguments, Kind, Parameter};
use tesuji_core::{Aim, Budget, Deadline, Goal, Observer, Position, Pulse, Report, Rng, Seed, StopReason, Studied};
use tesuji_proof::Claim;

/// The index of a node.
pub(super) type NodeId = u32;

/// The root.
pub(super) const ROOT: NodeId = 0;

/// A node.
#[derive(Clone, Copy, Debug)]
pub struct Node<N> {
    pub(super) number: N,
    /// The first child; 0 while there are none.
    pub(super) first_child: NodeId,
    pub(super) children: u32,
    /// The move that leads here.
    pub(super) move_index: u32,
    pub(super) status: Status,
    /// Whether the attacker moves here.
    pub(super) or_node: bool,
    /// Its place in the game's order of moves, modulo 2¹⁶.
    ordinal: u16,
}

const _: () = assert!(size_of::<Node<[u64; 2]>>() == 32, "the ordinal fits into what alignment leaves");

/// The order of a node's successors, by which ties are broken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// The game's order.
    #[default]
    Game,
    /// A random order for each node, by the seed of the search. Nodes with more than 2¹⁶ successors
    /// keep the game's order.
    Shuffled,
}

impl Order {
    /// The order that the parameter [`ORDER`] names.
    pub(super) fn of(arguments: &Arguments) -> Order {
        if arguments.word("order") == "shuffled" { Order::Shuffled } else { Order::Game }
    }
}

/// The parameter for the order of moves.
pub(super) const ORDER: Parameter = Parameter {
    name: "order",
    about: "order of moves, by which ties are broken: the game's, or shuffled by the seed",
    kind: Kind::Choice(&["game", "shuffled"]),
    default: Some("game"),
};

#[cfg(test)]
impl<N> Node<N> {
    /// An unsolved leaf with this number.
    pub(super) fn unsolved(number: N) -> Node<N> {
        let status = Status::Unknown;
        Node { number, first_child: 0, children: 0, move_index: 0, status, or_node: false, ordinal: 0 }
    }
}

/// One kind of proof number.
pub trait Rule: Send {
    /// The number of a node.
    type Number: Copy + PartialEq + std::fmt::Debug + Send;

    /// Whether leaves are estimated by playouts.
    fn samples(&self) -> bool {
        false
    }

    /// Playouts of the last leaf estimate.
    fn entries(&self) -> u32 {
        0
    }

    /// Starts a search with this seed.
    fn begin(&mut self, _: Seed) {}

    /// The initial number of an unknown leaf at this depth. The leaf is the first of the two
    /// positions; the second is scratch space. A long estimate polls the pulse; an interrupted one
    /// is not used.
    fn leaf<P: Position>(&mut self, positions: [&mut P; 2], aim: Aim, depth: u32, pulse: &mut Pulse) -> Self::Number;

    /// The number of an unsolved node, from its children; at least one of them is unsolved.
    fn join(&self, or_node: bool, children: &[Node<Self::Number>]) -> Self::Number;

    /// Compares two unsolved children: the lesser is selected.
    fn urgency(&self, or_node: bool, one: &Self::Number, other: &Self::Number) -> Ordering;

    /// Whether ties prefer the child on the path of the previous iteration.
    fn stays(&self) -> bool {
        false
    }

    /// Proof and disproof number for reports.
    fn shown(&self, number: &Self::Number) -> [f64; 2];
}

/// The arena and the search that grows it.
pub(super) struct Tree<R: Rule> {
    pub(super) rule: R,
    order: Order,
    /// Shuffles successors.
    rng: Rng,
    nodes: Vec<Node<R::Number>>,
    /// The question it answers.
    question: Option<Aim>,
    most_nodes: usize,
    /// The answer of the current tree.
    answered: Option<AnsweredQuestion>,
    /// The size of the smallest proof below each node of an answered tree; computed on demand.
    sizes: Vec<u32>,
    /// Strategies of earlier answers, the last of each claimant.
    kept: [Option<Strategy>; 2],
    /// Polled by long leaf estimates.
    pulse: Pulse,
}

/// A node of a strategy: where the claimant moves it has one child, elsewhere all.
#[derive(Clone, Copy, Debug)]
struct Step {
    first_child: u32,
    children: u32,
    move_index: u32,
    /// The size of its subtree, itself included.
    size: u32,
}

/// The part of an answered tree that proves the answer.
#[derive(Clone, Debug)]
struct Strategy {
    answered: AnsweredQuestion,
    steps: Vec<Step>,
}

/// A position within a strategy.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// A node of the tree.
    Grown(NodeId),
    /// A step of a kept strategy.
    Kept(u32),
}

impl Place {
    const KEPT: u64 = 1 << 32;

    /// As a number, the form that [`Solver`] uses.
    fn number(self) -> u64 {
        match self {
            Place::Grown(id) => u64::from(id),
            Place::Kept(at) => Place::KEPT | u64::from(at),
        }
    }

    /// The inverse of [`number`](Place::number).
    fn of(number: u64) -> Place {
        if number >= Place::KEPT { Place::Kept(number as u32) } else { Place::Grown(number as NodeId) }
    }
}

/// Kept strategies take at most one part in this many of the memory. A larger one is dropped, and
/// the line of the report is shorter.
const KEPT_SHARE: u64 = 8;

impl<R: Rule> Tree<R> {
    pub(super) fn new(rule: R) -> Tree<R> {
        Tree {
            rule,
            order: Order::Game,
            rng: Rng::new(Seed(0)),
            nodes: Vec::new(),
            question: None,
            most_nodes: 0,
            answered: None,
            sizes: Vec::new(),
            kept: [None, None],
            pulse: Pulse::new(Deadline::default()),
        }
    }

    /// Takes the nodes out, and the question they answer. Nothing of it can be proved afterwards.
    pub(super) fn take(&mut self) -> Option<(Aim, Vec<Node<R::Number>>)> {
        (self.answered, self.kept, self.sizes) = (None, [None, None], Vec::new());
        Some((self.question.take()?, std::mem::take(&mut self.nodes)))
    }

    fn children(&self, id: NodeId) -> &[Node<R::Number>] {
        let node = &self.nodes[id as usize];
        &self.nodes[node.first_child as usize..][..node.children as usize]
    }

    /// Selects an unsolved child by the rule. Ties go to the child on the previous path, if the
    /// rule says so, else to the first.
    fn select(&self, id: NodeId, previous: Option<NodeId>) -> NodeId {
        let node = &self.nodes[id as usize];
        let mut best: Option<(NodeId, &R::Number)> = None;
        for (number, child) in self.children(id).iter().enumerate() {
            if child.status != Status::Unknown {
                continue;
            }
            let child_id = node.first_child + number as NodeId;
            let replace = best.is_none_or(|(_, kept)| match self.rule.urgency(node.or_node, &child.number, kept) {
                Ordering::Less => true,
                Ordering::Equal => previous == Some(child_id),
                Ordering::Greater => false,
            });
            if replace {
                best = Some((child_id, &child.number));
            }
        }
        best.expect("an unsolved node has an unsolved child").0
    }

    /// Expands a leaf. False if the memory or the time does not suffice.
    fn expand<P: Position>(
        &mut self,
        id: NodeId,
        [position, scratch, trial]: [&mut P; 3],
        depth: u32,
        work: &mut Work<'_, P::Move>,
    ) -> bool {
        let Some(aim) = self.question else { return false };
        let first_child = self.nodes.len();
        let Tree { rule, nodes, most_nodes, pulse, .. } = self;
        let samples = rule.samples();
        let ended = position.visit_moves(|mv| {
            if nodes.len() >= *most_nodes {
                return ControlFlow::Break(StopReason::Memory);
            }
            if nodes.len() == nodes.capacity() {
                // Doubles the capacity, but not beyond the limit.
                nodes.reserve_exact(nodes.len().max(64).min(*most_nodes - nodes.len()));
            }
            // Playouts are slow enough to poll between two leaves, and inside one.
            if samples && let Some(reason) = work.late() {
                return ControlFlow::Break(reason);
            }
            scratch.clone_from(&*position);
            scratch.play(mv);
            work.looked_at += 1;
            let or_node = scratch.turn() == aim.player;
            let status = scratch.outcome().map_or(Status::Unknown, |outcome| work.judge(aim, outcome));
            // The number of a solved node is never read; the parent's number is a placeholder.
            let number = match status {
                Status::Unknown => {
                    let number = rule.leaf([&mut *scratch, &mut *trial], aim, depth + 1, pulse);
                    work.meter.add_nodes(u64::from(rule.entries()));
                    number
                }
                _ => nodes[id as usize].number,
            };
            nodes.push(Node {
                number,
                first_child: 0,
                children: 0,
                move_index: position.move_index(mv) as u32,
                status,
                or_node,
                ordinal: (nodes.len() - first_child) as u16,
            });
            ControlFlow::Continue(())
        });
        // The last estimate may have been interrupted.
        let late = if samples && ended.is_continue() { work.late() } else { None };
        if let Some(reason) = ended.break_value().or(late) {
            work.meter.stop(reason);
            self.nodes.truncate(first_child);
            return false;
        }
        let children = (self.nodes.len() - first_child) as u32;
        if self.order == Order::Shuffled && children <= 1 << 16 {
            let Tree { nodes, rng, .. } = self;
            for last in (1..children).rev() {
                nodes.swap(first_child + last as usize, first_child + rng.below(last + 1) as usize);
            }
        }
        let node = &mut self.nodes[id as usize];
        (node.first_child, node.children) = (first_child as NodeId, children);
        true
    }

    /// Backs numbers and results up a path, as far as they change.
    fn back_up(&mut self, path: &[NodeId]) {
        for &id in path.iter().rev() {
            let or_node = self.nodes[id as usize].or_node;
            let children = self.children(id);
            let (mut solved, mut unsolved) = (false, 0);
            for child in children {
                solved |= child.status == Status::wanted(or_node);
                unsolved += usize::from(child.status == Status::Unknown);
            }
            let before = self.nodes[id as usize];
            let (status, number) = if solved {
                (Status::wanted(or_node), before.number)
            } else if unsolved == 0 {
                (Status::unwanted(or_node), before.number)
            } else {
                (Status::Unknown, self.rule.join(or_node, children))
            };
            if status == before.status && number == before.number {
                return;
            }
            let node = &mut self.nodes[id as usize];
            (node.status, node.number) = (status, number);
        }
    }

    fn bytes(&self) -> u64 {
        (self.nodes.len() * size_of::<Node<R::Number>>()) as u64
    }

    /// Bytes of the kept strategies.
    fn kept_bytes(&self) -> u64 {
        self.kept.iter().flatten().map(|kept| (kept.steps.len() * size_of::<Step>()) as u64).sum()
    }

    /// Keeps the strategy of the answered tree, if it takes at most `most_bytes`, before the tree
    /// is cleared for the next question.
    fn keep_strategy(&mut self, most_bytes: u64) {
        let Some(answered) = self.answered.take() else { return };
        let sizes = self.proof_sizes();
        let kept = &mut self.kept[answered.claim.player.index()];
        *kept = None;
        if u64::from(sizes[ROOT as usize]) * size_of::<Step>() as u64 > most_bytes {
            return;
        }
        let step = |id: NodeId| {
            let move_index = self.nodes[id as usize].move_index;
            Step { first_child: 0, children: 0, move_index, size: sizes[id as usize] }
        };
        let (mut steps, mut ids) = (vec![step(ROOT)], vec![ROOT]);
        let mut at = 0;
        while at < steps.len() {
            let node = &self.nodes[ids[at] as usize];
            let below = (node.first_child..node.first_child + node.children)
                .filter(|child| self.nodes[*child as usize].status == answered.status);
            let first_child = steps.len();
            if node.status == Status::wanted(node.or_node) {
                ids.extend(below.min_by_key(|child| sizes[*child as usize]));
            } else {
                ids.extend(below);
            }
            steps.extend(ids[first_child..].iter().map(|id| step(*id)));
            (steps[at].first_child, steps[at].children) = (first_child as u32, (steps.len() - first_child) as u32);
            at += 1;
        }
        *kept = Some(Strategy { answered, steps });
    }

    /// The successors of a position in a strategy: the move, the size of the proof below it, and
    /// its place.
    fn below(&self, answered: &AnsweredQuestion, place: Place) -> Vec<(u32, u32, Place)> {
        match place {
            Place::Grown(id) => (self.nodes[id as usize].first_child..)
                .zip(self.children(id))
                .filter(|(_, child)| child.status == answered.status)
                .map(|(id, child)| (child.move_index, self.sizes[id as usize], Place::Grown(id)))
                .collect(),
            Place::Kept(at) => {
                let kept = self.kept[answered.claim.player.index()].as_ref();
                let steps = kept.map_or(&[][..], |kept| &kept.steps);
                let Some(Step { first_child, children, .. }) = steps.get(at as usize).copied() else {
                    return Vec::new();
                };
                (first_child..first_child + children)
                    .map(|at| (steps[at as usize].move_index, steps[at as usize].size, Place::Kept(at)))
                    .collect()
            }
        }
    }
}

impl<R: Rule> Tree<R> {
    /// The size of the smallest proof of each solved node. Children have higher indices than their
    /// parents.
    fn proof_sizes(&self) -> Vec<u32> {
        let mut sizes = vec![1_u32; self.nodes.len()];
        for (id, node) in self.nodes.iter().enumerate().rev() {
            if node.status == Status::Unknown || node.children == 0 {
                continue;
            }
            let below = (0..node.children as usize).map(|number| node.first_child as usize + number);
            let mut of_children =
                below.filter(|child| self.nodes[*child].status == node.status).map(|child| sizes[child]);
            let size = if node.status == Status::wanted(node.or_node) {
                of_children.min().unwrap_or(0)
            } else {
                of_children.try_fold(0_u32, |sum, size| sum.checked_add(size)).unwrap_or(u32::MAX)
            };
            sizes[id] = size.saturating_add(1);
        }
        sizes
    }
}

/// Winning moves from a tree whose root is solved.
struct TreeSource<'a, R: Rule> {
    tree: &'a Tree<R>,
    sizes: Vec<u32>,
    status: Status,
}

impl<P: Position, R: Rule> ProofSource<P> for TreeSource<'_, R> {
    fn winning_move(&mut self, position: &P, at: u64) -> Result<Option<P::Move>, SearchError> {
        let at = at as NodeId;
        let node = &self.tree.nodes[at as usize];
        let children = (node.first_child..).zip(self.tree.children(at));
        let solving = children.filter(|(_, child)| child.status == self.status);
        let smallest = solving.min_by_key(|(id, _)| self.sizes[*id as usize]);
        Ok(smallest.and_then(|(_, child)| position.move_at(child.move_index as usize)))
    }

    fn after(&mut self, at: u64, number: usize, _: &P) -> u64 {
        let (first, children) = (self.tree.nodes[at as usize].first_child, self.tree.children(at as NodeId));
        let in_place = || children[number].ordinal == number as u16;
        let place = match self.tree.order {
            Order::Shuffled if !in_place() => children.iter().position(|child| child.ordinal == number as u16),
            _ => Some(number),
        };
        u64::from(first) + place.expect("every move has a node") as u64
    }
}

impl<P: Position, R: Rule> Solver<P> for Tree<R> {
    fn ask(&mut self, root: &P, aim: Aim, work: &mut Work<'_, P::Move>) -> Result<Verdict, SearchError> {
        let memory = work.meter.budget().memory_bytes();
        self.keep_strategy((memory / KEPT_SHARE).saturating_sub(self.kept_bytes()));
        self.sizes = Vec::new();
        let left = memory.saturating_sub(self.kept_bytes());
        self.most_nodes = (left / size_of::<Node<R::Number>>() as u64).clamp(1, u64::from(u32::MAX)) as usize;
        self.nodes.clear();
        self.nodes.shrink_to(self.most_nodes);
        self.question = Some(aim);
        let (mut position, mut scratch, mut trial) = (root.clone(), root.clone(), root.clone());
        self.pulse = work.meter.pulse();
        let number = self.rule.leaf([&mut scratch, &mut trial], aim, 0, &mut self.pulse);
        let or_node = root.turn() == aim.player;
        let status = Status::Unknown;
        self.nodes.push(Node { number, first_child: 0, children: 0, move_index: 0, status, or_node, ordinal: 0 });
        let (mut path, mut previous): (Vec<NodeId>, Vec<NodeId>) = (Vec::new(), Vec::new());
        while self.nodes[ROOT as usize].status == Status::Unknown && work.meter.iteration() {
            std::mem::swap(&mut path, &mut previous);
            path.clear();
            path.push(ROOT);
            position.clone_from(root);
            let mut at = ROOT;
            let mut follows = self.rule.stays();
            while self.nodes[at as usize].children > 0 {
                let before = previous.get(path.len()).copied().filter(|_| follows);
                at = self.select(at, before);
                follows = before == Some(at);
                path.push(at);
                let index = self.nodes[at as usize].move_index as usize;
                position.play(position.move_at(index).expect("moves of the tree are moves of the game"));
            }
            let depth = path.len() as u32 - 1;
            work.meter.add_nodes(u64::from(depth));
            work.depth = work.depth.max(depth);
            if !self.expand(at, [&mut position, &mut scratch, &mut trial], depth, work) {
                break;
            }
            self.back_up(&path);
            work.show(|| {
                let indices = path[1..].iter().map(|id| self.nodes[*id as usize].move_index as usize);
                let moves = indices.map(|index| root.move_at(index).expect("a move of the game")).collect();
                (self.rule.shown(&self.nodes[ROOT as usize].number), moves, self.bytes())
            });
        }
        let node = self.nodes[ROOT as usize];
        let numbers = match node.status {
            Status::Unknown => self.rule.shown(&node.number),
            Status::Proved => [0.0, f64::INFINITY],
            Status::Disproved => [f64::INFINITY, 0.0],
        };
        if node.children == 0 {
            return Ok(Verdict::unknown(root.move_count()));
        }
        let mut moves: Vec<(u16, Status)> = self.children(ROOT).iter().map(|it| (it.ordinal, it.status)).collect();
        if self.order == Order::Shuffled && moves.len() <= 1 << 16 {
            crate::sorting::sort_by_key(&mut moves, |(ordinal, _)| i64::from(*ordinal));
        }
        Ok(Verdict { status: node.status, numbers, moves: moves.into_iter().map(|(_, status)| status).collect() })
    }

    fn forget(&mut self) {
        self.answered = None;
        self.kept = [None, None];
    }

    fn keep(&mut self, answered: AnsweredQuestion) {
        self.answered = Some(answered);
    }

    fn place(&mut self, _: &P, answered: &AnsweredQuestion) -> Option<u64> {
        if self.answered == Some(*answered) {
            if self.sizes.is_empty() {
                self.sizes = self.proof_sizes();
            }
            return Some(Place::Grown(ROOT).number());
        }
        let kept = self.kept[answered.claim.player.index()].as_ref();
        kept.filter(|kept| kept.answered == *answered).map(|_| Place::Kept(0).number())
    }

    fn location_after(&self, answered: &AnsweredQuestion, place: u64, mv: usize, _: &P) -> Option<u64> {
        let mut below = self.below(answered, Place::of(place)).into_iter();
        below.find(|(index, ..)| *index as usize == mv).map(|(.., place)| place.number())
    }

    fn winning_move(&self, answered: &AnsweredQuestion, place: u64, position: &P) -> Option<P::Move> {
        let (index, ..) = self.below(answered, Place::of(place)).into_iter().min_by_key(|(_, size, _)| *size)?;
        position.move_at(index as usize)
    }

    fn hardest_reply(&self, answered: &AnsweredQuestion, place: u64, position: &P) -> Option<P::Move> {
        // The first of the largest; `max_by_key` would return the last. Ties follow the game's
        // order.
        let (index, ..) =
            self.below(answered, Place::of(place)).into_iter().min_by_key(|(_, size, _)| std::cmp::Reverse(*size))?;
        position.move_at(index as usize)
    }

    fn prove(
        &mut self,
        root: &P,
        answered: AnsweredQuestion,
        work: &mut Work<'_, P::Move>,
    ) -> Result<Claim, SearchError> {
        if self.question != Some(answered.aim) {
            // Only the tree of the last question exists. Another one is grown again, perhaps
            // differently, so the question is tightened to its answer first.
            let verdict = self.ask(root, answered.sharp(), work)?;
            if verdict.status != answered.status {
                return Err(SearchError::OutOfBudget("the budget was spent before the answer was proved again".into()));
            }
        }
        let mut source = TreeSource { sizes: self.proof_sizes(), tree: self, status: answered.status };
        extract(root, answered.claim, &mut source, u64::from(ROOT), &mut work.meter)
    }

    fn memory_bytes(&self) -> u64 {
        self.bytes() + self.kept_bytes()
    }

    fn figures(&self, figures: &mut Vec<(&'static str, f64)>) {
        figures.push(("tree nodes", self.nodes.len() as f64));
    }
}

/// A search that keeps its tree.
pub struct TreeSearch<R: Rule> {
    pub(super) goal: Goal,
    pub(super) tree: Tree<R>,
    pub(super) answered: Vec<AnsweredQuestion>,
}

impl<R: Rule> TreeSearch<R> {
    pub(super) fn with_rule(rule: R, goal: Goal) -> TreeSearch<R> {
        TreeSearch { goal, tree: Tree::new(rule), answered: Vec::new() }
    }

    /// The same search with another order of moves.
    #[must_use]
    pub fn ordered(mut self, order: Order) -> TreeSearch<R> {
        self.tree.order = order;
        self
    }
}

impl<P: Studied, R: Rule> Search<P> for TreeSearch<R> {
    fn search(
        &mut self,
        root: &P,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError> {
        self.tree.rule.begin(seed);
        self.tree.rng = Rng::new(seed).split(1);
        let solved = solve(&mut self.tree, root, self.goal, (budget, seed), watch)?;
        self.answered = solved.answered;
        Ok(solved.report)
    }

    fn proof(&mut self, root: &P, budget: &Budget) -> Result<Vec<Claim>, SearchError> {
        prove(&mut self.tree, root, &self.answered, budget)
    }

    fn take_proof_tree(&mut self) -> Option<ProofTree> {
        self.answered.clear();
        self.taken()
    }
}
