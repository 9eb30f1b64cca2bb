//! A search that runs for a protocol: its times, its updates and its answer.
//!
//! A protocol starts a session's search and holds the task beside it. The loop in `serve.rs` steps
//! the task whenever a search thread gives notice or a time of the task has come, and hands what
//! comes out to the protocol: an update, the moment to answer in any case, the answer.

use std::time::{Duration, Instant};
use tesuji_agents::{Session, SessionError};
use tesuji_core::Report;

/// When a search reports before it answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Updates {
    /// Never.
    None,
    /// At this interval, while it searches.
    WhileSearching(Duration),
    /// At this interval, also after the search has ended, until a line ends the task.
    UntilStopped(Duration),
}

/// What became due.
pub(super) enum Step {
    /// Nothing. Look again at this time, or at the next notice.
    Wait(Option<Instant>),
    /// An update, with the report so far.
    Update(Report<String>),
    /// The time to answer has come before the search has ended, with the report so far.
    Late(Report<String>),
    /// The search has ended.
    Ended(Result<Report<String>, SessionError>),
}

/// A search that runs for a protocol.
pub struct SearchTask {
    began: Instant,
    /// What it may take after the input has ended.
    grace: Duration,
    /// It answers only when a line asks for it; until then the answer is held.
    open_ended: bool,
    updates: Updates,
    next_update: Option<Instant>,
    /// When to stop the search.
    stop_at: Option<Instant>,
    /// When the protocol answers with the report so far.
    answer_by: Option<Instant>,
    ended: bool,
    held: Option<Report<String>>,
}

impl SearchTask {
    /// A search that began at this time and answers when it ends.
    #[must_use]
    pub fn new(began: Instant, grace: Duration) -> SearchTask {
        SearchTask {
            began,
            grace,
            open_ended: false,
            updates: Updates::None,
            next_update: None,
            stop_at: None,
            answer_by: None,
            ended: false,
            held: None,
        }
    }

    /// The same, with updates. The first one is due an interval from now.
    #[must_use]
    pub fn with_updates(self, updates: Updates) -> SearchTask {
        let next_update = match updates {
            Updates::None => None,
            Updates::WhileSearching(every) | Updates::UntilStopped(every) => Some(Instant::now() + every),
        };
        SearchTask { updates, next_update, ..self }
    }

    /// The same, which answers only when a line asks for it.
    #[must_use]
    pub fn open_ended(self) -> SearchTask {
        SearchTask { open_ended: true, ..self }
    }

    /// The same, which is late (`Step::Late`) after this time.
    #[must_use]
    pub fn answering_by(self, time: Option<Instant>) -> SearchTask {
        SearchTask { answer_by: time, ..self }
    }

    /// When it began.
    #[must_use]
    pub fn began(&self) -> Instant {
        self.began
    }

    /// Whether it answers only when a line asks for it.
    #[must_use]
    pub fn is_open_ended(&self) -> bool {
        self.open_ended
    }

    /// From now on it answers by itself, and is stopped after this time.
    pub fn close_within(&mut self, time: Duration) {
        self.open_ended = false;
        self.stop_at = Some(Instant::now() + time);
    }

    /// The input ended then, or a line that ends the conversation waits since then: the search is
    /// stopped once its grace has passed. One that answers only when asked is left to the protocol.
    pub(super) fn input_ended(&mut self, since: Instant) {
        if !self.open_ended {
            let end = self.began.max(since) + self.grace;
            self.stop_at = Some(self.stop_at.map_or(end, |time| time.min(end)));
        }
    }

    /// What is due now.
    pub(super) fn step(&mut self, session: &mut Session, now: Instant) -> Step {
        if !self.ended && !session.is_thinking() {
            self.ended = true;
            match session.wait() {
                Ok(report) => self.held = Some(report),
                error => return Step::Ended(error),
            }
        }
        if !self.open_ended
            && let Some(report) = self.held.take()
        {
            return Step::Ended(Ok(report));
        }
        let is_due = |time: Option<Instant>| time.is_some_and(|time| now >= time);
        if self.ended {
            (self.stop_at, self.answer_by) = (None, None);
            if let Updates::WhileSearching(_) = self.updates {
                self.next_update = None;
            }
        }
        if is_due(self.stop_at) {
            self.stop_at = None;
            session.hurry();
        }
        // What is due before the first snapshot comes with it: the session gives notice of that.
        if is_due(self.answer_by)
            && let Some(report) = session.snapshot()
        {
            self.answer_by = None;
            return Step::Late(report);
        }
        if is_due(self.next_update)
            && let Some(report) = self.held.clone().or_else(|| session.snapshot())
        {
            self.plan_update(now);
            return Step::Update(report);
        }
        let times = [self.stop_at, self.answer_by, self.next_update];
        Step::Wait(times.into_iter().flatten().filter(|time| *time > now).min())
    }

    /// The next update is due an interval after this one was, not after it was written.
    fn plan_update(&mut self, now: Instant) {
        if let (Updates::WhileSearching(every) | Updates::UntilStopped(every), Some(due)) =
            (self.updates, self.next_update)
        {
            let next = due + every;
            self.next_update = Some(if next > now { next } else { now + every });
        }
    }

    /// Ends the task with the best report there is: the held answer, else the latest snapshot, else
    /// the answer of the search once it has stopped. A search that left a snapshot stops by itself;
    /// putting a large tree away takes time, and the caller does not wait for it.
    ///
    /// # Errors
    /// If the search failed.
    pub fn answer_now(self, session: &mut Session) -> Result<Report<String>, SessionError> {
        match self.held.or_else(|| session.snapshot()) {
            Some(report) => {
                session.hurry();
                Ok(report)
            }
            None => session.stop(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{SearchTask, Step, Updates};
    use std::sync::mpsc::{Receiver, channel};
    use std::time::{Duration, Instant};
    use tesuji_agents::Session;
    use tesuji_core::{Budget, Seed, StopReason};

    const LONG: Duration = Duration::from_secs(60);

    /// A session whose notices can be waited for, searching within this budget.
    fn searching(budget: &Budget) -> (Session, Receiver<()>) {
        let spec = |text: &str| text.parse().expect("a spec");
        let mut session = Session::new(&spec("pgame(branching=3,depth=30)"), &spec("rps")).expect("a session");
        let (sender, notices) = channel();
        session.set_notice(std::sync::Arc::new(move || {
            // The receiver is gone when a test ends before its search.
            let _ = sender.send(());
        }));
        session.start(budget, Seed(1)).expect("idle");
        (session, notices)
    }

    fn ended(task: &mut SearchTask, session: &mut Session, notices: &Receiver<()>) -> StopReason {
        loop {
            match task.step(session, Instant::now()) {
                Step::Ended(answer) => return answer.expect("a report").stopped,
                Step::Wait(_) => notices.recv_timeout(LONG).expect("a notice"),
                Step::Update(_) | Step::Late(_) => {}
            }
        }
    }

    #[test]
    fn an_answer_comes_when_the_search_has_ended() {
        let (mut session, notices) = searching(&Budget::iterations(10));
        let mut task = SearchTask::new(Instant::now(), LONG);
        assert_eq!(ended(&mut task, &mut session, &notices), StopReason::Iterations);
    }

    #[test]
    fn an_open_task_holds_its_answer_until_it_is_closed() {
        let (mut session, notices) = searching(&Budget::iterations(10));
        let mut task = SearchTask::new(Instant::now(), LONG).open_ended();
        while session.is_thinking() {
            notices.recv_timeout(LONG).expect("a notice");
        }
        task.input_ended(Instant::now());
        assert!(matches!(task.step(&mut session, Instant::now()), Step::Wait(None)));
        task.close_within(LONG);
        assert!(matches!(task.step(&mut session, Instant::now()), Step::Ended(Ok(_))));
    }

    #[test]
    fn after_the_end_of_the_input_a_search_has_its_grace() {
        let (mut session, notices) = searching(&Budget::unlimited());
        let now = Instant::now();
        let mut task = SearchTask::new(now, LONG);
        assert!(matches!(task.step(&mut session, now), Step::Wait(None)));
        task.input_ended(now);
        assert!(matches!(task.step(&mut session, now), Step::Wait(Some(end)) if end == now + LONG));
        assert!(matches!(task.step(&mut session, now + LONG), Step::Wait(None)));
        assert_eq!(ended(&mut task, &mut session, &notices), StopReason::Asked);
    }

    #[test]
    fn updates_keep_their_pace_and_a_late_task_says_so_once() {
        let (mut session, notices) = searching(&Budget::unlimited());
        let mut task = SearchTask::new(Instant::now(), LONG)
            .with_updates(Updates::WhileSearching(Duration::from_secs(10)))
            .answering_by(Some(Instant::now() + Duration::from_secs(20)));
        let at = |seconds| Instant::now() + Duration::from_secs(seconds);
        notices.recv_timeout(LONG).expect("a first snapshot");
        assert!(matches!(task.step(&mut session, at(0)), Step::Wait(Some(_))));
        assert!(matches!(task.step(&mut session, at(11)), Step::Update(_)));
        assert!(matches!(task.step(&mut session, at(11)), Step::Wait(Some(_))));
        assert!(matches!(task.step(&mut session, at(25)), Step::Late(_)));
        assert!(matches!(task.step(&mut session, at(25)), Step::Update(_)));
        assert!(matches!(task.step(&mut session, at(25)), Step::Wait(Some(_))));
        let answer = task.answer_now(&mut session).expect("a report");
        assert!(answer.iterations > 0);
    }
}
