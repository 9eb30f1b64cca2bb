//! Exact endgames: the margin under best play, by the solver that the game brings along.
//!
//! No evaluation and no horizon: the answer is a proof or nothing. How a game solves its endgames is the game's
//! own business (see `Tactical::endgame`); here are budget, memory and report.

use crate::{Search, SearchError, Technique, decide};
use tesuji_core::spec::{ArgumentError, Arguments, Describe, Description, Kind, Parameter};
use tesuji_core::{
    Bounds, Budget, Endgame, Observer, Outcome, Player, Report, Rng, Seed, Studied, Tactical, Undoable, Value,
};

/// The exact search. Stops where its budget ends, then with no more than a legal move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExactEndgame {
    /// The most bytes of its tables.
    pub bytes: u64,
}

impl Default for ExactEndgame {
    fn default() -> ExactEndgame {
        ExactEndgame { bytes: 64 << 20 }
    }
}

impl<P: Undoable + Studied + Tactical> Search<P> for ExactEndgame {
    fn search(
        &mut self,
        root: &P,
        budget: &Budget,
        seed: Seed,
        _: &mut dyn Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError> {
        if root.outcome().is_some() {
            return Err(SearchError::Ended);
        }
        let Some(mut solver) = root.endgame() else {
            return Err(SearchError::Unfit("this game has no exact endgame solver".into()));
        };
        let mut meter = budget.meter();
        let memory = self.bytes.min(budget.memory.unwrap_or(u64::MAX));
        let mut report = Report { root: decide::open_root(root), ..Report::empty(root.turn()) };
        let solved = Endgame::solve(solver.as_mut(), root, memory, &mut meter);
        match solved {
            Some(solved) => {
                let outcome = Outcome::by_margin(solved.margin);
                let own = if root.turn() == Player::First { solved.margin } else { -solved.margin };
                report.best = solved.line.first().copied();
                report.value = Value::from(outcome.score);
                report.bounds = Bounds::exact(outcome.score);
                report.depth = solved.line.len() as u32;
                report.figures.push(("margin", f64::from(own)));
                for entry in report.root.iter_mut().filter(|entry| Some(entry.mv) == solved.line.first().copied()) {
                    entry.visits = 1;
                    entry.value = Some(report.value);
                    entry.bounds = report.bounds;
                    entry.note = Some(format!("margin {own:+}"));
                }
                report.line = solved.line;
            }
            None => {
                decide::decide::<P>(&mut report, &mut Rng::new(seed));
            }
        }
        report.memory_bytes = solver.memory_bytes();
        decide::close(&mut report, &meter);
        Ok(report)
    }
}

impl Describe for ExactEndgame {
    const DESCRIPTION: Description = Description {
        name: "endgame",
        about: "the exact margin under best play, where the game has a solver (Othello)",
        parameters: &[Parameter {
            name: "bytes",
            about: "size of its tables",
            kind: Kind::Integer(1 << 10, 1 << 44),
            default: Some("67108864"),
        }],
    };
}

impl Technique for ExactEndgame {
    fn configure(arguments: &Arguments) -> Result<ExactEndgame, ArgumentError> {
        Ok(ExactEndgame { bytes: arguments.integer("bytes").unsigned_abs() })
    }
}
