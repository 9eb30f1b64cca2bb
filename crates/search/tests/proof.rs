//! Every proof-number search against the oracle, and against each other.

use tesuji_core::solver::Settings;
use tesuji_core::{
    Aim, Budget, Goal, Measure, NoObserver, Notation, Observer, Pace, Player, Position, Report, Rng, Score, Seed,
    StopReason, Studied,
};
use tesuji_games::gomoku::{Gomoku, Rule};
use tesuji_games::goproblem::{Answer, GoProblem, Problem};
use tesuji_games::hex::{Hex, SwapRule};
use tesuji_games::othello::{Empties, Othello};
use tesuji_games::synthetic::{PGame, RandomTree, Tree};
use tesuji_games::tictactoe::TicTacToe;
use tesuji_search::Search;
use tesuji_search::oracle::Oracle;
use tesuji_search::proof::{DeepDfPn, DeepPn, DfPn, Mcpn, Order, Pn, Ppn, Ties};

/// Each search with its name.
fn solvers<P: Studied>(goal: Goal) -> Vec<(&'static str, Box<dyn Search<P>>)> {
    let plain = Settings::default();
    vec![
        ("pn", Box::new(Pn::new(Ties::Leftmost, goal))),
        ("pn, deepest", Box::new(Pn::new(Ties::Deepest, goal))),
        ("pn, previous", Box::new(Pn::new(Ties::Previous, goal))),
        ("pn, shuffled", Box::new(Pn::new(Ties::Leftmost, goal).ordered(Order::Shuffled))),
        ("deep-pn", Box::new(DeepPn::new(0.6, goal))),
        ("deep-pn, r=0", Box::new(DeepPn::new(0.0, goal))),
        ("mcpn", Box::new(Mcpn::new(3, 0.01, goal))),
        ("ppn", Box::new(Ppn::new(3, 0.01, goal))),
        ("df-pn", Box::new(DfPn::new(plain, goal))),
        ("df-pn, 1+ε", Box::new(DfPn::new(Settings { epsilon: 0.5, ..plain }, goal))),
        ("df-pn, weak", Box::new(DfPn::new(Settings { weak: true, ..plain }, goal))),
        ("df-pn, late", Box::new(DfPn::new(Settings { late: true, ..plain }, goal))),
        ("deep-df-pn", Box::new(DeepDfPn::new(Settings { e: 3.0, d: 5, ..plain }, goal))),
        ("deep-df-pn, huge", Box::new(DeepDfPn::new(Settings { e: 1000.0, d: 40, ..plain }, goal))),
        ("deep-df-pn, e=0", Box::new(DeepDfPn::new(Settings { e: 0.0, d: 5, ..plain }, goal))),
    ]
}

fn run<P: Position>(search: &mut dyn Search<P>, root: &P) -> Report<P::Move> {
    search.search(root, &Budget::unlimited(), Seed(7), &mut NoObserver).expect("a live game")
}

/// All solvers find the exact value, a move that keeps it, and a line of legal moves; and they
/// answer single questions.
fn agree<P: Studied>(root: &P, oracle: &mut Oracle<P>, name: &str) {
    let truth = oracle.truth(root).expect("small").outcome.score;
    let optimal = oracle.optimal_moves(root).expect("small");
    for (solver, mut search) in solvers::<P>(Goal::default()) {
        let report = run(search.as_mut(), root);
        assert_eq!(report.bounds.proved(), Some(truth), "{solver} on {name}");
        assert_eq!(report.value.to_f64(), truth.to_f64(), "{solver} on {name}");
        assert!(optimal.contains(&report.best.expect("live")), "{solver} on {name}: {:?}", report.best);
        assert_eq!(report.stopped, StopReason::Finished);
        let mut at = root.clone();
        for mv in &report.line {
            assert!(at.is_legal(*mv), "{solver} on {name}: the line {:?}", report.line);
            at.play(*mv);
            let kept = at.outcome().unwrap_or_else(|| oracle.truth(&at).expect("small").outcome).score;
            assert_eq!(kept, truth, "{solver} on {name}: the line {:?} after {mv:?}", report.line);
        }
        assert!(at.outcome().is_some(), "{solver} on {name}: the line {:?} ends before the game does", report.line);
        for entry in &report.root {
            let mut next = root.clone();
            next.play(entry.mv);
            let truth = next.outcome().unwrap_or_else(|| oracle.truth(&next).expect("small").outcome);
            assert!(entry.bounds.contains(truth.score), "{solver} on {name}: {entry:?}");
        }
    }
    for text in ["first-wins", "first-draws", "second-wins", "second-draws"] {
        let Goal::Question(aim) = text.parse().expect("a goal") else { unreachable!("questions") };
        let yes = truth.for_player(aim.player).units() as i32 >= aim.least;
        let report = run(&mut DfPn::new(Settings::default(), Goal::Question(aim)), root);
        let (sure, hoped) = report.bounds.for_player(aim.player);
        if yes {
            assert!(sure.units() as i32 >= aim.least, "{name}: {text}");
        } else {
            assert!((hoped.units() as i32) < aim.least, "{name}: {text}");
        }
    }
}

/// The line once was that of one question alone: the value a draw, and the line one that X wins.
#[test]
fn the_line_of_a_draw_ends_in_a_draw() {
    let start = TicTacToe::default();
    for (solver, mut search) in solvers::<TicTacToe>(Goal::default()) {
        let report = run(search.as_mut(), &start);
        let mut at = start;
        report.line.iter().for_each(|mv| at.play(*mv));
        assert_eq!(at.outcome().map(|outcome| outcome.score), Some(Score::DRAW), "{solver}: {:?}", report.line);
    }
}

/// Where nothing is known yet the game's preference chooses, or the seed; once it was the first
/// move of the list.
#[test]
fn where_nothing_is_known_the_preference_or_the_seed_chooses() {
    let budget = Budget { nodes: Some(0), iterations: Some(0), ..Budget::default() };
    let mut position = Gomoku::new(15, Rule::Freestyle).expect("a board");
    for text in ["h8", "i9", "h9", "i8"] {
        position.play(position.read_move(text).expect("a move"));
    }
    let (moves, mut weights) = (position.moves(), Vec::new());
    position.preference().expect("gomoku has one").weigh(&position, &moves, &mut weights);
    let most = weights.iter().copied().fold(0.0, f64::max);
    for (solver, mut search) in solvers::<Gomoku>(Goal::default()) {
        let best = search.search(&position, &budget, Seed(1), &mut NoObserver).expect("live").best.expect("a move");
        let number = moves.iter().position(|mv| *mv == best).expect("legal");
        assert_eq!(weights[number], most, "{solver} plays {}", position.show_move(best));
    }
    let start = PGame::new(8, 8, 1).expect("a tree");
    assert!(start.preference().is_none());
    for (solver, mut search) in solvers::<PGame>(Goal::default()) {
        let mut best = |seed| search.search(&start, &budget, Seed(seed), &mut NoObserver).expect("live").best;
        let first: Vec<_> = (0..20).map(&mut best).collect();
        assert!(first.iter().any(|mv| *mv != first[0]), "{solver} always plays {:?}", first[0]);
        assert_eq!(first, (0..20).map(&mut best).collect::<Vec<_>>(), "{solver}: the seed decides");
    }
}

/// Zhang 2019 §2.1.6 sorts the moves of Hex at random before each of ten runs. Shuffled, the seed
/// decides how long a run takes and not what it answers; R = 1 shuffles as PN-search does. In the
/// game's order the seed changes nothing.
#[test]
fn a_shuffled_order_depends_on_the_seed() {
    let start = PGame::new(4, 6, 5).expect("a tree");
    let goal: Goal = "first-wins".parse().expect("a goal");
    let run = |order: Order, r: Option<f64>, seed: u64| {
        let mut search: Box<dyn Search<PGame>> = match r {
            None => Box::new(Pn::new(Ties::Leftmost, goal).ordered(order)),
            Some(r) => Box::new(DeepPn::new(r, goal).ordered(order)),
        };
        let report = search.search(&start, &Budget::unlimited(), Seed(seed), &mut NoObserver).expect("live");
        (report.iterations, report.proof.map(|proof| proof.status))
    };
    for r in [None, Some(0.6)] {
        let runs: Vec<_> = (0..10).map(|seed| run(Order::Shuffled, r, seed)).collect();
        assert!(runs.iter().any(|(count, _)| *count != runs[0].0), "all runs take {} iterations", runs[0].0);
        assert!(runs.iter().all(|(_, answer)| *answer == runs[0].1), "the answer is the same");
        assert_eq!(runs[3], run(Order::Shuffled, r, 3), "the seed decides");
        assert_eq!(run(Order::Game, r, 1), run(Order::Game, r, 2), "the game's order knows no seed");
    }
    for seed in 0..10 {
        assert_eq!(run(Order::Shuffled, None, seed), run(Order::Shuffled, Some(1.0), seed));
    }
}

#[test]
fn all_positions_of_tic_tac_toe() {
    let start = TicTacToe::default();
    let mut oracle = Oracle::default();
    let mut seen = std::collections::HashSet::new();
    let mut open = vec![start];
    while let Some(position) = open.pop() {
        if position.outcome().is_some() || !seen.insert(position.hash()) {
            continue;
        }
        open.extend(position.moves().into_iter().map(|mv| {
            let mut next = position;
            next.play(mv);
            next
        }));
        agree(&position, &mut oracle, &format!("{position:?}"));
    }
    assert_eq!(seen.len(), 4_520);
}

fn random_tree(seed: u64) -> Tree {
    let mut rng = Rng::new(Seed(seed));
    let alternate = rng.below(2) == 0;
    let shape =
        RandomTree { depth: 1 + rng.below(7), branching: 1 + rng.below(4), grades: 2 + rng.below(4), alternate };
    Tree::random(shape, &mut rng)
}

#[test]
fn ten_thousand_random_trees() {
    for seed in 0..10_000 {
        let tree = random_tree(seed);
        if tree.outcome().is_none() {
            agree(&tree, &mut Oracle::default(), &format!("seed {seed}: {}", tree.to_text()));
        }
    }
}

#[test]
fn p_games() {
    for (branching, depth, seeds) in [(2, 10, 6), (2, 16, 2), (4, 6, 4), (4, 8, 1)] {
        for seed in 0..seeds {
            let game = PGame::new(branching, depth, seed).expect("a tree");
            agree(&game, &mut Oracle::default(), &format!("{branching}×{depth}, seed {seed}"));
        }
    }
}

/// The moves of each expansion, in order.
#[derive(Default)]
struct Sequence<M>(Vec<Vec<M>>);

impl<M: Clone> Observer<M> for Sequence<M> {
    fn pace(&self) -> Option<Pace> {
        Some(Pace::Iterations(1))
    }

    fn progress(&mut self, report: &Report<M>) {
        self.0.push(report.path.clone());
    }
}

fn sequence<P: Position>(mut search: impl Search<P>, root: &P) -> (Vec<Vec<P::Move>>, u64) {
    let mut sequence = Sequence(Vec::new());
    let report = search.search(root, &Budget::unlimited(), Seed(1), &mut sequence).expect("live");
    (sequence.0, report.iterations)
}

/// Zhang and Nagai: without transpositions df-pn is PN-search whose ties prefer the path of the
/// iteration before. And every deepened search with its neutral parameter is its base, node for
/// node.
#[test]
fn the_same_expansions_in_the_same_order() {
    let goal: Goal = "first-wins".parse().expect("a goal");
    let (mut differ_from_leftmost, mut compared) = (0, 0);
    for seed in 0..1_500 {
        let tree = random_tree(seed);
        if tree.outcome().is_some() {
            continue;
        }
        let plain = Settings::default();
        let (mut pn, pn_count) = sequence(Pn::new(Ties::Previous, goal), &tree);
        let (df_pn, count) = sequence(DfPn::new(plain, goal), &tree);
        // df-pn does not show the expansion of the root, which has no path.
        pn.retain(|path| !path.is_empty());
        assert_eq!(df_pn, pn, "seed {seed}: {}", tree.to_text());
        assert_eq!(count, pn_count, "seed {seed}");
        let leftmost = sequence(Pn::new(Ties::Leftmost, goal), &tree);
        assert_eq!(leftmost, sequence(DeepPn::new(1.0, goal), &tree), "R = 1, seed {seed}");
        for same in [Settings { e: 1.0, d: 30, ..plain }, Settings { epsilon: 1e-9, ..plain }] {
            assert_eq!((df_pn.clone(), count), sequence(DeepDfPn::new(same, goal), &tree), "{same:?}, seed {seed}");
        }
        let mut leftmost = leftmost.0;
        leftmost.retain(|path| !path.is_empty());
        differ_from_leftmost += usize::from(leftmost != pn);
        compared += 1;
    }
    assert!(compared > 1_000 && differ_from_leftmost > 50, "{differ_from_leftmost} of {compared} differ");
}

/// The same on a game with transpositions, where the bases must agree too.
#[test]
fn neutral_parameters_change_nothing_in_a_game() {
    let goal = Goal::default();
    let plain = Settings::default();
    let hex = Hex::new(3, SwapRule::Off).expect("a board");
    let base = sequence(DfPn::new(plain, goal), &hex);
    assert_eq!(base, sequence(DeepDfPn::new(Settings { e: 1.0, d: 9, ..plain }, goal), &hex));
    assert_eq!(base, sequence(DfPn::new(Settings { epsilon: 1e-9, ..plain }, goal), &hex));
    let end = Othello::new(8, Empties::None).expect("a board").after_random_plies(54, 3).expect("it goes on");
    assert_eq!(sequence(Pn::new(Ties::Leftmost, goal), &end), sequence(DeepPn::new(1.0, goal), &end));
}

/// Published: the second player wins by 8.
#[test]
fn othello_4x4_is_the_second_player_s_by_eight() {
    let start = Othello::new(4, Empties::None).expect("a board");
    for goal in ["exact-margin", "margin>=-8", "margin>=-7"] {
        let goal: Goal = goal.parse().expect("a goal");
        for settings in [Settings::default(), Settings { epsilon: 0.25, ..Settings::default() }] {
            let report = run(&mut DfPn::new(settings, goal), &start);
            let figure = |name| report.figures.iter().find(|(other, _)| *other == name).expect("shown").1;
            match goal {
                Goal::Exact(Measure::Margin) => {
                    assert_eq!((figure("least margin"), figure("greatest margin")), (-8.0, -8.0));
                    assert_eq!(report.bounds.upper().winner(), Some(Player::Second));
                }
                Goal::Question(Aim { least: -8, .. }) => assert_eq!(figure("least margin"), -8.0),
                _ => assert_eq!(figure("greatest margin"), -8.0),
            }
        }
    }
    let report = run(&mut DfPn::new(Settings::default(), Goal::default()), &start);
    assert_eq!(report.bounds.proved(), Some(Score::LOSS));
}

/// Counts of winning openings: 2 of 4, 5 of 9, 4 of 16.
#[test]
fn all_openings_of_small_hex() {
    for (size, winning) in [(2, 2), (3, 5), (4, 4)] {
        let start = Hex::new(size, SwapRule::Off).expect("a board");
        for settings in [Settings::default(), Settings { e: 2.0, d: 8, ..Settings::default() }] {
            let wins = start.moves().into_iter().filter(|mv| {
                let mut next = start;
                next.play(*mv);
                let report = run(&mut DfPn::new(settings, Goal::default()), &next);
                report.bounds.proved() == Some(Score::WIN)
            });
            assert_eq!(wins.count(), winning, "size {size}, {settings:?}");
        }
    }
}

/// The problems of the set that are marked proved.
#[test]
fn go_problems() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/problems/go");
    let mut proved = 0;
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder of problems")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    for path in files {
        let problem = Problem::from_bytes(&std::fs::read(&path).expect("a file")).expect("a problem");
        if !problem.proved {
            continue;
        }
        let start = GoProblem::new(problem.clone()).expect("a problem");
        let budget = Budget { iterations: Some(30_000), ..Budget::default() };
        let report = DfPn::new(Settings::default(), Goal::default())
            .search(&start, &budget, Seed(1), &mut NoObserver)
            .unwrap_or_else(|error| panic!("{path:?}: {error}"));
        assert!(problem.value.is_some_and(|value| report.bounds.contains(value)), "{path:?}: {:?}", report.bounds);
        if let Some(value) = report.bounds.proved() {
            let best = start.place_of(report.best.expect("live")).map_or(Answer::Pass, Answer::Play);
            assert!(problem.value == Some(value) && problem.answer.contains(&best), "{path:?}: {value}, {best:?}");
            proved += 1;
        }
    }
    assert!(proved >= 40, "{proved} proved within 30,000 expansions each");
}

/// A table a tenth of what is needed costs time, not truth.
#[test]
fn a_small_table_gives_the_same_value() {
    let end = Othello::new(8, Empties::None).expect("a board").after_random_plies(50, 11).expect("it goes on");
    let search = |memory: u64| {
        let budget = Budget { memory: Some(memory), ..Budget::default() };
        DfPn::new(Settings::default(), Goal::default()).search(&end, &budget, Seed(1), &mut NoObserver).expect("live")
    };
    let figure =
        |report: &Report<_>, name: &str| report.figures.iter().find(|(other, _)| *other == name).expect("shown").1;
    let full = search(1 << 28);
    assert_eq!(figure(&full, "collections"), 0.0);
    let tenth = (figure(&full, "table entries") as u64 * 16 / 10).max(64);
    let small = search(tenth);
    assert_eq!(small.bounds, full.bounds);
    assert!(small.bounds.proved().is_some());
    assert!(small.memory_bytes <= tenth, "{} of {tenth}", small.memory_bytes);
    assert!(figure(&small, "collections") > 0.0);
    assert!(small.nodes > full.nodes);
}

/// Budgets, memory and the stop flag are kept, and the answer is legal and sound.
#[test]
fn limits_are_kept() {
    let hex = Hex::new(7, SwapRule::Off).expect("a board");
    for (name, mut search) in solvers::<Hex>(Goal::default()) {
        for iterations in [0, 1, 500] {
            let report = search.search(&hex, &Budget::iterations(iterations), Seed(1), &mut NoObserver).expect("live");
            assert_eq!((report.iterations, report.stopped), (iterations, StopReason::Iterations), "{name}");
            assert!(hex.is_legal(report.best.expect("live")), "{name}");
            assert_eq!(report.bounds.proved(), None, "{name}");
        }
        let memory = Budget { memory: Some(100_000), iterations: Some(20_000), ..Budget::default() };
        let report = search.search(&hex, &memory, Seed(1), &mut NoObserver).expect("live");
        assert!(report.memory_bytes <= 100_000, "{name}: {}", report.memory_bytes);
        let tree = report.figures.iter().any(|(figure, _)| *figure == "tree nodes");
        assert_eq!(report.stopped == StopReason::Memory, tree, "{name}: {:?}", report.stopped);
        let stopped = Budget::unlimited();
        stopped.stop.stop();
        let report = search.search(&hex, &stopped, Seed(1), &mut NoObserver).expect("live");
        assert_eq!((report.iterations, report.stopped), (0, StopReason::Asked), "{name}");
        let nodes = Budget { nodes: Some(1_000), ..Budget::default() };
        let report = search.search(&hex, &nodes, Seed(1), &mut NoObserver).expect("live");
        // At most one expansion too many, with three playouts for each of 49 moves.
        assert!(report.stopped == StopReason::Nodes && report.nodes < 1_200, "{name}: {}", report.nodes);
    }
    assert!(
        DfPn::new(Settings::default(), Goal::default())
            .search(&Tree::from_text("1").expect("a leaf"), &Budget::unlimited(), Seed(1), &mut NoObserver)
            .is_err()
    );
}

/// A hundred thousand plies in a row.
#[test]
fn long_games_do_not_overflow_the_stack() {
    let depth = 100_000;
    let chain = Tree::from_text(&format!("{}1{}", "S(".repeat(depth), ")".repeat(depth))).expect("a chain");
    let report = run(&mut DfPn::new(Settings::default(), Goal::default()), &chain);
    assert_eq!((report.bounds.proved(), report.nodes), (Some(Score::WIN), depth as u64 - 1));
    let _ = chain.show_move(0);
}
