//! GTP, the Go Text Protocol, version 2 (Farnebäck 2002), for every game.
//!
//! | file | what is in it |
//! |---|---|
//! | `commands.rs` | the list of commands, and those about the engine itself |
//! | `board.rs` | board, moves, handicap, scores |
//! | `rules.rs` | the rules of Go by name |
//! | `files.rs` | records in files |
//! | `job.rs` | what a search is for: a move, an analysis, HexGui's solver |
//! | `search.rs` | generating moves, analysing, clocks |
//! | `stream.rs` | what an analysis writes: `lz-`, `kata-` and `cgos-` dialects |
//! | `gogui.rs` | GoGui as the board of every game, and its display of search results |
//! | `halves.rs` | moves from one point to another, as GoGui plays them |
//!
//! **Answers.** `=id text` or `?id text`, then an empty line; ids are echoed on errors too; no
//! answer holds an empty line or a control character. **Colours.** Black is the first player, White
//! the second; in Chinese chess Black is Red. **Points.** As players of the game write them, until
//! GoGui asks for the rules (`gogui-rules_…`) or `tesuji-vertices go` is said: from then on as in
//! Go, whatever the game. **Turns.** Go and Hex let either colour move at any time (HexGui sets
//! positions up stone by stone); other games refuse a move out of turn.
//!
//! Reference: G. Farnebäck, *Specification of the Go Text Protocol, version 2, draft 2*, 2002; the
//! GTP pages of GoGui, Leela Zero, KataGo, KGS, CGOS and HexGui for their extensions.

mod board;
mod commands;
mod files;
mod gogui;
mod halves;
mod job;
mod rules;
mod search;
mod stream;

use super::{Arrival, Attention, Engine, Flow, Protocol, SearchTask, Vertices};
use halves::Picked;
use job::Job;
use std::io::Write;
use std::time::{Duration, Instant};
use tesuji_agents::{AnyPosition, Notice, Session, SessionError};
use tesuji_core::{Player, Report};

/// The number of Hex in game records (GM).
const HEX: u16 = 11;

/// What a command answers at once.
enum Reply {
    /// This text.
    Text(String),
    /// A search was begun; the answer comes with it.
    Begun,
    /// This text, and goodbye.
    Quit,
}

/// A command's answer, or why it is refused.
type Answer = Result<Reply, String>;

/// A finished search: its position and its report.
struct Thought {
    position: Box<dyn AnyPosition>,
    report: Report<String>,
}

/// The GTP side of an engine.
pub struct Gtp {
    engine: Engine,
    vertices: Vertices,
    /// The search under way, and what it is for.
    running: Option<(Job, SearchTask)>,
    /// How many steps the session had before each command that changed the board.
    marks: Vec<usize>,
    last: Option<Thought>,
    /// Time spent thinking.
    thinking: Duration,
    /// Whether to draw on GoGui's board while thinking.
    live_graphics: bool,
    /// When to draw there next.
    graphics_due: Instant,
    /// The id of the command being handled.
    id: String,
    /// Pondering is due.
    may_ponder: bool,
    /// In games of moving pieces that GoGui hosts: the piece that was picked.
    picked: Option<Picked>,
    /// A move that was answered and is not played yet, and the steps before its command.
    unplayed: Option<(String, usize)>,
    /// When the command being handled arrived: its clock runs from then.
    arrived: Instant,
    /// The sides that moves of this game were generated for.
    generated: [bool; 2],
    /// Who resigned, and how many steps the session had then.
    resigned: Option<(Player, usize)>,
}

impl Gtp {
    /// A GTP engine.
    #[must_use]
    pub fn new(engine: Engine, vertices: Vertices) -> Gtp {
        Gtp {
            engine,
            vertices,
            running: None,
            marks: Vec::new(),
            last: None,
            thinking: Duration::ZERO,
            live_graphics: false,
            graphics_due: Instant::now(),
            id: String::new(),
            may_ponder: false,
            picked: None,
            unplayed: None,
            arrived: Instant::now(),
            generated: [false; 2],
            resigned: None,
        }
    }

    fn position(&self) -> &dyn AnyPosition {
        self.engine.session.position()
    }

    /// The name of the game.
    fn game(&self) -> &str {
        &self.engine.session.game().name
    }

    /// Whether it is the game that HexGui plays, by its number in records.
    fn is_hex(&self) -> bool {
        self.position().record_number() == Some(HEX)
    }

    fn show(&self, mv: &str) -> String {
        self.show_at(self.position(), mv)
    }

    /// A legal move of a position of the game, as the other side writes it.
    fn show_at(&self, position: &dyn AnyPosition, mv: &str) -> String {
        match position.conventions().gtp_moves.iter().find(|(ours, _)| *ours == mv) {
            Some((_, theirs)) => (*theirs).into(),
            None => self.vertices.show(position, mv),
        }
    }
}

/// The id and the words of a line, without comments and control characters; nothing if none is
/// left.
fn parse(line: &str) -> Option<(String, Vec<String>)> {
    let line = line.split('#').next().unwrap_or_default();
    let clean = line.chars().map(|c| if c == '\t' { ' ' } else { c }).filter(|c| !c.is_control());
    let clean: String = clean.collect();
    let trimmed = clean.trim();
    let digits = trimmed.find(|c: char| !c.is_ascii_digit()).unwrap_or(trimmed.len());
    let (id, rest) = trimmed.split_at(digits);
    let words: Vec<String> = rest.split_whitespace().map(str::to_string).collect();
    if id.is_empty() && words.is_empty() { None } else { Some((id.to_string(), words)) }
}

/// Writes an answer without empty lines or control characters inside.
fn respond(out: &mut String, sign: char, id: &str, text: &str) {
    out.push(sign);
    out.push_str(id);
    out.push(' ');
    let mut first = true;
    for line in text.lines().map(str::trim_end) {
        if line.is_empty() && !first {
            continue;
        }
        if !first {
            out.push('\n');
        }
        first = false;
        out.extend(line.chars().filter(|c| !c.is_control()));
    }
    // No trailing blanks, and exactly one empty line.
    out.truncate(out.trim_end_matches(' ').len());
    out.push_str("\n\n");
}

/// A colour.
fn colour(word: Option<&&str>) -> Result<Player, String> {
    match word.map(|word| word.to_ascii_lowercase()).as_deref() {
        Some("b" | "black" | "red" | "r" | "x") => Ok(Player::First),
        Some("w" | "white" | "o") => Ok(Player::Second),
        _ => Err("expected a colour: black or white".into()),
    }
}

fn colour_name(player: Player) -> &'static str {
    match player {
        Player::First => "black",
        Player::Second => "white",
    }
}

fn number<T: std::str::FromStr>(word: Option<&&str>, expected: &str) -> Result<T, String> {
    word.and_then(|word| word.parse().ok()).ok_or_else(|| format!("expected {expected}"))
}

/// One short line, whatever went wrong.
fn refused(error: &SessionError) -> String {
    match error {
        SessionError::Failed(reason) => {
            // The other side cannot do anything about it; the log says what it was.
            let _ = writeln!(std::io::stderr(), "tesuji: internal error: {reason}");
            "internal error".into()
        }
        SessionError::Move(error) => format!("illegal move: {error}"),
        other => other.to_string(),
    }
}

fn text(text: impl Into<String>) -> Answer {
    Ok(Reply::Text(text.into()))
}

const NOTHING: Answer = Ok(Reply::Text(String::new()));

impl Protocol for Gtp {
    fn connect(&mut self, notice: Notice) {
        self.engine.connect(notice);
    }

    fn line(&mut self, line: &str, out: &mut String) -> Flow {
        self.arrived = Instant::now();
        self.settle();
        // Any line ends an analysis.
        self.end_analysis(out);
        let Some((id, words)) = parse(line) else { return Flow::Go };
        self.id = id;
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let Some((name, arguments)) = words.split_first() else {
            let id = self.id.clone();
            respond(out, '?', &id, "expected a command after the id");
            return Flow::Go;
        };
        let answer = self.run(name, arguments, out);
        let id = self.id.clone();
        match answer {
            Ok(Reply::Text(text)) => respond(out, '=', &id, &text),
            Ok(Reply::Begun) => {}
            Ok(Reply::Quit) => {
                respond(out, '=', &id, "");
                return Flow::Quit;
            }
            Err(reason) => respond(out, '?', &id, &reason),
        }
        Flow::Go
    }

    fn search(&mut self) -> Option<(&mut SearchTask, &mut Session)> {
        let (job, task) = self.running.as_mut()?;
        let session = match job {
            Job::Solve { solving, .. } => solving,
            Job::Generate(_) | Job::Analyse { .. } => &mut self.engine.session,
        };
        Some((task, session))
    }

    fn update(&mut self, report: &Report<String>, out: &mut String) {
        self.show_progress(report, out);
    }

    fn late(&mut self, report: Report<String>, out: &mut String) {
        self.answer_late(report, out);
    }

    fn finish(&mut self, answer: Result<Report<String>, SessionError>, out: &mut String) {
        self.end_search(answer, out);
    }

    fn proceed(&mut self, _: &mut String) {
        self.settle();
        self.ponder();
    }

    fn attention(&self, arrival: Arrival<'_>) -> Attention {
        match (&self.running, arrival) {
            // An analysis has no answer to wait for: the first byte ends it.
            (Some((_, task)), _) if task.is_open_ended() => Attention::Now,
            // How GoGui ends a search with its answer.
            (_, Arrival::Line(line)) if line.trim() == "# interrupt" => Attention::Interrupt,
            _ => Attention::Later,
        }
    }

    fn disturbed(&mut self, out: &mut String) {
        self.end_analysis(out);
    }

    fn is_goodbye(&self, line: &str) -> bool {
        parse(line).is_some_and(|(_, words)| words.first().is_some_and(|word| word == "quit"))
    }

    fn too_long(&mut self, beginning: &str, out: &mut String) {
        self.end_analysis(out);
        // The beginning may end within the id; a comment gets no answer, however long it is.
        let id = match parse(beginning) {
            Some((id, words)) if !words.is_empty() => id,
            None if beginning.contains('#') => return,
            _ => String::new(),
        };
        respond(out, '?', &id, "the line is too long");
    }

    fn failed(&mut self, out: &mut String) {
        // An analysis that had begun to answer ends with its empty line; anything else gets an
        // answer.
        let begun = self.running.take().is_some_and(|(job, _)| job.has_begun_to_answer());
        self.engine.session.abort();
        if begun {
            out.push('\n');
        } else {
            let id = self.id.clone();
            respond(out, '?', &id, "internal error");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{parse, respond};

    #[test]
    fn lines_are_cleaned() {
        assert_eq!(parse("# only a comment"), None);
        assert_eq!(parse(" \t\r"), None);
        let words = |list: &[&str]| list.iter().map(|word| (*word).to_string()).collect::<Vec<_>>();
        assert_eq!(parse("12\tplay  b \u{7}D4 # there\r"), Some(("12".into(), words(&["play", "b", "D4"]))));
        assert_eq!(parse("7"), Some(("7".into(), vec![])));
        assert_eq!(parse("name"), Some((String::new(), words(&["name"]))));
    }

    #[test]
    fn answers_hold_no_empty_line() {
        let mut out = String::new();
        respond(&mut out, '=', "3", "\na\n\n\u{1b}b\n");
        assert_eq!(out, "=3\na\nb\n\n".replace("=3\n", "=3 \n"));
        out.clear();
        respond(&mut out, '?', "", "");
        assert_eq!(out, "?\n\n");
    }
}
