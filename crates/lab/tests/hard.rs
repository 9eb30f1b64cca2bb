//! The hard problems of `lin-problems` and `lin-multi` are proved: what each first move is worth, by
//! proofs that are checked by the rules alone, without certificates and without any search.
//!
//! The oracle needs too much memory for most of them, so that it judges those that it finishes; all
//! that are small enough when everything is tested.

use serde::Deserialize;
use std::collections::BTreeMap;
use tesuji_agents::{Access, AnyPosition};
use tesuji_core::{Budget, NoObserver, Player, RootMove, Score, Seed};
use tesuji_lab::plan::library;
use tesuji_lab::tasks::limits::Limits;
use tesuji_lab::tasks::position::Begun;
use tesuji_proof::ExpansionLimits;
use tesuji_testing::sized;

#[derive(Deserialize)]
struct File {
    setup: Setup,
}

#[derive(Deserialize)]
struct Setup {
    positions: Vec<Problem>,
}

#[derive(Deserialize)]
struct Problem {
    name: String,
    #[serde(default)]
    group: String,
    right: Vec<String>,
    game: String,
}

fn problems(id: &str) -> Vec<Problem> {
    let file: File = toml::from_str(library::text(id).expect("it is ours")).expect("it can be read");
    file.setup.positions
}

fn begun(problem: &Problem, moves: &[String]) -> Begun {
    Begun::new(&problem.game, moves, &Access::restricted()).unwrap_or_else(|error| panic!("{}: {error}", problem.name))
}

/// What a position is worth to Black, and what was checked of its proof.
fn proved(position: &dyn AnyPosition, name: &str) -> (Score, u64) {
    if let Some(outcome) = position.outcome() {
        return (outcome.score, 0);
    }
    let budget = Budget { nodes: Some(20_000_000), memory: Some(256 << 20), ..Budget::default() };
    let mut solver = position.agent(&"go-solver(goal=\"exact\")".parse().expect("a spec")).expect("it has this solver");
    let report = solver.think(position, &budget, Seed(1), &mut NoObserver).expect("it can be solved");
    let value = report.bounds.proved().unwrap_or_else(|| panic!("{name}: not solved"));
    let mut positions = 0;
    let mut sides = Vec::new();
    for claim in solver.proof(position, &Budget::unlimited()).expect("it is solved") {
        let mut meter = Budget::unlimited().meter();
        let limits = ExpansionLimits { positions: 4_000_000, deadline: meter.deadline() };
        let checked = position.check_proof_by_rules(&claim, &limits, &mut meter);
        let checked = checked.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(checked.unexpanded, 0, "{name}: a certificate was not expanded");
        positions += checked.positions;
        sides.push(claim.aim.player);
    }
    // At least this, and at most this: two claims, where the value is no end of the scale.
    let both = value == Score::WIN || value == Score::LOSS || sides.len() == 2;
    assert!(both, "{name}: {value} has claims of {sides:?}");
    (value, positions)
}

/// The values of all first moves, each with a proof.
fn values(problem: &Problem) -> BTreeMap<String, Score> {
    let start = begun(problem, &[]).position;
    let value = |mv: String| {
        let after = begun(problem, std::slice::from_ref(&mv)).position;
        let (value, _) = proved(after.as_ref(), &format!("{}, {mv}", problem.name));
        (mv, value)
    };
    start.moves().into_iter().map(value).collect()
}

#[test]
fn every_first_move_of_the_hard_problems_has_a_checked_proof() {
    let mut moves = 0;
    for problem in problems("lin-problems").into_iter().chain(problems("lin-multi")) {
        let values = values(&problem);
        moves += values.len();
        let best: Vec<&String> = values.iter().filter(|(_, value)| **value == Score::WIN).map(|(mv, _)| mv).collect();
        assert_eq!(best, problem.right.iter().collect::<Vec<_>>(), "{}: {values:?}", problem.name);
        let others: Vec<Score> = values.values().copied().filter(|value| *value != Score::WIN).collect();
        match problem.group.as_str() {
            // Other moves of the simple ones may reach something.
            "simple" => {}
            "complex" | "trap-3" | "trap-5" | "unselected" => {
                assert!(others.iter().all(|value| *value == Score::LOSS), "{}: {values:?}", problem.name);
            }
            // Lin 2017, §4.6: the second best is worth 0.7, the third best 0.5, the others less.
            "four values" | "earlier" => {
                let second = others.iter().max().expect("a second best move");
                assert_eq!(second.to_string(), "0.7", "{}: {values:?}", problem.name);
                assert!(others.iter().any(|value| value.to_string() == "0.5"), "{}: {values:?}", problem.name);
                assert!(others.contains(&Score::LOSS), "{}: {values:?}", problem.name);
            }
            other => panic!("{}: nothing is known of the group {other}", problem.name),
        }
    }
    assert!(moves > 200, "{moves}");
}

/// The same values by the oracle, which shares no code with df-pn, where it finishes.
#[test]
fn the_oracle_agrees_where_it_finishes() {
    let nodes = sized(1_000_000, 40_000_000);
    let mut finished = Vec::new();
    for problem in problems("lin-problems").into_iter().chain(problems("lin-multi")) {
        let start = begun(&problem, &[]).position;
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let mut oracle = begun(&problem, &[]).agent("oracle", &limits, &Access::restricted()).expect("an oracle");
        let budget = Budget { nodes: Some(nodes), memory: Some(8 << 30), ..Budget::default() };
        let Ok(report) = oracle.think(start.as_ref(), &budget, Seed(1), &mut NoObserver) else { continue };
        if report.root.iter().any(|entry| entry.bounds.proved().is_none()) {
            continue;
        }
        let wins = |entry: &&RootMove<String>| entry.bounds.proved() == Some(Score::WIN);
        let right: Vec<String> = report.root.iter().filter(wins).map(|entry| entry.mv.clone()).collect();
        assert_eq!(right, problem.right, "{}", problem.name);
        finished.push(problem.name);
    }
    assert!(finished.len() >= 10, "{finished:?}");
}

/// A trap of level k: the wrong move that plain MCTS likes best early is refuted in k plies, whatever
/// Black answers. "The white player cuts off black stones in three moves" (Lin 2017, §4.2): the
/// important stones are statically dead then, and are captured later.
#[test]
fn the_traps_are_as_deep_as_they_say() {
    for (group, level) in [("trap-3", 3), ("trap-5", 5)] {
        let traps: Vec<Problem> = problems("lin-problems").into_iter().filter(|it| it.group == group).collect();
        assert!(!traps.is_empty());
        for problem in traps {
            let lure = lure(&problem);
            let after = typed::after(&problem.game, &lure);
            let plies = (1..=level).step_by(2).find(|plies| typed::is_lost(&after, *plies));
            assert_eq!(plies, Some(level), "{}: {lure}", problem.name);
        }
    }
}

/// The wrong move with the highest mean after 2,000 iterations of plain MCTS.
fn lure(problem: &Problem) -> String {
    let start = begun(problem, &[]).position;
    let plain = "mcts(select=ucb1(c=1.0),expand=each,leaf=random,decide=max,solver=false)";
    let mut agent = start.agent(&plain.parse().expect("a spec")).expect("it serves every game");
    let budget = Budget::iterations(2_000);
    let report = agent.think(start.as_ref(), &budget, Seed(1), &mut NoObserver).expect("it can be searched");
    let wrong = report.root.into_iter().filter(|entry| !problem.right.contains(&entry.mv));
    let mean = |entry: &RootMove<String>| entry.value.map_or(0.0, |value| value.for_player(Player::First));
    wrong.max_by(|one, other| mean(one).total_cmp(&mean(other))).expect("a wrong move").mv
}

/// The rules with their types; `AnyPosition` has methods of the same names.
mod typed {
    use tesuji_core::{Player, Position, Score};
    use tesuji_games::goproblem::{GoProblem, Place, Problem};

    /// The problem as a position of its type, after a move.
    pub fn after(game: &str, mv: &str) -> GoProblem {
        let text = game.strip_prefix("goproblem(text=\"").and_then(|text| text.strip_suffix("\")"));
        let text = text.expect("a problem in full").replace("\\n", "\n");
        let mut position = GoProblem::new(Problem::from_bytes(text.as_bytes()).expect("a problem")).expect("a start");
        let place = Place::read(mv, position.problem().size).expect("a point");
        let mv = position.move_to(place).expect("a move");
        position.play(mv);
        position
    }

    /// Whether White, within these plies, has the full score by the end or by static death.
    pub fn is_lost(position: &GoProblem, plies: u32) -> bool {
        if let Some(outcome) = position.outcome() {
            return outcome.score == Score::LOSS;
        }
        if position.settled() == Some(Player::Second) {
            return true;
        }
        let lost = |mv| {
            let mut next = position.clone();
            next.play(mv);
            is_lost(&next, plies - 1)
        };
        let mut moves = position.moves().into_iter();
        plies > 0 && if position.turn() == Player::Second { moves.any(lost) } else { moves.all(lost) }
    }
}
