//! Alpha-beta: the minimax value without searching most of the tree.
//!
//! > v(p, d) = the best of ±v(child, d−1) for the mover of p; v(p, 0) = the game's evaluation
//!
//! (the sign changes where the turn does). A line is cut off as soon as it is worse than what one
//! side already has elsewhere (Knuth & Moore 1975). Without an evaluation the horizon counts as a
//! draw, and the search deepens to the end of the game.
//!
//! Every enhancement is a switch, because some studies need it off:
//!
//! * `pvs`: principal-variation search; later moves are tested with a null window (Marsland &
//!   Campbell 1982). Same value at fixed depth.
//! * `tt`: a transposition table; `same` uses entries of the same depth only, `deeper` also deeper
//!   ones. Same value with `same`.
//! * `aspiration`: the root's window is centred on the last iteration's value. Same value.
//! * `killers`, `history`, `preference`: move ordering (see `order.rs`). Same value.
//! * `quiescence`: loud moves are searched below the horizon; `delta` skips captures that cannot
//!   reach alpha. A definition of its own; `delta` is not exact.
//! * `extensions`: a position under attack gets one more ply. A definition of its own.
//! * `null`: null-move pruning; if passing reaches beta, so does the best move. Not exact.
//! * `lmr`: late-move reductions; late quiet moves are searched less deeply first (ln d · ln n).
//!   Not exact.
//!
//! With `threads`, helper threads run the same search in other orders and share the table (lazy
//! SMP, `lazy_smp.rs`), and defer moves that another thread is searching (`abdada.rs`). The table
//! makes the main thread faster, and only its result is reported. Where history matters
//! (repetition, superko) table entries may come from another history. The value is then the
//! customary approximation, and nothing is reported as proved.
//!
//! | file | contents |
//! |---|---|
//! | `options.rs`, `recipe.rs` | the options as data and as text |
//! | `search.rs` | the search of one thread |
//! | `order.rs` | move ordering |
//! | `value.rs` | the scale of values |
//! | `instrument.rs` | hooks that compute statistics of the searched tree |
//! | `lazy_smp.rs`, `abdada.rs` | several threads |
//! | `report.rs` | the report |

mod abdada;
pub(crate) mod instrument;
mod lazy_smp;
mod options;
mod order;
mod recipe;
mod report;
pub(crate) mod search;
pub(crate) mod value;

pub use options::{EvaluationSource, MAX_DEPTH, Options, Quiescence, TableUse};
pub(crate) use options::{depth_limit, evaluation_from};

use crate::root_moves::{choose_preferred_if_unknown, sort_in_game_order};
use crate::table::{BUCKET_BYTES, TranspositionTable};
use crate::{Search, SearchError};
use search::Shared;
use tesuji_core::{Budget, Evaluation, Observer, Report, Rng, Seed, Studied, Watch};

/// The alpha-beta search. It keeps its table from move to move of a game.
#[derive(Default)]
pub struct AlphaBeta {
    options: Options,
    table: Option<TranspositionTable>,
    /// A table for tests, taken as it is.
    given: bool,
}

impl AlphaBeta {
    /// A search with these options.
    #[must_use]
    pub fn new(options: Options) -> AlphaBeta {
        AlphaBeta { options, table: None, given: false }
    }

    /// A search that begins with a given table.
    #[must_use]
    pub fn with_table(options: Options, table: TranspositionTable) -> AlphaBeta {
        AlphaBeta { options, table: Some(table), given: true }
    }

    /// The options.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Prepares the table for a search within this budget.
    fn prepare(&mut self, budget: &Budget) -> Result<(), SearchError> {
        if self.options.table == TableUse::Off {
            self.table = None;
            return Ok(());
        }
        let mut bytes = self.options.bytes.min(budget.memory.unwrap_or(u64::MAX));
        if bytes < BUCKET_BYTES {
            let why = format!("a transposition table needs at least {BUCKET_BYTES} bytes, and {bytes} are allowed");
            return Err(SearchError::Unsupported(why));
        }
        if let Some(nodes) = budget.nodes.into_iter().chain(budget.iterations).min() {
            // More entries than nodes are useless.
            bytes = bytes.min(nodes.saturating_mul(32).max(1 << 16));
        }
        match &mut self.table {
            Some(table) if self.given || table.bytes() == bytes / BUCKET_BYTES * BUCKET_BYTES => {
                table.advance_generation()
            }
            table => {
                let refused = || {
                    SearchError::Unsupported(format!(
                        "the system refuses to reserve {bytes} bytes for the transposition table"
                    ))
                };
                *table = Some(TranspositionTable::new(bytes).ok_or_else(refused)?);
            }
        }
        Ok(())
    }
}

impl AlphaBeta {
    /// The same search by an evaluation that is not the game's own, to compare one with another.
    ///
    /// # Errors
    /// If the game has ended, or there is no memory for the table.
    pub fn search_by<P: Studied>(
        &mut self,
        evaluation: Option<&dyn Evaluation<P>>,
        root: &P,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError> {
        if root.outcome().is_some() {
            return Err(SearchError::Ended);
        }
        self.prepare(budget)?;
        let preference = if self.options.preference { root.preference() } else { None };
        let shared = Shared {
            options: self.options,
            evaluation,
            preference: preference.as_deref(),
            table: self.table.as_ref(),
            in_progress: (budget.thread_count() > 1).then(abdada::MovesInProgress::new),
        };
        let watch = watch.pace().is_some().then(|| Watch::new(watch));
        let mut rng = Rng::new(seed);
        let mut report = lazy_smp::run(&shared, root, budget, &mut rng, watch);
        sort_in_game_order(root, &mut report);
        choose_preferred_if_unknown(root, &mut report, &mut rng);
        Ok(report)
    }
}

impl<P: Studied> Search<P> for AlphaBeta {
    fn search(
        &mut self,
        root: &P,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError> {
        let evaluation = evaluation_from(self.options.evaluation, root)?;
        self.search_by(evaluation.as_deref(), root, budget, seed, watch)
    }

    fn begin(&mut self) {
        if let Some(table) = &mut self.table {
            table.clear();
        }
    }
}
