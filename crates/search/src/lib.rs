//! The searches. They know no game: everything they see of one is
//! [`Position`].
//!
//! | room | what is inside |
//! |---|---|
//! | [`oracle`] | exhaustive truth, the judge of all other searches |
//! | [`conspiracy`] | conspiracy numbers: their search, and single ones inside alpha-beta |
//! | [`mcts`] | Monte-Carlo tree search, as recipes of parts |
//! | [`minimax`] | depth-limited minimax, level-k minimax, alpha-beta, exact endgames |
//! | [`proof`] | proof-number searches, and proofs anyone can check |
//! | [`table`] | the transposition table |
//! | [`sampling`] | random moves, random playout search, the exact expectation of random play |

pub mod conspiracy;
mod exhaustive;
pub mod mcts;
pub mod minimax;
pub mod oracle;
mod pages;
pub mod proof;
mod root_moves;
pub mod sampling;
mod sorting;
mod sync;
pub mod table;

use tesuji_core::spec::{ArgumentError, Arguments, Describe};
use tesuji_core::{Budget, Observer, Position, Report, Seed};

/// A search: finds a move, within a budget, watched by an observer.
///
/// With one thread, the same seed and no time limit the answer repeats to the bit.
pub trait Search<P: Position>: Send {
    /// Searches from `root`.
    ///
    /// However small the budget, a live game gets a legal move.
    ///
    /// # Errors
    /// If the game has ended, or this search cannot serve this game.
    fn search(
        &mut self,
        root: &P,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError>;

    /// The proof of what the last search proved about `root`, for anyone to check.
    ///
    /// # Errors
    /// If this search writes no proofs, has proved nothing, or the budget is spent first.
    fn proof(&mut self, _root: &P, _budget: &Budget) -> Result<Vec<tesuji_proof::Claim>, SearchError> {
        Err(SearchError::Unsupported("this search writes no proofs; df-pn does".into()))
    }

    /// A new game begins: whatever was kept of another one is of no use. Searches that keep nothing need not listen.
    fn begin(&mut self) {}

    /// This move was played in the position searched last, or in the one followed to since then: what is kept
    /// of it may serve the next search.
    fn follow(&mut self, _mv: P::Move) {}
}

/// A search of the registry: a description of its parameters, and how to make one.
pub trait Technique: Describe + Sized {
    /// Whether it goes on for ever unless a budget ends it (sampling does, looking ahead to the end does not).
    const ENDLESS: bool = false;

    /// Whether it uses the threads of a budget.
    const PARALLEL: bool = false;

    /// The search of these arguments.
    ///
    /// # Errors
    /// If the arguments, each in its range, make no search together.
    fn configure(arguments: &Arguments) -> Result<Self, ArgumentError>;
}

/// Why a search gives no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SearchError {
    /// There is nothing to search.
    #[error("the game has ended")]
    Ended,
    /// This search cannot serve this game or this position.
    #[error("{0}")]
    Unsupported(String),
    /// The budget ended before what was found could be written down.
    #[error("{0}")]
    OutOfBudget(String),
    /// Something outside failed: an engine that died, say.
    #[error("{0}")]
    Failed(String),
}
