//! Every position of tic-tac-toe: the published vectors of random playout search, and all searches
//! against the oracle.

use std::collections::{BTreeMap, HashSet};
use tesuji_core::{Budget, NoObserver, Notation, Player, Position, Score, Seed};
use tesuji_games::tictactoe::TicTacToe;
use tesuji_search::Search;
use tesuji_search::minimax::{Minimax, level_k_score};
use tesuji_search::oracle::Oracle;
use tesuji_search::sampling::{Expected, Rps};

/// All reachable positions that have not ended.
fn live_positions() -> Vec<TicTacToe> {
    let (mut found, mut open) = (HashSet::new(), vec![TicTacToe::new()]);
    while let Some(position) = open.pop() {
        if position.outcome().is_some() || !found.insert(position) {
            continue;
        }
        for mv in position.moves() {
            let mut next = position;
            next.play(mv);
            open.push(next);
        }
    }
    found.into_iter().collect()
}

fn after(position: &TicTacToe, mv: <TicTacToe as Position>::Move) -> TicTacToe {
    let mut next = *position;
    next.play(mv);
    next
}

/// Li 2018, computed over the whole game: 4,520 live positions; in 222 of them the best expected
/// score is shared by a move that is not optimal, by empty squares 112, 24, 70 and 16.
#[test]
fn where_exact_random_playout_search_errs() {
    let (mut oracle, mut expected) = (Oracle::default(), Expected::default());
    let positions = live_positions();
    assert_eq!(positions.len(), 4_520);
    let mut errs = BTreeMap::new();
    for position in &positions {
        let optimal = oracle.optimal_moves(position).expect("small");
        let scores: Vec<_> = position
            .moves()
            .into_iter()
            .map(|mv| (expected.score(&after(position, mv)).expect("small").for_player(position.turn()), mv))
            .collect();
        let best = &scores.iter().max_by_key(|(score, _)| score.clone()).expect("a move").0;
        if scores.iter().any(|(score, mv)| score == best && !optimal.contains(mv)) {
            *errs.entry(position.move_count()).or_insert(0) += 1;
        }
    }
    assert_eq!(errs, BTreeMap::from([(4, 112), (5, 24), (6, 70), (7, 16)]));
    assert_eq!(errs.values().sum::<i32>(), 222);
}

/// Li's Figure 3(a): scores −1/3, −2/3, −2/3, −1/3, and only one move does not lose.
#[test]
fn the_named_position() {
    let position = TicTacToe::from_text("...X.OXOX").expect("a position");
    assert_eq!(position.turn(), Player::Second);
    let (mut oracle, mut expected) = (Oracle::default(), Expected::default());
    let scores: Vec<(usize, String)> = position
        .moves()
        .into_iter()
        .map(|mv| {
            let score = expected.score(&after(&position, mv)).expect("small").for_player(Player::Second);
            (position.move_index(mv), score.to_string())
        })
        .collect();
    assert_eq!(scores, [(0, "-1/3".into()), (1, "-2/3".into()), (2, "-2/3".into()), (4, "-1/3".into())]);
    let optimal = oracle.optimal_moves(&position).expect("small");
    assert_eq!(optimal.iter().map(|mv| position.move_index(*mv)).collect::<Vec<_>>(), [0]);

    // Playouts converge to the exact scores (Li's Figure 4): 200,000 playouts, 50,000 per move, σ ≤
    // 0.0045.
    let report =
        Rps { replies: false }.search(&position, &Budget::iterations(200_000), Seed(1), &mut NoObserver).expect("live");
    for (entry, exact) in report.root.iter().zip([-1.0 / 3.0, -2.0 / 3.0, -2.0 / 3.0, -1.0 / 3.0]) {
        let simulated = 2.0 * entry.value.expect("tried").for_player(Player::Second) - 1.0;
        assert!((simulated - exact).abs() < 0.025, "{simulated} for {exact}");
    }
    // With scores of the replies (eq. 7) the right move is found.
    for seed in 0..20 {
        let report = Rps { replies: true }
            .search(&position, &Budget::iterations(20_000), Seed(seed), &mut NoObserver)
            .expect("live");
        assert_eq!(report.best, Some(optimal[0]), "seed {seed}");
    }
}

/// Level-k is ±1 exactly when the forced distance is at most k, else 0: every position, every k.
#[test]
fn level_k_is_the_oracles_distance() {
    let mut oracle = Oracle::default();
    for mut position in live_positions() {
        let truth = oracle.truth(&position).expect("small");
        for level in 1..=9 {
            let found = level_k_score(&mut position, level, &mut Budget::unlimited().meter()).expect("no limits");
            let expected = truth.outcome.winner().filter(|_| truth.distance <= level);
            assert_eq!(found, expected, "{position:?} at level {level}: {truth:?}");
        }
    }
}

/// The value of the game, and the searches that must agree with the oracle on it.
#[test]
fn full_minimax_is_the_oracle() {
    let mut oracle = Oracle::default();
    let truth = oracle.truth(&TicTacToe::new()).expect("small");
    assert_eq!((truth.outcome.score, truth.distance), (Score::DRAW, 9));
    for position in live_positions().into_iter().filter(|position| position.move_count() <= 6) {
        let report =
            Minimax::new(None).search(&position, &Budget::unlimited(), Seed(1), &mut NoObserver).expect("live");
        assert_eq!(report.bounds.proved(), Some(oracle.truth(&position).expect("small").outcome.score));
        let best = report.best.expect("live");
        assert!(oracle.optimal_moves(&position).expect("small").contains(&best), "{}", position.view());
        assert_eq!(report.line.first(), Some(&best));
    }
}
