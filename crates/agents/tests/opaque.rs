//! Positions of any game as one type keep every law of a position, and what their games know.

use tesuji_agents::{Opaque, start_game};
use tesuji_core::conformance::Kit;
use tesuji_core::{Budget, NoObserver, Seed, Studied};
use tesuji_search::Search;
use tesuji_search::minimax::AlphaBeta;
use tesuji_search::oracle::Oracle;

fn start(game: &str) -> Opaque {
    start_game(&game.parse().expect("a spec")).expect("starts").position.into()
}

#[test]
fn opaque_positions_keep_the_laws() {
    let kit = Kit { games: 5, samples: 400, sampled_positions: 2, ..Kit::default() };
    for game in ["tictactoe", "hex(size=4)", "othello(size=4)", "connect6(size=7)", "trap"] {
        let summary = kit.check(&start(game)).unwrap_or_else(|violation| panic!("{game}: {violation}"));
        assert_eq!(summary.games, 5, "{game}");
    }
}

/// A search over opaque positions finds what the same search finds over the game's own.
#[test]
fn a_search_finds_the_same() {
    let truth = Oracle::default().truth(&start("othello(size=4)")).expect("small");
    assert_eq!(truth.outcome.margin, -8, "White wins 4×4 Othello by eight");
    for game in ["gomoku(size=9)", "hex(size=5)", "othello"] {
        let opaque = start(game);
        assert!(opaque.evaluation().is_some() && opaque.preference().is_some(), "{game}");
        let budget = Budget { depth: Some(2), ..Budget::default() };
        let spec = "alpha-beta".parse().expect("a spec");
        let mut ours = opaque.get().agent(&spec).expect("an agent");
        let ours = ours.think(opaque.get(), &budget, Seed(1), &mut NoObserver).expect("live");
        let mut search = AlphaBeta::default();
        let theirs = search.search(&opaque, &budget, Seed(1), &mut NoObserver).expect("live");
        assert_eq!((theirs.value, theirs.depth), (ours.value, ours.depth), "{game}");
    }
}
