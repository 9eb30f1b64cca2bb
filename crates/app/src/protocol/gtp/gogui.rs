//! GoGui as the board of every game (`gogui-rules_…`), its analyze commands, and its graphics.
//!
//! GoGui knows the board of Go; an engine tells it the rules of another game: which points exist,
//! which moves are legal, which side is to move. From the first such question on, points are
//! written as in Go, and moves from one point to another (Chinese chess) are played in two halves
//! (`halves.rs`). GoGui shows the values, visits, priors and proofs of the last search as boards of
//! numbers and labels, its line as a variation, and the settings of the engine as a dialogue.
//!
//! Reference: GoGui's manual, chapters "Rules", "Analyze commands", "Live graphics" (version 1.6).

use super::job::Job;
use super::{Answer, Gtp, NOTHING, Reply, Thought, colour, text};
use crate::protocol::Vertices;
use crate::ranking::{ranked, winrate};
use std::fmt::Write as _;
use std::io::Write as _;
use tesuji_agents::{AnyPosition, SessionError};
use tesuji_core::spec::Spec;
use tesuji_core::{BoardShape, BoardView, Bounds, Player, Report, RootMove, Score, Seed};

/// Nodes after which the solver behind HexGui's button gives up.
const SOLVER_NODES: u64 = 20_000_000;

fn letter(player: Player) -> char {
    match player {
        Player::First => 'X',
        Player::Second => 'O',
    }
}

fn initial(player: Player) -> char {
    match player {
        Player::First => 'b',
        Player::Second => 'w',
    }
}

impl Gtp {
    /// GoGui writes points as in Go.
    fn hosted(&mut self) -> BoardView {
        self.vertices = Vertices::Go;
        self.position().view()
    }

    pub(super) fn rules_game_id(&mut self) -> Answer {
        self.hosted();
        let mut name = self.game().to_string();
        if let Some(first) = name.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        text(name)
    }

    pub(super) fn rules_board(&mut self) -> Answer {
        let view = self.hosted();
        let rows = view.points.chunks(view.columns.len().max(1)).map(|row| {
            let cells: Vec<String> =
                row.iter().map(|point| point.map_or('.', |piece| letter(piece.owner)).to_string()).collect();
            cells.join(" ")
        });
        text(rows.collect::<Vec<_>>().join("\n"))
    }

    pub(super) fn rules_board_size(&mut self) -> Answer {
        let view = self.hosted();
        let (columns, rows) = (view.columns.len(), view.rows.len());
        let size = if columns == rows { columns.to_string() } else { format!("{columns} {rows}") };
        text(if view.shape == BoardShape::Hexagons { format!("{size} hex") } else { size })
    }

    /// What stones cannot say: the letters of chess men.
    pub(super) fn rules_board_graphics(&mut self) -> Answer {
        let view = self.hosted();
        let columns = view.columns.len().max(1);
        let mut labels = String::new();
        for (number, piece) in view.points.iter().enumerate() {
            if let Some(piece) = piece.filter(|piece| !['X', 'O'].contains(&piece.letter)) {
                let name = crate::protocol::moves::go_name(number % columns, number / columns, view.rows.len());
                let _ = write!(labels, " {name} {}", piece.letter);
            }
        }
        let mut graphics = if labels.is_empty() { String::new() } else { format!("LABEL{labels}") };
        if let Some(name) = self.picked_name() {
            let _ = write!(graphics, "\nSQUARE {name}");
        }
        text(graphics)
    }

    pub(super) fn rules_legal_moves(&mut self) -> Answer {
        self.hosted();
        if self.in_halves() {
            return text(self.half_moves().join(" "));
        }
        let position = self.position();
        // GoGui has no word for anything but points and passes (Hex with GoGui is played without
        // the swap).
        let has_place = |mv: &String| position.place_of(mv).is_some() || mv == "pass";
        let moves = position.moves().into_iter().filter(has_place);
        text(moves.map(|mv| self.vertices.show(position, &mv)).collect::<Vec<_>>().join(" "))
    }

    pub(super) fn rules_side_to_move(&mut self) -> Answer {
        self.hosted();
        text(super::colour_name(self.position().turn()))
    }

    pub(super) fn rules_final_result(&mut self) -> Answer {
        self.hosted();
        text(match self.position().outcome() {
            None => "The game has not ended".to_string(),
            Some(outcome) => {
                let result = self.result(outcome);
                match outcome.winner() {
                    Some(Player::First) => format!("Black wins: {result}"),
                    Some(Player::Second) => format!("White wins: {result}"),
                    None => "Draw".into(),
                }
            }
        })
    }

    pub(super) fn rules_captured_count(&mut self) -> Answer {
        self.hosted();
        text("0 0")
    }

    pub(super) fn analyze_commands(&self) -> String {
        let mut lines = vec![
            "dboard/Values/tesuji-values",
            "sboard/Visits/tesuji-visits",
            "sboard/Proved/tesuji-proved",
            "sboard/Proof numbers and notes/tesuji-notes",
            "sboard/Priors/tesuji-priors",
            "var/Principal variation/tesuji-line",
            "gfx/Search/tesuji-gfx",
            "hstring/Explain last move/gomill-explain_last_move",
            "hstring/Engine/gomill-describe_engine",
            "param/Settings/tesuji-param",
            "none/Forget what was searched/clear_cache",
        ];
        if self.position().komi().is_some() {
            lines.extend([
                "dboard/Ownership/tesuji-ownership",
                "plist/Dead stones/final_status_list dead",
                "string/Score/final_score",
            ]);
        }
        if self.is_hex() {
            lines.push("string/Solve/dfpn-solve-state %c");
        }
        if self.position().view().shape == BoardShape::Text {
            lines.retain(|line| !["dboard", "sboard", "gfx"].iter().any(|kind| line.starts_with(kind)));
        }
        lines.join("\n")
    }

    fn last(&self) -> Result<&Thought, String> {
        self.last.as_ref().ok_or_else(|| "nothing was searched yet".into())
    }

    /// A board of cells, row by row, each made from the root move on its point.
    fn cells(&self, empty: &str, cell: impl Fn(&RootMove<String>) -> Option<String>) -> Answer {
        let thought = self.last()?;
        let (report, position) = (&thought.report, thought.position.as_ref());
        let view = position.view();
        let columns = view.columns.len().max(1);
        let mut cells = vec![empty.to_string(); view.points.len()];
        for entry in &report.root {
            if let (Some((column, row)), Some(label)) = (position.place_of(&entry.mv), cell(entry))
                && let Some(slot) = cells.get_mut(row * columns + column)
            {
                *slot = label;
            }
        }
        text(cells.chunks(columns).map(|row| row.join(" ")).collect::<Vec<_>>().join("\n"))
    }

    /// From −1, bad for the side to move, to 1, good.
    pub(super) fn board_of_values(&self) -> Answer {
        let turn = self.last()?.report.turn;
        self.cells("0", |entry| entry.value.map(|_| format!("{:.3}", 2.0 * winrate(entry, turn) - 1.0)))
    }

    pub(super) fn board_of_labels(&self, label: impl Fn(&RootMove<String>) -> Option<String>) -> Answer {
        // A label is one word.
        let word =
            |label: String| label.chars().filter(|c| !c.is_whitespace() && !c.is_control() && *c != '"').collect();
        self.cells("\"\"", |entry| label(entry).map(word).filter(|label: &String| !label.is_empty()))
    }

    pub(super) fn board_of_proofs(&self) -> Answer {
        let turn = self.last()?.report.turn;
        self.board_of_labels(|entry| match entry.bounds.for_player(turn) {
            _ if entry.bounds == Bounds::UNKNOWN => None,
            (Score::WIN, _) => Some("won".into()),
            (_, Score::LOSS) => Some("lost".into()),
            (low, high) if low == high => Some(format!("{low}")),
            (low, high) => Some(format!("{low}-{high}")),
        })
    }

    pub(super) fn board_of_ownership(&self) -> Answer {
        let Some(judgement) = self.position().judge(Seed(1)) else { return Err("cannot judge".into()) };
        let columns = self.position().view().columns.len().max(1);
        let row = |row: &[f64]| row.iter().map(|owner| format!("{owner:.2}")).collect::<Vec<_>>().join(" ");
        text(judgement.ownership.chunks(columns).map(row).collect::<Vec<_>>().join("\n"))
    }

    pub(super) fn line_so_far(&self) -> Answer {
        let thought = self.last()?;
        text(self.vertices.show_line(thought.position.as_ref(), &thought.report.line).join(" "))
    }

    pub(super) fn graphics(&self) -> Answer {
        let thought = self.last()?;
        text(graphics(thought.position.as_ref(), &thought.report, self.vertices))
    }

    pub(super) fn explain(&self) -> Answer {
        let thought = self.last()?;
        let (report, position) = (&thought.report, thought.position.as_ref());
        let best = report.best.as_deref().map_or("resigns".into(), |best| self.vertices.show(position, best));
        let mut words = format!(
            "{best}: value {:.4}, {} iterations, {} nodes, {:.2} s, ended by {}; line {}",
            report.value.for_player(report.turn),
            report.iterations,
            report.nodes,
            report.elapsed.as_secs_f64(),
            report.stopped.name(),
            self.vertices.show_line(position, &report.line).join(" "),
        );
        for entry in ranked(report).into_iter().take(5) {
            let shown = self.vertices.show(position, &entry.mv);
            let note = entry.note.as_deref().unwrap_or_default();
            let _ = write!(words, "\n{shown} visits {} value {:.4} {note}", entry.visits, winrate(entry, report.turn));
        }
        text(words)
    }

    /// HexGui tells its solver how to draw; only `use_guifx` has an effect.
    pub(super) fn solver_parameters(&mut self, words: &[&str]) -> Answer {
        if let ["use_guifx", switch] = words {
            self.live_graphics = *switch == "1";
        }
        NOTHING
    }

    /// HexGui's Solve button: who wins, if this colour moves.
    pub(super) fn solve_state(&mut self, words: &[&str]) -> Answer {
        let player = colour(words.first())?;
        if let Some(winner) = self.position().outcome().and_then(|outcome| outcome.winner()) {
            return text(super::colour_name(winner));
        }
        let seen = self.seen_by(player).ok_or("this colour cannot move")?;
        let solver = Spec::bare(self.position().solver());
        let started = self.engine.other_session(self.engine.session.game(), &solver).and_then(|mut solving| {
            solving.set(seen)?;
            let mut budget = self.engine.endless();
            budget.nodes = Some(SOLVER_NODES);
            budget.hard_time = self.engine.setup.limits.hard_time;
            solving.start(&budget, self.engine.setup.seed)?;
            Ok(solving)
        });
        let solving = started.map_err(|error| super::refused(&error))?;
        let task = self.engine.task(self.arrived).with_updates(self.graphics_updates());
        self.begin(Job::Solve { id: self.id.clone(), solving: Box::new(solving) }, task);
        Ok(Reply::Begun)
    }

    /// The solver has answered.
    pub(super) fn solved(&mut self, id: &str, answer: Result<Report<String>, SessionError>, out: &mut String) {
        match answer {
            Ok(report) => {
                let proved = report.bounds.proved().and_then(Score::winner);
                self.last = Some(Thought { position: self.position().boxed_clone(), report });
                super::respond(out, '=', id, proved.map_or("unknown", super::colour_name));
            }
            Err(error) => super::respond(out, '?', id, &super::refused(&error)),
        }
    }
}

/// The search as GoGui draws it: the best line, influence by value, labels by visits.
fn graphics(position: &dyn AnyPosition, report: &Report<String>, vertices: Vertices) -> String {
    let mut at = position.boxed_clone();
    let mut variation = String::from("VAR");
    for mv in &report.line {
        let _ = write!(variation, " {} {}", initial(at.turn()), vertices.show(at.as_ref(), mv));
        if at.play(mv).is_err() {
            break;
        }
    }
    let (mut influence, mut labels) = (String::from("INFLUENCE"), String::from("LABEL"));
    for entry in ranked(report).into_iter().filter(|entry| position.place_of(&entry.mv).is_some()) {
        let shown = vertices.show(position, &entry.mv);
        let _ = write!(influence, " {shown} {:.2}", 2.0 * winrate(entry, report.turn) - 1.0);
        let _ = write!(labels, " {shown} {}", entry.visits);
    }
    let status = format!(
        "TEXT {} iterations, {} nodes, value {:.3}",
        report.iterations,
        report.nodes,
        report.value.for_player(report.turn)
    );
    [variation, influence, labels, status].into_iter().filter(|line| line.contains(' ')).collect::<Vec<_>>().join("\n")
}

/// Live graphics go to the error stream, where GoGui looks for them.
pub(super) fn draw_live(position: &dyn AnyPosition, report: &Report<String>, vertices: Vertices) {
    // If the error stream is closed, nothing is lost.
    let _ = write!(std::io::stderr(), "gogui-gfx:\n{}\n\n", graphics(position, report, vertices));
}

/// A running solver, as HexGui draws it: the line with its colours, and the note of the search
/// (proof numbers) on each point. HexGui reads it between the answers, not from the error stream.
pub(super) fn draw_solver(position: &dyn AnyPosition, report: &Report<String>, vertices: Vertices, out: &mut String) {
    let mut at = position.boxed_clone();
    let mut variation = String::from("VAR");
    for mv in &report.line {
        let shown = vertices.show(at.as_ref(), mv);
        let _ = write!(variation, " {} {shown}", initial(at.turn()).to_ascii_uppercase());
        if at.play(mv).is_err() {
            break;
        }
    }
    let mut labels = String::from("LABEL");
    for entry in report.root.iter().filter(|entry| position.place_of(&entry.mv).is_some()) {
        let note: String = entry.note.iter().flat_map(|note| note.chars()).filter(|c| !c.is_whitespace()).collect();
        let note = match entry.bounds.for_player(report.turn) {
            (Score::WIN, _) => "W".into(),
            (_, Score::LOSS) => "L".into(),
            _ if note.is_empty() => entry.visits.to_string(),
            _ => note,
        };
        let _ = write!(labels, " {} {note}", vertices.show(position, &entry.mv));
    }
    let _ = write!(out, "gogui-gfx:\ndfpn\n{variation}\n{labels}\nTEXT {} nodes\n\n", report.nodes);
}
