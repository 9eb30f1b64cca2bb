//! Zhang 2019, chapter 4, in small: relative Single Conspiracy Numbers along self-play from composed positions that Red wins.

use std::io::Write;
use tesuji_core::{Budget, Player, Seed};
use tesuji_games::xiangqi::{Handicap, PieceKind, Xiangqi};
use tesuji_search::conspiracy::{Scn, rscn};

fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().map_or(default, |text| text.parse().expect("a number"))
}

/// Mean, least and largest.
fn summary(numbers: &[f64]) -> String {
    let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
    let (least, most) = numbers.iter().fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(*x), b.max(*x)));
    format!("{} games, mean {mean:.1}, from {least:.1} to {most:.1}", numbers.len())
}

/// Red's numbers should be the smaller ones (T = 600), more clearly than his values are the larger ones.
#[test]
#[ignore = "minutes; a measurement; release"]
fn composed_wins() {
    let path = format!("{}/../../../shared/data/xiangqi/mate_compositions.json", env!("CARGO_MANIFEST_DIR"));
    let Ok(text) = std::fs::read_to_string(&path) else { return say(&format!("SKIPPED: no data file {path}")) };
    let (games, nodes) = (setting("TESUJI_RSCN_GAMES", 40) as usize, setting("TESUJI_RSCN_NODES", 100_000));
    let scn = Scn::new(setting("TESUJI_RSCN_T", 600) as i32);
    let budget = Budget { nodes: Some(nodes), depth: Some(8), ..Budget::default() };
    let mut fen = "";
    let mut averages = Vec::new();
    for line in text.lines() {
        fen = line.strip_prefix("\"fen\": \"").map_or(fen, |rest| rest.trim_end_matches("\","));
        // Only those with a mate.
        if !line.starts_with("\"mate_in\": ") || line.contains("null") || averages.len() >= games {
            continue;
        }
        let position = Xiangqi::from_fen(fen).expect("a position");
        let moments = rscn::self_play(&position, &scn, &budget, 16, Seed(1)).expect("live");
        averages.push([Player::First, Player::Second].map(|player| rscn::average(&moments, player)));
    }
    let numbers = |side: usize| averages.iter().filter_map(|pair| pair[side].rscn).collect::<Vec<f64>>();
    let values = |side: usize| averages.iter().filter_map(|pair| pair[side].value).collect::<Vec<f64>>();
    say(&format!("RSCN of Red: {}", summary(&numbers(0))));
    say(&format!("RSCN of Black: {}", summary(&numbers(1))));
    say(&format!("values of Red: {}", summary(&values(0))));
    say(&format!("values of Black: {}", summary(&values(1))));
    let (area, error) = rscn::separation(&numbers(0), &numbers(1)).expect("games");
    say(&format!("separation by RSCN {area:.3} ± {:.3}", 1.96 * error));
    let (area, error) = rscn::separation(&values(1), &values(0)).expect("games");
    say(&format!("separation by value {area:.3} ± {:.3}", 1.96 * error));
}

/// Openings in which Red gives pieces: the more he gives, the larger his numbers should be.
#[test]
#[ignore = "minutes; a measurement; release"]
fn handicaps() {
    let nodes = setting("TESUJI_RSCN_NODES", 200_000);
    let budget = Budget { nodes: Some(nodes), depth: Some(8), ..Budget::default() };
    let mut openings = vec![("nothing", Xiangqi::new())];
    for (name, kind) in [("horse", PieceKind::Horse), ("cannon", PieceKind::Cannon), ("rook", PieceKind::Rook)] {
        openings.push((name, Xiangqi::with_handicap(Handicap::One(kind))));
    }
    for (name, kind) in [("horses", PieceKind::Horse), ("cannons", PieceKind::Cannon), ("rooks", PieceKind::Rook)] {
        openings.push((name, Xiangqi::with_handicap(Handicap::Two(kind))));
    }
    for threshold in [200, 600] {
        for (name, start) in &openings {
            let (mut numbers, mut values) = (Vec::new(), Vec::new());
            for seed in 0..setting("TESUJI_RSCN_GAMES", 3) {
                let moments = rscn::self_play(start, &Scn::new(threshold), &budget, 12, Seed(seed)).expect("live");
                let red = rscn::average(&moments, Player::First);
                numbers.extend(red.rscn);
                values.extend(red.value);
            }
            say(&format!("T = {threshold}, without {name}: RSCN of Red {}", summary(&numbers)));
            say(&format!("    values {}", summary(&values)));
        }
    }
}
