//! Legal positions counted by enumeration, against Tromp & Farnebäck, "Combinatorics of Go" (2007):
//! 57, 12,675, 24,318,165.
//!
//! Every assignment of stones is offered to the board; it accepts those in which every chain has a
//! liberty.

use tesuji_core::Player;
use tesuji_games::go::{Board, Go, GoRules};
use tesuji_testing::effort::is_full;

/// Counts by setting up whole positions.
fn by_setting_up(size: usize) -> u64 {
    let points = size * size;
    let mut legal = 0;
    for code in 0..3_u64.pow(points as u32) {
        let mut rest = code;
        let mut stones = Vec::new();
        for number in 0..points {
            let digit = rest % 3;
            rest /= 3;
            if digit != 0 {
                let owner = if digit == 1 { Player::First } else { Player::Second };
                stones.push((owner, number % size, number / size));
            }
        }
        legal += u64::from(Go::with_stones(GoRules::on(size), &stones, Player::First).is_ok());
    }
    legal
}

/// Counts by putting stones on the fast board point after point, where a stone stays only if
/// nothing is taken and it breathes. A chain that loses its last liberty cannot get one back from
/// later stones, so nothing that is cut off could have become legal; and every chain that survives
/// has a liberty.
fn by_the_fast_board(board: &Board, number: usize) -> u64 {
    let Some(point) = board.numbered(number) else { return 1 };
    let mut count = by_the_fast_board(board, number + 1);
    for player in Player::BOTH {
        let mut next = board.clone();
        next.pass();
        if next.try_play(player, point) && next.lost(player.other()) == board.lost(player.other()) {
            count += by_the_fast_board(&next, number + 1);
        }
    }
    count
}

#[test]
fn legal_positions_of_small_boards() {
    for (size, known) in [(2, 57), (3, 12_675)] {
        assert_eq!(by_setting_up(size), known);
        assert_eq!(by_the_fast_board(&Board::new(size), 0), known);
    }
    // 24 million boards take half a minute.
    if is_full() {
        assert_eq!(by_the_fast_board(&Board::new(4), 0), 24_318_165);
    }
}
