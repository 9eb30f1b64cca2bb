//! The way down: which child a thread goes to, by the recipe's rule and what is proved, barred and open.

use super::mirror::{Mirrors, Sighting};
use super::publish::Published;
use super::select::{
    Candidate, Selection, Standpoint, clearly_below, exploration, rave, rave_is_below, ucb1, ucb1_is_below,
};
use super::tree::{Amaf, Columns, Node, NodeId, ROOT};
use super::worker::{Shared, Worker};
use super::{Mcts, TieBreak, proof_numbers, solver};
use std::sync::LazyLock;
use tesuji_core::{Bounds, Player, Position, Pulse, Score, Studied};

/// Whether the recipe is one of the two rules of the default ones and looks at the statistics of the children alone. They
/// have loops of their own: nearly all time in the tree is spent there.
pub(super) fn is_plain(recipe: &Mcts, columns: Columns) -> bool {
    let rule = matches!(recipe.select, Selection::Ucb1 { .. } | Selection::Rave { .. });
    rule && !(columns.minimax || columns.guide)
}

impl<P: Studied> Worker<P> {
    /// The child to go to; nothing if every child is settled.
    pub(super) fn select(&mut self, shared: &Shared<P>, id: NodeId) -> Option<NodeId> {
        let node = shared.tree.node(id);
        let mut children = node.children().get()?;
        let wanted = shared.recipe.expand.wanted(node.visits(), children.count);
        if children.open < wanted {
            if let Some(child) = open_another(shared, id, children.first) {
                return Some(child);
            }
            children = node.children().get()?;
        }
        if id == ROOT
            && let Some(pass) = self.pass_in_turn(shared, children)
        {
            return Some(pass);
        }
        let best = self.best_child(shared, id, children);
        best.or_else(|| if children.open < children.count { open_another(shared, id, children.first) } else { None })
    }

    /// Where passes have manners, one in 32 visits of the root is the pass's: rules that trust all-moves-as-first hardly try it.
    fn pass_in_turn(&mut self, shared: &Shared<P>, children: Published) -> Option<NodeId> {
        let pass = shared.pass?;
        self.turns = self.turns.wrapping_add(1);
        if !self.turns.is_multiple_of(32) {
            return None;
        }
        let open = children.first..children.first + NodeId::from(children.open);
        let sight = Sight::from(shared, ROOT, children);
        open.into_iter().find(|id| {
            let child = shared.tree.node(*id);
            child.move_index() == pass && !child.is_out(&sight)
        })
    }

    /// The open child of the highest value.
    fn best_child(&mut self, shared: &Shared<P>, id: NodeId, children: Published) -> Option<NodeId> {
        let visits = |id: NodeId| shared.tree.node(id).visits();
        if shared.copies.is_some() && self.mirrors.are_for(visits(id), visits(ROOT), children) {
            let mut mirrors = std::mem::replace(&mut self.mirrors, Mirrors::none());
            let sight = Sight::from(shared, id, children);
            let mirror = mirrors.of(&shared.tree, id, children, |child| child.is_out(&sight));
            let best = self.best_among(shared, id, &sight, &mirror.children, &mirror.amaf);
            self.mirrors = mirrors;
            self.chose_by_copy = best.is_some();
            return best;
        }
        let (tree, first) = (&shared.tree, children.first as usize);
        let amaf = tree.amaf.get(first..first + usize::from(children.open)).unwrap_or_default();
        self.best_among(shared, id, &Sight::from(shared, id, children), tree.open_of(children), amaf)
    }

    /// The child of the highest value among these.
    fn best_among(
        &mut self,
        shared: &Shared<P>,
        id: NodeId,
        sight: &Sight,
        open: &[impl Seen],
        amaf: &[Amaf],
    ) -> Option<NodeId> {
        let (recipe, tree) = (&shared.recipe, &shared.tree);
        let Sight { mover, first, .. } = *sight;
        let visits = match shared.table {
            None => f64::from(tree.node(id).visits()),
            // The children may have been visited from elsewhere.
            Some(_) => open.iter().map(|child| child.record(mover).1).sum(),
        };
        let visits = visits.max(1.0);
        let horizon = if id == ROOT { shared.horizon } else { None };
        let standpoint = Standpoint { visits, log_visits: logarithm(visits), horizon };
        if tree.columns.proof {
            proof_numbers::standings(tree, first, open.len() as NodeId, mover, &mut self.ranks);
        }
        let (plain, fresh) = (is_plain(recipe, tree.columns), recipe.urgency);
        match recipe.select {
            Selection::Ucb1 { c } if plain => self.best_of(shared, open, sight, |child, _, low| {
                let (won, visits) = child.record(mover);
                if visits == 0.0 {
                    Some(fresh)
                } else if ucb1_is_below(low, won, visits, 2.0 * c * c * standpoint.log_visits) {
                    None
                } else {
                    Some(ucb1(won, visits, c, standpoint.log_visits))
                }
            }),
            Selection::Rave { c, bias } if plain => self.best_of(shared, open, sight, |child, place, low| {
                let (won, visits) = child.record(mover);
                let (won_later, later) = amaf[(place - first) as usize].record(mover);
                if visits + later == 0.0 {
                    return Some(fresh);
                }
                let c = exploration(c, visits, later);
                let explores = c != 0.0 && visits != 0.0;
                let reach = if explores { 2.0 * c * c * standpoint.log_visits } else { 0.0 };
                if rave_is_below(low, won, visits, won_later, later, bias, reach) {
                    return None;
                }
                let width = if explores { c * (2.0 * standpoint.log_visits / visits).sqrt() } else { 0.0 };
                Some(rave(won, visits, won_later, later, bias) + width)
            }),
            _ => {
                let ranks = std::mem::take(&mut self.ranks);
                let best = self
                    .best_of(shared, open, sight, |_, place, _| Some(value(shared, place, mover, &standpoint, &ranks)));
                self.ranks = ranks;
                best
            }
        }
    }

    /// The child of the highest value among those that are worth a visit. A rule is given a number and need not say the value of what
    /// is below it.
    #[inline]
    fn best_of<C: Seen>(
        &mut self,
        shared: &Shared<P>,
        open: &[C],
        sight: &Sight,
        value: impl Fn(&C, NodeId, f64) -> Option<f64>,
    ) -> Option<NodeId> {
        let recipe = &shared.recipe;
        let mut best: Option<(f64, NodeId)> = None;
        let (mut ties, mut low) = (1, f64::NEG_INFINITY);
        for (child, place) in open.iter().zip(sight.first..) {
            if child.is_out(sight) {
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

/// Logarithms of small whole numbers.
static LOGARITHMS: LazyLock<[f64; 1024]> = LazyLock::new(|| std::array::from_fn(|number| libm::log(number as f64)));

/// The natural logarithm of a number of visits. Most nodes of a descent have few, and a logarithm costs as much as a look at several children.
#[inline]
fn logarithm(visits: f64) -> f64 {
    match LOGARITHMS.get(visits as usize) {
        Some(known) => *known,
        None => libm::log(visits),
    }
}

/// From where a selection looks.
struct Sight {
    mover: Player,
    bounds: Bounds,
    /// Whether what is proved counts.
    solver: bool,
    /// The place of the first child.
    first: NodeId,
}

impl Sight {
    fn from<P: Position>(shared: &Shared<P>, id: NodeId, children: Published) -> Sight {
        let node = shared.tree.node(id);
        Sight { mover: node.mover(), bounds: node.bounds(), solver: shared.recipe.solver, first: children.first }
    }
}

/// A child, as the tree keeps it or as a thread remembers it.
trait Seen {
    /// What `player` has won here, in whole games, and in how many visits.
    fn record(&self, player: Player) -> (f64, f64);

    /// Whether it is not worth a visit.
    fn is_out(&self, sight: &Sight) -> bool;
}

impl Seen for Node {
    #[inline]
    fn record(&self, player: Player) -> (f64, f64) {
        Node::record(self, player)
    }

    #[inline]
    fn is_out(&self, sight: &Sight) -> bool {
        let settled = || sight.solver && !solver::is_open_question(self, sight.bounds, sight.mover);
        self.may_be_settled() && (self.is_barred() || settled())
    }
}

impl Seen for Sighting {
    #[inline]
    fn record(&self, player: Player) -> (f64, f64) {
        Sighting::record(self, player)
    }

    #[inline]
    fn is_out(&self, _: &Sight) -> bool {
        self.out
    }
}

/// The value of a child by the recipe's rule, whatever columns it needs.
fn value<P: Position>(shared: &Shared<P>, id: NodeId, mover: Player, standpoint: &Standpoint, ranks: &[u32]) -> f64 {
    let (recipe, tree) = (&shared.recipe, &shared.tree);
    let mut standpoint = *standpoint;
    let mut seen = id;
    if tree.columns.minimax {
        seen = tree.minimax(id);
        if seen != id {
            let visits = f64::from(tree.node(tree.parent(seen)).visits().max(1));
            standpoint = Standpoint { visits, log_visits: libm::log(visits), horizon: None };
        }
    }
    recipe.select.value(&look_at(shared, seen, mover, ranks), &standpoint)
}

/// Opens the next child that is not barred.
fn open_another<P: Position>(shared: &Shared<P>, id: NodeId, first: NodeId) -> Option<NodeId> {
    let children = shared.tree.node(id).children();
    std::iter::from_fn(|| children.open_next())
        .map(|number| first + NodeId::from(number))
        .find(|child| !shared.tree.node(*child).is_barred())
}

/// What a rule sees of a node.
#[inline]
fn look_at<P: Position>(shared: &Shared<P>, id: NodeId, mover: Player, ranks: &[u32]) -> Candidate {
    let (recipe, tree) = (&shared.recipe, &shared.tree);
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
    let mut candidate = Candidate { visits, ..Candidate::default() };
    if columns.guide
        && let Some(guide) = tree.guide(id)
    {
        let guide = if mover == Player::First { guide } else { 1.0 - guide };
        let weight = recipe.backup.guide_weight();
        mean = if visits == 0.0 { guide } else { (1.0 - weight) * mean + weight * guide };
    }
    candidate.mean = mean;
    if columns.squares && visits > 0.0 {
        let average = sum / visits;
        candidate.variance = (tree.squares(id) as f64 / (visits * unit * unit) - average * average).max(0.0);
    }
    if columns.amaf {
        let amaf = &tree.amaf[id as usize];
        if amaf.visits() > 0 {
            candidate.amaf = (f64::from(amaf.visits()), amaf.mean_for(mover));
        }
    }
    if columns.prior {
        candidate.prior = tree.prior(id);
    }
    if columns.proof {
        candidate.standing = proof_numbers::standing(tree, id, mover, ranks);
    }
    candidate
}

/// Hawk's scan: the node of the whole tree with the highest value for its parent's mover that can still be grown; the root at first.
pub(super) fn best_of_all<P: Position>(shared: &Shared<P>, stack: &mut Vec<NodeId>, pulse: &mut Pulse) -> NodeId {
    let tree = &shared.tree;
    let grows = |id: NodeId| {
        let node = tree.node(id);
        let proved = shared.recipe.solver && node.bounds().proved().is_some();
        let opens = node.children().get().is_none_or(|children| children.open < children.count);
        node.is_entered() && opens && !proved && !node.is_barred()
    };
    if grows(ROOT) {
        return ROOT;
    }
    let mut best = (f64::NEG_INFINITY, ROOT);
    stack.clear();
    stack.push(ROOT);
    while let Some(id) = stack.pop() {
        // A tree of gigabytes takes a second to look through.
        if !pulse.goes_on() {
            break;
        }
        let parent = tree.node(id);
        let Some(children) = parent.children().get() else { continue };
        let visits = f64::from(parent.visits().max(1));
        let standpoint = Standpoint { visits, log_visits: libm::log(visits), horizon: None };
        for child in children.first..children.first + NodeId::from(children.open) {
            stack.push(child);
            if grows(child) {
                let value = shared.recipe.select.value(&look_at(shared, child, parent.mover(), &[]), &standpoint);
                if value > best.0 {
                    best = (value, child);
                }
            }
        }
    }
    best.1
}
