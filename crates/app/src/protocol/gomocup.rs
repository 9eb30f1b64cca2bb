//! The protocol of Gomocup and Piskvork, for Gomoku and renju.
//!
//! The manager says `START`, `TURN x,y`, `BOARD` …; the engine answers with points counted from 0.
//! `INFO` gets no answer, and an unknown command is answered `UNKNOWN`. Rules: 1 is exactly five, 4
//! is renju, neither is freestyle; continuous games (2) need nothing, caro (8) is not played. Time:
//! a move gets the lesser of `timeout_turn` and a share of what is left of the match. Memory:
//! `max_memory` is for the whole process; trees get three quarters of it.
//!
//! Reference: P. Laštovička, *Piskvork: protocol between the manager and an AI*, with swap2 and
//! 64-bit memory.

use super::engine::{Engine, changed};
use super::{Arrival, Attention, Clock, Flow, Protocol, SearchTask, TimeControl};
use std::time::Duration;
use tesuji_agents::{Notice, Session, SessionError};
use tesuji_core::spec::{Spec, SpecValue};
use tesuji_core::{Budget, Player, Report};

/// "As fast as possible" still gives a few thousand playouts.
const FASTEST: Duration = Duration::from_millis(30);

/// Stones in one list.
const MOST_STONES: usize = 10_000;

/// What the search is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Move,
    /// Swap2: take the other colour if it is better.
    Choose,
}

/// Which list is being read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum List {
    Board,
    Swap2,
}

/// A stone of a list: column, row, and owner (1 this engine, 2 the opponent, 3 part of a winning
/// row).
type Stone = (usize, usize, u8);

/// The Gomocup side of an engine.
pub struct Gomocup {
    engine: Engine,
    thinking: Option<(Purpose, SearchTask)>,
    /// A list that has not ended, or what is wrong with it.
    list: Option<(List, Result<Vec<Stone>, String>)>,
    turn_limit: Option<Duration>,
    rule: &'static str,
    started: bool,
}

fn pair(text: &str) -> Option<(usize, usize)> {
    let (x, y) = text.trim().split_once(',')?;
    Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
}

impl Gomocup {
    /// A Gomocup engine; the game is Gomoku.
    #[must_use]
    pub fn new(engine: Engine) -> Gomocup {
        let word = |spec: &Spec| -> &'static str {
            let rule =
                spec.arguments.iter().find(|argument| argument.name == "rule").map(|rule| rule.value.to_string());
            match rule.as_deref() {
                Some("renju") => "renju",
                Some("standard") => "standard",
                _ => "freestyle",
            }
        };
        let rule = word(engine.session.game());
        Gomocup { engine, thinking: None, list: None, turn_limit: None, rule, started: false }
    }

    fn begin(&mut self, size: usize) -> Result<(), String> {
        let size = SpecValue::Integer(i64::try_from(size).map_err(|_| "unsupported size")?);
        let rule = SpecValue::Spec(Spec::bare(self.rule));
        let spec = changed(self.engine.session.game(), &[("size", size), ("rule", rule)]);
        let clock = self.engine.clock;
        self.engine.restart(&spec).map_err(|_| "unsupported size or rule".to_string())?;
        self.engine.clock = clock;
        self.started = true;
        Ok(())
    }

    /// The manager begins another game of the run.
    fn begin_next(&mut self, size: usize) -> Result<Option<String>, String> {
        self.begin(size)?;
        self.engine.next_game();
        Ok(Some("OK".into()))
    }

    fn size(&self) -> usize {
        self.engine.session.position().view().rows.len()
    }

    fn on_board(&self, column: usize, row: usize) -> Result<(), String> {
        let size = self.size();
        if column.max(row) < size {
            Ok(())
        } else {
            Err(format!("the point {column},{row} is off the board of {size}"))
        }
    }

    /// A line of a list: `x,y,who`, or `x,y` where the order says who.
    fn stone(&self, list: List, line: &str) -> Result<Stone, String> {
        let expected = if list == List::Board { "expected x,y,who or DONE" } else { "expected x,y or DONE" };
        let numbers: Option<Vec<usize>> = line.split(',').map(|number| number.trim().parse().ok()).collect();
        let (column, row, who) = match (numbers.as_deref(), list) {
            (Some(&[column, row, who]), _) => (column, row, who),
            (Some(&[column, row]), List::Swap2) => (column, row, 1),
            _ => return Err(expected.into()),
        };
        self.on_board(column, row)?;
        match who {
            1..=3 => Ok((column, row, who as u8)),
            _ => Err(format!("a stone of {who}: expected 1 (own), 2 (other) or 3 (won)")),
        }
    }

    fn play(&mut self, column: usize, row: usize) -> Result<String, String> {
        let position = self.engine.session.position();
        if position.outcome().is_some() {
            return Err("the game is over".into());
        }
        self.on_board(column, row)?;
        let mv =
            position.move_on(column, row).ok_or_else(|| format!("the point {column},{row} is taken or forbidden"))?;
        self.engine.session.play(&mv).map_err(|error| error.to_string())?;
        Ok(format!("{column},{row}"))
    }

    fn think(&mut self, purpose: Purpose, out: &mut String) {
        let budget = self.budget();
        match self.engine.start(&budget) {
            Ok(task) => self.thinking = Some((purpose, task)),
            Err(error) => say(out, &format!("ERROR {error}")),
        }
    }

    fn budget(&self) -> Budget {
        let player = self.engine.session.position().turn();
        let turn = self.turn_limit.map(|limit| {
            if limit.is_zero() { FASTEST } else { limit.saturating_sub((limit / 20).max(Duration::from_millis(20))) }
        });
        let stones = self.engine.session.moves().len() as u32;
        let shared = self.engine.clock.allowance(player, 40_u32.saturating_sub(stones / 2).max(12));
        match turn.into_iter().chain(shared).min() {
            Some(time) => self.engine.budget_of(time),
            None => self.engine.setup.limits.clone(),
        }
    }

    fn info(&mut self, key: &str, value: &str) {
        let milliseconds = || value.parse::<u64>().ok().map(Duration::from_millis);
        match key.to_ascii_lowercase().as_str() {
            "timeout_turn" => self.turn_limit = milliseconds().or(self.turn_limit),
            "timeout_match" => match milliseconds() {
                Some(Duration::ZERO) => self.engine.clock = Clock::default(),
                Some(main) => {
                    self.engine.clock = Clock::new(TimeControl::Fischer { main, increment: Duration::ZERO });
                }
                None => {}
            },
            "time_left" => {
                // Without a limit managers say 2,147,483,647.
                if let Some(left) = milliseconds().filter(|left| left.as_millis() < 2_147_483_647) {
                    for player in Player::BOTH {
                        self.engine.clock.set_left(player, left, 0);
                    }
                }
            }
            "max_memory" => {
                if let Ok(bytes) = value.parse::<u64>() {
                    // 0 is no limit.
                    self.engine.set_memory(Some(bytes / 4 * 3).filter(|_| bytes > 0));
                }
            }
            "thread_num" => {
                if let Ok(threads) = value.parse() {
                    self.engine.set_threads(threads);
                }
            }
            "rule" => {
                if let Ok(bits) = value.parse::<u32>() {
                    self.rule = match bits {
                        bits if bits & 4 != 0 => "renju",
                        bits if bits & 1 != 0 => "standard",
                        _ => "freestyle",
                    };
                    if self.started && self.engine.session.steps() == 0 {
                        // The board is as large as before, so it can be begun again.
                        let _ = self.begin(self.size());
                    }
                }
            }
            _ => {}
        }
    }

    /// Sets up a list of stones; this engine is to move.
    fn set_up(&mut self, stones: &[Stone]) -> Result<(), String> {
        self.begin(self.size())?;
        let of = |who: u8| stones.iter().filter(move |stone| stone.2 == who).map(|stone| (stone.0, stone.1));
        let (own, other): (Vec<_>, Vec<_>) = (of(1).collect(), of(2).collect());
        let (first, second) = match own.len().cmp(&other.len()) {
            std::cmp::Ordering::Equal => (own, other),
            std::cmp::Ordering::Less if own.len() + 1 == other.len() => (other, own),
            _ => return Err("the numbers of stones do not fit".into()),
        };
        // In the order of the list where that is an order of play, else one stone of each in turn.
        let owner = |number: usize| stones.iter().filter(|stone| stone.2 < 3).nth(number).map(|stone| stone.2);
        let in_order = (1..first.len() + second.len()).all(|number| owner(number) != owner(number - 1));
        let in_order = in_order && owner(0).is_none_or(|who| of(who).next() == first.first().copied());
        let mut order = Vec::with_capacity(first.len() + second.len());
        if in_order {
            order.extend(stones.iter().filter(|stone| stone.2 < 3).map(|stone| (stone.0, stone.1)));
        } else {
            for (number, stone) in first.iter().enumerate() {
                order.push(*stone);
                order.extend(second.get(number));
            }
        }
        for (column, row) in order {
            if let Err(reason) = self.play(column, row) {
                let _ = self.begin(self.size());
                return Err(reason);
            }
        }
        Ok(())
    }

    fn end_of_list(&mut self, list: List, stones: &[Stone], out: &mut String) {
        match list {
            List::Board => match self.set_up(stones) {
                Ok(()) => self.think(Purpose::Move, out),
                Err(reason) => say(out, &format!("ERROR {reason}")),
            },
            List::Swap2 => {
                // Stones come in the order of play.
                let size = self.size();
                let played = self
                    .begin(size)
                    .and_then(|()| stones.iter().try_for_each(|&(column, row, _)| self.play(column, row).map(drop)));
                match (played, stones.len()) {
                    (Err(reason), _) => say(out, &format!("ERROR {reason}")),
                    // Far from the middle and from each other, so that neither colour is much
                    // better.
                    (Ok(()), 0) if size >= 9 => say(out, &format!("1,1 {},2 3,{}", size - 3, size - 2)),
                    (Ok(()), 3 | 5) => self.think(Purpose::Choose, out),
                    (Ok(()), _) => say(out, "ERROR expected 0, 3 or 5 stones on a board of at least 9 lines"),
                }
            }
        }
    }
}

fn say_and_go(out: &mut String, text: &str) -> Flow {
    say(out, text);
    Flow::Go
}

/// One line.
fn say(out: &mut String, text: &str) {
    out.extend(text.chars().map(|c| if c.is_control() { ' ' } else { c }));
    out.push('\n');
}

impl Protocol for Gomocup {
    fn connect(&mut self, notice: Notice) {
        self.engine.connect(notice);
    }

    fn line(&mut self, line: &str, out: &mut String) -> Flow {
        let line = line.trim();
        if line.is_empty() {
            return Flow::Go;
        }
        if self.thinking.is_some() {
            // While a search runs, only END is handled.
            self.engine.session.abort();
            self.thinking = None;
        }
        if let Some((list, mut stones)) = self.list.take() {
            if line.eq_ignore_ascii_case("DONE") {
                match stones {
                    Ok(stones) => self.end_of_list(list, &stones, out),
                    Err(reason) => say(out, &format!("ERROR {reason}")),
                }
                return Flow::Go;
            }
            // A list has one answer: what is wrong with it is said at its end. A line that is no
            // stone at all ends the list.
            let is_stone = line.contains(',');
            match (self.stone(list, line), &mut stones) {
                (Ok(_), Ok(stones)) if stones.len() >= MOST_STONES => {
                    return say_and_go(out, "ERROR there are more stones than points");
                }
                (Ok(stone), Ok(stones)) => stones.push(stone),
                (Err(reason), _) if !is_stone => return say_and_go(out, &format!("ERROR {reason}")),
                (Err(reason), Ok(_)) => stones = Err(reason),
                (_, Err(_)) => {}
            }
            self.list = Some((list, stones));
            return Flow::Go;
        }
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let answer = match command.to_ascii_uppercase().as_str() {
            "START" => match rest.parse() {
                Ok(size) => self.begin_next(size),
                Err(_) => Err("expected a size".into()),
            },
            "RECTSTART" => match pair(rest) {
                Some((columns, rows)) if columns == rows => self.begin_next(rows),
                _ => Err("only square boards are supported".into()),
            },
            "RESTART" => self.begin_next(self.size()),
            "BEGIN" => {
                self.think(Purpose::Move, out);
                Ok(None)
            }
            "TURN" => match pair(rest) {
                Some((column, row)) => self.play(column, row).map(|_| {
                    self.think(Purpose::Move, out);
                    None
                }),
                None => Err("expected x,y".into()),
            },
            "PLAY" => match pair(rest) {
                Some((column, row)) => self.play(column, row).map(Some),
                None => Err("expected x,y".into()),
            },
            "TAKEBACK" => self.take_back(rest).map(|()| Some("OK".into())),
            "BOARD" => {
                self.list = Some((List::Board, Ok(Vec::new())));
                Ok(None)
            }
            "SWAP2BOARD" => {
                self.list = Some((List::Swap2, Ok(Vec::new())));
                Ok(None)
            }
            "INFO" => {
                let (key, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                self.info(key, value.trim());
                Ok(None)
            }
            "ABOUT" => Ok(Some(format!(
                "name=\"tesuji\", version=\"{}\", author=\"the tesuji project\", country=\"none\"",
                env!("CARGO_PKG_VERSION")
            ))),
            "END" => return Flow::Quit,
            "YXSTOP" => Ok(None),
            _ => {
                say(out, "UNKNOWN command");
                Ok(None)
            }
        };
        match answer {
            Ok(Some(text)) => say(out, &text),
            Ok(None) => {}
            Err(reason) => say(out, &format!("ERROR {reason}")),
        }
        Flow::Go
    }

    fn search(&mut self) -> Option<(&mut SearchTask, &mut Session)> {
        let (_, task) = self.thinking.as_mut()?;
        Some((task, &mut self.engine.session))
    }

    fn finish(&mut self, answer: Result<Report<String>, SessionError>, out: &mut String) {
        let Some((purpose, task)) = self.thinking.take() else { return };
        let player = self.engine.session.position().turn();
        match answer {
            Err(error) => say(out, &format!("ERROR {error}")),
            Ok(report) => {
                self.engine.clock.spend(player, task.began().elapsed());
                if purpose == Purpose::Choose && report.value.for_player(player) < 0.5 {
                    return say(out, "SWAP");
                }
                let position = self.engine.session.position();
                // The protocol has no resignation: any move will do then.
                let best = report.best.or_else(|| position.moves().into_iter().next());
                match best.as_deref().and_then(|mv| position.place_of(mv)) {
                    None => say(out, "ERROR there is no move"),
                    Some((column, row)) => match self.play(column, row) {
                        Ok(point) => say(out, &point),
                        Err(reason) => say(out, &format!("ERROR {reason}")),
                    },
                }
            }
        }
    }

    fn attention(&self, arrival: Arrival<'_>) -> Attention {
        match arrival {
            Arrival::Line(line) => match line.trim().to_ascii_uppercase().as_str() {
                "END" => Attention::Now,
                "YXSTOP" => Attention::Interrupt,
                _ => Attention::Later,
            },
            Arrival::Bytes | Arrival::End => Attention::Later,
        }
    }

    fn too_long(&mut self, _: &str, out: &mut String) {
        say(out, "ERROR the line is too long");
    }

    fn failed(&mut self, out: &mut String) {
        self.thinking = None;
        self.engine.session.abort();
        say(out, "ERROR internal error");
    }
}

impl Gomocup {
    fn take_back(&mut self, point: &str) -> Result<(), String> {
        let wanted = pair(point).ok_or("expected x,y")?;
        let last = self.engine.session.last_move().ok_or("there is no stone")?.to_string();
        self.engine.session.undo().map_err(|error| error.to_string())?;
        if self.engine.session.position().place_of(&last) == Some(wanted) {
            return Ok(());
        }
        self.engine.session.play(&last).map_err(|error| error.to_string())?;
        Err("only the last stone can be taken back".into())
    }
}
