//! Proves a position by the rules alone, in place of a certificate that is not trusted.
//!
//! A plain proof-number search (Allis 1994) with the tree in memory: descend to the most-proving
//! leaf, expand it, back the numbers up. It knows the rules and nothing of the game. The numbers of
//! the distrusted certificate serve as hints: the claimant's moves whose index occurs among them
//! come first. Hints change the order of work, never the result.
//!
//! The code is independent of `tesuji-search`: a mistake there is not repeated here.

use std::ops::ControlFlow;
use tesuji_core::{Aim, Deadline, Position};

/// How far certificates are expanded.
#[derive(Clone, Debug)]
pub struct ExpansionLimits {
    /// Positions for each certificate; each takes about 20 bytes until the certificate is expanded.
    pub positions: u64,
    /// No expansion goes on after this.
    pub deadline: Deadline,
}

/// The result of an expansion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Expansion {
    /// The claimant reaches the aim.
    Proved,
    /// The claimant does not.
    Disproved,
    /// A limit was reached first.
    Unfinished,
}

/// A number that is never reached by adding.
const INFINITE: u32 = u32::MAX;

/// More positions do not fit into the indices of nodes.
const MAX_POSITIONS: u64 = 1 << 31;

/// Winning moves that are tried first.
const RECENT_WINS: usize = 8;

/// Expansions between two looks at the deadline.
const POLL_INTERVAL: u64 = 64;

#[derive(Clone, Copy)]
struct Node {
    move_index: u32,
    /// 0 once the node is proved.
    proof: u32,
    /// 0 once the node is disproved.
    disproof: u32,
    first_child: u32,
    children: u32,
}

/// Expands positions under common limits.
pub(crate) struct Expander<'a> {
    aim: Aim,
    hints: &'a [u64],
    deadline: &'a Deadline,
    /// Positions left.
    left: u64,
    nodes: Vec<Node>,
    recent_wins: Vec<u32>,
}

impl<'a> Expander<'a> {
    /// For a claim and a certificate with these numbers.
    pub(crate) fn new(aim: Aim, hints: &'a [u64], limits: &'a ExpansionLimits) -> Expander<'a> {
        let (deadline, left) = (&limits.deadline, limits.positions.min(MAX_POSITIONS));
        Expander { aim, hints, deadline, left, nodes: Vec::new(), recent_wins: Vec::new() }
    }

    /// Whether the claimant reaches the aim from this position.
    pub(crate) fn expand<P: Position>(&mut self, root: &P) -> Expansion {
        if let Some(outcome) = root.outcome() {
            let reached = self.aim.worth(outcome) >= self.aim.least;
            return if reached { Expansion::Proved } else { Expansion::Disproved };
        }
        self.nodes.clear();
        self.nodes.push(Node { move_index: 0, proof: 1, disproof: 1, first_child: 0, children: 0 });
        let mut expansions = 0_u64;
        // Each node on the path with whether the claimant moves there.
        let mut path: Vec<(usize, bool)> = Vec::new();
        loop {
            match self.nodes[0] {
                Node { proof: 0, .. } => return Expansion::Proved,
                Node { disproof: 0, .. } => return Expansion::Disproved,
                _ => {}
            }
            if self.left == 0 || expansions.is_multiple_of(POLL_INTERVAL) && self.deadline.is_over() {
                return Expansion::Unfinished;
            }
            expansions += 1;
            let mut position = root.clone();
            path.clear();
            path.push((0, position.turn() == self.aim.player));
            while let Some((node, own)) = path.last().copied().filter(|(node, _)| self.nodes[*node].children > 0) {
                let child = self.most_proving(node, own);
                let mv = position.move_at(self.nodes[child].move_index as usize);
                position.play(mv.expect("children are moves of the game"));
                path.push((child, position.turn() == self.aim.player));
            }
            let (leaf, own) = *path.last().expect("the root");
            self.add_children(leaf, &position, own);
            self.back_up(&path);
        }
    }

    fn children(&self, node: usize) -> std::ops::Range<usize> {
        let Node { first_child, children, .. } = self.nodes[node];
        first_child as usize..(first_child + children) as usize
    }

    /// The child with the least number of the mover; the first of equals.
    fn most_proving(&self, node: usize, own: bool) -> usize {
        let number = |child: &usize| if own { self.nodes[*child].proof } else { self.nodes[*child].disproof };
        self.children(node).min_by_key(number).expect("an expanded node has children")
    }

    /// Expands a leaf. If one child decides it, only that one is kept.
    fn add_children<P: Position>(&mut self, leaf: usize, position: &P, own: bool) {
        let first = self.nodes.len();
        let mut indices: Vec<u32> = Vec::new();
        let _ = position.visit_moves::<()>(|mv| {
            indices.push(position.move_index(mv) as u32);
            ControlFlow::Continue(())
        });
        let hints = self.hints;
        let hinted = |index: u32| hints.contains(&u64::from(index));
        if own {
            let recent = |index: u32| self.recent_wins.iter().position(|win| *win == index);
            indices.sort_by_key(|index| (std::cmp::Reverse(recent(*index)), !hinted(*index)));
        }
        // A move without a hint starts as if its replies were counted already.
        let unhinted = if own && !hints.is_empty() { indices.len() as u32 } else { 1 };
        for index in indices {
            let mut after = position.clone();
            after.play(position.move_at(index as usize).expect("undoes move_index"));
            self.left = self.left.saturating_sub(1);
            let reached = after.outcome().map(|outcome| self.aim.worth(outcome) >= self.aim.least);
            let (proof, disproof) = match reached {
                Some(true) => (0, INFINITE),
                Some(false) => (INFINITE, 0),
                None if hinted(index) => (1, 1),
                None => (unhinted, 1),
            };
            let decides = reached == Some(own);
            if decides {
                self.nodes.truncate(first);
            }
            self.nodes.push(Node { move_index: index, proof, disproof, first_child: 0, children: 0 });
            if decides {
                if own {
                    self.remember_win(index);
                }
                break;
            }
        }
        let children = (self.nodes.len() - first) as u32;
        let node = &mut self.nodes[leaf];
        (node.first_child, node.children) = (first as u32, children);
    }

    fn remember_win(&mut self, index: u32) {
        self.recent_wins.retain(|win| *win != index);
        self.recent_wins.push(index);
        if self.recent_wins.len() > RECENT_WINS {
            self.recent_wins.remove(0);
        }
    }

    fn back_up(&mut self, path: &[(usize, bool)]) {
        for (node, own) in path.iter().rev().copied() {
            let (mut least, mut sum) = (INFINITE, 0_u32);
            for child in &self.nodes[self.children(node)] {
                let (mover, other) = if own { (child.proof, child.disproof) } else { (child.disproof, child.proof) };
                least = least.min(mover);
                // Finite sums stay below infinity.
                sum = if other == INFINITE { INFINITE } else { sum.saturating_add(other).min(INFINITE - 1).max(sum) };
            }
            let (proof, disproof) = if own { (least, sum) } else { (sum, least) };
            (self.nodes[node].proof, self.nodes[node].disproof) = (proof, disproof);
        }
    }
}
