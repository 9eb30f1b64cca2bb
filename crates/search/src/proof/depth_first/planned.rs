//! The search of a game's solver, made from its [`Plan`].

use super::{Advised, Staged};
use crate::Search;
use tesuji_core::solver::{Advisers, Plan};
use tesuji_core::{Adviser, Studied};

/// df-pn with the advisers, settings and goal of a plan.
#[must_use]
pub fn planned<P: Studied>(plan: Plan<P>) -> Box<dyn Search<P>> {
    let Plan { settings, goal, advisers } = plan;
    let advised = |adviser: Box<dyn Adviser<P>>| {
        let search = Advised::new(settings, adviser);
        match goal {
            Some(goal) => search.with_goal(goal),
            None => search,
        }
    };
    match advisers {
        Advisers::One(adviser) => Box::new(advised(adviser)),
        Advisers::Stages(stages) => {
            let stages = stages.into_iter().map(|(adviser, nodes)| (advised(adviser), nodes));
            Box::new(Staged::new(stages.collect()))
        }
    }
}
