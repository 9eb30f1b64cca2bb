//! A session with limits, seed and clocks: what every adapter holds.

use super::clock::Clock;
use super::memory::obtainable;
use super::search_task::SearchTask;
use std::num::NonZeroU32;
use std::time::{Duration, Instant};
use tesuji_agents::records::Details;
use tesuji_agents::{
    Access, Notice, Session, SessionError, StartedGame, agent_descriptions, games, is_auto, records, usual_effort,
};
use tesuji_core::spec::{Argument, Place, Spec, SpecValue};
use tesuji_core::{Budget, Player, Seed};

/// What a search may still take once the input has ended, unless the command line says otherwise.
pub const GRACE: Duration = Duration::from_secs(5);

/// How an engine is set up, from the command line.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The game.
    pub game: Spec,
    /// The agent.
    pub agent: Spec,
    /// The limits of a move, if no clock says otherwise.
    pub limits: Budget,
    /// Whether the command line or the client gave those limits: then they hold beside a clock too.
    pub chosen: bool,
    /// The seed of everything random.
    pub seed: Seed,
    /// Whether to think in the other side's time.
    pub ponder: bool,
    /// What a search may still take once the input has ended.
    pub grace: Duration,
    /// What clients may open and start beyond the files and programs that `game` and `agent` name.
    pub access: Access,
}

/// A session with limits, seed and clocks.
pub struct Engine {
    /// The game and the agent.
    pub session: Session,
    /// How it was set up; the game is the one being played now.
    pub setup: Setup,
    /// The clocks.
    pub clock: Clock,
    /// Bytes for trees and tables unless the protocol sets them.
    usual_memory: Option<u64>,
    /// Games of this run before this one.
    games: u64,
    /// Whether anything was searched in this game.
    has_searched: bool,
    /// What searches give notice with.
    notice: Option<Notice>,
}

impl Engine {
    /// Sets an engine up.
    ///
    /// # Errors
    /// If the game or the agent does not exist.
    pub fn new(setup: Setup) -> Result<Engine, SessionError> {
        let descriptions: Vec<_> = games().iter().map(|game| game.description).collect();
        let access = setup.access.with_spec(&setup.game, &descriptions).with_spec(&setup.agent, &agent_descriptions());
        let session = Session::with_access(&setup.game, &setup.agent, access)?;
        let usual_memory = setup.limits.memory;
        Ok(Engine {
            session,
            setup,
            clock: Clock::default(),
            usual_memory,
            games: 0,
            has_searched: false,
            notice: None,
        })
    }

    /// Has all searches give this notice, from now on.
    pub fn connect(&mut self, notice: Notice) {
        self.session.set_notice(notice.clone());
        self.notice = Some(notice);
    }

    /// Another session, for a search beside the game.
    ///
    /// # Errors
    /// If either spec names nothing that exists.
    pub fn other_session(&self, game: &Spec, agent: &Spec) -> Result<Session, SessionError> {
        let mut session = Session::with_access(game, agent, self.session.access().clone())?;
        if let Some(notice) = &self.notice {
            session.set_notice(notice.clone());
        }
        Ok(session)
    }

    /// Begins a new game, possibly another one.
    ///
    /// # Errors
    /// If there is no such game; nothing has changed then.
    pub fn restart(&mut self, game: &Spec) -> Result<(), SessionError> {
        self.session.restart(game)?;
        self.setup.game = game.clone();
        // Another game may have another strongest agent, with other limits.
        let asked = self.session.asked_agent();
        if !self.setup.chosen && is_auto(asked) {
            let limits = &mut self.setup.limits;
            (limits.iterations, limits.nodes) = usual_effort(asked, self.session.agent(), self.session.position());
        }
        self.clock.restart();
        Ok(())
    }

    /// The client says that another game of the run begins: it gets a seed of its own, unless
    /// nothing was searched in the game before it.
    pub fn next_game(&mut self) {
        self.games += u64::from(std::mem::take(&mut self.has_searched));
    }

    /// Sets the seed of a run, which begins with this game.
    pub fn set_seed(&mut self, seed: Seed) {
        self.setup.seed = seed;
        (self.games, self.has_searched) = (0, false);
    }

    /// The seed of this game: the run's own for the first, then one derived for each, so that games
    /// differ and the run is reproducible from its seed.
    fn game_seed(&self) -> Seed {
        match self.games {
            0 => self.setup.seed,
            // No game has this number of steps.
            games => self.setup.seed.derive(u64::MAX).derive(games),
        }
    }

    /// The budget of a move: the clock's allowance, and the chosen limits.
    #[must_use]
    pub fn budget(&self, player: Player) -> Budget {
        let legal = self.session.position().moves().len() as u32;
        match self.clock.allowance(player, (legal / 2).clamp(8, 60)) {
            None => self.setup.limits.clone(),
            Some(time) => self.budget_of(time),
        }
    }

    /// The budget of a search of this time.
    #[must_use]
    pub fn budget_of(&self, time: Duration) -> Budget {
        let limits = &self.setup.limits;
        let shorter = |limit: Option<Duration>| Some(limit.filter(|_| self.setup.chosen).unwrap_or(time).min(time));
        Budget {
            iterations: limits.iterations.filter(|_| self.setup.chosen),
            nodes: limits.nodes.filter(|_| self.setup.chosen),
            soft_time: shorter(limits.soft_time),
            hard_time: shorter(limits.hard_time),
            ..limits.clone()
        }
    }

    /// A budget without limits of work or time, with the same memory and threads.
    #[must_use]
    pub fn endless(&self) -> Budget {
        Budget { memory: self.setup.limits.memory, threads: self.setup.limits.threads, ..Budget::unlimited() }
    }

    /// Starts the agent on the current position.
    ///
    /// # Errors
    /// If the game has ended.
    pub fn start(&mut self, budget: &Budget) -> Result<SearchTask, SessionError> {
        self.session.abort();
        let seed = self.game_seed().derive(self.session.steps() as u64);
        self.session.start(budget, seed)?;
        self.has_searched = true;
        Ok(self.task(Instant::now()))
    }

    /// A task for a search that was started then.
    #[must_use]
    pub fn task(&self, began: Instant) -> SearchTask {
        SearchTask::new(began, self.setup.grace)
    }

    /// Sets the bytes for trees and tables, at most what the system gives; nothing stands for those
    /// of the setup.
    pub fn set_memory(&mut self, bytes: Option<u64>) {
        self.setup.limits.memory = bytes.map(obtainable).or(self.usual_memory);
    }

    /// Sets the number of threads.
    pub fn set_threads(&mut self, threads: u32) {
        self.setup.limits.threads = NonZeroU32::new(threads);
    }
}

/// The spec with these arguments changed, and without those that set up a position.
#[must_use]
pub fn changed(spec: &Spec, arguments: &[(&str, SpecValue)]) -> Spec {
    let mut spec = spec.clone();
    spec.arguments.retain(|argument| {
        !["sgf", "move", "position", "fen", "random_plies", "handicap"].contains(&argument.name.as_str())
            && arguments.iter().all(|(name, _)| *name != argument.name)
    });
    spec.arguments.extend(arguments.iter().map(|(name, value)| Argument {
        name: (*name).to_string(),
        value: value.clone(),
        at: Place(0),
    }));
    spec
}

/// Plays the main line of an SGF file into a session, up to `most` moves. In Go the board takes the
/// file's size, komi and rules. Returns the number of steps before each move.
///
/// # Errors
/// If the file is not SGF, not this game, or a move is not legal; nothing has changed then.
pub fn load_record(session: &mut Session, bytes: &[u8], most: Option<usize>) -> Result<Vec<usize>, String> {
    let game = StartedGame { position: session.first_position().boxed_clone(), spec: session.game().clone() };
    let record = records::read_as(game, bytes, most)?;
    session.replay(record).map_err(|error| error.to_string())
}

/// The SGF record of a session's game, with these details.
///
/// # Errors
/// If the record would be too large, or stones were set up in another game than Go.
pub fn save_record(session: &Session, details: &Details) -> Result<String, String> {
    records::write_with(session.game(), session.first_position(), &session.history(), details)
}

#[cfg(test)]
mod tests {
    use super::{Engine, GRACE, Setup};
    use tesuji_core::{Budget, Seed};

    /// `auto` follows the game, with the limits of its agent; an agent that was named stays.
    #[test]
    fn another_game_has_another_strongest_agent() {
        let spec = |text: &str| text.parse().expect("a spec");
        let setup = Setup {
            game: spec("go(size=9)"),
            agent: spec("auto(resign=0.03,pass=0.02)"),
            limits: Budget::iterations(10_000),
            chosen: false,
            seed: Seed(1),
            ponder: false,
            grace: GRACE,
            access: tesuji_agents::Access::restricted(),
        };
        let mut engine = Engine::new(setup).expect("an engine");
        let told = |engine: &Engine| {
            let limits = &engine.setup.limits;
            (engine.session.agent().name.clone(), limits.iterations, limits.nodes)
        };
        assert_eq!(told(&engine), ("zero".into(), Some(10_000), None));
        engine.restart(&spec("othello")).expect("a game");
        assert_eq!(told(&engine), ("alpha-beta".into(), None, Some(1_000_000)));
        engine.restart(&spec("go(size=9)")).expect("a game");
        assert_eq!(told(&engine), ("zero".into(), Some(1_000), None));
        engine.restart(&spec("go(size=5)")).expect("a game");
        assert_eq!(told(&engine), ("mcts".into(), Some(10_000), None));
        engine.session.change_agent(&spec("rps")).expect("an agent");
        engine.restart(&spec("othello")).expect("a game");
        assert_eq!(told(&engine), ("rps".into(), Some(10_000), None));
    }
}
