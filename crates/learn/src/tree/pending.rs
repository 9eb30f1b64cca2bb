//! Several leaves of one tree that wait for their evaluations together.
//!
//! **Idea.** A network evaluates a batch in little more than the time of one position, so one tree
//! asks for several leaves at once. A descent that follows another one must not go the same way: the
//! waiting one counts as a visit, and, if more descents follow before its evaluation comes, as a loss
//! of the player who moved there (*virtual loss*, Chaslot, Winands & van den Herik, "Parallel
//! Monte-Carlo Tree Search", CG 2008). The evaluation replaces the loss.
//!
//! A batch of one has no loss to replace: its arithmetic is that of
//! [`expand`](GumbelTree::expand), and so is its tree, to the bit.

use super::{Descent, GumbelTree, NONE, PENDING};
use tesuji_core::{Player, Position};

/// A leaf that waits for its evaluation.
#[derive(Debug, Default)]
pub struct Waiting {
    path: Vec<u32>,
    /// The loss that stands for its result on each action of the path; empty without one.
    losses: Vec<f32>,
}

/// What a descent of several found.
pub enum Gathered<'a, P> {
    /// A leaf, which waits from now on.
    Leaf(&'a P, Waiting),
    /// The end of a game; its score is counted.
    Ended,
    /// Nothing new: it leads to a leaf that waits already.
    Blocked,
}

impl<P: Position> GumbelTree<P> {
    /// One simulation beside others that wait. `steers` says that more may follow before the
    /// evaluations come.
    pub fn gather(&mut self, root: &P, steers: bool) -> Gathered<'_, P> {
        match self.descend(root) {
            Descent::Ended => Gathered::Ended,
            Descent::Pending => Gathered::Blocked,
            Descent::Leaf => {
                let waiting = self.suspend(steers);
                Gathered::Leaf(&self.leaf, waiting)
            }
        }
    }

    fn suspend(&mut self, steers: bool) -> Waiting {
        let mut waiting = Waiting { path: std::mem::take(&mut self.path), losses: Vec::new() };
        let mut at = 0;
        for &action in &waiting.path {
            let action = action as usize;
            self.visits[action] += 1;
            if steers {
                // For the first player: nothing if it chose the action, everything if its opponent did.
                let loss = if self.nodes[at as usize].turn == Player::First { 0.0 } else { 1.0 };
                self.totals[action] += loss;
                waiting.losses.push(loss);
            }
            at = self.children[action];
        }
        let last = *waiting.path.last().expect("a descent takes an action") as usize;
        debug_assert_eq!(self.children[last], NONE);
        self.children[last] = PENDING;
        self.done += 1;
        waiting
    }

    /// The evaluation of a leaf that waits, and the leaf.
    pub fn resume(&mut self, waiting: &Waiting, leaf: &P, logits: &[f32], value: f32) {
        self.leaf.clone_from(leaf);
        let node = self.nodes.len() as u32;
        let value = self.add_node(logits, value);
        for (place, &action) in waiting.path.iter().enumerate() {
            let total = &mut self.totals[action as usize];
            *total -= waiting.losses.get(place).copied().unwrap_or(0.0);
            *total += value;
        }
        let last = *waiting.path.last().expect("a descent takes an action");
        self.children[last as usize] = node;
    }
}
