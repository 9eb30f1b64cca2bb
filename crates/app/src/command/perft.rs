//! `tesuji perft`: counts move sequences.

use super::PlayedGame;
use crate::arguments::PerftArguments;
use crate::failure::Failure;
use crate::output;
use crate::progress;
use serde::Serialize;
use tesuji_core::Budget;

#[derive(Serialize)]
struct Counted {
    game: String,
    depth: usize,
    nodes: u64,
    per_depth: Vec<u64>,
    /// False if the count was interrupted.
    complete: bool,
    seconds: f64,
}

/// Counts and prints.
pub fn run(arguments: &PerftArguments, json: bool) -> Result<(), Failure> {
    let (played, depth) = (PlayedGame::of(&arguments.position)?, arguments.depth as usize);
    let budget = Budget { stop: progress::interrupt(), ..Budget::default() };
    let mut meter = budget.meter();
    let counted = progress::with_spinner("counting", || played.position.perft(depth, &mut meter));
    let seconds = meter.elapsed().as_secs_f64();
    let nodes = counted.per_depth.last().copied().unwrap_or(0);
    if json {
        let game = played.game.to_string();
        let complete = counted.complete;
        output::print_json(&Counted { game, depth, nodes, per_depth: counted.per_depth, complete, seconds });
    } else {
        let row = |(number, count): (usize, &u64)| vec![(number + 1).to_string(), output::thousands(*count)];
        let rows: Vec<Vec<String>> = counted.per_depth.iter().enumerate().map(row).collect();
        let stopped = if counted.complete { "" } else { "; interrupted: these are the sequences counted so far" };
        output::print(&format!("{}\n{seconds:.3} s{stopped}", output::table(&["depth", "sequences"], &rows)));
    }
    Ok(())
}
