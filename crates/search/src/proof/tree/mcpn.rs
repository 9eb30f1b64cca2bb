//! MCPN: proof-number search whose leaves are initialised by playouts.
//!
//! > leaf: pn = 1 − w, dn = w, w: fraction of playouts that reach the goal, clamped to [θ, 1−θ]
//!
//! and otherwise the rules of [PN-search](super::Pn): minimum and sum.
//!
//! Reference: Saito, Chaslot, Uiterwijk & van den Herik, "Monte-Carlo proof-number search for
//! computer Go", 2007; Zhang 2019, §2.3.2. Deviation: the thesis prints the case w = 1 twice; for w
//! = 0 we have pn = 1 − θ, dn = θ. The question says what a draw counts (with "first-wins" it is no
//! win).

use super::arena::{Node, Rule, TreeSearch};
use crate::Technique;
use crate::proof::Status;
use std::cmp::Ordering;
use tesuji_core::solver::{GOAL, goal_of};
use tesuji_core::spec::{ArgumentError, Arguments, Describe, Description, Kind, Parameter};
use tesuji_core::{Aim, Goal, Position, Pulse, Rng, Seed};

/// Playouts between two polls of the stop flag. In small games a poll takes a fiftieth of a
/// playout.
const BATCH: u32 = 4;

/// The estimate of leaves by playouts; shared with [`Ppn`](super::Ppn).
pub struct Sampling {
    pub(super) playouts: u32,
    pub(super) theta: f64,
    /// Playouts of the last estimate.
    pub(super) made: u32,
    rng: Rng,
}

impl Sampling {
    pub(super) fn new(playouts: u32, theta: f64) -> Sampling {
        Sampling { playouts: playouts.max(1), theta: theta.clamp(1e-9, 0.5), made: 0, rng: Rng::new(Seed(0)) }
    }

    pub(super) fn begin(&mut self, seed: Seed) {
        self.rng = Rng::new(seed);
    }

    /// The fraction of playouts in which the attacker reaches the goal, clamped to [θ, 1−θ]. If the
    /// pulse interrupts the estimate, it covers the first playouts only; the search ends then and
    /// drops the node.
    pub(super) fn share<P: Position>(&mut self, position: &P, scratch: &mut P, aim: Aim, pulse: &mut Pulse) -> f64 {
        let (mut reached, mut made) = (0, 0);
        while made < self.playouts && (made == 0 || pulse.goes_on()) {
            let until = made.saturating_add(BATCH).min(self.playouts);
            for _ in made..until {
                scratch.clone_from(position);
                reached += u32::from(aim.worth(scratch.playout(&mut self.rng, &mut ())) >= aim.least);
            }
            made = until;
        }
        self.made = made;
        (f64::from(reached) / f64::from(made)).clamp(self.theta, 1.0 - self.theta)
    }
}

pub(super) const PLAYOUTS: Parameter = Parameter {
    name: "playouts",
    about: "playouts per new leaf",
    kind: Kind::Integer(1, 1_000_000),
    default: Some("10"),
};
pub(super) const THETA: Parameter = Parameter {
    name: "theta",
    about: "estimates are clamped to [theta, 1−theta]",
    kind: Kind::Number(1e-9, 0.5),
    default: Some("0.01"),
};

/// The rule of MCPN.
pub struct McpnRule {
    pub(super) sampling: Sampling,
}

impl Rule for McpnRule {
    type Number = [f64; 2];

    fn samples(&self) -> bool {
        true
    }

    fn entries(&self) -> u32 {
        self.sampling.made
    }

    fn begin(&mut self, seed: Seed) {
        self.sampling.begin(seed);
    }

    fn leaf<P: Position>(&mut self, [position, scratch]: [&mut P; 2], aim: Aim, _: u32, pulse: &mut Pulse) -> [f64; 2] {
        let share = self.sampling.share(position, scratch, aim, pulse);
        [1.0 - share, share]
    }

    fn join(&self, or_node: bool, children: &[Node<[f64; 2]>]) -> [f64; 2] {
        let least = usize::from(!or_node);
        let mut joined = [0.0, 0.0];
        joined[least] = f64::MAX;
        for child in children.iter().filter(|child| child.status == Status::Unknown) {
            joined[least] = child.number[least].min(joined[least]);
            joined[1 - least] = (joined[1 - least] + child.number[1 - least]).min(f64::MAX);
        }
        joined
    }

    fn urgency(&self, or_node: bool, one: &[f64; 2], other: &[f64; 2]) -> Ordering {
        let least = usize::from(!or_node);
        one[least].total_cmp(&other[least])
    }

    fn shown(&self, number: &[f64; 2]) -> [f64; 2] {
        *number
    }
}

/// Monte-Carlo proof-number search.
pub type Mcpn = TreeSearch<McpnRule>;

impl Mcpn {
    /// MCPN with this number of playouts per leaf, and this θ.
    #[must_use]
    pub fn new(playouts: u32, theta: f64, goal: Goal) -> Mcpn {
        TreeSearch::with_rule(McpnRule { sampling: Sampling::new(playouts, theta) }, goal)
    }
}

impl Describe for Mcpn {
    const DESCRIPTION: Description = Description {
        name: "mcpn",
        about: "proof-number search with leaves initialised by playouts",
        parameters: &[GOAL, PLAYOUTS, THETA],
    };
}

impl Technique for Mcpn {
    fn configure(arguments: &Arguments) -> Result<Mcpn, ArgumentError> {
        Ok(Mcpn::new(arguments.count("playouts"), arguments.number("theta"), goal_of(arguments)?))
    }
}
