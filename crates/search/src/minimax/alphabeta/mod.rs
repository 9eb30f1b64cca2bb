//! Alpha-beta: the value of minimax without looking at most of the tree.
//!
//! > v(p, d) = the best of ±v(child, d−1) for whoever moves in p; v(p, 0) = the game's evaluation
//!
//! (the sign changes where the turn does). A line is left as soon as it is worse than what one side already has
//! elsewhere (Knuth & Moore 1975). Without an evaluation the horizon counts as a draw and the search deepens to the end of the game.
//!
//! Every enhancement is a switch, because some studies need it off:
//!
//! | switch | idea | value at fixed depth |
//! |---|---|---|
//! | `pvs` | later moves are only tested with a window of nothing (Marsland & Campbell 1982) | same |
//! | `tt` | a table of positions; `same` uses entries of the same depth only, `deeper` also deeper ones | same with `same` |
//! | `aspiration` | the root's window is around the last depth's value | same |
//! | `killers`, `history`, `preference` | better order (see `order.rs`) | same |
//! | `quiescence` | loud moves are played out below the horizon; `delta` leaves out captures that cannot reach alpha | its own definition; `delta` not exact |
//! | `extensions` | a position under attack gets a ply more | its own definition |
//! | `null` | if passing reaches beta, so does the best move | not exact |
//! | `lmr` | late quiet moves are searched less deep first (reductions ln d · ln n) | not exact |
//!
//! With `threads`, helpers run the same search in other orders and share the table (lazy SMP), and put off moves that another
//! thread is searching (see `busy.rs`): the table then makes the main thread faster, and only its answer counts. Where history matters (repetition, superko) table entries may come from another
//! history; the value is then the customary approximation, and nothing is called proved.

mod answer;
mod busy;
pub(crate) mod engine;
mod order;
mod recipe;
mod threads;
pub(crate) mod value;
pub(crate) mod witness;

use crate::sorting::sort_by_key;
use crate::table::{BUCKET_BYTES, TranspositionTable};
use crate::{Search, SearchError, root_moves};
use engine::Shared;
use tesuji_core::{Budget, Evaluation, Observer, Position, Report, Rng, Seed, Studied, Watch};

/// How the table is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TableUse {
    /// Not at all.
    Off,
    /// An entry answers for its own depth: the value is that of the search without a table.
    Same,
    /// An entry answers for its depth and less.
    #[default]
    Deeper,
}

/// What happens below the horizon.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Quiescence {
    /// Nothing: the evaluation.
    Off,
    /// All loud moves are tried.
    Plain,
    /// Loud moves that take too little to matter are left out.
    #[default]
    Delta,
}

/// Where the evaluation comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EvaluationSource {
    /// The game's, if it has one.
    #[default]
    Auto,
    /// The game's; without one the search refuses.
    Game,
    /// None: the horizon counts as a draw.
    None,
}

/// The switches of an alpha-beta search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Plies to look ahead; as the budget allows if not given.
    pub depth: Option<u32>,
    /// Leave lines out at all. Off, every node to the depth is searched, for numbers that need them.
    pub cutoffs: bool,
    /// Principal-variation search.
    pub pvs: bool,
    /// The transposition table.
    pub table: TableUse,
    /// Bytes of the table, at least one bucket. Less where the budget allows less memory; what it allows beyond is not used.
    pub bytes: u64,
    /// Half the width of the first window, in points; 0: no aspiration.
    pub aspiration: i32,
    /// Killer moves.
    pub killers: bool,
    /// History counts.
    pub history: bool,
    /// The game's preference among moves, where it has one, for the order.
    pub preference: bool,
    /// Null moves, where the game has them.
    pub null: bool,
    /// Late-move reductions.
    pub lmr: bool,
    /// Quiescence search, where the game has loud moves.
    pub quiescence: Quiescence,
    /// One ply more under attack.
    pub extensions: bool,
    /// How many best moves get an exact value.
    pub lines: u32,
    /// The evaluation.
    pub evaluation: EvaluationSource,
}

/// The deepest a recipe may ask for.
pub const MAX_DEPTH: u32 = 1_000;

impl Default for Options {
    fn default() -> Options {
        Options {
            depth: None,
            cutoffs: true,
            pvs: true,
            table: TableUse::Deeper,
            bytes: 16 << 20,
            aspiration: 30,
            killers: true,
            history: true,
            preference: true,
            null: true,
            lmr: true,
            quiescence: Quiescence::Delta,
            extensions: true,
            lines: 1,
            evaluation: EvaluationSource::Auto,
        }
    }
}

impl Options {
    /// Alpha-beta and nothing else: what Single Conspiracy Numbers and comparisons start from.
    #[must_use]
    pub fn bare() -> Options {
        Options {
            pvs: false,
            table: TableUse::Off,
            aspiration: 0,
            killers: false,
            history: false,
            preference: false,
            null: false,
            lmr: false,
            quiescence: Quiescence::Off,
            extensions: false,
            ..Options::default()
        }
    }
}

/// The alpha-beta search. Keeps its table from move to move of a game.
#[derive(Default)]
pub struct AlphaBeta {
    options: Options,
    table: Option<TranspositionTable>,
    /// A table for tests, taken as it is.
    given: bool,
}

impl AlphaBeta {
    /// A search with these switches.
    #[must_use]
    pub fn new(options: Options) -> AlphaBeta {
        AlphaBeta { options, table: None, given: false }
    }

    /// A search that begins with a table somebody else has filled.
    #[must_use]
    pub fn with_table(options: Options, table: TranspositionTable) -> AlphaBeta {
        AlphaBeta { options, table: Some(table), given: true }
    }

    /// The switches.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Makes the table ready for a search within this budget.
    fn prepare(&mut self, budget: &Budget) -> Result<(), SearchError> {
        if self.options.table == TableUse::Off {
            self.table = None;
            return Ok(());
        }
        let mut bytes = self.options.bytes.min(budget.memory.unwrap_or(u64::MAX));
        if bytes < BUCKET_BYTES {
            let why = format!("a table needs at least {BUCKET_BYTES} bytes, and {bytes} are allowed");
            return Err(SearchError::Unsupported(why));
        }
        if let Some(nodes) = budget.nodes.into_iter().chain(budget.iterations).min() {
            // More entries than nodes are of no use.
            bytes = bytes.min(nodes.saturating_mul(32).max(1 << 16));
        }
        match &mut self.table {
            Some(table) if self.given || table.bytes() == bytes / BUCKET_BYTES * BUCKET_BYTES => {
                table.advance_generation()
            }
            table => {
                let refused = || SearchError::Unsupported(format!("the system has no {bytes} bytes for a table"));
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
            busy: (budget.thread_count() > 1).then(busy::Busy::new),
        };
        let watch = watch.pace().is_some().then(|| Watch::new(watch));
        let mut rng = Rng::new(seed);
        let mut report = threads::run(&shared, root, budget, &mut rng, watch);
        sort_in_game_order(root, &mut report);
        choose_preferred_if_unknown(root, &mut report, &mut rng);
        Ok(report)
    }
}

/// How deep a search of these switches goes within a budget.
pub(crate) fn depth_limit(options: &Options, budget: &Budget) -> u32 {
    options.depth.into_iter().chain(budget.depth).min().unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH)
}

/// The evaluation that the switches ask for.
pub(crate) fn evaluation_from<P: Studied>(
    source: EvaluationSource,
    root: &P,
) -> Result<Option<Box<dyn Evaluation<P>>>, SearchError> {
    match source {
        EvaluationSource::None => Ok(None),
        EvaluationSource::Auto => Ok(root.evaluation()),
        EvaluationSource::Game => root.evaluation().map(Some).ok_or_else(|| {
            SearchError::Unsupported("this game has no evaluation; evaluation=auto does without".into())
        }),
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

/// Before anything was looked at, the game's preference chooses.
pub(crate) fn choose_preferred_if_unknown<P: Studied>(root: &P, report: &mut Report<P::Move>, rng: &mut Rng) {
    if report.root.iter().all(|entry| entry.value.is_none())
        && let Some(chosen) = root_moves::preferred_move(root, rng)
    {
        report.best = Some(report.root[chosen].mv);
        report.line = report.best.into_iter().collect();
    }
}

/// The root table in the game's order of moves.
pub(crate) fn sort_in_game_order<P: Position>(root: &P, report: &mut Report<P::Move>) {
    let order: std::collections::HashMap<P::Move, usize> =
        root.moves().into_iter().enumerate().map(|(number, mv)| (mv, number)).collect();
    sort_by_key(&mut report.root, |entry| order.get(&entry.mv).map_or(-1, |number| *number as i64));
}
