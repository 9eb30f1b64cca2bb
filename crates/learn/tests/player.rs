//! The player with the embedded network.

use tesuji_core::{Budget, NoObserver, Notation, Player, Position, Seed};
use tesuji_games::go::{Go, GoRules};
use tesuji_games::tictactoe::TicTacToe;
use tesuji_learn::judge::Networks;
use tesuji_learn::player::{Zero, ZeroSettings};
use tesuji_search::{Search, SearchError};

fn think(zero: &mut Zero<Go>, go: &Go, iterations: u64, seed: u64) -> (String, f64) {
    let report = zero.search(go, &Budget::iterations(iterations), Seed(seed), &mut NoObserver).expect("an answer");
    assert_eq!(report.iterations, iterations);
    assert_eq!(report.root.iter().map(|entry| entry.visits).sum::<u64>(), iterations);
    (go.show_move(report.best.expect("a move")), report.value.to_f64())
}

/// Black owns the board except for two white stones in a corner, a won game; and the same with
/// colours exchanged.
#[test]
fn a_won_game_is_known() {
    let mut stones: Vec<(Player, usize, usize)> = (0..9).map(|row| (Player::First, 4, row)).collect();
    stones.extend((0..9).map(|column| (Player::First, column, 4)).filter(|(_, column, _)| *column != 4));
    stones.push((Player::Second, 7, 7));
    for winner in Player::BOTH {
        let stones: Vec<_> = stones
            .iter()
            .map(|(owner, column, row)| (if winner == Player::First { *owner } else { owner.other() }, *column, *row))
            .collect();
        for turn in Player::BOTH {
            let go = Go::with_stones(GoRules::on(9), &stones, turn).expect("a position");
            let (_, value) = think(&mut Zero::embedded(), &go, 16, 1);
            let for_winner = if winner == Player::First { value } else { 1.0 - value };
            assert!(for_winner > 0.9, "{winner:?} wins, {turn:?} to move: {for_winner}");
        }
    }
}

/// After the loser's pass the winner passes too, regardless of the network's evaluation.
#[test]
fn a_pass_that_wins_is_played() {
    let stones: Vec<(Player, usize, usize)> = (0..9).map(|row| (Player::First, 4, row)).collect();
    let mut go = Go::with_stones(GoRules::on(9), &stones, Player::Second).expect("a position");
    go.play(go.read_move("pass").expect("a move"));
    let report = Zero::embedded().search(&go, &Budget::iterations(8), Seed(1), &mut NoObserver).expect("an answer");
    assert_eq!(report.best.map(|mv| go.show_move(mv)).as_deref(), Some("pass"));
    assert_eq!((report.value.to_f64(), report.iterations), (1.0, 0));
}

/// The first move lies around the centre, and the game is open.
#[test]
fn the_opening_is_sensible() {
    let go = Go::new(GoRules::on(9)).expect("a board");
    let (best, value) = think(&mut Zero::embedded(), &go, 64, 1);
    let inner = ["C", "D", "E", "F", "G"].iter().any(|column| best.starts_with(column))
        && ["3", "4", "5", "6", "7"].iter().any(|row| best.ends_with(row));
    assert!(inner, "{best}");
    assert!((0.2..0.8).contains(&value), "{value}");
}

#[test]
fn answers_repeat_and_noise_varies_them() {
    let go = Go::new(GoRules::on(9)).expect("a board");
    let quiet: Vec<_> = (0..3).map(|seed| think(&mut Zero::embedded(), &go, 8, seed)).collect();
    assert!(quiet.iter().all(|answer| *answer == quiet[0]));
    let mut noisy = Zero::new(Networks::embedded(), ZeroSettings { noise: 3.0, ..ZeroSettings::default() });
    let answers: std::collections::HashSet<String> = (0..10).map(|seed| think(&mut noisy, &go, 8, seed).0).collect();
    assert!(answers.len() > 2, "{answers:?}");
    assert_eq!(think(&mut noisy, &go, 8, 5), think(&mut noisy, &go, 8, 5));
}

/// Time limits end the search with a legal move; other board sizes are supported, other games
/// refused.
#[test]
fn budgets_sizes_and_other_games() {
    let go = Go::new(GoRules::on(7)).expect("a board");
    let budget = Budget { hard_time: Some(std::time::Duration::from_millis(50)), ..Budget::default() };
    let report = Zero::embedded().search(&go, &budget, Seed(1), &mut NoObserver).expect("an answer");
    assert!(go.is_legal(report.best.expect("a move")));
    let refused = Zero::embedded().search(&TicTacToe::new(), &Budget::iterations(5), Seed(1), &mut NoObserver);
    match refused {
        Err(SearchError::Unsupported(why)) => assert!(why.contains("go-1") && why.contains("view-1"), "{why}"),
        other => panic!("{other:?}"),
    }
}
