//! Othello judged by others: the brute-force oracle, and the rules of OpenSpiel and Fairy-Stockfish
//! where they are installed.

use tesuji_core::Position;
use tesuji_games::othello::{Empties, Othello};
use tesuji_search::oracle::{Objective, Oracle};
use tesuji_testing::judge::{Judge, games};

fn start(size: u32) -> Othello {
    Othello::new(size, Empties::None).expect("a board")
}

/// The second player wins by 8 (published and recomputed elsewhere); margins without the empty
/// squares.
#[test]
fn four_by_four_is_lost_by_eight() {
    let truth = Oracle::new(Objective::Margin).truth(&start(4)).expect("a small game");
    assert_eq!(truth.outcome.margin, -8);
}

#[test]
fn open_spiel_agrees() {
    let end = |position: &Othello, told: &str| {
        let margin = position.outcome().expect("the game has ended").margin;
        assert_eq!(margin.signum().to_string(), told);
    };
    Judge::open_spiel("open_spiel_othello").replay(games(40), &[], &start(8), end);
}

#[test]
fn fairy_stockfish_agrees() {
    let end = |position: &Othello, told: &str| assert_eq!(position.to_text()[..64], *told);
    Judge::pyffish("pyffish_othello").replay(games(12), &[], &start(8), end);
}
