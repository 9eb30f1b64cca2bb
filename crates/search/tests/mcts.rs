//! Monte-Carlo tree search against the oracle: every recipe of a generated list, on small games.

use crate::recipes::{WithHeuristics, recipes};
use tesuji_core::{Bounds, Budget, Goal, NoObserver, Player, Position, Report, Rng, Score, Seed, StopReason, Studied};
use tesuji_games::hex::{Hex, SwapRule};
use tesuji_games::othello::{Empties, Othello};
use tesuji_games::synthetic::{PGame, RandomTree, Tree};
use tesuji_games::tictactoe::TicTacToe;
use tesuji_search::Search;
use tesuji_search::mcts::{Expansion, Leaf, Mcts, Probe, Selection, Sudden};
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

/// With a goal, results are answers: "a draw is not a win" (Zhang 2019 §2.2.3). Every answer is
/// that of the oracle, for the root and its moves, and no question takes longer than the exact value
/// on average.
#[test]
fn questions_have_the_answers_of_the_oracle() {
    let goals = ["first-wins", "first-draws", "second-wins", "second-draws", "score>=0.7"];
    let zhang = Mcts { select: Selection::uct(2_f64.sqrt(), true), ..Mcts::plain() };
    let all = Mcts { expand: Expansion::All, probe: Some(Probe { depth: 2, visits: 0, backup: true }), ..zhang };
    let (mut asked, mut exactly, mut answers) = (0, 0, [0, 0]);
    for seed in 0..sized(150, 2_000) {
        let tree = random_tree(seed);
        if tree.outcome().is_some() {
            continue;
        }
        let mut oracle = Oracle::default();
        for (recipe, goal) in [zhang, all].into_iter().flat_map(|recipe| goals.map(|goal| (recipe, goal))) {
            let goal: Goal = goal.parse().expect("a goal");
            let recipe = Mcts { solver: true, goal, ..recipe }.check().expect("a recipe");
            let Goal::Question(aim) = goal else { panic!("a question") };
            let report = search(recipe, &WithHeuristics(tree.clone()), 20_000, seed);
            assert_eq!(report.stopped, StopReason::Finished, "seed {seed}, {goal}");
            let truth = oracle.truth(&tree).expect("small").outcome;
            let yes = aim.worth(truth) >= aim.least;
            assert!(report.bounds.contains(truth.score) && report.bounds != Bounds::UNKNOWN, "seed {seed}, {goal}");
            let (sure, _) = report.bounds.for_player(aim.player);
            assert_eq!(sure.units() as i32 >= aim.least, yes, "seed {seed}, {goal}");
            for entry in &report.root {
                let mut next = tree.clone();
                next.play(entry.mv);
                let score = oracle.truth(&next).expect("small").outcome.score;
                assert!(entry.bounds.contains(score), "seed {seed}, {goal}: {:?} misses {score}", entry.bounds);
            }
            answers[usize::from(yes)] += 1;
            asked += report.iterations;
            exactly += search(
                Mcts { solver: true, goal: Goal::default(), ..recipe },
                &WithHeuristics(tree.clone()),
                20_000,
                seed,
            )
            .iterations;
        }
    }
    assert!(answers[0] > 100 && answers[1] > 100, "{answers:?}");
    assert!(asked < exactly, "{asked} iterations for questions, {exactly} for values");
}

/// That tic-tac-toe is no win is known sooner than that it is a draw, and says less.
#[test]
fn a_draw_is_not_a_win() {
    let solver = Mcts { solver: true, select: Selection::uct(2_f64.sqrt(), true), ..Mcts::plain() };
    let asked = Mcts { goal: Goal::win_of(Player::First), ..solver };
    let (exact, answered) =
        (search(solver, &TicTacToe::new(), 200_000, 1), search(asked, &TicTacToe::new(), 200_000, 1));
    assert_eq!((exact.bounds, exact.stopped), (Bounds::exact(Score::DRAW), StopReason::Finished));
    assert_eq!(answered.bounds, Bounds::new(Score::LOSS, Score::DRAW).expect("ordered"));
    assert_eq!(answered.stopped, StopReason::Finished);
    assert!(answered.iterations < exact.iterations, "{} and {}", answered.iterations, exact.iterations);
    assert!(answered.value.to_f64() <= 0.5, "not more than a draw: {:?}", answered.value);
}

#[test]
fn goals_that_a_recipe_cannot_serve_are_refused() {
    let goal: Goal = "first-wins".parse().expect("a goal");
    let fails = |recipe: Mcts| format!("{:?}", recipe.check().expect_err("refused"));
    assert!(fails(Mcts { goal, ..Mcts::plain() }).contains("solver=true"));
    assert!(fails(Mcts { goal: "exact-margin".parse().expect("a goal"), ..Mcts::default() }).contains("margins"));
    assert!(fails(Mcts { goal, sudden: Sudden::First { k: 2 }, ..Mcts::default() }).contains("sudden=never"));
    let all = Mcts { goal: "score>=0".parse().expect("a goal"), probe: Some(Probe::in_backup(2)), ..Mcts::default() };
    assert!(fails(all).contains("probe=none"));
}

/// MCTS-MB of Baier & Winands (2013) without MCTS-MS: no look-ahead on the way down, so that one
/// iteration proves nothing; where a proof stops on its way up the look-ahead carries it on, so that
/// positions are proved in fewer iterations than without.
#[test]
fn a_look_ahead_in_the_backup_alone() {
    // X is to move and must take c3 or a1: O threatens on the middle row.
    let threatened = TicTacToe::from_text("X.XOO....").expect("a position");
    let plain = Mcts { solver: true, ..Mcts::plain() };
    let both = Mcts { probe: Some(Probe { depth: 2, visits: 0, backup: true }), ..plain };
    let backup = Mcts { probe: Some(Probe::in_backup(2)), ..plain };
    let known = |recipe: Mcts, seed: u64| {
        let report = search(recipe, &threatened, 1, seed);
        report.root.iter().filter(|entry| entry.bounds != Bounds::UNKNOWN && entry.bounds.upper() != Score::WIN).count()
    };
    assert!((0..20).any(|seed| known(both, seed) > 0), "a lost move is seen at once");
    assert!((0..20).all(|seed| known(backup, seed) == 0), "nothing is looked at on the way down");
    let iterations =
        |recipe: Mcts| -> u64 { (0..10).map(|seed| search(recipe, &TicTacToe::new(), 200_000, seed).iterations).sum() };
    let (without, with) = (iterations(plain), iterations(backup));
    assert!(with < without, "{with} iterations with the look-ahead, {without} without");
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
