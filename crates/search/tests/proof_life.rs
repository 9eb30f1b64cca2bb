//! df-pn with knowledge of life-and-death problems: unconditional life against full expansion, and the problem set.
#![allow(clippy::print_stderr)]

#[path = "../../games/tests/shared/mod.rs"]
mod shared;

use shared::{Watched, processor_seconds, share};
use std::path::Path;
use tesuji_core::{Budget, Certificate, Certifier, Nobody, Player, Position, Rng, Score, Seed};
use tesuji_games::goproblem::{
    Answer, GoProblem, LifeCertifier, Mode, Move, Problem, UNCONDITIONAL_LIFE, format, life_certificate,
};
use tesuji_search::Search;
use tesuji_search::oracle::Oracle;
use tesuji_search::proof::{Advice, Advised, Adviser, Aim, DfPn, Goal, Settings, check_with};

/// The adviser of the registry's `go-solver`.
struct Living;

impl Adviser<GoProblem> for Living {
    fn leaves_out(&self) -> bool {
        false
    }

    fn advise(&mut self, position: &GoProblem, _: Aim, advice: &mut Advice<Move>) {
        advice.winner = position.lives_unconditionally().then(|| position.problem().mode.defender());
        position.ordered_moves(&mut advice.moves);
    }

    fn certify(&mut self, position: &GoProblem, claimant: Player, _: &mut Vec<Move>) -> Option<Certificate> {
        life_certificate(position, claimant)
    }
}

/// A random board with room for two small eyes.
fn random_problem(rng: &mut Rng) -> Option<GoProblem> {
    let size = 4 + rng.below(2) as u8;
    let mode = if rng.below(2) == 0 { Mode::Save } else { Mode::Kill };
    let mut problem = Problem::new(size, mode);
    let defender = mode.defender();
    let places: Vec<_> = problem.places().collect();
    for place in places {
        let site = problem.site_mut(place);
        site.feasible = true;
        match rng.below(20) {
            0..12 => (site.stone, site.important) = (Some(defender), rng.below(3) == 0),
            12..17 => {}
            _ => site.stone = Some(defender.other()),
        }
    }
    GoProblem::new(problem).ok()
}

/// Where stones live unconditionally, full expansion says that their owner has everything, whoever is to move.
#[test]
fn unconditional_life_is_life() {
    let mut rng = Rng::new(Seed(7));
    let (mut lives, mut larger, mut moved) = (0, 0, 0);
    for _ in 0..60_000 {
        let Some(mut position) = random_problem(&mut rng) else { continue };
        for _ in 0..rng.below(4) {
            if let Some(mv) = position.random_move(&mut rng) {
                position.play(mv);
            }
        }
        if position.outcome().is_some() || !position.lives_unconditionally() {
            continue;
        }
        let owner = position.problem().mode.defender();
        let mut oracle = Oracle::default();
        let budget = Budget { nodes: Some(20_000), ..Budget::default() };
        let finished = oracle.search(&position, &budget, Seed(1), &mut Nobody);
        if finished.is_ok_and(|report| report.root.iter().all(|entry| entry.bounds.proved().is_some())) {
            let truth = oracle.truth(&position).expect("it has finished").outcome.score;
            assert_eq!(truth.for_player(owner), Score::WIN, "{position:?}");
            lives += 1;
            larger += u32::from(position.moves().len() > 4);
            moved += u32::from(position.turn() != owner);
        }
        let certificate = life_certificate(&position, owner).expect("it lives");
        let mut replies = position.moves();
        LifeCertifier.answers(&position, owner, &certificate, &mut replies).expect("derived again");
        assert!(replies.is_empty());
        assert!(LifeCertifier.wins(&position, owner.other(), &certificate).is_err());
        let foreign = Certificate::new(UNCONDITIONAL_LIFE, vec![1]);
        assert!(LifeCertifier.wins(&position, owner, &foreign).is_err());
        if lives >= 80 {
            break;
        }
    }
    assert!(
        lives >= 60 && larger >= 10 && moved >= 20,
        "{lives} positions, {larger} larger, {moved} with the attacker to move"
    );
}

fn problems() -> Vec<(String, Problem)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../problems/go");
    let files = std::fs::read_dir(folder).expect("the folder of problems").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<_> = files.filter(|path| path.extension().is_some_and(|extension| extension == "txt")).collect();
    files.sort();
    let read = |path: &std::path::PathBuf| {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        (name, format::read_file(path.to_str().expect("a plain name")).unwrap_or_else(|error| panic!("{error}")))
    };
    files.iter().map(read).collect()
}

fn solve(
    search: &mut dyn Search<GoProblem>,
    start: &GoProblem,
    budget: &Budget,
) -> (Option<Score>, Option<Answer>, u64) {
    let report = search.search(start, budget, Seed(1), &mut Nobody).expect("live");
    let best = report.best.map(|mv| start.place_of(mv).map_or(Answer::Pass, Answer::Play));
    (report.bounds.proved(), best, report.nodes)
}

/// Values, first moves and proofs of small problems, with certificates in some.
#[test]
fn small_problems_are_proved() {
    let (mut solved, mut certificates) = (0, 0);
    for (name, problem) in problems() {
        let start = GoProblem::new(problem.clone()).expect("a problem");
        let mut search = Advised::new(Settings::default(), Box::new(Living)).with_goal(Goal::default());
        let budget = Budget { nodes: Some(20_000), memory: Some(16 << 20), ..Budget::default() };
        let (Some(value), best, _) = solve(&mut search, &start, &budget) else { continue };
        assert_eq!(Some(value), problem.value, "{name}");
        assert!(problem.answer.contains(&best.expect("live")), "{name}");
        for claim in search.proof(&start, &Budget::unlimited()).expect("it is solved") {
            let checked = check_with(&start, &claim, Some(&LifeCertifier), &mut Budget::unlimited().meter());
            checked.unwrap_or_else(|error| panic!("{name}: {error}"));
            certificates += u32::from(check_with(&start, &claim, None, &mut Budget::unlimited().meter()).is_err());
        }
        solved += 1;
    }
    assert!(solved >= 40 && certificates >= 5, "{solved} solved, {certificates} claims with certificates");
}

#[test]
#[ignore = "a table of the problem set, 10 s of processor time each"]
fn table() {
    let seconds: f64 = share("SECONDS", 10.0);
    let (mut all, mut sums) = (0, [(0, 0.0, 0_u64); 2]);
    for (name, problem) in problems() {
        let start = GoProblem::new(problem.clone()).expect("a problem");
        all += 1;
        let mut line = name.clone();
        for (number, sum) in sums.iter_mut().enumerate() {
            let mut plain = DfPn::new(Settings::default(), Goal::default());
            let mut advised = Advised::new(Settings::default(), Box::new(Living)).with_goal(Goal::default());
            let search: &mut dyn Search<GoProblem> = if number == 0 { &mut plain } else { &mut advised };
            let budget = Budget::default();
            let used = processor_seconds();
            let watched = Watched::new(budget.stop.clone(), used + seconds);
            let (value, best, nodes) = solve(search, &start, &budget);
            drop(watched);
            let right =
                value.is_some() && value == problem.value && best.is_some_and(|best| problem.answer.contains(&best));
            assert!(
                value.is_none() || right,
                "{name}: {value:?} {best:?}, stated {:?} {:?}",
                problem.value,
                problem.answer
            );
            let used = processor_seconds() - used;
            *sum = (sum.0 + u32::from(right), sum.1 + used, sum.2 + nodes);
            line += &format!("  {} {nodes} nodes {used:.2} s", if right { "solved" } else { "?" });
        }
        eprintln!("{line}");
    }
    eprintln!("df-pn and with knowledge, of {all}: (solved, seconds, nodes) {sums:?}");
}
