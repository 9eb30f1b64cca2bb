//! `tesuji learn weights`: the weights that are built in.

use crate::failure::Failure;
use crate::output;
use serde::Serialize;
use tesuji_learn::shipped;

#[derive(Serialize)]
struct Answer {
    weights: Vec<Row>,
    bytes: usize,
}

#[derive(Serialize)]
struct Row {
    agent: &'static str,
    game: String,
    bytes: usize,
    note: String,
}

/// Lists them.
pub fn run(json: bool) -> Result<(), Failure> {
    let weights: Vec<Row> = shipped::all()
        .into_iter()
        .map(|it| Row { agent: it.agent, game: it.game, bytes: it.bytes, note: it.note })
        .collect();
    let answer = Answer { bytes: weights.iter().map(|row| row.bytes).sum(), weights };
    if json {
        output::print_json(&answer);
    } else {
        output::print(&in_words(&answer));
    }
    Ok(())
}

fn in_words(answer: &Answer) -> String {
    let bytes = |count: usize| output::thousands(count as u64);
    let rows: Vec<Vec<String>> = answer
        .weights
        .iter()
        .map(|row| vec![row.agent.to_string(), row.game.clone(), bytes(row.bytes), row.note.clone()])
        .collect();
    let table = output::table(&["agent", "game", "bytes", "how they were made"], &rows);
    format!("{table}\n{} bytes in all", bytes(answer.bytes))
}
