//! Searches as agents: positions and moves become text.

use crate::any::{AnyAgent, AnyPosition};
use crate::kept::KeptTree;
use tesuji_core::{Budget, Notation, Observer, Pace, Playable, Player, Position, Report, Seed};
use tesuji_proof::Claim;
use tesuji_search::proof::ProofTree;
use tesuji_search::{Search, SearchError};

/// A search as an agent. The search is behind a pointer, so that this is compiled once for each
/// game and not once for every pair of a game and a search.
pub(crate) struct Erased<P: Position> {
    search: Box<dyn Search<P>>,
    /// The position as the search sees it; nothing if it is of another game.
    seen: fn(&dyn AnyPosition) -> Option<P>,
    /// The game that was begun, as far as it was followed.
    game: Option<P>,
}

/// The position itself, if it is of this type.
pub(crate) fn typed<P: Position>(position: &dyn AnyPosition) -> Option<&P> {
    position.as_any().downcast_ref()
}

impl<P: Playable> Erased<P> {
    /// The agent that a search is, for positions of this type.
    pub(crate) fn boxed(search: Box<dyn Search<P>>) -> Box<dyn AnyAgent> {
        Erased::seeing(search, |position| typed(position).cloned())
    }

    /// The same for a search that sees positions in this form.
    pub(crate) fn seeing(search: Box<dyn Search<P>>, seen: fn(&dyn AnyPosition) -> Option<P>) -> Box<dyn AnyAgent> {
        Box::new(Erased { search, seen, game: None })
    }

    /// The position as the search sees it.
    fn root(&self, position: &dyn AnyPosition) -> Result<P, SearchError> {
        (self.seen)(position).ok_or_else(|| SearchError::Unsupported("this agent was made for another game".into()))
    }

    /// Plays a move in the game that was begun, if one was.
    fn advance(&mut self, text: &str) -> Result<Option<P::Move>, SearchError> {
        let Some(game) = &mut self.game else { return Ok(None) };
        let mv = game.read_move(text).map_err(|error| SearchError::Failed(error.to_string()))?;
        Position::play(game, mv);
        Ok(Some(mv))
    }
}

impl<P: Playable> AnyAgent for Erased<P> {
    fn begin(&mut self, start: &dyn AnyPosition, moves: &[String]) -> Result<(), SearchError> {
        self.search.begin();
        self.game = (self.seen)(start);
        moves.iter().try_for_each(|mv| self.advance(mv).map(|_| ()))
    }

    fn follow(&mut self, _: Player, mv: &str) -> Result<(), SearchError> {
        if let Some(mv) = self.advance(mv)? {
            self.search.follow(mv);
        }
        Ok(())
    }

    fn think(
        &mut self,
        position: &dyn AnyPosition,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<String>,
    ) -> Result<Report<String>, SearchError> {
        let root = self.root(position)?;
        let mut watch = Translated { root: &root, watch };
        let report = self.search.search(&root, budget, seed, &mut watch)?;
        Ok(in_text(&root, report))
    }

    fn explore(
        &mut self,
        position: &dyn AnyPosition,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<String>,
    ) -> Result<(Report<String>, KeptTree), SearchError> {
        let root = self.root(position)?;
        let mut watch = Translated { root: &root, watch };
        let (report, search) = self.search.explore(&root, budget, seed, &mut watch)?;
        Ok((in_text(&root, report), KeptTree::new(position.boxed_clone(), search)))
    }

    fn grow_proof_tree(
        &mut self,
        position: &dyn AnyPosition,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<String>,
    ) -> Result<(Report<String>, ProofTree), SearchError> {
        let report = self.think(position, budget, seed, watch)?;
        let tree = self.search.take_proof_tree();
        let why = "this agent keeps no proof tree that can be looked into; pn does";
        Ok((report, tree.ok_or_else(|| SearchError::Unsupported(why.into()))?))
    }

    fn proof(&mut self, position: &dyn AnyPosition, budget: &Budget) -> Result<Vec<Claim>, SearchError> {
        let root = self.root(position)?;
        self.search.proof(&root, budget)
    }
}

/// Hands a search's reports on in text.
struct Translated<'a, P> {
    root: &'a P,
    watch: &'a mut dyn Observer<String>,
}

impl<P: Notation> Observer<P::Move> for Translated<'_, P> {
    fn pace(&self) -> Option<Pace> {
        self.watch.pace()
    }

    fn wants_playouts(&self) -> bool {
        self.watch.wants_playouts()
    }

    fn progress(&mut self, report: &Report<P::Move>) {
        self.watch.progress(&in_text(self.root, report.clone()));
    }
}

fn in_text<P: Notation>(root: &P, report: Report<P::Move>) -> Report<String> {
    report.translate(
        |mv| root.show_move(mv),
        |line| {
            let mut at = root.clone();
            let show = |mv| {
                let shown = at.show_move(mv);
                Position::play(&mut at, mv);
                shown
            };
            line.into_iter().map(show).collect()
        },
    )
}
