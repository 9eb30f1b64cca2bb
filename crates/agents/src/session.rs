//! A game under way, with an agent that thinks in a thread of its own.
//!
//! The seam for protocols, the terminal and the web: they play and take back moves,
//! start a search, look at it while it runs, stop it for its answer, or abort it.
//! At most one search runs at a time, and it always searches the current position:
//! playing or taking back a move aborts it.
//!
//! A game goes in *steps*: a move, or another position put on the table (a handicap, a side that
//! moves out of turn). Every step can be taken back (see `history.rs`). The agent is told of the
//! last position put on the table and the moves since.

use crate::history::{Full, History};
use crate::records::{self, Record};
use crate::{Access, AnyAgent, AnyPosition, StartedGame, agent_for, start_game_with};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use tesuji_core::spec::{Spec, SpecError};
use tesuji_core::{Budget, MOST_SET_UPS, MOST_STEPS, MoveError, Observer, Pace, Player, Report, Seed, StopFlag};
use tesuji_search::SearchError;

/// How often a running search leaves a snapshot; one of little time more often, an eighth of it.
const SNAPSHOT_PACE: Duration = Duration::from_millis(20);
const FASTEST_PACE: Duration = Duration::from_millis(2);

/// Why a session cannot do what was asked.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SessionError {
    /// A game or agent that does not exist.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A move that cannot be played.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// The search refused.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// A search is running already.
    #[error("a search is running; stop or abort it first")]
    Busy,
    /// No search is running.
    #[error("no search is running")]
    Idle,
    /// No move to take back.
    #[error("there is no move to take back")]
    NothingToUndo,
    /// The game is as long as a game may be.
    #[error("the game has {MOST_STEPS} steps, and a game of more is not kept; begin another game")]
    TooLong,
    /// A position too many was set up.
    #[error("{MOST_SET_UPS} positions were set up in this game, and more are not kept; begin another game")]
    TooManySetUps,
    /// The search panicked: a bug. The game is unharmed.
    #[error("the search failed: {0}")]
    Failed(String),
}

/// Called in the thread of a search when its first snapshot is there and when it has ended. It must
/// not block.
pub type Notice = Arc<dyn Fn() + Send + Sync>;

type Thinking = JoinHandle<(Box<dyn AnyAgent>, Result<Report<String>, SearchError>)>;

struct Running {
    thread: Thinking,
    stop: StopFlag,
    progress: Arc<Progress>,
}

/// What the thread of a search publishes.
struct Progress {
    latest: Mutex<Option<Report<String>>>,
    ended: AtomicBool,
    notice: Option<Notice>,
}

impl Progress {
    fn notify(&self) {
        if let Some(notice) = &self.notice {
            notice();
        }
    }

    fn latest(&self) -> Option<Report<String>> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Publishes the end of a search when it is dropped, also by a panic.
struct EndOfSearch(Arc<Progress>);

impl Drop for EndOfSearch {
    fn drop(&mut self) {
        self.0.ended.store(true, Ordering::Release);
        self.0.notify();
    }
}

impl From<Full> for SessionError {
    fn from(full: Full) -> SessionError {
        match full {
            Full::Steps => SessionError::TooLong,
            Full::SetUps => SessionError::TooManySetUps,
        }
    }
}

/// A game and an agent.
pub struct Session {
    /// The game so far.
    history: History,
    /// Where the moves begin: the position put on the table last.
    base: Arc<dyn AnyPosition>,
    /// The moves since then.
    moves: Vec<String>,
    game: Spec,
    /// The agent as it was asked for, which may leave the choice to the game, and what that is
    /// here.
    asked: Spec,
    agent_spec: Spec,
    /// What the specs given to this session may open and start.
    access: Access,
    agent: Option<Box<dyn AnyAgent>>,
    running: Option<Running>,
    notice: Option<Notice>,
    snapshot_pace: Duration,
}

impl Session {
    /// Starts a game with an agent at hand. Neither these specs nor later ones open or start
    /// anything.
    ///
    /// # Errors
    /// If either spec names nothing that exists.
    pub fn new(game: &Spec, agent: &Spec) -> Result<Session, SessionError> {
        Session::with_access(game, agent, Access::restricted())
    }

    /// The same, with what these specs and all later ones may open and start.
    ///
    /// # Errors
    /// If either spec names nothing, or an outside agent does not start.
    pub fn with_access(game: &Spec, agent: &Spec, access: Access) -> Result<Session, SessionError> {
        let StartedGame { position: start, spec: canonical } = start_game_with(game, &access)?;
        let chosen = agent_for(agent, start.as_ref())?;
        let mut player = start.agent_with(&chosen, &access)?;
        player.begin(start.as_ref(), &[])?;
        let history = History::new(start);
        Ok(Session {
            base: history.current().clone(),
            history,
            moves: Vec::new(),
            game: canonical,
            asked: agent.clone(),
            agent_spec: crate::canonical_agent(&chosen)?,
            access,
            agent: Some(player),
            running: None,
            notice: None,
            snapshot_pace: SNAPSHOT_PACE,
        })
    }

    /// Sets what the searches started from now on call at their first snapshot and at their end, so
    /// that a caller can wait for a search and for other events at once. At the end
    /// [`is_thinking`](Session::is_thinking) is false already.
    pub fn set_notice(&mut self, notice: Notice) {
        self.notice = Some(notice);
    }

    /// Sets how often the searches started from now on leave a snapshot: for a caller who looks more
    /// rarely than every 20 ms. Each snapshot costs the search a report.
    pub fn set_snapshot_pace(&mut self, pace: Duration) {
        self.snapshot_pace = pace.max(FASTEST_PACE);
    }

    /// The canonical spec of the game.
    #[must_use]
    pub fn game(&self) -> &Spec {
        &self.game
    }

    /// The canonical spec of the agent.
    #[must_use]
    pub fn agent(&self) -> &Spec {
        &self.agent_spec
    }

    /// What an engine outside calls itself, or else its program's name. Nothing if the agent is ours,
    /// or while it searches.
    #[must_use]
    pub fn engine_name(&self) -> Option<String> {
        self.agent.as_ref()?.own_name()
    }

    /// What the agent is called in text for people: [`engine_name`](Self::engine_name), or else that
    /// of its spec.
    #[must_use]
    pub fn player_name(&self) -> String {
        self.engine_name().unwrap_or_else(|| self.agent_spec.name.clone())
    }

    /// The agent as it was asked for: `auto` leaves the choice to the game, and another game
    /// makes another choice.
    #[must_use]
    pub fn asked_agent(&self) -> &Spec {
        &self.asked
    }

    /// What the specs given to this session may open and start.
    #[must_use]
    pub fn access(&self) -> &Access {
        &self.access
    }

    /// The current position.
    #[must_use]
    pub fn position(&self) -> &dyn AnyPosition {
        self.history.current().as_ref()
    }

    /// The position the moves begin from: the start of the game, or what was put on the table last.
    #[must_use]
    pub fn start_position(&self) -> &dyn AnyPosition {
        self.base.as_ref()
    }

    /// The moves so far, from [`start_position`](Session::start_position).
    #[must_use]
    pub fn moves(&self) -> &[String] {
        &self.moves
    }

    /// How many steps can be taken back.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.history.len()
    }

    /// How the game went, from its start: every step. Moves may be out of turn, in games that allow
    /// it.
    #[must_use]
    pub fn history(&self) -> Vec<records::Step> {
        self.history.steps()
    }

    /// The position at the start of the game.
    #[must_use]
    pub fn first_position(&self) -> &dyn AnyPosition {
        self.history.first()
    }

    /// Plays a game that was read, from its start. Answers how many steps there were before each
    /// move, the change of the side to move before it counted to the move.
    ///
    /// # Errors
    /// If the agent does not play it.
    pub fn replay(&mut self, record: Record) -> Result<Vec<usize>, SessionError> {
        self.restart(&record.game)?;
        let mut marks = Vec::new();
        for step in record.steps {
            match step {
                records::Step::Set(position) => self.set(position)?,
                records::Step::Move(player, mv) => {
                    marks.push(self.history.len());
                    // A player who cannot move here is refused with the move.
                    let _ = self.turn_to(player);
                    self.play(&mv)?;
                }
            }
        }
        Ok(marks)
    }

    /// The last move, if the last step was one.
    #[must_use]
    pub fn last_move(&self) -> Option<&str> {
        self.moves.last().map(String::as_str)
    }

    /// Plays a move and answers it as the game writes it. A running search is aborted.
    ///
    /// # Errors
    /// If the move is not legal; nothing has changed then.
    pub fn play(&mut self, text: &str) -> Result<&str, SessionError> {
        self.history.room(false)?;
        let mut next = self.position().boxed_clone();
        let (player, shown) = (next.turn(), next.play(text)?);
        self.abort();
        if let Some(agent) = &mut self.agent {
            agent.follow(player, &shown)?;
        }
        self.history.moved(player, &shown, next);
        self.moves.push(shown);
        Ok(self.moves.last().expect("just played"))
    }

    /// Puts another position of the same game on the table. A running search is aborted.
    ///
    /// # Errors
    /// If the agent does not take it, or too many were put there; nothing has changed then.
    pub fn set(&mut self, position: Box<dyn AnyPosition>) -> Result<(), SessionError> {
        self.history.room(true)?;
        self.put(position.as_ref())?;
        self.history.set(position);
        self.base = self.history.current().clone();
        Ok(())
    }

    /// Makes it this player's turn, as a step of its own, in games that allow it; no step if it is
    /// already. A running search is aborted.
    ///
    /// # Errors
    /// If the game does not allow it, or the agent does not take it; nothing has changed then.
    pub fn turn_to(&mut self, player: Player) -> Result<(), SessionError> {
        let turned = records::turned(self.position(), player).map_err(SearchError::Unsupported)?;
        let Some(position) = turned else { return Ok(()) };
        self.history.room(self.history.turning_sets_up())?;
        self.put(position.as_ref())?;
        self.history.turned(player, position);
        self.base = self.history.current().clone();
        Ok(())
    }

    /// Tells the agent of a position that is put on the table.
    fn put(&mut self, position: &dyn AnyPosition) -> Result<(), SessionError> {
        self.abort();
        if let Some(agent) = &mut self.agent {
            agent.begin(position, &[])?;
        }
        self.moves.clear();
        Ok(())
    }

    /// Changes every position of the game in the same way, such as its komi: the steps stay, and
    /// can be taken back as before. A running search is aborted. `game` is what the game is called
    /// from now on.
    ///
    /// # Errors
    /// If the spec names no game, a position cannot be changed, or the agent does not take it;
    /// nothing has changed then.
    pub fn change_all(
        &mut self,
        game: &Spec,
        change: impl Fn(&dyn AnyPosition) -> Option<Box<dyn AnyPosition>>,
    ) -> Result<(), SessionError> {
        let StartedGame { spec: canonical, .. } = start_game_with(game, &self.access)?;
        let changed = self.history.changed(change);
        let changed =
            changed.ok_or_else(|| SearchError::Unsupported("the positions of this game cannot be changed".into()))?;
        let base = changed.at(changed.base());
        let mut agent = base.agent_with(&self.agent_spec, &self.access)?;
        agent.begin(base.as_ref(), &self.moves)?;
        self.abort();
        self.agent = Some(agent);
        (self.history, self.base) = (changed, base);
        self.game = canonical;
        Ok(())
    }

    /// Takes back the last step. A running search is aborted.
    ///
    /// # Errors
    /// If there is none.
    pub fn undo(&mut self) -> Result<(), SessionError> {
        let Some(was_move) = self.history.undo() else { return Err(SessionError::NothingToUndo) };
        self.abort();
        if was_move {
            self.moves.pop();
        } else {
            let base = self.history.base();
            self.base = self.history.at(base);
            self.moves = self.history.moves_since(base);
        }
        if let Some(agent) = &mut self.agent {
            agent.begin(self.base.as_ref(), &self.moves)?;
        }
        Ok(())
    }

    /// Restarts the game, or starts another one, with the same agent. A running search is aborted.
    ///
    /// # Errors
    /// If the spec names no game, or the agent does not play it; nothing has changed then.
    pub fn restart(&mut self, game: &Spec) -> Result<(), SessionError> {
        let StartedGame { position: start, spec: canonical } = start_game_with(game, &self.access)?;
        self.abort();
        let chosen = agent_for(&self.asked, start.as_ref())?;
        let agent_spec = crate::canonical_agent(&chosen)?;
        let same = canonical == self.game && agent_spec == self.agent_spec;
        match self.agent.take().filter(|_| same) {
            Some(mut agent) => {
                let begun = agent.begin(start.as_ref(), &[]);
                self.agent = Some(agent);
                begun?;
            }
            None => {
                let mut agent = start.agent_with(&agent_spec, &self.access)?;
                agent.begin(start.as_ref(), &[])?;
                self.agent = Some(agent);
            }
        }
        self.agent_spec = agent_spec;
        self.history = History::new(start);
        self.base = self.history.current().clone();
        self.moves.clear();
        self.game = canonical;
        Ok(())
    }

    /// Lets another agent play on. A running search is aborted.
    ///
    /// # Errors
    /// If the spec names no agent, or it does not play this game; nothing has changed then.
    pub fn change_agent(&mut self, agent: &Spec) -> Result<(), SessionError> {
        let chosen = agent_for(agent, self.first_position())?;
        let canonical = crate::canonical_agent(&chosen)?;
        let mut player = self.position().agent_with(&chosen, &self.access)?;
        player.begin(self.base.as_ref(), &self.moves)?;
        self.abort();
        self.agent = Some(player);
        self.agent_spec = canonical;
        self.asked = agent.clone();
        Ok(())
    }

    /// Starts the agent on the current position, in its own thread. The budget's own stop flag
    /// stops it as well.
    ///
    /// # Errors
    /// If a search is running already, or the game has ended.
    pub fn start(&mut self, budget: &Budget, seed: Seed) -> Result<(), SessionError> {
        if self.running.is_some() {
            return Err(SessionError::Busy);
        }
        if self.position().outcome().is_some() {
            return Err(SearchError::Ended.into());
        }
        let mut agent = match self.agent.take() {
            Some(agent) => agent,
            // The last search took the agent down with it: make a new one.
            None => {
                let mut agent = self.position().agent_with(&self.agent_spec, &self.access)?;
                agent.begin(self.base.as_ref(), &self.moves)?;
                agent
            }
        };
        let position = self.position().boxed_clone();
        // A flag of its own, thrown with the caller's: stopping this search stops nothing else.
        let stop = budget.stop.child();
        let budget = Budget { stop: stop.clone(), ..budget.clone() };
        let notice = self.notice.clone();
        let progress = Arc::new(Progress { latest: Mutex::new(None), ended: AtomicBool::new(false), notice });
        let usual = self.snapshot_pace;
        let pace = budget.hard_time.map_or(usual, |time| (time / 8).clamp(FASTEST_PACE, usual));
        let mut snapshots = Snapshots { progress: progress.clone(), pace };
        let end = EndOfSearch(progress.clone());
        let thread = std::thread::spawn(move || {
            let _end = end;
            let report = agent.think(position.as_ref(), &budget, seed, &mut snapshots);
            (agent, report)
        });
        self.running = Some(Running { thread, stop, progress });
        Ok(())
    }

    /// Whether a search is running and has not finished by itself.
    #[must_use]
    pub fn is_thinking(&self) -> bool {
        self.running.as_ref().is_some_and(|running| !running.progress.ended.load(Ordering::Acquire))
    }

    /// Whether a search was started whose answer has not been taken yet.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.running.is_some()
    }

    /// What the running search would answer now; nothing in its first moments, or when none runs.
    #[must_use]
    pub fn snapshot(&self) -> Option<Report<String>> {
        self.running.as_ref()?.progress.latest()
    }

    /// Asks the running search, if any, to answer soon; does not wait for it.
    pub fn hurry(&self) {
        if let Some(running) = &self.running {
            running.stop.stop();
        }
    }

    /// Waits for the running search to finish by itself and answers.
    ///
    /// # Errors
    /// If none runs, or it failed.
    pub fn wait(&mut self) -> Result<Report<String>, SessionError> {
        let running = self.running.take().ok_or(SessionError::Idle)?;
        match running.thread.join() {
            Ok((agent, report)) => {
                self.agent = Some(agent);
                Ok(report?)
            }
            Err(panic) => {
                let text = panic.downcast_ref::<String>().map(String::as_str);
                let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
                Err(SessionError::Failed(text.unwrap_or("no reason given").into()))
            }
        }
    }

    /// Stops the running search and takes its answer.
    ///
    /// # Errors
    /// If none runs, or it failed.
    pub fn stop(&mut self) -> Result<Report<String>, SessionError> {
        self.running.as_ref().ok_or(SessionError::Idle)?.stop.stop();
        self.wait()
    }

    /// Stops the running search, if any, and forgets its answer.
    pub fn abort(&mut self) {
        // Its answer is of no use.
        let _ = self.stop();
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.abort();
    }
}

struct Snapshots {
    progress: Arc<Progress>,
    pace: Duration,
}

impl Observer<String> for Snapshots {
    fn pace(&self) -> Option<Pace> {
        Some(Pace::Time(self.pace))
    }

    fn progress(&mut self, report: &Report<String>) {
        let mut latest = self.progress.latest.lock().unwrap_or_else(PoisonError::into_inner);
        let is_first = latest.replace(report.clone()).is_none();
        drop(latest);
        if is_first {
            self.progress.notify();
        }
    }
}
