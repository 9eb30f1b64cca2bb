//! Exact endgames: the margin under best play, by the game's own endgame solver
//! (`Studied::endgame`).
//!
//! There is neither evaluation nor horizon: what is reported is proved. This file handles budget,
//! memory and report.

use crate::{Search, SearchError, Technique, root_moves};
use std::any::Any;
use tesuji_core::spec::{ArgumentError, Arguments, Describe, Description, Kind, Parameter};
use tesuji_core::{
    Bounds, Budget, Endgame, Meter, Observer, Outcome, Player, Report, Rng, Seed, Solved, Studied, Value, Watch,
};

/// The exact search. If its budget ends early it reports a move and a bound, or just a legal move.
pub struct ExactEndgame {
    /// The most bytes of the solver's tables.
    bytes: u64,
    /// The solver of the last position with its tables, for the next position of the game.
    solver: Option<Box<dyn Any + Send>>,
}

impl ExactEndgame {
    /// A search with tables of at most `bytes` bytes.
    #[must_use]
    pub fn new(bytes: u64) -> ExactEndgame {
        ExactEndgame { bytes, solver: None }
    }
}

impl Default for ExactEndgame {
    fn default() -> ExactEndgame {
        ExactEndgame::new(64 << 20)
    }
}

/// The report of what the solver knows.
fn report<P: Studied>(root: &P, known: &Solved<P::Move>, meter: &Meter, memory: u64, rng: &Rng) -> Report<P::Move> {
    let turn = root.turn();
    let mut report = Report { root: root_moves::untried_moves(root), ..Report::empty(turn) };
    let own = |margin: i32| if turn == Player::First { margin } else { -margin };
    if let Some(best) = known.line.first() {
        let (least, most) = (Outcome::by_margin(known.least).score, Outcome::by_margin(known.most).score);
        let done = known.least == known.most;
        let sure = if turn == Player::First { known.least } else { known.most };
        report.best = Some(*best);
        report.line.clone_from(&known.line);
        report.value = Value::from(Outcome::by_margin(sure).score);
        report.bounds = Bounds::new(least, most).unwrap_or(Bounds::UNKNOWN);
        report.depth = known.line.len() as u32;
        report.figures.push((if done { "margin" } else { "margin, at least" }, f64::from(own(sure))));
        for entry in report.root.iter_mut().filter(|entry| entry.mv == *best) {
            entry.visits = 1;
            entry.value = Some(report.value);
            entry.bounds = report.bounds;
            entry.note = Some(format!("margin {}{:+}", if done { "" } else { "at least " }, own(sure)));
        }
    } else {
        root_moves::choose_best(&mut report, root, &mut rng.clone());
    }
    report.memory_bytes = memory;
    root_moves::fill_counters(&mut report, meter);
    report
}

impl<P: Studied> Search<P> for ExactEndgame {
    fn search(
        &mut self,
        root: &P,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError> {
        if root.outcome().is_some() {
            return Err(SearchError::Ended);
        }
        let kept = self.solver.take().and_then(|solver| solver.downcast::<Box<dyn Endgame<P>>>().ok());
        let Some(mut solver) = kept.map(|kept| *kept).or_else(|| root.endgame()) else {
            return Err(SearchError::Unsupported("this game has no exact endgame solver".into()));
        };
        let mut meter = budget.meter();
        let rng = Rng::new(seed);
        let memory = self.bytes.min(budget.memory.unwrap_or(u64::MAX));
        let mut watch = Watch::new(watch);
        let mut observe = |meter: &Meter, known: &Solved<P::Move>| {
            watch.tick(meter.nodes(), meter.recent_elapsed(), || report(root, known, meter, 0, &rng));
        };
        let known = solver.solve(root, memory, &mut meter, &mut observe);
        let report = report(root, &known, &meter, solver.memory_bytes(), &rng);
        self.solver = Some(Box::new(solver));
        Ok(report)
    }

    fn begin(&mut self) {
        self.solver = None;
    }
}

impl Describe for ExactEndgame {
    const DESCRIPTION: Description = Description {
        name: "endgame",
        about: "the exact margin under best play, where the game has a solver (Othello)",
        parameters: &[Parameter {
            name: "bytes",
            about: "size of the solver's tables in bytes; less if the budget allows less",
            kind: Kind::Integer(1 << 10, 1 << 44),
            default: Some("67108864"),
        }],
    };
}

impl Technique for ExactEndgame {
    fn configure(arguments: &Arguments) -> Result<ExactEndgame, ArgumentError> {
        Ok(ExactEndgame::new(arguments.integer("bytes").unsigned_abs()))
    }
}
