//! What a search says, as the interface tells it. Values are for the side to move.

use crate::Program;
use crate::api::{self, Candidate, Figure};
use crate::state::{plies, points_of, side};
use std::collections::HashSet;
use tesuji_agents::AnyPosition;
use tesuji_core::{Bounds, Player, ProofStatus, Report, RootMove};

/// The most candidates of a report, and how many there are if the client does not say.
pub(crate) const MOST_CANDIDATES: usize = 400;
pub(crate) const USUAL_CANDIDATES: usize = 20;
/// The longest line that is told.
const MOST_PLIES: usize = 30;

/// Six decimals: what a search estimates is never surer.
fn tidy(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

fn interval(bounds: Bounds, player: Player) -> [f64; 2] {
    let (sure, hoped) = bounds.for_player(player);
    [sure.to_f64(), hoped.to_f64()].map(tidy)
}

fn cut(line: &[String]) -> &[String] {
    &line[..line.len().min(MOST_PLIES)]
}

/// The other moves that have a prior, the heaviest first: what a network thinks of moves that were not tried.
fn untried<'a>(report: &'a Report<String>, ranked: &[&RootMove<String>]) -> Vec<&'a RootMove<String>> {
    let known: HashSet<&str> = ranked.iter().map(|entry| entry.mv.as_str()).collect();
    let mut others: Vec<(f64, &RootMove<String>)> = report
        .root
        .iter()
        .filter(|entry| !known.contains(entry.mv.as_str()))
        .filter_map(|entry| entry.prior.map(|prior| (prior, entry)))
        .collect();
    others.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.mv.cmp(&b.1.mv)));
    others.into_iter().map(|(_, entry)| entry).collect()
}

/// A report about this position, with at most this many candidates.
pub(crate) fn told(
    program: &dyn Program,
    position: &dyn AnyPosition,
    report: &Report<String>,
    candidates: usize,
    has_ended: bool,
) -> api::Report {
    let turn = report.turn;
    let columns = position.view().columns.len();
    let ranked = program.ranked(report);
    let others = untried(report, &ranked);
    let entries = ranked.into_iter().chain(others).take(candidates.min(MOST_CANDIDATES)).map(|entry| {
        let (to, from) = points_of(position, columns, &entry.mv);
        Candidate {
            r#move: entry.mv.clone(),
            to,
            from,
            visits: entry.visits,
            value: entry.value.map(|value| tidy(value.for_player(turn))),
            bounds: interval(entry.bounds, turn),
            confidence: entry.confidence.map(|(low, high)| [tidy(low), tidy(high)]),
            amaf: entry.amaf.map(|value| tidy(value.for_player(turn))),
            prior: entry.prior.map(tidy),
            note: entry.note.clone(),
            line: plies(position, columns, cut(program.line_of(report, entry))),
        }
    });
    api::Report {
        turn: side(turn),
        best: report.best.clone(),
        resigns: report.resigns,
        value: tidy(report.value.for_player(turn)),
        bounds: interval(report.bounds, turn),
        proof: report.proof.map(|proof| api::Proof {
            status: match proof.status {
                ProofStatus::Proved => api::ProofStatus::Proved,
                ProofStatus::Disproved => api::ProofStatus::Disproved,
                ProofStatus::Unknown => api::ProofStatus::Unknown,
            },
            proof_number: proof.proof_number,
            disproof_number: proof.disproof_number,
        }),
        line: plies(position, columns, cut(&report.line)),
        candidates: entries.collect(),
        moves: report.root.len(),
        path: plies(position, columns, cut(&report.path)),
        playout_end: report.playout_end,
        figures: report.figures.iter().map(|(name, value)| Figure { name: (*name).into(), value: *value }).collect(),
        iterations: report.iterations,
        nodes: report.nodes,
        depth: report.depth,
        memory_bytes: report.memory_bytes,
        seconds: tidy(report.elapsed.as_secs_f64()),
        stopped: has_ended.then(|| report.stopped.to_string()),
    }
}
