//! The registry of agents: our searches, and engines outside.

use crate::advice;
use crate::erased::Erased;
use crate::gtp::GtpAgent;
use crate::{AnyAgent, AnyPosition};
use tesuji_core::Playable;
use tesuji_core::spec::{ArgumentError, Arguments, Describe, Description, Spec, SpecError, resolve};
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
        search::<P, mcts::Keeping<P>>(),
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
            make: |spec, _| Ok(advice::vcdt::<P>(spec)),
        },
        Entry {
            description: advice::VCST,
            endless: false,
            parallel: true,
            make: |spec, _| Ok(advice::vcst::<P>(spec)),
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
        make: |arguments, _| Ok(Box::new(Erased::<T, P>::new(T::configure(arguments)?))),
    }
}

/// The agent that a spec names.
pub(crate) fn build<P: Playable>(spec: &Spec, position: &P) -> Result<Box<dyn AnyAgent>, SpecError> {
    let (index, arguments) = resolve(spec, "agent", &agent_descriptions())?;
    (agents::<P>()[index].make)(&arguments, position).map_err(|error| error.in_spec(spec))
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
    resolve(spec, "agent", &agent_descriptions()).map(|(_, arguments)| arguments.canonical())
}
