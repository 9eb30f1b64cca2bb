//! The study of Single Conspiracy Numbers in small: positions, games, areas, handicaps. In full:
//! `tesuji bench scn`.

use tesuji_agents::scn_study::{Games, Kind, Measure, Plan, compose, composition, disarmed, handicaps};
use tesuji_core::{Budget, NoObserver, Player, Position, Score, Seed, StopFlag};
use tesuji_games::xiangqi::{PieceKind, Xiangqi};
use tesuji_search::Search;
use tesuji_search::minimax::alphabeta::{AlphaBeta, Options, Quiescence};

fn plan() -> Plan {
    Plan {
        threshold: 600,
        plies: 6,
        nodes: 4_000,
        depth: 5,
        extensions: false,
        rounds: 200,
        seed: Seed(1),
        stop: StopFlag::new(),
    }
}

fn composed(count: usize) -> Vec<Xiangqi> {
    compose(count, Seed(1), &StopFlag::new(), &mut |_| ()).expect("searches")
}

/// Alpha-beta without table, null moves and reductions finds the win too; to depth 1 there is none.
#[test]
fn compositions_are_won() {
    let found = composed(6);
    assert_eq!(found.len(), 6);
    let options = Options { extensions: true, quiescence: Quiescence::Plain, ..Options::bare() };
    for position in &found {
        assert_eq!(position.turn(), Player::First);
        let wins = |depth: u32| {
            let budget = Budget { depth: Some(depth), ..Budget::default() };
            let report = AlphaBeta::new(options).search(position, &budget, Seed(1), &mut NoObserver);
            report.expect("a live game").bounds.for_player(Player::First).0 == Score::WIN
        };
        assert!(!wins(1) && wins(5), "{}", position.to_fen());
    }
    let again: Vec<String> = composed(6).iter().map(Xiangqi::to_fen).collect();
    assert_eq!(found.iter().map(Xiangqi::to_fen).collect::<Vec<_>>(), again, "the same seed, the same positions");
}

#[test]
fn disarmed_positions_have_nobody_to_win_with() {
    let position = composition("3k1a3/9/9/4R4/9/9/9/4B4/9/4K4 w").expect("a position");
    let left = disarmed(&position).expect("the generals do not face each other");
    assert_eq!(left.to_fen(), "3k1a3/9/9/9/9/9/9/4B4/9/4K4 w - - 0 1");
    // Without the rook between them the generals would.
    let facing = composition("4k4/9/9/4R4/9/9/9/9/9/4K4 w");
    assert!(facing.is_err() || disarmed(&facing.expect("a position")).is_none());
    for start in composed(6).iter().filter_map(disarmed) {
        let all = (0..9).flat_map(|file| (0..10).filter_map(move |rank| start.piece(file, rank)));
        assert!(
            all.into_iter()
                .all(|(_, kind)| { matches!(kind, PieceKind::General | PieceKind::Advisor | PieceKind::Elephant) })
        );
    }
    assert!(composition("3k1a3/9/9/4R4/9/9/9/4B4/9/4K4 b").is_err_and(|error| error.to_string().contains("Black")));
    assert!(composition("nonsense").is_err());
}

/// Figures 4-4 to 4-7 in small: the parts fit together, and values of drawn games cancel out.
#[test]
fn won_drawn_and_lost() {
    let starts = composed(5);
    let mut told = 0;
    let games = Games::play(&starts, &plan(), &mut |done| told = done).expect("searches");
    let [won, drawn] = games.counts();
    assert_eq!((won, won + drawn), (5, told));
    assert_eq!(drawn, starts.iter().filter_map(disarmed).count());
    for kind in Kind::ALL {
        let most = if kind == Kind::Drawn { 2 * drawn } else { won };
        for measure in [Measure::Number, Measure::Value] {
            let numbers = games.numbers(kind, measure);
            assert!(numbers.len() <= most && numbers.iter().all(|number| number.is_finite()), "{kind:?} {numbers:?}");
        }
    }
    assert_eq!(games.numbers(Kind::Drawn, Measure::Value).len(), 2 * drawn, "no side mates, so no value is dropped");
    let found = games.separations(200, Seed(1));
    assert_eq!(found.len(), 3);
    for separation in &found {
        for interval in [separation.by_number, separation.by_value].into_iter().flatten() {
            let ordered = [0.0, interval.low, interval.high, 1.0];
            assert!(ordered.is_sorted() && (0.0..=1.0).contains(&interval.found), "{separation:?}");
        }
        if let (Some(one), Some(two), Some(difference)) =
            (separation.by_number, separation.by_value, separation.difference)
        {
            assert!((one.found - two.found - difference.found).abs() < 1e-12, "{separation:?}");
        }
    }
    let again = Games::play(&starts, &plan(), &mut |_| ()).expect("searches");
    assert_eq!(again.separations(200, Seed(1)), found, "the same seed, the same figures");
    let stopped = plan();
    stopped.stop.stop();
    assert_eq!(Games::play(&starts, &stopped, &mut |_| ()).expect("nothing to search").counts(), [0, 0]);
}

/// Figures 4-9 and 4-10 in small: every opening at both thresholds, and what Red gives is missing
/// in his value.
#[test]
fn handicap_openings() {
    let given = handicaps((1, 2), &Plan { nodes: 60_000, ..plan() }, &mut |_| ()).expect("searches");
    assert_eq!(given.len(), 14);
    assert!(handicaps((0, 2), &plan(), &mut |_| ()).expect("nothing to search").is_empty());
    assert_eq!(given.iter().map(|row| row.threshold).collect::<Vec<_>>(), [[200; 7], [600; 7]].concat());
    let value = |pieces: &str| {
        let row = given.iter().find(|row| row.pieces == pieces).expect("an opening");
        row.values.first().copied().expect("four depths")
    };
    assert!(value("nothing") > value("a horse") && value("a horse") > value("two horses"));
    assert!(value("a rook") > value("two rooks"));
}
