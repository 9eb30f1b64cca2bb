//! Othello's evaluation: symmetries, and the table of weights as text.

use std::collections::HashSet;
use tesuji_core::{EVALUATION_LIMIT, Evaluation, Notation, Position, Rng, Seed, Studied};
use tesuji_games::othello::heuristic::{FEATURES, KNOTS, NAMES, WeightedFeatures, Weights, WeightsError, features};
use tesuji_games::othello::{Empties, Othello};

fn start(size: u32) -> Othello {
    Othello::new(size, Empties::None).expect("a board")
}

/// The squares of a board as another of its eight symmetries has them.
fn turned_text(position: &Othello, symmetry: u32) -> String {
    let (size, text) = (position.size() as usize, position.to_text());
    let letters: Vec<char> = text.chars().collect();
    let mut turned: String = (0..size * size)
        .map(|at| {
            let (mut row, mut column) = (at / size, at % size);
            if symmetry & 1 == 1 {
                (row, column) = (column, row);
            }
            if symmetry & 2 == 2 {
                row = size - 1 - row;
            }
            if symmetry & 4 == 4 {
                column = size - 1 - column;
            }
            letters[row * size + column]
        })
        .collect();
    turned.extend(&letters[size * size..]);
    turned
}

/// Turning and mirroring the board changes no judgement and no feature.
#[test]
fn judgements_do_not_depend_on_the_side_one_looks_from() {
    let mut rng = Rng::new(Seed(9));
    let mut judged = HashSet::new();
    for game in 0..60 {
        let mut position = start([4, 6, 8][game % 3]);
        let evaluation = position.evaluation().expect("an evaluation");
        while let Some(mv) = position.random_move(&mut rng) {
            let (value, counted) = (evaluation.evaluate(&position), features(&position));
            for symmetry in 1..8 {
                let turned = position.with_text(&turned_text(&position, symmetry)).expect("a position");
                assert_eq!((evaluation.evaluate(&turned), features(&turned)), (value, counted), "{}", position.view());
            }
            assert!(value.abs() < EVALUATION_LIMIT);
            judged.insert(value);
            position.play(mv);
        }
    }
    assert!(judged.len() > 500, "{} values", judged.len());
}

/// The embedded table is what `tesuji fit othello` writes, comments aside.
#[test]
fn weights_are_read_as_they_are_written() {
    let embedded = include_str!("../src/othello/heuristic/weights.txt");
    assert!(embedded.contains("# Made by: tesuji fit othello --games "));
    let table: String =
        embedded.lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect();
    let weights: Weights = embedded.parse().expect("a table");
    assert_eq!(weights.to_string(), table);
    assert_eq!(table.parse::<Weights>(), Ok(weights.clone()));
    // The evaluation in force is this table.
    let (position, by_hand) = (start(8).after_random_plies(20, 1).expect("a position"), WeightedFeatures::new(weights));
    assert_eq!(position.evaluation().expect("one").evaluate(&position), by_hand.evaluate(&position));
    let changed =
        |from: &str, to: &str| table.replacen(from, to, 1).parse::<Weights>().map_err(|error| error.to_string());
    for (from, to, part) in [
        ("scale ", "scales ", "begins with scale"),
        ("scale ", "scale -", "the scale must be"),
        ("mobility", "movement", "expected the columns empties mobility"),
        ("\n     10", "\n     11", "begins with 10"),
        ("\n     10", "\n     10 1", "line 4: expected 13 whole numbers"),
        ("\n     10", "\n     10 x", "line 4: expected 13 whole numbers"),
        ("\n     10", "\n     10 99999", "line 4: expected 13 whole numbers"),
        ("\n     60", "\n#    60", "begins with 60"),
    ] {
        assert!(changed(from, to).is_err_and(|error| error.contains(part)), "{to:?}: {:?}", changed(from, to));
    }
    assert!(format!("{table}70 1\n").parse::<Weights>().is_err());
    assert_eq!("".parse::<Weights>(), Err(WeightsError::Missing("scale".into())));
}

/// Weights run straight between the knots.
#[test]
fn weights_run_straight_between_stages() {
    let discs = NAMES.iter().position(|name| *name == "discs").expect("a feature");
    let mut knots = [[0; FEATURES]; KNOTS.len()];
    knots.iter_mut().zip([100, 200, 300, 400, 500, 600, 700]).for_each(|(row, weight)| row[discs] = weight);
    let evaluation = WeightedFeatures::new(Weights::new(knots, 100));
    // This number of discs, all Black's but for one in the corner.
    for (black, expected) in [(1, 0), (4, 3 * 690), (13, 12 * 600), (18, 17 * 550), (43, 9_999)] {
        let text = format!("O{}{} X", "X".repeat(black), ".".repeat(63 - black));
        let position = start(8).with_text(&text).expect("a position");
        assert_eq!(evaluation.evaluate(&position), expected, "{black} discs");
    }
    for (empties, place) in
        [(0, (0, 0.0)), (5, (0, 0.5)), (10, (1, 0.0)), (57, (5, 0.7)), (60, (5, 1.0)), (64, (5, 1.0))]
    {
        let (below, share) = Weights::place(empties);
        assert!(below == place.0 && (share - place.1).abs() < 1e-12, "{empties}: {below} {share}");
    }
}
