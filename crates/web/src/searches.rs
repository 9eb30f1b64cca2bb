//! Searches for clients: a slot, a session of its own, snapshots, an answer.
//!
//! The number of searches at the same time is bounded; more wait in order. A search gets at most its
//! share of the bytes for trees, a time limit in any case, and an origin that may open and start
//! nothing. What blocks (making agents, waiting for a search to stop) runs in threads for it.

use crate::api::{self, State};
use crate::kept::{Game, locked};
use crate::lists;
use crate::refusal::Refusal;
use crate::reports::{self, USUAL_CANDIDATES};
use crate::server::Shared;
use crate::slots::Slot;
use crate::state::Wanted;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tesuji_agents::records::{Record, Step};
use tesuji_agents::{AUTO, AnyPosition, Session, start_game, usual_effort};
use tesuji_core::spec::Spec;
use tesuji_core::{Budget, Report, Seed, StopFlag};
use tokio::sync::Notify;

/// A game that is kept, as it was when a search was asked for.
#[derive(Clone)]
pub(crate) struct Source {
    pub id: String,
    pub game: Arc<Mutex<Game>>,
    pub version: u64,
}

/// What is to be searched, by which agent, within which limits.
pub(crate) struct Question {
    pub game: Spec,
    pub steps: Vec<Step>,
    /// The game in which the move is played.
    pub plays_in: Option<Source>,
    pub agent: Option<String>,
    pub budget: api::Budget,
    pub seed: u64,
    pub candidates: Option<usize>,
    /// How often its snapshots are looked at.
    pub every: Duration,
}

/// Runs what may block in a thread for it.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| Err(Refusal::internal("the request failed inside the server; this is a bug")))
}

/// A search that runs.
pub(crate) struct Searching {
    shared: Arc<Shared>,
    session: Session,
    position: Box<dyn AnyPosition>,
    plays_in: Option<Source>,
    candidates: usize,
    changed: Arc<Notify>,
    /// Its place, given back when it has ended.
    slot: Slot,
}

/// Notices of a search.
pub(crate) struct Notices(Arc<Notify>);

impl Notices {
    /// Waits for one, or for this time.
    pub(crate) async fn wait(&self, time: Duration) {
        // Either way the caller looks at the search next.
        let _ = tokio::time::timeout(time, self.0.notified()).await;
    }
}

/// What a search says at its end.
pub(crate) struct Finished {
    pub report: api::Report,
    /// The game after the move, if it was to be played.
    pub state: Option<State>,
}

impl Searching {
    /// Makes the agent and starts it. `stop` ends the search with its answer.
    pub(crate) async fn begin(
        shared: Arc<Shared>,
        question: Question,
        stop: StopFlag,
        slot: Slot,
    ) -> Result<Searching, Refusal> {
        blocking(move || {
            let asked: Spec = match &question.agent {
                None if question.plays_in.is_some() => lists::AGAINST_PEOPLE.parse().expect("a fixed spec"),
                None => Spec::bare(AUTO.name),
                Some(agent) => agent.parse().map_err(|error| Refusal::spec("the agent", &error))?,
            };
            let steps = question.steps.len();
            let mut session = Session::new(&question.game, &asked).map_err(|error| match error {
                tesuji_agents::SessionError::Spec(error) => Refusal::spec("the agent", &error),
                error => error.into(),
            })?;
            let start = start_game(&question.game).map_err(|error| Refusal::spec("the game", &error))?.position;
            session.replay(Record { game: question.game, start, steps: question.steps })?;
            let position = session.position().boxed_clone();
            let budget = budget(&shared, &question.budget, &session, stop)?;
            let changed = Arc::new(Notify::new());
            let notice = changed.clone();
            session.set_notice(Arc::new(move || notice.notify_one()));
            session.set_snapshot_pace(question.every);
            session.start(&budget, Seed(question.seed).derive(steps as u64))?;
            let candidates = question.candidates.unwrap_or(USUAL_CANDIDATES);
            Ok(Searching { shared, session, position, plays_in: question.plays_in, candidates, changed, slot })
        })
        .await
    }

    /// The canonical spec of the agent.
    pub(crate) fn agent(&self) -> &Spec {
        self.session.agent()
    }

    /// What gives notice when it has its first snapshot and when it has ended.
    pub(crate) fn notices(&self) -> Notices {
        Notices(self.changed.clone())
    }

    pub(crate) fn is_running(&self) -> bool {
        self.session.is_thinking()
    }

    /// Whether it has had its turn and another waits for its place.
    pub(crate) fn makes_way(&self) -> bool {
        self.slot.makes_way()
    }

    /// What it would answer now.
    pub(crate) fn snapshot(&self) -> Option<Report<String>> {
        self.session.snapshot()
    }

    pub(crate) fn told(&self, report: &Report<String>, has_ended: bool) -> api::Report {
        let program = self.shared.program.as_ref();
        reports::told(program, self.position.as_ref(), report, self.candidates, has_ended)
    }

    /// Takes the answer of a search that has ended, and plays it if it is to be played.
    pub(crate) async fn finish(mut self) -> Result<Finished, Refusal> {
        blocking(move || {
            let report = self.session.wait()?;
            let state = match &self.plays_in {
                None => None,
                Some(source) => Some(play(&self.shared, source, self.position.as_ref(), &report)?),
            };
            Ok(Finished { report: self.told(&report, true), state })
        })
        .await
    }
}

/// Plays the answer of a search, unless the game has changed in between.
fn play(
    shared: &Shared,
    source: &Source,
    position: &dyn AnyPosition,
    report: &Report<String>,
) -> Result<State, Refusal> {
    let mut game = locked(&source.game);
    if game.version != source.version {
        return Err(Refusal::conflict("the game has changed during the search; the move was not played"));
    }
    match shared.program.move_to_play(position, report) {
        Some(mv) => game.play(&mv)?,
        None if report.resigns => game.resign(None, false)?,
        None => return Err(Refusal::unsupported("the agent found no move")),
    }
    game.state(Some(&source.id), Wanted::default())
}

/// The budget of a search: what was asked for, within what the server allows.
fn budget(shared: &Shared, wanted: &api::Budget, session: &Session, stop: StopFlag) -> Result<Budget, Refusal> {
    let limits = &shared.limits;
    let api::Budget { iterations, nodes, seconds, memory_mb, threads } = *wanted;
    if seconds.is_some_and(|seconds| !(seconds > 0.0 && seconds.is_finite())) {
        return Err(Refusal::bad_request("seconds: expected a number above 0"));
    }
    let time = seconds.map_or(limits.time, |seconds| Duration::from_secs_f64(seconds.min(limits.time.as_secs_f64())));
    let is_limited = iterations.is_some() || nodes.is_some() || seconds.is_some();
    // An agent that ends by itself has a limit too: on a large board it would search for hours.
    let usual = || usual_effort(&Spec::bare(AUTO.name), session.agent(), session.position());
    let (iterations, nodes) = if is_limited { (iterations, nodes) } else { usual() };
    let most = limits.bytes_per_search();
    let memory = memory_mb.map_or(most, |megabytes| megabytes.saturating_mul(1 << 20).clamp(1 << 20, most));
    Ok(Budget {
        iterations,
        nodes,
        depth: None,
        soft_time: None,
        hard_time: Some(time),
        memory: Some(memory),
        threads: NonZeroU32::new(threads.unwrap_or(1).clamp(1, limits.threads)),
        stop,
    })
}
