//! Positions of Connect6 that are won: those of the data, and those of `crates/games/problems/connect6`.

use serde_json::Value as Json;
use tesuji_core::{Notation, Position};
use tesuji_games::connect6::{Connect6, Connect6Problem};
use tesuji_testing::vendored;

/// All positions in which another program won by double threats, with their names.
pub fn known_wins() -> Vec<(String, Connect6)> {
    let text = vendored("connect6/vcdt_wins.jsonl");
    let read = |line: &str| {
        let entry: Json = serde_json::from_str(line).expect("JSON");
        let mut position = Connect6::new(19).expect("a board");
        for turn in entry["moves"].as_array().expect("turns") {
            for stone in &turn.as_array().expect("stones")[1..] {
                position.play(position.read_move(stone.as_str().expect("text")).expect("legal"));
            }
        }
        (entry["id"].to_string(), position)
    };
    text.lines().map(read).collect()
}

/// The folder of our own problems.
pub fn folder() -> String {
    format!("{}/../games/problems/connect6", env!("CARGO_MANIFEST_DIR"))
}

/// One of them, by its name.
pub fn problem(name: &str) -> Connect6Problem {
    let text = std::fs::read_to_string(format!("{}/{name}.txt", folder())).expect("a problem");
    Connect6Problem::from_text(&text).expect("a problem")
}
