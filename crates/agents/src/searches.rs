//! The registry of searches.

use tesuji_core::Undoable;
use tesuji_core::spec::{ArgumentError, Arguments, Description, Spec, SpecError, resolve};
use tesuji_games::tictactoe::TicTacToe;
use tesuji_search::{Search, Technique, minimax, oracle, sampling};

type Configured<P> = Result<Box<dyn Search<P>>, ArgumentError>;

struct Entry<P: Undoable> {
    description: Description,
    configure: fn(&Arguments) -> Configured<P>,
}

/// All searches, for one game. **A new search is one line here.**
fn searches<P: Undoable>() -> Vec<Entry<P>> {
    vec![
        entry::<P, sampling::RandomMove>(),
        entry::<P, sampling::Rps>(),
        entry::<P, sampling::Expected<P>>(),
        entry::<P, minimax::Minimax>(),
        entry::<P, minimax::LevelK>(),
        entry::<P, oracle::Oracle<P>>(),
    ]
}

fn entry<P: Undoable, T: Technique + Search<P> + 'static>() -> Entry<P> {
    Entry { description: T::DESCRIPTION, configure: |arguments| Ok(Box::new(T::configure(arguments)?)) }
}

/// The search that a spec names.
pub(crate) fn build<P: Undoable>(spec: &Spec) -> Result<Box<dyn Search<P>>, SpecError> {
    let entries = searches::<P>();
    let (index, arguments) = resolve(spec, "agent", &agent_descriptions())?;
    (entries[index].configure)(&arguments).map_err(|error| error.in_spec(spec))
}

/// What agents exist, with their parameters.
#[must_use]
pub fn agent_descriptions() -> Vec<Description> {
    // The descriptions do not depend on the game.
    searches::<TicTacToe>().into_iter().map(|entry| entry.description).collect()
}

/// The canonical text of an agent: its identity in every record.
///
/// # Errors
/// If there is no such agent, or a parameter does not fit.
pub fn canonical_agent(spec: &Spec) -> Result<Spec, SpecError> {
    resolve(spec, "agent", &agent_descriptions()).map(|(_, arguments)| arguments.canonical())
}
