//! One thread's part: gather (descend, open, estimate) and apply (add the estimate along the path).

use super::choose::best_of_all;
use super::guide::{Backup, CombinedForm, way_down};
use super::leaf::{Past, Simulate};
use super::lookahead;
use super::mirror::{Extent, Mirrors};
use super::parallel::LeafPool;
use super::publish::Published;
use super::select::Selection;
use super::table::Table;
use super::tree::{NodeId, ROOT, Tree};
use super::{Expansion, Mcts, TieBreak, proof_numbers, solver};
use crate::sorting::heaviest_first;
use std::sync::atomic::{AtomicBool, Ordering};
use tesuji_core::{Bounds, Deadline, Evaluation, Outcome, Position, Preference, Pulse, RecordMoves, Rng, Studied};

/// Iterations after which a thread on a shared tree tells the others what it did.
pub(super) const PATIENCE: u32 = 32;

/// A lost visit among so many others hardly changes a choice, and is not counted: threads that meet at such a node part below it.
const NOTICED: u32 = 8;

/// How a step down is to be counted when the estimate is there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// As it is.
    Plain,
    /// Lost visits stand in for it on the way.
    Lost,
    /// It was chosen by this thread's own copy of the statistics, and is added there.
    Copied,
}

/// What all threads of a search look at. Like a worker it has cache lines of its own: what one thread writes all the time must not lie in a line that
/// another reads all the time. Where it did, by the chance of addresses, two threads were 1.4 times as fast as one instead of 1.9.
#[repr(align(128))]
pub(super) struct Shared<P: Position> {
    pub(super) recipe: Mcts,
    pub(super) root: P,
    pub(super) tree: Tree,
    pub(super) table: Option<Table>,
    pub(super) preference: Option<Box<dyn Preference<P>>>,
    pub(super) evaluation: Option<Box<dyn Evaluation<P>>>,
    /// The number of the root's pass, where it has one and the recipe has manners.
    pub(super) pass: Option<u32>,
    /// Iterations of the budget per move of the root, for rules that look at it.
    pub(super) horizon: Option<f64>,
    /// Whether several threads work on the tree.
    pub(super) crowded: bool,
    /// How much of what all threads look at each copies for itself.
    pub(super) copies: Option<Extent>,
    /// Whether somebody wants to know where playouts end.
    pub(super) counts_plies: bool,
    /// Somebody found no room.
    pub(super) full: AtomicBool,
    /// When the search ends at the latest, for each thread's pulse.
    pub(super) clock: Deadline,
    /// There is no room and there will be none.
    pub(super) frozen: bool,
}

/// One thread.
#[repr(align(128))]
pub(super) struct Worker<P: Studied> {
    pub(super) rng: Rng,
    leaf: Box<dyn Simulate<P>>,
    pool: Option<LeafPool<P>>,
    /// For work inside an iteration that may take long.
    pulse: Pulse,
    /// Where the descent stands; reused.
    position: P,
    spare: P,
    /// The position of a node whose children are simulated; reused.
    above: Option<P>,
    pub(super) path: Vec<NodeId>,
    /// How each step of the path is to be counted.
    steps: Vec<Step>,
    pub(super) mirrors: Mirrors,
    /// Whether the last choice was made by such a copy.
    pub(super) chose_by_copy: bool,
    /// Estimates not yet added to the root, and how many.
    owed: Gathered,
    owed_times: u32,
    /// Visits of the root, where somebody counts them.
    pub(super) turns: u32,
    /// Moves of the descent, when somebody counts them.
    past: Vec<Past>,
    /// The reward of the last playout.
    sample: i64,
    /// Its moves, in order, when somebody counts them.
    moves: RecordMoves<P::Move>,
    /// For each player and move: the earliest place in the current game where he played it, if the stamp is current.
    earliest: [Vec<(u32, u32)>; 2],
    stamp: u32,
    legal: Vec<P::Move>,
    weights: Vec<f64>,
    order: Vec<(u32, f64)>,
    pub(super) ranks: Vec<u32>,
    way: Vec<NodeId>,
    pub(super) depth: u32,
    /// Where the last playout ended, in plies below the root, and how, where it was counted.
    pub(super) last_end: Option<(u32, Outcome)>,
}

/// What an iteration found.
#[derive(Clone, Copy, Default)]
pub(super) struct Gathered {
    pub(super) units: i64,
    pub(super) squares: u64,
    pub(super) count: u32,
    /// Whether something at the end of the path has just been proved.
    pub(super) proved: bool,
}

impl Gathered {
    pub(super) fn plus(&mut self, other: Gathered) {
        self.units += other.units;
        self.squares = self.squares.saturating_add(other.squares);
        self.count += other.count;
        self.proved |= other.proved;
    }

    /// Whether the iteration was cut off before it found anything.
    #[inline]
    pub(super) fn is_nothing(&self) -> bool {
        self.count == 0 && !self.proved
    }

    pub(super) fn one(units: i64) -> Gathered {
        // No reward is so great that its square does not fit.
        Gathered { units, squares: units.unsigned_abs() * units.unsigned_abs(), count: 1, proved: false }
    }
}

impl<P: Studied> Worker<P> {
    pub(super) fn new(
        shared: &Shared<P>,
        leaf: Box<dyn Simulate<P>>,
        pool: Option<LeafPool<P>>,
        rng: Rng,
    ) -> Worker<P> {
        let space = if shared.tree.columns.amaf { shared.root.move_space() } else { 0 };
        Worker {
            rng,
            leaf,
            pool,
            pulse: Pulse::new(shared.clock.clone()),
            position: shared.root.clone(),
            spare: shared.root.clone(),
            above: None,
            path: Vec::new(),
            steps: Vec::new(),
            mirrors: shared.copies.map_or(Mirrors::none(), Mirrors::new),
            chose_by_copy: false,
            owed: Gathered::default(),
            owed_times: 0,
            turns: 0,
            past: Vec::new(),
            sample: 0,
            moves: RecordMoves::default(),
            earliest: [vec![(0, 0); space], vec![(0, 0); space]],
            stamp: 0,
            legal: Vec::new(),
            weights: Vec::new(),
            order: Vec::new(),
            ranks: Vec::new(),
            way: Vec::new(),
            depth: 0,
            last_end: None,
        }
    }

    /// Whether the moves of the descent are written down.
    fn needs_past(&self, shared: &Shared<P>) -> bool {
        shared.tree.columns.amaf || shared.recipe.leaf.needs_history()
    }

    /// Descends, opens, estimates.
    pub(super) fn gather(&mut self, shared: &Shared<P>) -> Gathered {
        self.path.clear();
        self.path.push(ROOT);
        self.steps.clear();
        self.past.clear();
        self.last_end = None;
        self.moves.0.clear();
        self.position.clone_from(&shared.root);
        let mut id = ROOT;
        if let Selection::Scan { .. } = shared.recipe.select {
            let mut stack = std::mem::take(&mut self.way);
            let best = best_of_all(shared, &mut stack, &mut self.pulse);
            self.way = stack;
            id = self.go_to(shared, ROOT, best);
        }
        loop {
            let node = shared.tree.node(id);
            if let Some(outcome) = self.position.outcome() {
                return self.ended(shared, id, outcome);
            }
            if let Some(gathered) = self.probe(shared, id) {
                return gathered;
            }
            if node.children().get().is_none() {
                let ripe = node.visits() >= shared.recipe.ripe || id == ROOT;
                if !(ripe && self.grow(shared, id)) {
                    return self.estimate(shared, id);
                }
                if shared.recipe.expand == Expansion::Each {
                    return self.simulate_each(shared, id);
                }
            }
            let Some(child) = self.select(shared, id) else {
                // Every child is settled. Where children are shared that may be news to this node.
                let proved = shared.recipe.solver && self.learn(shared, id);
                return Gathered { proved, ..self.estimate(shared, id) };
            };
            let step = if std::mem::take(&mut self.chose_by_copy) { Step::Copied } else { Step::Plain };
            let fresh = self.enter(shared, child, step);
            id = child;
            if let Backup::Combined { form: CombinedForm::Jump, .. } = shared.recipe.backup {
                // What is proved need not be visited again.
                let target = shared.tree.minimax(child);
                if !shared.recipe.solver || shared.tree.node(target).bounds().proved().is_none() {
                    id = self.go_to(shared, child, target);
                }
            }
            if fresh {
                return match self.position.outcome() {
                    Some(outcome) => self.ended(shared, id, outcome),
                    None => self.probe(shared, id).unwrap_or_else(|| self.estimate(shared, id)),
                };
            }
        }
    }

    /// Takes over what the children of a node prove. Answers whether that was news.
    fn learn(&mut self, shared: &Shared<P>, id: NodeId) -> bool {
        let joined = solver::joined(&shared.tree, id);
        let news = joined != shared.tree.node(id).bounds();
        if news {
            shared.tree.node(id).set_bounds(joined);
        }
        news
    }

    /// Goes down from one node to another below it, along parents.
    fn go_to(&mut self, shared: &Shared<P>, from: NodeId, to: NodeId) -> NodeId {
        let mut way = std::mem::take(&mut self.way);
        way_down(&shared.tree, from, to, &mut way);
        way.iter().for_each(|&id| {
            self.enter(shared, id, Step::Plain);
        });
        self.way = way;
        to
    }

    /// Plays the move that leads to a child. Answers whether nobody had been there.
    fn enter(&mut self, shared: &Shared<P>, child: NodeId, mut step: Step) -> bool {
        let node = shared.tree.node(child);
        let index = node.move_index();
        let mv = self.position.move_at(index as usize).expect("the index of a listed move");
        let chooser = self.position.turn();
        if self.needs_past(shared) {
            self.past.push((chooser, index));
        }
        self.position.play(mv);
        self.path.push(child);
        let losses = shared.recipe.virtual_loss;
        if shared.crowded && step == Step::Plain && node.visits() < losses.saturating_mul(NOTICED) {
            node.take_off(chooser, losses);
            step = Step::Lost;
        }
        self.steps.push(step);
        !node.is_entered() && node.enter(self.position.turn())
    }

    /// A look ahead, once for every node that is visited often enough; an estimate if it proved something.
    fn probe(&mut self, shared: &Shared<P>, id: NodeId) -> Option<Gathered> {
        let probe = shared.recipe.probe?;
        let node = shared.tree.node(id);
        // At the root a proof without its move is of no use.
        if id == ROOT || !shared.recipe.solver || node.visits() < probe.visits || !node.claim_probe() {
            return None;
        }
        let Worker { position, legal, pulse, .. } = self;
        let found = lookahead::bounds(position, probe.depth, legal, &mut || pulse.goes_on());
        let joined = node.bounds().intersect(found).expect("proofs do not contradict each other");
        if joined == node.bounds() {
            return None;
        }
        node.set_bounds(joined);
        let score = joined.proved()?;
        // What is proved needs no playout.
        self.sample = shared.recipe.reward.units(Outcome::graded(score));
        Some(Gathered { proved: true, ..Gathered::one(self.sample) })
    }

    /// Simulates every child of a new node once, or as many as the budget allows; the sum goes up the path.
    fn simulate_each(&mut self, shared: &Shared<P>, id: NodeId) -> Gathered {
        let children = shared.tree.node(id).children().get().expect("it has just grown");
        let mut above = self.above.take().unwrap_or_else(|| self.position.clone());
        above.clone_from(&self.position);
        let mut sum = Gathered::default();
        for child in children.first..children.first + NodeId::from(children.count) {
            if child > children.first && !self.pulse.goes_on() {
                break;
            }
            let node = shared.tree.node(child);
            self.position.clone_from(&above);
            let mv = above.move_at(node.move_index() as usize).expect("the index of a listed move");
            self.position.play(mv);
            node.enter(self.position.turn());
            self.path.push(child);
            if self.needs_past(shared) {
                self.past.push((above.turn(), node.move_index()));
            }
            let gathered = match self.position.outcome() {
                Some(outcome) => self.ended(shared, child, outcome),
                None => self.estimate(shared, child),
            };
            self.path.pop();
            if self.needs_past(shared) {
                self.past.pop();
            }
            add(shared, child, &gathered);
            sum.plus(gathered);
        }
        self.above = Some(above);
        if sum.proved {
            sum.proved = self.learn(shared, id);
        }
        sum
    }

    /// An ended game: its score, proved.
    fn ended(&mut self, shared: &Shared<P>, id: NodeId, outcome: Outcome) -> Gathered {
        let node = shared.tree.node(id);
        let proved = shared.recipe.solver && node.bounds().proved().is_none();
        if proved {
            node.set_bounds(Bounds::exact(outcome.score));
        }
        // A game may draw the lot at its ends (see `Position::playout`); others answer the same score each time.
        Gathered { proved, ..self.estimate(shared, id) }
    }

    /// The leaf's playouts, from where the descent stands.
    fn estimate(&mut self, shared: &Shared<P>, id: NodeId) -> Gathered {
        let playouts = shared.recipe.leaf.playouts();
        let listens = shared.tree.columns.amaf || shared.counts_plies;
        if let Some(evaluation) = &shared.evaluation {
            let value = match self.position.outcome() {
                Some(outcome) => outcome.score.to_f64(),
                None => evaluation.expectation(&self.position),
            };
            shared.tree.set_guide(id, value);
        }
        if let Some(pool) = &self.pool {
            pool.send(&self.position, &self.past);
        }
        let mut sum = Gathered::default();
        for number in 1..=playouts {
            // The first one is what the meter has allowed.
            if number > 1 && !self.pulse.goes_on() {
                break;
            }
            self.moves.0.clear();
            let record = if listens { Some(&mut self.moves) } else { None };
            // The last playout may use the position up.
            let position = if number < playouts {
                self.spare.clone_from(&self.position);
                &mut self.spare
            } else {
                &mut self.position
            };
            let outcome = self.leaf.simulate(position, &self.past, &mut self.rng, record);
            let Some(outcome) = outcome else {
                self.moves.0.clear();
                break;
            };
            if shared.counts_plies {
                let end = (self.path.len() - 1 + self.moves.0.len()) as u32;
                if self.last_end.is_none_or(|(earlier, _)| end < earlier) {
                    self.last_end = Some((end, outcome));
                }
            }
            self.sample = shared.recipe.reward.units(outcome);
            sum.plus(Gathered::one(self.sample));
        }
        if let Some(pool) = &self.pool {
            sum.plus(pool.collect());
        }
        sum
    }

    /// Gives a node its children. Answers whether it has them now.
    fn grow(&mut self, shared: &Shared<P>, id: NodeId) -> bool {
        let (recipe, tree) = (&shared.recipe, &shared.tree);
        let children = tree.node(id).children();
        if !children.claim() {
            return false;
        }
        let opened = |count: u16| if recipe.expand.opens_all() { count } else { 0 };
        let hash = self.position.hash().0;
        if let Some((first, count)) = shared.table.as_ref().and_then(|table| table.join(tree, hash)) {
            children.publish(Published { first, count, open: opened(count) });
            return true;
        }
        self.list_moves(shared);
        let place = u16::try_from(self.order.len()).ok().and_then(|count| Some((tree.allocate(count)?, count)));
        let Some((first, count)) = place else {
            children.give_up();
            if !shared.frozen {
                shared.full.store(true, Ordering::Relaxed);
            }
            return false;
        };
        for (child, (index, prior)) in (first..).zip(&self.order) {
            tree.reset(child, *index, id);
            tree.set_prior(child, *prior);
        }
        let published = Published { first, count, open: opened(count) };
        if let Some(table) = &shared.table {
            table.note(tree, hash, published);
        }
        children.publish(published);
        true
    }

    /// The moves of the position with their priors, in the order in which they are to be opened.
    fn list_moves(&mut self, shared: &Shared<P>) {
        let Worker { position, legal, weights, order, rng, .. } = self;
        legal.clear();
        lookahead::push_moves(position, legal);
        order.clear();
        let even = 1.0 / legal.len() as f64;
        order.extend(legal.iter().map(|mv| (position.move_index(*mv) as u32, even)));
        if let Some(preference) = &shared.preference {
            preference.weigh(position, legal, weights);
            let sum: f64 = weights.iter().sum();
            order.iter_mut().zip(weights.iter()).for_each(|(entry, weight)| entry.1 = weight / sum);
        }
        if shared.recipe.ties == TieBreak::Random {
            for last in (1..order.len()).rev() {
                order.swap(last, rng.below(last as u32 + 1) as usize);
            }
        }
        if shared.recipe.expand.needs_order() {
            heaviest_first(order);
        }
    }

    /// Adds an estimate along the path.
    pub(super) fn apply(&mut self, shared: &Shared<P>, gathered: &Gathered) {
        let tree = &shared.tree;
        if gathered.is_nothing() {
            // Only the lost visits of the descent are taken back.
            if shared.crowded {
                self.land(shared, gathered);
            }
            return;
        }
        self.depth = self.depth.max(self.path.len() as u32 - 1);
        if shared.crowded {
            self.land(shared, gathered);
        } else {
            self.path.iter().for_each(|&id| add(shared, id, gathered));
        }
        if tree.columns.amaf {
            self.count_all_moves(shared);
        }
        if gathered.proved {
            solver::back_up(tree, &self.path);
            self.probe_above(shared);
        }
        shared.recipe.backup.apply(tree, &self.path);
        if tree.columns.proof {
            proof_numbers::back_up(tree, &self.path);
        }
    }

    /// Adds an estimate along a path on which others are under way. What all would write at every iteration, the root, is kept
    /// back for a while.
    fn land(&mut self, shared: &Shared<P>, gathered: &Gathered) {
        let tree = &shared.tree;
        self.owed.plus(*gathered);
        self.owed_times += 1;
        if self.owed_times >= PATIENCE {
            self.pay(shared);
        }
        for (ends, step) in self.path.windows(2).zip(&self.steps) {
            let (parent, child) = (ends[0], ends[1]);
            match step {
                Step::Copied => self.mirrors.add(tree, parent, child, gathered.units, gathered.count),
                Step::Plain => add(shared, child, gathered),
                Step::Lost => {
                    let chooser = tree.node(parent).mover();
                    tree.node(child).land(chooser, shared.recipe.virtual_loss, gathered.units, gathered.count);
                    if tree.columns.squares {
                        tree.add_squares(child, gathered.squares, true);
                    }
                }
            }
        }
    }

    /// Gives the root what was kept back.
    fn pay(&mut self, shared: &Shared<P>) {
        add(shared, ROOT, &self.owed);
        (self.owed, self.owed_times) = (Gathered::default(), 0);
    }

    /// Gives the tree all that was kept back.
    pub(super) fn pay_all(&mut self, shared: &Shared<P>) {
        self.pay(shared);
        self.mirrors.close(&shared.tree);
    }

    /// Minimax in the backup: when a proof stops on its way up, a look ahead from where it stopped may carry it further.
    fn probe_above(&mut self, shared: &Shared<P>) {
        let Some(probe) = shared.recipe.probe.filter(|probe| probe.backup) else { return };
        let tree = &shared.tree;
        let Some(stopped) = self.path.iter().rposition(|&id| tree.node(id).bounds().proved().is_none()) else { return };
        if stopped == 0 || stopped + 1 == self.path.len() {
            return;
        }
        self.spare.clone_from(&shared.root);
        for &id in &self.path[1..=stopped] {
            let mv = self.spare.move_at(tree.node(id).move_index() as usize).expect("the index of a listed move");
            self.spare.play(mv);
        }
        let node = tree.node(self.path[stopped]);
        let Worker { spare, legal, pulse, .. } = self;
        let found = lookahead::bounds(spare, probe.depth, legal, &mut || pulse.goes_on());
        let joined = node.bounds().intersect(found).expect("proofs do not contradict each other");
        if joined != node.bounds() {
            node.set_bounds(joined);
            solver::back_up(tree, &self.path[..=stopped]);
        }
    }

    /// All moves as first, of the last playout: every child whose move its parent's mover played from there on, first time only.
    fn count_all_moves(&mut self, shared: &Shared<P>) {
        self.stamp += 1;
        let root = &shared.root;
        let later = self.moves.0.iter().map(|(player, mv)| (*player, root.move_index(*mv) as u32));
        let all = self.past.iter().copied().chain(later);
        for (place, (player, index)) in all.enumerate() {
            let slot = &mut self.earliest[player.index()][index as usize];
            if slot.0 != self.stamp {
                *slot = (self.stamp, place as u32);
            }
        }
        for (depth, &id) in self.path.iter().enumerate() {
            let node = shared.tree.node(id);
            let Some(children) = node.children().get() else { continue };
            let seen = &self.earliest[node.mover().index()];
            if shared.crowded
                && let Some(mirror) = self.mirrors.get(id)
            {
                for number in 0..mirror.moves.len() {
                    let (stamp, place) = seen[mirror.moves[number] as usize];
                    if stamp == self.stamp && place as usize >= depth {
                        mirror.add_amaf(number, self.sample);
                    }
                }
                continue;
            }
            for child in children.first..children.first + NodeId::from(children.open) {
                let (stamp, place) = seen[shared.tree.node(child).move_index() as usize];
                if stamp == self.stamp && place as usize >= depth {
                    shared.tree.amaf[child as usize].add(self.sample);
                }
            }
        }
    }

    /// The position of the root, to look ahead from, and how long that may take.
    pub(super) fn spare_root(&mut self, shared: &Shared<P>) -> (&mut P, &mut Pulse) {
        self.spare.clone_from(&shared.root);
        (&mut self.spare, &mut self.pulse)
    }
}

/// Adds an estimate to one node.
fn add<P: Position>(shared: &Shared<P>, id: NodeId, gathered: &Gathered) {
    shared.tree.node(id).add(gathered.units, gathered.count, shared.crowded);
    if shared.tree.columns.squares {
        shared.tree.add_squares(id, gathered.squares, shared.crowded);
    }
}
