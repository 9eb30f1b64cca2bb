//! Chinese chess: mates of classical compositions, and how fast the search goes. Long runs; ask for them by name, in release.

use std::io::Write;
use std::time::Duration;
use tesuji_core::{Budget, NoObserver, Notation, Player, Position, Seed};
use tesuji_games::xiangqi::Xiangqi;
use tesuji_search::Search;
use tesuji_search::minimax::AlphaBeta;
use tesuji_search::minimax::alphabeta::Options;
use tesuji_testing::processor::processor_seconds;
use tesuji_testing::{public, setting};

fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// The positions of the file that have a mate, and its length. One key a line, the position before its mate.
fn mates(text: &str) -> Vec<(&str, &str)> {
    let value = |line: &'static str| format!("\"{line}\": ");
    let (fen_key, mate_key) = (value("fen"), value("mate_in"));
    let mut fen = "";
    let mut found = Vec::new();
    for line in text.lines() {
        let line = line.trim_end_matches(',');
        if let Some(text) = line.strip_prefix(&fen_key) {
            fen = text.trim_matches('"');
        }
        if let Some(length) = line.strip_prefix(&mate_key) {
            found.push((fen, length));
        }
    }
    found
}

/// At least 160 of 198 compositions within ten seconds each (TESUJI_MATE_MILLISECONDS), Red to move and win.
/// A mate counts when the search says so; its line must be legal, and where it reaches the end, Red must have won.
#[test]
#[ignore = "up to half an hour; release"]
fn mates_of_classical_compositions() {
    // Nodes instead of time, where other work shares the machine.
    let nodes_each = std::env::var("TESUJI_MATE_NODES").ok().map(|text| text.parse().expect("a number"));
    let Some(text) = public("xiangqi/mate_compositions.json") else { return };
    let limit = Duration::from_millis(setting("TESUJI_MATE_MILLISECONDS", 10_000));
    let (from, step) = (setting("TESUJI_MATE_FROM", 0), setting("TESUJI_MATE_STEP", 1));
    let (mut found, mut tried, mut shown, mut nodes, mut seconds) = (0, 0, 0, 0, 0.0);
    for (fen, length) in mates(&text).into_iter().skip(from).step_by(step) {
        let position = Xiangqi::from_fen(fen).expect("a position");
        let mut search = AlphaBeta::new(Options { bytes: 64 << 20, ..Options::default() });
        let hard_time = nodes_each.is_none().then_some(limit);
        let budget = Budget { hard_time, nodes: nodes_each, ..Budget::default() };
        let report = search.search(&position, &budget, Seed(1), &mut NoObserver).expect("live");
        let wins = report.value.for_player(Player::First) == 1.0;
        tried += 1;
        nodes += report.nodes;
        seconds += report.elapsed.as_secs_f64();
        found += u32::from(wins);
        let mut along = position;
        for mv in &report.line {
            assert!(along.is_legal(*mv), "{fen}");
            along.play(*mv);
        }
        // Lines may be cut short by the table; those that are not must end in the mate.
        if wins && along.outcome().is_some() {
            assert_eq!(along.outcome().and_then(tesuji_core::Outcome::winner), Some(Player::First), "{fen}");
            shown += 1;
        }
        if !wins {
            say(&format!("not found (mate in {length}), depth {}, {} nodes: {fen}", report.depth, report.nodes));
        }
    }
    let speed = nodes as f64 / seconds / 1e6;
    say(&format!("{found} of {tried} mates, {shown} with the whole line, {speed:.2} M nodes/s"));
    assert!(found * 198 >= tried * 160, "{found} of {tried}");
}

#[test]
#[ignore = "a measurement, not a judgement; release"]
fn speed() {
    let positions = [
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
        "r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKABR1 w - - 0 1",
        "2bakab2/9/2n1c4/p3p3p/4R4/2P6/P3P1n1P/4C1N2/9/2BAKAB2 b - - 0 1",
    ];
    for fen in positions {
        let position = Xiangqi::from_fen(fen).expect("a position");
        let mut search = AlphaBeta::new(Options { bytes: 64 << 20, ..Options::default() });
        let threads = std::num::NonZeroU32::new(setting("TESUJI_THREADS", 1));
        let depth = std::env::var("TESUJI_DEPTH").ok().map(|text| text.parse().expect("a number"));
        let nodes = depth.is_none().then(|| setting("TESUJI_NODES", 3_000_000));
        let budget = Budget { nodes, depth, threads, ..Budget::default() };
        let before = processor_seconds();
        let report = search.search(&position, &budget, Seed(1), &mut NoObserver).expect("live");
        let busy = processor_seconds() - before;
        let best = position.show_move(report.best.expect("a move"));
        say(&format!(
            "{best} depth {} ({:?}), {} nodes, {:.2} s, {:.2} M nodes/s, {:.2} M nodes for a second of processor time",
            report.depth,
            report.figures,
            report.nodes,
            report.elapsed.as_secs_f64(),
            report.nodes as f64 / report.elapsed.as_secs_f64() / 1e6,
            report.nodes as f64 / busy / 1e6
        ));
    }
}

/// How long a stopped search takes to answer.
#[test]
#[ignore = "a measurement, not a judgement; release"]
fn answers_after_a_stop() {
    let mut latest = Duration::ZERO;
    for round in 0..20 {
        let budget = Budget { threads: std::num::NonZeroU32::new(1 + round % 2), ..Budget::default() };
        let stop = budget.stop.clone();
        let thrower = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            stop.stop();
            std::time::Instant::now()
        });
        let report = AlphaBeta::default().search(&Xiangqi::new(), &budget, Seed(1), &mut NoObserver).expect("live");
        let late = thrower.join().expect("no panic").elapsed();
        say(&format!("{late:?} after the stop, depth {}", report.depth));
        latest = latest.max(late);
    }
    say(&format!("at most {latest:?}"));
}
