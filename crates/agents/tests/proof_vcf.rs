//! df-pn with knowledge of Gomoku: victories by continuous fours.

use crate::gomoku_problems::{freestyle, renju};
use tesuji_core::solver::Settings;
use tesuji_core::{Budget, NoObserver, Notation, Position, Seed};
use tesuji_games::gomoku::{ContinuousFours, Gomoku, Rule};
use tesuji_proof::check;
use tesuji_search::Search;
use tesuji_search::proof::Advised;

/// The winning move, if the side to move wins by continuous fours; with a proof that lists every
/// reply, checked.
fn vcf(position: &Gomoku, nodes: u64) -> Option<String> {
    let mut search = Advised::new(Settings::default(), Box::new(ContinuousFours));
    let budget = Budget { nodes: Some(nodes), ..Budget::default() };
    let report = search.search(position, &budget, Seed(1), &mut NoObserver).expect("live");
    let (sure, hoped) = report.bounds.for_player(position.turn());
    assert!(hoped.units() == 60_000, "an adviser that leaves out moves never says loss or draw: {:?}", report.bounds);
    if sure.units() < 60_000 {
        return None;
    }
    let claims = search.proof(position, &Budget::unlimited()).expect("it is solved");
    check(position, &claims[0], &mut Budget::unlimited().meter()).expect("the proof holds");
    Some(position.show_move(report.best.expect("live")))
}

#[test]
fn fours_by_hand() {
    let after = |rule, moves: &str| {
        let mut position = Gomoku::new(15, rule).expect("a board");
        for mv in moves.split(' ') {
            position.play(position.read_move(mv).expect("legal"));
        }
        position
    };
    // An open three becomes a straight four.
    let won = vcf(&after(Rule::Freestyle, "h8 a1 i8 a3 j8 a5"), 10_000);
    assert!(matches!(won.as_deref(), Some("g8" | "k8")), "{won:?}");
    // White has a four that must be stopped first, and Black's stop is no four.
    assert_eq!(vcf(&after(Rule::Freestyle, "h8 a1 i8 a2 j8 a3 o15 a4"), 10_000), None);
    assert_eq!(vcf(&after(Rule::Freestyle, "h8 a1"), 10_000), None);
}

/// Of the forced wins attested by another program none is found by fours alone within this limit
/// (they need threes: `proof_vct.rs`), and none is called lost. When this number changes, say so.
#[test]
fn freestyle_forced_wins() {
    let found = freestyle().iter().filter(|problem| vcf(&problem.position, 30_000).is_some()).count();
    assert_eq!(found, 0);
}

/// Where the source says that continuous fours win, so do we.
#[test]
fn renju_problems() {
    let problems = renju();
    if problems.is_empty() {
        return;
    }
    let (mut found, mut all) = (0, 0);
    for problem in problems {
        let won = vcf(&problem.position, 30_000);
        if problem.by_fours {
            all += 1;
            found += u32::from(won.is_some());
        }
    }
    assert_eq!((found, all), (5, 5));
}
