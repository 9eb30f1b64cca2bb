//! `go`: what a search may take, read from the words after it.

use super::{Thinking, Uci, say};
use crate::protocol::{Clock, TimeControl, Updates};
use std::time::Duration;
use tesuji_core::spec::SpecValue;
use tesuji_core::{Budget, Player};

/// Options that are followed by a number.
const NUMBERS: [&str; 9] = ["wtime", "btime", "winc", "binc", "movestogo", "movetime", "time", "increment", "opptime"];
/// The other options.
const OTHERS: [&str; 6] = ["infinite", "ponder", "depth", "nodes", "mate", "searchmoves"];
/// How often a search says how it goes.
const INFO_PACE: Duration = Duration::from_millis(500);
/// What a pondering search may take after `ponderhit` if the client gave no time.
const PONDER_ALLOWANCE: Duration = Duration::from_secs(1);

/// The numbers after `go`, as the client wrote them.
#[derive(Default)]
struct Times {
    numbers: [Option<f64>; NUMBERS.len()],
}

impl Times {
    fn get(&self, name: &str) -> Option<f64> {
        NUMBERS.iter().position(|known| *known == name).and_then(|index| self.numbers[index])
    }

    /// Whether this is the name of a number; then the next word is read as one. NaN is none.
    fn read<'a>(&mut self, name: &str, words: &mut impl Iterator<Item = &'a &'a str>) -> bool {
        let Some(index) = NUMBERS.iter().position(|known| *known == name) else { return false };
        let number = words.next().and_then(|number| number.parse().ok());
        self.numbers[index] = number.filter(|number: &f64| !number.is_nan());
        true
    }
}

impl Uci {
    /// Begins a search.
    pub(super) fn go(&mut self, words: &[&str], out: &mut String) {
        if self.lost {
            say(out, "info string the position could not be set up");
            return self.no_move(out);
        }
        self.only.clear();
        let legal = self.engine.session.position().moves();
        let mut times = Times::default();
        let mut budget = self.engine.endless();
        let (mut limited, mut open_ended) = (false, false);
        let mut words = words.iter().peekable();
        while let Some(word) = words.next() {
            if times.read(word, &mut words) {
                continue;
            }
            match *word {
                "infinite" | "ponder" => open_ended = true,
                "depth" => match words.next() {
                    Some(&"infinite") => open_ended = true,
                    Some(number) => {
                        if let Ok(depth) = number.parse::<u32>() {
                            // A search that knows no depth would not end: the usual limits hold
                            // too.
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
                    // Up to the next option; if none of them is legal, all moves are meant.
                    while let Some(word) = words.next_if(|word| !NUMBERS.contains(word) && !OTHERS.contains(word)) {
                        let word = self.native(word);
                        self.only.extend(legal.iter().find(|mv| mv.eq_ignore_ascii_case(word)).cloned());
                    }
                }
                _ => {}
            }
        }
        limited |= self.limit_time(&times, &mut budget);
        if !limited && !open_ended {
            budget = self.engine.setup.limits.clone();
        }
        let ponder_allowance = budget.hard_time.unwrap_or(PONDER_ALLOWANCE);
        if open_ended {
            budget = self.engine.endless();
        }
        self.search_lines();
        match self.engine.start(&budget) {
            Ok(task) => {
                let task = task.with_updates(Updates::WhileSearching(INFO_PACE));
                let task = if open_ended { task.open_ended() } else { task };
                self.thinking = Some(Thinking { task, ponder_allowance });
            }
            Err(_) => self.no_move(out),
        }
    }

    /// Has an agent that can search several lines search as many as are shown: of other moves it
    /// would know a bound only.
    fn search_lines(&mut self) {
        let mut wanted = self.engine.session.agent().clone();
        let Some(lines) = wanted.arguments.iter_mut().find(|argument| argument.name == "lines") else { return };
        let value = SpecValue::Integer(self.lines as i64);
        if lines.value == value || (self.lines == 1 && self.asked.is_none()) {
            return;
        }
        lines.value = value;
        let asked = self.engine.session.asked_agent().clone();
        if self.engine.session.change_agent(&wanted).is_ok() {
            self.asked.get_or_insert(asked);
        }
    }

    /// Limits the time of a search to what the clocks allow; says whether there is a clock.
    fn limit_time(&self, times: &Times, budget: &mut Budget) -> bool {
        let seconds = |number: f64| Duration::from_secs_f64(number.clamp(0.0, 1e7));
        // UCI's words count milliseconds, whichever dialect they are used in.
        let uci = |number: f64| seconds(number * 1e-3);
        let ucci = |number: f64| seconds(if self.milliseconds { number * 1e-3 } else { number });
        let player = self.engine.session.position().turn();
        let conventions = self.engine.session.position().conventions().uci;
        let white_is_first = conventions.is_some_and(|conventions| conventions.white_is_first);
        let of_player = |white: &str, black: &str| match (white_is_first, player, times.get(white), times.get(black)) {
            (true, Player::First, white, _) => white,
            (true, Player::Second, _, black) => black,
            (false, _, Some(white), Some(black)) => Some(white.min(black)),
            (false, _, white, black) => white.or(black),
        };
        let (control, moves) = if let Some(time) = times.get("movetime") {
            (TimeControl::PerMove(uci(time)), 1)
        } else if let Some(main) = times.get("time").map(ucci).or_else(|| of_player("wtime", "btime").map(uci)) {
            let increment = times.get("increment").map(ucci).or_else(|| of_player("winc", "binc").map(uci));
            let increment = increment.unwrap_or_default();
            let moves = times.get("movestogo").map_or(40, |moves| moves.clamp(1.0, 200.0) as u32);
            (TimeControl::Fischer { main, increment }, moves)
        } else {
            return false;
        };
        if let Some(time) = Clock::new(control).allowance(player, moves) {
            *budget = Budget { nodes: budget.nodes, depth: budget.depth, ..self.engine.budget_of(time) };
        }
        true
    }
}
