//! From what the engine found to the answer everybody reads.
//!
//! If the search met no horizon, its value is proved. Otherwise a value above the evaluations proves that the mover gets
//! at least that (it comes from ended games only: null moves and evaluations never claim one), but not that there is nothing
//! better beyond the horizon; and a value below them the other way round. Where history matters and a table was used,
//! nothing is called proved, because an entry may come from another history.

use super::engine::{Engine, Shared};
use super::value::{self, LEAST_WIN, WIN};
use super::witness::Witness;
use crate::decide;
use crate::table::Kind;
use tesuji_core::{Bounds, Player, Report, RootMove, Score, Studied, Undoable};

/// Points worth odds of e to 1 where no evaluation says so.
const DEFAULT_SCALE: f64 = 200.0;

pub(super) fn report<P: Undoable + Studied, W: Witness>(
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
            let Some((number, kind)) = entry.found else { return RootMove::untried(entry.mv) };
            RootMove {
                visits: entry.nodes.max(1),
                value: Some(value::expectation(number, mover, scale)),
                bounds: if trusted { bounds(number, kind, engine.closed, mover) } else { Bounds::UNKNOWN },
                note: Some(note(number, kind, mover)),
                // What only stays below another move has no line that means anything.
                line: if kind == Kind::Exact { entry.line.clone() } else { Vec::new() },
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
        let exact = matches!(best.found, Some((_, Kind::Exact)));
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
    decide::close(&mut report, &engine.meter);
    report
}

/// What a number proves; `closed`: no horizon was met.
fn bounds(number: i32, kind: Kind, closed: bool, mover: Player) -> Bounds {
    let score = match value::decided(number) {
        Some(score) => score,
        None if closed && number == 0 => Score::DRAW,
        None => return Bounds::UNKNOWN,
    };
    let at_least = kind != Kind::Upper && (closed || score > Score::DRAW);
    let at_most = kind != Kind::Lower && (closed || score < Score::DRAW);
    let lower = if at_least { score } else { Score::LOSS };
    let upper = if at_most { score } else { Score::WIN };
    let (lower, upper) = match mover {
        Player::First => (lower, upper),
        Player::Second => (upper.flipped(), lower.flipped()),
    };
    Bounds::new(lower, upper).unwrap_or(Bounds::UNKNOWN)
}

/// "+12", "at most −40", "wins in 5", as the mover sees it.
fn note(number: i32, kind: Kind, mover: Player) -> String {
    let bound = match kind {
        Kind::Exact => "",
        Kind::Lower => "at least ",
        Kind::Upper => "at most ",
    };
    if number.abs() >= LEAST_WIN {
        let score = if number > 0 { Score::WIN } else { Score::LOSS };
        let distance = (WIN - number.abs()).unsigned_abs();
        return format!("{bound}{}", decide::in_words(score.for_player(mover), distance, mover));
    }
    match value::decided(number) {
        Some(score) => format!("{bound}{score}"),
        None => format!("{bound}{number:+}"),
    }
}
