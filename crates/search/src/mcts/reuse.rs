//! Tree reuse: the subtree below the moves that were played serves the next search.

use super::driver::{SavedTree, explore, search};
use super::recipe::Mcts;
use super::tree::{Node, NodeId, ROOT};
use crate::{Explored, Search, SearchError, Technique};
use std::sync::Arc;
use tesuji_core::spec::{ArgumentError, Arguments, Describe, Description};
use tesuji_core::{Budget, JudgeSource, Observer, Position, Report, Seed, Studied};

/// A recipe with the tree of its last search.
///
/// The tree is reused only if every move since then was [followed](Search::follow). Otherwise a
/// search starts from an empty tree, so that the same call gives the same answer.
pub struct TreeReuse<P: Position> {
    recipe: Mcts,
    saved: Option<SavedTree<P>>,
    /// Who judges the leaves with `leaf=net`.
    judges: Option<Arc<dyn JudgeSource<P>>>,
    /// Whether a move was followed since the last search.
    moved: bool,
}

impl<P: Position> TreeReuse<P> {
    /// A recipe without a tree.
    #[must_use]
    pub fn new(recipe: Mcts) -> TreeReuse<P> {
        TreeReuse { recipe, saved: None, judges: None, moved: false }
    }

    /// The same with networks for `leaf=net`.
    #[must_use]
    pub fn with_judges(self, judges: Arc<dyn JudgeSource<P>>) -> TreeReuse<P> {
        TreeReuse { judges: Some(judges), ..self }
    }

    /// The recipe.
    #[must_use]
    pub fn recipe(&self) -> &Mcts {
        &self.recipe
    }
}

impl<P: Position> SavedTree<P> {
    /// Makes a child of the root the new root. Returns whether the tree is still useful.
    fn advance(&mut self, mv: P::Move) -> bool {
        let index = self.position.move_index(mv) as u32;
        let children = self.tree.node(ROOT).children().get();
        let found = self.tree.all_children(ROOT).iter().position(|child| child.move_index() == index);
        let (Some(children), Some(number)) = (children, found) else { return false };
        let child = children.first + number as NodeId;
        // A proved position needs the move that proves it.
        let node = self.tree.node(child);
        let mover = node.mover();
        let sure = |node: &Node| node.bounds().for_player(mover).0;
        let has_proof = self.tree.all_children(child).iter().any(|below| sure(below) == sure(node));
        if !node.is_entered() || node.bounds().proved().is_some() && !has_proof {
            return false;
        }
        self.position.play(mv);
        self.recycler.advance_root(&mut self.tree, child);
        true
    }
}

impl<P: Studied> Search<P> for TreeReuse<P> {
    fn search(
        &mut self,
        root: &P,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError> {
        let saved = self.saved.take().filter(|saved| self.moved && saved.position == *root);
        let (report, saved) = search(&self.recipe, saved, root, budget, seed, watch, self.judges.as_deref())?;
        self.moved = false;
        self.saved = saved.filter(|_| self.recipe.reuse);
        Ok(report)
    }

    fn explore(
        &mut self,
        root: &P,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<P::Move>,
    ) -> Result<Explored<P::Move>, SearchError> {
        explore(&self.recipe, root, budget, seed, watch, self.judges.as_deref())
    }

    fn begin(&mut self) {
        self.saved = None;
    }

    fn follow(&mut self, mv: P::Move) {
        self.moved = true;
        if self.saved.as_mut().is_some_and(|saved| !saved.advance(mv)) {
            self.saved = None;
        }
    }
}

impl<P: Position> Describe for TreeReuse<P> {
    const DESCRIPTION: Description = Mcts::DESCRIPTION;
}

impl<P: Position> Technique for TreeReuse<P> {
    const ENDLESS: bool = Mcts::ENDLESS;
    const PARALLEL: bool = Mcts::PARALLEL;

    fn configure(arguments: &Arguments) -> Result<TreeReuse<P>, ArgumentError> {
        Mcts::configure(arguments).map(TreeReuse::new)
    }
}
