//! The engine: gather, apply, report.

use super::select::Candidate;
use super::solver;
use super::tree::{Columns, Node, NodeId, ROOT, Tree};
use super::{Expansion, Mcts, Ties};
use crate::decide::close;
use crate::{Search, SearchError};
use tesuji_core::{
    Bounds, Budget, Observer, Player, Position, RecordMoves, Report, Rng, RootMove, Score, Seed, StopReason, Value,
    Watch,
};

/// The memory of a search that was given none.
const DEFAULT_MEMORY: u64 = 1 << 30;

/// One search under way.
struct Engine<'a, P: Position> {
    recipe: &'a Mcts,
    root: &'a P,
    tree: Tree,
    rng: Rng,
    /// Where the descent stands; reused.
    position: P,
    path: Vec<NodeId>,
    /// Moves of the descent and the playout, in order, when somebody counts them.
    moves: RecordMoves<P::Move>,
    tree_moves: Vec<(Player, u32)>,
    /// For each player and move: one more than the earliest place in the current game where he played it, if `stamp` is current.
    earliest: [Vec<(u32, u32)>; 2],
    stamp: u32,
    indices: Vec<u32>,
    depth: u32,
}

/// What an iteration found.
struct Gathered {
    units: u64,
    squares: u64,
    count: u32,
    /// Whether the end of the path has just been proved.
    proved: bool,
}

impl<'a, P: Position> Engine<'a, P> {
    fn new(recipe: &'a Mcts, root: &'a P, memory: u64, seed: Seed) -> Self {
        let columns = Columns { squares: recipe.select.needs_squares(), amaf: recipe.select.needs_amaf() };
        let space = if columns.amaf { root.move_space() } else { 0 };
        let mut engine = Engine {
            recipe,
            root,
            tree: Tree::new(columns, memory),
            rng: Rng::new(seed),
            position: root.clone(),
            path: Vec::new(),
            moves: RecordMoves::default(),
            tree_moves: Vec::new(),
            earliest: [vec![(0, 0); space], vec![(0, 0); space]],
            stamp: 0,
            indices: Vec::new(),
            depth: 0,
        };
        let node = engine.tree.node_mut(ROOT);
        node.mover = root.turn();
        node.entered = true;
        engine
    }

    /// Descends, opens, estimates.
    fn gather(&mut self) -> Gathered {
        self.path.clear();
        self.path.push(ROOT);
        self.tree_moves.clear();
        self.position.clone_from(self.root);
        let mut id = ROOT;
        loop {
            let node = *self.tree.node(id);
            if let Some(outcome) = self.position.outcome() {
                return self.ended(id, outcome.score);
            }
            if node.first_child == 0 {
                let ripe = node.visits >= self.recipe.ripe || id == ROOT;
                if !(ripe && self.grow(id)) {
                    return self.leaf();
                }
                if self.recipe.expand == Expansion::Each {
                    return self.simulate_each(id);
                }
            }
            let Some(child) = self.select(id) else { return self.leaf() };
            let fresh = !self.tree.node(child).entered;
            self.enter(child);
            id = child;
            if fresh {
                let node = self.tree.node_mut(id);
                node.entered = true;
                node.mover = self.position.turn();
                return match self.position.outcome() {
                    Some(outcome) => self.ended(id, outcome.score),
                    None => self.leaf(),
                };
            }
        }
    }

    /// Simulates every child of a new node once; the sum goes up the path.
    fn simulate_each(&mut self, id: NodeId) -> Gathered {
        let parent = self.position.clone();
        let (first, children) = (self.tree.node(id).first_child, self.tree.node(id).children);
        let mut sum = Gathered { units: 0, squares: 0, count: 0, proved: false };
        for child in first..first + NodeId::from(children) {
            let index = self.tree.node(child).move_index;
            self.position.clone_from(&parent);
            self.position.play(parent.move_at(index as usize).expect("the index of a listed move"));
            let node = self.tree.node_mut(child);
            node.entered = true;
            node.mover = self.position.turn();
            let gathered = match self.position.outcome() {
                Some(outcome) => self.ended(child, outcome.score),
                None => self.leaf(),
            };
            self.add(child, &gathered);
            sum.units += gathered.units;
            sum.squares += gathered.squares;
            sum.count += gathered.count;
            sum.proved |= gathered.proved;
        }
        if sum.proved {
            // The parent's own interval; the path above it follows when the sum is applied.
            self.path.push(first);
            solver::back_up(&mut self.tree, &self.path);
            self.path.pop();
        }
        Gathered { proved: false, ..sum }
    }

    fn add(&mut self, id: NodeId, gathered: &Gathered) {
        let node = self.tree.node_mut(id);
        node.units += gathered.units;
        node.visits += gathered.count;
        if self.recipe.select.needs_squares() {
            self.tree.squares[id as usize] += gathered.squares;
        }
    }

    /// Plays the move that leads to a child.
    fn enter(&mut self, child: NodeId) {
        let index = self.tree.node(child).move_index;
        let mv = self.position.move_at(index as usize).expect("the index of a listed move");
        if self.recipe.select.needs_amaf() {
            self.tree_moves.push((self.position.turn(), index));
        }
        self.position.play(mv);
        self.path.push(child);
    }

    /// An ended game: its score, proved.
    fn ended(&mut self, id: NodeId, score: Score) -> Gathered {
        let node = self.tree.node_mut(id);
        let proved = self.recipe.solver && node.bounds.proved().is_none();
        if proved {
            node.bounds = Bounds::exact(score);
        }
        // A game may draw the lot at its ends (see `Position::playout`); others answer the same score each time.
        Gathered { proved, ..self.leaf() }
    }

    fn leaf(&mut self) -> Gathered {
        let playouts = self.recipe.leaf.playouts();
        let mut gathered = Gathered { units: 0, squares: 0, count: playouts, proved: false };
        self.moves.0.clear();
        for number in 1..=playouts {
            let listen = self.recipe.select.needs_amaf() && number == playouts;
            // The last playout may use the position up.
            let outcome = if number < playouts {
                let mut copy = self.position.clone();
                self.recipe.leaf.simulate(&mut copy, &mut self.rng, None)
            } else {
                let record = if listen { Some(&mut self.moves) } else { None };
                self.recipe.leaf.simulate(&mut self.position, &mut self.rng, record)
            };
            let units = u64::from(outcome.score.units());
            gathered.units += units;
            gathered.squares += units * units;
        }
        gathered
    }

    /// Gives a node its children, shuffled. Answers whether there was room.
    fn grow(&mut self, id: NodeId) -> bool {
        let position = &self.position;
        self.indices.clear();
        let indices = &mut self.indices;
        let _ = position.visit_moves::<()>(|mv| {
            indices.push(position.move_index(mv) as u32);
            std::ops::ControlFlow::Continue(())
        });
        if self.recipe.ties == Ties::Random {
            for last in (1..indices.len()).rev() {
                indices.swap(last, self.rng.below(last as u32 + 1) as usize);
            }
        }
        if !self.tree.grow(id, &self.indices) {
            return false;
        }
        if self.recipe.expand != Expansion::One {
            let node = self.tree.node_mut(id);
            node.opened = node.children;
        }
        true
    }

    /// The child to go to; nothing if every open one is settled and none is left to open.
    fn select(&mut self, id: NodeId) -> Option<NodeId> {
        let node = *self.tree.node(id);
        if node.opened < node.children {
            self.tree.node_mut(id).opened += 1;
            return Some(node.first_child + NodeId::from(node.opened));
        }
        let visits = f64::from(node.visits.max(1));
        let log_visits = libm::log(visits);
        let first = node.first_child as usize;
        let mut best: Option<(f64, usize)> = None;
        let mut ties = 1;
        for (number, child) in self.tree.open_children(id).iter().enumerate() {
            if self.recipe.solver && !solver::is_open_question(child, node.bounds, node.mover) {
                continue;
            }
            let squares = self.tree.squares.get(first + number).copied().unwrap_or(0);
            let amaf = self.tree.amaf.get(first + number).copied().unwrap_or_default();
            let candidate = Candidate { node: child, squares, amaf };
            let value = self.recipe.select.value(&candidate, node.mover, visits, log_visits, self.recipe.urgency);
            debug_assert!(!value.is_nan(), "a selection value is a number");
            match best {
                Some((most, _)) if value < most => {}
                Some((most, _)) if value == most => {
                    ties += 1;
                    if self.recipe.ties == Ties::Random && self.rng.below(ties) == 0 {
                        best = Some((value, number));
                    }
                }
                _ => {
                    best = Some((value, number));
                    ties = 1;
                }
            }
        }
        best.map(|(_, number)| node.first_child + number as NodeId)
    }

    /// Adds an estimate along the path.
    fn apply(&mut self, gathered: &Gathered) {
        self.depth = self.depth.max(self.path.len() as u32 - 1);
        for place in 0..self.path.len() {
            self.add(self.path[place], gathered);
        }
        if self.recipe.select.needs_amaf() {
            self.count_all_moves(gathered);
        }
        if gathered.proved {
            solver::back_up(&mut self.tree, &self.path);
        }
    }

    /// All moves as first: every child whose move its parent's mover played from there on, first time only.
    fn count_all_moves(&mut self, gathered: &Gathered) {
        self.stamp += 1;
        let root = self.root;
        let later = self.moves.0.iter().map(|(player, mv)| (*player, root.move_index(*mv) as u32));
        let all = self.tree_moves.iter().copied().chain(later);
        for (place, (player, index)) in all.enumerate() {
            let slot = &mut self.earliest[player.index()][index as usize];
            if slot.0 != self.stamp {
                *slot = (self.stamp, place as u32);
            }
        }
        for (depth, &id) in self.path.iter().enumerate() {
            let node = *self.tree.node(id);
            let first = node.first_child as usize;
            for number in 0..usize::from(node.opened) {
                let index = self.tree.node((first + number) as NodeId).move_index;
                let (stamp, place) = self.earliest[node.mover.index()][index as usize];
                if stamp == self.stamp && place as usize >= depth {
                    let amaf = &mut self.tree.amaf[first + number];
                    amaf.units += gathered.units;
                    amaf.visits += gathered.count;
                }
            }
        }
    }

    fn report(&self, rng: &mut Rng) -> Report<P::Move> {
        let mover = self.root.turn();
        let root = *self.tree.node(ROOT);
        let mv_of = |node: &Node| self.root.move_at(node.move_index as usize).expect("the index of a listed move");
        let children = self.tree.all_children(ROOT);
        let entry = |child: &Node| RootMove {
            visits: u64::from(child.visits),
            value: (child.visits > 0).then(|| child.bounds.proved().map_or(child.mean(), Value::from)),
            bounds: child.bounds,
            ..RootMove::untried(mv_of(child))
        };
        let mut entries: Vec<(u32, RootMove<P::Move>)> =
            children.iter().map(|child| (child.move_index, entry(child))).collect();
        entries.sort_by_key(|(index, _)| *index);
        let mut report = Report { root: entries.into_iter().map(|(_, entry)| entry).collect(), ..Report::empty(mover) };
        match self.recipe.decide.choose(children, root.bounds, mover, rng) {
            Some(chosen) => {
                let child = &children[chosen];
                report.best = Some(mv_of(child));
                report.value = child
                    .bounds
                    .proved()
                    .map_or(if child.visits > 0 { child.mean() } else { Value::UNKNOWN }, Value::from);
                report.line = self.line(root.first_child + chosen as NodeId);
            }
            // The budget did not reach even the root's children.
            None => {
                report.root = crate::decide::open_root(self.root);
                report.best = self.root.random_move(rng);
                report.line = report.best.into_iter().collect();
            }
        }
        report.bounds = root.bounds;
        report.depth = self.depth;
        report.memory_bytes = self.tree.bytes();
        report
    }

    /// The most visited way down from a child of the root.
    fn line(&self, child: NodeId) -> Vec<P::Move> {
        let mut position = self.root.clone();
        let mut line = Vec::new();
        let mut id = child;
        loop {
            let node = self.tree.node(id);
            let mv = position.move_at(node.move_index as usize).expect("the index of a listed move");
            position.play(mv);
            line.push(mv);
            let next = self.tree.open_children(id).iter().enumerate().max_by_key(|(_, child)| child.visits);
            match next {
                Some((number, best)) if best.visits > 0 => id = node.first_child + number as NodeId,
                _ => return line,
            }
        }
    }
}

impl<P: Position> Search<P> for Mcts {
    fn search(
        &mut self,
        root: &P,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError> {
        if root.outcome().is_some() {
            return Err(SearchError::Ended);
        }
        if root.move_count() > usize::from(u16::MAX) {
            return Err(SearchError::Unfit(format!("mcts serves positions of at most {} moves", u16::MAX)));
        }
        let mut engine = Engine::new(self, root, budget.memory.unwrap_or(DEFAULT_MEMORY), seed);
        let mut meter = budget.meter();
        let mut watch = Watch::new(watch);
        let ties = engine.rng.split(1);
        while meter.iteration() {
            let gathered = engine.gather();
            engine.apply(&gathered);
            meter.add_nodes(engine.path.len() as u64 - 1);
            let (work, nodes, elapsed) = (meter.iterations(), meter.nodes(), meter.recent_elapsed());
            watch.tick(work, elapsed, || Report {
                iterations: work,
                nodes,
                elapsed,
                stopped: StopReason::Asked,
                ..engine.report(&mut ties.clone())
            });
            if engine.tree.node(ROOT).bounds.proved().is_some() {
                meter.stop(StopReason::Finished);
                break;
            }
        }
        let mut report = engine.report(&mut ties.clone());
        close(&mut report, &meter);
        report.nodes = engine.tree.len() as u64 - 1;
        Ok(report)
    }
}
