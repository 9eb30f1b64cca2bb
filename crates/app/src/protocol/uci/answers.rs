//! What a search says: `info` while it runs, and `bestmove`.

use super::{Dialect, Uci, say};
use crate::ranking::{centipawns, line_of, ranked, winrate};
use std::fmt::Write as _;
use tesuji_core::{Report, Score};

impl Uci {
    /// No move can be answered.
    pub(super) fn no_move(&self, out: &mut String) {
        say(out, if self.dialect == Dialect::Uci { "bestmove (none)" } else { "nobestmove" });
    }

    /// Whether this move may be answered.
    fn allows(&self, mv: &String) -> bool {
        !self.banned.contains(mv) && (self.only.is_empty() || self.only.contains(mv))
    }

    /// The best lines so far.
    pub(super) fn info(&self, report: &Report<String>, out: &mut String) {
        let milliseconds = report.elapsed.as_millis();
        let speed = (report.nodes as f64 / report.elapsed.as_secs_f64().max(1e-3)) as u64;
        let ranked = ranked(report).into_iter().filter(|entry| self.allows(&entry.mv));
        for (number, entry) in ranked.take(self.lines).enumerate() {
            let known = if entry.line.is_empty() { &report.line } else { &entry.line };
            let score = match entry.bounds.for_player(report.turn) {
                // The distance of a proved end is not known here: the length of the line stands for
                // it.
                (Score::WIN, _) => format!("mate {}", known.len().div_ceil(2).max(1)),
                (_, Score::LOSS) => format!("mate -{}", known.len().div_ceil(2).max(1)),
                _ => format!("cp {}", centipawns(winrate(entry, report.turn))),
            };
            let score = match self.dialect {
                Dialect::Uci => format!("score {score}"),
                Dialect::Ucci => format!("score {}", centipawns(winrate(entry, report.turn))),
            };
            let line = line_of(report, entry).join(" ");
            let depth = report.depth.max(1);
            let mut text = format!("info depth {depth}");
            if self.dialect == Dialect::Uci {
                let _ = write!(
                    text,
                    " multipv {} {score} nodes {} nps {speed} time {milliseconds}",
                    number + 1,
                    report.nodes
                );
            } else {
                let _ = write!(text, " {score} nodes {} time {milliseconds}", report.nodes);
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
        let mut text = format!("bestmove {best}");
        if let (Some(reply), true) = (report.line.get(1), report.line.first() == Some(&best)) {
            let _ = write!(text, " ponder {reply}");
        }
        if self.dialect == Dialect::Ucci && report.resigns {
            text.push_str(" resign");
        }
        say(out, &text);
    }
}
