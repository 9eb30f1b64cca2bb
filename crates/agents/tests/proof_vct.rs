//! df-pn with knowledge of Gomoku: victories by continuous threats.

use crate::gomoku_problems::{freestyle, renju};
use tesuji_core::solver::Settings;
use tesuji_core::{Bounds, Budget, Certifier, NoObserver, Notation, Player, Position, Rng, Seed, StopReason};
use tesuji_games::gomoku::{ContinuousFours, ContinuousThreats, FoursCertifier, Gomoku, Point, Rule, VctLimits};
use tesuji_proof::check_with;
use tesuji_search::Search;
use tesuji_search::proof::{Advised, Staged};

/// The search as the registry has it, or its first stages.
fn vct(stages: usize) -> Staged<Gomoku> {
    let stage = |(limits, nodes): (VctLimits, u64)| {
        let settings = Settings { epsilon: VctLimits::EPSILON, ..Settings::default() };
        (Advised::new(settings, Box::new(ContinuousThreats::new(limits))), nodes)
    };
    Staged::new(VctLimits::STAGES.into_iter().take(stages).map(stage).collect())
}

/// Solves by fours and threes within a number of nodes, with a proof that is checked; nothing if
/// that is not enough.
fn solved(position: &Gomoku, nodes: u64) -> Option<(String, u64)> {
    let mut search = vct(1);
    let budget = Budget { nodes: Some(nodes), ..Budget::default() };
    let report = search.search(position, &budget, Seed(1), &mut NoObserver).expect("live");
    let (sure, hoped) = report.bounds.for_player(position.turn());
    assert!(hoped.units() == 60_000, "an adviser that leaves out moves never says loss or draw: {:?}", report.bounds);
    if sure.units() < 60_000 {
        return None;
    }
    let claims = search.proof(position, &Budget::unlimited()).expect("it is solved");
    let checked = check_with(position, &claims[0], Some(&FoursCertifier), &mut Budget::unlimited().meter());
    let best = position.show_move(report.best.expect("live"));
    Some((best, checked.expect("the proof holds").positions))
}

/// Forced wins that take few nodes: those that fours and threes solve soon. Every proof holds.
#[test]
fn forced_wins() {
    let found = freestyle().iter().filter(|problem| solved(&problem.position, 5_000).is_some()).count();
    assert!(found >= 10, "{found} of 30");
    let renju = renju();
    if !renju.is_empty() {
        let found = renju.iter().filter(|problem| solved(&problem.position, 3_000).is_some()).count();
        assert!(found >= 10, "{found} of 15");
    }
}

/// A stone, a few steps from the middle.
fn near(rng: &mut Rng, size: u32, spread: u32) -> Point {
    let mut place = || (size / 2 - spread + rng.below(2 * spread + 1)) as u8;
    Point::new(place(), place())
}

/// What certificates say of random positions is what full expansion says: a reply that a line of
/// fours answers loses, to df-pn that knows continuous fours only as the older adviser lists them
/// and whose proof lists every reply.
#[test]
fn certificates_are_right() {
    let mut rng = Rng::new(Seed(5));
    let (mut certified, mut answered) = (0, 0);
    for number in 0..400 {
        let rule = Rule::ALL[number % 3];
        let size = 7 + rng.below(3);
        let mut position = Gomoku::new(size as usize, rule).expect("a board");
        while position.outcome().is_none() && rng.below(24) > 0 {
            let point = near(&mut rng, size, 3);
            if position.is_legal(point) {
                position.play(point);
            }
        }
        if position.outcome().is_some() {
            continue;
        }
        for claimant in Player::BOTH {
            let mut listed = Vec::new();
            let mut knowledge = ContinuousThreats::new(VctLimits::default());
            let Some(certificate) = knowledge.certificate(&position, claimant, &mut listed) else { continue };
            certified += 1;
            if position.turn() == claimant {
                FoursCertifier.wins(&position, claimant, &certificate).expect("it holds");
                assert!(wins_by_fours(&position, claimant), "{rule} {position:?}");
                continue;
            }
            let mut replies = position.moves();
            FoursCertifier.answers(&position, claimant, &certificate, &mut replies).expect("it holds");
            assert!(
                replies.iter().all(|reply| listed.contains(reply)),
                "what is not answered is listed: {rule} {position:?}"
            );
            for reply in position.moves().into_iter().filter(|reply| !replies.contains(reply)) {
                let mut after = position;
                after.play(reply);
                assert!(after.outcome().is_none() && wins_by_fours(&after, claimant), "{rule} {reply:?} {position:?}");
                answered += 1;
            }
            // A line with one point altered answers no reply that it should not, and a cut one
            // nothing.
            if let [first, .., _] = certificate.data[..] {
                let mut cut = certificate.clone();
                cut.data.truncate(2);
                assert!(FoursCertifier.answers(&position, claimant, &cut, &mut position.moves()).is_err());
                let mut other = certificate.clone();
                other.data[0] = (first + 1) % u64::from(size * size);
                let mut replies = position.moves();
                FoursCertifier.answers(&position, claimant, &other, &mut replies).expect("points of the board");
                for reply in position.moves().into_iter().filter(|reply| !replies.contains(reply)) {
                    let mut after = position;
                    after.play(reply);
                    assert!(wins_by_fours(&after, claimant));
                }
            }
        }
    }
    assert!(certified > 60 && answered > 500, "{certified} certificates, {answered} replies");
}

/// Whether `player`, who is to move, wins by continuous fours; the proof lists every reply.
fn wins_by_fours(position: &Gomoku, player: Player) -> bool {
    assert_eq!(position.turn(), player);
    let mut search = Advised::new(Settings::default(), Box::new(ContinuousFours));
    let budget = Budget { nodes: Some(20_000), memory: Some(1 << 20), ..Budget::default() };
    let report = search.search(position, &budget, Seed(1), &mut NoObserver).expect("live");
    if report.bounds.for_player(player).0.units() < 60_000 {
        return false;
    }
    let claims = search.proof(position, &Budget::unlimited()).expect("it is solved");
    check_with(position, &claims[0], None, &mut Budget::unlimited().meter()).is_ok()
}

/// Stages leave threats out: a search that ends without a win has not looked at all of them.
#[test]
fn a_search_whose_stages_have_ended_says_so() {
    let position = Gomoku::new(7, Rule::Freestyle).expect("a board");
    let budget = Budget { nodes: Some(1_000_000), ..Budget::default() };
    let report = vct(5).search(&position, &budget, Seed(1), &mut NoObserver).expect("live");
    assert_eq!((report.bounds, report.stopped), (Bounds::UNKNOWN, StopReason::OwnLimit("stages")));
}
