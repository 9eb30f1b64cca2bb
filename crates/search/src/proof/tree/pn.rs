//! Proof-number search: expand the leaf that belongs to both a smallest possible proof and a
//! smallest possible disproof.
//!
//! > OR: pn = min pnᵢ, dn = Σ dnᵢ; select the least pn
//! > AND: pn = Σ pnᵢ, dn = min dnᵢ; select the least dn
//!
//! Tie-breaks: *leftmost* in the order of moves (the game's as in Allis, or shuffled); *deepest*, the child whose most-proving
//! leaf is deepest (Zhang 2019, §2.1.6, about 10 % fewer iterations on Othello endgames);
//! *previous*, the child on the path of the previous iteration, then leftmost. With *previous* the
//! sequence of expansions equals that of df-pn where positions do not transpose.
//!
//! Reference: Allis, van der Meulen & van den Herik, "Proof-number search", 1994. No deviation;
//! numbers have 64 bits and are clamped below infinity.

use super::arena::{Node, ORDER, Order, Rule, TreeSearch};
use crate::Technique;
use crate::proof::Status;
use std::cmp::Ordering;
use tesuji_core::solver::{GOAL, goal_of};
use tesuji_core::spec::{ArgumentError, Arguments, Describe, Description, Kind, Parameter};
use tesuji_core::{Aim, Goal, Position, Pulse};

/// The tie-break between children with equal numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ties {
    /// The game's order of moves.
    #[default]
    Leftmost,
    /// The deeper most-proving leaf, then the game's order.
    Deepest,
    /// The path of the previous iteration, then the game's order.
    Previous,
}

/// The largest finite number.
pub(super) const MAX_NUMBER: u64 = u64::MAX - 1;

/// Proof number, disproof number, and the depth of the most-proving leaf.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Number {
    pub(super) proof: [u64; 2],
    pub(super) depth: u32,
}

/// The rule of PN-search.
pub struct PnRule {
    pub(super) ties: Ties,
}

impl Rule for PnRule {
    type Number = Number;

    fn leaf<P: Position>(&mut self, _: [&mut P; 2], _: Aim, depth: u32, _: &mut Pulse) -> Number {
        Number { proof: [1, 1], depth }
    }

    fn join(&self, or_node: bool, children: &[Node<Number>]) -> Number {
        let least = usize::from(!or_node);
        let mut joined = Number { proof: [0, 0], depth: 0 };
        joined.proof[least] = u64::MAX;
        for child in children.iter().filter(|child| child.status == Status::Unknown) {
            let proof = child.number.proof;
            joined.proof[1 - least] = joined.proof[1 - least].saturating_add(proof[1 - least]).min(MAX_NUMBER);
            match proof[least].cmp(&joined.proof[least]) {
                Ordering::Less => (joined.proof[least], joined.depth) = (proof[least], child.number.depth),
                Ordering::Equal => joined.depth = joined.depth.max(child.number.depth),
                Ordering::Greater => {}
            }
        }
        joined
    }

    fn urgency(&self, or_node: bool, one: &Number, other: &Number) -> Ordering {
        let least = usize::from(!or_node);
        let order = one.proof[least].cmp(&other.proof[least]);
        if self.ties == Ties::Deepest { order.then(other.depth.cmp(&one.depth)) } else { order }
    }

    fn stays(&self) -> bool {
        self.ties == Ties::Previous
    }

    fn shown(&self, number: &Number) -> [f64; 2] {
        number.proof.map(|proof| proof as f64)
    }
}

/// Proof-number search.
pub type Pn = TreeSearch<PnRule>;

impl Pn {
    /// PN-search with this tie-break.
    #[must_use]
    pub fn new(ties: Ties, goal: Goal) -> Pn {
        TreeSearch::with_rule(PnRule { ties }, goal)
    }
}

impl Describe for Pn {
    const DESCRIPTION: Description = Description {
        name: "pn",
        about: "proof-number search with the tree in memory",
        parameters: &[
            GOAL,
            Parameter {
                name: "ties",
                about: "tie-break: the order of moves, the deepest most-proving leaf, or the previous path",
                kind: Kind::Choice(&["leftmost", "deepest", "previous"]),
                default: Some("leftmost"),
            },
            ORDER,
        ],
    };
}

impl Technique for Pn {
    fn configure(arguments: &Arguments) -> Result<Pn, ArgumentError> {
        let ties = match arguments.word("ties") {
            "deepest" => Ties::Deepest,
            "previous" => Ties::Previous,
            _ => Ties::Leftmost,
        };
        Ok(Pn::new(ties, goal_of(arguments)?).ordered(Order::of(arguments)))
    }
}
