//! Alpha-beta: speed, what a second thread saves, and the time to an answer after a stop. `cargo
//! bench -p tesuji-search --bench alphabeta`; results are in docs/decisions/0008-alpha-beta.md.
//!
//! Counts are the same on every machine with one thread. Processor time says more than elapsed time
//! where other work shares the machine: the main thread runs where it is called from, so its
//! processor time is what its search takes on a machine with free cores.

use std::num::NonZeroU32;
use std::time::{Duration, Instant};
use tesuji_core::{Budget, NoObserver, Rng, Seed, Studied};
use tesuji_games::othello::{Empties, Othello};
use tesuji_games::xiangqi::Xiangqi;
use tesuji_search::Search;
use tesuji_search::minimax::AlphaBeta;
use tesuji_search::minimax::alphabeta::Options;
use tesuji_testing::figures::{Figures, Unit};
use tesuji_testing::processor::processor_seconds;
use tesuji_testing::setting;

fn search() -> AlphaBeta {
    AlphaBeta::new(Options { bytes: 64 << 20, ..Options::default() })
}

/// Depth reached and processor time for a number of nodes, in an opening, a middle game and an
/// endgame of Chinese chess.
fn speed(figures: &mut Figures) {
    for (name, fen) in [
        ("opening", "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"),
        ("middle game", "r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKABR1 w - - 0 1"),
        ("endgame", "2bakab2/9/2n1c4/p3p3p/4R4/2P6/P3P1n1P/4C1N2/9/2BAKAB2 b - - 0 1"),
    ] {
        let position = Xiangqi::from_fen(fen).expect("a position");
        let budget = Budget { nodes: Some(setting("TESUJI_NODES", 3_000_000)), ..Budget::default() };
        let before = processor_seconds();
        let report = search().search(&position, &budget, Seed(1), &mut NoObserver).expect("live");
        let used = processor_seconds() - before;
        figures.add(format!("Chinese chess, {name}: depth"), f64::from(report.depth), Unit::Count);
        figures.add(format!("Chinese chess, {name}: million nodes"), report.nodes as f64 / 1e6, Unit::Count);
        figures.add(format!("Chinese chess, {name}: processor"), used, Unit::Seconds);
    }
}

/// Searches positions to a depth with one thread and with two.
fn threads<P: Studied>(figures: &mut Figures, name: &str, start: &P, plies: u32, depth: u32) {
    let positions = setting("TESUJI_POSITIONS", 24);
    for threads in [1, 2] {
        let (mut nodes, mut used, mut passed) = (0.0, 0.0, 0.0);
        for seed in 0..positions {
            let mut position = start.clone();
            let mut rng = Rng::new(Seed(seed));
            for _ in 0..plies {
                position.play(position.random_move(&mut rng).expect("a young game"));
            }
            let budget = Budget { depth: Some(depth), threads: NonZeroU32::new(threads), ..Budget::default() };
            let before = processor_seconds();
            let report = search().search(&position, &budget, Seed(seed), &mut NoObserver).expect("live");
            used += processor_seconds() - before;
            passed += report.elapsed.as_secs_f64();
            let main = report.figures.iter().find(|(name, _)| *name == "nodes of the main thread");
            nodes += main.map_or(report.nodes as f64, |(_, nodes)| *nodes);
        }
        let name = format!("{name} to depth {depth}, {threads} thread{}", if threads == 1 { "" } else { "s" });
        figures.add(format!("{name}: million nodes of the main thread"), nodes / 1e6, Unit::Count);
        figures.add(format!("{name}: processor of the main thread"), used, Unit::Seconds);
        figures.add(format!("{name}: elapsed"), passed, Unit::Seconds);
    }
}

/// The time from a stop to the answer.
fn stops(figures: &mut Figures) {
    for threads in [1, 2] {
        let mut late = Vec::new();
        for _ in 0..20 {
            let budget = Budget { threads: NonZeroU32::new(threads), ..Budget::default() };
            let stop = budget.stop.clone();
            let stopper = std::thread::spawn(move || {
                std::thread::sleep(Duration::from_millis(100));
                stop.stop();
                Instant::now()
            });
            AlphaBeta::default().search(&Xiangqi::new(), &budget, Seed(1), &mut NoObserver).expect("live");
            late.push(stopper.join().expect("no panic").elapsed().as_secs_f64() * 1e3);
        }
        figures.spread(&format!("answer after a stop, {threads} threads"), late, Unit::Milliseconds);
    }
}

fn main() {
    let mut figures = Figures::new("alphabeta");
    speed(&mut figures);
    stops(&mut figures);
    threads(&mut figures, "Chinese chess", &Xiangqi::new(), 8, setting("TESUJI_DEPTH", 9));
    let othello = Othello::new(8, Empties::None).expect("a board");
    threads(&mut figures, "Othello", &othello, 12, setting("TESUJI_OTHELLO_DEPTH", 12));
    figures.finish();
}
