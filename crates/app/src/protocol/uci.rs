//! UCI and UCCI: the chess world's protocols, for Chinese chess, Gomoku and tic-tac-toe.
//!
//! The two are one conversation with different words:
//!
//! | | UCI | UCCI |
//! |---|---|---|
//! | hello | `uci` … `uciok` | `ucci` … `ucciok` |
//! | options | `setoption name N value V` | `setoption N V` |
//! | ranks of Chinese chess | 1 to 10 | 0 to 9 |
//! | clocks | `wtime btime winc binc movestogo movetime` | `time increment movestogo` (seconds, or `usemillisec`) |
//! | no move | `bestmove (none)` | `nobestmove` |
//! | forbidden here | | `banmoves` |
//! | goodbye | | `bye` |
//!
//! Scores are hundredths of a pawn on the logistic scale of Elo (see `centipawns`), or `mate` where the result is
//! proved. `searchmoves` chooses among the moves of the report: the search itself looks at all. The first player is White (Red); in
//! games where it may be otherwise both clocks are minded.
//!
//! References: S. Meyer-Kahlen, *UCI*, 2004; Huang Chen, *UCCI 3.0*, 2008.

use super::engine::{Engine, centipawns, changed, line_of, ranked, winrate};
use super::{Arrival, Attention, Clock, Flow, Protocol, TimeControl};
use std::fmt::Write as _;
use std::time::{Duration, Instant};
use tesuji_core::spec::{Spec, SpecValue};
use tesuji_core::{Budget, Player, Report, Score};

/// Threads a client may ask for.
const MOST_THREADS: u32 = 512;
const SOON: Duration = Duration::from_millis(2);
/// How often a search says how it goes.
const INFO_PACE: Duration = Duration::from_millis(500);

/// Which of the two.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// The Universal Chess Interface.
    Uci,
    /// The Universal Chinese Chess Interface.
    Ucci,
}

struct Thinking {
    began: Instant,
    next_info: Instant,
    /// Ends only when asked: what it found waits here.
    open_ended: bool,
    found: Option<Report<String>>,
    /// What it may take once the move it ponders on is played.
    allowance: Duration,
    /// When to ask it for its answer.
    deadline: Option<Instant>,
}

/// The UCI or UCCI side of an engine.
pub struct Uci {
    engine: Engine,
    dialect: Dialect,
    thinking: Option<Thinking>,
    lines: usize,
    milliseconds: bool,
    banned: Vec<String>,
    /// The moves to choose from; none is all.
    only: Vec<String>,
    /// The last position could not be set up: any move would be for another one.
    lost: bool,
}

impl Uci {
    /// The games that are played over UCI.
    pub const GAMES: &'static [&'static str] = &["xiangqi", "gomoku", "tictactoe", "mnk"];

    /// A UCI or UCCI engine.
    #[must_use]
    pub fn new(engine: Engine, dialect: Dialect) -> Uci {
        let mut uci = Uci {
            engine,
            dialect,
            thinking: None,
            lines: 1,
            milliseconds: dialect == Dialect::Uci,
            banned: Vec::new(),
            only: Vec::new(),
            lost: false,
        };
        let spec = uci.with_ranks(uci.engine.session.game().clone());
        if spec != *uci.engine.session.game() {
            // The same game with its ranks numbered otherwise: it exists.
            let _ = uci.engine.restart(&spec);
        }
        uci
    }

    /// Ranks as the dialect numbers them.
    fn with_ranks(&self, mut spec: Spec) -> Spec {
        let word = if self.dialect == Dialect::Uci { "one" } else { "zero" };
        for argument in &mut spec.arguments {
            if argument.name == "ranks" {
                argument.value = SpecValue::Spec(Spec::bare(word));
            }
        }
        spec
    }

    fn hello(&self, out: &mut String) {
        let agent = self.engine.session.agent();
        say(out, &format!("id name tesuji {}", env!("CARGO_PKG_VERSION")));
        say(out, "id author the tesuji project");
        let memory = (self.engine.setup.limits.memory.unwrap_or(1 << 30) >> 20).max(1);
        match self.dialect {
            Dialect::Uci => {
                say(out, &format!("option name Hash type spin default {memory} min 1 max 1048576"));
                say(out, &format!("option name Threads type spin default 1 min 1 max {MOST_THREADS}"));
                say(out, "option name MultiPV type spin default 1 min 1 max 500");
                let game = &self.engine.session.game().name;
                let games: Vec<String> = Uci::GAMES.iter().map(|name| format!("var {name}")).collect();
                say(out, &format!("option name UCI_Variant type combo default {game} {}", games.join(" ")));
                say(out, &format!("option name Agent type string default {agent}"));
                say(out, "uciok");
            }
            Dialect::Ucci => {
                say(out, "option usemillisec type check default false");
                say(out, &format!("option hashsize type spin min 1 max 1048576 default {memory}"));
                say(out, &format!("option threads type spin min 1 max {MOST_THREADS} default 1"));
                say(out, "option batch type check default false");
                say(out, "option debug type check default false");
                say(out, "option newgame type button");
                say(out, "ucciok");
            }
        }
    }

    fn set_option(&mut self, words: &[&str], out: &mut String) {
        let (name, value) = match self.dialect {
            Dialect::Uci => {
                let at = words.iter().position(|word| *word == "value").unwrap_or(words.len());
                let name = words[..at].iter().skip(1).copied().collect::<Vec<_>>().join(" ");
                (name, words.get(at + 1..).unwrap_or_default().join(" "))
            }
            Dialect::Ucci => {
                (words.first().copied().unwrap_or_default().to_string(), words.get(1..).unwrap_or_default().join(" "))
            }
        };
        let truth = ["true", "on", "1"].contains(&value.as_str());
        match name.to_ascii_lowercase().as_str() {
            "hash" | "hashsize" => {
                if let Ok(megabytes) = value.parse::<u64>() {
                    self.engine.set_memory(Some(megabytes.saturating_mul(1 << 20)));
                }
            }
            "threads" => {
                if let Ok(threads) = value.parse::<u32>() {
                    self.engine.set_threads(threads.min(MOST_THREADS));
                }
            }
            "multipv" => self.lines = value.parse().unwrap_or(1).clamp(1, 500),
            "usemillisec" => self.milliseconds = truth,
            "newgame" => self.new_game(),
            "uci_variant" => {
                let known = Uci::GAMES.contains(&value.as_str());
                if !known || self.engine.restart(&Spec::bare(value)).is_err() {
                    return say(out, "info string there is no such variant");
                }
                let spec = self.with_ranks(self.engine.session.game().clone());
                let _ = self.engine.restart(&spec);
                self.lost = false;
            }
            "agent" => {
                let changed = value
                    .parse::<Spec>()
                    .map_err(|error| error.to_string())
                    .and_then(|spec| self.engine.session.change_agent(&spec).map_err(|error| error.to_string()));
                if let Err(reason) = changed {
                    say(out, &format!("info string {reason}"));
                }
            }
            _ => {}
        }
    }

    fn new_game(&mut self) {
        self.lost = false;
        let spec = changed(self.engine.session.game(), &[]);
        let _ = self.engine.restart(&spec);
        self.banned.clear();
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
                let name = if game.name == "xiangqi" { "fen" } else { "position" };
                // Chess programs write stones of other games as FEN does; ours are read as they stand.
                changed(game, &[(name, SpecValue::Text(text))])
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
            && known.iter().zip(moves).all(|(ours, theirs)| ours.eq_ignore_ascii_case(theirs));
        let mut played = known.len();
        if !goes_on {
            if let Err(error) = self.engine.restart(&spec) {
                return say(out, &format!("info string {error}"));
            }
            played = 0;
        }
        for mv in &moves[played..] {
            if let Err(error) = self.engine.session.play(mv) {
                return say(out, &format!("info string {error}"));
            }
        }
        self.lost = false;
    }

    fn go(&mut self, words: &[&str], out: &mut String) {
        if self.lost {
            say(out, "info string the position could not be set up");
            return self.no_move(out);
        }
        self.only.clear();
        let legal = self.engine.session.position().moves();
        let mut numbers: [Option<f64>; 9] = [None; 9];
        const NAMES: [&str; 9] =
            ["wtime", "btime", "winc", "binc", "movestogo", "movetime", "time", "increment", "opptime"];
        const OTHERS: [&str; 6] = ["infinite", "ponder", "depth", "nodes", "mate", "searchmoves"];
        let mut budget = self.engine.endless();
        let mut limited = false;
        let mut open_ended = false;
        let mut words = words.iter().peekable();
        while let Some(word) = words.next() {
            if let Some(index) = NAMES.iter().position(|name| name == word) {
                // "nan" reads as a number, and is none.
                numbers[index] =
                    words.next().and_then(|number| number.parse().ok()).filter(|number: &f64| !number.is_nan());
                continue;
            }
            match *word {
                "infinite" | "ponder" => open_ended = true,
                "depth" => match words.next() {
                    Some(&"infinite") => open_ended = true,
                    Some(number) => {
                        if let Ok(depth) = number.parse::<u32>() {
                            // Searches without depth would not end: the usual limits hold too.
                            let (depth, nodes) = (Some(depth.max(1)), budget.nodes);
                            budget = Budget { depth, nodes, ..self.engine.setup.limits.clone() };
                            limited = true;
                        }
                    }
                    None => {}
                },
                "nodes" => {
                    budget.nodes = words.next().and_then(|number| number.parse().ok());
                    limited |= budget.nodes.is_some();
                }
                "searchmoves" => {
                    // Up to the next word of the protocol; if none of them is legal, all moves are meant.
                    while let Some(word) = words.next_if(|word| !NAMES.contains(word) && !OTHERS.contains(word)) {
                        self.only.extend(legal.iter().find(|mv| mv.eq_ignore_ascii_case(word)).cloned());
                    }
                }
                _ => {}
            }
        }
        let [wtime, btime, winc, binc, togo, movetime, time, increment, _] = numbers;
        let unit = if self.milliseconds { 1e-3 } else { 1.0 };
        let duration = |number: f64| Duration::from_secs_f64((number * unit).clamp(0.0, 1e7));
        let player = self.engine.session.position().turn();
        let is_chess = self.engine.session.game().name == "xiangqi";
        let of_player = |white: Option<f64>, black: Option<f64>| match (is_chess, player, white, black) {
            (true, Player::First, white, _) => white,
            (true, Player::Second, _, black) => black,
            (false, _, Some(white), Some(black)) => Some(white.min(black)),
            (false, _, white, black) => white.or(black),
        };
        let left = time.or_else(|| of_player(wtime, btime));
        let increment = increment.or_else(|| of_player(winc, binc)).map_or(Duration::ZERO, duration);
        if let Some(movetime) = movetime {
            let clock = Clock::new(TimeControl::PerMove(duration(movetime)));
            self.limit(&mut budget, clock, player, 1);
            limited = true;
        } else if let Some(left) = left {
            let clock = Clock::new(TimeControl::Fischer { main: duration(left), increment });
            let moves = togo.map_or(40, |moves| moves.clamp(1.0, 200.0) as u32);
            self.limit(&mut budget, clock, player, moves);
            limited = true;
        }
        if !limited && !open_ended {
            budget = self.engine.setup.limits.clone();
        }
        let allowance = budget.hard_time.unwrap_or(Duration::from_secs(1));
        if open_ended {
            budget = self.engine.endless();
        }
        match self.engine.start(&budget) {
            Ok(()) => {
                let began = Instant::now();
                let next_info = began + INFO_PACE;
                self.thinking = Some(Thinking { began, next_info, open_ended, found: None, allowance, deadline: None });
            }
            Err(_) => self.no_move(out),
        }
    }

    fn limit(&self, budget: &mut Budget, clock: Clock, player: Player, moves: u32) {
        if let Some(time) = clock.allowance(player, moves) {
            *budget = Budget { nodes: budget.nodes, depth: budget.depth, ..self.engine.budget_of(time) };
        }
    }

    fn no_move(&self, out: &mut String) {
        say(out, if self.dialect == Dialect::Uci { "bestmove (none)" } else { "nobestmove" });
    }

    /// Whether this move may be answered.
    fn allows(&self, mv: &String) -> bool {
        !self.banned.contains(mv) && (self.only.is_empty() || self.only.contains(mv))
    }

    fn info(&self, report: &Report<String>, out: &mut String) {
        let milliseconds = report.elapsed.as_millis();
        let speed = (report.nodes as f64 / report.elapsed.as_secs_f64().max(1e-3)) as u64;
        let ranked = ranked(report).into_iter().filter(|entry| self.allows(&entry.mv));
        for (number, entry) in ranked.take(self.lines).enumerate() {
            let known = if entry.line.is_empty() { &report.line } else { &entry.line };
            let score = match entry.bounds.for_player(report.turn) {
                // How far away a proved end is, is not known here: the length of the line is a bound for us to show.
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

    fn finish(&mut self, report: &Report<String>, out: &mut String) {
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

    /// Takes the answer of a search that has ended, or is made to.
    fn take_answer(&mut self, out: &mut String) {
        let Some(thinking) = self.thinking.take() else { return };
        let answer = match thinking.found {
            Some(report) => Ok(report),
            // A search takes its time to put a large tree away; nobody waits for that.
            None => match self.engine.session.snapshot() {
                Some(report) => {
                    self.engine.session.hurry();
                    Ok(report)
                }
                None => self.engine.session.stop(),
            },
        };
        match answer {
            Ok(report) => self.finish(&report, out),
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
                // The move we thought about was played: the clock runs from now.
                if let Some(thinking) = &mut self.thinking {
                    thinking.open_ended = false;
                    thinking.deadline = Some(Instant::now() + thinking.allowance);
                }
            }
            // What changes the game waits until the search has answered, and ends one that would not.
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
                for row in self.engine.session.position().view().to_string().lines() {
                    say(out, &format!("info string {row}"));
                }
            }
            // Unknown words are skipped, as the protocols ask.
            _ => {}
        }
        Flow::Go
    }

    fn poll(&mut self, out: &mut String) -> Option<Duration> {
        let now = Instant::now();
        let thinking = self.thinking.as_mut()?;
        if thinking.found.is_none() && !self.engine.session.is_thinking() {
            match self.engine.session.wait() {
                Ok(report) => thinking.found = Some(report),
                Err(error) => {
                    say(out, &format!("info string {error}"));
                    self.thinking = None;
                    self.no_move(out);
                    return None;
                }
            }
        }
        if thinking.found.is_some() {
            if thinking.open_ended {
                return Some(INFO_PACE);
            }
            self.take_answer(out);
            return None;
        }
        if thinking.deadline.is_some_and(|deadline| now >= deadline) {
            self.engine.session.hurry();
        }
        let due = now >= thinking.next_info;
        if due {
            thinking.next_info = now + INFO_PACE;
            if let Some(report) = self.engine.session.snapshot() {
                self.info(&report, out);
            }
        }
        Some(SOON)
    }

    fn attention(&self, arrival: Arrival<'_>) -> Attention {
        let Some(thinking) = &self.thinking else { return Attention::Now };
        match arrival {
            Arrival::Bytes => Attention::Later,
            Arrival::End => {
                if thinking.open_ended {
                    Attention::Now
                } else {
                    Attention::Later
                }
            }
            Arrival::Line(line) => match line.split_whitespace().next() {
                // A search that ends by itself is waited for.
                Some("position" | "go" | "ucinewgame" | "setoption" | "banmoves") if !thinking.open_ended => {
                    Attention::Later
                }
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

    fn hurry(&mut self, since: Instant) {
        if self.thinking.as_ref().is_some_and(|thinking| self.engine.setup.is_overdue(thinking.began, since)) {
            self.engine.session.hurry();
        }
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
