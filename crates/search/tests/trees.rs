//! All exact searches against each other on random trees, with and without alternating turns.

use tesuji_core::{Budget, NoObserver, Outcome, Player, Position, Rng, Score, Seed, StopReason, Studied, Value};
use tesuji_games::mnk::Mnk;
use tesuji_games::synthetic::{PGame, RandomTree, Trap, TrapLeaf, Tree};
use tesuji_search::mcts::Mcts;
use tesuji_search::minimax::{LevelK, Minimax, level_k_score};
use tesuji_search::oracle::{Objective, Oracle, Truth};
use tesuji_search::sampling::{Expected, RandomMove, Rps};
use tesuji_search::{Search, SearchError};

/// The definition, by plain recursion: the reference for the oracle's iterative walk.
fn definition<P: Position>(position: &P) -> Outcome {
    let mover = position.turn();
    position.outcome().unwrap_or_else(|| {
        let values = position.moves().into_iter().map(|mv| {
            let mut next = position.clone();
            next.play(mv);
            definition(&next)
        });
        values.max_by_key(|outcome| (outcome.score.for_player(mover), sign(mover) * outcome.margin)).expect("a move")
    })
}

fn sign(player: Player) -> i32 {
    if player == Player::First { 1 } else { -1 }
}

fn random_tree(seed: u64, alternate: bool) -> Tree {
    let mut rng = Rng::new(Seed(seed));
    let shape =
        RandomTree { depth: 1 + rng.below(7), branching: 1 + rng.below(4), grades: 2 + rng.below(2), alternate };
    Tree::random(shape, &mut rng)
}

#[test]
fn two_thousand_trees_without_alternation() {
    for seed in 0..2_000 {
        let mut tree = random_tree(seed, false);
        let mut oracle = Oracle::default();
        let truth = oracle.truth(&tree).expect("small");
        assert_eq!(truth.outcome, definition(&tree), "seed {seed}");
        for level in 1..=8 {
            let found = level_k_score(&mut tree, level, &mut Budget::unlimited().meter()).expect("no limits");
            assert_eq!(found, truth.outcome.winner().filter(|_| truth.distance <= level), "seed {seed}, level {level}");
        }
        if tree.outcome().is_none() {
            let report =
                Minimax::new(None).search(&tree, &Budget::unlimited(), Seed(seed), &mut NoObserver).expect("live");
            assert_eq!(report.bounds.proved(), Some(truth.outcome.score), "seed {seed}");
            let limited =
                Minimax::new(Some(2)).search(&tree, &Budget::unlimited(), Seed(seed), &mut NoObserver).expect("live");
            assert!(limited.bounds.contains(truth.outcome.score), "seed {seed}: {:?}", limited.bounds);
            let asked = oracle.search(&tree, &Budget::unlimited(), Seed(seed), &mut NoObserver).expect("live");
            assert_eq!(asked.line.len() as u32, truth.distance, "seed {seed}: the line is as long as the distance");
            assert!(oracle.optimal_moves(&tree).expect("small").contains(&asked.best.expect("live")));
        }
    }
}

#[test]
fn p_games_by_margin() {
    for seed in 0..30 {
        let game = PGame::new(2, 10, seed).expect("a tree");
        let truth = Oracle::new(Objective::Margin).truth(&game).expect("small");
        assert_eq!(truth.outcome, definition(&game));
        assert_eq!(Oracle::default().truth(&game).expect("small").outcome.score, truth.outcome.score);
    }
}

/// Solved values of m,n,k-games, computed independently and published.
#[test]
fn m_n_k_games() {
    let value =
        |m, n, k| Oracle::default().truth(&Mnk::new(m, n, k).expect("a board")).expect("small").outcome.winner();
    assert_eq!(value(3, 3, 3), None);
    assert_eq!(value(4, 3, 3), Some(Player::First));
}

/// Lin §3.1: 20 + 20² nodes, and minimax avoids the trap.
#[test]
fn the_trap_costs_minimax_420_nodes() {
    let root = Trap::new(TrapLeaf::Expected);
    for seed in 0..10 {
        let report =
            Minimax::new(Some(2)).search(&root, &Budget::unlimited(), Seed(seed), &mut NoObserver).expect("live");
        assert_eq!(report.nodes, 420);
        assert_ne!(report.best, Some(19));
        assert_eq!(report.root[19].bounds.proved(), Score::from_f64(0.3));
        assert_eq!(report.value, Value::from(Score::DRAW));
    }
    // Random play prefers it: an expectation of 0.68 against 0.5.
    let report = Expected::default().search(&root, &Budget::unlimited(), Seed(1), &mut NoObserver).expect("live");
    assert_eq!((report.best, report.root[19].note.as_deref()), (Some(19), Some("S = 9/25")));
}

/// A line of a hundred thousand plies: no search recurses.
#[test]
fn long_games_do_not_overflow_the_stack() {
    let depth = 100_000;
    let mut chain = Tree::from_text(&format!("{}1{}", "S(".repeat(depth), ")".repeat(depth))).expect("a chain");
    let truth = Oracle::default().truth(&chain).expect("a chain");
    assert_eq!(truth, Truth { outcome: Outcome::graded(Score::WIN), distance: depth as u32 });
    let meter = || Budget::unlimited().meter();
    assert_eq!(level_k_score(&mut chain, u32::MAX, &mut meter()), Some(Some(Player::First)));
    assert_eq!(level_k_score(&mut chain, depth as u32 - 1, &mut meter()), Some(None));
    let report = Minimax::new(None).search(&chain, &Budget::unlimited(), Seed(1), &mut NoObserver).expect("live");
    assert_eq!((report.line.len(), report.nodes), (depth, depth as u64));
    Expected::default().score(&chain).expect("a chain");
}

/// Each search with its name.
fn all_searches<P: Studied>() -> Vec<(&'static str, Box<dyn Search<P>>)> {
    vec![
        ("random", Box::new(RandomMove)),
        ("minimax", Box::new(Minimax::new(Some(4)))),
        ("level-k", Box::new(LevelK { level: 3 })),
        ("oracle", Box::new(Oracle::default())),
        ("expected", Box::<Expected<P>>::default()),
        ("rps", Box::new(Rps { replies: false })),
        ("mcts", Box::new(Mcts::default())),
        ("rps with replies", Box::new(Rps { replies: true })),
    ]
}

#[test]
fn a_spent_budget_still_gets_a_legal_move_and_an_ended_game_none() {
    let game = PGame::new(3, 6, 2).expect("a tree");
    let spent = [
        Budget { nodes: Some(0), iterations: Some(0), ..Budget::default() },
        Budget { nodes: Some(5), iterations: Some(1), ..Budget::default() },
        Budget { hard_time: Some(std::time::Duration::ZERO), ..Budget::default() },
    ];
    for budget in spent {
        for (name, mut search) in all_searches() {
            let report = search.search(&game, &budget, Seed(1), &mut NoObserver).expect(name);
            assert!(game.is_legal(report.best.expect(name)), "{name}");
            assert_eq!(report.root.len(), 3, "{name}");
            assert!(report.nodes <= 5 && report.iterations <= 5, "{name}: {report:?}");
        }
    }
    let leaf = Tree::from_text("0.5").expect("a leaf");
    for (name, mut search) in all_searches() {
        assert_eq!(
            search.search(&leaf, &Budget::unlimited(), Seed(1), &mut NoObserver),
            Err(SearchError::Ended),
            "{name}"
        );
    }
}

/// Each limit alone ends every search and is not exceeded.
#[test]
fn every_limit_is_kept_alone() {
    let game = PGame::new(3, 12, 2).expect("a tree");
    for (name, mut search) in all_searches() {
        let report = search.search(&game, &Budget::iterations(50), Seed(1), &mut NoObserver).expect(name);
        assert!(report.iterations <= 50, "{name}: {report:?}");
    }
    for (name, mut search) in all_searches() {
        let budget = Budget { nodes: Some(50), ..Budget::default() };
        let report = search.search(&game, &budget, Seed(1), &mut NoObserver).expect(name);
        // A sampling search may finish the playout it has begun.
        assert!(report.nodes <= 51, "{name}: {report:?}");
    }
    for (name, mut search) in all_searches() {
        let budget = Budget { hard_time: Some(std::time::Duration::from_millis(5)), ..Budget::default() };
        search.search(&PGame::new(3, 30, 2).expect("a tree"), &budget, Seed(1), &mut NoObserver).expect(name);
    }
}

/// Searches that use memory stay within its limit, also while their tables grow.
#[test]
fn exhaustive_searches_keep_their_memory() {
    let game = PGame::new(2, 30, 2).expect("a tree");
    let budget = Budget { memory: Some(1_000_000), ..Budget::default() };
    let report = Oracle::default().search(&game, &budget, Seed(1), &mut NoObserver).expect("stopped");
    assert!(report.stopped == StopReason::Memory && report.memory_bytes <= 1_000_000, "{report:?}");
    let report = Expected::default().search(&game, &budget, Seed(1), &mut NoObserver).expect("stopped");
    assert!(report.stopped == StopReason::Memory && report.memory_bytes <= 1_000_000, "{report:?}");
}

/// The value of level-k is a sign; its bounds are grades.
#[test]
fn level_k_proves_grades_not_signs() {
    let tree = Tree::from_text("F(0.7 0.6 S(0.2 0.4))").expect("a tree");
    let report = LevelK { level: 4 }.search(&tree, &Budget::unlimited(), Seed(1), &mut NoObserver).expect("live");
    let bounds: Vec<_> = report.root.iter().map(|entry| entry.bounds.proved()).collect();
    assert_eq!(bounds, [0.7, 0.6, 0.2].map(Score::from_f64));
    assert_eq!(report.bounds.proved(), Score::from_f64(0.7));
    assert_eq!(report.depth, 2, "the depth is the one reached");
    for seed in 0..300 {
        let tree = random_graded_tree(seed);
        if tree.outcome().is_none() {
            let truth = Oracle::default().truth(&tree).expect("small").outcome.score;
            let report =
                LevelK { level: 3 }.search(&tree, &Budget::unlimited(), Seed(1), &mut NoObserver).expect("live");
            assert!(report.bounds.contains(truth), "seed {seed}");
        }
    }
}

fn random_graded_tree(seed: u64) -> Tree {
    let shape = RandomTree { depth: 5, branching: 3, grades: 7, alternate: false };
    Tree::random(shape, &mut Rng::new(Seed(seed)))
}

#[test]
fn the_same_seed_gives_the_same_answer() {
    let game = PGame::new(4, 6, 8).expect("a tree");
    // A new search each time: one with a table would agree with itself trivially.
    for ((name, mut search), (_, mut again)) in all_searches().into_iter().zip(all_searches()) {
        let answer = |search: &mut Box<dyn Search<PGame>>| {
            let report = search.search(&game, &Budget::iterations(500), Seed(1), &mut NoObserver).expect(name);
            (report.best, report.value, report.root, report.line)
        };
        assert_eq!(answer(&mut search), answer(&mut again), "{name}");
    }
}

#[test]
fn observers_see_the_search_at_their_pace() {
    struct Counting(Vec<u64>);
    impl tesuji_core::Observer<u32> for Counting {
        fn pace(&self) -> Option<tesuji_core::Pace> {
            Some(tesuji_core::Pace::Iterations(100))
        }
        fn progress(&mut self, report: &tesuji_core::Report<u32>) {
            assert!(report.best.is_some());
            self.0.push(report.iterations);
        }
    }
    let game = PGame::new(8, 6, 8).expect("a tree");
    for (name, mut search) in all_searches().into_iter().filter(|(name, _)| *name != "random") {
        let mut watch = Counting(Vec::new());
        search.search(&game, &Budget::iterations(350), Seed(1), &mut watch).expect("live");
        assert_eq!(watch.0, [100, 200, 300], "{name}");
    }
}

/// A walk on a circle: never ends if positions may repeat, and is huge if its history matters.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Circle {
    at: u8,
    history: bool,
}

impl Studied for Circle {}

impl Position for Circle {
    type Move = bool;

    tesuji_core::undo_by_copy!();

    fn history_matters(&self) -> bool {
        self.history
    }
    fn turn(&self) -> Player {
        Player::First
    }
    fn outcome(&self) -> Option<Outcome> {
        None
    }
    fn visit_moves<B>(&self, f: impl FnMut(bool) -> std::ops::ControlFlow<B>) -> std::ops::ControlFlow<B> {
        [false, true].into_iter().try_for_each(f)
    }
    fn play(&mut self, forward: bool) {
        self.at = if forward { (self.at + 1) % 10 } else { (self.at + 9) % 10 };
    }
    fn hash(&self) -> tesuji_core::PositionHash {
        tesuji_core::PositionHash(u64::from(self.at))
    }
    fn recomputed_hash(&self) -> tesuji_core::PositionHash {
        self.hash()
    }
    fn move_space(&self) -> usize {
        2
    }
    fn move_index(&self, forward: bool) -> usize {
        usize::from(forward)
    }
    fn move_at(&self, index: usize) -> Option<bool> {
        [false, true].get(index).copied()
    }
}

#[test]
fn the_oracle_refuses_what_it_cannot_finish() {
    let refused = Oracle::default().truth(&Circle { at: 0, history: false }).expect_err("a circle");
    assert!(refused.to_string().contains("repeat"), "{refused}");
    let refused = Oracle::default().truth(&Circle { at: 0, history: true }).expect_err("histories without end");
    assert!(refused.to_string().contains("depends on its history"), "{refused}");
    // A budget ends the search before that.
    let budget = Budget { nodes: Some(1_000), ..Budget::default() };
    let report =
        Oracle::default().search(&Circle { at: 0, history: true }, &budget, Seed(1), &mut NoObserver).expect("stopped");
    assert_eq!((report.stopped, report.nodes), (StopReason::Nodes, 1_000));
}
