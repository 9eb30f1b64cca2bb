//! The report of a tree: the root table, the decision, the line.

use super::backup::solver;
use super::decide::{Decision, expected, prefers_pass, resigns};
use super::recipe::Mcts;
use super::select::GumbelRoot;
use super::tree::{Node, NodeId, ROOT, Tree};
use crate::sorting::sort_by_key;
use tesuji_core::{Bounds, Goal, Player, Position, Report, Rng, RootMove, Studied, Value};

/// The report of a tree.
pub(crate) fn of_tree<P: Studied>(
    recipe: &Mcts,
    position: &P,
    tree: &Tree,
    gumbel: Option<&GumbelRoot>,
    rng: &mut Rng,
) -> Report<P::Move> {
    let mover = position.turn();
    let root = tree.node(ROOT);
    let first = root.children().get().map_or(ROOT, |children| children.first);
    let mv_of = |node: &Node| position.move_at(node.move_index() as usize).expect("the index of a listed move");
    let children = tree.all_children(ROOT);
    let log_visits = libm::log(f64::from(root.visits().max(1)));
    let entry = |child: &Node, id: NodeId| {
        let visited = child.visits() > 0;
        let width = recipe.select.width() * (2.0 * log_visits / f64::from(child.visits().max(1))).sqrt();
        let mean = if visited { child.mean_for(mover) } else { 0.0 };
        let amaf = tree.amaf.get(id as usize).filter(|amaf| amaf.visits() > 0);
        RootMove {
            visits: u64::from(child.visits()),
            value: visited.then(|| worth(recipe.goal, child)),
            bounds: solver::reported(recipe.goal, child.bounds()),
            confidence: visited.then_some((mean - width, mean + width)),
            amaf: amaf.map(|amaf| Value::new(amaf.mean_for(Player::First).clamp(0.0, 1.0))),
            prior: tree.columns.prior.then(|| tree.prior(id)),
            note: child.is_excluded().then(|| "excluded".to_string()),
            ..RootMove::untried(mv_of(child))
        }
    };
    let mut entries: Vec<(u32, RootMove<P::Move>)> =
        children.iter().zip(first..).map(|(child, id)| (child.move_index(), entry(child, id))).collect();
    sort_by_key(&mut entries, |(index, _)| i64::from(*index));
    let mut report = Report { root: entries.into_iter().map(|(_, entry)| entry).collect(), ..Report::empty(mover) };
    let own =
        gumbel.filter(|_| recipe.decide == Decision::RobustMax).map(|gumbel| gumbel.keys(tree, recipe.proves_scores()));
    match recipe.decide.choose(children, root.bounds(), mover, own.as_deref(), rng) {
        Some(mut chosen) => {
            let pass = children.iter().position(|child| position.is_pass(mv_of(child)));
            if let Some(pass) = pass
                && prefers_pass(&children[chosen], &children[pass], mover, recipe.pass)
            {
                chosen = pass;
            }
            let child = &children[chosen];
            report.value = match child.bounds().proved() {
                Some(_) => worth(recipe.goal, child),
                None if child.visits() > 0 => Value::new(expected(child, Player::First).clamp(0.0, 1.0)),
                None => tree.judged(ROOT).map_or(Value::UNKNOWN, |value| judged(value, mover)),
            };
            report.line = line(position, tree, first + chosen as NodeId, root.bounds());
            report.resigns = resigns(child, mover, recipe.resign, tree.columns.judged);
            report.best = (!report.resigns).then(|| mv_of(child));
        }
        // The budget ended before the root was expanded.
        None => {
            report.root = crate::root_moves::untried_moves(position);
            report.best = crate::root_moves::preferred_move(position, rng).map(|number| report.root[number].mv);
            report.line = report.best.into_iter().collect();
        }
    }
    report.bounds = solver::reported(recipe.goal, root.bounds());
    report.memory_bytes = tree.bytes();
    report
}

/// A network's value for the mover, as a value of the first player.
fn judged(value: f32, mover: Player) -> Value {
    let value = f64::from(value).clamp(0.0, 1.0);
    Value::new(if mover == Player::First { value } else { 1.0 - value })
}

/// The value of a child: what is proved, else its mean. An answered question leaves a range, within
/// which the mean counts.
fn worth(goal: Goal, child: &Node) -> Value {
    match (child.bounds().proved(), goal) {
        (Some(score), Goal::Exact(_)) => score.into(),
        (Some(_), Goal::Question(_)) => {
            let range = solver::reported(goal, child.bounds());
            Value::new(child.mean().to_f64().clamp(range.lower().to_f64(), range.upper().to_f64()))
        }
        (None, _) => child.mean(),
    }
}

/// The line of most visited moves from a child of the root. If the child preserves the root's
/// bounds, so does every further move, or the line ends: it is then a line of the proof.
fn line<P: Position>(root: &P, tree: &Tree, child: NodeId, proved: Bounds) -> Vec<P::Move> {
    let mut position = root.clone();
    let mut line = Vec::new();
    let mut id = child;
    let keeps = |node: &Node| proved.lower() <= node.bounds().lower() && node.bounds().upper() <= proved.upper();
    let all_keep = keeps(tree.node(child));
    loop {
        let node = tree.node(id);
        let mv = position.move_at(node.move_index() as usize).expect("the index of a listed move");
        position.play(mv);
        line.push(mv);
        if position.outcome().is_some() {
            return line;
        }
        let Some(children) = node.children().get() else { return line };
        let further = tree.open_children(id).iter().zip(children.first..);
        let next = further.filter(|(child, _)| !all_keep || keeps(child)).max_by_key(|(child, _)| child.visits());
        match next {
            Some((best, place)) if best.visits() > 0 || (all_keep && proved != Bounds::UNKNOWN) => id = place,
            _ => return line,
        }
    }
}

/// The moves along a path of the tree.
pub(crate) fn path_moves<P: Position>(root: &P, tree: &Tree, path: &[NodeId]) -> Vec<P::Move> {
    let mut position = root.clone();
    let play = |&id: &NodeId| {
        let mv = position.move_at(tree.node(id).move_index() as usize).expect("the index of a listed move");
        position.play(mv);
        mv
    };
    path.iter().skip(1).map(play).collect()
}
