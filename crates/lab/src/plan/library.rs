//! The experiments of this repository, embedded: they run from any folder, by id.

use super::{Experiment, FileProblem};
use tesuji_agents::Access;

macro_rules! library {
    ($($id:literal),* $(,)?) => {
        [$(($id, include_str!(concat!("../../../../experiments/", $id, ".toml")))),*]
    };
}

/// Ids and texts, in alphabetical order.
pub static ALL: &[(&str, &str)] = &library![
    "hawk-agents",
    "hawk-iterations",
    "hawk-time",
    "li-fig12",
    "li-fig18",
    "li-fig4",
    "li-table1",
    "lin-bounds",
    "lin-multi",
    "lin-problems",
    "lin-trap",
    "vrun-balance",
    "vrun-bots",
    "vrun-c",
    "vrun-complexity",
    "vrun-greedy",
    "vrun-heatmap",
    "vrun-selfplay",
    "vrun-tsumego",
    "vrun-voting",
    "zhang-deepdfpn",
    "zhang-deeppn-hex4",
    "zhang-deeppn-othello",
    "zhang-epsilon",
    "zhang-hillclimb",
    "zhang-ppn",
    "zhang-scn-handicap",
    "zhang-scn-results",
    "zhang-ties",
];

/// The text of an experiment.
#[must_use]
pub fn text(id: &str) -> Option<&'static str> {
    ALL.iter().find(|(known, _)| *known == id).map(|(_, text)| *text)
}

/// An experiment of ours, read and checked. It may start the programs that it names.
///
/// # Errors
/// If its text does not fit this program, which the tests rule out.
pub fn read(id: &str) -> Option<Result<Experiment, FileProblem>> {
    text(id)
        .map(|text| Experiment::read(&format!("experiments/{id}.toml"), text, &Access::restricted().with_programs()))
}
