//! Playouts: the known statistics, the same policy on the slow boards, traces, caps, mercy.

use tesuji_core::{CountMoves, Player, Position, RecordMoves, Rng, Seed};
use tesuji_games::go::reference::{self, Grouped, LibertyCount, LibertySet, MoveChoice, Naive};
use tesuji_games::go::{EyeRule, Go, GoMove, GoRules, Komi, Playout, Scoring};

/// Mean length with passes, and how often Black wins with komi 6.5.
fn statistics(playout: Playout, size: usize, count: u32) -> (f64, f64) {
    let root = Go::new(GoRules { komi: Komi(13), ..GoRules::on(size) }).expect("possible rules");
    let mut scratch = root.clone();
    let mut rng = Rng::new(Seed(7));
    let (mut moves, mut wins) = (CountMoves::default(), 0);
    for _ in 0..count {
        scratch.clone_from(&root);
        wins += u32::from(playout.run(&mut scratch, &mut rng, &mut moves).winner() == Some(Player::First));
    }
    (moves.0 as f64 / f64::from(count), f64::from(wins) / f64::from(count))
}

/// The figures measured for libEGO's policy: 110.8 ± 0.4 and 454.6 ± 1.5 moves, 0.445 ± 0.01 and
/// 0.475 ± 0.01.
#[test]
fn the_known_statistics_are_met() {
    let (length, black) = statistics(Playout::default(), 9, 60_000);
    assert!((length - 110.8).abs() < 0.4, "9×9: mean length {length}");
    assert!((black - 0.445).abs() < 0.01, "9×9: Black wins {black}");
    let (length, black) = statistics(Playout::default(), 19, 25_000);
    assert!((length - 454.6).abs() < 1.5, "19×19: mean length {length}");
    assert!((black - 0.475).abs() < 0.01, "19×19: Black wins {black}");
}

/// The slow boards play the same policy with code of their own: mean lengths agree within four
/// standard errors.
#[test]
fn slow_boards_play_the_same_playouts() {
    fn mean(count: u32, mut one: impl FnMut(&mut Rng) -> u32) -> (f64, f64) {
        let mut rng = Rng::new(Seed(3));
        let lengths: Vec<f64> = (0..count).map(|_| f64::from(one(&mut rng))).collect();
        let mean = lengths.iter().sum::<f64>() / f64::from(count);
        let variance = lengths.iter().map(|length| (length - mean).powi(2)).sum::<f64>() / f64::from(count);
        (mean, (variance / f64::from(count)).sqrt())
    }
    let root = Go::new(GoRules::on(6)).expect("possible rules");
    let (fast, _) = mean(100_000, |rng| {
        let mut moves = CountMoves::default();
        root.clone().playout(rng, &mut moves);
        moves.0 as u32
    });
    let judges = [
        mean(300, |rng| reference::playout::<Naive>(6, MoveChoice::List, rng).moves),
        mean(2_000, |rng| reference::playout::<Grouped<LibertySet>>(6, MoveChoice::List, rng).moves),
        mean(4_000, |rng| reference::playout::<Grouped<LibertyCount>>(6, MoveChoice::Maintained, rng).moves),
    ];
    for (slow, error) in judges {
        assert!((slow - fast).abs() < 4.0 * error + 0.1, "{slow} ± {error} against {fast}");
    }
}

#[test]
fn traces_replay_to_the_same_end() {
    let root = Go::new(GoRules { move_limit: Some(10_000), ko: "simple".parse().expect("a rule"), ..GoRules::on(7) })
        .expect("possible rules");
    let mut rng = Rng::new(Seed(5));
    for eyes in [EyeRule::Diagonals, EyeRule::OneChain] {
        for _ in 0..200 {
            let mut played = RecordMoves::default();
            let playout = Playout { eyes, ..Playout::default() };
            let outcome = playout.run(&mut root.clone(), &mut rng, &mut played);
            let mut replay = root.clone();
            for &(player, mv) in &played.0 {
                assert_eq!(replay.turn(), player);
                assert!(replay.is_legal(mv), "{mv:?}");
                if let Some(point) = mv.point() {
                    let board = replay.board();
                    assert!(match eyes {
                        EyeRule::Diagonals => !board.is_eye(player, point),
                        EyeRule::OneChain => !board.is_one_chain_eye(player, point),
                    });
                }
                replay.play(mv);
            }
            let capped = played.0.len() == 3 * 49;
            assert!(replay.outcome().is_some() || capped);
            let rules = replay.rules();
            assert_eq!(rules.outcome(rules.scoring.difference_when_filled(replay.board())), outcome);
            if !capped && eyes == EyeRule::Diagonals {
                assert_eq!(replay.score_now().margin, outcome.margin, "nothing but stones and eyes is left");
            }
        }
    }
}

#[test]
fn caps_mercy_and_ended_games() {
    let root = Go::new(GoRules::on(9)).expect("possible rules");
    let length = |playout: Playout, from: &Go| {
        let mut moves = CountMoves::default();
        playout.run(&mut from.clone(), &mut Rng::new(Seed(1)), &mut moves);
        moves.0
    };
    assert_eq!(length(Playout { cap: Some(17), ..Playout::default() }, &root), 17);
    let (merciful, _) = statistics(Playout { mercy: Some(25), ..Playout::default() }, 9, 5_000);
    assert!(merciful < 108.0, "mercy shortens playouts: {merciful}");
    let hawk = Go::new(GoRules { scoring: Scoring::Hawk, ..GoRules::on(19) }).expect("possible rules");
    assert_eq!(length(Playout::default(), &hawk), 250);
    let mut ended = root.clone();
    ended.play(GoMove::PASS);
    // White passes too only if no other move is left: White owns the whole board.
    assert!(length(Playout::default(), &ended) > 50);
    ended.play(GoMove::PASS);
    assert_eq!(length(Playout::default(), &ended), 0);
    assert_eq!(ended.playout(&mut Rng::new(Seed(1)), &mut ()), ended.outcome().expect("two passes end the game"));
}
