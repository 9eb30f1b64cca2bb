//! Several threads: nothing is lost, nothing is counted twice, and what is proved is true.

use tesuji_core::{Bounds, Budget, NoObserver, Notation, Position, Report, Score, Seed, StopReason, Studied};
use tesuji_games::hex::{Hex, SwapRule};
use tesuji_games::synthetic::PGame;
use tesuji_games::tictactoe::TicTacToe;
use tesuji_search::Search;
use tesuji_search::mcts::{Leaf, Mcts, Parallel, Selection};

fn threads(count: u32, iterations: u64) -> Budget {
    Budget { threads: std::num::NonZeroU32::new(count), ..Budget::iterations(iterations) }
}

fn search<P: Studied>(recipe: Mcts, root: &P, budget: &Budget, seed: u64) -> Report<P::Move> {
    let mut recipe = recipe;
    recipe.search(root, budget, Seed(seed), &mut NoObserver).expect("a live game")
}

/// Every iteration is a visit of a root move, and every playout of a game without draws has an
/// integer reward: no update is lost.
#[test]
fn visits_and_sums_add_up_exactly() {
    let game = Hex::new(5, SwapRule::Off).expect("a board");
    for select in [Selection::Ucb1 { c: 0.7 }, Selection::Ucb1Tuned { c: 1.0 }, Selection::Rave { c: 0.1, bias: 0.02 }]
    {
        for count in [2, 4, 7] {
            for parallel in [Parallel::Tree, Parallel::Root] {
                let recipe = Mcts { select, parallel, ..Mcts::plain() };
                let report = search(recipe, &game, &threads(count, 20_000), u64::from(count));
                assert_eq!((report.iterations, report.stopped), (20_000, StopReason::Iterations));
                assert_eq!(report.root.iter().map(|entry| entry.visits).sum::<u64>(), 20_000, "{recipe:?}");
                for entry in report.root.iter().filter(|entry| entry.visits > 0) {
                    let wins = entry.value.expect("tried").to_f64() * entry.visits as f64;
                    assert!((wins - wins.round()).abs() < 1e-6, "{recipe:?}: {wins} wins");
                }
            }
        }
    }
}

#[test]
fn leaf_parallel_counts_all_playouts_and_repeats() {
    let game = PGame::new(4, 10, 3).expect("a tree");
    let recipe = Mcts { parallel: Parallel::Leaf, leaf: Leaf::Random { playouts: 2 }, ..Mcts::plain() };
    let report = search(recipe, &game, &threads(3, 500), 1);
    assert_eq!(report.root.iter().map(|entry| entry.visits).sum::<u64>(), 500 * 2 * 3);
    assert_eq!(report.root, search(recipe, &game, &threads(3, 500), 1).root);
}

#[test]
fn root_parallel_repeats() {
    let game = PGame::new(4, 10, 3).expect("a tree");
    let recipe = Mcts { parallel: Parallel::Root, ..Mcts::plain() };
    let report = search(recipe, &game, &threads(3, 1000), 1);
    assert_eq!(report.root, search(recipe, &game, &threads(3, 1000), 1).root);
    assert_ne!(report.root, search(recipe, &game, &threads(1, 1000), 1).root);
}

#[test]
fn proofs_hold_with_threads() {
    for parallel in [Parallel::Tree, Parallel::Root, Parallel::Leaf] {
        for share in [false, true] {
            // A waiting pool is slow on a machine with few processors.
            let (count, seeds) = if parallel == Parallel::Leaf { (2, 1) } else { (4, 5) };
            for seed in 0..seeds {
                let recipe = Mcts { parallel, share, ..Mcts::default() };
                let report = search(recipe, &TicTacToe::new(), &threads(count, 200_000), seed);
                assert_eq!(report.bounds, Bounds::exact(Score::DRAW), "{parallel:?} {share} {seed}");
                assert_eq!(report.stopped, StopReason::Finished);
            }
        }
    }
}

/// Recycling under threads: a tree far too large for its memory.
#[test]
fn threads_recycle() {
    let game = PGame::new(8, 20, 3).expect("a tree");
    for share in [false, true] {
        let recipe = Mcts { share, solver: true, select: Selection::Rave { c: 0.3, bias: 0.02 }, ..Mcts::plain() };
        let budget = Budget { memory: Some(200_000), ..threads(3, 30_000) };
        let report = search(recipe, &game, &budget, 5);
        assert_eq!(report.iterations, 30_000);
        assert!(report.memory_bytes <= 200_000, "{}", report.memory_bytes);
    }
}

/// In a tiny arena nodes are reclaimed all the time, including those of the first thread's last
/// descent if other threads fill the tree first. Its moves are reported correctly. They were once
/// read from the reclaimed nodes, whose move is another one: the first of the board, which is
/// occupied here, or none.
#[test]
fn the_last_descent_is_reported_after_its_nodes_were_reclaimed() {
    let mut game = Hex::new(4, SwapRule::Off).expect("a board");
    for mv in ["a1", "b1", "b2", "c3", "a3"] {
        game.play(game.read_move(mv).expect("a move"));
    }
    for seed in 0..150 {
        let recipe = Mcts { solver: seed % 4 == 0, ..Mcts::default() };
        let budget = Budget { memory: Some(4 << 10), ..threads(4, 1_000) };
        let report = search(recipe, &game, &budget, seed);
        let mut position = game;
        for mv in &report.path {
            assert!(position.is_legal(*mv), "seed {seed}: {:?}", report.path);
            position.play(*mv);
        }
    }
}
