//! Generating moves, analysing, and clocks.

use super::job::{Generate, Job, Purpose};
use super::stream::{Dialect, Stream};
use super::{Answer, Gtp, NOTHING, Reply, Thought, colour, number, refused, respond};
use crate::move_choice::move_to_play;
use crate::protocol::clock::{Clock, TimeControl};
use crate::protocol::{SearchTask, Updates};
use std::time::{Duration, Instant};
use tesuji_agents::SessionError;
use tesuji_core::{Report, Seed};

/// Iterations of a search without any limit.
pub(super) const DEFAULT_ITERATIONS: u64 = 10_000;
/// How long after its time a search may still answer before its last snapshot is taken for the
/// answer.
const LATENESS: Duration = Duration::from_millis(5);
/// How often GoGui's board is drawn while a search runs.
pub(super) const GRAPHICS_PACE: Duration = Duration::from_millis(500);

/// A time in seconds.
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
                deadline = Some(began + time + LATENESS);
                // Some of it may have gone into ending the search before.
                budget.hard_time = Some(time.saturating_sub(began.elapsed()));
                budget.soft_time = budget.soft_time.min(budget.hard_time);
            }
            self.engine.start(&budget).map(drop)
        };
        if let Err(error) = started {
            self.take_back(mark);
            return Err(refused(&error));
        }
        if stream.is_some() {
            out.push_str(&format!("={}\n", self.id));
        }
        let updates = match &stream {
            Some(stream) => Updates::WhileSearching(stream.interval()),
            None => self.graphics_updates(),
        };
        let task = self.engine.task(began).with_updates(updates).answering_by(deadline);
        let job = Job::Generate(Generate { id: self.id.clone(), player, purpose, stream, mark });
        self.begin(job, task);
        Ok(Reply::Begun)
    }

    /// A search is under way.
    pub(super) fn begin(&mut self, job: Job, task: SearchTask) {
        self.graphics_due = Instant::now() + GRAPHICS_PACE;
        self.running = Some((job, task));
    }

    /// Updates of a search that writes none, for live graphics.
    pub(super) fn graphics_updates(&self) -> Updates {
        if self.live_graphics { Updates::WhileSearching(GRAPHICS_PACE) } else { Updates::None }
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
            let task = self.engine.start(&budget).map_err(|error| refused(&error))?;
            Ok((stream, task))
        });
        match begun {
            Ok((stream, task)) => {
                out.push_str(&format!("={}\n", self.id));
                let task = task.open_ended().with_updates(Updates::UntilStopped(stream.interval()));
                self.begin(Job::Analyse { stream, mark }, task);
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
        match self.running.take() {
            Some((Job::Analyse { mut stream, mark }, task)) => {
                if let Ok(report) = task.answer_now(&mut self.engine.session) {
                    // An analysis shorter than its interval shows something too.
                    if !stream.has_written() {
                        stream.write(&report, self.position(), out);
                    }
                    self.last = Some(Thought { position: self.position().boxed_clone(), report });
                }
                self.take_back(mark);
                out.push('\n');
            }
            Some(running) => self.running = Some(running),
            None => {
                self.may_ponder = false;
                self.engine.session.hurry();
            }
        }
    }

    /// An update is due: writes it, and draws it.
    pub(super) fn show_progress(&mut self, report: &Report<String>, out: &mut String) {
        let Some((job, _)) = &mut self.running else { return };
        let position = self.engine.session.position();
        let stream = match job {
            Job::Solve { solving, .. } => {
                return super::gogui::draw_solver(solving.position(), report, self.vertices, out);
            }
            Job::Analyse { stream, .. } => Some(stream),
            Job::Generate(generate) => generate.stream.as_mut(),
        };
        if let Some(stream) = stream {
            stream.write(report, position, out);
        }
        let now = Instant::now();
        if self.live_graphics && now >= self.graphics_due {
            self.graphics_due = now + GRAPHICS_PACE;
            super::gogui::draw_live(position, report, self.vertices);
        }
    }

    /// Begins to ponder, if the last move was ours.
    pub(super) fn ponder(&mut self) {
        let may_begin = self.running.is_none() && self.may_ponder && self.engine.setup.ponder;
        if may_begin && !self.engine.session.is_busy() {
            let budget = self.engine.endless();
            self.may_ponder = self.engine.start(&budget).is_ok();
        }
    }

    /// The search has ended.
    pub(super) fn end_search(&mut self, answer: Result<Report<String>, SessionError>, out: &mut String) {
        match self.running.take() {
            Some((Job::Solve { id, .. }, _)) => self.solved(&id, answer, out),
            Some((Job::Generate(generate), task)) => self.generated(generate, &task, answer, out),
            // It failed: nothing is left to write until the next line ends the analysis.
            running @ (Some((Job::Analyse { .. }, _)) | None) => self.running = running,
        }
    }

    /// Back to where a command began.
    fn take_back(&mut self, mark: usize) {
        // If the agent does not follow, the next search makes another.
        while self.engine.session.steps() > mark && self.engine.session.undo().is_ok() {}
    }

    /// The time is up and the search has not ended: on a busy machine it may not have seen that
    /// yet. Answers the move of its last snapshot, which is played once the answer is out
    /// ([`settle`](Gtp::settle)).
    pub(super) fn answer_late(&mut self, report: Report<String>, out: &mut String) {
        let in_halves = self.in_halves();
        let (generate, task) = match self.running.take() {
            Some((Job::Generate(generate), task)) if generate.purpose == Purpose::Play && !in_halves => {
                (generate, task)
            }
            running => return self.running = running,
        };
        let chosen = match &generate.stream {
            Some(stream) => stream.chosen(self.position(), &report),
            None => move_to_play(self.position(), &report),
        };
        let Some(best) = chosen else { return self.running = Some((Job::Generate(generate), task)) };
        self.engine.session.hurry();
        self.engine.clock.spend(generate.player, task.began().elapsed());
        self.thinking += task.began().elapsed();
        let shown = self.show(&best);
        match generate.stream {
            Some(_) => out.push_str(&format!("play {shown}\n\n")),
            None => respond(out, '=', &generate.id, &shown),
        }
        self.last = Some(Thought { position: self.position().boxed_clone(), report });
        self.unplayed = Some((best, generate.mark));
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
    fn generated(
        &mut self,
        generate: Generate,
        task: &SearchTask,
        answer: Result<Report<String>, SessionError>,
        out: &mut String,
    ) {
        let Generate { id, player, purpose, mut stream, mark } = generate;
        let spent = task.began().elapsed();
        self.thinking += spent;
        let chosen = answer.map_err(|error| refused(&error)).and_then(|report| {
            let position = self.position().boxed_clone();
            let mut chosen = match &stream {
                Some(stream) => stream.chosen(position.as_ref(), &report),
                None => move_to_play(position.as_ref(), &report),
            };
            let passes = chosen.as_deref() == Some("pass");
            if (purpose == Purpose::CleanUp && (passes || chosen.is_none()))
                && let Some(mv) = position.cleaning_move(Seed(1))
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
        if let (Some(stream), Some(thought)) = (&mut stream, &self.last)
            && !stream.has_written()
        {
            stream.write(&thought.report, thought.position.as_ref(), out);
        }
        if purpose == Purpose::See {
            self.take_back(mark);
        } else {
            self.engine.clock.spend(player, spent);
            self.generated[player.index()] = true;
            match chosen.as_deref().map(|mv| self.engine.session.play(mv).map(drop)) {
                // A resignation changes nothing on the board.
                None => {
                    self.take_back(mark);
                    self.resigned = Some((player, self.engine.session.steps()));
                }
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
