//! The searches. They know no game: what they see of one is [`Position`].
//!
//! | module | contents |
//! |---|---|
//! | [`oracle`] | exhaustive search, the reference for all other searches |
//! | [`conspiracy`] | conspiracy number search, and Single Conspiracy Numbers inside alpha-beta |
//! | [`gumbel`] | planning with few simulations: sequential halving, completed values, the improved policy |
//! | [`mcts`] | Monte-Carlo tree search, composed of parts |
//! | [`kept`] | looking below the root: nodes, further iterations, records of single ones |
//! | [`minimax`] | depth-limited minimax, level-k minimax, alpha-beta, exact endgames |
//! | [`proof`] | proof-number searches, and proofs anyone can check |
//! | [`table`] | the transposition table |
//! | [`sampling`] | random moves, flat Monte-Carlo, the exact expectation of random play |

pub mod conspiracy;
mod exhaustive;
pub mod gumbel;
pub mod kept;
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

/// A search: finds a move within a budget and reports progress to an observer.
///
/// With one thread, the same seed and no time limit the answer is the same to the bit.
pub trait Search<P: Position>: Send {
    /// Searches from `root`.
    ///
    /// A live game gets a legal move even with the smallest budget.
    ///
    /// # Errors
    /// If the game has ended, or the search does not support this game.
    fn search(
        &mut self,
        root: &P,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError>;

    /// The proof of what the last search proved about `root`, in a form that can be checked
    /// independently.
    ///
    /// # Errors
    /// If this search writes no proofs, has proved nothing, or the budget is spent first.
    fn proof(&mut self, _root: &P, _budget: &Budget) -> Result<Vec<tesuji_proof::Claim>, SearchError> {
        Err(SearchError::Unsupported("this search writes no proofs; df-pn does".into()))
    }

    /// Searches from `root` as [`search`](Search::search) does, from an empty tree, and keeps the
    /// tree to be looked into.
    ///
    /// # Errors
    /// As [`search`](Search::search), and if this search has no such tree.
    fn explore(
        &mut self,
        _root: &P,
        _budget: &Budget,
        _seed: Seed,
        _watch: &mut dyn Observer<P::Move>,
    ) -> Result<Explored<P::Move>, SearchError> {
        Err(kept::no_tree())
    }

    /// The AND/OR tree of the last question that a proof-number search asked, taken out of it;
    /// nothing if this search has none.
    fn take_proof_tree(&mut self) -> Option<proof::ProofTree> {
        None
    }

    /// A new game begins: state kept from another game is discarded. By default there is none.
    fn begin(&mut self) {}

    /// This move was played in the position searched last, or in the position reached by the moves
    /// followed since: state kept from that search may serve the next one.
    fn follow(&mut self, _mv: P::Move) {}
}

/// A report and the search behind it, to be looked into.
pub type Explored<M> = (Report<M>, Box<dyn kept::KeptSearch>);

/// A search in the registry: a description of its parameters, and a constructor.
pub trait Technique: Describe + Sized {
    /// Whether it runs until the budget ends (sampling does, a search to a fixed depth does not).
    const ENDLESS: bool = false;

    /// Whether it uses the threads of a budget.
    const PARALLEL: bool = false;

    /// Iterations where nothing limits it, if it is endless: about a second.
    const USUAL_ITERATIONS: u64 = 10_000;

    /// The search with these arguments.
    ///
    /// # Errors
    /// If the arguments, each in its range, contradict each other.
    fn configure(arguments: &Arguments) -> Result<Self, ArgumentError>;
}

/// Why a search returns no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SearchError {
    /// The game has ended, so there is no move to find.
    #[error("the game has ended")]
    Ended,
    /// The search does not support this game, this position or this budget.
    #[error("{0}")]
    Unsupported(String),
    /// The budget ended before the result could be written.
    #[error("{0}")]
    OutOfBudget(String),
    /// Something outside failed, for example an external engine.
    #[error("{0}")]
    Failed(String),
}
