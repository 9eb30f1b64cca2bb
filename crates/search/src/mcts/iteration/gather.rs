//! Gathering: descend from the root, expand a node, probe and estimate the leaf.

use super::select::best_in_tree;
use super::shared::Shared;
use super::worker::{Step, Worker};
use crate::mcts::backup::{Backup, CombinedForm, Estimate, path_between, solver};
use crate::mcts::lookahead;
use crate::mcts::recipe::TieBreak;
use crate::mcts::select::{Expansion, Selection};
use crate::mcts::tree::{NodeId, Published, ROOT};
use crate::sorting::sort_by_weight;
use std::sync::atomic::Ordering;
use tesuji_core::{Outcome, Studied};

/// A virtual loss is added only to nodes with fewer than this many times its visits. At others it
/// hardly changes the selection, and threads that meet there part below.
const VIRTUAL_LOSS_RANGE: u32 = 8;

impl<P: Studied> Worker<P> {
    /// Whether the moves of the descent are recorded.
    fn needs_history(&self, shared: &Shared<P>) -> bool {
        shared.tree.columns.amaf || shared.recipe.leaf.needs_history()
    }

    /// Descends, expands and estimates.
    pub(crate) fn gather(&mut self, shared: &Shared<P>) -> Estimate {
        self.path.clear();
        self.path.push(ROOT);
        self.steps.clear();
        self.history.clear();
        self.last_end = None;
        self.moves.0.clear();
        self.position.clone_from(&shared.root);
        let mut id = ROOT;
        if let Selection::Scan { .. } = shared.recipe.select {
            let mut stack = std::mem::take(&mut self.jump);
            let best = best_in_tree(shared, &mut stack, &mut self.pulse);
            self.jump = stack;
            id = self.go_to(shared, ROOT, best);
        }
        loop {
            let node = shared.tree.node(id);
            if let Some(outcome) = self.position.outcome() {
                return self.ended(shared, id, outcome);
            }
            if let Some(estimate) = self.probe(shared, id) {
                return estimate;
            }
            if self.judge.is_some() && node.children().get().is_none() {
                if id != ROOT && shared.recipe.leaf.batch() > 1 {
                    return self.defer(id);
                }
                let estimate = self.judge_leaf(shared, id);
                // The verdict on the root counts for no visit.
                if id != ROOT || node.children().get().is_none() {
                    return estimate;
                }
            } else if node.children().get().is_none() {
                let ripe = node.visits() >= shared.recipe.ripe || id == ROOT;
                if !(ripe && self.expand(shared, id)) {
                    return self.estimate(shared, id);
                }
                if shared.recipe.expand == Expansion::Each {
                    return self.simulate_each(shared, id);
                }
            }
            let Some(child) = self.select(shared, id) else {
                // Every child is settled. Where children are shared, that may be new to this node.
                let proved = shared.recipe.solver && self.join_bounds(shared, id);
                return Estimate { proved, ..self.evaluate(shared, id) };
            };
            let step = if std::mem::take(&mut self.selected_by_cache) { Step::Cached } else { Step::Direct };
            let fresh = self.enter(shared, child, step);
            id = child;
            if let Backup::Combined { form: CombinedForm::Jump, .. } = shared.recipe.backup {
                // A proved node need not be visited again.
                let target = shared.tree.minimax(child);
                if !shared.recipe.solver || shared.tree.node(target).bounds().proved().is_none() {
                    id = self.go_to(shared, child, target);
                }
            }
            if fresh {
                return match self.position.outcome() {
                    Some(outcome) => self.ended(shared, id, outcome),
                    None => self.probe(shared, id).unwrap_or_else(|| self.evaluate(shared, id)),
                };
            }
        }
    }

    /// Updates the bounds of a node from its children. Returns whether they changed.
    fn join_bounds(&mut self, shared: &Shared<P>, id: NodeId) -> bool {
        let joined = solver::joined(&shared.tree, id);
        let changed = joined != shared.tree.node(id).bounds();
        if changed {
            shared.tree.node(id).set_bounds(joined);
        }
        changed
    }

    /// Descends from a node to one of its descendants.
    fn go_to(&mut self, shared: &Shared<P>, from: NodeId, to: NodeId) -> NodeId {
        let mut jump = std::mem::take(&mut self.jump);
        path_between(&shared.tree, from, to, &mut jump);
        jump.iter().for_each(|&id| {
            self.enter(shared, id, Step::Direct);
        });
        self.jump = jump;
        to
    }

    /// Plays the move that leads to a child. Returns whether this is the first descent to reach it.
    fn enter(&mut self, shared: &Shared<P>, child: NodeId, mut step: Step) -> bool {
        let node = shared.tree.node(child);
        let index = node.move_index();
        let mv = self.position.move_at(index as usize).expect("the index of a listed move");
        let chooser = self.position.turn();
        if self.needs_history(shared) {
            self.history.push((chooser, index));
        }
        self.position.play(mv);
        self.path.push(child);
        let losses = shared.recipe.virtual_loss;
        // A network takes long, and a schedule at the root counts visits under way.
        let marked = self.judge.is_some() || node.visits() < losses.saturating_mul(VIRTUAL_LOSS_RANGE);
        if shared.concurrent && step == Step::Direct && marked {
            node.add_virtual_loss(chooser, losses);
            step = Step::VirtualLoss;
        }
        self.steps.push(step);
        !node.is_entered() && node.enter(self.position.turn())
    }

    /// The look-ahead that each node gets once it has enough visits; an estimate if it proved
    /// something.
    fn probe(&mut self, shared: &Shared<P>, id: NodeId) -> Option<Estimate> {
        let probe = shared.recipe.probe?;
        let node = shared.tree.node(id);
        // At the root a proof without its move is useless.
        if id == ROOT || !shared.recipe.solver || node.visits() < probe.visits || !node.claim_probe() {
            return None;
        }
        let Worker { position, legal, pulse, .. } = self;
        let found = lookahead::bounds(position, probe.depth, legal, &mut || pulse.goes_on());
        let joined = node.bounds().intersect(found).expect("proofs do not contradict each other");
        if joined == node.bounds() {
            return None;
        }
        node.set_bounds(joined);
        let score = joined.proved()?;
        // A proved score needs no playout.
        self.sample = shared.recipe.reward.units(Outcome::graded(score));
        Some(Estimate { proved: true, ..Estimate::single(self.sample) })
    }

    /// Simulates every child of a new node once, or as many as the budget allows. The sum is backed
    /// up.
    fn simulate_each(&mut self, shared: &Shared<P>, id: NodeId) -> Estimate {
        let children = shared.tree.node(id).children().get().expect("the node has just been expanded");
        let mut parent = self.parent_position.take().unwrap_or_else(|| self.position.clone());
        parent.clone_from(&self.position);
        let mut sum = Estimate::default();
        for child in children.first..children.first + NodeId::from(children.count) {
            if child > children.first && !self.pulse.goes_on() {
                break;
            }
            let node = shared.tree.node(child);
            self.position.clone_from(&parent);
            let mv = parent.move_at(node.move_index() as usize).expect("the index of a listed move");
            self.position.play(mv);
            node.enter(self.position.turn());
            self.path.push(child);
            if self.needs_history(shared) {
                self.history.push((parent.turn(), node.move_index()));
            }
            let estimate = match self.position.outcome() {
                Some(outcome) => self.ended(shared, child, outcome),
                None => self.estimate(shared, child),
            };
            self.path.pop();
            if self.needs_history(shared) {
                self.history.pop();
            }
            shared.add(child, &estimate);
            sum.merge(estimate);
        }
        self.parent_position = Some(parent);
        if sum.proved {
            sum.proved = self.join_bounds(shared, id);
        }
        sum
    }

    /// The estimate of an ended game, whose score is proved.
    fn ended(&mut self, shared: &Shared<P>, id: NodeId, outcome: Outcome) -> Estimate {
        let node = shared.tree.node(id);
        let proved = shared.recipe.solver && node.bounds().proved().is_none();
        if proved {
            node.set_bounds(solver::judged(shared.recipe.goal, outcome));
        }
        // A game may sample the result at its ends (see `Position::playout`); others return the
        // same score each time.
        Estimate { proved, ..self.estimate(shared, id) }
    }

    /// The leaf's playouts from the position of the descent.
    pub(super) fn estimate(&mut self, shared: &Shared<P>, id: NodeId) -> Estimate {
        let playouts = shared.recipe.leaf.playouts();
        let records = shared.tree.columns.amaf || shared.records_ends;
        if let Some(evaluation) = &shared.evaluation {
            let value = match self.position.outcome() {
                Some(outcome) => outcome.score.to_f64(),
                None => evaluation.expectation(&self.position),
            };
            shared.tree.set_auxiliary(id, value);
        }
        if let Some(pool) = &self.pool {
            pool.send(&self.position, &self.history);
        }
        let mut sum = Estimate::default();
        for number in 1..=playouts {
            // The meter has allowed the first one.
            if number > 1 && !self.pulse.goes_on() {
                break;
            }
            self.moves.0.clear();
            let record = if records { Some(&mut self.moves) } else { None };
            // The last playout may consume the position.
            let position = if number < playouts {
                self.spare.clone_from(&self.position);
                &mut self.spare
            } else {
                &mut self.position
            };
            let outcome = self.leaf.simulate(position, &self.history, &mut self.rng, record);
            let Some(outcome) = outcome else {
                self.moves.0.clear();
                break;
            };
            if shared.records_ends {
                let end = (self.path.len() - 1 + self.moves.0.len()) as u32;
                if self.last_end.is_none_or(|(earlier, _)| end < earlier) {
                    self.last_end = Some((end, outcome));
                }
            }
            self.sample = shared.recipe.reward.units(outcome);
            sum.merge(Estimate::single(self.sample));
        }
        if let Some(pool) = &self.pool {
            sum.merge(pool.collect());
        }
        sum
    }

    /// Gives a node its children. Returns whether this thread did so.
    pub(super) fn expand(&mut self, shared: &Shared<P>, id: NodeId) -> bool {
        let (recipe, tree) = (&shared.recipe, &shared.tree);
        let children = tree.node(id).children();
        if !children.claim() {
            return false;
        }
        let opened = |count: u16| if recipe.expand.opens_all() { count } else { 0 };
        let hash = self.position.hash().0;
        let known = shared.transpositions.as_ref().and_then(|table| table.share(tree, hash));
        if let Some((first, count)) = known {
            children.publish(Published { first, count, open: opened(count) });
            return true;
        }
        self.list_moves(shared);
        let place = u16::try_from(self.order.len()).ok().and_then(|count| Some((tree.allocate(count)?, count)));
        let Some((first, count)) = place else {
            children.withdraw();
            if !shared.exhausted {
                shared.full.store(true, Ordering::Relaxed);
            }
            return false;
        };
        for (child, (index, prior)) in (first..).zip(&self.order) {
            tree.reset(child, *index, id);
            tree.set_prior(child, *prior);
        }
        let published = Published { first, count, open: opened(count) };
        if let Some(table) = &shared.transpositions {
            table.insert(tree, hash, published);
        }
        children.publish(published);
        true
    }

    /// Lists the moves of the position with their priors, in the order in which they are opened.
    fn list_moves(&mut self, shared: &Shared<P>) {
        let Worker { position, legal, weights, order, .. } = self;
        legal.clear();
        lookahead::push_moves(position, legal);
        order.clear();
        let even = 1.0 / legal.len() as f64;
        order.extend(legal.iter().map(|mv| (position.move_index(*mv) as u32, even)));
        if let Some(preference) = &shared.preference {
            preference.weigh(position, legal, weights);
            let sum: f64 = weights.iter().sum();
            order.iter_mut().zip(weights.iter()).for_each(|(entry, weight)| entry.1 = weight / sum);
        }
        if self.judge.is_some() {
            self.write_priors();
        }
        let Worker { order, rng, .. } = self;
        if shared.recipe.ties == TieBreak::Random {
            for last in (1..order.len()).rev() {
                order.swap(last, rng.below(last as u32 + 1) as usize);
            }
        }
        if shared.recipe.expand.needs_order() {
            sort_by_weight(order);
        }
    }
}
