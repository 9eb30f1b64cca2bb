//! df-pn with mobility and parity on endgames of Othello, beside the endgame solver.

use tesuji_core::solver::Settings;
use tesuji_core::{Budget, Endgame, Goal, NoObserver, Position, Score, Seed};
use tesuji_games::othello::solving::{Mobility, prospects};
use tesuji_games::othello::{Empties, Move, Othello, OthelloEndgame};
use tesuji_proof::check;
use tesuji_search::Search;
use tesuji_search::proof::{Advised, DfPn};
use tesuji_testing::sized;

fn endgame(empty: u32, seed: u64) -> Othello {
    let start = Othello::new(8, Empties::None).expect("a board");
    start.after_random_plies(60 - empty, seed).expect("a position")
}

fn solver() -> Advised<Othello> {
    let settings = Settings { weak: true, ..Settings::default() };
    Advised::new(settings, Box::<Mobility>::default()).with_goal(Goal::default())
}

/// Won, drawn or lost for the first player, by the endgame solver.
fn by_margin(position: &Othello) -> Score {
    let mut meter = Budget::unlimited().meter();
    let solved = OthelloEndgame::default().solve(position, 1 << 24, &mut meter, &mut |_, _| {});
    assert_eq!(solved.least, solved.most);
    match solved.least.signum() {
        1 => Score::WIN,
        0 => Score::DRAW,
        _ => Score::LOSS,
    }
}

/// Solves these seeds both ways.
fn agree(empty: u32, seeds: std::ops::RangeInclusive<u64>) {
    for seed in seeds {
        let position = endgame(empty, seed);
        let budget = Budget { memory: Some(1 << 26), ..Budget::default() };
        let report = solver().search(&position, &budget, Seed(1), &mut NoObserver).expect("live");
        assert_eq!(report.bounds.proved(), Some(by_margin(&position)), "{empty} empty, seed {seed}");
    }
}

#[test]
fn endgames_agree() {
    agree(10, 1..=60);
    agree(12, 1..=25);
    agree(16, 1..=sized(1, 1_000));
}

/// All moves are there, and those that leave few replies come first.
#[test]
fn all_moves_in_order() {
    for seed in 1..=200 {
        let position = endgame(8 + seed as u32 % 30, seed);
        let mut listed = Vec::new();
        prospects(&position, &mut listed);
        let mut moves: Vec<Move> = listed.iter().map(|prospect| prospect.mv).collect();
        moves.sort_unstable();
        assert_eq!(moves, position.moves());
        assert!(listed.is_sorted_by_key(|prospect| prospect.replies));
        for prospect in listed {
            let mut next = position;
            next.play(prospect.mv);
            assert!(next.outcome().is_some() || prospect.replies as usize == next.move_count());
        }
    }
}

/// Knowledge saves nodes, and the proofs need no trust in it.
#[test]
fn knowledge_saves_nodes_and_proofs_hold() {
    let (mut with, mut without) = (0, 0);
    for seed in 1..=12 {
        let position = endgame(11, seed);
        let mut search = solver();
        with += search.search(&position, &Budget::unlimited(), Seed(1), &mut NoObserver).expect("live").nodes;
        let claims = search.proof(&position, &Budget::unlimited()).expect("solved");
        for claim in claims {
            check(&position, &claim, &mut Budget::unlimited().meter()).expect("a proof");
        }
        let mut plain = DfPn::new(Settings::default(), Goal::default());
        without += plain.search(&position, &Budget::unlimited(), Seed(1), &mut NoObserver).expect("live").nodes;
    }
    assert!(with * 2 < without, "{with} with, {without} without");
}
