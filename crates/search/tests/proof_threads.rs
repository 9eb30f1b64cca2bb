//! df-pn on several threads: the same values, proofs that hold, budgets that are kept.

use std::num::NonZeroU32;
use tesuji_core::solver::Settings;
use tesuji_core::{Budget, Goal, NoObserver, Player, Position, Rng, Score, Seed, StopReason, Studied};
use tesuji_games::hex::{Hex, SwapRule};
use tesuji_games::othello::{Empties, Othello};
use tesuji_games::synthetic::{PGame, RandomTree, Tree};
use tesuji_games::tictactoe::TicTacToe;
use tesuji_proof::check;
use tesuji_search::Search;
use tesuji_search::oracle::Oracle;
use tesuji_search::proof::DfPn;

fn on(threads: u32) -> Budget {
    Budget { threads: NonZeroU32::new(threads), memory: Some(1 << 22), ..Budget::default() }
}

/// The exact value by some threads; its proofs are checked.
fn solved<P: Studied>(root: &P, threads: u32, settings: Settings) -> Option<Score> {
    let mut search = DfPn::new(settings, Goal::default());
    let report = search.search(root, &on(threads), Seed(1), &mut NoObserver).expect("live");
    assert_eq!(report.stopped, StopReason::Finished);
    for claim in search.proof(root, &Budget::unlimited()).expect("solved") {
        check(root, &claim, &mut Budget::unlimited().meter()).expect("the proof holds");
    }
    report.bounds.proved()
}

#[test]
fn threads_find_the_truth() {
    let plain = Settings::default();
    for seed in 0..300 {
        let mut rng = Rng::new(Seed(seed));
        let shape = RandomTree {
            depth: 1 + rng.below(8),
            branching: 1 + rng.below(4),
            grades: 2 + rng.below(4),
            alternate: rng.below(2) == 0,
        };
        let tree = Tree::random(shape, &mut rng);
        if tree.outcome().is_none() {
            let truth = Oracle::default().truth(&tree).expect("small").outcome.score;
            let settings = Settings { epsilon: f64::from(rng.below(2)) * 0.25, weak: rng.below(2) == 0, ..plain };
            assert_eq!(solved(&tree, 2 + rng.below(3), settings), Some(truth), "seed {seed}");
        }
    }
    assert_eq!(solved(&TicTacToe::default(), 2, plain), Some(Score::DRAW));
    for seed in 0..3 {
        let game = PGame::new(2, 14, seed).expect("a tree");
        let truth = Oracle::default().truth(&game).expect("small").outcome.score;
        assert_eq!(solved(&game, 3, plain), Some(truth));
    }
    assert_eq!(solved(&Othello::new(4, Empties::None).expect("a board"), 2, plain), Some(Score::LOSS));
    for _ in 0..3 {
        assert_eq!(solved(&Hex::new(4, SwapRule::Off).expect("a board"), 2, plain), Some(Score::WIN));
    }
}

/// One thread is one thread: asking for it changes nothing.
#[test]
fn one_thread_is_as_ever() {
    let hex = Hex::new(4, SwapRule::Off).expect("a board");
    let figures = |budget: Budget| {
        let mut search = DfPn::new(Settings::default(), Goal::default());
        let report = search.search(&hex, &budget, Seed(1), &mut NoObserver).expect("live");
        (report.nodes, report.iterations, report.line, report.memory_bytes)
    };
    assert_eq!(figures(on(1)), figures(Budget { threads: None, ..on(1) }));
}

/// Limits hold for all threads together, and a stop flag ends them all.
#[test]
fn limits_are_kept() {
    let hex = Hex::new(7, SwapRule::Off).expect("a board");
    let mut search = DfPn::new(Settings::default(), Goal::win_of(Player::First));
    let budget = Budget { nodes: Some(20_000), ..on(4) };
    let report = search.search(&hex, &budget, Seed(1), &mut NoObserver).expect("live");
    assert!(report.bounds.proved().is_none() && report.stopped == StopReason::Nodes);
    assert!((5_000..=20_010).contains(&report.nodes), "{}", report.nodes);
    // Every position entered was expanded for the first time or again, by whichever thread.
    let again = report.figures.iter().find(|(name, _)| *name == "re-expansions").expect("a figure of df-pn").1 as u64;
    assert!(report.iterations + again >= report.nodes, "{} {again} {}", report.iterations, report.nodes);
    assert!(report.memory_bytes <= 1 << 22);
    let budget = on(3);
    let stop = budget.stop.clone();
    let report = std::thread::scope(|scope| {
        let thread = scope.spawn(|| search.search(&hex, &budget, Seed(1), &mut NoObserver).expect("live"));
        std::thread::sleep(std::time::Duration::from_millis(100));
        stop.stop();
        thread.join().expect("no panic")
    });
    assert_eq!(report.stopped, StopReason::Asked);
}
