//! The search of `zero` with the caller's evaluation of positions, several at a time.
//!
//! **Idea.** The owner of a network (in Python, on another machine) evaluates batches of positions;
//! rules and search are ours. The tree is that of [`crate::tree`]; several of its leaves wait together
//! ([`Waiting`]). A batch is cut short when a descent meets a leaf that waits already: a small tree
//! has no more leaves worth asking for.
//!
//! Memory belongs to the evaluator: it calls [`LeafBatch::write`] with arrays of its own and
//! [`LeafBatch::read`] with those of its answer, so nothing is copied in between.
//!
//! With batches of one the tree is that of one evaluation at a time, to the bit; [`crate::player`] has
//! the same visits and line, and values within the steps of its engine.

use crate::encoding_of;
use crate::gumbel::Constants;
use crate::tree::{Gathered, GumbelTree, RootRule, SimulationCap, Waiting};
use tesuji_core::{
    Bounds, Budget, Encoding, Observer, Playable, Report, Rng, RootMove, Score, Seed, StopReason, TensorShape, Value,
    Watch,
};
use tesuji_search::{Explored, Search, SearchError};

/// Evaluates positions in batches.
pub trait BatchEvaluator: Send {
    /// Evaluates all positions of a batch: calls [`LeafBatch::write`] once, then [`LeafBatch::read`]
    /// once.
    ///
    /// # Errors
    /// If there is no evaluation; the search ends.
    fn evaluate(&mut self, batch: &mut dyn LeafBatch) -> Result<(), SearchError>;
}

/// Positions that wait for their evaluations.
pub trait LeafBatch {
    /// How many.
    fn count(&self) -> usize;

    /// The sizes of their tensors.
    fn shape(&self) -> TensorShape;

    /// Writes the positions: `count × planes × rows × columns` bytes and `count × globals` numbers.
    ///
    /// # Panics
    /// If the slices have other lengths.
    fn write(&mut self, planes: &mut [u8], globals: &mut [f32]);

    /// Takes the evaluations: `count × moves` logits by policy index, and for each position its value
    /// for the side to move, in [−1, 1].
    ///
    /// # Errors
    /// If there are too few or too many, or a value is no finite number.
    fn read(&mut self, logits: &[f32], values: &[f32]) -> Result<(), SearchError>;
}

/// The settings of the search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BatchSettings {
    /// Positions of one batch at most.
    pub batch: usize,
    /// Root moves considered by sequential halving.
    pub considered: usize,
    /// The scale of the Gumbel noise at the root; 0 for none.
    pub noise: f32,
    /// Whether a move that wins at once by the rules is played without a search.
    pub solver: bool,
}

impl Default for BatchSettings {
    fn default() -> BatchSettings {
        BatchSettings { batch: 8, considered: 16, noise: 0.0, solver: true }
    }
}

/// The search.
pub struct BatchSearch {
    evaluator: Box<dyn BatchEvaluator>,
    settings: BatchSettings,
}

impl BatchSearch {
    /// A search with this evaluator.
    #[must_use]
    pub fn new(evaluator: Box<dyn BatchEvaluator>, settings: BatchSettings) -> BatchSearch {
        BatchSearch { evaluator, settings: BatchSettings { batch: settings.batch.max(1), ..settings } }
    }
}

/// One batch of positions of a game.
struct Batch<'a, P: Playable> {
    encoding: &'a dyn Encoding<P>,
    positions: &'a [P],
    /// Told the number of a position, its logits by move index and its value.
    take: &'a mut dyn FnMut(usize, &[f32], f32),
    is_taken: bool,
}

impl<P: Playable> LeafBatch for Batch<'_, P> {
    fn count(&self) -> usize {
        self.positions.len()
    }

    fn shape(&self) -> TensorShape {
        self.encoding.shape()
    }

    fn write(&mut self, planes: &mut [u8], globals: &mut [f32]) {
        let shape = self.shape();
        assert_eq!(planes.len(), self.count() * shape.bytes(), "planes of all positions");
        assert_eq!(globals.len(), self.count() * shape.globals, "globals of all positions");
        for (number, position) in self.positions.iter().enumerate() {
            let planes = &mut planes[number * shape.bytes()..(number + 1) * shape.bytes()];
            self.encoding.write(position, planes, &mut globals[number * shape.globals..(number + 1) * shape.globals]);
        }
    }

    fn read(&mut self, logits: &[f32], values: &[f32]) -> Result<(), SearchError> {
        let (count, moves) = (self.count(), self.shape().moves);
        if logits.len() != count * moves || values.len() != count {
            let found = format!("{} logits and {} values", logits.len(), values.len());
            return Err(SearchError::Failed(format!(
                "expected {count} × {moves} logits and {count} values, got {found}"
            )));
        }
        if let Some(value) = values.iter().find(|value| !value.is_finite()) {
            return Err(SearchError::Failed(format!("a value is not a finite number: {value}")));
        }
        let mut turned = vec![0.0; 0];
        for (number, position) in self.positions.iter().enumerate() {
            let own = &logits[number * moves..(number + 1) * moves];
            match self.encoding.orientation(position.turn()) {
                None => (self.take)(number, own, values[number]),
                Some(orientation) => {
                    orientation.relabel(own, &mut turned);
                    (self.take)(number, &turned, values[number]);
                }
            }
        }
        self.is_taken = true;
        Ok(())
    }
}

impl BatchSearch {
    fn evaluate<P: Playable>(
        &mut self,
        encoding: &dyn Encoding<P>,
        positions: &[P],
        take: &mut dyn FnMut(usize, &[f32], f32),
    ) -> Result<(), SearchError> {
        let mut batch = Batch { encoding, positions, take, is_taken: false };
        self.evaluator.evaluate(&mut batch)?;
        if batch.is_taken { Ok(()) } else { Err(SearchError::Failed("the evaluator gave no evaluations".into())) }
    }

    fn run<P: Playable>(
        &mut self,
        root: &P,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<P::Move>,
    ) -> Result<(Report<P::Move>, GumbelTree<P>), SearchError> {
        if root.outcome().is_some() {
            return Err(SearchError::Ended);
        }
        let BatchSettings { batch: most, considered, noise, solver } = self.settings;
        let encoding = encoding_of(root);
        let timed = budget.soft_time.is_some() || budget.hard_time.is_some() || budget.nodes.is_some();
        let (rule, simulations) = match budget.iterations {
            Some(count) if !timed => {
                (RootRule::SequentialHalving, usize::try_from(count).unwrap_or(usize::MAX).min(1 << 20))
            }
            _ => (RootRule::Anytime, usize::MAX),
        };
        let mut meter = budget.meter();
        let mut watch = Watch::new(watch);
        // The capacity of a vector doubles while the old one still exists.
        let memory = budget.memory_bytes() / 3;
        let constants = Constants { simulations, considered, noise, ..Constants::default() };
        let mut tree = GumbelTree::new(root, constants, 0, rule);
        let mut rng = (noise > 0.0).then(|| Rng::new(seed));
        self.evaluate(encoding.as_ref(), std::slice::from_ref(root), &mut |_, logits, value| {
            tree.begin(root, logits, value, rng.as_mut(), SimulationCap::Full);
        })?;
        let winning = if solver { root.winning_move() } else { None };
        let mut leaves: Vec<P> = Vec::new();
        let mut waiting: Vec<Waiting> = Vec::new();
        let (mut batches, mut evaluations) = (1_u64, 1_u64);
        while winning.is_none() && !tree.is_done() {
            if tree.bytes() > memory {
                meter.stop(StopReason::Memory);
                break;
            }
            waiting.clear();
            while waiting.len() < most && !tree.is_done() && meter.iteration() {
                match tree.gather(root, waiting.len() + 1 < most) {
                    Gathered::Ended => {}
                    Gathered::Blocked => {
                        meter.uncount_iteration();
                        break;
                    }
                    Gathered::Leaf(leaf, path) => {
                        meter.add_nodes(1);
                        match leaves.get_mut(waiting.len()) {
                            Some(old) => old.clone_from(leaf),
                            None => leaves.push(leaf.clone()),
                        }
                        waiting.push(path);
                    }
                }
            }
            if !waiting.is_empty() {
                let leaves = &leaves[..waiting.len()];
                batches += 1;
                evaluations += leaves.len() as u64;
                self.evaluate(encoding.as_ref(), leaves, &mut |number, logits, value| {
                    tree.resume(&waiting[number], &leaves[number], logits, value);
                })?;
            }
            if meter.is_stopped() {
                break;
            }
            let counts = (meter.iterations(), meter.nodes(), meter.recent_elapsed());
            watch.tick(counts.0, counts.2, || Report {
                iterations: counts.0,
                nodes: counts.1,
                elapsed: counts.2,
                stopped: StopReason::Asked,
                ..report(root, &mut tree)
            });
        }
        let mut report = report(root, &mut tree);
        if let Some(mv) = winning {
            report.best = Some(mv);
            report.line = vec![mv];
            report.value = Score::won_by(root.turn()).into();
            report.bounds = Bounds::exact(Score::won_by(root.turn()));
        }
        report.iterations = meter.iterations();
        report.nodes = meter.nodes();
        report.elapsed = meter.elapsed();
        report.stopped = if tree.is_done() { StopReason::Iterations } else { meter.reason() };
        report.memory_bytes = tree.bytes();
        report.figures.push(("batches", batches as f64));
        report.figures.push(("positions per batch", evaluations as f64 / batches as f64));
        Ok((report, tree))
    }
}

impl<P: Playable> Search<P> for BatchSearch {
    fn search(
        &mut self,
        root: &P,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError> {
        self.run(root, budget, seed, watch).map(|(report, _)| report)
    }

    fn explore(
        &mut self,
        root: &P,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<P::Move>,
    ) -> Result<Explored<P::Move>, SearchError> {
        let (report, tree) = self.run(root, budget, seed, watch)?;
        Ok((report, Box::new(tree)))
    }
}

/// What a tree says of its root.
fn report<P: Playable>(root: &P, tree: &mut GumbelTree<P>) -> Report<P::Move> {
    let mut report = Report::empty(root.turn());
    let mv = |index: usize| root.move_at(index).expect("a move of this game");
    let value = |mean: f32| Value::new(f64::from(mean).clamp(0.0, 1.0));
    report.root = tree
        .root_actions()
        .map(|(index, visits, mean, prior)| RootMove {
            visits: u64::from(visits),
            value: mean.map(value),
            prior: Some(f64::from(prior).clamp(0.0, 1.0)),
            ..RootMove::untried(mv(index))
        })
        .collect();
    for entry in &mut report.root {
        let mut after = root.clone();
        after.play(entry.mv);
        entry.bounds = after.outcome().map_or(Bounds::UNKNOWN, |outcome| Bounds::exact(outcome.score));
    }
    let chosen = tree.decision();
    report.best = Some(report.root[chosen].mv);
    report.value = report.root[chosen].value.unwrap_or_else(|| value(tree.value()));
    let mut at = root.clone();
    for index in tree.line(chosen) {
        let mv = at.move_at(index).expect("a move of this game");
        report.line.push(mv);
        at.play(mv);
    }
    report.depth = report.line.len() as u32;
    report
}

#[cfg(test)]
mod tests {
    use super::{BatchEvaluator, BatchSearch, BatchSettings, LeafBatch};
    use crate::gumbel::Constants;
    use crate::tree::{GumbelTree, RootRule, SimulationCap};
    use tesuji_core::{Budget, NoObserver, Notation, Seed};
    use tesuji_games::tictactoe::TicTacToe;
    use tesuji_search::{Search, SearchError};

    /// An evaluation that depends on the position.
    fn judge(planes: &[u8]) -> ([f32; 9], f32) {
        let sum: u32 = planes.iter().enumerate().map(|(place, on)| u32::from(*on) * (place as u32 * 7 + 3)).sum();
        (std::array::from_fn(|action| ((sum as f32) * 0.3 + action as f32).sin()), (sum as f32 * 0.11).sin() * 0.8)
    }

    /// Evaluates, and notes the sizes of its batches.
    struct Noting(std::sync::Arc<std::sync::Mutex<Vec<usize>>>);

    impl BatchEvaluator for Noting {
        fn evaluate(&mut self, batch: &mut dyn LeafBatch) -> Result<(), SearchError> {
            let (count, shape) = (batch.count(), batch.shape());
            self.0.lock().expect("no panic").push(count);
            let (mut planes, mut globals) = (vec![0; count * shape.bytes()], vec![0.0; count * shape.globals]);
            batch.write(&mut planes, &mut globals);
            let judged: Vec<_> = planes.chunks(shape.bytes()).map(judge).collect();
            let logits: Vec<f32> = judged.iter().flat_map(|(logits, _)| *logits).collect();
            let values: Vec<f32> = judged.iter().map(|(_, value)| *value).collect();
            batch.read(&logits, &values)
        }
    }

    fn search(
        batch: usize,
        iterations: u64,
    ) -> (tesuji_core::Report<<TicTacToe as tesuji_core::Position>::Move>, Vec<usize>) {
        let sizes = std::sync::Arc::default();
        let settings = BatchSettings { batch, ..BatchSettings::default() };
        let mut search = BatchSearch::new(Box::new(Noting(std::sync::Arc::clone(&sizes))), settings);
        let report = search
            .search(&TicTacToe::new(), &Budget::iterations(iterations), Seed(1), &mut NoObserver)
            .expect("a report");
        let sizes = sizes.lock().expect("no panic").clone();
        (report, sizes)
    }

    /// The tree of a batch of one is that of one evaluation at a time, to the bit.
    #[test]
    fn one_at_a_time_is_the_plain_search() {
        let start = TicTacToe::new();
        let constants = Constants { simulations: 200, noise: 0.0, ..Constants::default() };
        let mut tree = GumbelTree::new(&start, constants, 0, RootRule::SequentialHalving);
        let encoding = crate::encoding_of(&start);
        let evaluate = |position: &TicTacToe| {
            let (mut planes, mut globals) = (vec![0; encoding.shape().bytes()], vec![0.0; encoding.shape().globals]);
            encoding.write(position, &mut planes, &mut globals);
            judge(&planes)
        };
        let (logits, value) = evaluate(&start);
        tree.begin(&start, &logits, value, None, SimulationCap::Full);
        while let Some(leaf) = tree.advance(&start) {
            let (logits, value) = evaluate(leaf);
            tree.expand(&logits, value);
        }
        let plain = super::report(&start, &mut tree);
        let (batched, sizes) = search(1, 200);
        assert_eq!(batched.root, plain.root);
        assert_eq!((batched.best, batched.value, batched.line), (plain.best, plain.value, plain.line));
        assert!(sizes.iter().all(|size| *size == 1));
    }

    /// Batches fill up, each simulation is counted once, and all leaves are different.
    #[test]
    fn batches_fill_up() {
        let (report, sizes) = search(8, 400);
        assert_eq!(report.iterations, 400);
        assert_eq!(report.root.iter().map(|entry| entry.visits).sum::<u64>(), 400);
        assert!(sizes.iter().all(|size| (1..=8).contains(size)));
        let mean = sizes.iter().sum::<usize>() as f64 / sizes.len() as f64;
        assert!(mean > 4.0, "{mean} positions a batch: {sizes:?}");
        for entry in &report.root {
            let value = entry.value.map_or(0.5, tesuji_core::Value::to_f64);
            assert!((0.0..=1.0).contains(&value), "no loss is left behind: {value}");
        }
    }

    /// Near wins are found whatever the batch.
    #[test]
    fn a_win_is_found_in_batches() {
        let position = TicTacToe::from_text("XX.OO....").expect("a position");
        let settings = BatchSettings { batch: 4, solver: false, ..BatchSettings::default() };
        let mut search = BatchSearch::new(Box::new(Noting(std::sync::Arc::default())), settings);
        let report = search.search(&position, &Budget::iterations(300), Seed(1), &mut NoObserver).expect("a report");
        assert_eq!(report.best.map(|mv| position.show_move(mv)).as_deref(), Some("c3"));
    }

    /// What an evaluator does wrong ends the search with a reason.
    #[test]
    fn wrong_evaluations_end_the_search() {
        struct Wrong(usize, f32);
        impl BatchEvaluator for Wrong {
            fn evaluate(&mut self, batch: &mut dyn LeafBatch) -> Result<(), SearchError> {
                if self.0 == 0 { Ok(()) } else { batch.read(&vec![0.0; self.0], &[self.1]) }
            }
        }
        for (logits, value, why) in [(0, 0.0, "no evaluations"), (8, 0.0, "9 logits"), (9, f32::NAN, "finite")] {
            let mut search = BatchSearch::new(Box::new(Wrong(logits, value)), BatchSettings::default());
            let found = search.search(&TicTacToe::new(), &Budget::iterations(5), Seed(1), &mut NoObserver);
            let message = found.expect_err("refused").to_string();
            assert!(message.contains(why), "{message}");
        }
    }
}
