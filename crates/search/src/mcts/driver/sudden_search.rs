//! Li's improved search at the root (`lookahead/sudden.rs` has the rules).

use crate::mcts::backup::solver;
use crate::mcts::iteration::{Shared, Worker};
use crate::mcts::lookahead::{JUST_WON, Sudden, forces};
use crate::mcts::tree::{NodeId, ROOT};
use crate::sorting::sort_descending;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use tesuji_core::{Bounds, Player, Position, Rng, Score, Studied};

/// A root move that loses by force.
#[derive(Clone, Copy)]
struct ForcedLoss {
    child: NodeId,
    /// Within this many plies of the root.
    plies: u32,
    /// What the opponent gets at least.
    score: Score,
}

/// A rule and what it has done so far.
pub(crate) struct SuddenSearch {
    rule: Sudden,
    started: AtomicBool,
    /// The iteration after which the minimax ran; 0 before the search, or if it has not run.
    iteration: AtomicU64,
    /// Positions the minimax entered.
    nodes: AtomicU64,
    /// A winning move was found, so the search can end.
    pub(crate) found_win: AtomicBool,
}

impl SuddenSearch {
    pub(crate) fn new(rule: Sudden) -> SuddenSearch {
        SuddenSearch {
            rule,
            started: AtomicBool::new(false),
            iteration: AtomicU64::new(0),
            nodes: AtomicU64::new(0),
            found_win: AtomicBool::new(false),
        }
    }

    /// Figures for the report.
    pub(crate) fn figures(&self) -> Vec<(&'static str, f64)> {
        match self.rule {
            Sudden::Never => Vec::new(),
            _ => vec![
                ("sudden-look-at", self.iteration.load(Relaxed) as f64),
                ("sudden-nodes", self.nodes.load(Relaxed) as f64),
            ],
        }
    }

    /// Claims the one run of the minimax.
    fn claim(&self, iteration: u64) -> bool {
        let first = !self.started.swap(true, Relaxed);
        if first {
            self.iteration.store(iteration, Relaxed);
        }
        first
    }

    /// Called before the search, when the root has its children.
    pub(crate) fn before_search<P: Studied>(&self, shared: &Shared<P>, worker: &mut Worker<P>) {
        if let Sudden::First { k } = self.rule
            && self.claim(0)
        {
            self.examine_all(shared, worker, k);
        }
    }

    /// Called after every iteration.
    #[inline]
    pub(crate) fn after_iteration<P: Studied>(
        &self,
        shared: &Shared<P>,
        worker: &mut Worker<P>,
        iteration: impl Fn() -> u64,
    ) {
        let Some((end, outcome)) = worker.last_end else { return };
        if end <= self.rule.short() {
            match self.rule {
                Sudden::Triggered { k } if !self.started.load(Relaxed) && self.claim(iteration()) => {
                    self.examine_all(shared, worker, k);
                }
                Sudden::Promising { .. } | Sudden::Last { .. } => {
                    if let (Some(winner), Some(&child)) = (outcome.winner(), worker.path.get(1)) {
                        shared.tree.node(child).mark_short(winner == shared.root.turn());
                    }
                }
                _ => {}
            }
        }
        if let Sudden::Promising { k, after, x1, x2 } = self.rule
            && !self.started.load(Relaxed)
            && iteration() >= after
            && self.claim(iteration())
        {
            let ranked = Self::ranked(shared);
            let mut losses = Vec::new();
            for &child in &ranked[..top(&ranked, x1)] {
                if shared.tree.node(child).had_short(false) {
                    match self.forced_loss(shared, worker, child, k) {
                        Some(found) => losses.extend(found),
                        None => break,
                    }
                }
            }
            self.record_losses(shared, &losses);
            self.examine_wins(shared, worker, &ranked, k, x2);
        }
    }

    /// Called at the end of the search.
    /// `ties` is the generator that breaks the ties of the decision.
    pub(crate) fn after_search<P: Studied>(
        &self,
        shared: &Shared<P>,
        worker: &mut Worker<P>,
        ties: &Rng,
        iteration: u64,
    ) {
        if let Sudden::Last { k, x2 } = self.rule
            && self.claim(iteration)
        {
            self.examine_decision(shared, worker, ties, k);
            self.examine_wins(shared, worker, &Self::ranked(shared), k, x2);
        }
    }

    /// What `winner` can force within k plies of the root after this root move: a full win, more
    /// than a draw, or neither (inner `None`). Outer `None` if the budget ended.
    fn leads_to<P: Studied>(
        &self,
        shared: &Shared<P>,
        worker: &mut Worker<P>,
        child: NodeId,
        winner: Player,
        k: u32,
    ) -> Option<Option<Score>> {
        let (root, pulse) = worker.spare_root(shared);
        let mv = root.move_at(shared.tree.node(child).move_index() as usize).expect("the index of a listed move");
        root.play(mv);
        let mut count = 0_u64;
        let mut go_on = || {
            count += 1;
            pulse.goes_on()
        };
        let mut forced =
            forces(root, winner, JUST_WON, k - 1, &mut Vec::new(), &mut go_on).map(|yes| yes.then_some(JUST_WON));
        if forced == Some(Some(JUST_WON))
            && forces(root, winner, Score::WIN, k - 1, &mut Vec::new(), &mut go_on) == Some(true)
        {
            forced = Some(Some(Score::WIN));
        }
        self.nodes.fetch_add(count, Relaxed);
        forced
    }

    fn children<P: Position>(shared: &Shared<P>) -> Vec<NodeId> {
        let children = shared.tree.node(ROOT).children().get();
        children.map_or(Vec::new(), |c| (c.first..c.first + NodeId::from(c.count)).collect())
    }

    fn examine_all<P: Studied>(&self, shared: &Shared<P>, worker: &mut Worker<P>, k: u32) {
        let mover = shared.root.turn();
        let children = Self::children(shared);
        // The shortest win first.
        for within in 1..=k {
            for &child in &children {
                match self.leads_to(shared, worker, child, mover, within) {
                    Some(Some(score)) => return self.record_win(shared, child, score),
                    Some(None) => {}
                    None => return,
                }
            }
        }
        let mut losses = Vec::new();
        for &child in &children {
            match self.forced_loss(shared, worker, child, k) {
                Some(Some(loss)) => losses.push(loss),
                Some(None) => {}
                None => return,
            }
        }
        self.record_losses(shared, &losses);
    }

    /// How soon a root move loses by force, if within k plies. Outer `None` if the budget ended.
    fn forced_loss<P: Studied>(
        &self,
        shared: &Shared<P>,
        worker: &mut Worker<P>,
        child: NodeId,
        k: u32,
    ) -> Option<Option<ForcedLoss>> {
        let other = shared.root.turn().other();
        // Most moves do not lose: ask for the full depth first.
        if self.leads_to(shared, worker, child, other, k)?.is_none() {
            return Some(None);
        }
        for plies in 1..=k {
            if let Some(score) = self.leads_to(shared, worker, child, other, plies)? {
                return Some(Some(ForcedLoss { child, plies, score }));
            }
        }
        Some(None)
    }

    /// The visited moves, the highest mean first.
    fn ranked<P: Position>(shared: &Shared<P>) -> Vec<NodeId> {
        let (mover, tree) = (shared.root.turn(), &shared.tree);
        let mut ranked = Self::children(shared);
        ranked.retain(|child| tree.node(*child).visits() > 0);
        sort_descending(&mut ranked, |child| tree.node(*child).mean_for(mover));
        ranked
    }

    /// Examines the move that would be played, and as long as it loses by force the one that would
    /// be played instead.
    fn examine_decision<P: Studied>(&self, shared: &Shared<P>, worker: &mut Worker<P>, ties: &Rng, k: u32) {
        let Shared { recipe, root, tree, .. } = shared;
        let children = Self::children(shared);
        let mut losses: Vec<ForcedLoss> = Vec::new();
        // The same generator as in the report, so that ties are broken in the same way.
        let decision = || {
            let (moves, proved) = (tree.all_children(ROOT), tree.node(ROOT).bounds());
            recipe.decide.choose(moves, proved, root.turn(), None, &mut ties.clone())
        };
        while let Some(chosen) = decision().map(|number| children[number]) {
            let node = tree.node(chosen);
            if node.is_excluded() || !node.had_short(false) {
                break;
            }
            let Some(Some(loss)) = self.forced_loss(shared, worker, chosen, k) else { break };
            losses.push(loss);
            node.set_excluded(true);
        }
        losses.iter().for_each(|loss| tree.node(loss.child).set_excluded(false));
        self.record_losses(shared, &losses);
    }

    /// Examines those of the best x2 % that had a short win.
    fn examine_wins<P: Studied>(&self, shared: &Shared<P>, worker: &mut Worker<P>, ranked: &[NodeId], k: u32, x2: f64) {
        for &child in &ranked[..top(ranked, x2)] {
            if shared.tree.node(child).had_short(true) {
                match self.leads_to(shared, worker, child, shared.root.turn(), k) {
                    Some(Some(score)) => return self.record_win(shared, child, score),
                    Some(None) => {}
                    None => return,
                }
            }
        }
    }

    /// Excludes moves that lose by force; if all do, those that lose sooner than others.
    fn record_losses<P: Position>(&self, shared: &Shared<P>, losses: &[ForcedLoss]) {
        let all = losses.len() == Self::children(shared).len();
        let longest = losses.iter().map(|loss| loss.plies).max().unwrap_or(0);
        for loss in losses {
            // With the solver, bounds exclude a move by themselves, unless nothing is left to
            // search.
            let sooner = loss.plies < longest;
            let excluded = if shared.recipe.solver { all && sooner } else { !all || sooner };
            if excluded {
                shared.tree.node(loss.child).set_excluded(true);
            }
            if shared.recipe.solver {
                prove(shared, loss.child, shared.root.turn().other(), loss.score);
            }
        }
    }

    /// Excludes all moves but one that wins by force, and ends the search. With the solver the
    /// bound is recorded only, because the win may not be the best grade.
    fn record_win<P: Position>(&self, shared: &Shared<P>, winning: NodeId, score: Score) {
        if shared.recipe.solver {
            prove(shared, winning, shared.root.turn(), score);
        } else {
            Self::children(shared).iter().for_each(|&child| shared.tree.node(child).set_excluded(child != winning));
            self.found_win.store(true, Relaxed);
        }
    }
}

/// How many moves are the best `percent` of a ranking.
fn top(ranked: &[NodeId], percent: f64) -> usize {
    ((ranked.len() as f64 * percent / 100.0).ceil() as usize).min(ranked.len())
}

/// Records a forced result as a bound.
fn prove<P: Position>(shared: &Shared<P>, child: NodeId, winner: Player, score: Score) {
    let node = shared.tree.node(child);
    let found = match winner {
        Player::First => Bounds::new(score, Score::WIN),
        Player::Second => Bounds::new(Score::LOSS, score.flipped()),
    };
    let joined = found.and_then(|found| node.bounds().intersect(found)).expect("proofs do not contradict each other");
    node.set_bounds(joined);
    let joined = solver::joined(&shared.tree, ROOT);
    shared.tree.node(ROOT).set_bounds(joined);
}
