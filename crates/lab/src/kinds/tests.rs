//! What kinds say about results that were made up, so that the right answer is known.

use super::Results;
use crate::plan::{Experiment, Planned, Size};
use crate::report::{Findings, Measure};
use crate::tasks::{Line, Task};
use serde_json::{Value, json};
use tesuji_agents::Access;

fn experiment(kind: &str, setup: &str) -> Experiment {
    let head =
        format!("id = \"t\"\ntitle = \"t\"\nclaim = \"t\"\nsource = \"t\"\nkind = \"{kind}\"\nseed = 1\n[setup]\n");
    let text = format!("{head}{setup}\n[sizes.quick]\ncore-hours = 1\n[sizes.full]\ncore-hours = 1\n");
    Experiment::read("t.toml", &text, &Access::restricted()).unwrap_or_else(|error| panic!("{error}"))
}

/// The findings if each job has this result; a text is the reason to be void.
fn findings(experiment: &Experiment, result: impl Fn(&Planned) -> Value) -> Findings {
    let jobs = experiment.jobs(Size::Full).expect("a plan");
    let line = |job: &Planned| {
        let (id, value) = (job.id.clone(), result(job));
        let void = value.as_str().map(String::from);
        Line { id, seconds: 1.0, result: void.is_none().then_some(value), void, transcript: Vec::new() }
    };
    let lines: Vec<Line> = jobs.iter().map(line).collect();
    experiment.findings(Size::Full, &Results::new(jobs.iter().zip(lines.iter().map(Some)).collect()))
}

fn measure<'a>(findings: &'a Findings, name: &str) -> &'a Measure {
    let names: Vec<&str> = findings.measures.iter().map(|measure| measure.name.as_str()).collect();
    findings.measures.iter().find(|measure| measure.name == name).unwrap_or_else(|| panic!("{name} in {names:?}"))
}

const TWO: &str = "game = \"tictactoe\"\ngames = 10\nagents = [{ name = \"a\", agent = \"random\" }, { name = \"b\", agent = \"oracle\" }]";

fn game(score: f64, moves: &str) -> Value {
    json!({ "score": score, "end": "rules", "moves": moves })
}

/// A score of the first mover is turned to the agent, whose colour alternates.
#[test]
fn scores_belong_to_agents() {
    let is_first = |job: &Planned| matches!(&job.task, Task::Game(task) if task.first.agent == "random");
    let won = findings(&experiment("match", TWO), |job| game(if is_first(job) { 1.0 } else { 0.0 }, "a1"));
    let score = measure(&won, "score: a – b");
    assert_eq!((score.value, score.trials), (Some(1.0), 10));
    assert_eq!(measure(&won, "score of the side that moves first").value, Some(0.5), "both colours won");
    let black = findings(&experiment("match", TWO), |_| game(1.0, "a1"));
    assert_eq!(measure(&black, "score: a – b").value, Some(0.5), "the first mover won every game");
    assert_eq!(measure(&black, "score of the side that moves first").value, Some(1.0));
    assert!(black.notes.iter().any(|note| note.contains("10 games 2 are different")), "{:?}", black.notes);
    let fixed = experiment("match", &format!("{TWO}\ncolours = \"fixed\""));
    assert_eq!(measure(&findings(&fixed, |_| game(1.0, "a1")), "score: a – b").value, Some(1.0));
}

/// A void game takes its pair with it and counts for no side.
#[test]
fn void_games_are_no_losses() {
    let partly = findings(&experiment("match", TWO), |job| match job.label["game"].as_u64() {
        Some(0) => Value::from("the engine died"),
        Some(number) => game(if number % 2 == 0 { 1.0 } else { 0.0 }, "a1"),
        None => unreachable!("games have numbers"),
    });
    let score = measure(&partly, "score: a – b");
    assert_eq!((score.value, score.trials), (Some(1.0), 9));
}

#[test]
fn pairings_are_all_or_chosen() {
    let three = TWO.replace("agents = [", "agents = [{ name = \"c\", agent = \"rps\", limits = { iterations = 9 } }, ");
    let jobs = |setup: &str| experiment("match", setup).jobs(Size::Full).expect("a plan").len();
    assert_eq!(jobs(&three), 30);
    assert_eq!(jobs(&format!("{three}\npairing = \"gauntlet\"")), 20);
    assert_eq!(jobs(&format!("{three}\npairs = [[\"b\", \"b\"]]")), 10);
}

fn solution(solved: bool, iterations: u64, bounds: [f64; 2]) -> Value {
    json!({
        "solved": solved, "bounds": bounds, "best": null, "iterations": iterations, "nodes": 1, "memory_bytes": 1,
        "stopped": "finished", "seconds": 1.0,
    })
}

const SOLVERS: &str = "effort = \"iterations\"\nbaseline = \"pn\"\nlimits = { iterations = 1000 }\n\
    positions = [{ name = \"p\", game = \"randomtree(seed={i})\", count = 12 }]\n\
    agents = [{ name = \"pn\", agent = \"pn\" }, { name = \"half\", agent = \"df-pn\" }]";

#[test]
fn ratios_compare_what_both_solved() {
    let suite = experiment("solve", SOLVERS);
    let at = |job: &Planned| {
        (job.label["agent"].as_u64().expect("a number"), job.label["position"].as_u64().expect("a number"))
    };
    // The second solves everything in half of the effort, and two positions that the first does not.
    let found = findings(&suite, |job| match at(job) {
        (0, position) => solution(position >= 2, 100 + 10 * position, [1.0, 1.0]),
        (_, position) => solution(true, 50 + 5 * position, [1.0, 1.0]),
    });
    let ratio = measure(&found, "effort ratio: half");
    assert!(ratio.value.is_some_and(|value| (value - 0.5).abs() < 1e-12) && ratio.trials == 10, "{ratio:?}");
    assert_eq!(measure(&found, "solved: pn").value, Some(10.0 / 12.0));
    let row = &found.tables[0].rows[1];
    assert_eq!((row[1].as_str(), row[3].as_str(), row[8].as_str()), ("half", "12", "2 : 0"));
    assert!(!found.notes.iter().any(|note| note.contains("ERROR")));
    // One proves a win, the other a loss.
    let wrong = findings(&suite, |job| solution(true, 10, if at(job) == (1, 3) { [0.0, 0.0] } else { [1.0, 1.0] }));
    assert!(wrong.notes.iter().any(|note| note.contains("on 1 positions")), "{:?}", wrong.notes);
}

fn thought(best: &str, picks: &[(u64, &str)]) -> Value {
    json!({
        "best": best, "value": 0.5, "iterations": 100, "nodes": 1, "stopped": "iterations", "picks": picks,
        "seconds": 1.0,
    })
}

#[test]
fn right_moves_are_counted_and_timed() {
    let setup = "limits = { iterations = 100 }\nrepeats = 4\n\
        positions = [{ name = \"p\", game = \"tictactoe\", moves = \"a1 b1 a2 b2\", right-by = \"oracle\" }]\n\
        agents = [{ name = \"x\", agent = \"rps\" }]";
    // The first player completes the column a.
    let repeat = |job: &Planned| job.label["repeat"].as_u64().expect("a number");
    let found =
        findings(&experiment("detection", setup), |job| thought(if repeat(job) == 0 { "c3" } else { "a3" }, &[]));
    assert_eq!(measure(&found, "found: x").value, Some(0.75));
    let picks = |number: u64| match number {
        0 => vec![(10, "a3")],
        1 => vec![(10, "c3"), (40, "a3")],
        2 => vec![(10, "a3"), (20, "c3"), (60, "a3")],
        _ => vec![(10, "a3"), (90, "c3")],
    };
    let timed = experiment("convergence", &format!("every = 10\n{setup}"));
    let found = findings(&timed, |job| thought("a3", &picks(repeat(job))));
    assert_eq!(measure(&found, "settled: x").value, Some(0.75));
    assert_eq!(measure(&found, "median iterations: x").value, Some(50.0), "10, 40, 60 and one that did not settle");
}

/// The empty board, all answers in the corner, all symmetric positions: each position once.
#[test]
fn every_position_is_listed_once() {
    let setup = "positions = [{ name = \"p\", game = \"tictactoe\", every = true, right-by = \"oracle\" }]\n\
        agents = [{ name = \"x\", agent = \"random\" }]";
    assert_eq!(experiment("detection", setup).jobs(Size::Full).expect("a plan").len(), 4_520);
    let some = experiment("detection", &format!("most-positions = 7\n{setup}"));
    assert_eq!(some.jobs(Size::Full).expect("a plan").len(), 7);
}

#[test]
fn a_fit_needs_time_and_range() {
    let setup = "game = \"go(size={n})\"\nsizes = [5, 7, 9, 13, 19, 25]\ntime = 1.0\nrounds = 2";
    let size = |job: &Planned| job.label["size"].as_f64().expect("a number");
    let timed = |seconds: f64| json!({ "playouts": 1000, "mean_length": 10.0, "seconds": seconds });
    let found = findings(&experiment("complexity", setup), |job| timed(0.001 * size(job).powi(2)));
    assert!(measure(&found, "exponent of n").value.is_some_and(|exponent| (exponent - 2.0).abs() < 1e-9));
    let noisy = findings(&experiment("complexity", setup), |job| timed(if size(job) == 9.0 { 10.0 } else { 0.1 }));
    assert_eq!(measure(&noisy, "exponent of n").value, None);
    assert!(noisy.notes.iter().any(|note| note.starts_with("No fit")), "{:?}", noisy.notes);
}

/// Jobs come in rounds: whatever part of a run is done, no agent and no group is ahead by more than one.
#[test]
fn an_unfinished_run_is_a_sample_of_all() {
    let suite =
        experiment("solve", &SOLVERS.replace("limits", "repeats = 2\nlimits")).jobs(Size::Full).expect("a plan");
    let place = |job: &Planned| ["repeat", "position", "agent"].map(|key| job.label[key].as_u64().expect("a number"));
    let places: Vec<[u64; 3]> = suite.iter().map(place).collect();
    assert_eq!(places.len(), 48);
    for (number, pair) in places.chunks(2).enumerate() {
        let [[repeat, position, first], other] = pair else { unreachable!("an even number") };
        assert_eq!((*repeat, *first), (number as u64 / 12, 0), "{places:?}");
        assert_eq!(*other, [*repeat, *position, 1], "both agents on a position, then the next");
    }
    assert!(!places[..24].is_sorted(), "positions are not in the order of the list: {places:?}");
    let three = TWO.replace("agents = [", "agents = [{ name = \"c\", agent = \"rps\", limits = { iterations = 9 } }, ");
    let games = experiment("match", &three).jobs(Size::Full).expect("a plan");
    let pairings: Vec<Option<u64>> = games[..6].iter().map(|job| job.label["pairing"].as_u64()).collect();
    assert_eq!(pairings, [0, 0, 1, 1, 2, 2].map(Some), "a pair of each pairing, then the next");
}

/// Two iterations of the second agent count as one; its picks are wrong until 60 of its iterations.
#[test]
fn efforts_have_units_and_picks_are_judged() {
    let more = "also = [\"seconds\"]\nunits = { half = { p = 2 } }\njudge = \"oracle\"";
    let suite = experiment("solve", &format!("{more}\n{SOLVERS}"));
    let jobs = suite.jobs(Size::Full).expect("a plan");
    let looks =
        |number: usize| if let Task::Solve(task) = &jobs[number].task { task.looks[..2].to_vec() } else { vec![] };
    assert_eq!((looks(0), looks(1)), (vec![10, 30], vec![20, 60]));
    let found = findings(&suite, |job| {
        let mut result = solution(true, 100, [1.0, 1.0]);
        let (picks, wrong) = if job.label["agent"] == 0 {
            (json!([[10, "a"], [100, "a"]]), json!([]))
        } else {
            (json!([[20, "b"], [60, "a"], [100, "a"]]), json!(["b"]))
        };
        (result["picks"], result["wrong"]) = (picks, wrong);
        result
    });
    assert_eq!(measure(&found, "mean iterations: half").value, Some(50.0));
    assert_eq!(measure(&found, "mean seconds: pn").value, Some(1.0));
    assert!(measure(&found, "effort ratio: half").value.is_some_and(|ratio| (ratio - 0.5).abs() < 1e-12));
    let rows = &found.tables.last().expect("a table").rows;
    let shares: Vec<&str> = rows[1][2..4].iter().map(|cell| cell.split(' ').next().expect("a share")).collect();
    assert_eq!(shares, ["100.0", "0.0"], "wrong at 10, right at 30: {rows:?}");
    assert_eq!(measure(&found, "wrong after 100: half").value, Some(0.0));
    assert!(rows[0][2].starts_with("0.0 %"), "{rows:?}");
}

/// The arithmetic of the source needs no results.
#[test]
fn the_trap_is_computed_beside_the_searches() {
    let setup = "every = 10\nlimits = { iterations = 100 }\narithmetic = [[23, 2, 4]]\n\
        positions = [{ name = \"p\", game = \"trap\", right = [\"0\", \"1\"] }]\n\
        agents = [{ name = \"x\", agent = \"rps\" }]";
    let found = findings(&experiment("convergence", setup), |_| thought("0", &[(10, "0")]));
    assert_eq!(measure(&found, "the trap, mean, after 479").value, Some(0.6333));
    assert_eq!(measure(&found, "median iterations: x").value, Some(10.0));
}

#[test]
fn climbs_stand_beside_the_usual_parameters() {
    let setup = "climb = \"deep-df-pn(e={E},d={D})\"\nlargest = 9\nlimits = { nodes = 1000 }\n\
        positions = [{ name = \"p\", game = \"randomtree(seed={i})\", count = 4 }]\n\
        agents = [{ name = \"df-pn\", agent = \"df-pn\" }]";
    let found = findings(&experiment("climb", setup), |job| match job.task {
        Task::Climb(_) => {
            json!({ "at": [5, 3], "nodes": 30, "tried": 9, "path": [[2, 2, 80], [3, 2, null], [5, 3, 30]] })
        }
        _ => json!({
            "solved": true, "bounds": [1.0, 1.0], "best": null, "iterations": 1, "nodes": 120, "memory_bytes": 1,
            "stopped": "finished", "seconds": 1.0,
        }),
    });
    assert_eq!(measure(&found, "saved on average: nodes").value, Some(0.75));
    assert_eq!(found.tables[0].rows.len(), 4);
    assert_eq!(found.tables[0].rows[0][4], "5, 3");
}
