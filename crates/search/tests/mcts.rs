//! Monte-Carlo tree search against the oracle.

use tesuji_core::{Bounds, Budget, Nobody, Position, Rng, Score, Seed, StopReason, Undoable};
use tesuji_games::synthetic::{PGame, RandomTree, Trap, TrapLeaf, Tree};
use tesuji_games::tictactoe::TicTacToe;
use tesuji_search::Search;
use tesuji_search::mcts::{Decision, Expansion, Leaf, Mcts, Selection, Ties};
use tesuji_search::oracle::Oracle;

/// Every part in several recipes.
fn recipes() -> Vec<Mcts> {
    let selections = [
        Selection::Ucb1 { c: 0.7 },
        Selection::Ucb1 { c: 0.0 },
        Selection::Ucb1Tuned { c: 1.0 },
        Selection::Rave { c: 0.0, bias: 0.02 },
        Selection::Rave { c: 0.3, bias: 0.1 },
        Selection::RaveHand { c: 0.2, k: 500.0 },
    ];
    let decisions = [Decision::Max, Decision::Robust, Decision::RobustMax, Decision::Secure { a: 1.0 }];
    let leaves = [Leaf::Random { playouts: 1 }, Leaf::Random { playouts: 3 }, Leaf::Decisive { playouts: 1 }];
    let mut recipes = Vec::new();
    for (number, select) in selections.into_iter().enumerate() {
        for expand in [Expansion::One, Expansion::All, Expansion::Each] {
            if expand == Expansion::Each && matches!(select, Selection::Rave { .. } | Selection::RaveHand { .. }) {
                continue;
            }
            for (other, leaf) in leaves.into_iter().enumerate() {
                let decide = decisions[(number + other) % decisions.len()];
                recipes.push(Mcts { select, expand, leaf, decide, ripe: other as u32, ..Mcts::default() });
            }
        }
    }
    recipes
}

fn search<P: Undoable>(recipe: Mcts, root: &P, iterations: u64, seed: u64) -> tesuji_core::Report<P::Move> {
    let mut recipe = recipe;
    recipe.search(root, &Budget::iterations(iterations), Seed(seed), &mut Nobody).expect("a live game")
}

/// A proved draw must not attract for ever.
#[test]
fn tic_tac_toe_is_proved_a_draw() {
    for c in [0.5, 0.7, 1.0, 1.4, 2.0] {
        for seed in 0..3 {
            let recipe = Mcts { select: Selection::Ucb1 { c }, ..Mcts::default() };
            let report = search(recipe, &TicTacToe::new(), 100_000, seed);
            assert_eq!(report.bounds, Bounds::exact(Score::DRAW), "c = {c}, seed {seed}: {}", report.iterations);
            assert_eq!(report.stopped, StopReason::Finished);
        }
    }
}

#[test]
fn no_recipe_contradicts_the_oracle_and_most_trees_are_proved() {
    for (number, recipe) in recipes().into_iter().enumerate() {
        let (mut live, mut proved) = (0, 0);
        for seed in 0..60_u64 {
            let mut rng = Rng::new(Seed(seed + 1000 * number as u64));
            let shape = RandomTree { depth: 6, branching: 3, grades: 2 + rng.below(4), alternate: seed % 2 == 0 };
            let tree = Tree::random(shape, &mut rng);
            if tree.outcome().is_some() {
                continue;
            }
            let mut oracle = Oracle::default();
            let truth = oracle.truth(&tree).expect("small").outcome.score;
            let report = search(recipe, &tree, 3_000, seed);
            assert!(report.bounds.contains(truth), "{recipe:?}, seed {seed}: {:?} misses {truth}", report.bounds);
            for entry in &report.root {
                let mut next = tree.clone();
                next.play(entry.mv);
                assert!(
                    entry.bounds.contains(oracle.truth(&next).expect("small").outcome.score),
                    "{recipe:?}, seed {seed}"
                );
            }
            live += 1;
            if report.bounds.proved() == Some(truth) {
                proved += 1;
                assert!(
                    oracle.optimal_moves(&tree).expect("small").contains(&report.best.expect("live")),
                    "{recipe:?}, seed {seed}"
                );
            }
        }
        assert!(proved * 100 >= live * 95, "{recipe:?} proved {proved} of {live}");
    }
}

#[test]
fn the_root_adds_up_and_runs_repeat() {
    let game = PGame::new(4, 10, 3).expect("a tree");
    for recipe in recipes() {
        let recipe = Mcts { solver: false, ..recipe };
        let report = search(recipe, &game, 400, 9);
        let visits: u64 = report.root.iter().map(|entry| entry.visits).sum();
        if recipe.expand == Expansion::Each {
            assert!(visits > 400, "{recipe:?}");
            continue;
        }
        let playouts = match recipe.leaf {
            Leaf::Random { playouts } | Leaf::Decisive { playouts } => u64::from(playouts),
        };
        assert_eq!(visits, 400 * playouts, "{recipe:?}");
        let again = search(recipe, &game, 400, 9);
        assert_eq!((report.best, report.root, report.line), (again.best, again.root, again.line));
    }
}

/// Lin's trap with honest UCB1 (natural logarithm, every child of a new node simulated once, leftmost ties):
/// the trap's mean is at least ½ up to simulation 44,043 and below it at 44,044.
#[test]
fn averages_see_the_trap_late() {
    let recipe = Mcts {
        select: Selection::Ucb1 { c: 1.0 },
        expand: Expansion::Each,
        solver: false,
        decide: Decision::Max,
        ties: Ties::First,
        ..Mcts::default()
    };
    struct Watching {
        last_above: u64,
        first_below: u64,
    }
    impl tesuji_core::Observer<u32> for Watching {
        fn pace(&self) -> Option<tesuji_core::Pace> {
            Some(tesuji_core::Pace::Iterations(1))
        }
        fn progress(&mut self, report: &tesuji_core::Report<u32>) {
            let simulations = report.root.iter().map(|entry| entry.visits).sum();
            if report.root[19].value.expect("tried").to_f64() >= 0.5 {
                self.last_above = simulations;
            } else if self.first_below == 0 {
                self.first_below = simulations;
            }
        }
    }
    let mut watch = Watching { last_above: 0, first_below: 0 };
    let root = Trap::new(TrapLeaf::Expected);
    let mut search = recipe;
    search.search(&root, &Budget::iterations(43_700), Seed(1), &mut watch).expect("live");
    assert_eq!((watch.last_above, watch.first_below), (44_043, 44_044));
}

#[test]
fn a_full_arena_does_not_end_the_search() {
    let game = PGame::new(4, 20, 3).expect("a tree");
    let budget = Budget { memory: Some(10_000), ..Budget::iterations(5_000) };
    let report = Mcts::default().search(&game, &budget, Seed(1), &mut Nobody).expect("live");
    assert_eq!(report.iterations, 5_000);
    assert!(report.memory_bytes <= 10_000);
    // Not even room for the root's children: still a legal move.
    let tiny = Budget { memory: Some(1), ..Budget::iterations(100) };
    let report = Mcts::default().search(&game, &tiny, Seed(1), &mut Nobody).expect("live");
    assert!(game.is_legal(report.best.expect("live")));
    assert_eq!(report.root.len(), 4);
}
