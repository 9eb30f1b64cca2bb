//! The registry of agents: our searches, and engines outside.

use crate::advice;
use crate::erased::Erased;
use crate::gtp::GtpAgent;
use crate::{Access, AnyAgent, AnyPosition};
use tesuji_core::Playable;
use tesuji_core::spec::{
    ArgumentError, Arguments, Describe, Description, Kind, Parameter, Spec, SpecError, resolve, resolve_with,
};
use tesuji_games::tictactoe::TicTacToe;
use tesuji_learn::player::Zero;
use tesuji_search::{Search, Technique, conspiracy, mcts, minimax, oracle, proof, sampling};

type Made = Result<Box<dyn AnyAgent>, ArgumentError>;

struct Entry {
    description: Description,
    endless: bool,
    parallel: bool,
    make: fn(&Arguments, &dyn AnyPosition) -> Made,
}

/// All agents, for one game. **A new search is one line here.**
fn agents<P: Playable>() -> Vec<Entry> {
    vec![
        search::<P, mcts::TreeReuse<P>>(),
        search::<P, mcts::Vote>(),
        search::<P, Zero>(),
        search::<P, sampling::RandomMove>(),
        search::<P, sampling::Rps>(),
        search::<P, sampling::Expected<P>>(),
        search::<P, minimax::Minimax>(),
        search::<P, minimax::LevelK>(),
        search::<P, minimax::AlphaBeta>(),
        search::<P, minimax::ExactEndgame>(),
        search::<P, conspiracy::Cns>(),
        search::<P, conspiracy::Scn>(),
        search::<P, oracle::Oracle<P>>(),
        search::<P, proof::Pn>(),
        search::<P, proof::DeepPn>(),
        search::<P, proof::Mcpn>(),
        search::<P, proof::Ppn>(),
        search::<P, proof::DfPn>(),
        search::<P, proof::DeepDfPn>(),
        Entry { description: advice::VCF, endless: false, parallel: false, make: |_, _| Ok(advice::vcf::<P>()) },
        Entry { description: advice::VCT, endless: false, parallel: false, make: |_, _| Ok(advice::vct::<P>()) },
        Entry {
            description: advice::VCDT,
            endless: false,
            parallel: true,
            make: |arguments, _| advice::vcdt::<P>(arguments),
        },
        Entry {
            description: advice::VCST,
            endless: false,
            parallel: true,
            make: |arguments, _| advice::vcst::<P>(arguments),
        },
        Entry {
            description: advice::HEX_SOLVER,
            endless: false,
            parallel: true,
            make: |arguments, _| advice::hex_solver::<P>(arguments),
        },
        Entry {
            description: advice::OTHELLO_SOLVER,
            endless: false,
            parallel: true,
            make: |arguments, _| advice::othello_solver::<P>(arguments),
        },
        Entry {
            description: advice::GO_SOLVER,
            endless: false,
            parallel: true,
            make: |arguments, _| advice::go_solver::<P>(arguments),
        },
        Entry {
            description: GtpAgent::DESCRIPTION,
            endless: false,
            parallel: false,
            make: |arguments, position| Ok(Box::new(GtpAgent::start(arguments, position)?)),
        },
    ]
}

fn search<P: Playable, T: Technique + Search<P> + 'static>() -> Entry {
    Entry {
        description: T::DESCRIPTION,
        endless: T::ENDLESS,
        parallel: T::PARALLEL,
        make: |arguments, _| Ok(Erased::<P>::boxed(T::configure(arguments)?)),
    }
}

/// The name that stands for the strongest agent of a game, with the manners of those that have any.
const AUTO: Description = Description {
    name: "auto",
    about: "the strongest agent of the game, as `tesuji games` lists it",
    parameters: &[
        Parameter {
            name: "resign",
            about: "below this value, where the agent resigns at all",
            kind: Kind::Number(0.0, 1.0),
            default: Some("0.0"),
        },
        Parameter {
            name: "pass",
            about: "in a decided game, if worth as much up to this, where the agent passes early at all",
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
    let known = agent_descriptions().into_iter().find(|known| known.name == agent.name);
    let takes = |name: &str| known.is_some_and(|known| known.parameters.iter().any(|parameter| parameter.name == name));
    let manners = spec.arguments.iter().filter(|argument| takes(&argument.name));
    agent.arguments.extend(manners.cloned());
    Ok(agent)
}

/// Iterations of an agent that never ends by itself, where nothing limits it.
const USUAL_ITERATIONS: u64 = 10_000;
/// Positions entered by the strongest agent of a game where nothing limits it: about a second.
const USUAL_NODES: u64 = 1_000_000;

/// The iterations and nodes of a search that nothing limits. An agent that was named and ends by
/// itself has none; one that the game chose has, because on a large board it would take hours.
#[must_use]
pub fn usual_effort(asked: &Spec, agent: &Spec) -> (Option<u64>, Option<u64>) {
    if is_endless(agent) { (Some(USUAL_ITERATIONS), None) } else { (None, is_auto(asked).then_some(USUAL_NODES)) }
}

/// The agent that a spec names, with what its origin may open and start.
pub(crate) fn build<P: Playable>(spec: &Spec, position: &P, access: &Access) -> Result<Box<dyn AnyAgent>, SpecError> {
    let (index, arguments) = resolve_with(spec, "agent", &agent_descriptions(), &access.reach())?;
    (agents::<P>()[index].make)(&arguments, position).map_err(|error| arguments.place(error, spec))
}

/// What agents exist, with their parameters.
#[must_use]
pub fn agent_descriptions() -> Vec<Description> {
    // The descriptions do not depend on the game.
    agents::<TicTacToe>().into_iter().map(|entry| entry.description).collect()
}

/// Whether an agent goes on for ever unless a budget ends it.
#[must_use]
pub fn is_endless(agent: &Spec) -> bool {
    agents::<TicTacToe>().iter().any(|entry| entry.description.name == agent.name && entry.endless)
}

/// Whether an agent uses several threads.
#[must_use]
pub fn is_parallel(agent: &Spec) -> bool {
    agents::<TicTacToe>().iter().any(|entry| entry.description.name == agent.name && entry.parallel)
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
