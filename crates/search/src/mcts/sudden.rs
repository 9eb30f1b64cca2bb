//! Improved search against sudden death and sudden win: a minimax of depth k where random playouts mislead.
//!
//! | rule | when the minimax of depth k looks | at what | reference |
//! |---|---|---|---|
//! | `first(k)` | before the search | every move | Li 2018 §5.1, Fig. 17(a), brute force |
//! | `triggered(k)` | when the first playout ends within k plies of the root | every move | Fig. 17(b), the improved algorithm |
//! | `promising(k, after, x1, x2)` | after so many iterations | moves of the best x1 % with a short loss, of the best x2 % with a short win | §5.3, heuristic strategy 1 |
//! | `last(k, x2)` | at the end | the best move, while it had a short loss and proves a sudden death; moves of the best x2 % with a short win | §5.3, heuristic strategy 2 |
//!
//! A move that wins by force within k plies ends the search; moves that lose by force within k are barred from selection and decision
//! unless all do; then those that lose soonest. Where proofs are kept (`solver=true`) the same is said with bounds, which bar what is proved to be worse and
//! end the search when the root is proved. Any k (Li's program is fixed at 4). Wins are scores above ½.

use super::lookahead::{JUST_WON, forces};
use super::tree::{NodeId, ROOT};
use super::worker::{Shared, Worker};
use crate::sorting::sort_down;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use tesuji_core::{Bounds, Player, Position, Score, Studied};

/// When to look for sudden death and win.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Sudden {
    /// Never.
    Never,
    /// Before the search.
    First {
        /// Plies.
        k: u32,
    },
    /// At the first short playout.
    Triggered {
        /// Plies.
        k: u32,
    },
    /// After so many iterations, at promising moves only.
    Promising {
        /// Plies.
        k: u32,
        /// Iterations before the look.
        after: u64,
        /// Percent of the moves examined for death.
        x1: f64,
        /// Percent of the moves examined for a win.
        x2: f64,
    },
    /// At the end, at promising moves only.
    Last {
        /// Plies.
        k: u32,
        /// Percent of the moves examined for a win.
        x2: f64,
    },
}

impl Sudden {
    /// Playouts that end within so many plies are short; 0 if nobody asks.
    pub(super) fn short(self) -> u32 {
        match self {
            Sudden::Never | Sudden::First { .. } => 0,
            Sudden::Triggered { k } | Sudden::Promising { k, .. } | Sudden::Last { k, .. } => k,
        }
    }
}

/// A move that loses by force.
#[derive(Clone, Copy)]
struct Death {
    child: NodeId,
    /// Within so many plies of the root.
    plies: u32,
    /// What the other gets at least.
    score: Score,
}

/// What the rule has done so far.
pub(super) struct Watchman {
    rule: Sudden,
    looked: AtomicBool,
    /// The iteration at which the look was made, from 1; 0 if none was.
    at: AtomicU64,
    /// Positions the minimax entered.
    nodes: AtomicU64,
    /// A winning move was found: the search is over.
    pub(super) won: AtomicBool,
}

impl Watchman {
    pub(super) fn new(rule: Sudden) -> Watchman {
        Watchman {
            rule,
            looked: AtomicBool::new(false),
            at: AtomicU64::new(0),
            nodes: AtomicU64::new(0),
            won: AtomicBool::new(false),
        }
    }

    /// Figures for the report.
    pub(super) fn figures(&self) -> Vec<(&'static str, f64)> {
        match self.rule {
            Sudden::Never => Vec::new(),
            _ => vec![
                ("sudden-look-at", self.at.load(Relaxed) as f64),
                ("sudden-nodes", self.nodes.load(Relaxed) as f64),
            ],
        }
    }

    fn claim(&self, iteration: u64) -> bool {
        let first = !self.looked.swap(true, Relaxed);
        if first {
            self.at.store(iteration, Relaxed);
        }
        first
    }

    /// Before the search, once the root has its children.
    pub(super) fn before<P: Studied>(&self, shared: &Shared<P>, worker: &mut Worker<P>) {
        if let Sudden::First { k } = self.rule
            && self.claim(0)
        {
            self.examine_all(shared, worker, k);
        }
    }

    /// After every iteration.
    #[inline]
    pub(super) fn after<P: Studied>(&self, shared: &Shared<P>, worker: &mut Worker<P>, iteration: impl Fn() -> u64) {
        let Some((end, outcome)) = worker.last_end else { return };
        if end <= self.rule.short() {
            match self.rule {
                Sudden::Triggered { k } if !self.looked.load(Relaxed) && self.claim(iteration()) => {
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
            && !self.looked.load(Relaxed)
            && iteration() >= after
            && self.claim(iteration())
        {
            self.examine_promising(shared, worker, k, Some(x1), x2);
        }
    }

    /// At the end of the search.
    pub(super) fn at_last<P: Studied>(&self, shared: &Shared<P>, worker: &mut Worker<P>, iteration: u64) {
        if let Sudden::Last { k, x2 } = self.rule
            && self.claim(iteration)
        {
            self.examine_promising(shared, worker, k, None, x2);
        }
    }

    /// What `winner` can force within k plies of the root after this move of the root: a full win, more than a draw, or neither (the inner
    /// nothing). The outer nothing if the budget ended.
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
        // The quickest win first.
        for within in 1..=k {
            for &child in &children {
                match self.leads_to(shared, worker, child, mover, within) {
                    Some(Some(score)) => return self.wins(shared, child, score),
                    Some(None) => {}
                    None => return,
                }
            }
        }
        let mut deaths = Vec::new();
        for &child in &children {
            match self.death_of(shared, worker, child, k) {
                Some(Some(death)) => deaths.push(death),
                Some(None) => {}
                None => return,
            }
        }
        self.loses(shared, &deaths);
    }

    /// How soon a move of the root loses by force, if within k plies. The outer nothing if the budget ended.
    fn death_of<P: Studied>(
        &self,
        shared: &Shared<P>,
        worker: &mut Worker<P>,
        child: NodeId,
        k: u32,
    ) -> Option<Option<Death>> {
        let other = shared.root.turn().other();
        // Most moves do not lose: ask for all plies first.
        if self.leads_to(shared, worker, child, other, k)?.is_none() {
            return Some(None);
        }
        for plies in 1..=k {
            if let Some(score) = self.leads_to(shared, worker, child, other, plies)? {
                return Some(Some(Death { child, plies, score }));
            }
        }
        Some(None)
    }

    fn examine_promising<P: Studied>(
        &self,
        shared: &Shared<P>,
        worker: &mut Worker<P>,
        k: u32,
        x1: Option<f64>,
        x2: f64,
    ) {
        let mover = shared.root.turn();
        let tree = &shared.tree;
        let mut ranked = Self::children(shared);
        ranked.retain(|child| tree.node(*child).visits() > 0);
        sort_down(&mut ranked, |child| tree.node(*child).mean_for(mover));
        let top = |percent: f64| ((ranked.len() as f64 * percent / 100.0).ceil() as usize).min(ranked.len());
        let mut deaths = Vec::new();
        for &child in &ranked[..x1.map_or(ranked.len(), top)] {
            let mut dies = None;
            if tree.node(child).had_short(false) {
                match self.death_of(shared, worker, child, k) {
                    Some(found) => dies = found,
                    None => break,
                }
            }
            match dies {
                Some(death) => deaths.push(death),
                // At the end only the best move counts, and the next best while it is death.
                None if x1.is_none() => break,
                None => {}
            }
        }
        self.loses(shared, &deaths);
        for &child in &ranked[..top(x2)] {
            if tree.node(child).had_short(true) {
                match self.leads_to(shared, worker, child, mover, k) {
                    Some(Some(score)) => return self.wins(shared, child, score),
                    Some(None) => {}
                    None => return,
                }
            }
        }
    }

    /// Moves that lose by force are left out; if all do, those that lose sooner than others.
    fn loses<P: Position>(&self, shared: &Shared<P>, deaths: &[Death]) {
        let all = deaths.len() == Self::children(shared).len();
        let longest = deaths.iter().map(|death| death.plies).max().unwrap_or(0);
        for death in deaths {
            // Where proofs are kept they leave a move out by themselves, unless nothing is left to search.
            let sooner = death.plies < longest;
            let left_out = if shared.recipe.solver { all && sooner } else { !all || sooner };
            if left_out {
                shared.tree.node(death.child).bar(true);
            }
            if shared.recipe.solver {
                prove(shared, death.child, shared.root.turn().other(), death.score);
            }
        }
    }

    /// Everything but a move that wins by force is left out, and the search ends; where proofs are kept, a win that may not be the best
    /// grade is noted only.
    fn wins<P: Position>(&self, shared: &Shared<P>, winning: NodeId, score: Score) {
        if shared.recipe.solver {
            prove(shared, winning, shared.root.turn(), score);
        } else {
            Self::children(shared).iter().for_each(|&child| shared.tree.node(child).bar(child != winning));
            self.won.store(true, Relaxed);
        }
    }
}

/// Keeps a forced result as proved.
fn prove<P: Position>(shared: &Shared<P>, child: NodeId, winner: Player, score: Score) {
    let node = shared.tree.node(child);
    let found = match winner {
        Player::First => Bounds::new(score, Score::WIN),
        Player::Second => Bounds::new(Score::LOSS, score.flipped()),
    };
    let joined = found.and_then(|found| node.bounds().intersect(found)).expect("proofs do not contradict each other");
    node.set_bounds(joined);
    let joined = super::solver::joined(&shared.tree, ROOT);
    shared.tree.node(ROOT).set_bounds(joined);
}
