//! Memory: stays within its limit, is recycled, is reused between moves, and is not allocated
//! during the search.

use tesuji_core::{Budget, NoObserver, Observer, Pace, Position, Report, Seed, Studied};
use tesuji_games::go::Go;
use tesuji_games::gomoku::Gomoku;
use tesuji_games::hex::{Hex, SwapRule};
use tesuji_games::othello::{Empties, Othello};
use tesuji_games::synthetic::PGame;
use tesuji_games::tictactoe::TicTacToe;
use tesuji_search::Search;
use tesuji_search::mcts::{Backup, CombinedForm, Expansion, Leaf, Mcts, Probe, ReplyMemory, Selection, TreeReuse};
use tesuji_testing::memory::allocations;

/// Records the bytes allocated at each progress report.
struct Ledger {
    pace: u64,
    at: Vec<u64>,
}

impl<M> Observer<M> for Ledger {
    fn pace(&self) -> Option<Pace> {
        Some(Pace::Iterations(self.pace))
    }

    fn progress(&mut self, _: &Report<M>) {
        self.at.push(allocations());
    }
}

/// The bytes that a search allocates in its second half, beyond the cost of two progress reports.
fn asked_late<P: Studied>(recipe: Mcts, root: &P, iterations: u64) -> u64 {
    let count = |looks: u64| {
        let mut ledger = Ledger { pace: looks, at: Vec::with_capacity(1000) };
        let mut search = recipe;
        let budget = Budget { memory: Some(64 << 20), ..Budget::iterations(iterations) };
        search.search(root, &budget, Seed(1), &mut ledger).expect("a live game");
        ledger.at.last().expect("looked") - ledger.at[ledger.at.len() - 2]
    };
    // A progress report itself allocates, the same amount at any interval.
    let (far, near) = (count(iterations / 2), count(iterations / 4));
    far.abs_diff(near)
}

#[test]
fn no_search_allocates_per_iteration() {
    let leaves = [Leaf::Random { playouts: 1 }, Leaf::Random { playouts: 3 }];
    for select in [Selection::Ucb1 { c: 0.7 }, Selection::Ucb1Tuned { c: 1.0 }, Selection::Rave { c: 0.0, bias: 0.02 }]
    {
        for leaf in leaves {
            let recipe = Mcts { select, leaf, solver: true, ..Mcts::plain() };
            let iterations = 4_000;
            let go = Go::new(tesuji_games::go::GoRules::on(9)).expect("a board");
            for (game, asked) in [
                ("hex", asked_late(recipe, &Hex::new(7, SwapRule::Off).expect("a board"), iterations)),
                ("othello", asked_late(recipe, &Othello::new(8, Empties::default()).expect("a board"), iterations)),
                ("go", asked_late(recipe, &go, iterations)),
                ("pgame", asked_late(recipe, &PGame::new(4, 20, 1).expect("a tree"), iterations)),
            ] {
                // The line of a report may be longer, a vector may double: never one allocation per
                // iteration.
                assert!(asked < 60, "{game} {recipe:?}: {asked} in {iterations}");
            }
        }
    }
}

/// The other leaves, look-aheads and expansions.
#[test]
fn no_part_allocates_per_iteration() {
    let plain = Mcts { solver: true, ..Mcts::plain() };
    let looks = Probe { depth: 2, visits: 2, backup: false };
    let parts = [
        ("decisive", Mcts { leaf: Leaf::Decisive { playouts: 1 }, ..plain }),
        ("guarded", Mcts { leaf: Leaf::Guarded { playouts: 1, depth: 2 }, ..plain }),
        ("replies", Mcts { leaf: Leaf::Replies { playouts: 1, memory: ReplyMemory::Two, forget: true }, ..plain }),
        ("heuristic", Mcts { leaf: Leaf::Heuristic { playouts: 1, temperature: 1.0 }, ..plain }),
        ("each", Mcts { expand: Expansion::Each, ..plain }),
        ("look", Mcts { probe: Some(looks), ..plain }),
    ];
    for (part, recipe) in parts {
        let iterations = 2_000;
        let hex = Hex::new(5, SwapRule::Off).expect("a board");
        let othello = Othello::new(8, Empties::default()).expect("a board");
        let gomoku = Gomoku::new(9, Default::default()).expect("a board");
        let go = Go::new(tesuji_games::go::GoRules::on(5)).expect("a board");
        for (game, asked) in [
            ("hex", asked_late(recipe, &hex, iterations)),
            ("othello", asked_late(recipe, &othello, iterations)),
            ("gomoku", asked_late(recipe, &gomoku, iterations)),
            ("go", asked_late(recipe, &go, iterations)),
        ] {
            assert!(asked < 60, "{part} on {game}: {asked} in {iterations}");
        }
    }
}

#[test]
fn a_full_arena_is_recycled() {
    let game = PGame::new(4, 20, 3).expect("a tree");
    for backup in [Backup::Mean, Backup::Combined { parameter: 3, form: CombinedForm::Jump }] {
        for expand in [Expansion::One, Expansion::Each] {
            for share in [false, true] {
                let Ok(mut recipe) = (Mcts { backup, expand, share, solver: true, ..Mcts::plain() }).check() else {
                    continue;
                };
                let budget = Budget { memory: Some(20_000), ..Budget::iterations(20_000) };
                let report = recipe.search(&game, &budget, Seed(1), &mut NoObserver).expect("live");
                assert_eq!(report.iterations, 20_000);
                assert!(report.memory_bytes <= 20_000, "{}", report.memory_bytes);
                // Only the least visited part was reclaimed.
                assert!(kept(&report) * 32.0 * 3.0 > 20_000.0, "{recipe:?}: {} nodes are left", kept(&report));
                let large = Budget::iterations(20_000);
                let free = recipe.search(&game, &large, Seed(1), &mut NoObserver).expect("live");
                assert!(report.depth >= free.depth / 2, "goes on growing: {} against {}", report.depth, free.depth);
            }
        }
    }
}

/// Nodes in the tree at the end.
fn kept<M>(report: &Report<M>) -> f64 {
    report.figures.iter().find(|(name, _)| *name == "tree-nodes").expect("a tree").1
}

/// Nodes with different numbers of moves: free blocks are merged, so that the arena does not
/// fragment.
#[test]
fn blocks_of_different_sizes_are_recycled() {
    let game = Hex::new(7, SwapRule::Off).expect("a board");
    for share in [false, true] {
        let mut recipe = Mcts { share, ..Mcts::plain() };
        for iterations in [60_000, 100_000, 150_000] {
            let budget = Budget { memory: Some(1_000_000), ..Budget::iterations(iterations) };
            let report = recipe.search(&game, &budget, Seed(1), &mut NoObserver).expect("live");
            assert!(kept(&report) * 32.0 * 4.0 > 1_000_000.0, "share {share}, {iterations}: {} nodes", kept(&report));
        }
    }
}

/// Hawk's scan visits the current tree, not nodes that the arena held before.
#[test]
fn a_scan_survives_reuse_and_recycling() {
    let recipe = Mcts { select: Selection::Scan { c: 0.7 }, ..Mcts::default() };
    let mut position = Hex::new(4, SwapRule::Off).expect("a board");
    let mut search = TreeReuse::new(recipe);
    let budget = Budget { memory: Some(20_000), ..Budget::iterations(300) };
    while position.outcome().is_none() {
        let best = search.search(&position, &budget, Seed(1), &mut NoObserver).expect("live").best.expect("live");
        assert!(position.is_legal(best));
        position.play(best);
        search.follow(best);
    }
}

/// A tree that reaches a proved position without the move that proves it is discarded.
#[test]
fn a_proved_position_is_played_as_it_was_proved() {
    let probe = Some(Probe { depth: 6, visits: 0, backup: false });
    let recipe = Mcts { probe, ..Mcts::default() };
    for game in 0..20 {
        let mut rng = tesuji_core::Rng::new(Seed(game));
        let mut search = TreeReuse::new(recipe);
        let mut position = TicTacToe::new();
        while position.outcome().is_none() {
            let own = (position.turn() == tesuji_core::Player::First) == (game % 2 == 0);
            let mv = if own {
                let report =
                    search.search(&position, &Budget::iterations(200), Seed(game), &mut NoObserver).expect("live");
                report.best.expect("live")
            } else {
                position.random_move(&mut rng).expect("live")
            };
            position.play(mv);
            search.follow(mv);
        }
        let own = if game % 2 == 0 { tesuji_core::Player::First } else { tesuji_core::Player::Second };
        assert_ne!(position.outcome().expect("ended").winner(), Some(own.other()), "game {game}");
    }
}

#[test]
fn memory_that_cannot_hold_the_root_is_refused() {
    let game = PGame::new(4, 20, 3).expect("a tree");
    for share in [false, true] {
        let tiny = Budget { memory: Some(100), ..Budget::iterations(100) };
        let mut recipe = Mcts { share, ..Mcts::plain() };
        let error = recipe.search(&game, &tiny, Seed(1), &mut NoObserver).expect_err("no room").to_string();
        assert!(error.contains("memory") && error.contains("100"), "{error}");
    }
}

/// After a move the subtree below it is reused; after a move that was not searched there is none.
#[test]
fn the_tree_is_reused_between_moves() {
    let game = TicTacToe::new();
    let recipe = Mcts { solver: false, ..Mcts::default() };
    let mut search = TreeReuse::new(recipe);
    let budget = Budget::iterations(2_000);
    let report = search.search(&game, &budget, Seed(1), &mut NoObserver).expect("live");
    let best = report.best.expect("live");
    let below = report.root.iter().find(|entry| entry.mv == best).expect("listed").visits;
    let mut next = game;
    next.play(best);
    search.follow(best);
    let report = search.search(&next, &budget, Seed(2), &mut NoObserver).expect("live");
    let visits: u64 = report.root.iter().map(|entry| entry.visits).sum();
    // The node itself was visited once before it had children.
    assert_eq!(visits, below - 1 + 2_000);
    assert_eq!(report.iterations, 2_000);

    // Not followed: an empty tree, and the same answer as before.
    let again = search.search(&next, &budget, Seed(2), &mut NoObserver).expect("live");
    let fresh = TreeReuse::new(recipe).search(&next, &budget, Seed(2), &mut NoObserver).expect("live");
    assert_eq!(again.root, fresh.root);

    // The followed position is not the one searched: an empty tree.
    search.follow(again.best.expect("live"));
    let elsewhere = search.search(&game, &budget, Seed(3), &mut NoObserver).expect("live");
    assert_eq!(elsewhere.root.iter().map(|entry| entry.visits).sum::<u64>(), 2_000);

    // A new game.
    search.follow(elsewhere.best.expect("live"));
    search.begin();
    let mut other = game;
    other.play(elsewhere.best.expect("live"));
    let report = search.search(&other, &budget, Seed(3), &mut NoObserver).expect("live");
    assert_eq!(report.root.iter().map(|entry| entry.visits).sum::<u64>(), 2_000);
}

/// A whole game on one small arena: what is not below the moves played is recycled.
#[test]
fn a_game_long_tree_stays_in_its_memory() {
    for share in [false, true] {
        let mut position = Hex::new(5, SwapRule::Off).expect("a board");
        let mut search = TreeReuse::new(Mcts { share, solver: false, ..Mcts::default() });
        let budget = Budget { memory: Some(150_000), ..Budget::iterations(3_000) };
        while position.outcome().is_none() {
            let report = search.search(&position, &budget, Seed(1), &mut NoObserver).expect("live");
            assert!(report.memory_bytes <= 150_000);
            let best = report.best.expect("live");
            position.play(best);
            search.follow(best);
        }
    }
}
