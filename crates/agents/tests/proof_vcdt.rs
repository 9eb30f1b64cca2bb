//! df-pn with knowledge of Connect6: victories by continuous double threats.

use crate::connect6_problems::problem;
use tesuji_core::solver::Settings;
use tesuji_core::{
    Bounds, Budget, Certificate, Certifier, NoObserver, Notation, Player, Position, Rng, Seed, StopReason,
};
use tesuji_games::connect6::{Connect6, DoubleThreats, Point, THREATS, Threats, ThreatsCertifier};
use tesuji_proof::check_with;
use tesuji_search::Search;
use tesuji_search::proof::Advised;
use tesuji_testing::effort::is_full;

fn solve(position: &Connect6, settings: Settings, nodes: u64) -> Option<(u64, u64)> {
    let mut search = Advised::new(settings, Box::new(DoubleThreats::new(0)));
    let budget = Budget { nodes: Some(nodes), ..Budget::default() };
    let report = search.search(position, &budget, Seed(1), &mut NoObserver).expect("live");
    let (sure, _) = report.bounds.for_player(position.turn());
    if sure.units() < 60_000 {
        return None;
    }
    let claims = search.proof(position, &Budget::unlimited()).expect("it is solved");
    let checked = check_with(position, &claims[0], Some(&ThreatsCertifier), &mut Budget::unlimited().meter());
    Some((report.nodes, checked.expect("the proof holds").positions))
}

/// All positions in which another program won by double threats, with proofs that hold.
#[test]
fn known_wins() {
    let mut unsolved = Vec::new();
    for (name, position) in crate::connect6_problems::known_wins() {
        if solve(&position, Settings::default(), 300_000).is_none() {
            unsolved.push(name);
        }
    }
    assert!(unsolved.is_empty(), "{unsolved:?}");
}

/// The positions of `crates/games/problems/connect6` that df-pn solves within a number of nodes, by number.
fn suite(nodes: std::ops::Range<u64>) -> usize {
    let mut solved = 0;
    for number in 1..=30 {
        let problem = problem(&format!("vcdt-{number:02}"));
        let answer = problem.answer.expect("an answer");
        let first = answer.strip_prefix("win ").expect("a win");
        let mut search = Advised::new(Settings::default(), Box::new(DoubleThreats::new(0)));
        let budget = Budget { nodes: Some(nodes.end), ..Budget::default() };
        let report = search.search(&problem.position, &budget, Seed(1), &mut NoObserver).expect("live");
        if report.nodes < nodes.start || report.nodes >= nodes.end {
            continue;
        }
        let position = &problem.position;
        assert_eq!(position.show_move(report.best.expect("live")), first, "vcdt-{number:02}");
        let claims = search.proof(position, &Budget::unlimited()).expect("it is solved");
        let checked = check_with(position, &claims[0], Some(&ThreatsCertifier), &mut Budget::unlimited().meter());
        checked.expect("the proof holds");
        solved += 1;
    }
    solved
}

/// Nine are easy, six are hard; all take three million nodes.
#[test]
fn problems() {
    assert_eq!(suite(0..8_000), 9);
    if is_full() {
        assert_eq!(suite(0..2_000_000), 30);
        assert!(suite(100_000..2_000_000) >= 6, "six are hard");
    }
}

/// Two threads find the same wins, and their proofs hold.
#[test]
fn two_threads() {
    for number in [4, 8, 10] {
        let position = problem(&format!("vcdt-{number:02}")).position;
        let mut search = Advised::new(Settings::default(), Box::new(DoubleThreats::new(0)));
        let budget = Budget { nodes: Some(200_000), threads: std::num::NonZero::new(2), ..Budget::default() };
        let report = search.search(&position, &budget, Seed(1), &mut NoObserver).expect("live");
        assert_eq!(report.bounds.for_player(position.turn()).0.units(), 60_000, "vcdt-{number:02}");
        let claims = search.proof(&position, &Budget::unlimited()).expect("it is solved");
        let checked = check_with(&position, &claims[0], Some(&ThreatsCertifier), &mut Budget::unlimited().meter());
        checked.expect("the proof holds");
    }
}

/// A random position of a small board, at the beginning of a turn or in its middle.
fn random(rng: &mut Rng) -> Connect6 {
    let mut position = Connect6::new(7 + rng.below(3) as usize).expect("a board");
    while position.outcome().is_none() && rng.below(22) > 0 {
        let point = Point::new(rng.below(7) as u8, rng.below(7) as u8);
        if position.is_legal(point) {
            position.play(point);
        }
    }
    position
}

/// Whether `player` completes a six in this turn, by trying every stone.
fn completes(position: &Connect6, player: Player) -> bool {
    position.turn() == player
        && position.moves().into_iter().any(|mv| {
            let mut after = *position;
            after.play(mv);
            after.outcome().map_or_else(|| completes(&after, player), |outcome| outcome.winner() == Some(player))
        })
}

/// Whether whatever the opponent does with the rest of his turn, the claimant completes a six in
/// the next one.
fn loses_at_once(position: &Connect6, claimant: Player) -> bool {
    if let Some(outcome) = position.outcome() {
        return outcome.winner() == Some(claimant);
    }
    if position.turn() == claimant {
        return completes(position, claimant);
    }
    position.moves().into_iter().all(|mv| {
        let mut after = *position;
        after.play(mv);
        loses_at_once(&after, claimant)
    })
}

/// On small boards the certificate answers exactly the replies after which, by trying everything,
/// the claimant completes a six in his next turn.
#[test]
fn certificates_are_right() {
    let mut rng = Rng::new(Seed(9));
    let certificate = Certificate::new(THREATS, Vec::new());
    let (mut answered, mut open, mut refused) = (0, 0, 0);
    for _ in 0..3_000 {
        let position = random(&mut rng);
        let claimant = position.turn().other();
        if position.outcome().is_some() || Threats::new(&position).threats(claimant) == 0 {
            continue;
        }
        let mut replies = position.moves();
        if ThreatsCertifier.answers(&position, claimant, &certificate, &mut replies).is_err() {
            assert!(completes(&position, claimant.other()));
            refused += 1;
            continue;
        }
        for reply in position.moves() {
            let mut after = position;
            after.play(reply);
            let lost = loses_at_once(&after, claimant);
            assert_eq!(lost, !replies.contains(&reply), "{reply:?} {position:?}");
            answered += u32::from(lost);
            open += u32::from(!lost);
        }
        if answered > 1_500 && open > 1_500 {
            break;
        }
    }
    assert!(answered > 300 && open > 300 && refused > 0, "{answered} {open} {refused}");
    // It says nothing where the claimant moves, nor with data, nor under another name.
    let position = Connect6::new(9).expect("a board");
    assert!(ThreatsCertifier.wins(&position, Player::First, &certificate).is_err());
    assert!(ThreatsCertifier.answers(&position, Player::First, &certificate, &mut position.moves()).is_err());
    let other = Certificate::new("fog", Vec::new());
    assert!(ThreatsCertifier.answers(&position, Player::Second, &other, &mut position.moves()).is_err());
    let data = Certificate::new(THREATS, vec![1]);
    assert!(ThreatsCertifier.answers(&position, Player::Second, &data, &mut position.moves()).is_err());
}

/// A double-threat win in four turns that begins EI GG, of which GG adds no threat: not found, and
/// once called finished.
#[test]
fn a_search_that_leaves_out_quiet_second_stones_says_so() {
    let mut position = Connect6::new(19).expect("a board");
    for text in ["JJ", "JH", "JK", "KI", "IK", "HL", "LH", "II", "HH", "IJ", "JI"] {
        let mv = position.read_move(text).expect("a stone");
        position.play(mv);
    }
    let budget = Budget { nodes: Some(1_000_000), ..Budget::default() };
    let run = |best| {
        let mut search = Advised::new(Settings::default(), Box::new(DoubleThreats::new(best)));
        search.search(&position, &budget, Seed(1), &mut NoObserver).expect("live")
    };
    let report = run(0);
    assert_eq!(report.bounds, Bounds::UNKNOWN);
    assert_eq!(report.stopped, StopReason::OwnLimit("quiet second stones"));
    assert_eq!(run(2).stopped, StopReason::OwnLimit("best"));
    // Without a stone on the board there is no threat to be left out.
    let start = Connect6::new(19).expect("a board");
    let mut search = Advised::new(Settings::default(), Box::new(DoubleThreats::new(0)));
    assert_eq!(search.search(&start, &budget, Seed(1), &mut NoObserver).expect("live").stopped, StopReason::Finished);
}
