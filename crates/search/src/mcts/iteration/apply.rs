//! Applying: add an estimate along the path, and back up what follows from it.

use super::shared::Shared;
use super::worker::{Step, Worker};
use crate::mcts::backup::{Estimate, proof_numbers, solver};
use crate::mcts::lookahead;
use crate::mcts::parallel::BATCH;
use crate::mcts::tree::{NodeId, ROOT};
use tesuji_core::{Position, Studied};

impl<P: Position> Shared<P> {
    /// Adds an estimate to one node.
    #[inline]
    pub(super) fn add(&self, id: NodeId, estimate: &Estimate) {
        self.tree.node(id).add(estimate.units, estimate.count, self.concurrent);
        if self.tree.columns.squares {
            self.tree.add_squares(id, estimate.squares, self.concurrent);
        }
    }
}

impl<P: Studied> Worker<P> {
    /// Backs up an estimate along the path.
    pub(crate) fn apply(&mut self, shared: &Shared<P>, estimate: &Estimate) {
        let tree = &shared.tree;
        if estimate.is_empty() {
            // Only the virtual losses of the descent are removed.
            if shared.concurrent {
                self.apply_concurrently(shared, estimate);
            }
            return;
        }
        self.depth = self.depth.max(self.path.len() as u32 - 1);
        if shared.concurrent {
            self.apply_concurrently(shared, estimate);
        } else {
            self.path.iter().for_each(|&id| shared.add(id, estimate));
        }
        if tree.columns.amaf {
            self.update_amaf(shared);
        }
        if estimate.proved {
            solver::back_up(tree, &self.path);
            self.probe_ancestor(shared);
        }
        shared.recipe.backup.apply(tree, &self.path);
        if tree.columns.proof {
            proof_numbers::back_up(tree, &self.path);
        }
    }

    /// Adds an estimate along a path that other threads use too. All threads would write the root
    /// in every iteration, so its estimates are added in batches.
    fn apply_concurrently(&mut self, shared: &Shared<P>, estimate: &Estimate) {
        let tree = &shared.tree;
        self.pending.merge(*estimate);
        self.pending_count += 1;
        // An iteration with a network is slow, and the next one wants to know of it.
        if self.pending_count >= BATCH || self.judge.is_some() {
            self.flush_root(shared);
        }
        for (ends, step) in self.path.windows(2).zip(&self.steps) {
            let (parent, child) = (ends[0], ends[1]);
            match step {
                Step::Cached => self.cache.add(tree, parent, child, estimate.units, estimate.count),
                Step::Direct => shared.add(child, estimate),
                Step::VirtualLoss => {
                    let (chooser, losses) = (tree.node(parent).mover(), shared.recipe.virtual_loss);
                    tree.node(child).replace_virtual_loss(chooser, losses, estimate.units, estimate.count);
                    if tree.columns.squares {
                        tree.add_squares(child, estimate.squares, true);
                    }
                }
            }
        }
    }

    /// Adds the pending estimates to the root.
    fn flush_root(&mut self, shared: &Shared<P>) {
        shared.add(ROOT, &self.pending);
        (self.pending, self.pending_count) = (Estimate::default(), 0);
    }

    /// Adds everything pending to the tree.
    pub(crate) fn flush(&mut self, shared: &Shared<P>) {
        self.flush_root(shared);
        self.cache.flush_all(&shared.tree);
    }

    /// Minimax in the backup: where a proof stops on its way up, a look-ahead may carry it further.
    fn probe_ancestor(&mut self, shared: &Shared<P>) {
        let Some(probe) = shared.recipe.probe.filter(|probe| probe.backup) else { return };
        let tree = &shared.tree;
        let Some(stopped) = self.path.iter().rposition(|&id| tree.node(id).bounds().proved().is_none()) else { return };
        if stopped == 0 || stopped + 1 == self.path.len() {
            return;
        }
        self.spare.clone_from(&shared.root);
        for &id in &self.path[1..=stopped] {
            let mv = self.spare.move_at(tree.node(id).move_index() as usize).expect("the index of a listed move");
            self.spare.play(mv);
        }
        let node = tree.node(self.path[stopped]);
        let Worker { spare, legal, pulse, .. } = self;
        let found = lookahead::bounds(spare, probe.depth, legal, &mut || pulse.goes_on());
        let joined = node.bounds().intersect(found).expect("proofs do not contradict each other");
        if joined != node.bounds() {
            node.set_bounds(joined);
            solver::back_up(tree, &self.path[..=stopped]);
        }
    }

    /// Updates the all-moves-as-first statistics by the last playout: every child on the path's
    /// nodes whose move the node's mover played from there on, counted once.
    fn update_amaf(&mut self, shared: &Shared<P>) {
        self.stamp += 1;
        let root = &shared.root;
        let later = self.moves.0.iter().map(|(player, mv)| (*player, root.move_index(*mv) as u32));
        let all = self.history.iter().copied().chain(later);
        for (place, (player, index)) in all.enumerate() {
            let slot = &mut self.earliest[player.index()][index as usize];
            if slot.0 != self.stamp {
                *slot = (self.stamp, place as u32);
            }
        }
        for (depth, &id) in self.path.iter().enumerate() {
            let node = shared.tree.node(id);
            let Some(children) = node.children().get() else { continue };
            let seen = &self.earliest[node.mover().index()];
            if shared.concurrent
                && let Some(cached) = self.cache.get(id)
            {
                for number in 0..cached.moves.len() {
                    let (stamp, place) = seen[cached.moves[number] as usize];
                    if stamp == self.stamp && place as usize >= depth {
                        cached.add_amaf(number, self.sample);
                    }
                }
                continue;
            }
            for child in children.first..children.first + NodeId::from(children.open) {
                let (stamp, place) = seen[shared.tree.node(child).move_index() as usize];
                if stamp == self.stamp && place as usize >= depth {
                    shared.tree.amaf[child as usize].add(self.sample);
                }
            }
        }
    }
}
