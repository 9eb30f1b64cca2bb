//! Forced wins of Gomoku and renju from the data, set up.

use serde_json::Value as Json;
use tesuji_core::{Notation, Player, Position};
use tesuji_games::gomoku::{Gomoku, Point, Rule};
use tesuji_testing::{public, vendored};

/// A position that the side to move wins, according to its source.
pub struct Problem {
    pub position: Gomoku,
    /// Whether continuous fours are said to be enough.
    pub by_fours: bool,
}

/// Wins of freestyle Gomoku, attested by another program.
pub fn freestyle() -> Vec<Problem> {
    let text = vendored("gomoku/freestyle_forced_wins.jsonl");
    let problem = |line: &str| {
        let entry: Json = serde_json::from_str(line).expect("JSON");
        let size = entry["size"].as_u64().expect("a size") as usize;
        let mut position = Gomoku::new(size, Rule::Freestyle).expect("a board");
        for mv in entry["moves"].as_array().expect("a list") {
            position.play(position.read_move(mv.as_str().expect("text")).expect("legal"));
        }
        Problem { position, by_fours: false }
    };
    text.lines().map(problem).collect()
}

/// Renju problems, set up from their diagrams; none if the data is not there.
pub fn renju() -> Vec<Problem> {
    let Some(text) = public("gomoku/renju_vcf_vct.json") else { return Vec::new() };
    let problems: Json = serde_json::from_str(&text).expect("JSON");
    let problem = |problem: &Json| {
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
        let cases = problem["cases"].as_array().expect("cases");
        let by_fours = cases.iter().any(|case| {
            case["solver"].as_str().is_some_and(|solver| solver.starts_with("VCF"))
                && case["result"].as_str().is_some_and(|result| result.starts_with("win"))
        });
        Problem { position, by_fours }
    };
    problems.as_array().expect("a list").iter().map(problem).collect()
}
