//! The report of an alpha-beta search.
//!
//! If the search met no horizon, its value is proved. Otherwise a value above all evaluations
//! proves that the mover gets at least that much (it comes from ended games only: null moves and
//! evaluations never claim one), but not that there is nothing better beyond the horizon; a value
//! below all evaluations is the reverse. Where history matters and a table was used, nothing is
//! reported as proved, because an entry may come from another history.

use super::value::{self, MIN_WIN, WIN};
use crate::root_moves;
use crate::table::{Bound, TranspositionTable};
use tesuji_core::{Bounds, Meter, Player, Report, RootMove, Score};

/// Points worth odds of e to 1 where no evaluation states it.
const DEFAULT_SCALE: f64 = 200.0;

/// A root move and the result of its last search.
#[derive(Clone, Debug)]
pub(crate) struct RootEntry<M> {
    pub(crate) mv: M,
    /// The value for the side to move and its kind of bound; nothing before the first search.
    pub(crate) found: Option<(i32, Bound)>,
    /// The value that orders it.
    pub(super) rank: i32,
    pub(crate) nodes: u64,
    pub(crate) line: Vec<M>,
}

/// What a search has found.
pub(super) struct Found<'a, M> {
    pub(super) root: &'a [RootEntry<M>],
    pub(super) mover: Player,
    /// Whether the last completed depth met no horizon.
    pub(super) closed: bool,
    /// Whether equal positions have equal values.
    pub(super) transposes: bool,
    /// The scale of the evaluation, if there is one.
    pub(super) scale: Option<f64>,
    pub(super) table: Option<&'a TranspositionTable>,
    /// The last completed depth.
    pub(super) depth: u32,
    /// The deepest ply reached.
    pub(super) deepest: u32,
}

pub(super) fn report<M: Copy>(found: &Found<'_, M>, meter: &Meter) -> Report<M> {
    let mover = found.mover;
    let scale = found.scale.unwrap_or(DEFAULT_SCALE);
    let trusted = found.transposes || found.table.is_none();
    let mut report = Report::empty(mover);
    report.root = found
        .root
        .iter()
        .map(|entry| {
            let Some((number, bound)) = entry.found else { return RootMove::untried(entry.mv) };
            RootMove {
                visits: entry.nodes.max(1),
                value: Some(value::expectation(number, mover, scale)),
                bounds: if trusted { bounds(number, bound, found.closed, mover) } else { Bounds::UNKNOWN },
                note: Some(note(number, bound, mover)),
                // A move that only failed low has no meaningful line.
                line: if bound == Bound::Exact { entry.line.clone() } else { Vec::new() },
                ..RootMove::untried(entry.mv)
            }
        })
        .collect();
    if let (Some(best), Some(first)) = (found.root.first(), report.root.first()) {
        report.best = Some(best.mv);
        report.line = if best.line.is_empty() { vec![best.mv] } else { best.line.clone() };
        if let Some(value) = first.value {
            report.value = value;
        }
        // Joined over all moves: where the budget ended in the middle of a depth, others may be
        // better.
        report.bounds = Bounds::join(mover, report.root.iter().map(|entry| entry.bounds), true);
        let exact = matches!(best.found, Some((_, Bound::Exact)));
        if report.bounds != Bounds::UNKNOWN && !exact {
            report.line.truncate(1);
        }
        if let Some((number, _)) = best.found {
            // For the side to move, like all figures in points of the game.
            report.figures.push(("evaluation", f64::from(number)));
        }
    }
    report.figures.push(("deepest line", f64::from(found.deepest)));
    if let Some(table) = found.table {
        report.memory_bytes = table.bytes();
        report.figures.push(("table in use", table.fullness()));
    }
    report.depth = found.depth;
    root_moves::fill_counters(&mut report, meter);
    report
}

/// What a value proves; `closed` if no horizon was met.
fn bounds(number: i32, bound: Bound, closed: bool, mover: Player) -> Bounds {
    let score = match value::decided(number) {
        Some(score) => score,
        None if closed && number == 0 => Score::DRAW,
        None => return Bounds::UNKNOWN,
    };
    let at_least = bound != Bound::Upper && (closed || score > Score::DRAW);
    let at_most = bound != Bound::Lower && (closed || score < Score::DRAW);
    let lower = if at_least { score } else { Score::LOSS };
    let upper = if at_most { score } else { Score::WIN };
    let (lower, upper) = match mover {
        Player::First => (lower, upper),
        Player::Second => (upper.flipped(), lower.flipped()),
    };
    Bounds::new(lower, upper).unwrap_or(Bounds::UNKNOWN)
}

/// "+12", "at most −40" or "wins in 5", for the mover.
fn note(number: i32, bound: Bound, mover: Player) -> String {
    let prefix = match bound {
        Bound::Exact => "",
        Bound::Lower => "at least ",
        Bound::Upper => "at most ",
    };
    if number.abs() >= MIN_WIN {
        let score = if number > 0 { Score::WIN } else { Score::LOSS };
        let distance = (WIN - number.abs()).unsigned_abs();
        return format!("{prefix}{}", root_moves::describe_result(score.for_player(mover), distance, mover));
    }
    match value::decided(number) {
        Some(score) => format!("{prefix}{score}"),
        None => format!("{prefix}{number:+}"),
    }
}
