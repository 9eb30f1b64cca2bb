//! The oracle proves the answers of the problem set in `crates/games/problems/go`.

use std::path::Path;
use tesuji_core::solver::Settings;
use tesuji_core::{Budget, Goal, NoObserver, Player, Position, Rng, Score, Seed, Studied};
use tesuji_games::goproblem::{Answer, GoProblem, Problem};
use tesuji_search::Search;
use tesuji_search::mcts::Mcts;
use tesuji_search::oracle::Oracle;
use tesuji_search::proof::DfPn;
use tesuji_search::sampling::Rps;
use tesuji_testing::sized;

fn all() -> Vec<(String, Problem)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/problems/go");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder of problems")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    files.sort();
    files
        .iter()
        .map(|path| {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            let problem = Problem::from_bytes(&std::fs::read(path).expect("a file"));
            (name, problem.unwrap_or_else(|error| panic!("{error}")))
        })
        .collect()
}

/// What the first moves are worth, if the oracle finishes within a number of nodes.
struct Proof {
    value: Score,
    plies: u32,
    best: Vec<Answer>,
    /// The value and the plies to the end of every first move.
    moves: Vec<(Score, u32)>,
}

fn prove(problem: &Problem, nodes: u64) -> Option<Proof> {
    let start = GoProblem::new(problem.clone()).expect("a problem");
    let mut oracle = Oracle::default();
    let budget = Budget { nodes: Some(nodes), ..Budget::default() };
    let report = oracle.search(&start, &budget, Seed(1), &mut NoObserver).ok()?;
    if report.root.iter().any(|entry| entry.bounds.proved().is_none()) {
        return None;
    }
    let truth = oracle.truth(&start).expect("it has finished");
    let best = oracle.optimal_moves(&start).expect("it has finished");
    let moves = start.moves().into_iter().map(|mv| {
        let mut next = start.clone();
        next.play(mv);
        let truth = oracle.truth(&next).expect("it has finished");
        (truth.outcome.score, truth.distance + 1)
    });
    Some(Proof {
        value: truth.outcome.score,
        plies: truth.distance,
        best: best.into_iter().map(|mv| start.place_of(mv).map_or(Answer::Pass, Answer::Play)).collect(),
        moves: moves.collect(),
    })
}

/// Compares with what the file states; tells whether it is a long problem with traps.
fn check(name: &str, problem: &Problem, proof: &Proof) -> bool {
    assert_eq!(problem.value, Some(proof.value), "{name}");
    assert_eq!(problem.plies, Some(proof.plies), "{name}");
    assert_eq!(problem.answer, proof.best, "{name}");
    let worse = proof.moves.iter().filter(|(score, _)| *score < proof.value).count();
    proof.plies >= 5 && worse >= 3
}

/// Small problems in a seeded order until fifty are proved; or all that are marked proved, with
/// half a gigabyte.
#[test]
fn the_set_is_proved() {
    let mut problems: Vec<(String, Problem)> = all().into_iter().filter(|(_, problem)| problem.proved).collect();
    let wanted = sized(50, problems.len());
    let mut rng = Rng::new(Seed(20));
    let (mut proved, mut long) = (0, 0);
    while proved < wanted && !problems.is_empty() {
        let (name, problem) = problems.swap_remove(rng.below(problems.len() as u32) as usize);
        if let Some(proof) = prove(&problem, sized(200_000, u64::MAX)) {
            long += u32::from(check(&name, &problem, &proof));
            proved += 1;
        }
    }
    assert_eq!(proved, wanted);
    assert!(long >= 20, "{long} problems take five plies or more and have three worse first moves");
}

fn named(name: &str) -> Problem {
    all().into_iter().find(|(other, _)| other == name).unwrap_or_else(|| panic!("{name} is missing")).1
}

/// Lin's Table 4.6 has a problem whose first moves are worth 1, 0.7, 0.5 and 0.
#[test]
fn the_multi_value_problem_has_all_four_values() {
    let proof = prove(&named("lin-multi"), 10_000_000).expect("it is small");
    let mut values: Vec<String> = proof.moves.iter().map(|(score, _)| score.to_string()).collect();
    values.sort_unstable();
    values.dedup();
    assert_eq!(values, ["0", "0.5", "0.7", "1"]);
}

/// Lin 2017 §4.2–4.3: one move wins, and random play likes another one better that is refuted in
/// three or five plies.
#[test]
fn the_traps_lure_and_are_as_deep_as_they_say() {
    for (name, level) in [("lin-trap-3", 3), ("lin-trap-5", 5)] {
        let problem = named(name);
        let proof = prove(&problem, 10_000_000).expect("it is small");
        assert!(proof.value == Score::WIN && proof.best.len() == 1 && proof.plies > level, "{name}");
        let start = GoProblem::new(problem).expect("a problem");
        let playouts = Budget::iterations(20_000);
        let means = Rps { replies: false }.search(&start, &playouts, Seed(1), &mut NoObserver).expect("live");
        let mean = |number: usize| means.root[number].value.expect("tried").for_player(start.turn());
        let right = proof.moves.iter().position(|(score, _)| *score == Score::WIN).expect("one wins");
        let lure = (0..proof.moves.len()).max_by(|a, b| mean(*a).total_cmp(&mean(*b))).expect("there are moves");
        assert!(mean(lure) > mean(right) + 0.05, "{name}: {} against {}", mean(lure), mean(right));
        assert_eq!(proof.moves[lure], (Score::LOSS, level + 1), "{name}: the move that lures is refuted in {level}");
    }
}

/// Plain Monte-Carlo tree search finds the simple problems at once and the complex ones late.
#[test]
fn complex_problems_are_harder_than_simple_ones() {
    let found = |name: &str| -> u32 {
        let problem = named(name);
        let start = GoProblem::new(problem.clone()).expect("a problem");
        let tries = [100, 300].into_iter().flat_map(|iterations| (0..5).map(move |seed| (iterations, seed)));
        tries
            .map(|(iterations, seed)| {
                let mut plain = Mcts { solver: false, ..Mcts::default() };
                let report =
                    plain.search(&start, &Budget::iterations(iterations), Seed(seed), &mut NoObserver).expect("live");
                let chosen = start.place_of(report.best.expect("live")).map_or(Answer::Pass, Answer::Play);
                u32::from(problem.answer.contains(&chosen))
            })
            .sum()
    };
    for number in 1..=5 {
        let (simple, complex) = (found(&format!("lin-simple-{number}")), found(&format!("lin-complex-{number}")));
        assert!(simple >= 8 && complex <= 4, "{number}: simple {simple} of 10, complex {complex} of 10");
    }
}

/// The evaluation of positions that are not settled, reached by random moves, orders a won and a
/// lost one rightly much more often than not.
#[test]
fn the_evaluation_tells_won_from_lost() {
    let mut rng = Rng::new(Seed(29));
    let (mut won, mut lost) = (Vec::new(), Vec::new());
    for (_, problem) in all() {
        let start = GoProblem::new(problem).expect("a problem");
        let defender = start.problem().mode.defender();
        let evaluation = start.evaluation().expect("an evaluation");
        for _ in 0..12 {
            let mut position = start.clone();
            for _ in 0..rng.below(7) {
                if let Some(mv) = position.random_move(&mut rng) {
                    position.play(mv);
                }
            }
            if position.outcome().is_some() || position.settled().is_some() {
                continue;
            }
            let budget = Budget { nodes: Some(5_000), ..Budget::default() };
            let mut search = DfPn::new(Settings::default(), Goal::default());
            let report = search.search(&position, &budget, Seed(1), &mut NoObserver).expect("live");
            let value = evaluation.evaluate(&position);
            let value = if defender == Player::First { value } else { -value };
            match report.bounds.for_player(defender) {
                (Score::WIN, _) => won.push(value),
                (_, Score::LOSS) => lost.push(value),
                _ => {}
            }
        }
    }
    let right: f64 = won.iter().map(|one| lost.iter().map(|two| order(*one, *two)).sum::<f64>()).sum();
    let area = right / (won.len() * lost.len()) as f64;
    assert!(won.len() > 150 && lost.len() > 150 && area > 0.75, "{} won, {} lost, {area:.3}", won.len(), lost.len());
}

/// 1 if the first is greater, one half if they are equal.
fn order(one: i32, two: i32) -> f64 {
    match one.cmp(&two) {
        std::cmp::Ordering::Greater => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Less => 0.0,
    }
}
