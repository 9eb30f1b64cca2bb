//! What a second thread saves: time to a fixed depth, on Chinese chess and Othello. A measurement; ask for it by name, in release.

use std::io::Write;
use std::num::NonZeroU32;
use tesuji_core::{Budget, NoObserver, Rng, Seed, Studied, Undoable};
use tesuji_games::othello::{Empties, Othello};
use tesuji_games::xiangqi::Xiangqi;
use tesuji_search::Search;
use tesuji_search::minimax::AlphaBeta;
use tesuji_search::minimax::alphabeta::Options;
use tesuji_testing::processor::processor_seconds;
use tesuji_testing::setting;

fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Searches many positions to a depth with one thread and with two, in turn. The main thread runs where it is
/// called from, so its processor time is what its search would take on a machine with two free cores.
fn measure<P: Undoable + Studied>(name: &str, start: &P, plies: u32, depth: u32) {
    let (mut nodes, mut busy, mut passed) = ([0.0; 2], [0.0; 2], [0.0; 2]);
    let positions = setting("TESUJI_POSITIONS", 24);
    for seed in 0..positions {
        let mut position = start.clone();
        let mut rng = Rng::new(Seed(seed));
        for _ in 0..plies {
            position.play(position.random_move(&mut rng).expect("a young game"));
        }
        for (number, threads) in [1, 2].into_iter().enumerate() {
            let budget = Budget { depth: Some(depth), threads: NonZeroU32::new(threads), ..Budget::default() };
            let mut search = AlphaBeta::new(Options { bytes: 64 << 20, ..Options::default() });
            let before = processor_seconds();
            let report = search.search(&position, &budget, Seed(seed), &mut NoObserver).expect("live");
            busy[number] += processor_seconds() - before;
            passed[number] += report.elapsed.as_secs_f64();
            let main = report.figures.iter().find(|(name, _)| *name == "nodes of the main thread");
            nodes[number] += main.map_or(report.nodes as f64, |(_, nodes)| *nodes);
        }
    }
    let ratio = |sums: [f64; 2]| sums[0] / sums[1];
    say(&format!(
        "{name}, {positions} positions to depth {depth}: the main thread's nodes {nodes:.0?}, {:.2} times fewer; its processor time {busy:.2?} s, {:.2} \
         times less; time passed {passed:.2?} s, {:.2} times less",
        ratio(nodes),
        ratio(busy),
        ratio(passed)
    ));
}

#[test]
#[ignore = "a minute; a measurement, not a judgement; release"]
fn two_threads() {
    measure("Chinese chess", &Xiangqi::new(), 8, setting("TESUJI_DEPTH", 9));
    let othello = Othello::new(8, Empties::None).expect("a board");
    measure("Othello", &othello, 12, setting("TESUJI_OTHELLO_DEPTH", 12));
}
