//! The searches of this repository, for any game, and the solvers that a game states.

use crate::any::{AnyAgent, AnyPosition, Made};
use crate::engines::{Dialogue, EngineAgent, Gomocup, Gtp, NBoard, Ucci, Uci};
use crate::erased::{Erased, typed};
use std::sync::Arc;
use tesuji_core::spec::{ArgumentError, Arguments, Description};
use tesuji_core::{JudgeSource, Playable};
use tesuji_games::tictactoe::TicTacToe;
use tesuji_learn::hawk;
use tesuji_learn::judge::{Networks, networks_of_leaf};
use tesuji_learn::player::Zero;
use tesuji_search::{Search, Technique, conspiracy, mcts, minimax, oracle, proof, sampling};

/// What is known of an agent before it is made.
#[derive(Clone, Copy)]
pub(crate) struct Profile {
    pub(crate) description: Description,
    pub(crate) endless: bool,
    pub(crate) parallel: bool,
    pub(crate) counts_work: bool,
    pub(crate) usual_iterations: u64,
}

struct Entry {
    profile: Profile,
    make: fn(&Arguments, &dyn AnyPosition) -> Made,
}

/// All searches, for one game. **A new search is one line here.**
fn searches<P: Playable>() -> Vec<Entry> {
    vec![
        monte_carlo::<P>(),
        search::<P, mcts::Vote>(),
        search::<P, Zero<P>>(),
        search::<P, hawk::Uct>(),
        search::<P, hawk::Ann>(),
        search::<P, hawk::Ga>(),
        search::<P, hawk::Neat>(),
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
        engine::<Gtp>(),
        engine::<Uci>(),
        engine::<Ucci>(),
        engine::<Gomocup>(),
        engine::<NBoard>(),
    ]
}

/// What is known of a search before it is made.
pub(crate) fn profile_of<T: Technique>() -> Profile {
    Profile {
        description: T::DESCRIPTION,
        endless: T::ENDLESS,
        parallel: T::PARALLEL,
        counts_work: true,
        usual_iterations: T::USUAL_ITERATIONS,
    }
}

fn search<P: Playable, T: Technique + Search<P> + 'static>() -> Entry {
    Entry {
        profile: profile_of::<T>(),
        make: |arguments, _| Ok(Erased::<P>::boxed(Box::new(T::configure(arguments)?))),
    }
}

/// Monte-Carlo tree search, with networks for its leaf `net`.
fn monte_carlo<P: Playable>() -> Entry {
    Entry {
        profile: profile_of::<mcts::TreeReuse<P>>(),
        make: |arguments, position| {
            let mut search = mcts::TreeReuse::<P>::configure(arguments)?;
            if search.recipe().leaf.is_net() {
                let networks = networks_of_leaf(&arguments.part("leaf").1)?;
                serves::<P>(&networks, position).map_err(|why| ArgumentError::of("leaf", format!("net: {why}")))?;
                search = search.with_judges(Arc::new(networks));
            }
            Ok(Erased::<P>::boxed(Box::new(search)))
        },
    }
}

/// Whether there is a network for the game of a position; else why not.
fn serves<P: Playable>(networks: &Networks, position: &dyn AnyPosition) -> Result<(), String> {
    let judge = typed::<P>(position).map(|root| networks.judge_for(root));
    judge.map_or(Ok(()), |judge| judge.map(|_| ()))
}

/// An engine outside. One that is told of nodes searches until a limit ends it.
fn engine<D: Dialogue>() -> Entry {
    let profile = Profile {
        description: D::DESCRIPTION,
        endless: D::COUNTS_WORK,
        parallel: D::COUNTS_WORK,
        counts_work: D::COUNTS_WORK,
        usual_iterations: 10_000,
    };
    Entry { profile, make: |arguments, position| Ok(Box::new(EngineAgent::<D>::start(arguments, position)?)) }
}

/// What is known of the searches that serve every game.
pub(crate) fn profiles() -> Vec<Profile> {
    // It does not depend on the game.
    searches::<TicTacToe>().into_iter().map(|entry| entry.profile).collect()
}

/// The agent of this name for positions `P`: a search, or a solver that the game states.
pub(crate) fn make<P: Playable>(
    name: &str,
    arguments: &Arguments,
    position: &dyn AnyPosition,
) -> Result<Option<Box<dyn AnyAgent>>, ArgumentError> {
    if let Some(solver) = P::SOLVERS.iter().find(|solver| solver.description.name == name) {
        return Ok(Some(Erased::boxed(proof::planned((solver.plan)(arguments)?))));
    }
    let entry = searches::<P>().into_iter().find(|entry| entry.profile.description.name == name);
    entry.map(|entry| (entry.make)(arguments, position)).transpose()
}
