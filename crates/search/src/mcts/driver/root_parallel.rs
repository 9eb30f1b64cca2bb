//! Root parallelism: an ensemble of independent trees, whose root statistics are added up.
//!
//! Reference: Cazenave & Jouandeau 2007.

use super::prepare::prepare;
use super::tree_search::TreeSearch;
use crate::SearchError;
use crate::mcts::backup::solver;
use crate::mcts::recipe::Mcts;
use crate::mcts::report;
use crate::mcts::tree::{Columns, Node, Published, ROOT, Recycler, Tree};
use crate::root_moves::fill_counters;
use tesuji_core::{Budget, NoObserver, Observer, Position, Report, Seed, Studied};

/// Searches one tree per thread and adds up the root statistics.
pub(super) fn search_root_parallel<P: Studied>(
    recipe: &Mcts,
    root: &P,
    (budget, memory): (&Budget, u64),
    seed: Seed,
    watch: &mut dyn Observer<P::Move>,
) -> Result<Report<P::Move>, SearchError> {
    let threads = u64::from(budget.thread_count());
    let share = |limit: u64, number: u64| limit / threads + u64::from(number < limit % threads);
    let budgets: Vec<Budget> = (0..threads)
        .map(|number| Budget {
            iterations: budget.iterations.map(|limit| share(limit, number)),
            nodes: budget.nodes.map(|limit| share(limit, number)),
            memory: Some(share(memory, number)),
            ..budget.clone()
        })
        .collect();
    let mut searches = Vec::new();
    for (number, budget) in (0..).zip(&budgets) {
        let shared = prepare(recipe, None, root, budget, budget.memory.unwrap_or(memory))?;
        let seed = if number == 0 { seed } else { seed.derive(number) };
        searches.push(TreeSearch::new(shared, Recycler::default(), budget, seed, 1, None)?);
    }
    let mut meter = budget.meter();
    let (first, rest) = searches.split_first_mut().expect("a search has a thread");
    let reports = std::thread::scope(|scope| {
        let run = |search: &mut TreeSearch<P>| search.run(&mut search.budget.meter(), &mut NoObserver);
        let others: Vec<_> = rest.iter_mut().map(|search| scope.spawn(move || run(search))).collect();
        let mut reports = vec![first.run(&mut first.budget.meter(), watch)];
        reports.extend(others.into_iter().map(|other| other.join().expect("a search does not panic")));
        reports
    });
    let sum = merge_roots(recipe, root, searches.iter().map(|search| &search.shared.tree));
    let mut report = report::of_tree(recipe, root, &sum, None, &mut searches[0].ties.clone());
    let like = reports.iter().find(|one| one.best == report.best).unwrap_or(&reports[0]);
    // A line that preserves the bounds of one tree need not preserve those of all trees together.
    if like.best == report.best && like.bounds == report.bounds {
        report.line.clone_from(&like.line);
    }
    meter.stop(like.stopped);
    fill_counters(&mut report, &meter);
    report.iterations = reports.iter().map(|one| one.iterations).sum();
    report.nodes = reports.iter().map(|one| one.nodes).sum();
    report.memory_bytes = reports.iter().map(|one| one.memory_bytes).sum();
    report.depth = reports.iter().map(|one| one.depth).max().unwrap_or(0);
    report.figures.clone_from(&like.figures);
    Ok(report)
}

/// A tree of the root and its children with the sums of the statistics of several trees.
fn merge_roots<'t, P: Position>(recipe: &Mcts, root: &P, trees: impl Iterator<Item = &'t Tree>) -> Tree {
    let columns = Columns { amaf: recipe.select.needs_amaf(), ..Columns::default() };
    let moves = root.moves();
    let bytes = (moves.len() as u64 + 1) * (columns.bytes_per_node() as u64 + 1);
    let sum = Tree::new(columns, bytes).expect("a few kilobytes");
    let count = moves.len() as u16;
    let first = sum.allocate(count).expect("there is room for the moves");
    for (child, mv) in (first..).zip(moves) {
        sum.reset(child, root.move_index(mv) as u32, ROOT);
    }
    sum.node(ROOT).enter(root.turn());
    sum.node(ROOT).children().publish(Published { first, count, open: count });
    for tree in trees {
        let join = |from: &Node, to: &Node| {
            to.add(from.units(), from.visits(), false);
            to.set_bounds(to.bounds().intersect(from.bounds()).expect("proofs do not contradict each other"));
            to.set_excluded(to.is_excluded() || from.is_excluded());
        };
        join(tree.node(ROOT), sum.node(ROOT));
        for from in tree.all_children(ROOT) {
            let to = sum.all_children(ROOT).iter().find(|to| to.move_index() == from.move_index());
            join(from, to.expect("every tree has the same moves"));
        }
    }
    let joined = solver::joined(&sum, ROOT);
    sum.node(ROOT).set_bounds(joined);
    sum
}
