//! A search that has stopped: its nodes can be looked into, and it can go on.
//!
//! Going on is the same loop with the same threads, generators and statistics, under the budget of
//! the whole search. Nothing happens at a stop that a longer search would not do, with three
//! exceptions that are refused: `sudden=last` examines the chosen move at the end, `select=ucb-e`
//! spreads its exploration and `select=gumbel` its schedule over the iterations that they expect.

use super::tree_search::TreeSearch;
use crate::SearchError;
use crate::kept::{ChildFilter, IterationRecord, KeptSearch, NodeView};
use crate::mcts::lookahead::Sudden;
use crate::mcts::select::{GumbelRoot, Selection};
use crate::mcts::view::View;
use tesuji_core::{Budget, Observer, Pace, Position, Report, StopFlag, Studied};

impl<P: Studied> TreeSearch<P> {
    /// What can be told of nodes.
    pub(super) fn view(&self) -> View<'_> {
        View {
            recipe: &self.shared.recipe,
            tree: &self.shared.tree,
            horizon: self.shared.horizon,
            gumbel: self.shared.gumbel.as_ref(),
        }
    }

    /// Refuses recipes whose search is another one if it is longer.
    pub(super) fn check_resumable(&self) -> Result<(), SearchError> {
        let recipe = &self.shared.recipe;
        if self.shared.gumbel.as_ref().is_some_and(GumbelRoot::has_schedule) {
            return Err(SearchError::Unsupported(
                "this search cannot go on after its end: sequential halving spreads its iterations over the number \
                 known at the start; select=gumbel(considered=0) goes on"
                    .into(),
            ));
        }
        let why = match (recipe.select, recipe.sudden) {
            (Selection::UcbE { .. }, _) => {
                "select=ucb-e spreads its exploration over the iterations known at the start"
            }
            (_, Sudden::Last { .. }) => "sudden=last examines the chosen move at the end of the search",
            _ => return Ok(()),
        };
        Err(SearchError::Unsupported(format!("this search cannot go on after its end: {why}")))
    }
}

impl<P: Studied> KeptSearch for TreeSearch<P> {
    fn node(&self, path: &[usize], wanted: &ChildFilter) -> Option<NodeView<usize>> {
        self.view().node(path, wanted)
    }

    fn nodes(&self) -> u64 {
        self.shared.tree.len() as u64
    }

    fn iterations(&self) -> u64 {
        self.done.iterations
    }

    fn more(&mut self, budget: &Budget, watch: &mut dyn Observer<usize>) -> Result<Report<usize>, SearchError> {
        self.check_resumable()?;
        let mut meter = self.resume(budget);
        let root = self.shared.root.clone();
        let report = self.run(&mut meter, &mut ByIndex { root: &root, watch });
        Ok(by_index(&root, report))
    }

    fn step(&mut self, stop: &StopFlag) -> Result<Option<IterationRecord<usize>>, SearchError> {
        self.record_iteration(stop)
    }
}

/// Hands reports on with moves as indices.
struct ByIndex<'a, P> {
    root: &'a P,
    watch: &'a mut dyn Observer<usize>,
}

impl<P: Position> Observer<P::Move> for ByIndex<'_, P> {
    fn pace(&self) -> Option<Pace> {
        self.watch.pace()
    }

    fn wants_playouts(&self) -> bool {
        self.watch.wants_playouts()
    }

    fn progress(&mut self, report: &Report<P::Move>) {
        self.watch.progress(&by_index(self.root, report.clone()));
    }
}

fn by_index<P: Position>(root: &P, report: Report<P::Move>) -> Report<usize> {
    report.translate(|mv| root.move_index(mv), |line| line.into_iter().map(|mv| root.move_index(mv)).collect())
}
