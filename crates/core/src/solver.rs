//! The solvers of a game, stated as data.
//!
//! A game says how df-pn proves its positions: with which [`Adviser`]s, in which order, under which
//! settings and parameters. It names no search; the registry makes the search from the [`Plan`].
//!
//! ```
//! use tesuji_core::solver::{Advisers, Plan, Settings};
//! # use tesuji_core::Adviser;
//! # fn plan<P: tesuji_core::Position>(adviser: Box<dyn Adviser<P>>) -> Plan<P> {
//! // df-pn with weak sums, one adviser, for a win of the side to move.
//! Plan { settings: Settings { weak: true, ..Settings::default() }, goal: None, advisers: Advisers::One(adviser) }
//! # }
//! ```

use crate::spec::{ArgumentError, Arguments, Description, Kind, Parameter};
use crate::{Adviser, Goal, Position};

/// How df-pn works.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// The search stays with a child until another one is better by the factor 1+ε; 0 is plain
    /// df-pn.
    pub epsilon: f64,
    /// Unknown leaves start at E^(D−depth) while depth < D: E. 1 is plain df-pn, 0 starts all
    /// leaves at 0.
    pub e: f64,
    /// And D.
    pub d: u32,
    /// Whether sums are weak: the largest summand and one for each other unsolved child (Ueda et
    /// al. 2008).
    pub weak: bool,
    /// Whether the successors of a position entered for the first time are looked up in the table
    /// when they are chosen, not at once. Until then they count as unknown leaves. Saves most table
    /// accesses; costs nodes where many successors are known already (Hex: three times as many;
    /// Othello: none).
    pub late: bool,
    /// Focused search (Henderson 2010, Pawlewicz & Hayward 2013): of the unsolved children only the
    /// first 1 + ⌈share · their number⌉, at least two, count, in the order they are listed. 1 is
    /// plain df-pn.
    pub focus: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { epsilon: 0.0, e: 1.0, d: 0, weak: false, late: false, focus: 1.0 }
    }
}

/// A solver of one game: df-pn with the game's knowledge.
#[derive(Clone, Copy)]
pub struct Solver<P> {
    /// Its name and parameters.
    pub description: Description,
    /// Whether it uses the threads of a budget: its advisers can be forked.
    pub parallel: bool,
    /// What these arguments mean.
    pub plan: fn(&Arguments) -> Result<Plan<P>, ArgumentError>,
}

/// How a solver proves a position.
pub struct Plan<P> {
    /// How df-pn works.
    pub settings: Settings,
    /// What is to be proved; nothing for a win of the side to move.
    pub goal: Option<Goal>,
    /// The game's knowledge.
    pub advisers: Advisers<P>,
}

/// The advisers of a plan.
pub enum Advisers<P> {
    /// One search.
    One(Box<dyn Adviser<P>>),
    /// One search each, in turn, each with the nodes it may enter in the first round. Every further
    /// round gives four times as many.
    Stages(Vec<(Box<dyn Adviser<P>>, u64)>),
}

impl<P: Position> Plan<P> {
    /// df-pn with one adviser, without further settings, for a win of the side to move.
    #[must_use]
    pub fn advised(adviser: impl Adviser<P> + 'static) -> Plan<P> {
        Plan { settings: Settings::default(), goal: None, advisers: Advisers::One(Box::new(adviser)) }
    }
}

/// The parameter of solvers that can be asked for any goal.
pub const GOAL: Parameter = Parameter {
    name: "goal",
    about: "exact, exact-margin, first-wins, first-draws, second-wins, second-draws, score>=X or margin>=M",
    kind: Kind::Text,
    default: Some("\"exact\""),
};

/// Reads [`GOAL`].
///
/// # Errors
/// If the text is no goal.
pub fn goal_of(arguments: &Arguments) -> Result<Goal, ArgumentError> {
    arguments.text("goal").unwrap_or("exact").parse().map_err(|error| ArgumentError::of("goal", error))
}
