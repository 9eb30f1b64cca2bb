//! The problem set in `problems/go`.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use tesuji_core::Position;
use tesuji_games::goproblem::{Answer, GoProblem, Move, Problem, ProblemKind};

/// All problems with the names of their files, in order.
pub fn all() -> Vec<(String, Problem)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("problems/go");
    let mut problems: Vec<(String, Problem)> = std::fs::read_dir(folder)
        .expect("the folder of problems")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .map(|path| {
            let read = Problem::from_bytes(&std::fs::read(&path).expect("a file"));
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (name, read.unwrap_or_else(|error| panic!("{error}")))
        })
        .collect();
    problems.sort_by(|one, other| one.0.cmp(&other.0));
    problems
}

#[test]
fn every_problem_loads_and_its_answer_is_legal() {
    let problems = all();
    assert!(problems.len() >= 60, "{}", problems.len());
    let mut titles = HashSet::new();
    let mut boards = HashSet::new();
    for (name, problem) in &problems {
        assert!(
            !problem.title.is_empty() && titles.insert(problem.title.clone()),
            "{name}: the title is empty or used"
        );
        assert!(boards.insert((problem.mode, problem.sites.clone())), "{name} is there twice");
        let start = GoProblem::new(problem.clone()).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(start.ending(), None, "{name} has ended before the first move");
        assert!(!problem.answer.is_empty() && problem.value.is_some(), "{name} has no answer");
        assert!(!problem.proved || problem.plies.is_some(), "{name}");
        for answer in &problem.answer {
            let mv = match answer {
                Answer::Pass => Move::PASS,
                Answer::Play(place) => start.move_to(*place).expect("a feasible point"),
            };
            assert!(start.is_legal(mv), "{name}: {}", answer.show(problem.size));
        }
    }
}

#[test]
fn the_set_has_all_kinds_values_and_stand_ins() {
    let problems = all();
    let mut kinds: BTreeMap<&str, u32> = BTreeMap::new();
    let mut values: BTreeMap<u32, u32> = BTreeMap::new();
    for (_, problem) in &problems {
        *kinds.entry(problem.kind.name()).or_default() += 1;
        *values.entry(problem.value.expect("stated").units() / 600).or_default() += 1;
    }
    for kind in ProblemKind::ALL {
        assert!(kinds[kind.name()] >= 8, "{kinds:?}");
    }
    // In hundredths: seki for the side that is killed, ko, seki for the side that kills, won.
    for (value, least) in [(30, 3), (50, 3), (70, 3), (100, 40)] {
        assert!(values.get(&value).is_some_and(|count| *count >= least), "{values:?}");
    }
    let names: Vec<&str> = problems.iter().map(|(name, _)| name.as_str()).collect();
    let numbered = |kind: &str| (1..=5).map(|number| format!("lin-{kind}-{number}")).collect::<Vec<_>>();
    let singles = ["lin-trap-3", "lin-trap-5", "lin-multi", "lin-example"].map(String::from).to_vec();
    for name in [singles, numbered("simple"), numbered("complex")].concat() {
        assert!(names.contains(&name.as_str()), "{name}");
    }
}
