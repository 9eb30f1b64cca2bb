//! The tree between moves: what is below the moves that were played serves the next search.

use super::Mcts;
use super::engine::{Kept, search};
use super::tree::{Node, NodeId, ROOT};
use crate::{Search, SearchError, Technique};
use tesuji_core::spec::{ArgumentError, Arguments, Describe, Description};
use tesuji_core::{Budget, Observer, Position, Report, Seed, Studied};

/// A recipe with the tree of its last search.
///
/// The tree is used again only when every move since then was [followed](Search::follow); a search that was not followed starts anew,
/// so that the same call gives the same answer.
pub struct TreeReuse<P> {
    recipe: Mcts,
    kept: Option<Kept<P>>,
    /// Whether a move was followed since the last search.
    moved: bool,
}

impl<P> TreeReuse<P> {
    /// A recipe that has searched nothing yet.
    #[must_use]
    pub fn new(recipe: Mcts) -> TreeReuse<P> {
        TreeReuse { recipe, kept: None, moved: false }
    }
}

impl<P: Position> Kept<P> {
    /// Makes a move of the root the root. Answers whether anything is left.
    fn advance(&mut self, mv: P::Move) -> bool {
        let index = self.position.move_index(mv) as u32;
        let children = self.tree.node(ROOT).children().get();
        let found = self.tree.all_children(ROOT).iter().position(|child| child.move_index() == index);
        let (Some(children), Some(number)) = (children, found) else { return false };
        let child = children.first + number as NodeId;
        // A position that is proved needs the move that proves it.
        let node = self.tree.node(child);
        let mover = node.mover();
        let sure = |node: &Node| node.bounds().for_player(mover).0;
        let keeps = self.tree.all_children(child).iter().any(|below| sure(below) == sure(node));
        if !node.is_entered() || node.bounds().proved().is_some() && !keeps {
            return false;
        }
        self.position.play(mv);
        self.recycler.follow(&mut self.tree, child);
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
        let kept = self.kept.take().filter(|kept| self.moved && kept.position == *root);
        let (report, kept) = search(&self.recipe, kept, root, budget, seed, watch)?;
        self.moved = false;
        self.kept = kept.filter(|_| self.recipe.reuse);
        Ok(report)
    }

    fn begin(&mut self) {
        self.kept = None;
    }

    fn follow(&mut self, mv: P::Move) {
        self.moved = true;
        if self.kept.as_mut().is_some_and(|kept| !kept.advance(mv)) {
            self.kept = None;
        }
    }
}

impl<P> Describe for TreeReuse<P> {
    const DESCRIPTION: Description = Mcts::DESCRIPTION;
}

impl<P> Technique for TreeReuse<P> {
    const ENDLESS: bool = Mcts::ENDLESS;
    const PARALLEL: bool = Mcts::PARALLEL;

    fn configure(arguments: &Arguments) -> Result<TreeReuse<P>, ArgumentError> {
        Mcts::configure(arguments).map(TreeReuse::new)
    }
}
