//! Generating moves, analysing, and clocks.

use super::stream::{Dialect, Stream};
use super::{Answer, Gtp, NOTHING, Reply, Thought, colour, number, refused, respond};
use crate::manners;
use crate::protocol::clock::{Clock, TimeControl};
use std::time::{Duration, Instant};
use tesuji_agents::{Session, SessionError, go_table};
use tesuji_core::{Player, Report, Seed};

/// Iterations of a search that nobody limits.
pub(super) const DEFAULT_ITERATIONS: u64 = 10_000;
/// How soon to look at a search that is about to answer.
const SOON: Duration = Duration::from_millis(2);
/// A search that was told to end gets so much longer before its last word is taken for its answer.
const GRACE: Duration = Duration::from_millis(5);
/// How often GoGui's board is drawn anew while a search runs.
pub(super) const GRAPHICS_PACE: Duration = Duration::from_millis(500);

/// What a move is generated for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To play it.
    Play,
    /// To see it: nothing is played, and the clock stands.
    See,
    /// To play it, and not to pass before dead stones are off.
    CleanUp,
    /// To play it, with CGOS's account of it.
    Explain,
}

/// A search under way.
pub(super) enum Task {
    Generate {
        id: String,
        player: Player,
        purpose: Purpose,
        /// What it writes meanwhile.
        stream: Option<Stream>,
        began: Instant,
        /// When to answer in any case.
        deadline: Option<Instant>,
        /// Steps before the command.
        mark: usize,
        graphics_due: Instant,
    },
    Analyse {
        stream: Stream,
        /// Steps to go back to.
        mark: usize,
        /// What it found, once it has nothing left to do.
        found: Option<Report<String>>,
        graphics_due: Instant,
    },
    /// HexGui's Solve button.
    Solve { id: String, solving: Box<Session>, began: Instant, graphics_due: Instant },
}

impl Task {
    /// Goes on until somebody speaks.
    pub(super) fn is_open_ended(&self) -> bool {
        matches!(self, Task::Analyse { .. })
    }

    /// Its answer has begun, so that only its end can follow.
    pub(super) fn has_begun_to_answer(&self) -> bool {
        match self {
            Task::Analyse { .. } => true,
            Task::Generate { stream, .. } => stream.is_some(),
            Task::Solve { .. } => false,
        }
    }
}

/// A time that a person or a program gave.
pub(super) fn seconds(number: f64) -> Result<Duration, String> {
    if (0.0..=1e7).contains(&number) {
        Ok(Duration::from_secs_f64(number))
    } else {
        Err("expected a time from 0 to 10,000,000 seconds".into())
    }
}

fn time(word: Option<&&str>) -> Result<Duration, String> {
    seconds(number(word, "a time in seconds")?)
}

impl Gtp {
    pub(super) fn generate(&mut self, words: &[&str], command: &str, out: &mut String) -> Answer {
        let player = colour(words.first())?;
        let purpose = match command {
            "reg_genmove" => Purpose::See,
            "kgs-genmove_cleanup" => Purpose::CleanUp,
            "cgos-genmove_analyze" => Purpose::Explain,
            _ => Purpose::Play,
        };
        let stream = match Dialect::of(command) {
            None => None,
            Some(dialect) => Some(Stream::new(dialect, &words[1..], self.position(), self.vertices)?),
        };
        if self.picked.is_some() && self.in_halves() && purpose == Purpose::Play && stream.is_none() {
            self.take_turn(player)?;
            return super::text(self.finish_half()?);
        }
        let mark = self.engine.session.steps();
        self.take_turn(player)?;
        let began = self.arrived;
        let mut deadline = None;
        let started = if purpose == Purpose::See {
            // Always the same answer: what was kept of other searches is not used, nor the clock.
            self.clear_memory().and_then(|()| {
                let budget = self.engine.setup.limits.clone();
                self.engine.session.start(&budget, self.engine.setup.seed)
            })
        } else {
            let mut budget = self.engine.budget(player);
            if let Some(time) = self.engine.clock.allowance(player, 1).and(budget.hard_time) {
                deadline = Some(began + time + GRACE);
                // Some of it may have gone into ending the search before.
                budget.hard_time = Some(time.saturating_sub(began.elapsed()));
                budget.soft_time = budget.soft_time.min(budget.hard_time);
            }
            self.engine.start(&budget)
        };
        if let Err(error) = started {
            self.take_back(mark);
            return Err(refused(&error));
        }
        if stream.is_some() {
            out.push_str(&format!("={}\n", self.id));
        }
        let graphics_due = began + GRAPHICS_PACE;
        let id = self.id.clone();
        self.task = Some(Task::Generate { id, player, purpose, stream, began, deadline, mark, graphics_due });
        Ok(Reply::Begun)
    }

    fn clear_memory(&mut self) -> Result<(), SessionError> {
        let agent = self.engine.session.asked_agent().clone();
        self.engine.session.change_agent(&agent)
    }

    pub(super) fn analyse(&mut self, words: &[&str], command: &str, out: &mut String) -> Answer {
        let named = words.first().and_then(|_| colour(words.first()).ok());
        let rest = if named.is_some() { &words[1..] } else { words };
        let dialect = Dialect::of(command).unwrap_or(Dialect::Kata);
        let mark = self.engine.session.steps();
        let player = named.unwrap_or(self.position().turn());
        self.take_turn(player)?;
        let begun = Stream::new(dialect, rest, self.position(), self.vertices).and_then(|stream| {
            let budget = self.engine.endless();
            self.engine.start(&budget).map_err(|error| refused(&error))?;
            Ok(stream)
        });
        match begun {
            Ok(stream) => {
                out.push_str(&format!("={}\n", self.id));
                let graphics_due = Instant::now() + GRAPHICS_PACE;
                self.task = Some(Task::Analyse { stream, mark, found: None, graphics_due });
                Ok(Reply::Begun)
            }
            Err(reason) => {
                self.take_back(mark);
                Err(reason)
            }
        }
    }

    /// Ends an analysis, if one runs, and pondering.
    pub(super) fn end_analysis(&mut self, out: &mut String) {
        match self.task.take() {
            Some(Task::Analyse { stream, mark, found, .. }) => {
                // A search takes its time to put a large tree away; nobody waits for that. Whatever needs the agent next will.
                let session = &mut self.engine.session;
                let report = found.or_else(|| session.snapshot()).or_else(|| session.stop().ok());
                session.hurry();
                if let Some(report) = report {
                    // Somebody who waited shorter than the interval sees something too.
                    if !stream.has_written() {
                        stream.write(&report, self.position(), out);
                    }
                    self.last = Some(Thought { position: self.position().boxed_clone(), report });
                }
                self.take_back(mark);
                out.push('\n');
            }
            Some(task) => self.task = Some(task),
            None => {
                self.may_ponder = false;
                self.engine.session.hurry();
            }
        }
    }

    /// Asks a search for its answer now.
    pub(super) fn interrupt(&self) {
        match &self.task {
            Some(Task::Solve { solving, .. }) => solving.hurry(),
            _ => self.engine.session.hurry(),
        }
    }

    /// Looks after what runs, and says when to look again.
    pub(super) fn look_after(&mut self, out: &mut String) -> Option<Duration> {
        self.settle();
        let now = Instant::now();
        let live = self.live_graphics;
        match &mut self.task {
            None => {
                if !(self.may_ponder && self.engine.setup.ponder) {
                    return None;
                }
                if !self.engine.session.is_busy() {
                    let budget = self.engine.endless();
                    if self.engine.start(&budget).is_err() {
                        self.may_ponder = false;
                        return None;
                    }
                }
                Some(Duration::from_secs(1))
            }
            Some(Task::Analyse { stream, found, graphics_due, .. }) => {
                let session = &mut self.engine.session;
                if found.is_none() && session.is_busy() && !session.is_thinking() {
                    *found = session.wait().ok();
                }
                let due = stream.wait(now);
                if due.is_zero() {
                    let report = found.clone().or_else(|| session.snapshot());
                    if let Some(report) = report {
                        stream.write(&report, session.position(), out);
                        stream.written(now);
                        if live && now >= *graphics_due {
                            *graphics_due = now + GRAPHICS_PACE;
                            super::gogui::draw_live(session.position(), &report, self.vertices);
                        }
                    } else {
                        return Some(SOON);
                    }
                }
                Some(stream.wait(now).clamp(SOON, Duration::from_millis(20)))
            }
            Some(Task::Solve { solving, graphics_due, .. }) => {
                if solving.is_thinking() {
                    if live && now >= *graphics_due {
                        *graphics_due = now + GRAPHICS_PACE;
                        if let Some(report) = solving.snapshot() {
                            super::gogui::draw_solver(solving.position(), &report, self.vertices, out);
                        }
                    }
                    return Some(SOON);
                }
                if let Some(Task::Solve { id, solving, .. }) = self.task.take() {
                    self.solved(&id, *solving, out);
                }
                None
            }
            Some(Task::Generate { stream, graphics_due, deadline, .. }) => {
                let session = &self.engine.session;
                if session.is_thinking() {
                    let is_late = deadline.is_some_and(|deadline| now >= deadline);
                    if let Some(stream) = stream
                        && stream.wait(now).is_zero()
                        && let Some(report) = session.snapshot()
                    {
                        stream.write(&report, session.position(), out);
                        stream.written(now);
                    }
                    if live && now >= *graphics_due {
                        *graphics_due = now + GRAPHICS_PACE;
                        if let Some(report) = session.snapshot() {
                            super::gogui::draw_live(session.position(), &report, self.vertices);
                        }
                    }
                    return Some(if is_late && self.answer_late(out) { Duration::ZERO } else { SOON });
                }
                self.finish(out);
                // Pondering may begin.
                self.look_after(out)
            }
        }
    }

    /// Back to where a command began.
    fn take_back(&mut self, mark: usize) {
        // If the agent does not follow, it is made anew by the next search.
        while self.engine.session.steps() > mark && self.engine.session.undo().is_ok() {}
    }

    /// The time is up and the search is not: on a busy machine it may not even have been told yet. Answers what it would have
    /// said last; the move is played once the answer is out ([`settle`](Gtp::settle)). Says whether there was one.
    fn answer_late(&mut self, out: &mut String) -> bool {
        let Some(Task::Generate { purpose: Purpose::Play, .. }) = &self.task else { return false };
        let report = self.engine.session.snapshot().filter(|_| !self.in_halves());
        let report = report.and_then(|report| {
            let chosen = match &self.task {
                Some(Task::Generate { stream: Some(stream), .. }) => stream.chosen(self.position(), &report),
                _ => manners::chosen(self.position(), &report),
            };
            chosen.map(|best| (report, best))
        });
        let Some((report, best)) = report else { return false };
        let Some(Task::Generate { id, player, stream, began, mark, .. }) = self.task.take() else { return false };
        self.engine.session.hurry();
        self.engine.clock.spend(player, began.elapsed());
        self.thinking += began.elapsed();
        let shown = self.show(&best);
        match stream {
            Some(_) => out.push_str(&format!("play {shown}\n\n")),
            None => respond(out, '=', &id, &shown),
        }
        self.last = Some(Thought { position: self.position().boxed_clone(), report });
        self.unplayed = Some((best, mark));
        true
    }

    /// Plays a move that was answered before the search had ended.
    pub(super) fn settle(&mut self) {
        let Some((mv, mark)) = self.unplayed.take() else { return };
        match self.engine.session.play(&mv) {
            Ok(_) => {
                self.marks.push(mark);
                self.may_ponder = true;
            }
            Err(error) => drop(refused(&error)),
        }
    }

    /// The search has answered: plays the move and says it.
    fn finish(&mut self, out: &mut String) {
        let Some(Task::Generate { id, player, purpose, stream, began, mark, .. }) = self.task.take() else { return };
        let answer = self.engine.session.wait();
        let spent = began.elapsed();
        self.thinking += spent;
        let chosen = answer.map_err(|error| refused(&error)).and_then(|report| {
            let position = self.position().boxed_clone();
            let mut chosen = match &stream {
                Some(stream) => stream.chosen(position.as_ref(), &report),
                None => manners::chosen(position.as_ref(), &report),
            };
            let passes = chosen.as_deref() == Some("pass");
            if (purpose == Purpose::CleanUp && (passes || chosen.is_none()))
                && let Some(mv) = go_table::cleaning_move(position.as_ref(), Seed(1))
            {
                chosen = Some(mv);
            }
            if chosen.is_none() && purpose == Purpose::CleanUp {
                chosen = Some("pass".into());
            }
            if chosen.is_none() && !report.resigns {
                return Err("the search found no move".to_string());
            }
            self.last = Some(Thought { position, report });
            Ok(chosen)
        });
        let chosen = match chosen {
            Ok(chosen) => chosen,
            Err(reason) => {
                self.take_back(mark);
                match stream {
                    // The answer has begun: all that can follow is its end.
                    Some(_) => out.push('\n'),
                    None => respond(out, '?', &id, &reason),
                }
                return;
            }
        };
        if purpose == Purpose::Play
            && stream.is_none()
            && self.in_halves()
            && let Some(piece) = chosen.as_deref().and_then(|mv| self.pick_for(mv, mark))
        {
            self.engine.clock.spend(player, spent);
            return respond(out, '=', &id, &piece);
        }
        let shown = chosen.as_deref().map_or("resign".to_string(), |mv| self.show(mv));
        let account = match (purpose, &self.last) {
            (Purpose::Explain, Some(thought)) => Some(super::stream::cgos(thought, self.vertices)),
            _ => None,
        };
        if let (Some(stream), Some(thought)) = (&stream, &self.last)
            && !stream.has_written()
        {
            stream.write(&thought.report, thought.position.as_ref(), out);
        }
        if purpose == Purpose::See {
            self.take_back(mark);
        } else {
            self.engine.clock.spend(player, spent);
            match chosen.as_deref().map(|mv| self.engine.session.play(mv).map(drop)) {
                // A resignation changes nothing on the board.
                None => self.take_back(mark),
                Some(Ok(())) => {
                    self.marks.push(mark);
                    self.may_ponder = true;
                }
                Some(Err(error)) => {
                    self.take_back(mark);
                    match stream {
                        Some(_) => out.push('\n'),
                        None => respond(out, '?', &id, &refused(&error)),
                    }
                    return;
                }
            }
        }
        match (stream, account) {
            (Some(_), _) => out.push_str(&format!("play {shown}\n\n")),
            (None, Some(account)) => out.push_str(&format!("={id}\n{account}\nplay {shown}\n\n")),
            (None, None) => respond(out, '=', &id, &shown),
        }
    }

    pub(super) fn time_settings(&mut self, words: &[&str]) -> Answer {
        let (main, period) = (time(words.first())?, time(words.get(1))?);
        let stones: u32 = number(words.get(2), "a number of stones")?;
        let control = match (main.is_zero(), period.is_zero(), stones) {
            (_, false, 0) => TimeControl::Unlimited,
            // No time at all is as little as there can be.
            (true, true, _) => TimeControl::PerMove(Duration::ZERO),
            (false, true, _) => TimeControl::Fischer { main, increment: Duration::ZERO },
            (_, false, stones) => TimeControl::Canadian { main, period, stones },
        };
        self.engine.clock = Clock::new(control);
        NOTHING
    }

    pub(super) fn named_time_settings(&mut self, words: &[&str]) -> Answer {
        let control = match words.first() {
            Some(&"none") => TimeControl::Unlimited,
            Some(&"absolute") => TimeControl::Fischer { main: time(words.get(1))?, increment: Duration::ZERO },
            Some(&"fischer") => TimeControl::Fischer { main: time(words.get(1))?, increment: time(words.get(2))? },
            Some(&"byoyomi") => TimeControl::ByoYomi {
                main: time(words.get(1))?,
                period: time(words.get(2))?,
                periods: number(words.get(3), "a number of periods")?,
            },
            Some(&"canadian") => TimeControl::Canadian {
                main: time(words.get(1))?,
                period: time(words.get(2))?,
                stones: number(words.get(3), "a number of stones")?,
            },
            _ => return Err("expected none, absolute, fischer, byoyomi or canadian".into()),
        };
        self.engine.clock = Clock::new(control);
        NOTHING
    }

    pub(super) fn time_left(&mut self, words: &[&str]) -> Answer {
        let player = colour(words.first())?;
        let left = time(words.get(1))?;
        let stones: u32 = if words.len() > 2 { number(words.get(2), "a number of stones")? } else { 0 };
        self.engine.clock.set_left(player, left, stones);
        NOTHING
    }
}
