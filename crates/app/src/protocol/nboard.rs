//! NBoard's protocol, version 2, for Othello.
//!
//! The GUI keeps the board: `go` answers a move without playing it, `move` plays it. Unknown lines
//! are skipped. Games come as GGF, the format of the Generic Game Server. The protocol gives
//! evaluations in discs for the side to move; here they are the logarithm of the odds of the
//! expected score (0.75 is about 1.9), and exact results are marked `100%W`.
//!
//! Reference: C. Welty, *NBoard: the protocol between NBoard and engines*, version 2.

use super::engine::{Engine, changed};
use super::{Arrival, Attention, Flow, Protocol, SearchTask};
use crate::ranking::{centipawns, line_of, ranked, winrate};
use std::collections::VecDeque;
use std::time::Instant;
use tesuji_agents::{Notice, Session, SessionError, StartedGame};
use tesuji_core::spec::SpecValue;
use tesuji_core::{Budget, Report};

/// Iterations for each position of a game that is analysed.
const ANALYSIS_ITERATIONS: u64 = 2_000;

/// What a search is for.
enum Purpose {
    /// A move.
    Go,
    /// This number of best moves.
    Hint(usize),
    /// The positions of the game, from the last one back: those left, and the one being searched.
    Analyse { left: VecDeque<usize>, at: usize, searching: Box<Session> },
}

/// The NBoard side of an engine.
pub struct NBoard {
    engine: Engine,
    thinking: Option<(Purpose, SearchTask)>,
}

/// The board and the moves of a game in GGF.
fn read_ggf(text: &str) -> Result<(String, Vec<String>), String> {
    let (mut board, mut moves) = (None, Vec::new());
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let name: String = rest[..open].chars().rev().take_while(char::is_ascii_alphabetic).collect();
        let name: String = name.chars().rev().collect();
        let close = rest[open..].find(']').ok_or("a property is not closed")? + open;
        let value = &rest[open + 1..close];
        rest = &rest[close + 1..];
        match name.as_str() {
            "BO" => {
                let squares: String = value.chars().filter(|c| !c.is_whitespace()).skip(1).collect();
                let turned = squares.chars().map(|c| match c {
                    '*' | 'X' | 'x' => 'X',
                    'O' | 'o' | '0' => 'O',
                    _ => '.',
                });
                let turned: String = turned.collect();
                if !value.trim_start().starts_with('8') || turned.chars().count() != 65 {
                    return Err("expected a board of 8 rows and the side to move".into());
                }
                // All positions are plain ASCII now.
                board = Some(format!("{} {}", &turned[..64], &turned[64..]));
            }
            "B" | "W" => moves.push(read_move(value)),
            _ => {}
        }
    }
    board.map(|board| (board, moves)).ok_or_else(|| "expected a board, BO[8 …]".into())
}

/// `F5/eval/time` without what follows, in our spelling.
fn read_move(text: &str) -> String {
    let mv = text.split('/').next().unwrap_or_default().trim().to_ascii_lowercase();
    if ["pa", "pass", "ps"].contains(&mv.as_str()) { "pass".into() } else { mv }
}

fn show_move(mv: &str) -> String {
    if mv == "pass" { "PA".into() } else { mv.to_ascii_uppercase() }
}

impl NBoard {
    /// An NBoard engine; the game is Othello.
    #[must_use]
    pub fn new(engine: Engine) -> NBoard {
        NBoard { engine, thinking: None }
    }

    fn set_game(&mut self, text: &str) -> Result<(), String> {
        let (board, moves) = read_ggf(text)?;
        let spec = changed(self.engine.session.game(), &[("position", SpecValue::Text(board))]);
        let StartedGame { mut position, spec: canonical } =
            tesuji_agents::start_game_with(&spec, self.engine.session.access()).map_err(|error| error.to_string())?;
        // A game that cannot be played to its end changes nothing.
        moves.iter().try_for_each(|mv| position.play(mv).map(drop)).map_err(|error| error.to_string())?;
        let known = self.engine.session.moves();
        let goes_on = canonical == *self.engine.session.game() && moves.starts_with(known);
        let played = if goes_on { known.len() } else { 0 };
        if !goes_on {
            if moves.is_empty() {
                self.engine.next_game();
            }
            self.engine.restart(&canonical).map_err(|error| error.to_string())?;
        }
        for mv in &moves[played..] {
            self.engine.session.play(mv).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    fn start(&mut self, purpose: Purpose, out: &mut String) {
        let budget = self.engine.setup.limits.clone();
        match self.engine.start(&budget) {
            Ok(task) => {
                say(out, "status Thinking");
                self.thinking = Some((purpose, task));
            }
            Err(error) => say(out, &format!("status {error}")),
        }
    }

    /// A session at a move of the game, searching.
    fn search_at(&self, number: usize) -> Option<Box<Session>> {
        let session = &self.engine.session;
        let mut searching = self.engine.other_session(session.game(), session.agent()).ok()?;
        for mv in &session.moves()[..number] {
            searching.play(mv).ok()?;
        }
        let limits = &self.engine.setup.limits;
        let iterations = limits.iterations.unwrap_or(u64::MAX).min(ANALYSIS_ITERATIONS);
        let budget = Budget { iterations: Some(iterations), ..limits.clone() };
        searching.start(&budget, self.engine.setup.seed).ok()?;
        Some(Box::new(searching))
    }

    /// The next position that can be searched.
    fn next_analysis(&mut self, mut left: VecDeque<usize>, out: &mut String) {
        while let Some(at) = left.pop_front() {
            if let Some(searching) = self.search_at(at) {
                let task = self.engine.task(Instant::now());
                self.thinking = Some((Purpose::Analyse { left, at, searching }, task));
                return;
            }
        }
        say(out, "status");
    }

    fn stop(&mut self) {
        self.thinking = None;
        self.engine.session.abort();
    }
}

fn nodes(report: &Report<String>, out: &mut String) {
    say(out, &format!("nodestats {} {:.3}", report.nodes, report.elapsed.as_secs_f64()));
}

fn hints(report: &Report<String>, count: usize, out: &mut String) {
    for entry in ranked(report).into_iter().take(count.max(1)) {
        let line: String = line_of(report, entry).iter().map(|mv| show_move(mv)).collect();
        let proved = entry.bounds.proved().is_some();
        let value = f64::from(centipawns(winrate(entry, report.turn))) / 100.0;
        let depth = if proved { "100%W".to_string() } else { report.depth.max(1).to_string() };
        say(out, &format!("search {line} {value:.2} 0 {depth}"));
    }
}

/// One line.
fn say(out: &mut String, text: &str) {
    out.extend(text.chars().map(|c| if c.is_control() { ' ' } else { c }));
    out.push('\n');
}

impl Protocol for NBoard {
    fn connect(&mut self, notice: Notice) {
        self.engine.connect(notice);
    }

    fn line(&mut self, line: &str, out: &mut String) -> Flow {
        let line = line.trim();
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        if !command.is_empty() {
            // Whatever is said, it ends the search: the position may be another one.
            self.stop();
        }
        match command {
            "nboard" => say(out, &format!("set myname tesuji {}", env!("CARGO_PKG_VERSION"))),
            "set" => {
                let (what, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                match what {
                    "game" => {
                        if let Err(reason) = self.set_game(value) {
                            say(out, &format!("status cannot set the game: {reason}"));
                        }
                    }
                    "depth" => {
                        if let Ok(depth) = value.trim().parse::<u32>() {
                            self.engine.setup.limits.depth = Some(depth.max(1));
                        }
                    }
                    _ => {}
                }
            }
            "move" => {
                if let Err(error) = self.engine.session.play(&read_move(rest)) {
                    say(out, &format!("status {error}"));
                }
            }
            "hint" => self.start(Purpose::Hint(rest.parse().unwrap_or(1)), out),
            "go" => self.start(Purpose::Go, out),
            "ping" => say(out, &format!("pong {rest}")),
            "learn" => say(out, "learned"),
            "analyze" => {
                say(out, "status Analyzing");
                let moves = self.engine.session.moves().len();
                self.next_analysis((0..=moves).rev().collect(), out);
            }
            "quit" => return Flow::Quit,
            _ => {}
        }
        Flow::Go
    }

    fn search(&mut self) -> Option<(&mut SearchTask, &mut Session)> {
        let (purpose, task) = self.thinking.as_mut()?;
        let session = match purpose {
            Purpose::Analyse { searching, .. } => searching,
            Purpose::Go | Purpose::Hint(_) => &mut self.engine.session,
        };
        Some((task, session))
    }

    fn finish(&mut self, answer: Result<Report<String>, SessionError>, out: &mut String) {
        let Some((purpose, task)) = self.thinking.take() else { return };
        match (purpose, answer) {
            (Purpose::Analyse { left, at, .. }, answer) => {
                if let Ok(report) = answer {
                    let value = f64::from(centipawns(report.value.for_player(report.turn))) / 100.0;
                    say(out, &format!("analysis {at} {value:.2}"));
                }
                self.next_analysis(left, out);
            }
            (_, Err(error)) => say(out, &format!("status {error}")),
            (Purpose::Go, Ok(report)) => {
                nodes(&report, out);
                let fallback = || self.engine.session.position().moves().into_iter().next();
                if let Some(best) = report.best.clone().or_else(fallback) {
                    let value = centipawns(report.value.for_player(report.turn));
                    let seconds = task.began().elapsed().as_secs_f64();
                    say(out, &format!("=== {}/{:.2}/{seconds:.2}", show_move(&best), f64::from(value) / 100.0));
                }
                say(out, "status");
            }
            (Purpose::Hint(count), Ok(report)) => {
                nodes(&report, out);
                hints(&report, count, out);
                say(out, "status");
            }
        }
    }

    fn attention(&self, arrival: Arrival<'_>) -> Attention {
        match arrival {
            // NBoard interrupts by `ping`, and by anything that changes the game.
            Arrival::Line(line) if !line.trim().is_empty() => Attention::Now,
            _ => Attention::Later,
        }
    }

    fn too_long(&mut self, _: &str, out: &mut String) {
        say(out, "status the line is too long");
    }

    fn failed(&mut self, out: &mut String) {
        self.stop();
        say(out, "status internal error");
    }
}

#[cfg(test)]
mod tests {
    use super::read_ggf;

    #[test]
    fn games_in_ggf() {
        let text = "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[chris]PW[engine]RE[?]TI[15:00]TY[8]\
                    BO[8 --*O---- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[F5//1.2]W[PA];)";
        let (board, moves) = read_ggf(text).expect("a game");
        assert_eq!(board.len(), 66);
        assert!(board.starts_with("..XO"));
        assert_eq!(moves, ["f5", "pass"]);
        for wrong in ["", "(;", "BO[", "BO[8 *]", "BO[6 ------]", "B[f5]"] {
            assert!(read_ggf(wrong).is_err(), "{wrong}");
        }
    }
}
