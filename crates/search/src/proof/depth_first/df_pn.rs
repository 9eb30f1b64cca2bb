//! df-pn and Deep df-pn: proof-number search depth-first, with a table instead of a tree.
//!
//! The search is in `search.rs`; here are the two techniques as specs. **Deep df-pn** initialises
//! unknown leaves higher the nearer they are to the root, so that the search finishes a subtree
//! before it turns to the siblings:
//!
//! > pn = dn = E^(D−depth) if depth < D and E > 0;  1 if depth ≥ D;  0 if E = 0 (depth first)
//!
//! E = 1 is df-pn node for node. Deviation: E may be a fraction (KomoringHeights uses 1.005);
//! powers are rounded down to whole numbers ≥ 1.
//!
//! References: Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", 2002;
//! Pawlewicz & Lew, "Improving depth-first PN-search: 1+ε trick", 2006; Zhang, Iida & van den
//! Herik, "Deep df-pn and its efficient implementations", 2017 (Zhang 2019, ch. 3; its 1+ε line
//! prints δ where df-pn has φ).

use super::solver::DfPnSolver;
use crate::proof::question::{AnsweredQuestion, prove, solve};
use crate::{Search, SearchError, Technique};
use tesuji_core::solver::{GOAL, Settings, goal_of};
use tesuji_core::spec::{ArgumentError, Arguments, Describe, Description, Kind, Parameter};
use tesuji_core::{Budget, Goal, Observer, Report, Seed, Studied};
use tesuji_proof::Claim;

/// df-pn.
pub struct DfPn {
    pub(super) goal: Goal,
    pub(super) solver: DfPnSolver,
    pub(super) answered: Vec<AnsweredQuestion>,
}

impl DfPn {
    /// df-pn with these settings.
    #[must_use]
    pub fn new(settings: Settings, goal: Goal) -> DfPn {
        DfPn { goal, solver: DfPnSolver::new(settings), answered: Vec::new() }
    }
}

impl<P: Studied> Search<P> for DfPn {
    fn search(
        &mut self,
        root: &P,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError> {
        self.solver.begin::<P>(budget, false);
        let solved = solve(&mut self.solver, root, self.goal, (budget, seed), watch)?;
        self.answered = solved.answered;
        Ok(solved.report)
    }

    fn proof(&mut self, root: &P, budget: &Budget) -> Result<Vec<Claim>, SearchError> {
        prove(&mut self.solver, root, &self.answered, budget)
    }
}

const EPSILON: Parameter = Parameter {
    name: "epsilon",
    about: "1+ε trick: stay in a child until another one is better by this ratio",
    kind: Kind::Number(0.0, 1_000.0),
    default: Some("0.0"),
};
const SUM: Parameter = Parameter {
    name: "sum",
    about: "how sums add: plain, or weak (the largest, plus one for each other child; shared subtrees count once)",
    kind: Kind::Choice(&["plain", "weak"]),
    default: Some("plain"),
};

const PROBE: Parameter = Parameter {
    name: "probe",
    about: "when successors are probed: all at expansion, or each when chosen (faster with few transpositions)",
    kind: Kind::Choice(&["all", "chosen"]),
    default: Some("all"),
};

impl Describe for DfPn {
    const DESCRIPTION: Description = Description {
        name: "df-pn",
        about: "proof-number search depth-first, with a transposition table of fixed size",
        parameters: &[GOAL, EPSILON, SUM, PROBE],
    };
}

impl Technique for DfPn {
    const PARALLEL: bool = true;

    fn configure(arguments: &Arguments) -> Result<DfPn, ArgumentError> {
        let settings = Settings {
            epsilon: arguments.number("epsilon"),
            weak: arguments.word("sum") == "weak",
            late: arguments.word("probe") == "chosen",
            ..Settings::default()
        };
        Ok(DfPn::new(settings, goal_of(arguments)?))
    }
}

/// The defaults of e and d.
const DEFAULT_E: f64 = 3.0;
const DEFAULT_D: u32 = 6;

/// Deep df-pn: [`DfPn`] whose leaves start at E^(D−depth).
pub struct DeepDfPn(pub(super) DfPn);

impl DeepDfPn {
    /// Deep df-pn with these settings.
    #[must_use]
    pub fn new(settings: Settings, goal: Goal) -> DeepDfPn {
        DeepDfPn(DfPn::new(settings, goal))
    }
}

impl<P: Studied> Search<P> for DeepDfPn {
    fn search(
        &mut self,
        root: &P,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError> {
        self.0.search(root, budget, seed, watch)
    }

    fn proof(&mut self, root: &P, budget: &Budget) -> Result<Vec<Claim>, SearchError> {
        self.0.proof(root, budget)
    }
}

impl Describe for DeepDfPn {
    const DESCRIPTION: Description = Description {
        name: "deep-df-pn",
        about: "df-pn with deep initialisation: finishes a subtree near the root before the next",
        parameters: &[
            GOAL,
            Parameter {
                name: "e",
                about: "leaves above depth d start at e^(d−depth); 1 is df-pn, 0 is depth-first search",
                kind: Kind::Number(0.0, 1e6),
                default: Some("3.0"),
            },
            Parameter {
                name: "d",
                about: "the depth below which leaves start at 1",
                kind: Kind::Integer(0, 1_000_000),
                default: Some("6"),
            },
            EPSILON,
            SUM,
            PROBE,
        ],
    };
}

impl Technique for DeepDfPn {
    const PARALLEL: bool = true;

    fn configure(arguments: &Arguments) -> Result<DeepDfPn, ArgumentError> {
        let e = arguments.number("e");
        if e > 0.0 && e < 1.0 {
            return Err(ArgumentError::of("e", "expected 0 or a number of at least 1"));
        }
        let d = arguments.count("d");
        if (e == 0.0 || e == 1.0) && d != DEFAULT_D {
            return Err(ArgumentError::of(
                "d",
                "no effect with e=0 or e=1, where all leaves start alike; expected e above 1",
            ));
        }
        if d == 0 && e != DEFAULT_E {
            return Err(ArgumentError::of(
                "e",
                "no effect with d=0, since no leaf is above that depth; expected d of at least 1",
            ));
        }
        let settings = Settings {
            epsilon: arguments.number("epsilon"),
            weak: arguments.word("sum") == "weak",
            late: arguments.word("probe") == "chosen",
            e,
            d,
            ..Settings::default()
        };
        Ok(DeepDfPn::new(settings, goal_of(arguments)?))
    }
}
