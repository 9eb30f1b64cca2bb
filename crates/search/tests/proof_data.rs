//! Proof-number searches against published and independently computed values of games.

use serde_json::Value as Json;
use tesuji_core::solver::Settings;
use tesuji_core::{Aim, Budget, Goal, Measure, NoObserver, Notation, Player, Position, Report, Score, Seed};
use tesuji_games::go::{Go, GoRules, KoRule, Komi};
use tesuji_games::hex::{Hex, SwapRule};
use tesuji_games::othello::{Empties, Othello};
use tesuji_games::synthetic::PGame;
use tesuji_proof::{Claim, check};
use tesuji_search::proof::{DeepPn, DfPn, Mcpn, Pn, Ppn, Ties, hill_climb};
use tesuji_search::{Search, SearchError};
use tesuji_testing::{sized, vendored};

/// The text of a data file, or a loud line.
fn run<P: Position>(search: &mut dyn Search<P>, root: &P) -> Report<P::Move> {
    search.search(root, &Budget::unlimited(), Seed(7), &mut NoObserver).expect("a live game")
}

fn df_pn(goal: &str) -> DfPn {
    DfPn::new(Settings::default(), goal.parse().expect("a goal"))
}

/// Winner and a listed winning move, of positions solved by another program.
#[test]
fn random_hex_positions() {
    let text = vendored("hex/random_positions.jsonl");
    let mut solved = 0;
    for line in text.lines() {
        let entry: Json = serde_json::from_str(line).expect("JSON");
        let texts = |name: &str| -> Vec<String> {
            entry[name]
                .as_array()
                .expect("a list")
                .iter()
                .map(|text| text.as_str().expect("text").to_string())
                .collect()
        };
        let mut position = Hex::new(entry["size"].as_u64().expect("a size") as u32, SwapRule::Off).expect("a board");
        // 25 cells without knowledge take minutes; the fuller boards of that size do not.
        if position.size() == 5 && texts("moves").len() < 6 {
            continue;
        }
        for mv in texts("moves") {
            position.play(position.read_move(&mv).expect("legal"));
        }
        let report = run(&mut df_pn("exact"), &position);
        let winner = if entry["winner"] == "black" { Player::First } else { Player::Second };
        assert_eq!(report.bounds.proved().and_then(Score::winner), Some(winner), "{line}");
        if position.turn() == winner {
            let best = position.show_move(report.best.expect("live"));
            assert!(texts("winning_moves").contains(&best), "{best} of {line}");
        }
        solved += 1;
    }
    assert!(solved >= 40, "{solved}");
}

fn go(size: usize, ko: KoRule) -> Go {
    Go::new(GoRules { komi: Komi(0), ko, ..GoRules::on(size) }).expect("rules")
}

/// Area scoring, no komi, positional superko: 1 point on 2×2, all 9 on 3×3. Margins are half
/// points.
#[test]
fn small_go_under_superko() {
    let values: Json = serde_json::from_str(&vendored("small/values.json")).expect("JSON");
    for (size, name) in [(2, "2x2"), (3, "3x3")] {
        let half_points = 2 * values["go"]["values"][name].as_i64().expect("published") as i32;
        let start = go(size, KoRule::Positional);
        let settings = Settings { weak: true, ..Settings::default() };
        let question = |least| Goal::Question(Aim { player: Player::First, measure: Measure::Margin, least });
        let mut search = DfPn::new(settings, question(half_points));
        let report = run(&mut search, &start);
        assert_eq!(report.bounds.lower().winner(), Some(Player::First), "{name}");
        let claims = search.proof(&start, &Budget::unlimited()).expect("solved");
        check(&start, &claims[0], &mut Budget::unlimited().meter()).expect("it holds");
        // A reference is refused, since history matters.
        let refused = Claim { tokens: vec![2, 4, 1, 0], ..claims[0].clone() };
        assert!(check(&start, &refused, &mut Budget::unlimited().meter()).is_err());
        // And not half a point more; on 3×3 there are no more points.
        if size == 2 {
            let report = run(&mut DfPn::new(settings, question(half_points + 1)), &start);
            let greatest = report.figures.iter().find(|(name, _)| *name == "greatest margin").expect("shown").1;
            assert_eq!(greatest, f64::from(half_points), "{name}");
        }
    }
}

/// With simple ko alone positions repeat, and there is nothing to prove.
#[test]
fn circles_are_refused() {
    let found = df_pn("first-wins").search(&go(3, KoRule::Simple), &Budget::unlimited(), Seed(1), &mut NoObserver);
    assert!(matches!(&found, Err(SearchError::Unsupported(why)) if why.contains("repeat")), "{found:?}");
}

/// The winning openings of Hex without knowledge: 4×4, or 5×5 as published, which takes minutes.
#[test]
fn all_openings_of_hex() {
    let size = sized(4_u32, 5);
    let text = vendored("hex/openings_2x2_to_6x6.json");
    let known: Json = serde_json::from_str(&text).expect("JSON");
    let start = Hex::new(size, SwapRule::Off).expect("a board");
    for mv in start.moves() {
        let (column, row) = start.place(mv).expect("a stone");
        let wins = known["openings"][size.to_string()][row as usize].as_str().expect("a row").as_bytes()
            [column as usize]
            == b'B';
        let mut next = start;
        next.play(mv);
        let report = run(&mut df_pn("first-wins"), &next);
        assert_eq!(report.bounds.lower().winner() == Some(Player::First), wins, "{}", start.show_move(mv));
    }
}

fn iterations<P: Position>(search: &mut dyn Search<P>, root: &P) -> u64 {
    let report = run(search, root);
    assert!(report.proof.is_some_and(|proof| proof.status != tesuji_core::ProofStatus::Unknown));
    report.iterations
}

/// Zhang 2019, Figures 5-8 and 2-6: PPN needs the fewest iterations on P-games, and DeepPN with R
/// in the middle fewer than PN-search on Othello endgames. A small sample of each;
/// `examples/zhang_tables.rs` measures the whole.
#[test]
fn zhang_s_shape() {
    let goal: Goal = "first-wins".parse().expect("a goal");
    let mut sums = [0_u64; 3];
    for seed in 0..12 {
        let game = PGame::new(2, 14, seed).expect("a tree");
        sums[0] += iterations(&mut Pn::new(Ties::Leftmost, goal), &game);
        sums[1] += iterations(&mut Mcpn::new(10, 0.01, goal), &game);
        sums[2] += iterations(&mut Ppn::new(10, 0.01, goal), &game);
    }
    assert!(sums[2] < sums[0] && sums[2] < sums[1], "pn {}, mcpn {}, ppn {}", sums[0], sums[1], sums[2]);
    let (mut pn, mut deep) = (0, 0);
    for seed in 0..12 {
        let end = Othello::new(8, Empties::None).expect("a board").after_random_plies(51, seed).expect("it goes on");
        pn += iterations(&mut Pn::new(Ties::Leftmost, goal), &end);
        deep += iterations(&mut DeepPn::new(0.6, goal), &end);
    }
    assert!(deep < pn, "pn {pn}, deep-pn {deep}");
}

/// Hill climbing answers a point that is no worse than where it began, and its cost is what the
/// search takes there.
#[test]
fn hill_climbing_improves() {
    let goal: Goal = "first-wins".parse().expect("a goal");
    let end = Othello::new(8, Empties::None).expect("a board").after_random_plies(50, 4).expect("it goes on");
    let nodes = |e: u32, d: u32| {
        let settings = Settings { e: f64::from(e), d, ..Settings::default() };
        run(&mut DfPn::new(settings, goal), &end).nodes
    };
    let climbed = hill_climb((20, 15), |e, d| Ok::<_, String>(Some(nodes(e, d)))).expect("no failure");
    assert_eq!(climbed.best.nodes, Some(nodes(climbed.best.e, climbed.best.d)), "{climbed:?}");
    assert!(climbed.best.nodes <= Some(nodes(2, 2)) && climbed.tried > 2, "{climbed:?}");
}
