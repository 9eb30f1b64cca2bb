//! Hex judged by others: the brute-force oracle, and the rules of OpenSpiel where it is installed.

use tesuji_core::{Player, Position};
use tesuji_games::hex::{Hex, SwapRule};
use tesuji_search::oracle::Oracle;
use tesuji_testing::judge::{Judge, games};

fn start(size: u32, swap: SwapRule) -> Hex {
    Hex::new(size, swap).expect("a board")
}

/// Nash: a second player who could win would be robbed of his strategy, so the first player wins;
/// and if he may be robbed of his stone, the second does.
#[test]
fn strategies_can_be_stolen() {
    for (swap, winner) in [(SwapRule::Off, Player::First), (SwapRule::Pieces, Player::Second)] {
        for size in [2, 3] {
            let truth = Oracle::default().truth(&start(size, swap)).expect("a small game");
            assert_eq!(truth.outcome.winner(), Some(winner), "size {size}, {swap:?}");
        }
    }
}

#[test]
fn open_spiel_agrees() {
    let end = |position: &Hex, told: &str| {
        let margin = position.outcome().expect("the game has ended").margin;
        assert_eq!(margin.to_string(), told);
    };
    for (size, swap, rule, share) in [
        ("11", "true", SwapRule::Pieces, 2),
        ("11", "false", SwapRule::Off, 4),
        ("4", "true", SwapRule::Pieces, 8),
        ("7", "false", SwapRule::Off, 8),
    ] {
        let start = start(size.parse().expect("a number"), rule);
        Judge::open_spiel("open_spiel_hex").replay((games(80) / share).max(1), &[size, swap], &start, end);
    }
}
