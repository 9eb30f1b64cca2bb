//! Checks a recipe against a game and a budget before anything is searched.

use crate::SearchError;
use crate::mcts::backup::Backup;
use crate::mcts::iteration::{Shared, is_specialised};
use crate::mcts::leaf::no_patterns;
use crate::mcts::parallel::{CacheSize, Parallel};
use crate::mcts::recipe::{Mcts, Prior};
use crate::mcts::select::Selection;
use crate::mcts::tree::{Columns, ROOT, Transpositions, Tree};
use std::sync::atomic::AtomicBool;
use tesuji_core::{Budget, Studied};

fn unsupported<T>(why: impl Into<String>) -> Result<T, SearchError> {
    Err(SearchError::Unsupported(why.into()))
}

/// The columns that a resolved recipe needs.
fn columns(recipe: &Mcts) -> Columns {
    let combined = matches!(recipe.backup, Backup::Combined { .. });
    let scans = matches!(recipe.select, Selection::Scan { .. });
    Columns {
        squares: recipe.select.needs_squares(),
        amaf: recipe.select.needs_amaf(),
        prior: recipe.select.needs_prior() || recipe.expand.needs_order() || recipe.leaf.is_net(),
        judged: recipe.leaf.is_net(),
        parent: combined || scans,
        minimax: combined,
        auxiliary: recipe.backup.auxiliary_weight() > 0.0,
        proof: recipe.select.needs_proof_numbers(),
        shared: recipe.share,
    }
}

/// Checks a recipe against the game and the budget, and allocates what the search needs.
///
/// # Errors
/// If the game or the budget cannot serve the recipe, or the memory does not suffice.
pub(super) fn prepare<P: Studied>(
    recipe: &Mcts,
    saved: Option<Tree>,
    root: &P,
    budget: &Budget,
    memory: u64,
) -> Result<Shared<P>, SearchError> {
    let moves = root.move_count();
    if moves > usize::from(u16::MAX) {
        return unsupported(format!("mcts supports positions with at most {} moves", u16::MAX));
    }
    if recipe.share && (root.history_matters() || !P::CHARACTER.never_repeats) {
        return unsupported("share=true: in this game the history matters or positions may repeat; use share=false");
    }
    let concurrent = recipe.parallel == Parallel::Tree && budget.thread_count() > 1;
    if concurrent && matches!(recipe.backup, Backup::Combined { .. }) {
        return unsupported("backup=combined supports one thread per tree; use one thread, or parallel=root");
    }
    let judged = recipe.leaf.is_net();
    let needs_preference = !judged && (recipe.select.needs_prior() || recipe.expand.needs_order());
    let preference = match recipe.prior {
        _ if !needs_preference => None,
        Prior::Hand => root.preference(),
        Prior::Patterns => {
            let Some(patterns) = root.patterns() else { return Err(no_patterns("prior")) };
            Some(patterns.preference())
        }
    };
    if preference.is_none() && !judged {
        let lacks = "needs a preference among moves, and this game has none";
        if recipe.expand.needs_order() {
            return unsupported(format!("expand=widen {lacks}"));
        }
        if matches!(recipe.select, Selection::Bias { .. } | Selection::RaveBias { .. }) {
            return unsupported(format!("select=bias and rave-bias: {lacks}"));
        }
    }
    let implicit = matches!(recipe.backup, Backup::Implicit { .. });
    let evaluation = if implicit { root.evaluation() } else { None };
    if implicit && evaluation.is_none() {
        return unsupported("backup=implicit needs an evaluation, and this game has none");
    }
    let horizon = match (recipe.select, budget.iterations) {
        (Selection::UcbE { .. }, None) => {
            return unsupported("select=ucb-e needs a limit of iterations, which sets its exploration");
        }
        (Selection::UcbE { .. }, Some(iterations)) => Some(iterations as f64 / moves as f64),
        _ => None,
    };
    let columns = columns(recipe);
    let for_table = if recipe.share { memory / 8 } else { 0 };
    let transpositions = if recipe.share { Transpositions::new(for_table) } else { None };
    if recipe.share && transpositions.is_none() {
        return unsupported(format!("memory: the system refuses to reserve {for_table} bytes"));
    }
    // Caches need a rule that uses no other statistics, and children with one parent.
    let cached = concurrent && is_specialised(recipe, columns) && !columns.squares && !recipe.share;
    let cache_size = if cached { CacheSize::for_search(memory, budget.thread_count(), moves) } else { None };
    let for_caches = cache_size.map_or(0, |size| size.bytes() * u64::from(budget.thread_count()));
    let tree = match saved {
        Some(tree) => tree,
        None => {
            let least = (moves as u64 + 1) * (columns.bytes_per_node() as u64 + 1);
            if memory - for_table < least {
                let whole = if recipe.share { least * 8 / 7 + 1 } else { least };
                return unsupported(format!(
                    "memory: {memory} bytes do not hold the root and its {moves} moves; at least {whole} are needed"
                ));
            }
            let Some(tree) = Tree::new(columns, memory - for_table - for_caches) else {
                return unsupported(format!("memory: the system refuses to reserve {memory} bytes"));
            };
            tree.node(ROOT).enter(root.turn());
            tree
        }
    };
    Ok(Shared {
        recipe: *recipe,
        root: root.clone(),
        tree,
        transpositions,
        preference,
        evaluation,
        pass: if recipe.pass > 0.0 { pass_of(root) } else { None },
        horizon,
        gumbel: None,
        concurrent: false,
        cache_size,
        records_ends: recipe.sudden.short() > 0,
        full: AtomicBool::new(false),
        deadline: budget.meter().deadline(),
        exhausted: false,
    })
}

/// The index of the root's pass, if it has one.
fn pass_of<P: Studied>(root: &P) -> Option<u32> {
    root.moves().into_iter().find(|mv| root.is_pass(*mv)).map(|mv| root.move_index(mv) as u32)
}
