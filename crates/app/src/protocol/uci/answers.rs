//! What a search says: `info` while it runs, and `bestmove`.

use super::{Dialect, Uci, say};
use crate::ranking::{centipawns, line_of, ranked, winrate};
use std::fmt::Write as _;
use tesuji_core::{Report, RootMove, Score};

/// The score of a win in no moves; wins and losses in a number of moves lie that far inside.
const MATE: i32 = 1_000_000;

/// The score of a move for the side to move: centipawns, or near ±[`MATE`] if it is proved. The
/// distance of a proved end is not known here: the length of the line stands for it.
fn score(report: &Report<String>, entry: &RootMove<String>) -> i32 {
    let known = if entry.line.is_empty() { &report.line } else { &entry.line };
    let moves = known.len().div_ceil(2).clamp(1, 1000) as i32;
    match entry.bounds.for_player(report.turn) {
        (Score::WIN, _) => MATE - moves,
        (_, Score::LOSS) => moves - MATE,
        _ => centipawns(winrate(entry, report.turn)),
    }
}

/// A score as UCI writes it.
fn show_score(score: i32) -> String {
    if score.abs() < MATE / 2 {
        format!("cp {score}")
    } else {
        format!("mate {}", score.signum() * (MATE - score.abs()))
    }
}

impl Uci {
    /// No move can be answered.
    pub(super) fn no_move(&self, out: &mut String) {
        say(out, if self.dialect == Dialect::Uci { "bestmove (none)" } else { "nobestmove" });
    }

    /// Whether this move may be answered.
    fn allows(&self, mv: &String) -> bool {
        !self.banned.contains(mv) && (self.only.is_empty() || self.only.contains(mv))
    }

    /// The best lines so far, best first. Values of several threads may come from different
    /// depths: a line that is not the best is shown with at most the score of the line before it.
    pub(super) fn info(&self, report: &Report<String>, out: &mut String) {
        let milliseconds = report.elapsed.as_millis();
        let speed = (report.nodes as f64 / report.elapsed.as_secs_f64().max(1e-3)) as u64;
        let depth = report.depth.max(1);
        let mut lines: Vec<_> = ranked(report).into_iter().filter(|entry| self.allows(&entry.mv)).collect();
        if let Some((_, others)) = lines.split_first_mut() {
            // Moves with a line of their own have exact values and come first.
            others.sort_by_key(|entry| (entry.line.is_empty(), std::cmp::Reverse(score(report, entry))));
        }
        let mut highest = i32::MAX;
        for (number, entry) in lines.into_iter().take(self.lines).enumerate() {
            highest = highest.min(score(report, entry));
            let line: Vec<String> = line_of(report, entry).iter().map(|mv| self.show(mv)).collect();
            let line = line.join(" ");
            let mut text = format!("info depth {depth}");
            if self.dialect == Dialect::Uci {
                let _ = write!(
                    text,
                    " multipv {} score {} nodes {} nps {speed} time {milliseconds}",
                    number + 1,
                    show_score(highest),
                    report.nodes
                );
            } else {
                let score = centipawns(winrate(entry, report.turn));
                let _ = write!(text, " score {score} nodes {} time {milliseconds}", report.nodes);
            }
            say(out, &format!("{text} pv {line}"));
        }
    }

    /// The best lines and the move.
    pub(super) fn best_move(&mut self, report: &Report<String>, out: &mut String) {
        self.info(report, out);
        let allowed = |mv: &String| self.allows(mv);
        let best = report.best.clone().filter(allowed).or_else(|| {
            let next = ranked(report).into_iter().map(|entry| entry.mv.clone()).find(allowed);
            next.or_else(|| self.engine.session.position().moves().into_iter().find(allowed))
        });
        let Some(best) = best else { return self.no_move(out) };
        let mut text = format!("bestmove {}", self.show(&best));
        if let (Some(reply), true) = (report.line.get(1), report.line.first() == Some(&best)) {
            let _ = write!(text, " ponder {}", self.show(reply));
        }
        if self.dialect == Dialect::Ucci && report.resigns {
            text.push_str(" resign");
        }
        say(out, &text);
    }
}
