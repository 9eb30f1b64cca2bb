//! Single Conspiracy Numbers: how hard it is for the side to move to reach a value of at least T.
//!
//! > ended: 0 if m ≥ T, else ∞;  leaf: 0 if m ≥ T, else 1;
//! > MAX: min over the children;  MIN: sum over the children
//!
//! computed along with alpha-beta. A child that a cut-off skips has no value and counts 1. MAX is
//! the side to move at the root. Principal-variation search, the table and aspiration are off,
//! because they skip most nodes, and the number is then nearly always 1.
//!
//! Values are those of the evaluation, in ±10,000, with won and lost games at the ends. T = −10,000
//! is reached by every value (the number is 0); for T = 10,000, a won game, the number is the proof
//! number of the searched tree.
//!
//! Reference: Zhang 2019 §4.2, where the engine's own quiescence search values the horizon, as here
//! by default; nodes below the horizon are not counted.

use crate::minimax::alphabeta::instrument::Instrumentation;
use crate::minimax::alphabeta::search::{Searcher, Shared};
use crate::minimax::alphabeta::{
    EvaluationSource, MAX_DEPTH, Options, Quiescence, TableUse, depth_limit, evaluation_from,
};
use crate::root_moves::{choose_preferred_if_unknown, sort_in_game_order};
use crate::{Search, SearchError, Technique};
use tesuji_core::spec::{ArgumentError, Arguments, Describe, Description, Kind, Parameter};
use tesuji_core::{Budget, EVALUATION_LIMIT, Observer, Player, Report, Rng, Seed, Studied, Watch};

const INFINITE: u64 = u64::MAX;

/// Computes the number of every node on the current path.
struct Counter {
    threshold: i32,
    root: Player,
    /// By ply: whether the node maximises, and its number so far.
    numbers: Vec<(bool, u64)>,
}

impl Counter {
    fn set(&mut self, ply: u32, node: (bool, u64)) {
        let ply = ply as usize;
        if ply >= self.numbers.len() {
            self.numbers.resize(ply + 1, (true, INFINITE));
        }
        self.numbers[ply] = node;
    }
}

impl Instrumentation for Counter {
    fn open(&mut self, ply: u32, mover: Player) {
        let maximises = mover == self.root;
        self.set(ply, (maximises, if maximises { INFINITE } else { 0 }));
    }

    fn leaf(&mut self, ply: u32, mover: Player, value: i32, ended: bool) {
        let value = if mover == self.root { value } else { -value };
        let number = match value.clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT) {
            value if value >= self.threshold => 0,
            _ if ended => INFINITE,
            _ => 1,
        };
        self.set(ply, (true, number));
    }

    fn join(&mut self, ply: u32) {
        let child = self.numbers[ply as usize + 1].1;
        let (maximises, number) = &mut self.numbers[ply as usize];
        *number = if *maximises { child.min(*number) } else { number.saturating_add(child) };
    }

    fn cut(&mut self, ply: u32, skipped: u32) {
        let (maximises, number) = &mut self.numbers[ply as usize];
        if skipped > 0 {
            *number = if *maximises { (*number).min(1) } else { number.saturating_add(u64::from(skipped)) };
        }
    }
}

/// The result of one depth of the iterative deepening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScnDepth {
    /// Plies.
    pub depth: u32,
    /// The Single Conspiracy Number; nothing if it is infinite.
    pub number: Option<u64>,
    /// The minimax value for the side to move, within ±10,000.
    pub value: i32,
}

/// Alpha-beta that computes the Single Conspiracy Number of every depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scn {
    /// T, within ±10,000.
    pub threshold: i32,
    /// The options of the search. Table, principal-variation search, aspiration, null moves and
    /// reductions are always off.
    pub options: Options,
}

impl Scn {
    /// The number for this threshold, with killers, history and quiescence search.
    #[must_use]
    pub fn new(threshold: i32) -> Scn {
        let options = Options { killers: true, history: true, quiescence: Quiescence::Delta, ..Options::bare() };
        Scn { threshold: threshold.clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT), options }
    }

    fn options(&self) -> Options {
        Options { pvs: false, table: TableUse::Off, aspiration: 0, lmr: false, null: false, lines: 1, ..self.options }
    }

    /// The numbers and values of depths 1, 2, … as far as the budget allows, and the report of the
    /// search.
    ///
    /// # Errors
    /// If the game has ended, or has no evaluation and one is required.
    pub fn curve<P: Studied>(
        &self,
        root: &P,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<P::Move>,
    ) -> Result<(Vec<ScnDepth>, Report<P::Move>), SearchError> {
        if root.outcome().is_some() {
            return Err(SearchError::Ended);
        }
        let evaluation = evaluation_from(self.options.evaluation, root)?;
        let preference = if self.options.preference { root.preference() } else { None };
        let shared = Shared {
            options: self.options(),
            evaluation: evaluation.as_deref(),
            preference: preference.as_deref(),
            table: None,
            in_progress: None,
        };
        let counter = Counter { threshold: self.threshold, root: root.turn(), numbers: Vec::new() };
        let mut rng = Rng::new(seed);
        let mut searcher = Searcher::new(&shared, root, budget.meter(), counter, &mut rng);
        if watch.pace().is_some() {
            searcher.set_watch(Watch::new(watch));
        }
        let mut curve = Vec::new();
        searcher.deepen(1, depth_limit(&shared.options, budget), |searcher| {
            let number = searcher.instrument.numbers[0].1;
            let value = searcher.root[0].found.map_or(0, |(value, _)| value);
            curve.push(ScnDepth {
                depth: searcher.depth,
                number: (number != INFINITE).then_some(number),
                value: value.clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT),
            });
        });
        let mut report = searcher.report();
        sort_in_game_order(root, &mut report);
        choose_preferred_if_unknown(root, &mut report, &mut rng);
        Ok((curve, report))
    }
}

/// The names of the figures, by depth.
const DEPTHS: [&str; 32] = [
    "scn at depth 1",
    "scn at depth 2",
    "scn at depth 3",
    "scn at depth 4",
    "scn at depth 5",
    "scn at depth 6",
    "scn at depth 7",
    "scn at depth 8",
    "scn at depth 9",
    "scn at depth 10",
    "scn at depth 11",
    "scn at depth 12",
    "scn at depth 13",
    "scn at depth 14",
    "scn at depth 15",
    "scn at depth 16",
    "scn at depth 17",
    "scn at depth 18",
    "scn at depth 19",
    "scn at depth 20",
    "scn at depth 21",
    "scn at depth 22",
    "scn at depth 23",
    "scn at depth 24",
    "scn at depth 25",
    "scn at depth 26",
    "scn at depth 27",
    "scn at depth 28",
    "scn at depth 29",
    "scn at depth 30",
    "scn at depth 31",
    "scn at depth 32",
];

impl<P: Studied> Search<P> for Scn {
    fn search(
        &mut self,
        root: &P,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError> {
        let (curve, mut report) = self.curve(root, budget, seed, watch)?;
        for at in curve {
            if let Some(name) = DEPTHS.get(at.depth as usize - 1) {
                report.figures.push((name, at.number.map_or(f64::INFINITY, |number| number as f64)));
            }
        }
        Ok(report)
    }
}

const fn switch(name: &'static str, about: &'static str, default: &'static str) -> Parameter {
    Parameter { name, about, kind: Kind::Choice(&["true", "false"]), default: Some(default) }
}

impl Describe for Scn {
    const DESCRIPTION: Description = Description {
        name: "scn",
        about: "alpha-beta with Single Conspiracy Numbers (Zhang 2019)",
        parameters: &[
            Parameter {
                name: "t",
                about: "threshold: the value that the side to move wants to reach",
                kind: Kind::Integer(-EVALUATION_LIMIT as i64, EVALUATION_LIMIT as i64),
                default: Some("200"),
            },
            Parameter {
                name: "depth",
                about: "search depth in plies; limited by the budget alone if not given",
                kind: Kind::Integer(1, MAX_DEPTH as i64),
                default: None,
            },
            switch("cutoffs", "alpha-beta cut-offs; false searches the full tree", "true"),
            switch("killers", "killer moves: quiet moves that refuted a sibling come first", "true"),
            switch("history", "history heuristic: quiet moves that often caused cut-offs come first", "true"),
            Parameter {
                name: "quiescence",
                about: "quiescence search: off, all loud moves, or with delta pruning",
                kind: Kind::Choice(&["off", "plain", "delta"]),
                default: Some("delta"),
            },
            switch("extensions", "check extensions: one more ply under attack", "false"),
            Parameter {
                name: "evaluation",
                about: "the game's if it has one, the game's or an error, or none",
                kind: Kind::Choice(&["auto", "game", "none"]),
                default: Some("auto"),
            },
        ],
    };
}

impl Technique for Scn {
    fn configure(arguments: &Arguments) -> Result<Scn, ArgumentError> {
        let on = |name| arguments.word(name) == "true";
        let mut scn = Scn::new(arguments.integer("t") as i32);
        scn.options = Options {
            depth: arguments.optional_integer("depth").map(|depth| depth as u32),
            cutoffs: on("cutoffs"),
            killers: on("killers"),
            history: on("history"),
            quiescence: match arguments.word("quiescence") {
                "off" => Quiescence::Off,
                "plain" => Quiescence::Plain,
                _ => Quiescence::Delta,
            },
            extensions: on("extensions"),
            evaluation: match arguments.word("evaluation") {
                "game" => EvaluationSource::Game,
                "none" => EvaluationSource::None,
                _ => EvaluationSource::Auto,
            },
            ..scn.options
        };
        Ok(scn)
    }
}
