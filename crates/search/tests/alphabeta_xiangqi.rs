//! Chinese chess: mates of classical compositions.

use std::io::Write;
use tesuji_core::{Budget, NoObserver, Player, Position, Seed};
use tesuji_games::xiangqi::Xiangqi;
use tesuji_search::Search;
use tesuji_search::minimax::AlphaBeta;
use tesuji_search::minimax::alphabeta::Options;
use tesuji_testing::{public, setting, sized};

fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// The positions of the file that have a mate, and its length. One key a line, the position before
/// its mate.
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

/// Every twentieth composition with 200,000 nodes, or at least 160 of all 198 with 20 million each,
/// Red to move and win. A mate counts if the search reports it. Its line must be legal, and if it
/// reaches the end, Red must have won.
#[test]
fn mates_of_classical_compositions() {
    let Some(text) = public("xiangqi/mate_compositions.json") else { return };
    let nodes_each = Some(setting("TESUJI_MATE_NODES", sized(200_000, 20_000_000)));
    let (step, least) = sized((20, 0.3), (1, 160.0 / 198.0));
    let (mut found, mut tried, mut shown, mut nodes, mut seconds) = (0, 0, 0, 0, 0.0);
    for (fen, length) in mates(&text).into_iter().step_by(step) {
        let position = Xiangqi::from_fen(fen).expect("a position");
        let mut search = AlphaBeta::new(Options { bytes: 64 << 20, ..Options::default() });
        let budget = Budget { nodes: nodes_each, ..Budget::default() };
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
        // The table may shorten lines; complete ones must end in the mate.
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
    assert!(f64::from(found) >= least * f64::from(tried), "{found} of {tried}");
}
