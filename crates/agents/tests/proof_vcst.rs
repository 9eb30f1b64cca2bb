//! df-pn with relevance zones in Connect6: victories by double threats, single threats and quiet
//! turns.

use crate::connect6_problems::problem;
use tesuji_core::solver::{Plan, Settings};
use tesuji_core::{Budget, NoObserver, Notation, Position, Report, Seed, Studied};
use tesuji_games::connect6::{Connect6, Connect6Problem, Point, VcstLimits};
use tesuji_proof::check_with;
use tesuji_search::proof::planned;
use tesuji_testing::effort::is_full;

/// What `vcst` says within a number of nodes; if it has a proof, the proof holds.
fn solve(position: &Connect6, budget: &Budget) -> (bool, Report<Point>) {
    let advisers = VcstLimits::default().stages();
    let mut search = planned(Plan { settings: Settings::default(), goal: None, advisers });
    let report = search.search(position, budget, Seed(1), &mut NoObserver).expect("live");
    let (sure, possible) = report.bounds.for_player(position.turn());
    assert_eq!(possible.units(), 60_000, "it never says that the mover does not win");
    let won = sure.units() == 60_000;
    if won {
        let claims = search.proof(position, &Budget::unlimited()).expect("it is solved");
        let certifier = position.certifier().expect("Connect6 has one");
        let mut meter = Budget::unlimited().meter();
        check_with(position, &claims[0], Some(certifier.as_ref()), &mut meter).expect("the proof holds");
    }
    (won, report)
}

fn within(nodes: u64) -> Budget {
    Budget { nodes: Some(nodes), ..Budget::default() }
}

/// All positions in which another program won by double threats.
#[test]
fn known_wins() {
    let mut unsolved = Vec::new();
    for (name, position) in crate::connect6_problems::known_wins() {
        if !solve(&position, &within(2_000)).0 {
            unsolved.push(name);
        }
    }
    assert!(unsolved.is_empty(), "{unsolved:?}");
}

/// The names of all problems that begin so.
fn names(begin: &str) -> Vec<String> {
    let files = std::fs::read_dir(crate::connect6_problems::folder()).expect("the problems");
    let files = files.map(|file| file.expect("a file").file_name().into_string().expect("plain names"));
    let mut names: Vec<String> = files.filter_map(|file| file.strip_suffix(".txt").map(Into::into)).collect();
    names.retain(|name: &String| name.starts_with(begin));
    names.sort();
    names
}

/// The problems that begin so and are solved within a number of nodes; the answers of those that
/// only `vcst` solves are its own.
fn solved(begin: &str, nodes: u64) -> usize {
    let mut solved = 0;
    for name in names(begin) {
        let Connect6Problem { position, answer } = problem(&name);
        let (won, report) = solve(&position, &within(nodes));
        solved += usize::from(won);
        if won && begin == "vcst" {
            let best = position.show_move(report.best.expect("live"));
            assert_eq!(answer.expect("an answer"), format!("win {best}"), "{name}");
        }
    }
    solved
}

/// All but three are easy; the others take a minute.
#[test]
fn problems() {
    assert_eq!(names("vcst").len(), 9);
    assert_eq!((solved("vcdt", 1_500), solved("vcst", 3_000)), (29, 7));
    if is_full() {
        assert_eq!((solved("vcdt", 200_000), solved("vcst", 200_000)), (30, 9));
    }
}

/// Two threads share what they find, and the proof is written from it.
#[test]
fn two_threads() {
    for name in ["vcdt-13", "vcdt-22", "vcst-01"] {
        let budget = Budget { threads: std::num::NonZero::new(2), ..within(30_000) };
        assert!(solve(&problem(name).position, &budget).0, "{name}");
    }
}

/// Where nothing is found the answer is open, within the budget.
#[test]
fn open_questions() {
    let mut position = Connect6::new(19).expect("a board");
    for mv in ["JJ", "KK", "II"] {
        position.play(position.read_move(mv).expect("legal"));
    }
    let (won, report) = solve(&position, &within(300));
    assert!(!won && report.nodes <= 301);
    // A single stone left in the turn, and the beginning of the game.
    position.play(position.read_move("JK").expect("legal"));
    assert!(!solve(&position, &within(300)).0);
    assert!(!solve(&Connect6::new(19).expect("a board"), &within(300)).0);
}

/// Zhang counts the nodes of the inner search too: `vcst` searches for lines, `vcdt` does not. And D
/// in turns proves what D in stones proves.
#[test]
fn searches_for_lines_are_counted() {
    let solved = |game: &str, agent: &str| {
        let spec = |text: &str| text.parse::<tesuji_core::spec::Spec>().expect("a spec");
        let position = tesuji_agents::start_game(&spec(game)).expect("a game").position;
        let mut solver = position.agent(&spec(agent)).expect("an agent");
        let report = solver.think(position.as_ref(), &within(20_000), Seed(1), &mut NoObserver).expect("live");
        let inner = report.figures.iter().find(|(name, _)| *name == "inner nodes").map(|(_, nodes)| *nodes);
        (report.bounds.for_player(report.turn).0 == tesuji_core::Score::WIN, report.nodes, inner)
    };
    let (won, _, inner) = solved("connect6(problem=\"vcst-01\")", "vcst");
    assert!(won && inner.is_some_and(|nodes| nodes > 0.0), "{inner:?}");
    let (won, stones, none) = solved("connect6(problem=\"vcdt-01\")", "vcdt(e=5,d=8)");
    let (also, turns, _) = solved("connect6(problem=\"vcdt-01\")", "vcdt(e=5,d=4,unit=turns)");
    assert!(won && also && none.is_none(), "{stones} and {turns} nodes");
}
