//! Monte-Carlo tree search against the oracle: every recipe of a generated list, on small games.

use crate::recipes::{WithHeuristics, recipes};
use tesuji_core::{Bounds, Budget, NoObserver, Position, Report, Rng, Score, Seed, StopReason, Studied};
use tesuji_games::hex::{Hex, SwapRule};
use tesuji_games::othello::{Empties, Othello};
use tesuji_games::synthetic::{PGame, RandomTree, Tree};
use tesuji_games::tictactoe::TicTacToe;
use tesuji_search::Search;
use tesuji_search::mcts::{Expansion, Leaf, Mcts, Selection};
use tesuji_search::oracle::Oracle;
use tesuji_testing::sized;

fn search<P: Studied>(recipe: Mcts, root: &P, iterations: u64, seed: u64) -> Report<P::Move> {
    let mut recipe = recipe;
    recipe.search(root, &Budget::iterations(iterations), Seed(seed), &mut NoObserver).expect("a live game")
}

/// What a search reports as proved must be true. Returns whether it proved the position.
fn judge<P: Position>(oracle: &mut Oracle<P>, recipe: Mcts, root: &P, iterations: u64, seed: u64) -> bool {
    let truth = oracle.truth(root).expect("small").outcome.score;
    let report = search(recipe, &WithHeuristics(root.clone()), iterations, seed);
    assert!(report.bounds.contains(truth), "{recipe:?}, seed {seed}: {:?} misses {truth}", report.bounds);
    for entry in &report.root {
        let mut next = root.clone();
        next.play(entry.mv);
        let truth = oracle.truth(&next).expect("small").outcome.score;
        assert!(entry.bounds.contains(truth), "{recipe:?}, seed {seed}: {:?} misses {truth}", entry.bounds);
    }
    assert!(root.is_legal(report.best.expect("a live game has a move")));
    let proved = report.bounds.proved() == Some(truth);
    if proved {
        let good = oracle.optimal_moves(root).expect("small");
        assert!(good.contains(&report.best.expect("live")), "{recipe:?}, seed {seed}");
    }
    proved
}

fn random_tree(seed: u64) -> Tree {
    let mut rng = Rng::new(Seed(seed));
    let shape = RandomTree { depth: 6, branching: 3, grades: 2 + rng.below(4), alternate: seed.is_multiple_of(2) };
    Tree::random(shape, &mut rng)
}

fn trees_are_judged(count: u64) {
    for (number, recipe) in (0_u64..).zip(recipes()) {
        let (mut live, mut proved) = (0, 0);
        for seed in 0..count {
            let tree = random_tree(seed + 1_000_000 * number);
            if tree.outcome().is_none() {
                live += 1;
                proved += u32::from(judge(&mut Oracle::default(), recipe, &tree, 3_000, seed));
            }
        }
        assert!(proved * 100 >= live * 95, "{recipe:?} proved {proved} of {live}");
    }
}

#[test]
fn random_trees() {
    trees_are_judged(sized(100, 2_000));
}

/// A position of a live game after some random moves.
fn some_way_in<P: Position>(start: &P, plies: u32, rng: &mut Rng) -> Option<P> {
    let mut position = start.clone();
    for _ in 0..plies {
        position.play(position.random_move(rng)?);
    }
    position.outcome().is_none().then_some(position)
}

fn games_are_judged<P: Position>(start: &P, plies: u32, iterations: u64) {
    let mut oracle = Oracle::default();
    for (number, recipe) in (0_u64..).zip(recipes()) {
        let mut rng = Rng::new(Seed(number));
        let depth = rng.below(plies + 1);
        if let Some(position) = some_way_in(start, depth, &mut rng) {
            judge(&mut oracle, recipe, &position, iterations, number);
        }
    }
}

#[test]
fn tic_tac_toe() {
    games_are_judged(&TicTacToe::new(), 5, 2_000);
}

#[test]
fn small_hex() {
    games_are_judged(&Hex::new(3, SwapRule::Off).expect("a board"), 4, 1_500);
    games_are_judged(
        &some_way_in(&Hex::new(4, SwapRule::Off).expect("a board"), 5, &mut Rng::new(Seed(3))).expect("live"),
        4,
        1_000,
    );
}

#[test]
fn small_othello() {
    games_are_judged(&Othello::new(4, Empties::default()).expect("a board"), 6, 1_000);
}

/// A proved draw is not visited again and again.
#[test]
fn tic_tac_toe_is_proved_a_draw() {
    for c in [0.5, 0.7, 1.0, 1.4, 2.0] {
        for seed in 0..3 {
            for leaf in [Leaf::Random { playouts: 1 }, Leaf::Decisive { playouts: 1 }] {
                let recipe = Mcts { select: Selection::Ucb1 { c }, leaf, ..Mcts::default() };
                let report = search(recipe, &TicTacToe::new(), 100_000, seed);
                assert_eq!(report.bounds, Bounds::exact(Score::DRAW), "c = {c}, seed {seed}: {}", report.iterations);
                assert_eq!(report.stopped, StopReason::Finished);
            }
        }
    }
}

#[test]
fn the_root_adds_up_and_runs_repeat() {
    let game = WithHeuristics(PGame::new(4, 10, 3).expect("a tree"));
    for recipe in recipes() {
        let recipe = Mcts { solver: false, probe: None, ..recipe };
        let Ok(recipe) = recipe.check() else { continue };
        let report = search(recipe, &game, 400, 9);
        let visits: u64 = report.root.iter().map(|entry| entry.visits).sum();
        if recipe.expand == Expansion::Each {
            assert!(visits > 400, "{recipe:?}");
        } else if report.stopped == StopReason::Iterations {
            // Hawk's scan may spend iterations on the root itself.
            let playouts = 400 * u64::from(recipe.leaf.playouts());
            let scans = matches!(recipe.select, Selection::Scan { .. });
            assert!(visits == playouts || scans && visits < playouts, "{recipe:?}: {visits}");
        }
        let again = search(recipe, &game, 400, 9);
        assert_eq!((report.best, report.root, report.line), (again.best, again.root, again.line));
    }
}
