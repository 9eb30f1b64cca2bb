//! Tables after Zhang 2019: iterations of the proof-number searches that keep a tree.
//!
//! ```sh
//! cargo run --release -p tesuji-search --example zhang_tables -- pgames 2 20 200    # branching, depth, games
//! cargo run --release -p tesuji-search --example zhang_tables -- othello 48 50      # plies played at random, positions
//! ```
//!
//! The question is whether the first player wins. A search that needs more than ten million iterations is given up and counted there. Beside the means stand, against
//! PN-search, the mean ratio (of logarithms) and in how many games fewer and more iterations were needed; `z` is the sign test's.
#![allow(clippy::print_stdout)]

use tesuji_core::{Budget, Nobody, Position, Seed, StopReason};
use tesuji_games::othello::{Empties, Othello};
use tesuji_games::synthetic::PGame;
use tesuji_search::Search;
use tesuji_search::proof::{DeepPn, Goal, Mcpn, Pn, Ppn, Ties};

const MOST: u64 = 10_000_000;

/// A name, and how to make the search anew.
type Entry<P> = (String, Box<dyn FnMut() -> Box<dyn Search<P>>>);

fn iterations<P: Position>(search: &mut dyn Search<P>, root: &P, seed: u64) -> (f64, bool) {
    let budget = Budget { iterations: Some(MOST), memory: Some(4 << 30), ..Budget::default() };
    let report = search.search(root, &budget, Seed(seed), &mut Nobody).expect("a live game");
    (report.iterations as f64, report.stopped == StopReason::Finished)
}

/// One line of a table, beside the first column as the base.
fn row(name: &str, base: &[f64], own: &[f64], unsolved: usize) {
    let count = own.len() as f64;
    let mean = own.iter().sum::<f64>() / count;
    let mut sorted = own.to_vec();
    sorted.sort_by(f64::total_cmp);
    let ratio = base.iter().zip(own).map(|(base, own)| libm::log(own.max(1.0) / base.max(1.0))).sum::<f64>() / count;
    let fewer = base.iter().zip(own).filter(|(base, own)| own < base).count();
    let more = base.iter().zip(own).filter(|(base, own)| own > base).count();
    let z = (fewer as f64 - more as f64) / ((fewer + more).max(1) as f64).sqrt();
    println!(
        "| {name} | {mean:.0} | {:.0} | {:.3} | {fewer} / {more} | {z:.1} | {unsolved} |",
        sorted[own.len() / 2],
        libm::exp(ratio)
    );
}

fn head() {
    println!("| search | mean | median | ratio to pn | fewer / more | z | unsolved |\n|---|---|---|---|---|---|---|");
}

fn table<P: Position>(roots: &[P], mut searches: Vec<Entry<P>>) {
    head();
    let mut base: Vec<f64> = Vec::new();
    for (name, make) in &mut searches {
        let mut own = Vec::new();
        let mut unsolved = 0;
        for (number, root) in roots.iter().enumerate() {
            let (count, solved) = iterations(make().as_mut(), root, number as u64);
            own.push(count);
            unsolved += usize::from(!solved);
        }
        if base.is_empty() {
            base.clone_from(&own);
        }
        row(name, &base, &own, unsolved);
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| arguments.get(at).and_then(|text| text.parse::<u32>().ok()).unwrap_or(20);
    let goal: Goal = "first-wins".parse().expect("a goal");
    match arguments.first().map(String::as_str) {
        Some("pgames") => {
            let (branching, depth, games) = (number(1), number(2), number(3));
            println!("P-games {branching}×{depth}, {games} games");
            let roots: Vec<PGame> =
                (0..games).map(|seed| PGame::new(branching, depth, u64::from(seed)).expect("a tree")).collect();
            let searches: Vec<Entry<PGame>> = vec![
                ("pn".into(), Box::new(move || Box::new(Pn::new(Ties::Leftmost, goal)))),
                ("deep-pn(0.5)".into(), Box::new(move || Box::new(DeepPn::new(0.5, goal)))),
                ("mcpn(10)".into(), Box::new(move || Box::new(Mcpn::new(10, 0.01, goal)))),
                ("ppn(10)".into(), Box::new(move || Box::new(Ppn::new(10, 0.01, goal)))),
            ];
            table(&roots, searches);
        }
        Some("othello") => {
            let (plies, positions) = (number(1), number(2));
            println!("Othello 8×8 after {plies} random plies, {positions} positions");
            let start = Othello::new(8, Empties::None).expect("a board");
            let roots: Vec<Othello> = (0..)
                .filter_map(|seed| start.after_random_plies(plies, seed).ok())
                .filter(|position| position.outcome().is_none())
                .take(positions as usize)
                .collect();
            let mut searches: Vec<Entry<Othello>> =
                vec![("pn".into(), Box::new(move || Box::new(Pn::new(Ties::Leftmost, goal))))];
            for tenth in (1..=10).rev() {
                let r = f64::from(tenth) / 10.0;
                searches.push((format!("deep-pn({r})"), Box::new(move || Box::new(DeepPn::new(r, goal)))));
            }
            table(&roots, searches);
        }
        _ => println!("pgames BRANCHING DEPTH GAMES, or othello PLIES POSITIONS"),
    }
}
