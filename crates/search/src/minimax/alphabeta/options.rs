//! The options of an alpha-beta search: every enhancement is a switch.

use crate::SearchError;
use tesuji_core::{Budget, Evaluation, Studied};

/// How the transposition table is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TableUse {
    /// Not at all.
    Off,
    /// An entry is used at its own depth only: the value is that of a search without a table.
    Same,
    /// An entry is used at its depth and below.
    #[default]
    Deeper,
}

/// What happens below the horizon.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Quiescence {
    /// The static evaluation.
    Off,
    /// A quiescence search of all loud moves.
    Plain,
    /// The same with delta pruning: captures that cannot reach alpha are skipped.
    #[default]
    Delta,
}

/// Where the evaluation comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EvaluationSource {
    /// The game's, if it has one.
    #[default]
    Auto,
    /// The game's; a game without one is refused.
    Game,
    /// None: the horizon counts as a draw.
    None,
}

/// The options of an alpha-beta search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The search depth in plies; limited by the budget alone if not given.
    pub depth: Option<u32>,
    /// Whether alpha-beta cut-offs are made. Off, the full tree is searched, for statistics that
    /// need it.
    pub cutoffs: bool,
    /// Principal-variation search.
    pub pvs: bool,
    /// The transposition table.
    pub table: TableUse,
    /// Bytes of the table, at least one bucket; less if the budget allows less memory.
    pub bytes: u64,
    /// Half the width of the aspiration window in points; 0 disables it.
    pub aspiration: i32,
    /// Killer moves.
    pub killers: bool,
    /// The history heuristic.
    pub history: bool,
    /// Whether the game's preference among moves, if it has one, orders quiet moves.
    pub preference: bool,
    /// Null-move pruning, in games that allow passing over a turn.
    pub null: bool,
    /// Late-move reductions.
    pub lmr: bool,
    /// Quiescence search, in games with loud moves.
    pub quiescence: Quiescence,
    /// Check extensions: one more ply under attack.
    pub extensions: bool,
    /// Multi-PV: the number of best moves with an exact value.
    pub lines: u32,
    /// The evaluation.
    pub evaluation: EvaluationSource,
}

/// The largest depth.
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
    /// Alpha-beta without any enhancement: the basis of Single Conspiracy Numbers and of
    /// comparisons.
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

/// The depth of a search with these options within a budget.
pub(crate) fn depth_limit(options: &Options, budget: &Budget) -> u32 {
    options.depth.into_iter().chain(budget.depth).min().unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH)
}

/// The evaluation from this source.
pub(crate) fn evaluation_from<P: Studied>(
    source: EvaluationSource,
    root: &P,
) -> Result<Option<Box<dyn Evaluation<P>>>, SearchError> {
    match source {
        EvaluationSource::None => Ok(None),
        EvaluationSource::Auto => Ok(root.evaluation()),
        EvaluationSource::Game => root.evaluation().map(Some).ok_or_else(|| {
            SearchError::Unsupported("this game has no evaluation; use evaluation=auto, which works without one".into())
        }),
    }
}
