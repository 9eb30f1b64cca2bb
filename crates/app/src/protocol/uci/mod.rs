//! UCI and UCCI, the protocols of chess programs, for Chinese chess, Gomoku and tic-tac-toe.
//!
//! The two differ in details:
//!
//! | | UCI | UCCI |
//! |---|---|---|
//! | hello | `uci` … `uciok` | `ucci` … `ucciok` |
//! | options | `setoption name N value V` | `setoption N V` |
//! | ranks of Chinese chess | 1 to 10 | 0 to 9 |
//! | clocks | `wtime btime winc binc movestogo movetime` | `time increment movestogo` |
//! | unit of time | milliseconds | seconds, or milliseconds after `usemillisec` |
//! | stones | drops, `P@h8` | |
//! | no move | `bestmove (none)` | `nobestmove` |
//! | forbidden moves | | `banmoves` |
//! | goodbye | | `bye` |
//!
//! Scores are centipawns on the logistic scale of Elo (see `centipawns`), or `mate` where the
//! result is proved. `searchmoves` restricts the answer, not the search. The first player is White
//! (Red); in games where clients disagree about that, the shorter of the two clocks counts. Both
//! dialects read the clock words of both, UCI's always in milliseconds.
//!
//! | file | what is in it |
//! |---|---|
//! | `options.rs` | the greeting with its options, and `setoption` |
//! | `go.rs` | what a search may take |
//! | `answers.rs` | `info` and `bestmove` |
//! | `variants.rs` | games, stones and positions as clients write them |
//!
//! References: S. Meyer-Kahlen, *UCI*, 2004; Huang Chen, *UCCI 3.0*, 2008.

mod answers;
mod go;
mod options;
mod variants;

use super::engine::{Engine, changed};
use super::{Arrival, Attention, Flow, Protocol, SearchTask};
use std::time::Duration;
use tesuji_agents::{Notice, Session, SessionError};
use tesuji_core::Report;
use tesuji_core::spec::{Spec, SpecValue};

/// Which of the two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// The Universal Chess Interface.
    Uci,
    /// The Universal Chinese Chess Interface.
    Ucci,
}

/// A search under way.
struct Thinking {
    task: SearchTask,
    /// What it may take once the move it ponders on is played.
    ponder_allowance: Duration,
}

/// The UCI or UCCI side of an engine.
pub struct Uci {
    engine: Engine,
    dialect: Dialect,
    thinking: Option<Thinking>,
    /// How many lines to show.
    lines: usize,
    /// The agent that was asked for, while one that searches several lines stands in for it.
    asked: Option<Spec>,
    milliseconds: bool,
    banned: Vec<String>,
    /// The moves to choose from; none is all.
    only: Vec<String>,
    /// The last position could not be set up, so that no move can be answered.
    lost: bool,
}

impl Uci {
    /// The names of the games that are played over UCI.
    #[must_use]
    pub fn games() -> Vec<&'static str> {
        let played = tesuji_agents::games().iter().filter(|game| game.conventions.uci.is_some());
        played.map(|game| game.description.name).collect()
    }

    /// A UCI or UCCI engine.
    #[must_use]
    pub fn new(engine: Engine, dialect: Dialect) -> Uci {
        let mut uci = Uci {
            engine,
            dialect,
            thinking: None,
            lines: 1,
            asked: None,
            milliseconds: dialect == Dialect::Uci,
            banned: Vec::new(),
            only: Vec::new(),
            lost: false,
        };
        uci.number_ranks();
        uci
    }

    /// Has the game number its ranks as the dialect does.
    fn number_ranks(&mut self) {
        let word = if self.dialect == Dialect::Uci { "one" } else { "zero" };
        let mut spec = self.engine.session.game().clone();
        for argument in &mut spec.arguments {
            if argument.name == "ranks" {
                argument.value = SpecValue::Spec(Spec::bare(word));
            }
        }
        if spec != *self.engine.session.game() {
            // The same game with its ranks numbered otherwise exists.
            let _ = self.engine.restart(&spec);
        }
    }

    fn new_game(&mut self) {
        self.lost = false;
        self.engine.next_game();
        let spec = changed(self.engine.session.game(), &[]);
        let _ = self.restart(&spec);
        self.banned.clear();
    }

    /// Begins a game, with the agent that was asked for.
    fn restart(&mut self, game: &Spec) -> Result<(), SessionError> {
        if let Some(asked) = self.asked.take() {
            self.engine.session.change_agent(&asked)?;
        }
        self.engine.restart(game)
    }

    fn position(&mut self, words: &[&str], out: &mut String) {
        self.banned.clear();
        self.lost = true;
        let at = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
        let moves = words.get(at + 1..).unwrap_or_default();
        let game = self.engine.session.game();
        let spec = match words.first() {
            Some(&"startpos") => changed(game, &[]),
            Some(&"fen") => {
                let text = words[1..at].join(" ");
                let Some(uci) = self.engine.session.position().conventions().uci else {
                    return say(out, "info string this game is not played over UCI");
                };
                // Stones of other games are read as they stand in the position.
                changed(game, &[(uci.position, self.position_value(&text))])
            }
            _ => return say(out, "info string expected startpos or fen"),
        };
        let canonical = tesuji_agents::start_game_with(&spec, self.engine.session.access()).map(|game| game.spec);
        let spec = match canonical {
            Ok(spec) => spec,
            Err(error) => return say(out, &format!("info string {error}")),
        };
        // The same game with more moves: only those are played, and the agent keeps what it knows.
        let known = self.engine.session.moves();
        let goes_on = spec == *self.engine.session.game()
            && known.len() <= moves.len()
            && known.iter().zip(moves).all(|(ours, theirs)| ours.eq_ignore_ascii_case(self.native(theirs)));
        let mut played = known.len();
        if !goes_on {
            if let Err(error) = self.restart(&spec) {
                return say(out, &format!("info string {error}"));
            }
            played = 0;
        }
        for mv in &moves[played..] {
            let mv = self.native(mv);
            if let Err(error) = self.engine.session.play(mv) {
                return say(out, &format!("info string {error}"));
            }
        }
        self.lost = false;
    }

    /// Ends the search, if one runs, and answers with what it has found.
    fn take_answer(&mut self, out: &mut String) {
        if let Some(thinking) = self.thinking.take() {
            let answer = thinking.task.answer_now(&mut self.engine.session);
            self.answer(answer, out);
        }
    }

    fn answer(&mut self, answer: Result<Report<String>, SessionError>, out: &mut String) {
        match answer {
            Ok(report) => self.best_move(&report, out),
            Err(error) => {
                say(out, &format!("info string {error}"));
                self.no_move(out);
            }
        }
    }
}

/// One line.
fn say(out: &mut String, text: &str) {
    out.extend(text.chars().map(|c| if c.is_control() { ' ' } else { c }));
    out.push('\n');
}

impl Protocol for Uci {
    fn connect(&mut self, notice: Notice) {
        self.engine.connect(notice);
    }

    fn line(&mut self, line: &str, out: &mut String) -> Flow {
        let words: Vec<&str> =
            line.split(|c: char| c.is_whitespace() || c.is_control()).filter(|w| !w.is_empty()).collect();
        let Some((command, rest)) = words.split_first() else { return Flow::Go };
        match *command {
            "uci" if self.dialect == Dialect::Uci => self.hello(out),
            "ucci" if self.dialect == Dialect::Ucci => self.hello(out),
            "isready" => say(out, "readyok"),
            "quit" => {
                self.thinking = None;
                self.engine.session.abort();
                if self.dialect == Dialect::Ucci {
                    say(out, "bye");
                }
                return Flow::Quit;
            }
            "stop" => self.take_answer(out),
            "ponderhit" => {
                // The move that was pondered on was played: the clock runs from now.
                if let Some(thinking) = &mut self.thinking {
                    thinking.task.close_within(thinking.ponder_allowance);
                }
            }
            // These wait until a search has answered, and end one that answers only when asked.
            "position" | "go" | "ucinewgame" | "setoption" | "banmoves" => {
                self.take_answer(out);
                match *command {
                    "position" => self.position(rest, out),
                    "go" => self.go(rest, out),
                    "ucinewgame" => self.new_game(),
                    "setoption" => self.set_option(rest, out),
                    _ => self.banned = rest.iter().map(|mv| (*mv).to_string()).collect(),
                }
            }
            "probe" if self.dialect == Dialect::Ucci => say(out, "pophash"),
            "d" => {
                let position = self.engine.session.position();
                for row in position.view().to_string().lines().map(String::from).chain(position.setup_text()) {
                    say(out, &format!("info string {row}"));
                }
            }
            // Unknown words are skipped, as the protocols ask.
            _ => {}
        }
        Flow::Go
    }

    fn search(&mut self) -> Option<(&mut SearchTask, &mut Session)> {
        let thinking = self.thinking.as_mut()?;
        Some((&mut thinking.task, &mut self.engine.session))
    }

    fn update(&mut self, report: &Report<String>, out: &mut String) {
        self.info(report, out);
    }

    fn finish(&mut self, answer: Result<Report<String>, SessionError>, out: &mut String) {
        self.thinking = None;
        self.answer(answer, out);
    }

    fn attention(&self, arrival: Arrival<'_>) -> Attention {
        let is_open_ended = self.thinking.as_ref().is_some_and(|thinking| thinking.task.is_open_ended());
        match arrival {
            Arrival::Bytes => Attention::Later,
            Arrival::End => {
                if is_open_ended {
                    Attention::Now
                } else {
                    Attention::Later
                }
            }
            Arrival::Line(line) => match line.split_whitespace().next() {
                // A search that ends by itself is waited for.
                Some("position" | "go" | "ucinewgame" | "setoption" | "banmoves") if !is_open_ended => Attention::Later,
                Some("stop" | "ponderhit") => Attention::InTurn,
                _ => Attention::Now,
            },
        }
    }

    fn begins_search(&self, line: &str) -> bool {
        line.split_whitespace().next() == Some("go")
    }

    fn disturbed(&mut self, out: &mut String) {
        self.take_answer(out);
    }

    fn too_long(&mut self, _: &str, out: &mut String) {
        say(out, "info string the line is too long");
    }

    fn failed(&mut self, out: &mut String) {
        let was_thinking = self.thinking.take().is_some();
        self.engine.session.abort();
        say(out, "info string internal error");
        if was_thinking {
            self.no_move(out);
        }
    }
}
