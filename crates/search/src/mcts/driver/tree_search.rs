//! The search of one tree: sets the threads to work, reclaims memory, reports.

use super::record::Recorder;
use super::sudden_search::SuddenSearch;
use crate::SearchError;
use crate::mcts::backup::Estimate;
use crate::mcts::iteration::{Deferred, Shared, Worker};
use crate::mcts::leaf::Simulate;
use crate::mcts::lookahead::Sudden;
use crate::mcts::parallel::{CachePadded, Parallel, SharedCounters};
use crate::mcts::report;
use crate::mcts::select::GumbelRoot;
use crate::mcts::tree::{ROOT, Recycler};
use crate::root_moves::fill_counters;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tesuji_core::{Budget, Judge, Meter, Observer, Report, Rng, Seed, StopReason, Studied, Watch};

/// One search of one tree.
pub(super) struct TreeSearch<P: Studied> {
    pub(super) shared: Shared<P>,
    pub(super) recycler: Recycler,
    pub(super) workers: Vec<Worker<P>>,
    counters: SharedCounters,
    pub(super) sudden: SuddenSearch,
    pub(super) budget: Budget,
    pub(super) ties: Rng,
    /// What was done when the search last stopped.
    pub(super) done: Done,
    /// Once an iteration was recorded.
    pub(super) recorder: Option<Recorder<P::Move>>,
}

/// The work of a search that has stopped.
#[derive(Clone, Copy, Default)]
pub(super) struct Done {
    pub(super) iterations: u64,
    pub(super) nodes: u64,
    pub(super) elapsed: Duration,
}

impl<P: Studied> TreeSearch<P> {
    pub(super) fn new(
        mut shared: Shared<P>,
        recycler: Recycler,
        budget: &Budget,
        seed: Seed,
        threads: u32,
        judge: Option<Box<dyn Judge<P>>>,
    ) -> Result<Self, SearchError> {
        let recipe = shared.recipe;
        let rng = Rng::new(seed);
        let moves = shared.root.move_count();
        shared.gumbel = GumbelRoot::new(recipe.select, &shared.tree, moves, budget, &mut rng.split(2));
        let leaf: Box<dyn Simulate<P>> = recipe.leaf.build(&shared.root, &shared.deadline)?;
        let workers = if recipe.parallel == Parallel::Tree { threads } else { 1 };
        shared.concurrent = workers > 1 || recipe.leaf.batch() > 1;
        let other = |number: u32| {
            let judge = judge.as_ref().map(|judge| judge.fork());
            Worker::new(&shared, leaf.fork(), judge, rng.split(100 + u64::from(number)))
        };
        let others: Vec<Worker<P>> = (1..workers).map(other).collect();
        let ties = rng.split(1);
        let mut workers = vec![Worker::new(&shared, leaf, judge, rng)];
        workers.extend(others);
        Ok(TreeSearch {
            shared,
            recycler,
            workers,
            counters: SharedCounters::default(),
            sudden: SuddenSearch::new(recipe.sudden),
            budget: budget.clone(),
            ties,
            done: Done::default(),
            recorder: None,
        })
    }

    /// Searches until the budget ends or the root is proved, and reports.
    pub(super) fn run(&mut self, meter: &mut Meter, watch: &mut dyn Observer<P::Move>) -> Report<P::Move> {
        self.shared.records_ends |= watch.wants_playouts();
        let mut watch = Watch::new(watch);
        watch.skip_to(self.done.iterations);
        if let Some(recorder) = &mut self.recorder {
            recorder.marks = None;
        }
        self.workers[0].start_pool(&self.shared, self.budget.thread_count());
        if self.done.iterations == 0 {
            self.open(meter);
        }
        let limits = Budget { iterations: None, nodes: None, ..self.budget.clone() };
        let mut last_path = Vec::new();
        let before = self.done.elapsed;
        let mut meters: Vec<CachePadded<Meter>> =
            self.workers.iter().skip(1).map(|_| CachePadded(limits.meter())).collect();
        loop {
            let (first, rest) = self.workers.split_first_mut().expect("a search has a thread");
            let (shared, sudden, ties, budget) = (&self.shared, &self.sudden, &self.ties, &self.budget);
            let counters = if rest.is_empty() { None } else { Some((&self.counters, budget)) };
            let mut observe = |worker: &Worker<P>, meter: &Meter| {
                let (nodes, elapsed) = (meter.nodes(), meter.recent_elapsed());
                let iterations = counters.map_or(meter.iterations(), |(counters, budget)| counters.iterations(budget));
                watch.tick(iterations, elapsed, || Report {
                    iterations,
                    nodes,
                    elapsed: before + elapsed,
                    stopped: StopReason::Asked,
                    depth: worker.depth,
                    path: report::path_moves(&shared.root, &shared.tree, &worker.path),
                    playout_end: worker.last_end.map(|(end, _)| end),
                    figures: sudden.figures(),
                    ..report::of_tree(
                        &shared.recipe,
                        &shared.root,
                        &shared.tree,
                        shared.gumbel.as_ref(),
                        &mut ties.clone(),
                    )
                });
            };
            std::thread::scope(|scope| {
                for (worker, CachePadded(meter)) in rest.iter_mut().zip(&mut meters) {
                    scope.spawn(move || work(shared, worker, sudden, meter, counters, &mut |_, _| {}));
                }
                work(shared, first, sudden, meter, counters, &mut observe);
            });
            if meter.is_stopped() || self.counters.is_stopped() {
                break;
            }
            // Reclaiming may take nodes of the last path, and the budget may end before there is
            // another path, so its moves are read now.
            let path = &mut self.workers[0].path;
            if !path.is_empty() {
                last_path = report::path_moves(&self.shared.root, &self.shared.tree, path);
                path.clear();
            }
            self.reclaim_if_full();
        }
        // Another thread may have reached a limit first.
        if let Some(CachePadded(other)) = meters.iter().find(|other| other.0.is_stopped()) {
            meter.stop(other.reason());
        }
        let concurrent = self.workers.len() > 1;
        let iterations = if concurrent { self.counters.iterations(&self.budget) } else { meter.iterations() };
        if concurrent && meter.reason() == StopReason::Finished {
            let spent = |limit: Option<u64>, count: u64| limit.is_some_and(|limit| count >= limit);
            if spent(self.budget.iterations, iterations) {
                meter.stop(StopReason::Iterations);
            } else if spent(self.budget.nodes, self.counters.nodes()) {
                meter.stop(StopReason::Nodes);
            }
        }
        self.sudden.after_search(&self.shared, &mut self.workers[0], &self.ties, iterations);
        let Shared { recipe, root, tree, gumbel, .. } = &self.shared;
        let mut report = report::of_tree(recipe, root, tree, gumbel.as_ref(), &mut self.ties.clone());
        fill_counters(&mut report, meter);
        report.iterations = iterations;
        if concurrent {
            report.nodes = self.counters.nodes();
        }
        report.depth = self.workers.iter().map(|worker| worker.depth).max().unwrap_or(0);
        let path = &self.workers[0].path;
        report.path = if path.is_empty() { last_path } else { report::path_moves(root, tree, path) };
        report.playout_end = self.workers[0].last_end.map(|(end, _)| end);
        report.figures = self.sudden.figures();
        report.figures.push(("tree-nodes", tree.len() as f64));
        report.figures.extend(self.workers[0].judge.iter().flat_map(|judge| judge.figures()));
        // What a network says of the root before any search, for the side to move.
        report.figures.extend(tree.judged(ROOT).map(|value| ("network-value", f64::from(value))));
        report.elapsed += self.done.elapsed;
        self.done = Done { iterations, nodes: report.nodes, elapsed: report.elapsed };
        // Idle threads of a search that is kept would look for work all the time.
        self.workers[0].end_pool();
        report
    }

    /// Reclaims a bounded number of nodes if the arena is full. Returns whether it was.
    pub(super) fn reclaim_if_full(&mut self) -> bool {
        let full = self.shared.full.swap(false, Ordering::Relaxed);
        if full {
            self.recycler.reclaim(&mut self.shared.tree);
            self.shared.exhausted = !self.recycler.may_reclaim();
        }
        full
    }

    /// The two halves of an iteration of the first thread. Out of line, so that the loop of
    /// [`work`] stays the place where they are inlined.
    #[cold]
    fn gather_and_apply(&mut self) -> Estimate {
        let worker = &mut self.workers[0];
        let estimate = worker.gather(&self.shared);
        if worker.take_deferred() == Deferred::Waits {
            worker.judge_waiting(&self.shared);
            return Estimate { proved: true, ..Estimate::default() };
        }
        worker.apply(&self.shared, &estimate);
        estimate
    }

    /// One iteration of the only thread, as [`work`] does it.
    pub(super) fn iterate(&mut self, meter: &mut Meter) {
        if self.done.iterations == 0 {
            self.open(meter);
        }
        if meter.iterations() == self.done.iterations && meter.iteration() {
            if self.gather_and_apply().is_empty() {
                meter.stop(StopReason::Asked);
                return;
            }
            let worker = &mut self.workers[0];
            meter.add_nodes(worker.path.len() as u64 - 1);
            self.sudden.after_iteration(&self.shared, worker, || meter.iterations());
        }
        self.done.iterations = meter.iterations();
        self.done.nodes = meter.nodes();
    }

    /// What comes before the loop of all threads.
    fn open(&mut self, meter: &mut Meter) {
        let first = matches!(self.shared.recipe.sudden, Sudden::First { .. });
        // The first iteration expands the root, before other threads find it claimed and have no
        // move to try.
        if (first || self.workers.len() > 1) && meter.iteration() {
            if self.gather_and_apply().is_empty() {
                meter.uncount_iteration();
            } else {
                self.counters.add_iteration();
            }
        }
        if first && self.shared.tree.node(ROOT).children().get().is_some() {
            self.sudden.before_search(&self.shared, &mut self.workers[0]);
        }
    }

    /// Prepares to go on by what `budget` allows in addition. Returns the meter of the whole
    /// search, which has counted what was done.
    pub(super) fn resume(&mut self, budget: &Budget) -> Meter {
        let Done { iterations, nodes, .. } = self.done;
        self.budget = Budget {
            iterations: budget.iterations.map(|more| iterations.saturating_add(more)),
            nodes: budget.nodes.map(|more| nodes.saturating_add(more)),
            memory: self.budget.memory,
            threads: self.budget.threads,
            ..budget.clone()
        };
        let mut meter = self.budget.meter();
        meter.add_iterations(iterations);
        meter.add_nodes(nodes);
        self.counters = SharedCounters::resumed(iterations, nodes);
        self.shared.deadline = meter.deadline();
        self.workers.iter_mut().for_each(|worker| worker.set_deadline(&self.shared.deadline));
        meter
    }
}

/// The loop of one thread: until the arena is full, the budget ends, or the root is proved.
fn work<P: Studied>(
    shared: &Shared<P>,
    worker: &mut Worker<P>,
    sudden: &SuddenSearch,
    meter: &mut Meter,
    counters: Option<(&SharedCounters, &Budget)>,
    observe: &mut dyn FnMut(&Worker<P>, &Meter),
) {
    let (mut claimed, mut nodes) = (0, 0);
    while !shared.full.load(Ordering::Relaxed) {
        if shared.tree.node(ROOT).bounds().proved().is_some() {
            meter.stop(StopReason::Finished);
        } else if sudden.found_win.load(Ordering::Relaxed) {
            // A winning move suffices; its grade, or the proof without the solver, stays open.
            meter.stop(StopReason::OwnLimit("sudden win"));
        }
        if let Some((counters, budget)) = counters
            && claimed == 0
        {
            counters.add_nodes(std::mem::take(&mut nodes));
            claimed = counters.claim(budget);
            if claimed == 0 {
                counters.stop();
                break;
            }
        }
        if !meter.iteration() {
            if let Some((counters, _)) = counters {
                counters.stop();
            }
            break;
        }
        let estimate = worker.gather(shared);
        let deferred = worker.take_deferred();
        if deferred != Deferred::Waits {
            worker.apply(shared, &estimate);
        }
        if deferred == Deferred::Again {
            worker.judge_waiting(shared);
            meter.uncount_iteration();
            continue;
        }
        if deferred == Deferred::No && estimate.is_empty() {
            // Cut off: the next test of the meter ends the search.
            meter.uncount_iteration();
            continue;
        }
        claimed = claimed.saturating_sub(1);
        nodes += worker.path.len() as u64 - 1;
        meter.add_nodes(worker.path.len() as u64 - 1);
        let iteration = || counters.map_or(meter.iterations(), |(counters, budget)| counters.iterations(budget));
        sudden.after_iteration(shared, worker, iteration);
        if worker.waiting() >= shared.recipe.leaf.batch() {
            worker.judge_waiting(shared);
        }
        observe(worker, meter);
    }
    worker.judge_waiting(shared);
    if let Some((counters, _)) = counters {
        counters.return_unused(claimed);
        counters.add_nodes(nodes);
    }
    if shared.concurrent {
        worker.flush(shared);
    }
}
