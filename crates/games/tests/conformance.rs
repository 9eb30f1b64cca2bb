//! Every game keeps the laws.

use tesuji_core::conformance::{Kit, PlayoutLaw, Summary};
use tesuji_core::{Notation, Rng, Seed, Studied};
use tesuji_games::mnk::Mnk;
use tesuji_games::synthetic::{PGame, RandomTree, Trap, TrapLeaf, Tree};
use tesuji_games::tictactoe::TicTacToe;

fn conforms<P: Notation + Studied>(kit: &Kit, start: &P) -> Summary {
    kit.check(start).unwrap_or_else(|violation| panic!("{violation}"))
}

#[test]
fn tictactoe() {
    conforms(&Kit { games: 300, ..Kit::default() }, &TicTacToe::new());
}

#[test]
fn mnk() {
    for (columns, rows, line) in [(3, 3, 3), (1, 1, 1), (4, 3, 3), (7, 5, 4), (26, 4, 5), (1, 64, 3), (10, 11, 5)] {
        conforms(&Kit { games: 20, samples: 1000, ..Kit::default() }, &Mnk::new(columns, rows, line).expect("a board"));
    }
}

#[test]
fn pgame() {
    for (branching, depth) in [(2, 20), (8, 8), (1, 10), (3, 39)] {
        conforms(&Kit::default(), &PGame::new(branching, depth, 5).expect("a tree"));
    }
}

#[test]
fn trap() {
    for leaf in [TrapLeaf::Expected, TrapLeaf::Bernoulli] {
        conforms(&Kit { playouts: PlayoutLaw::Mean, games: 200, ..Kit::default() }, &Trap::new(leaf));
    }
}

#[test]
fn trees_whose_turns_do_not_alternate() {
    let mut turns_kept = 0;
    for seed in 0..50 {
        let shape = RandomTree { depth: 6, branching: 4, grades: 5, alternate: seed % 2 == 0 };
        let tree = Tree::random(shape, &mut Rng::new(Seed(seed)));
        let summary = conforms(&Kit { samples: 500, ..Kit::default() }, &tree);
        assert!(!shape.alternate || summary.turns_kept == 0);
        turns_kept += summary.turns_kept;
    }
    assert!(turns_kept > 100);
}

/// Playouts have a policy of their own (no eye filling), judged in `go_playout.rs`.
#[test]
fn go() {
    use tesuji_games::go::{Go, GoRules, KoRule, PassRule, PlayoutRule, Scoring, SuicideRule};
    let kit = Kit { games: 6, samples: 300, sampled_positions: 3, playouts: PlayoutLaw::Own, ..Kit::default() };
    let mut rules = Vec::new();
    for ko in [KoRule::Simple, KoRule::Positional, KoRule::Situational] {
        for suicide in [SuicideRule::Forbidden, SuicideRule::Allowed] {
            for scoring in [Scoring::Area, Scoring::Territory, Scoring::VRun, Scoring::Hawk] {
                rules.push(GoRules { ko, suicide, scoring, ..GoRules::on(3) });
            }
        }
    }
    let hawk = GoRules { ko: KoRule::None, suicide: SuicideRule::Strict, scoring: Scoring::Hawk, ..GoRules::on(4) };
    rules.extend([
        GoRules { passes: PassRule::Continue, playouts: PlayoutRule::Uniform, ..hawk },
        GoRules { playouts: PlayoutRule::OneChain, ..hawk },
        GoRules { playouts: PlayoutRule::OneChain, ..GoRules::on(4) },
        hawk,
    ]);
    rules.extend([GoRules::on(2), GoRules::on(5), GoRules { handicap: 2, ..GoRules::on(9) }]);
    for rules in rules {
        let start = Go::new(rules).expect("possible rules");
        kit.check(&start).unwrap_or_else(|violation| panic!("{rules:?}: {violation}"));
    }
}
