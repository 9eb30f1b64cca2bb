//! What games say of their tactics, against what their rules say.

use std::collections::HashSet;
use std::ops::ControlFlow;
use tesuji_core::{Player, Position, Rng, Seed, Studied};
use tesuji_games::xiangqi::Xiangqi;

/// Along random games: loud moves are the legal moves with a gain, an attack is a check, and a null
/// move changes the turn alone.
#[test]
fn loud_moves_checks_and_null_moves_of_chinese_chess() {
    let (mut positions, mut loud_moves, mut checks, mut passes) = (0, 0, 0, 0);
    for seed in 0..60 {
        let mut rng = Rng::new(Seed(seed));
        let mut position = Xiangqi::new();
        while let Some(mv) = position.random_move(&mut rng) {
            let mut shown = Vec::new();
            let _ = position.visit_loud::<()>(|mv| {
                shown.push(mv);
                ControlFlow::Continue(())
            });
            let loud: HashSet<_> = position.moves().into_iter().filter(|mv| position.gain(*mv) > 0).collect();
            assert_eq!(shown.len(), loud.len(), "{position:?}");
            assert_eq!(shown.iter().copied().collect::<HashSet<_>>(), loud, "{position:?}");
            assert!(shown.iter().all(|mv| position.captured_by(*mv).is_some() && position.stake(*mv) > 0));
            assert_eq!(position.under_attack(), position.in_check());
            if let Some(passed) = position.passed() {
                assert!(!position.in_check() && passed.turn() != position.turn() && !passed.in_check());
                assert_eq!(passed.hash(), passed.recomputed_hash());
                for (file, rank) in (0..9).flat_map(|file| (0..10).map(move |rank| (file, rank))) {
                    assert_eq!(passed.piece(file, rank), position.piece(file, rank));
                }
                passes += 1;
            }
            positions += 1;
            loud_moves += shown.len();
            checks += u32::from(position.in_check());
            position.play(mv);
        }
        assert_eq!(position.visit_loud(ControlFlow::Break), ControlFlow::Continue(()), "an ended game has no moves");
        assert_eq!(position.passed(), None);
    }
    assert!(positions > 5_000 && loud_moves > 5_000 && checks > 100 && passes > 3_000, "{positions} {checks} {passes}");
}

/// A side without moves has lost, in check or not; a null move must not hide that.
#[test]
fn nobody_passes_out_of_a_stalemate() {
    // The soldier on e8 holds the general, the others stand on the horse's legs.
    let position = Xiangqi::from_fen("nP1k5/P3P4/9/9/9/9/9/9/9/4K4 b - - 0 1").expect("a position");
    assert!(!position.in_check());
    assert_eq!(position.outcome().and_then(|outcome| outcome.winner()), Some(Player::First));
    assert_eq!(position.passed(), None);
}
