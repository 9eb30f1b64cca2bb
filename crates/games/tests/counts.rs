//! Known counts and values: perft, reachable positions, pinned synthetic trees.

use std::collections::HashSet;
use tesuji_core::{Budget, Outcome, Player, Position, perft};
use tesuji_games::mnk::Mnk;
use tesuji_games::synthetic::PGame;
use tesuji_games::tictactoe::TicTacToe;

/// Games of tic-tac-toe by length; the last column of the perft is the 9-ply games.
const TIC_TAC_TOE: [u64; 9] = [9, 72, 504, 3024, 15_120, 54_720, 148_176, 200_448, 127_872];

fn count<P: Position>(position: &P, depth: usize) -> Vec<u64> {
    perft(position, depth, &mut Budget::unlimited().meter()).per_depth
}

#[test]
fn tic_tac_toe_perft_by_both_implementations() {
    assert_eq!(count(&TicTacToe::new(), 9), TIC_TAC_TOE);
    assert_eq!(count(&Mnk::new(3, 3, 3).expect("a board"), 9), TIC_TAC_TOE);
    assert_eq!(count(&TicTacToe::new(), 12)[9..], [0, 0, 0], "games that ended earlier count nothing");
}

/// Walks every game; tallies ended games by (winner, length) and distinct positions.
fn walk<P: Position>(position: &P, plies: usize, seen: &mut HashSet<u64>, games: &mut [[u64; 3]; 10]) {
    seen.insert(position.hash().0);
    if let Some(outcome) = position.outcome() {
        games[plies][outcome.winner().map_or(2, Player::index)] += 1;
        return;
    }
    for mv in position.moves() {
        let mut next = position.clone();
        next.play(mv);
        walk(&next, plies + 1, seen, games);
    }
}

/// 5,478 positions, 255,168 games: 131,184 for X, 77,904 for O, 46,080 drawn; lengths as published.
#[test]
fn all_games_of_tic_tac_toe() {
    let (mut seen, mut games) = (HashSet::new(), [[0; 3]; 10]);
    walk(&TicTacToe::new(), 0, &mut seen, &mut games);
    assert_eq!(seen.len(), 5_478);
    let by_winner = [0, 1, 2].map(|winner| games.iter().map(|row| row[winner]).sum::<u64>());
    assert_eq!(by_winner, [131_184, 77_904, 46_080]);
    let by_length: Vec<u64> = games[5..].iter().map(|row| row.iter().sum()).collect();
    assert_eq!(by_length, [1_440, 5_328, 47_952, 72_576, 127_872]);
    assert_eq!(by_winner.iter().sum::<u64>(), 255_168);
}

#[test]
fn the_two_tic_tac_toes_agree_everywhere() {
    fn compare(one: &TicTacToe, two: &Mnk) {
        assert_eq!((one.outcome(), one.move_count()), (two.outcome(), two.move_count()));
        for mv in one.moves() {
            use tesuji_core::Notation;
            let twin = two.read_move(&one.show_move(mv)).expect("the same moves are legal");
            let (mut one, mut two) = (*one, *two);
            one.play(mv);
            two.play(twin);
            compare(&one, &two);
        }
    }
    compare(&TicTacToe::new(), &Mnk::new(3, 3, 3).expect("a board"));
}

#[test]
fn a_line_does_not_run_around_the_edge() {
    let board = Mnk::new(4, 4, 3).expect("a board");
    assert_eq!(
        board.with_text("OXXX......O.....").expect("a position").outcome(),
        Some(Outcome::won_by(Player::First))
    );
    assert_eq!(board.with_text("..XXX.....O...O.").expect("a position").outcome(), None);
}

/// Pins the P-game of one seed: the same tree on every machine and in every version.
#[test]
fn a_p_game_is_its_seed() {
    let mut game = PGame::new(2, 20, 1).expect("a tree");
    let mut worths = Vec::new();
    for ply in 0..20 {
        worths.push(game.worth(ply % 2));
        game.play(ply % 2);
    }
    assert_eq!(worths, P_GAME_WORTHS);
    assert_eq!(game.outcome(), Some(Outcome::by_margin(worths.iter().sum())));
}
const P_GAME_WORTHS: [i32; 20] =
    [76, -126, 30, -39, 49, -54, 77, -30, 12, -6, 103, -125, 111, -120, 8, -127, 94, -84, 89, -38];

/// MAX's moves are uniform on [0, 127] and MIN's on [−127, 0].
#[test]
fn p_game_moves_have_the_published_range() {
    let mut game = PGame::new(60_000, 2, 9).expect("a tree");
    for sign in [1, -1] {
        let worths: Vec<i32> = (0..60_000).map(|branch| sign * game.worth(branch)).collect();
        assert_eq!((worths.iter().min(), worths.iter().max()), (Some(&0), Some(&127)));
        let mean = f64::from(worths.iter().sum::<i32>()) / 60_000.0;
        assert!((mean - 63.5).abs() < 0.75, "{mean}");
        game.play(3);
    }
    for (branching, depth) in [(0, 3), (3, 0), (2, 64), (10, 20), (1, 20_000)] {
        assert!(PGame::new(branching, depth, 1).is_err());
    }
}
