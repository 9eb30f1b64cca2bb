//! `DeepPN`: proof-number search biased towards depth, against the seesaw effect between two
//! subtrees.
//!
//! > deep(leaf) = 1/depth,  deep(n) = deep of the unsolved child with the least DPN
//! > DPN(c) = R·δ/(δ+1) + (1−R)·deep(c),  select the unsolved child with the least DPN
//!
//! where δ is the number that the parent minimises: the child's proof number at OR nodes, its
//! disproof number at AND nodes. R = 1 is PN-search node for node, R = 0 is depth-first search.
//!
//! Reference: Ishitobi, Plaat, Iida & van den Herik, "Reducing the Seesaw Effect with Deep
//! Proof-Number Search", 2015; Zhang 2019, §2.1.6, which writes δ/(δ+1) as 1 − 1/(δ+1). Deviation:
//! δ is defined from the parent, since turns need not alternate; the root, of depth 0, counts as
//! depth 1.

use super::arena::{Node, ORDER, Order, Rule, TreeSearch};
use super::pn::MAX_NUMBER;
use crate::Technique;
use crate::proof::Status;
use std::cmp::Ordering;
use tesuji_core::solver::{GOAL, goal_of};
use tesuji_core::spec::{ArgumentError, Arguments, Describe, Description, Kind, Parameter};
use tesuji_core::{Aim, Goal, Position, Pulse};

/// Proof number, disproof number, and the depth term of the leaf that would be expanded.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Number {
    proof: [u64; 2],
    deep: f64,
}

/// The rule of DeepPN.
pub struct DeepPnRule {
    r: f64,
}

impl DeepPnRule {
    fn dpn(&self, least: usize, number: &Number) -> f64 {
        let delta = number.proof[least] as f64;
        delta / (delta + 1.0) * self.r + number.deep * (1.0 - self.r)
    }
}

impl Rule for DeepPnRule {
    type Number = Number;

    fn leaf<P: Position>(&mut self, _: [&mut P; 2], _: Aim, depth: u32, _: &mut Pulse) -> Number {
        Number { proof: [1, 1], deep: 1.0 / f64::from(depth.max(1)) }
    }

    fn join(&self, or_node: bool, children: &[Node<Number>]) -> Number {
        let least = usize::from(!or_node);
        let mut joined = Number { proof: [0, 0], deep: 1.0 };
        joined.proof[least] = u64::MAX;
        let mut best = f64::INFINITY;
        for child in children.iter().filter(|child| child.status == Status::Unknown) {
            let proof = child.number.proof;
            joined.proof[1 - least] = joined.proof[1 - least].saturating_add(proof[1 - least]).min(MAX_NUMBER);
            joined.proof[least] = joined.proof[least].min(proof[least]);
            let dpn = self.dpn(least, &child.number);
            if dpn < best {
                (best, joined.deep) = (dpn, child.number.deep);
            }
        }
        joined
    }

    fn urgency(&self, or_node: bool, one: &Number, other: &Number) -> Ordering {
        let least = usize::from(!or_node);
        self.dpn(least, one).total_cmp(&self.dpn(least, other))
    }

    fn shown(&self, number: &Number) -> [f64; 2] {
        number.proof.map(|proof| proof as f64)
    }
}

/// Deep proof-number search.
pub type DeepPn = TreeSearch<DeepPnRule>;

impl DeepPn {
    /// DeepPN with this R, in [0, 1].
    #[must_use]
    pub fn new(r: f64, goal: Goal) -> DeepPn {
        TreeSearch::with_rule(DeepPnRule { r: r.clamp(0.0, 1.0) }, goal)
    }
}

impl Describe for DeepPn {
    const DESCRIPTION: Description = Description {
        name: "deep-pn",
        about: "proof-number search with a bias towards depth",
        parameters: &[
            GOAL,
            Parameter {
                name: "r",
                about: "weight of the proof number against depth: 1 is proof-number search, 0 depth-first search",
                kind: Kind::Number(0.0, 1.0),
                default: Some("0.6"),
            },
            ORDER,
        ],
    };
}

impl Technique for DeepPn {
    fn configure(arguments: &Arguments) -> Result<DeepPn, ArgumentError> {
        Ok(DeepPn::new(arguments.number("r"), goal_of(arguments)?).ordered(Order::of(arguments)))
    }
}
