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

/// The settings of df-pn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// ε of the 1+ε trick: the relative lead by which the search stays in a child; 0 is plain
    /// df-pn.
    pub epsilon: f64,
    /// E of Deep df-pn: unknown leaves start at E^(D−depth) where depth < D. 1 is plain df-pn, 0
    /// starts all leaves at 0.
    pub e: f64,
    /// D of Deep df-pn, in turns.
    pub d: u32,
    /// Moves of the game that make a turn: 2 where a turn has two stones and D counts turns, as
    /// Zhang's does in Connect6. The depth of a position is then the turns since the root, the one
    /// under way not counted.
    pub moves_per_turn: u32,
    /// Weak sums: max sumᵢ + (unsolved children − 1) instead of Σ sumᵢ (Ueda et al. 2008).
    pub weak: bool,
    /// Lazy probing: the successors of a new position are probed in the table when they are
    /// selected, not at expansion. Until then they count as unknown leaves. Saves most accesses to
    /// the table; costs nodes where many successors are known (Hex: three times as many; Othello:
    /// none).
    pub late: bool,
    /// Focused df-pn (Henderson 2010, Pawlewicz & Hayward 2013): only the first
    /// 1 + ⌈focus · n⌉ of the n unsolved children count, at least two, in the order of the list.
    /// 1 is plain df-pn.
    pub focus: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { epsilon: 0.0, e: 1.0, d: 0, moves_per_turn: 1, weak: false, late: false, focus: 1.0 }
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
