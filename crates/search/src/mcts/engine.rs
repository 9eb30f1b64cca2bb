//! The engine: checks a recipe against a game, sets the threads to work, makes room, reports.

use super::choose::is_plain;
use super::leaf::Simulate;
use super::mirror::Extent;
use super::parallel::LeafPool;
use super::publish::Published;
use super::recycle::Recycler;
use super::select::Selection;
use super::sudden::{Sudden, Watchman};
use super::table::Table;
use super::tree::{Columns, Node, ROOT, Tree};
use super::worker::{PATIENCE, Shared, Worker};
use super::{Backup, Mcts, Parallel, report, solver};
use crate::root_moves::fill_counters;
use crate::{Search, SearchError};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use tesuji_core::{Budget, Meter, NoObserver, Observer, Position, Report, Rng, Seed, StopReason, Studied, Watch};

/// A tree with the position of its root, between searches.
pub(super) struct Kept<P> {
    pub(super) tree: Tree,
    pub(super) recycler: Recycler,
    pub(super) position: P,
}

/// An answer, and the tree behind it if there is one.
pub(super) type Found<P> = (Report<<P as Position>::Move>, Option<Kept<P>>);

fn unsupported<T>(why: impl Into<String>) -> Result<T, SearchError> {
    Err(SearchError::Unsupported(why.into()))
}

/// The columns a settled recipe needs.
fn columns(recipe: &Mcts) -> Columns {
    let combined = matches!(recipe.backup, Backup::Combined { .. });
    let scans = matches!(recipe.select, Selection::Scan { .. });
    Columns {
        squares: recipe.select.needs_squares(),
        amaf: recipe.select.needs_amaf(),
        prior: recipe.select.needs_prior() || recipe.expand.needs_order(),
        parent: combined || scans,
        minimax: combined,
        guide: recipe.backup.guide_weight() > 0.0,
        proof: recipe.select.needs_proof_numbers(),
        shared: recipe.share,
    }
}

/// Everything that can be wrong with a recipe for this game and budget, before anything is searched.
fn prepare<P: Studied>(
    recipe: &Mcts,
    kept: Option<Tree>,
    root: &P,
    budget: &Budget,
    memory: u64,
) -> Result<Shared<P>, SearchError> {
    let moves = root.move_count();
    if moves > usize::from(u16::MAX) {
        return unsupported(format!("mcts serves positions of at most {} moves", u16::MAX));
    }
    if recipe.share && (root.history_matters() || !P::CHARACTER.never_repeats) {
        return unsupported("share=true: in this game the past matters or positions may repeat; use share=false");
    }
    let crew = recipe.parallel == Parallel::Tree && budget.thread_count() > 1;
    if crew && matches!(recipe.backup, Backup::Combined { .. }) {
        return unsupported("backup=combined keeps one minimax node a node; use one thread, or parallel=root");
    }
    let needs_preference = recipe.select.needs_prior() || recipe.expand.needs_order();
    let preference = if needs_preference { root.preference() } else { None };
    if preference.is_none() {
        let lacks = "needs a preference among moves, and this game has none";
        if recipe.expand.needs_order() {
            return unsupported(format!("expand=widen {lacks}"));
        }
        if matches!(recipe.select, Selection::Bias { .. }) {
            return unsupported(format!("select=bias {lacks}"));
        }
    }
    let implicit = matches!(recipe.backup, Backup::Implicit { .. });
    let evaluation = if implicit { root.evaluation() } else { None };
    if implicit && evaluation.is_none() {
        return unsupported("backup=implicit needs an evaluation, and this game has none");
    }
    let horizon = match (recipe.select, budget.iterations) {
        (Selection::UcbE { .. }, None) => {
            return unsupported("select=ucb-e needs a limit of iterations: its exploration follows from it");
        }
        (Selection::UcbE { .. }, Some(iterations)) => Some(iterations as f64 / moves as f64),
        _ => None,
    };
    let columns = columns(recipe);
    let for_table = if recipe.share { memory / 8 } else { 0 };
    let table = if recipe.share { Table::new(for_table) } else { None };
    if recipe.share && table.is_none() {
        return unsupported(format!("memory: the system does not give {for_table} bytes"));
    }
    // Copies need a rule that looks at nothing else, and children with one parent.
    let copied = crew && is_plain(recipe, columns) && !columns.squares && !recipe.share;
    let copies = if copied { Extent::of(memory, budget.thread_count(), moves) } else { None };
    let for_copies = copies.map_or(0, |extent| extent.bytes() * u64::from(budget.thread_count()));
    let tree = match kept {
        Some(tree) => tree,
        None => {
            let least = (moves as u64 + 1) * (columns.bytes_per_node() as u64 + 1);
            if memory - for_table < least {
                let whole = if recipe.share { least * 8 / 7 + 1 } else { least };
                return unsupported(format!(
                    "memory: {memory} bytes do not hold the root and its {moves} moves; {whole} would"
                ));
            }
            let Some(tree) = Tree::new(columns, memory - for_table - for_copies) else {
                return unsupported(format!("memory: the system does not give {memory} bytes"));
            };
            tree.node(ROOT).enter(root.turn());
            tree
        }
    };
    Ok(Shared {
        recipe: *recipe,
        root: root.clone(),
        tree,
        table,
        preference,
        evaluation,
        pass: if recipe.pass > 0.0 { pass_of(root) } else { None },
        horizon,
        crowded: false,
        copies,
        counts_plies: recipe.sudden.short() > 0,
        full: AtomicBool::new(false),
        clock: budget.meter().deadline(),
        frozen: false,
    })
}

/// The number of the move that gives up the turn, if there is one.
fn pass_of<P: Studied>(root: &P) -> Option<u32> {
    root.moves().into_iter().find(|mv| root.is_pass(*mv)).map(|mv| root.move_index(mv) as u32)
}

/// In cache lines of its own.
#[repr(align(128))]
struct Apart<T>(T);

/// What threads on one tree count together.
#[derive(Default)]
#[repr(align(128))]
struct Crew {
    iterations: AtomicU64,
    nodes: AtomicU64,
    /// Somebody saw the end.
    over: AtomicBool,
}

impl Crew {
    /// Claims some iterations of all threads together; none when the budget is spent. Few at a time, so that what one thread
    /// claims and cannot do any more is little, but not one by one.
    fn claim(&self, budget: &Budget) -> u64 {
        if self.over.load(Ordering::Relaxed)
            || budget.nodes.is_some_and(|most| self.nodes.load(Ordering::Relaxed) >= most)
        {
            return 0;
        }
        let most = budget.iterations.unwrap_or(u64::MAX);
        let before = self.iterations.fetch_add(u64::from(PATIENCE), Ordering::Relaxed);
        most.saturating_sub(before).min(u64::from(PATIENCE))
    }

    /// Gives back what was claimed and not done.
    fn return_unused(&self, count: u64) {
        self.iterations.fetch_sub(count, Ordering::Relaxed);
    }

    fn iterations(&self, budget: &Budget) -> u64 {
        self.iterations.load(Ordering::Relaxed).min(budget.iterations.unwrap_or(u64::MAX))
    }
}

/// One search under way, on one tree.
struct Engine<'a, P: Studied> {
    shared: Shared<P>,
    recycler: Recycler,
    workers: Vec<Worker<P>>,
    crew: Crew,
    watchman: Watchman,
    budget: &'a Budget,
    ties: Rng,
}

impl<'a, P: Studied> Engine<'a, P> {
    fn new(
        mut shared: Shared<P>,
        recycler: Recycler,
        budget: &'a Budget,
        seed: Seed,
        threads: u32,
    ) -> Result<Self, SearchError> {
        let recipe = shared.recipe;
        let rng = Rng::new(seed);
        let leaf: Box<dyn Simulate<P>> = recipe.leaf.build(&shared.root, &shared.clock)?;
        let crew = if recipe.parallel == Parallel::Tree { threads } else { 1 };
        shared.crowded = crew > 1;
        let pool = (recipe.parallel == Parallel::Leaf && threads > 1).then(|| {
            let (playouts, clock) = (recipe.leaf.playouts(), &shared.clock);
            LeafPool::new(threads - 1, &shared.root, leaf.as_ref(), playouts, recipe.reward, &rng, clock)
        });
        let other = |number: u32| Worker::new(&shared, leaf.fork(), None, rng.split(100 + u64::from(number)));
        let others: Vec<Worker<P>> = (1..crew).map(other).collect();
        let ties = rng.split(1);
        let mut workers = vec![Worker::new(&shared, leaf, pool, rng)];
        workers.extend(others);
        let watchman = Watchman::new(recipe.sudden);
        Ok(Engine { shared, recycler, workers, crew: Crew::default(), watchman, budget, ties })
    }

    /// Searches until the budget ends or everything is known, and answers.
    fn run(&mut self, meter: &mut Meter, watch: &mut dyn Observer<P::Move>) -> Report<P::Move> {
        self.shared.counts_plies |= watch.wants_playouts();
        let mut watch = Watch::new(watch);
        let first = matches!(self.shared.recipe.sudden, Sudden::First { .. });
        // One iteration gives the root its children, before others come who would find it claimed and have no move to try.
        if (first || self.workers.len() > 1) && meter.iteration() {
            let worker = &mut self.workers[0];
            let gathered = worker.gather(&self.shared);
            worker.apply(&self.shared, &gathered);
            if gathered.is_nothing() {
                meter.uncount_iteration();
            } else {
                self.crew.iterations.fetch_add(1, Ordering::Relaxed);
            }
        }
        if first {
            self.watchman.before(&self.shared, &mut self.workers[0]);
        }
        let limits = Budget { iterations: None, nodes: None, ..self.budget.clone() };
        let mut last_way = Vec::new();
        let mut meters: Vec<Apart<Meter>> = self.workers.iter().skip(1).map(|_| Apart(limits.meter())).collect();
        loop {
            let (first, rest) = self.workers.split_first_mut().expect("a search has a thread");
            let (shared, watchman, ties, budget) = (&self.shared, &self.watchman, &self.ties, self.budget);
            let crew = if rest.is_empty() { None } else { Some((&self.crew, budget)) };
            let mut look = |worker: &Worker<P>, meter: &Meter| {
                let (nodes, elapsed) = (meter.nodes(), meter.recent_elapsed());
                let iterations = crew.map_or(meter.iterations(), |(crew, budget)| crew.iterations(budget));
                watch.tick(iterations, elapsed, || Report {
                    iterations,
                    nodes,
                    elapsed,
                    stopped: StopReason::Asked,
                    depth: worker.depth,
                    path: report::way(&shared.root, &shared.tree, &worker.path),
                    playout_end: worker.last_end.map(|(end, _)| end),
                    figures: watchman.figures(),
                    ..report::of_tree(&shared.recipe, &shared.root, &shared.tree, &mut ties.clone())
                });
            };
            std::thread::scope(|scope| {
                for (worker, Apart(meter)) in rest.iter_mut().zip(&mut meters) {
                    scope.spawn(move || work(shared, worker, watchman, meter, crew, &mut |_, _| {}));
                }
                work(shared, first, watchman, meter, crew, &mut look);
            });
            if meter.is_stopped() || self.crew.over.load(Ordering::Relaxed) {
                break;
            }
            // Full: make room, a bounded amount at a time. Nodes of the last path may be given back, and the budget may end
            // before there is another one, so its moves are read now.
            let path = &mut self.workers[0].path;
            if !path.is_empty() {
                last_way = report::way(&self.shared.root, &self.shared.tree, path);
                path.clear();
            }
            self.recycler.work(&mut self.shared.tree);
            self.shared.frozen = !self.recycler.can_help();
            self.shared.full.store(false, Ordering::Relaxed);
        }
        // Another thread may have seen the end first.
        if let Some(Apart(other)) = meters.iter().find(|other| other.0.is_stopped()) {
            meter.stop(other.reason());
        }
        let together = self.workers.len() > 1;
        let iterations = if together { self.crew.iterations(self.budget) } else { meter.iterations() };
        if together && meter.reason() == StopReason::Finished {
            let spent = |most: Option<u64>, count: u64| most.is_some_and(|most| count >= most);
            if spent(self.budget.iterations, iterations) {
                meter.stop(StopReason::Iterations);
            } else if spent(self.budget.nodes, self.crew.nodes.load(Ordering::Relaxed)) {
                meter.stop(StopReason::Nodes);
            }
        }
        self.watchman.at_last(&self.shared, &mut self.workers[0], iterations);
        let Shared { recipe, root, tree, .. } = &self.shared;
        let mut report = report::of_tree(recipe, root, tree, &mut self.ties.clone());
        fill_counters(&mut report, meter);
        report.iterations = iterations;
        if together {
            report.nodes = self.crew.nodes.load(Ordering::Relaxed);
        }
        report.depth = self.workers.iter().map(|worker| worker.depth).max().unwrap_or(0);
        let path = &self.workers[0].path;
        report.path = if path.is_empty() { last_way } else { report::way(root, tree, path) };
        report.playout_end = self.workers[0].last_end.map(|(end, _)| end);
        report.figures = self.watchman.figures();
        report.figures.push(("tree-nodes", tree.len() as f64));
        report
    }
}

/// One thread's loop: until the tree is full, the budget ends, or everything is known.
fn work<P: Studied>(
    shared: &Shared<P>,
    worker: &mut Worker<P>,
    watchman: &Watchman,
    meter: &mut Meter,
    crew: Option<(&Crew, &Budget)>,
    look: &mut dyn FnMut(&Worker<P>, &Meter),
) {
    let (mut claimed, mut nodes) = (0, 0);
    while !shared.full.load(Ordering::Relaxed) {
        if shared.tree.node(ROOT).bounds().proved().is_some() {
            meter.stop(StopReason::Finished);
        } else if watchman.won.load(Ordering::Relaxed) {
            // A move that wins is enough to play; how much it wins, or the proof where none is kept, is left open.
            meter.stop(StopReason::OwnLimit("sudden win"));
        }
        if let Some((crew, budget)) = crew
            && claimed == 0
        {
            crew.nodes.fetch_add(std::mem::take(&mut nodes), Ordering::Relaxed);
            claimed = crew.claim(budget);
            if claimed == 0 {
                crew.over.store(true, Ordering::Relaxed);
                break;
            }
        }
        if !meter.iteration() {
            if let Some((crew, _)) = crew {
                crew.over.store(true, Ordering::Relaxed);
            }
            break;
        }
        let gathered = worker.gather(shared);
        worker.apply(shared, &gathered);
        if gathered.is_nothing() {
            // Cut off: the next look at the meter ends the search.
            meter.uncount_iteration();
            continue;
        }
        claimed = claimed.saturating_sub(1);
        nodes += worker.path.len() as u64 - 1;
        meter.add_nodes(worker.path.len() as u64 - 1);
        let iteration = || crew.map_or(meter.iterations(), |(crew, budget)| crew.iterations(budget));
        watchman.after(shared, worker, iteration);
        look(worker, meter);
    }
    if let Some((crew, _)) = crew {
        crew.return_unused(claimed);
        crew.nodes.fetch_add(nodes, Ordering::Relaxed);
        worker.pay_all(shared);
    }
}

/// Searches one tree, or several; gives back the tree of a search that has one.
pub(super) fn search<P: Studied>(
    recipe: &Mcts,
    kept: Option<Kept<P>>,
    root: &P,
    budget: &Budget,
    seed: Seed,
    watch: &mut dyn Observer<P::Move>,
) -> Result<Found<P>, SearchError> {
    if root.outcome().is_some() {
        return Err(SearchError::Ended);
    }
    let recipe = recipe.settled::<P>();
    let memory = budget.memory_bytes();
    let threads = budget.thread_count();
    if recipe.parallel == Parallel::Root && threads > 1 {
        return search_apart(&recipe, root, (budget, memory), seed, watch).map(|report| (report, None));
    }
    let (tree, recycler) = kept.map_or((None, Recycler::default()), |kept| (Some(kept.tree), kept.recycler));
    let shared = prepare(&recipe, tree, root, budget, memory)?;
    let mut engine = Engine::new(shared, recycler, budget, seed, threads)?;
    let report = engine.run(&mut budget.meter(), watch);
    let Engine { shared, recycler, .. } = engine;
    let kept = Kept { tree: shared.tree, recycler, position: shared.root };
    Ok((report, Some(kept)))
}

/// Root-parallel search: trees of their own, root tables added up.
fn search_apart<P: Studied>(
    recipe: &Mcts,
    root: &P,
    (budget, memory): (&Budget, u64),
    seed: Seed,
    watch: &mut dyn Observer<P::Move>,
) -> Result<Report<P::Move>, SearchError> {
    let threads = u64::from(budget.thread_count());
    let share = |most: u64, number: u64| most / threads + u64::from(number < most % threads);
    let budgets: Vec<Budget> = (0..threads)
        .map(|number| Budget {
            iterations: budget.iterations.map(|most| share(most, number)),
            nodes: budget.nodes.map(|most| share(most, number)),
            memory: Some(share(memory, number)),
            ..budget.clone()
        })
        .collect();
    let mut engines = Vec::new();
    for (number, budget) in (0..).zip(&budgets) {
        let shared = prepare(recipe, None, root, budget, budget.memory.unwrap_or(memory))?;
        let seed = if number == 0 { seed } else { seed.derive(number) };
        engines.push(Engine::new(shared, Recycler::default(), budget, seed, 1)?);
    }
    let mut meter = budget.meter();
    let (first, rest) = engines.split_first_mut().expect("a search has a thread");
    let reports = std::thread::scope(|scope| {
        let run = |engine: &mut Engine<'_, P>| engine.run(&mut engine.budget.meter(), &mut NoObserver);
        let others: Vec<_> = rest.iter_mut().map(|engine| scope.spawn(move || run(engine))).collect();
        let mut reports = vec![first.run(&mut first.budget.meter(), watch)];
        reports.extend(others.into_iter().map(|other| other.join().expect("a search does not panic")));
        reports
    });
    let sum = add_up(recipe, root, engines.iter().map(|engine| &engine.shared.tree));
    let mut report = report::of_tree(recipe, root, &sum, &mut engines[0].ties.clone());
    let like = reports.iter().find(|one| one.best == report.best).unwrap_or(&reports[0]);
    // A line that keeps what one tree has proved need not keep what all have proved together.
    if like.best == report.best && like.bounds == report.bounds {
        report.line.clone_from(&like.line);
    }
    meter.stop(like.stopped);
    fill_counters(&mut report, &meter);
    report.iterations = reports.iter().map(|one| one.iterations).sum();
    report.nodes = reports.iter().map(|one| one.nodes).sum();
    report.memory_bytes = reports.iter().map(|one| one.memory_bytes).sum();
    report.depth = reports.iter().map(|one| one.depth).max().unwrap_or(0);
    report.figures.clone_from(&like.figures);
    Ok(report)
}

/// A tree of a root and its moves, with the statistics of several.
fn add_up<'t, P: Position>(recipe: &Mcts, root: &P, trees: impl Iterator<Item = &'t Tree>) -> Tree {
    let columns = Columns { amaf: recipe.select.needs_amaf(), ..Columns::default() };
    let moves = root.moves();
    let bytes = (moves.len() as u64 + 1) * (columns.bytes_per_node() as u64 + 1);
    let sum = Tree::new(columns, bytes).expect("a few kilobytes");
    let count = moves.len() as u16;
    let first = sum.allocate(count).expect("there is room for the moves");
    for (child, mv) in (first..).zip(moves) {
        sum.reset(child, root.move_index(mv) as u32, ROOT);
    }
    sum.node(ROOT).enter(root.turn());
    sum.node(ROOT).children().publish(Published { first, count, open: count });
    for tree in trees {
        let join = |from: &Node, to: &Node| {
            to.add(from.units(), from.visits(), false);
            to.set_bounds(to.bounds().intersect(from.bounds()).expect("proofs do not contradict each other"));
            to.bar(to.is_barred() || from.is_barred());
        };
        join(tree.node(ROOT), sum.node(ROOT));
        for from in tree.all_children(ROOT) {
            let to = sum.all_children(ROOT).iter().find(|to| to.move_index() == from.move_index());
            join(from, to.expect("every tree has the same moves"));
        }
    }
    let joined = solver::joined(&sum, ROOT);
    sum.node(ROOT).set_bounds(joined);
    sum
}

impl<P: Studied> Search<P> for Mcts {
    fn search(
        &mut self,
        root: &P,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError> {
        search(self, None, root, budget, seed, watch).map(|(report, _)| report)
    }
}
