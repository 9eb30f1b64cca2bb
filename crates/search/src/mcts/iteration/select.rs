//! Selection: the child to which a thread descends, by the recipe's rule and by what is proved,
//! excluded and open.

use super::shared::Shared;
use super::worker::Worker;
use crate::mcts::backup::{proof_numbers, solver};
use crate::mcts::leaf::first_play;
use crate::mcts::parallel::{CachedChild, StatisticsCache};
use crate::mcts::recipe::{Mcts, TieBreak};
use crate::mcts::select::{
    ChildStatistics, ParentStatistics, Selection, clearly_below, exploration, rave, rave_is_below, ucb1, ucb1_is_below,
};
use crate::mcts::tree::{Amaf, Columns, Node, NodeId, Published, ROOT, Tree};
use std::sync::LazyLock;
use tesuji_core::{Bounds, Player, Position, Pulse, Score, Studied};

/// Whether the recipe selects by UCB1 or RAVE from the statistics of the children alone. These two
/// default rules have specialised loops, because nearly all time in the tree is spent there.
pub(crate) fn is_specialised(recipe: &Mcts, columns: Columns) -> bool {
    let rule = matches!(recipe.select, Selection::Ucb1 { .. } | Selection::Rave { .. });
    rule && !(columns.minimax || columns.auxiliary)
}

impl<P: Studied> Worker<P> {
    /// The child to descend to; nothing if every child is settled.
    pub(super) fn select(&mut self, shared: &Shared<P>, id: NodeId) -> Option<NodeId> {
        let node = shared.tree.node(id);
        let mut children = node.children().get()?;
        let target = shared.recipe.expand.target(node.visits(), children.count);
        if children.open < target {
            if let Some(child) = open_next_child(shared, id, children.first) {
                return Some(child);
            }
            children = node.children().get()?;
        }
        if id == ROOT
            && let Some(pass) = self.scheduled_pass(shared, children)
        {
            return Some(pass);
        }
        let best = self.best_child(shared, id, children);
        best.or_else(|| if children.open < children.count { open_next_child(shared, id, children.first) } else { None })
    }

    /// With a pass rule, one visit of the root in 32 goes to the pass: rules that rely on
    /// all-moves-as-first hardly try it.
    fn scheduled_pass(&mut self, shared: &Shared<P>, children: Published) -> Option<NodeId> {
        let pass = shared.pass?;
        self.root_visits = self.root_visits.wrapping_add(1);
        if !self.root_visits.is_multiple_of(32) {
            return None;
        }
        let open = children.first..children.first + NodeId::from(children.open);
        let parent = ParentView::new(shared, ROOT, children);
        open.into_iter().find(|id| {
            let child = shared.tree.node(*id);
            child.move_index() == pass && !child.is_skipped(&parent)
        })
    }

    /// The open child with the highest value.
    fn best_child(&mut self, shared: &Shared<P>, id: NodeId, children: Published) -> Option<NodeId> {
        if let Selection::Gumbel { .. } = shared.recipe.select {
            return self.best_by_policy(shared, id, children);
        }
        let visits = |id: NodeId| shared.tree.node(id).visits();
        if shared.cache_size.is_some() && self.cache.admits(visits(id), visits(ROOT), children) {
            let mut cache = std::mem::replace(&mut self.cache, StatisticsCache::empty());
            let parent = ParentView::new(shared, id, children);
            let cached = cache.fetch(&shared.tree, id, children, |child| child.is_skipped(&parent));
            let best = self.best_among(shared, id, &parent, &cached.children, &cached.amaf);
            self.cache = cache;
            self.selected_by_cache = best.is_some();
            return best;
        }
        let (tree, first) = (&shared.tree, children.first as usize);
        let amaf = tree.amaf.get(first..first + usize::from(children.open)).unwrap_or_default();
        self.best_among(shared, id, &ParentView::new(shared, id, children), tree.open_of(children), amaf)
    }

    /// The child that `select=gumbel` visits.
    fn best_by_policy(&mut self, shared: &Shared<P>, id: NodeId, children: Published) -> Option<NodeId> {
        let gumbel = shared.gumbel.as_ref().expect("made for this rule");
        let (parent, open) = (ParentView::new(shared, id, children), shared.tree.open_of(children));
        let mut siblings = std::mem::take(&mut self.siblings);
        siblings.read(&shared.tree, id, children, shared.recipe.proves_scores());
        let due = if id == ROOT { gumbel.due(&mut siblings, |number| !open[number].is_skipped(&parent)) } else { None };
        let best = match due {
            Some(number) => Some(children.first + number as NodeId),
            None => {
                siblings.improve(&gumbel.constants);
                let gap = |place: NodeId| siblings.gap((place - children.first) as usize);
                self.best_of(shared, open, &parent, |_, place, _| Some(gap(place)))
            }
        };
        self.siblings = siblings;
        best
    }

    /// The child with the highest value among `open`.
    fn best_among(
        &mut self,
        shared: &Shared<P>,
        id: NodeId,
        parent: &ParentView,
        open: &[impl Child],
        amaf: &[Amaf],
    ) -> Option<NodeId> {
        let (recipe, tree) = (&shared.recipe, &shared.tree);
        let ParentView { mover, first, .. } = *parent;
        let visits = match shared.transpositions {
            None => f64::from(tree.node(id).visits()),
            // The children may have been visited through other parents.
            Some(_) => open.iter().map(|child| child.record(mover).1).sum(),
        };
        let visits = visits.max(1.0);
        let horizon = if id == ROOT { shared.horizon } else { None };
        let urgency = first_play_urgency(recipe, tree, id);
        let statistics = ParentStatistics { visits, log_visits: logarithm(visits), horizon, urgency };
        if tree.columns.proof {
            proof_numbers::sorted_numbers(tree, first, open.len() as NodeId, mover, &mut self.proof_numbers);
        }
        let (specialised, urgency) = (is_specialised(recipe, tree.columns), recipe.urgency);
        match recipe.select {
            Selection::Ucb1 { c } if specialised => self.best_of(shared, open, parent, |child, _, low| {
                let (won, visits) = child.record(mover);
                if visits == 0.0 {
                    Some(urgency)
                } else if ucb1_is_below(low, won, visits, 2.0 * c * c * statistics.log_visits) {
                    None
                } else {
                    Some(ucb1(won, visits, c, statistics.log_visits))
                }
            }),
            Selection::Rave { c, bias } if specialised => self.best_of(shared, open, parent, |child, place, low| {
                let (won, visits) = child.record(mover);
                let (won_later, later) = amaf[(place - first) as usize].record(mover);
                if visits + later == 0.0 {
                    return Some(urgency);
                }
                let c = exploration(c, visits, later);
                let explores = c != 0.0 && visits != 0.0;
                let reach = if explores { 2.0 * c * c * statistics.log_visits } else { 0.0 };
                if rave_is_below(low, won, visits, won_later, later, bias, reach) {
                    return None;
                }
                let width = if explores { c * (2.0 * statistics.log_visits / visits).sqrt() } else { 0.0 };
                Some(rave(won, visits, won_later, later, bias) + width)
            }),
            _ => {
                let numbers = std::mem::take(&mut self.proof_numbers);
                let best = self.best_of(shared, open, parent, |_, place, _| {
                    let (child, parent) = compared(recipe, tree, place, mover, &statistics, &numbers);
                    Some(recipe.select.value(&child, &parent))
                });
                self.proof_numbers = numbers;
                best
            }
        }
    }

    /// The child with the highest value among those that are not skipped. `value` receives a lower
    /// bound and may return nothing for a child whose value is below it.
    #[inline]
    fn best_of<C: Child>(
        &mut self,
        shared: &Shared<P>,
        open: &[C],
        parent: &ParentView,
        value: impl Fn(&C, NodeId, f64) -> Option<f64>,
    ) -> Option<NodeId> {
        let recipe = &shared.recipe;
        let mut best: Option<(f64, NodeId)> = None;
        let (mut ties, mut low) = (1, f64::NEG_INFINITY);
        for (child, place) in open.iter().zip(parent.first..) {
            if child.is_skipped(parent) {
                continue;
            }
            let Some(value) = value(child, place, low) else { continue };
            debug_assert!(!value.is_nan(), "a selection value is a number");
            match best {
                Some((most, _)) if value < most => {}
                Some((most, _)) if value == most => {
                    ties += 1;
                    if recipe.ties == TieBreak::Random && self.rng.below(ties) == 0 {
                        best = Some((value, place));
                    }
                }
                _ => {
                    best = Some((value, place));
                    (ties, low) = (1, clearly_below(value));
                }
            }
        }
        best.map(|(_, place)| place)
    }
}

/// Logarithms of small integers.
static LOGARITHMS: LazyLock<[f64; 1024]> = LazyLock::new(|| std::array::from_fn(|number| libm::log(number as f64)));

/// The natural logarithm of a number of visits, from a table if it is small. Most nodes of a
/// descent have few visits, and a logarithm costs as much as comparing several children.
#[inline]
fn logarithm(visits: f64) -> f64 {
    match LOGARITHMS.get(visits as usize) {
        Some(known) => *known,
        None => libm::log(visits),
    }
}

/// What decides which children of a node are skipped.
struct ParentView {
    mover: Player,
    bounds: Bounds,
    /// Whether bounds are used.
    solver: bool,
    /// The place of the first child.
    first: NodeId,
}

impl ParentView {
    fn new<P: Position>(shared: &Shared<P>, id: NodeId, children: Published) -> ParentView {
        let node = shared.tree.node(id);
        ParentView { mover: node.mover(), bounds: node.bounds(), solver: shared.recipe.solver, first: children.first }
    }
}

/// A child in the tree or in a thread's cache.
trait Child {
    /// The sum of `player`'s rewards, in games, and the number of visits.
    fn record(&self, player: Player) -> (f64, f64);

    /// Whether selection skips it.
    fn is_skipped(&self, parent: &ParentView) -> bool;
}

impl Child for Node {
    #[inline]
    fn record(&self, player: Player) -> (f64, f64) {
        Node::record(self, player)
    }

    #[inline]
    fn is_skipped(&self, parent: &ParentView) -> bool {
        let settled = || parent.solver && !solver::is_relevant(self, parent.bounds, parent.mover);
        self.may_be_settled() && (self.is_excluded() || settled())
    }
}

impl Child for CachedChild {
    #[inline]
    fn record(&self, player: Player) -> (f64, f64) {
        CachedChild::record(self, player)
    }

    #[inline]
    fn is_skipped(&self, _: &ParentView) -> bool {
        self.skipped
    }
}

/// What the recipe's rule compares of a child: the statistics of the node that stands for it, with
/// all columns that the rule needs, and those of that node's parent.
#[inline]
pub(crate) fn compared(
    recipe: &Mcts,
    tree: &Tree,
    id: NodeId,
    mover: Player,
    parent: &ParentStatistics,
    proof_numbers: &[u32],
) -> (ChildStatistics, ParentStatistics) {
    let mut parent = *parent;
    let mut compared = id;
    if tree.columns.minimax {
        compared = tree.minimax(id);
        if compared != id {
            let visits = f64::from(tree.node(tree.parent(compared)).visits().max(1));
            parent = ParentStatistics { visits, log_visits: libm::log(visits), horizon: None, urgency: None };
        }
    }
    let mut child = statistics_of(recipe, tree, compared, mover, proof_numbers);
    if let Some(urgency) = parent.urgency.filter(|_| child.visits == 0.0) {
        child.mean = urgency;
    }
    (child, parent)
}

/// What an untried child of a node is worth, where a network judges the leaves and the recipe does
/// not say it.
pub(crate) fn first_play_urgency(recipe: &Mcts, tree: &Tree, id: NodeId) -> Option<f64> {
    if !recipe.leaf.is_net() || recipe.urgency != Mcts::default().urgency {
        return None;
    }
    let node = tree.node(id);
    let mean = match node.visits() {
        0 => tree.judged(id).map_or(0.5, f64::from),
        _ => node.mean_for(node.mover()),
    };
    let children = node.children().get()?;
    let tried = tree.open_of(children).iter().zip(children.first..).filter(|(child, _)| child.visits() > 0);
    Some(first_play(mean, tried.map(|(_, place)| tree.prior(place)).sum()))
}

/// Opens the next child that is not excluded.
fn open_next_child<P: Position>(shared: &Shared<P>, id: NodeId, first: NodeId) -> Option<NodeId> {
    let children = shared.tree.node(id).children();
    std::iter::from_fn(|| children.open_next())
        .map(|number| first + NodeId::from(number))
        .find(|child| !shared.tree.node(*child).is_excluded())
}

/// The statistics of a node that a rule sees.
#[inline]
fn statistics_of(recipe: &Mcts, tree: &Tree, id: NodeId, mover: Player, numbers: &[u32]) -> ChildStatistics {
    let node = tree.node(id);
    let columns = tree.columns;
    let visits = f64::from(node.visits());
    let unit = f64::from(Score::UNITS);
    let sum = node.units() as f64 / unit;
    let mut mean = match mover {
        _ if visits == 0.0 => recipe.urgency,
        Player::First => sum / visits,
        Player::Second => (visits - sum) / visits,
    };
    let mut child = ChildStatistics { visits, ..ChildStatistics::default() };
    if columns.auxiliary
        && let Some(value) = tree.auxiliary(id)
    {
        let value = if mover == Player::First { value } else { 1.0 - value };
        let weight = recipe.backup.auxiliary_weight();
        mean = if visits == 0.0 { value } else { (1.0 - weight) * mean + weight * value };
    }
    child.mean = mean;
    if columns.squares && visits > 0.0 {
        let average = sum / visits;
        child.variance = (tree.squares(id) as f64 / (visits * unit * unit) - average * average).max(0.0);
    }
    if columns.amaf {
        let amaf = &tree.amaf[id as usize];
        if amaf.visits() > 0 {
            child.amaf = (f64::from(amaf.visits()), amaf.mean_for(mover));
        }
    }
    if columns.prior {
        child.prior = tree.prior(id);
    }
    if columns.proof {
        child.proof_rank = proof_numbers::rank(tree, id, mover, numbers);
    }
    child
}

/// Hawk's scan: the node of the whole tree with the highest value for its parent's mover that can
/// still be expanded; the root at first.
pub(super) fn best_in_tree<P: Position>(shared: &Shared<P>, stack: &mut Vec<NodeId>, pulse: &mut Pulse) -> NodeId {
    let tree = &shared.tree;
    let expands = |id: NodeId| {
        let node = tree.node(id);
        let proved = shared.recipe.solver && node.bounds().proved().is_some();
        let opens = node.children().get().is_none_or(|children| children.open < children.count);
        node.is_entered() && opens && !proved && !node.is_excluded()
    };
    if expands(ROOT) {
        return ROOT;
    }
    let mut best = (f64::NEG_INFINITY, ROOT);
    stack.clear();
    stack.push(ROOT);
    while let Some(id) = stack.pop() {
        // Scanning a tree of gigabytes takes a second.
        if !pulse.goes_on() {
            break;
        }
        let parent = tree.node(id);
        let Some(children) = parent.children().get() else { continue };
        let visits = f64::from(parent.visits().max(1));
        let statistics = ParentStatistics { visits, log_visits: libm::log(visits), horizon: None, urgency: None };
        for child in children.first..children.first + NodeId::from(children.open) {
            stack.push(child);
            if expands(child) {
                let own = statistics_of(&shared.recipe, tree, child, parent.mover(), &[]);
                let value = shared.recipe.select.value(&own, &statistics);
                if value > best.0 {
                    best = (value, child);
                }
            }
        }
    }
    best.1
}
