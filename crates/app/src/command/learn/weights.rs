//! `tesuji learn weights`: the weights that are built in.

use crate::failure::Failure;
use crate::output;
use serde::Serialize;
use tesuji_agents::{games, start_game};
use tesuji_core::FeatureSet;
use tesuji_core::spec::Spec;
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
    let mut weights: Vec<Row> = shipped::all()
        .into_iter()
        .map(|it| Row { agent: it.agent, game: it.game, bytes: it.bytes, note: it.note })
        .collect();
    weights.extend(patterns());
    let answer = Answer { bytes: weights.iter().map(|row| row.bytes).sum(), weights };
    if json {
        output::print_json(&answer);
    } else {
        output::print(&in_words(&answer));
    }
    Ok(())
}

/// The learned patterns of all games.
fn patterns() -> Vec<Row> {
    let mut rows = Vec::new();
    for game in games() {
        // A game that does not start without arguments has no patterns.
        let Ok(start) = start_game(&Spec::bare(game.description.name)) else { continue };
        rows.extend(FeatureSet::ALL.into_iter().filter_map(|set| {
            let gammas = start.position.learned_gammas(set)?;
            let (game, bytes) = (gammas.features().to_string(), gammas.to_bytes().len());
            Some(Row { agent: "mcts", game, bytes, note: gammas.note().to_string() })
        }));
    }
    rows
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
