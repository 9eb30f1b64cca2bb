//! The swap, pass and resign rules. Hex: a strong opening is swapped. Go: a settled game ends by
//! passes, a lost game is resigned, an open one neither.

use tesuji_core::{Budget, NoObserver, Notation, Player, Position, Report, Seed};
use tesuji_games::go::{Go, GoRules};
use tesuji_games::hex::{Hex, SwapRule};
use tesuji_search::Search;
use tesuji_search::mcts::Mcts;

/// Black owns the three left columns, White the two right ones, each with two eyes; no useful move
/// is left.
/// ```text
/// . X X O .
/// . X X O .
/// X X X O O
/// . X X O .
/// . X X O .
/// ```
fn settled(komi: f64, turn: Player) -> Go {
    let wall = |column: usize, owner: Player| (0..5).map(move |row| (owner, column, row));
    let walls = wall(1, Player::First).chain(wall(2, Player::First)).chain(wall(3, Player::Second));
    let stones: Vec<_> = walls.chain([(Player::First, 0, 2), (Player::Second, 4, 2)]).collect();
    let rules = GoRules { komi: format!("{komi}").parse().expect("a komi"), ..GoRules::on(5) };
    Go::with_stones(rules, &stones, turn).expect("a legal board")
}

fn think(recipe: Mcts, go: &Go) -> Report<<Go as Position>::Move> {
    let mut search = recipe;
    search.search(go, &Budget::iterations(20_000), Seed(1), &mut NoObserver).expect("live")
}

fn best(go: &Go, report: &Report<<Go as Position>::Move>) -> String {
    report.best.map_or("resign".into(), |mv| go.show_move(mv))
}

/// The swap is never played later, so it has no all-moves-as-first statistics; it is explored
/// nevertheless.
#[test]
fn a_strong_opening_is_swapped() {
    for size in [5, 7] {
        let mut hex = Hex::new(size, SwapRule::Pieces).expect("a board");
        let centre = hex.read_move(if size == 5 { "c3" } else { "d4" }).expect("a move");
        hex.play(centre);
        for seed in 1..=3 {
            let report =
                Mcts::default().search(&hex, &Budget::iterations(20_000), Seed(seed), &mut NoObserver).expect("live");
            let table: Vec<_> =
                report.root.iter().map(|entry| (hex.show_move(entry.mv), entry.visits, entry.value)).collect();
            let best = hex.show_move(report.best.expect("a move"));
            assert_eq!(best, "swap", "size {size}, seed {seed}: {table:?}");
        }
    }
}

#[test]
fn a_settled_game_ends_by_passes() {
    let polite = Mcts { pass: 0.05, ..Mcts::default() };
    // Black leads by five without komi.
    let go = settled(0.5, Player::First);
    let report = think(polite, &go);
    let table: Vec<_> = report.root.iter().map(|entry| (go.show_move(entry.mv), entry.visits, entry.value)).collect();
    assert_eq!(best(&go, &report), "pass", "{table:?}");
    // A pass that wins the game answers a pass, with and without the pass rule.
    let mut passed = settled(0.5, Player::Second);
    passed.play(passed.read_move("pass").expect("a move"));
    assert_eq!(best(&passed, &think(Mcts::default(), &passed)), "pass");
}

/// V-Run passes when the opponent passes, also in a game that it loses by that; without the rule it
/// plays on.
#[test]
fn a_pass_is_imitated() {
    let imitating = Mcts { imitate: true, ..Mcts::default() };
    let mut open = Go::new(GoRules::on(5)).expect("a board");
    assert_ne!(best(&open, &think(imitating, &open)), "pass", "nothing to imitate");
    open.play(open.read_move("pass").expect("a move"));
    let report = think(imitating, &open);
    assert_eq!((best(&open, &report).as_str(), report.iterations), ("pass", 0));
    assert_eq!(report.value.to_f64(), 0.0, "White wins the empty board by komi");
    let mut lost = settled(0.5, Player::First);
    lost.play(lost.read_move("pass").expect("a move"));
    assert_eq!(best(&lost, &think(imitating, &lost)), "pass", "White loses");
    assert_ne!(best(&lost, &think(Mcts::default(), &lost)), "pass");
}

#[test]
fn a_lost_game_is_resigned_and_an_open_one_is_not() {
    let proud = Mcts { resign: 0.1, ..Mcts::default() };
    let lost = settled(0.5, Player::Second);
    let report = think(proud, &lost);
    assert!(report.resigns && report.best.is_none(), "{:?}", report.value);
    let open = Go::new(GoRules::on(5)).expect("a board");
    let polite = Mcts { pass: 0.05, resign: 0.1, ..Mcts::default() };
    let report = think(polite, &open);
    assert!(!report.resigns);
    assert_ne!(best(&open, &report), "pass");
}

/// With the pass rule a game of self-play ends without filling eyes: the settled walls stand at the
/// end.
#[test]
fn self_play_with_the_pass_rule_ends() {
    let polite = Mcts { pass: 0.02, ..Mcts::default() };
    let mut go = settled(0.5, Player::First);
    let mut plies = 0;
    while go.outcome().is_none() {
        let report = think(polite, &go);
        go.play(report.best.expect("live"));
        plies += 1;
        assert!(plies < 40, "no end");
    }
    assert_eq!(go.outcome().expect("ended").winner(), Some(Player::First));
}
