//! The registry: which games and agents there are, for the whole program.
//!
//! [`Registry::ours`] has the games and searches of this repository. A program of its own adds
//! games and agents and installs the result once, before anything is looked up; without that, ours
//! is in force. Every lookup by name goes through here: commands, protocols, sessions, records,
//! Python.
//!
//! An agent from outside is compiled once, over [`Opaque`](crate::Opaque) positions, and serves all
//! games; a game from outside is compiled with all of our searches.

use crate::access::Access;
use crate::any::{AnyAgent, AnyPosition, Made};
use crate::erased::Erased;
use crate::opaque::Opaque;
use crate::searches::{self, Profile};
use std::any::Any;
use std::sync::{Arc, OnceLock};
use tesuji_core::spec::{
    ArgumentError, Arguments, Description, Kind, NoResources, Parameter, Spec, SpecError, resolve, resolve_with, short,
};
use tesuji_core::{Conventions, Game, Notation, Studied};
use tesuji_games::{connect6, go, gomoku, goproblem, hex, mnk, othello, synthetic, tictactoe, xiangqi};
use tesuji_search::{Search, Technique};

/// A game of the registry.
#[derive(Clone, Copy)]
pub struct GameInfo {
    /// Its name and parameters.
    pub description: Description,
    /// Its name for people; nothing if it states none.
    pub title: &'static str,
    /// What a move looks like.
    pub moves: &'static str,
    /// The conventions of protocols for it.
    pub conventions: Conventions,
    start: fn(&mut Arguments) -> Result<Box<dyn AnyPosition>, ArgumentError>,
    erase: fn(&dyn Any) -> Option<Box<dyn AnyPosition>>,
}

impl GameInfo {
    /// The start of the game of bare name.
    fn usual_start(&self) -> Box<dyn AnyPosition> {
        let bare = Spec::bare(self.description.name);
        let (_, mut arguments) = resolve_with(&bare, "game", &[self.description], &(Arc::new(NoResources) as _))
            .expect("every game has defaults for its parameters");
        (self.start)(&mut arguments).expect("every game starts with its defaults")
    }

    /// The spec of the strongest agent for the game of bare name; other sizes may have another.
    #[must_use]
    pub fn strongest(&self) -> &'static str {
        self.usual_start().strongest()
    }

    /// The spec of the agent that solves the game of bare name.
    #[must_use]
    pub fn solver(&self) -> &'static str {
        self.usual_start().solver()
    }
}

/// An agent of the registry.
#[derive(Clone)]
pub struct AgentInfo {
    /// Its name and parameters.
    pub description: Description,
    /// Whether it goes on for ever unless a budget ends it.
    pub endless: bool,
    /// Whether it uses several threads.
    pub parallel: bool,
    /// Whether a limit of iterations or nodes reaches it. Some engines outside have no word for it.
    pub counts_work: bool,
    /// Iterations where nothing limits it, if it is endless.
    pub usual_iterations: u64,
    /// The games that state it as their solver; none for an agent of every game.
    pub games: Vec<&'static str>,
    /// How one from outside is made; ours are made by the position that they serve.
    outside: Option<fn(&Arguments) -> Made>,
}

impl AgentInfo {
    fn new(profile: Profile) -> AgentInfo {
        let Profile { description, endless, parallel, counts_work, usual_iterations } = profile;
        AgentInfo { description, endless, parallel, counts_work, usual_iterations, games: Vec::new(), outside: None }
    }

    /// Whether it refuses boards for which it has no weights, or that have no stones.
    #[must_use]
    pub fn is_learned(&self) -> bool {
        LEARNED.contains(&self.description.name)
    }

    /// Whether it is an engine outside, which a command starts.
    #[must_use]
    pub fn is_program(&self) -> bool {
        self.description.parameters.iter().any(|parameter| parameter.kind == Kind::Program)
    }
}

/// Agents that refuse boards for which they have no weights, or that have no stones.
const LEARNED: [&str; 5] = ["zero", "uct", "ann", "ga", "neat"];

/// Games and agents by name.
#[derive(Clone)]
pub struct Registry {
    games: Vec<GameInfo>,
    agents: Vec<AgentInfo>,
}

/// The registry in force.
static IN_FORCE: OnceLock<Registry> = OnceLock::new();

/// Another registry is in force already: one was installed, or something was looked up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a registry is in force already; install one before anything is looked up")]
pub struct InstallError;

impl Registry {
    /// The games and searches of this repository. **A new game is one line here.**
    #[must_use]
    pub fn ours() -> Registry {
        let agents = searches::profiles().into_iter().map(AgentInfo::new).collect();
        Registry { games: Vec::new(), agents }
            .with_game::<tictactoe::TicTacToe>()
            .with_game::<mnk::Mnk>()
            .with_game::<go::Go>()
            .with_game::<goproblem::GoProblem>()
            .with_game::<hex::Hex>()
            .with_game::<othello::Othello>()
            .with_game::<gomoku::Gomoku>()
            .with_game::<connect6::Connect6>()
            .with_game::<xiangqi::Xiangqi>()
            .with_game::<synthetic::Tree>()
            .with_game::<synthetic::RandomTree>()
            .with_game::<synthetic::PGame>()
            .with_game::<synthetic::Trap>()
    }

    /// The same with one more game and its solvers.
    ///
    /// # Panics
    /// If there is a game of the name, or an agent of the name of one of its solvers.
    #[must_use]
    pub fn with_game<G: Game>(mut self) -> Registry {
        let name = G::DESCRIPTION.name;
        assert!(self.games.iter().all(|game| game.description.name != name), "two games are named {name}");
        self.games.push(GameInfo {
            description: G::DESCRIPTION,
            title: G::TITLE,
            moves: G::MOVES,
            conventions: G::Position::CONVENTIONS,
            start: |arguments| {
                let position = G::start(arguments)?;
                G::settle(arguments, &position);
                Ok(Box::new(position))
            },
            erase: |position| position.downcast_ref::<G::Position>().map(|position| Box::new(position.clone()) as _),
        });
        for solver in G::Position::SOLVERS {
            let profile = Profile {
                description: solver.description,
                endless: false,
                parallel: solver.parallel,
                counts_work: true,
                usual_iterations: 10_000,
            };
            // Two games may share their positions, and with them the solvers.
            let known = self.agents.iter_mut().find(|agent| agent.description == solver.description);
            match known.filter(|agent| !agent.games.is_empty()) {
                Some(agent) => agent.games.push(name),
                None => self.add(AgentInfo { games: vec![name], ..AgentInfo::new(profile) }),
            }
        }
        self
    }

    /// The same with one more agent, which serves every game.
    ///
    /// # Panics
    /// If there is an agent of the name.
    #[must_use]
    pub fn with_agent<T: Technique + Search<Opaque> + 'static>(mut self) -> Registry {
        self.add(AgentInfo {
            outside: Some(|arguments| Ok(Erased::seeing(Box::new(T::configure(arguments)?), Opaque::of))),
            ..AgentInfo::new(searches::profile_of::<T>())
        });
        self
    }

    fn add(&mut self, agent: AgentInfo) {
        let name = agent.description.name;
        assert!(self.agent(name).is_none() && name != AUTO.name, "two agents are named {name}");
        self.agents.push(agent);
    }

    /// Puts this registry in force, for the whole program.
    ///
    /// # Errors
    /// If one is in force already.
    pub fn install(self) -> Result<(), InstallError> {
        IN_FORCE.set(self).map_err(|_| InstallError)
    }

    /// The registry in force: the one installed, else ours.
    #[must_use]
    pub fn in_force() -> &'static Registry {
        IN_FORCE.get_or_init(Registry::ours)
    }

    /// All games.
    #[must_use]
    pub fn games(&self) -> &[GameInfo] {
        &self.games
    }

    /// All agents.
    #[must_use]
    pub fn agents(&self) -> &[AgentInfo] {
        &self.agents
    }

    /// The agent of a name.
    #[must_use]
    pub fn agent(&self, name: &str) -> Option<&AgentInfo> {
        self.agents.iter().find(|agent| agent.description.name == name)
    }

    fn agent_descriptions(&self) -> Vec<Description> {
        self.agents.iter().map(|agent| agent.description).collect()
    }

    /// Starts the game that a spec names.
    fn start(&self, spec: &Spec, access: &Access) -> Result<StartedGame, SpecError> {
        let descriptions: Vec<Description> = self.games.iter().map(|game| game.description).collect();
        let (index, mut arguments) = resolve_with(spec, "game", &descriptions, &access.resources())?;
        let started = (self.games[index].start)(&mut arguments);
        let position = started.map_err(|error| arguments.place(error, spec))?;
        Ok(StartedGame { position, spec: arguments.canonical() })
    }

    /// Makes the agent that a spec names, for the game of a position.
    fn make(&self, spec: &Spec, position: &dyn AnyPosition, access: &Access) -> Result<Box<dyn AnyAgent>, SpecError> {
        let spec = &agent_for(spec, position)?;
        let (index, arguments) = resolve_with(spec, "agent", &self.agent_descriptions(), &access.resources())?;
        let agent = &self.agents[index];
        let name = agent.description.name;
        let made = match agent.outside {
            Some(make) => make(&arguments),
            None => position.make_agent(name, &arguments).and_then(|made| {
                made.ok_or_else(|| {
                    let (games, own) = (agent.games.join(" and "), position.solver());
                    ArgumentError::together(format!("a solver of {games}; for this game use {own}"))
                })
            }),
        };
        made.map_err(|error| arguments.place(error, spec))
    }
}

/// A game that was started.
pub struct StartedGame {
    /// Its first position.
    pub position: Box<dyn AnyPosition>,
    /// The canonical spec: its identity in every record.
    pub spec: Spec,
}

/// All games of the registry in force.
#[must_use]
pub fn games() -> &'static [GameInfo] {
    Registry::in_force().games()
}

/// A position of a game of the registry in force, with its type erased; nothing for other types.
///
/// Turning a position into an [`AnyPosition`] by hand compiles every search for its game once more,
/// in the crate that does it. This uses what was compiled with the registry.
#[must_use]
pub fn erase(position: &dyn Any) -> Option<Box<dyn AnyPosition>> {
    games().iter().find_map(|game| (game.erase)(position))
}

/// Starts the game that a spec names, opening nothing.
///
/// # Errors
/// If there is no such game, its parameters make no sense, or it names a file.
pub fn start_game(spec: &Spec) -> Result<StartedGame, SpecError> {
    start_game_with(spec, &Access::restricted())
}

/// Starts the game that a spec names, with the files that its origin may read.
///
/// # Errors
/// If there is no such game, or its parameters make no sense.
pub fn start_game_with(spec: &Spec, access: &Access) -> Result<StartedGame, SpecError> {
    Registry::in_force().start(spec, access)
}

impl dyn AnyPosition + '_ {
    /// The agent that a spec names, for this game; `auto` is the strongest. It opens and starts
    /// nothing.
    ///
    /// # Errors
    /// If there is no such agent, its parameters make no sense, it is a solver of another game, or
    /// it names a file or a program.
    pub fn agent(&self, spec: &Spec) -> Result<Box<dyn AnyAgent>, SpecError> {
        self.agent_with(spec, &Access::restricted())
    }

    /// The agent that a spec names, with what the spec's origin may open and start.
    ///
    /// # Errors
    /// If there is no such agent, its parameters make no sense, or it is a solver of another game.
    pub fn agent_with(&self, spec: &Spec, access: &Access) -> Result<Box<dyn AnyAgent>, SpecError> {
        Registry::in_force().make(spec, self, access)
    }
}

/// The name that stands for the strongest agent of a game, with the thresholds for resigning and
/// passing of those that have them.
pub const AUTO: Description = Description {
    name: "auto",
    about: "the strongest agent of the game, as `tesuji games` lists it",
    parameters: &[
        Parameter {
            name: "resign",
            about: "resign below this value, where the agent can resign",
            kind: Kind::Number(0.0, 1.0),
            default: Some("0.0"),
        },
        Parameter {
            name: "pass",
            about: "in a decided game, pass if it costs at most this much, where the agent can",
            kind: Kind::Number(0.0, 1.0),
            default: Some("0.0"),
        },
    ],
};

/// Whether a spec leaves the choice of the agent to the game.
#[must_use]
pub fn is_auto(agent: &Spec) -> bool {
    agent.name == AUTO.name
}

/// The agent that a spec names for this position: the game's strongest for `auto`, itself for all
/// others.
///
/// # Errors
/// If `auto` has parameters that it does not know.
pub fn agent_for(spec: &Spec, position: &dyn AnyPosition) -> Result<Spec, SpecError> {
    if !is_auto(spec) {
        return Ok(spec.clone());
    }
    resolve(spec, "agent", &[AUTO])?;
    let mut agent: Spec = position.strongest().parse().expect("a game names its strongest agent by a spec");
    let known = Registry::in_force().agent(&agent.name).map_or(&[][..], |known| known.description.parameters);
    let takes = |name: &str| known.iter().any(|parameter| parameter.name == name);
    let thresholds = spec.arguments.iter().filter(|argument| takes(&argument.name));
    agent.arguments.extend(thresholds.cloned());
    Ok(agent)
}

/// Positions entered by the strongest agent of a game where nothing limits it: about a second.
const USUAL_NODES: u64 = 1_000_000;
/// Legal moves of a large board. The time of a position grows with the board: beyond this number, the
/// usual positions fall with its square.
const MANY_MOVES: u64 = 256;

/// The iterations and nodes of a search of a position that nothing limits. An agent that was named
/// and ends by itself has none; one that the game chose has, because on a large board it would take
/// hours.
#[must_use]
pub fn usual_effort(asked: &Spec, agent: &Spec, position: &dyn AnyPosition) -> (Option<u64>, Option<u64>) {
    if let Some(known) = Registry::in_force().agent(&agent.name).filter(|known| known.endless) {
        return (Some(known.usual_iterations), None);
    }
    let moves = (position.moves().len() as u64).max(MANY_MOVES);
    let nodes = USUAL_NODES * MANY_MOVES * MANY_MOVES / (moves * moves);
    (None, is_auto(asked).then_some(nodes))
}

/// What agents exist, with their parameters.
#[must_use]
pub fn agent_descriptions() -> Vec<Description> {
    Registry::in_force().agent_descriptions()
}

/// Whether an agent goes on for ever unless a budget ends it.
#[must_use]
pub fn is_endless(agent: &Spec) -> bool {
    Registry::in_force().agent(&agent.name).is_some_and(|known| known.endless)
}

/// Whether an agent uses several threads.
#[must_use]
pub fn is_parallel(agent: &Spec) -> bool {
    Registry::in_force().agent(&agent.name).is_some_and(|known| known.parallel)
}

/// Whether a limit of iterations or nodes reaches an agent.
#[must_use]
pub fn counts_work(agent: &Spec) -> bool {
    Registry::in_force().agent(&agent.name).is_none_or(|known| known.counts_work)
}

/// The canonical text of an agent: its identity in every record.
///
/// # Errors
/// If there is no such agent, or a parameter does not fit.
pub fn canonical_agent(spec: &Spec) -> Result<Spec, SpecError> {
    if is_auto(spec) {
        return resolve(spec, "agent", &[AUTO]).map(|(_, arguments)| arguments.canonical());
    }
    resolve(spec, "agent", &agent_descriptions()).map(|(_, arguments)| arguments.canonical())
}

/// A canonical agent for people: only what differs from the defaults.
#[must_use]
pub fn short_agent(canonical: &Spec) -> Spec {
    short(canonical, &[agent_descriptions(), vec![AUTO]].concat())
}

/// A canonical game for people: only what differs from the defaults.
#[must_use]
pub fn short_game(canonical: &Spec) -> Spec {
    let known: Vec<Description> = games().iter().map(|game| game.description).collect();
    short(canonical, &known)
}
