//! A session with limits, seed and clocks: what every adapter holds.

use super::clock::Clock;
use super::memory::obtainable;
use super::search_task::SearchTask;
use std::num::NonZeroU32;
use std::time::{Duration, Instant};
use tesuji_agents::{
    Access, Notice, Session, SessionError, StartedGame, agent_descriptions, games, is_auto, records, usual_effort,
};
use tesuji_core::spec::{Argument, Place, Spec, SpecValue};
use tesuji_core::{Budget, Player, Report, RootMove, Seed};

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
        Ok(Engine { session, setup, clock: Clock::default(), usual_memory, notice: None })
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
            (limits.iterations, limits.nodes) = usual_effort(asked, self.session.agent());
        }
        self.clock.restart();
        Ok(())
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
        let seed = self.setup.seed.derive(self.session.steps() as u64);
        self.session.start(budget, seed)?;
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

/// The root moves of a report, best first: the chosen one, then those with a line of their own by
/// value, then the others by visits and by value. Moves never tried are left out.
#[must_use]
pub fn ranked(report: &Report<String>) -> Vec<&RootMove<String>> {
    let mut moves: Vec<&RootMove<String>> =
        report.root.iter().filter(|entry| entry.visits > 0 || entry.value.is_some()).collect();
    let chosen = |entry: &RootMove<String>| Some(&entry.mv) == report.best.as_ref();
    let value = |entry: &RootMove<String>| entry.value.map_or(-1.0, |value| value.for_player(report.turn));
    // Visits of a move with an exact value count work, and do not rank it.
    let rank = |entry: &RootMove<String>| {
        let is_exact = !entry.line.is_empty();
        (chosen(entry), is_exact, if is_exact { 0 } else { entry.visits })
    };
    moves.sort_by(|a, b| rank(b).cmp(&rank(a)).then(value(b).total_cmp(&value(a))).then(a.mv.cmp(&b.mv)));
    moves
}

/// The expected continuation from a root move, beginning with it.
#[must_use]
pub fn line_of<'a>(report: &'a Report<String>, entry: &'a RootMove<String>) -> &'a [String] {
    if report.line.first() == Some(&entry.mv) {
        &report.line
    } else if entry.line.is_empty() {
        std::slice::from_ref(&entry.mv)
    } else {
        &entry.line
    }
}

/// The winrate of a root move for the side to move: the proved value if there is one, else the
/// estimate.
#[must_use]
pub fn winrate(entry: &RootMove<String>, turn: Player) -> f64 {
    match entry.bounds.proved() {
        Some(score) => score.for_player(turn).to_f64(),
        None => entry.value.map_or(0.5, |value| value.for_player(turn)),
    }
}

/// The lower confidence bound of a value for the side to move: the value itself if it is proved,
/// and never more than the value.
#[must_use]
pub fn lower_bound(entry: &RootMove<String>, value: f64) -> f64 {
    let lower = entry.confidence.filter(|_| entry.bounds.proved().is_none()).map_or(value, |(lower, _)| lower);
    lower.clamp(0.0, 1.0).min(value)
}

/// A winrate in centipawns on the logistic scale of Elo: 0.5 is 0, 0.75 about 191.
#[must_use]
pub fn centipawns(winrate: f64) -> i32 {
    let bounded = winrate.clamp(1e-4, 1.0 - 1e-4);
    (400.0 * (bounded / (1.0 - bounded)).log10()).round() as i32
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

/// The SGF record of a session's game.
///
/// # Errors
/// If the record would be too large, or stones were set up in another game than Go.
pub fn save_record(session: &Session) -> Result<String, String> {
    records::write(session.game(), session.first_position(), &session.trail())
}

#[cfg(test)]
mod tests {
    use super::{Engine, GRACE, Setup, line_of, lower_bound, ranked, winrate};
    use tesuji_core::{Bounds, Budget, Player, Report, RootMove, Score, Seed, Value};

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
            access: tesuji_agents::Access::stranger(),
        };
        let mut engine = Engine::new(setup).expect("an engine");
        let told = |engine: &Engine| {
            let limits = &engine.setup.limits;
            (engine.session.agent().name.clone(), limits.iterations, limits.nodes)
        };
        assert_eq!(told(&engine), ("mcts".into(), Some(10_000), None));
        engine.restart(&spec("othello")).expect("a game");
        assert_eq!(told(&engine), ("alpha-beta".into(), None, Some(1_000_000)));
        engine.restart(&spec("go(size=5)")).expect("a game");
        assert_eq!(told(&engine), ("mcts".into(), Some(10_000), None));
        engine.session.change_agent(&spec("rps")).expect("an agent");
        engine.restart(&spec("othello")).expect("a game");
        assert_eq!(told(&engine), ("rps".into(), Some(10_000), None));
    }

    /// Moves with lines of their own come first, by value, however much work the others took.
    #[test]
    fn exact_moves_come_before_the_others() {
        let entry = |mv: &str, visits, value, line: &[&str]| RootMove {
            visits,
            value: Some(Value::new(value)),
            line: line.iter().map(|mv| (*mv).to_string()).collect(),
            ..RootMove::untried(mv.to_string())
        };
        let mut report = Report::empty(Player::First);
        report.root = vec![
            entry("a", 900, 0.2, &[]),
            entry("b", 50, 0.4, &["b", "x"]),
            entry("c", 10, 0.5, &["c", "y"]),
            entry("d", 70, 0.6, &["d", "z"]),
            entry("e", 950, 0.1, &[]),
        ];
        (report.best, report.line) = (Some("d".into()), vec!["d".into(), "z".into(), "w".into()]);
        let lines: Vec<String> = ranked(&report).into_iter().map(|entry| line_of(&report, entry).join(" ")).collect();
        assert_eq!(lines, ["d z w", "c y", "b x", "e", "a"]);
    }

    /// A confidence bound from before a proof does not exceed the proved value.
    #[test]
    fn a_lower_bound_is_at_most_the_value() {
        let mut entry = RootMove { confidence: Some((0.4, 0.6)), ..RootMove::untried("A1".to_string()) };
        entry.value = Some(Value::new(0.5));
        assert_eq!(lower_bound(&entry, winrate(&entry, Player::First)), 0.4);
        entry.confidence = Some((-0.3, 0.6));
        assert_eq!(lower_bound(&entry, winrate(&entry, Player::First)), 0.0);
        for score in [Score::LOSS, Score::DRAW, Score::WIN] {
            entry.confidence = Some((0.7, 0.9));
            entry.bounds = Bounds::exact(score);
            let value = winrate(&entry, Player::First);
            assert_eq!((value, lower_bound(&entry, value)), (score.to_f64(), score.to_f64()));
        }
    }
}
