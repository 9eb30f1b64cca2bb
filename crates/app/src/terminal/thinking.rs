//! An agent thinks: a line that shows how far it is, Ctrl-C, and the table of what it found.

use super::attention::{Attention, Call};
use crate::output::{thousands, wrapped};
use crate::ranking::{ranked, winrate};
use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tesuji_agents::{Session, can_be_hurried};
use tesuji_core::{Budget, Report, Seed};

/// How often the line changes.
const INTERVAL: Duration = Duration::from_millis(100);
/// Moves of the root that are shown.
const MOST_ROWS: usize = 8;
/// Back to the first column of a line that is empty from there on.
const CLEAR: &str = "\r\x1b[K";

/// What came of it.
pub(super) enum Thought {
    Report(Box<Report<String>>),
    /// The agent failed, for this reason.
    Failed(String),
    /// The game shall be left.
    Leave,
}

/// Where thinking is shown, and what may interrupt it.
pub(super) struct Watch<'a> {
    pub(super) attention: &'a Arc<Attention>,
    pub(super) output: &'a mut dyn Write,
    /// Whether a line may be drawn over.
    pub(super) live: bool,
}

impl Watch<'_> {
    /// Lets the agent of a session think about its position.
    pub(super) fn think(&mut self, session: &mut Session, limits: &Budget, seed: Seed) -> std::io::Result<Thought> {
        session.set_notice(self.attention.notice());
        let name = session.player_name();
        let began = Instant::now();
        if let Err(error) = session.start(limits, seed) {
            return Ok(Thought::Failed(error.to_string()));
        }
        self.attention.think();
        let mut shown = String::new();
        while session.is_thinking() {
            match self.attention.wait(INTERVAL) {
                Call::Leave => {
                    session.abort();
                    self.draw(&mut shown, "")?;
                    self.attention.rest();
                    return Ok(Thought::Leave);
                }
                Call::Hurry if can_be_hurried(session.agent()) => session.hurry(),
                Call::Hurry => {
                    self.draw(&mut shown, "")?;
                    writeln!(self.output, "{name} cannot be hurried; Ctrl-C again saves and leaves.")?;
                    self.output.flush()?;
                }
                Call::None => {}
            }
            let so_far = session.snapshot();
            self.draw(&mut shown, &progress(&name, began.elapsed(), so_far.as_ref()))?;
        }
        self.draw(&mut shown, "")?;
        self.attention.rest();
        Ok(session
            .wait()
            .map_or_else(|error| Thought::Failed(error.to_string()), |report| Thought::Report(Box::new(report))))
    }

    /// Draws a line over the one that is shown.
    fn draw(&mut self, shown: &mut String, line: &str) -> std::io::Result<()> {
        if !self.live || shown == line {
            return Ok(());
        }
        write!(self.output, "{CLEAR}{line}")?;
        *shown = line.to_string();
        self.output.flush()
    }
}

/// How far an agent is, in less than 80 columns.
fn progress(name: &str, elapsed: Duration, report: Option<&Report<String>>) -> String {
    let mut line = format!("{name} is thinking, {:.1} s", elapsed.as_secs_f64());
    if let Some(report) = report
        && let Some(best) = &report.best
    {
        let work = thousands(report.iterations.max(report.nodes));
        line += &format!(": {best} {:.2} after {work} positions", report.value.for_player(report.turn));
    }
    line.chars().take(79).collect()
}

/// The limits of a move in words; nothing if there are none.
pub(super) fn limits_in_words(limits: &Budget) -> Option<String> {
    let time = limits.hard_time.or(limits.soft_time).map(|time| format!("{} s", time.as_secs_f64()));
    let iterations = limits.iterations.map(|number| format!("{} iterations", thousands(number)));
    let nodes = limits.nodes.map(|number| format!("{} positions", thousands(number)));
    let words: Vec<String> = [time, iterations, nodes].into_iter().flatten().collect();
    (!words.is_empty()).then(|| words.join(" or "))
}

/// The value of a report and the work behind it, in parentheses; nothing if there was no search, or
/// an engine outside that says nothing of it.
pub(super) fn verdict(report: &Report<String>) -> String {
    let work = match (report.iterations, report.nodes) {
        (0, 0) => return String::new(),
        (0, nodes) => format!("{} positions", thousands(nodes)),
        (iterations, _) => format!("{} iterations", thousands(iterations)),
    };
    format!(" (value {:.2}, {work})", report.value.for_player(report.turn))
}

/// The best moves of a report, if it has any, and its line.
pub(super) fn table(report: &Report<String>) -> String {
    let mut text = String::new();
    if !report.root.is_empty() {
        text += "move        visits   value  proved\n";
    }
    for entry in ranked(report).into_iter().take(MOST_ROWS) {
        let (sure, hoped) = entry.bounds.for_player(report.turn);
        let proved = if sure == hoped { sure.to_string() } else { String::new() };
        let note = entry.note.as_deref().unwrap_or_default();
        let row = format!("{:<8} {:>9}  {:.4}  {proved} {note}", entry.mv, entry.visits, winrate(entry, report.turn));
        text += row.trim_end();
        text.push('\n');
    }
    text += &wrapped(&format!("line: {}", report.line.join(" ")), 0, 4);
    text
}
