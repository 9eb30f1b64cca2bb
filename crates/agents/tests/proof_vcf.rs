//! df-pn with knowledge of Gomoku: victories by continuous fours.

#[path = "../../games/tests/shared/mod.rs"]
mod shared;

use serde_json::Value as Json;
use shared::data;
use tesuji_agents::advice::Fours;
use tesuji_core::{Budget, Nobody, Notation, Player, Position, Seed};
use tesuji_games::gomoku::{Gomoku, Point, Rule};
use tesuji_search::Search;
use tesuji_search::proof::{Advised, Settings, check};

/// The winning move, if the side to move wins by continuous fours; with a proof that lists every reply, checked.
fn vcf(position: &Gomoku, nodes: u64) -> Option<String> {
    let mut search = Advised::new(Settings::default(), Box::new(Fours));
    let budget = Budget { nodes: Some(nodes), ..Budget::default() };
    let report = search.search(position, &budget, Seed(1), &mut Nobody).expect("live");
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

/// Of the forced wins attested by another program none is found by fours alone within this limit (they need threes, which
/// are not here yet), and none is called lost. When this number changes, say so.
#[test]
fn freestyle_forced_wins() {
    let Some(text) = data("gomoku/freestyle_forced_wins.jsonl") else { return };
    let mut found = 0;
    for line in text.lines() {
        let entry: Json = serde_json::from_str(line).expect("JSON");
        let size = entry["size"].as_u64().expect("a size") as usize;
        let mut position = Gomoku::new(size, Rule::Freestyle).expect("a board");
        for mv in entry["moves"].as_array().expect("a list") {
            position.play(position.read_move(mv.as_str().expect("text")).expect("legal"));
        }
        found += u32::from(vcf(&position, 30_000).is_some());
    }
    assert_eq!(found, 0);
}

/// Renju problems, set up from their diagrams.
#[test]
fn renju_problems() {
    let Some(text) = data("gomoku/renju_vcf_vct.json") else { return };
    let problems: Json = serde_json::from_str(&text).expect("JSON");
    let (mut found, mut all) = (0, 0);
    for problem in problems.as_array().expect("a list") {
        let mut stones = Vec::new();
        for (row, line) in problem["board_rows_top_15_to_1"].as_array().expect("rows").iter().enumerate() {
            for (column, letter) in line.as_str().expect("a row").chars().enumerate() {
                let owner = match letter {
                    'o' => Player::First,
                    'x' => Player::Second,
                    _ => continue,
                };
                stones.push((Point::new(column as u8, 14 - row as u8), owner));
            }
        }
        let attacker = if problem["attacker"] == "black" { Player::First } else { Player::Second };
        let position = Gomoku::set_up(15, Rule::Renju, stones, attacker).expect("a board");
        let won = vcf(&position, 30_000);
        // Where the source says that continuous fours win, so do we.
        let cases = problem["cases"].as_array().expect("cases");
        let is_vcf = cases.iter().any(|case| {
            case["solver"].as_str().is_some_and(|solver| solver.starts_with("VCF"))
                && case["result"].as_str().is_some_and(|result| result.starts_with("win"))
        });
        if is_vcf {
            all += 1;
            found += u32::from(won.is_some());
        }
    }
    assert_eq!((found, all), (5, 5));
}
