//! The entry: one tree, or root parallelism.

use super::prepare::prepare;
use super::root_parallel::search_root_parallel;
use super::tree_search::TreeSearch;
use crate::mcts::parallel::Parallel;
use crate::mcts::recipe::Mcts;
use crate::mcts::tree::{Recycler, Tree};
use crate::{Explored, Search, SearchError};
use tesuji_core::{
    Bounds, Budget, Judge, JudgeSource, Observer, Position, Report, RootMove, Seed, StopReason, Studied,
};

/// The tree of a finished search and the position of its root.
pub(crate) struct SavedTree<P> {
    pub(crate) tree: Tree,
    pub(crate) recycler: Recycler,
    pub(crate) position: P,
}

/// A report, and the tree behind it if there is a single one.
pub(crate) type Found<P> = (Report<<P as Position>::Move>, Option<SavedTree<P>>);

/// Searches one tree, or several; returns the tree of a search that has one.
pub(crate) fn search<P: Studied>(
    recipe: &Mcts,
    saved: Option<SavedTree<P>>,
    root: &P,
    budget: &Budget,
    seed: Seed,
    watch: &mut dyn Observer<P::Move>,
    judges: Option<&dyn JudgeSource<P>>,
) -> Result<Found<P>, SearchError> {
    if root.outcome().is_some() {
        return Err(SearchError::Ended);
    }
    if recipe.imitate
        && let Some(report) = imitation(root)
    {
        return Ok((report, None));
    }
    let recipe = recipe.resolved::<P>();
    let memory = budget.memory_bytes();
    let threads = budget.thread_count();
    if recipe.parallel == Parallel::Root && threads > 1 {
        return search_root_parallel(&recipe, root, (budget, memory), seed, watch).map(|report| (report, None));
    }
    let (tree, recycler) = saved.map_or((None, Recycler::default()), |saved| (Some(saved.tree), saved.recycler));
    let shared = prepare(&recipe, tree, root, budget, memory)?;
    let judge = judge_for(&recipe, root, judges)?;
    let mut search = TreeSearch::new(shared, recycler, budget, seed, threads, judge)?;
    let report = search.run(&mut budget.meter(), watch);
    let TreeSearch { shared, recycler, .. } = search;
    let saved = SavedTree { tree: shared.tree, recycler, position: shared.root };
    Ok((report, Some(saved)))
}

/// The network that judges the leaves, if the recipe wants one.
fn judge_for<P: Studied>(
    recipe: &Mcts,
    root: &P,
    judges: Option<&dyn JudgeSource<P>>,
) -> Result<Option<Box<dyn Judge<P>>>, SearchError> {
    if !recipe.leaf.is_net() {
        return Ok(None);
    }
    let none = "leaf=net needs a network, and this search was made without one; the agents zero and mcts have one";
    let source = judges.ok_or_else(|| SearchError::Unsupported(none.into()))?;
    source.judge_for(root).map(Some).map_err(SearchError::Unsupported)
}

/// The pass that ends the game, if there is one.
fn imitation<P: Studied>(root: &P) -> Option<Report<P::Move>> {
    let pass = root.moves().into_iter().find(|mv| root.is_pass(*mv))?;
    let mut after = root.clone();
    after.play(pass);
    let score = after.outcome()?.score;
    Some(Report {
        best: Some(pass),
        line: vec![pass],
        root: vec![RootMove { bounds: Bounds::exact(score), ..RootMove::untried(pass) }],
        value: score.into(),
        stopped: StopReason::OwnLimit("imitated pass"),
        ..Report::empty(root.turn())
    })
}

/// Searches one tree from the beginning, and keeps the whole search.
pub(crate) fn explore<P: Studied>(
    recipe: &Mcts,
    root: &P,
    budget: &Budget,
    seed: Seed,
    watch: &mut dyn Observer<P::Move>,
    judges: Option<&dyn JudgeSource<P>>,
) -> Result<Explored<P::Move>, SearchError> {
    if root.outcome().is_some() {
        return Err(SearchError::Ended);
    }
    let recipe = recipe.resolved::<P>();
    let threads = budget.thread_count();
    if recipe.parallel == Parallel::Root && threads > 1 {
        let why = "parallel=root has a tree for each thread, and none of them is the tree of the search; use one \
                   thread, or parallel=tree";
        return Err(SearchError::Unsupported(why.into()));
    }
    let shared = prepare(&recipe, None, root, budget, budget.memory_bytes())?;
    let judge = judge_for(&recipe, root, judges)?;
    let mut search = TreeSearch::new(shared, Recycler::default(), budget, seed, threads, judge)?;
    let report = search.run(&mut budget.meter(), watch);
    Ok((report, Box::new(search)))
}

impl<P: Studied> Search<P> for Mcts {
    fn search(
        &mut self,
        root: &P,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError> {
        search(self, None, root, budget, seed, watch, None).map(|(report, _)| report)
    }

    fn explore(
        &mut self,
        root: &P,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<P::Move>,
    ) -> Result<Explored<P::Move>, SearchError> {
        explore(self, root, budget, seed, watch, None)
    }
}
