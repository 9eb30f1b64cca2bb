//! From what the engine found to the answer everybody reads.
//!
//! If the search met no horizon, its value is proved. Otherwise a value above the evaluations proves that the mover gets
//! at least that (it comes from ended games only: null moves and evaluations never claim one), but not that there is nothing
//! better beyond the horizon; and a value below them the other way round. Where history matters and a table was used,
//! nothing is called proved, because an entry may come from another history.

use super::engine::{Engine, Shared};
use super::value::{self, LEAST_WIN, WIN};
use super::witness::Witness;
use crate::root_moves;
use crate::table::Bound;
use tesuji_core::{Bounds, Player, Report, RootMove, Score, Studied};

/// Points worth odds of e to 1 where no evaluation says so.
const DEFAULT_SCALE: f64 = 200.0;

pub(super) fn report<P: Studied, W: Witness>(
    engine: &Engine<'_, P, W>,
    shared: &Shared<'_, P>,
    mover: Player,
    shares: bool,
) -> Report<P::Move> {
    let scale = shared.evaluation.map_or(DEFAULT_SCALE, |evaluation| evaluation.scale());
    let trusted = shares || shared.table.is_none();
    let mut report = Report::empty(mover);
    // Root moves in the order of their numbers: the report lists them in the game's order.
    report.root = engine
        .root
        .iter()
        .map(|entry| {
            let Some((number, bound)) = entry.found else { return RootMove::untried(entry.mv) };
            RootMove {
                visits: entry.nodes.max(1),
                value: Some(value::expectation(number, mover, scale)),
                bounds: if trusted { bounds(number, bound, engine.closed, mover) } else { Bounds::UNKNOWN },
                note: Some(note(number, bound, mover)),
                // What only stays below another move has no line that means anything.
                line: if bound == Bound::Exact { entry.line.clone() } else { Vec::new() },
                ..RootMove::untried(entry.mv)
            }
        })
        .collect();
    if let (Some(best), Some(first)) = (engine.root.first(), report.root.first()) {
        report.best = Some(best.mv);
        report.line = if best.line.is_empty() { vec![best.mv] } else { best.line.clone() };
        if let Some(value) = first.value {
            report.value = value;
        }
        // Not what the best one proves alone: where the budget ended in the middle of a depth, others may be better.
        report.bounds = Bounds::join(mover, report.root.iter().map(|entry| entry.bounds), true);
        let exact = matches!(best.found, Some((_, Bound::Exact)));
        if report.bounds != Bounds::UNKNOWN && !exact {
            report.line.truncate(1);
        }
        if let Some((number, _)) = best.found {
            // As everything a report tells in numbers of the game: for the side to move.
            report.figures.push(("evaluation", f64::from(number)));
        }
    }
    report.figures.push(("deepest line", f64::from(engine.deepest)));
    if let Some(table) = shared.table {
        report.memory_bytes = table.bytes();
        report.figures.push(("table in use", table.fullness()));
    }
    report.depth = engine.depth;
    root_moves::fill_counters(&mut report, &engine.meter);
    report
}

/// What a number proves; `closed`: no horizon was met.
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

/// "+12", "at most −40", "wins in 5", as the mover sees it.
fn note(number: i32, bound: Bound, mover: Player) -> String {
    let prefix = match bound {
        Bound::Exact => "",
        Bound::Lower => "at least ",
        Bound::Upper => "at most ",
    };
    if number.abs() >= LEAST_WIN {
        let score = if number > 0 { Score::WIN } else { Score::LOSS };
        let distance = (WIN - number.abs()).unsigned_abs();
        return format!("{prefix}{}", root_moves::describe_result(score.for_player(mover), distance, mover));
    }
    match value::decided(number) {
        Some(score) => format!("{prefix}{score}"),
        None => format!("{prefix}{number:+}"),
    }
}
