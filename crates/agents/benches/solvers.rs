//! Solvers on the problem sets: how many are solved within a limit of processor time, with which
//! effort.
//! `cargo bench -p tesuji-agents --bench solvers`; results are in docs/verification.md.
//!
//! `TESUJI_SECONDS` sets the limit for one position (default 10). The limit is one of processor
//! time, since other work may share the machine; where a position is solved, nodes are the same on
//! every machine.

use std::path::Path;
use tesuji_agents::AnyPosition;
use tesuji_core::spec::Spec;
use tesuji_core::{Budget, NoObserver, Notation, Player, Position, Seed};
use tesuji_games::gomoku::{Gomoku, Point, Rule};
use tesuji_games::goproblem::{GoProblem, Problem};
use tesuji_testing::figures::{Figures, Unit};
use tesuji_testing::processor::{Watched, processor_seconds};
use tesuji_testing::{Json, Known, parse, public, setting, vendored};

/// Solves positions by an agent of the registry; `right` judges what is solved.
fn measure<P: AnyPosition>(
    figures: &mut Figures,
    name: &str,
    agent: &str,
    positions: &[P],
    right: impl Fn(usize, &tesuji_core::Report<String>) -> bool,
) {
    let spec: Spec = agent.parse().expect("an agent");
    let limit: f64 = setting("TESUJI_SECONDS", 10.0);
    let (mut solved, mut nodes, mut seconds) = (0, 0, 0.0);
    for (number, position) in positions.iter().enumerate() {
        let mut player = (position as &dyn AnyPosition).agent(&spec).expect("an agent of the registry");
        let budget = Budget::default();
        let before = processor_seconds();
        let watched = Watched::new(budget.stop.clone(), before + limit);
        let report = player.think(position, &budget, Seed(1), &mut NoObserver).expect("live");
        drop(watched);
        seconds += processor_seconds() - before;
        if right(number, &report) {
            solved += 1;
            nodes += report.nodes;
        }
    }
    figures.add(format!("{name}, {agent}: solved of {}", positions.len()), f64::from(solved), Unit::Count);
    figures.add(format!("{name}, {agent}: thousand nodes of those solved"), nodes as f64 / 1e3, Unit::Count);
    figures.add(format!("{name}, {agent}: processor"), seconds, Unit::Seconds);
}

/// The life-and-death problems of `crates/games/problems/go`, with their stated values and first moves.
fn life_and_death(figures: &mut Figures) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/problems/go");
    let entries =
        std::fs::read_dir(folder).expect("the folder of problems").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|extension| extension == "txt")).collect();
    files.sort();
    let read = |path| Problem::from_bytes(&std::fs::read(path).expect("a file")).expect("a problem");
    let problems: Vec<Problem> = files.iter().map(read).collect();
    let positions: Vec<GoProblem> =
        problems.iter().map(|problem| GoProblem::new(problem.clone()).expect("a problem")).collect();
    for agent in ["df-pn", "go-solver"] {
        measure(figures, "problems of Go", agent, &positions, |number, report| {
            let problem = &problems[number];
            let Some(value) = report.bounds.proved() else { return false };
            assert_eq!(Some(value), problem.value, "{}", files[number].display());
            let best = report.best.as_deref().expect("a live problem");
            assert!(
                problem.answer.iter().any(|answer| answer.show(problem.size).eq_ignore_ascii_case(best)),
                "{}: {best}",
                files[number].display()
            );
            true
        });
    }
}

/// Wins of freestyle Gomoku, attested by another program.
fn freestyle() -> Vec<Gomoku> {
    let position = |line: &str| {
        let entry = parse(line);
        let size = entry.entry("size").as_u64().expect("a size") as usize;
        let mut position = Gomoku::new(size, Rule::Freestyle).expect("a board");
        for mv in entry.entry("moves").texts() {
            let mv = position.read_move(mv).expect("legal");
            Position::play(&mut position, mv);
        }
        position
    };
    vendored("gomoku/freestyle_forced_wins.jsonl").lines().map(position).collect()
}

/// Problems of renju, set up from their diagrams; none where the public set is missing.
fn renju() -> Vec<Gomoku> {
    let Some(text) = public("gomoku/renju_vcf_vct.json") else { return Vec::new() };
    let position = |problem: &Json| {
        let mut stones = Vec::new();
        for (row, line) in problem.entry("board_rows_top_15_to_1").texts().into_iter().enumerate() {
            for (column, letter) in line.chars().enumerate() {
                let owner = match letter {
                    'o' => Player::First,
                    'x' => Player::Second,
                    _ => continue,
                };
                stones.push((Point::new(column as u8, 14 - row as u8), owner));
            }
        }
        let attacker = if problem.entry("attacker") == "black" { Player::First } else { Player::Second };
        Gomoku::set_up(15, Rule::Renju, stones, attacker).expect("a position")
    };
    parse(&text).list().iter().map(position).collect()
}

fn main() {
    let mut figures = Figures::new("solvers");
    life_and_death(&mut figures);
    for (name, positions) in [("freestyle Gomoku", freestyle()), ("renju", renju())] {
        let won = |number: usize, report: &tesuji_core::Report<String>| {
            report.bounds.proved().is_some_and(|score| score.winner() == Some(Position::turn(&positions[number])))
        };
        measure(&mut figures, name, "vct", &positions, won);
    }
    figures.finish();
}
