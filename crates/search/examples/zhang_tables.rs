//! Tables after Zhang 2019: iterations of the best-first proof-number searches.
//!
//! ```sh
//! cargo run --release -p tesuji-search --example zhang_tables -- pgames 2 20 200    # branching, depth, games
//! cargo run --release -p tesuji-search --example zhang_tables -- othello 48 50      # plies played at random, positions
//! ```
//!
//! The question is whether the first player wins. A search is stopped at ten million iterations and
//! counted with that number. Beside the means the table shows, relative to PN-search, the mean
//! ratio (of logarithms) with its paired t, and the numbers of games with fewer and with more
//! iterations. A Monte-Carlo solver opens one child per iteration, the others all children; as in
//! the thesis, its iterations are divided by the number of moves.
#![allow(clippy::print_stdout)]

use tesuji_core::{Budget, Goal, NoObserver, Position, Seed, StopReason};
use tesuji_games::othello::{Empties, Othello};
use tesuji_games::synthetic::PGame;
use tesuji_search::Search;
use tesuji_search::mcts::{Decision, Leaf, Mcts, Selection};
use tesuji_search::proof::{DeepPn, Mcpn, Pn, Ppn, Ties};

const MAX_ITERATIONS: u64 = 10_000_000;

/// A name, the number of iterations that count as one, and a constructor of the search.
type Entry<P> = (String, f64, Box<dyn FnMut() -> Box<dyn Search<P>>>);

fn iterations<P: Position>(search: &mut dyn Search<P>, root: &P, seed: u64) -> (f64, bool) {
    let budget = Budget { iterations: Some(MAX_ITERATIONS), memory: Some(4 << 30), ..Budget::default() };
    let report = search.search(root, &budget, Seed(seed), &mut NoObserver).expect("a live game");
    (report.iterations as f64, report.stopped == StopReason::Finished)
}

/// One line of a table, beside the first column as the base.
fn row(name: &str, base: &[f64], own: &[f64], unsolved: usize) {
    let count = own.len() as f64;
    let mean = own.iter().sum::<f64>() / count;
    let mut sorted = own.to_vec();
    sorted.sort_by(f64::total_cmp);
    let logs: Vec<f64> = base.iter().zip(own).map(|(base, own)| libm::log(own.max(1.0) / base.max(1.0))).collect();
    let ratio = logs.iter().sum::<f64>() / count;
    let spread = (logs.iter().map(|log| (log - ratio).powi(2)).sum::<f64>() / (count - 1.0)).sqrt();
    let t = if spread > 0.0 { ratio / (spread / count.sqrt()) } else { 0.0 };
    let fewer = base.iter().zip(own).filter(|(base, own)| own < base).count();
    let more = base.iter().zip(own).filter(|(base, own)| own > base).count();
    println!(
        "| {name} | {mean:.0} | {:.0} | {:.3} | {t:.1} | {fewer} / {more} | {unsolved} |",
        sorted[own.len() / 2],
        libm::exp(ratio)
    );
}

fn head() {
    println!("| search | mean | median | ratio to pn | t | fewer / more | unsolved |\n|---|---|---|---|---|---|---|");
}

fn table<P: Position>(roots: &[P], mut searches: Vec<Entry<P>>) {
    head();
    let mut base: Vec<f64> = Vec::new();
    for (name, share, make) in &mut searches {
        let mut own = Vec::new();
        let mut unsolved = 0;
        for (number, root) in roots.iter().enumerate() {
            let (count, solved) = iterations(make().as_mut(), root, number as u64);
            own.push(count / *share);
            unsolved += usize::from(!solved);
        }
        if base.is_empty() {
            base.clone_from(&own);
        }
        row(name, &base, &own, unsolved);
    }
}

/// Monte-Carlo search with a solver, ten playouts at a leaf; C = √2 on rewards from −1 to 1 is √½
/// on ours.
fn monte_carlo(c: f64) -> Mcts {
    let (select, leaf) = (Selection::Ucb1 { c }, Leaf::Random { playouts: 10 });
    Mcts { select, leaf, decide: Decision::Secure { a: 1.0 }, solver: true, reuse: false, ..Mcts::default() }
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
                ("pn".into(), 1.0, Box::new(move || Box::new(Pn::new(Ties::Leftmost, goal)))),
                ("deep-pn(0.5)".into(), 1.0, Box::new(move || Box::new(DeepPn::new(0.5, goal)))),
                ("mcpn(10)".into(), 1.0, Box::new(move || Box::new(Mcpn::new(10, 0.01, goal)))),
                ("ppn(10)".into(), 1.0, Box::new(move || Box::new(Ppn::new(10, 0.01, goal)))),
                ("UCT solver(10)".into(), f64::from(branching), Box::new(|| Box::new(monte_carlo(0.5_f64.sqrt())))),
                ("pure MCTS solver(10)".into(), f64::from(branching), Box::new(|| Box::new(monte_carlo(0.0)))),
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
            let mut searches: Vec<Entry<Othello>> = vec![
                ("pn".into(), 1.0, Box::new(move || Box::new(Pn::new(Ties::Leftmost, goal)))),
                ("pn, deepest ties".into(), 1.0, Box::new(move || Box::new(Pn::new(Ties::Deepest, goal)))),
            ];
            for tenth in (1..=10).rev() {
                let r = f64::from(tenth) / 10.0;
                searches.push((format!("deep-pn({r})"), 1.0, Box::new(move || Box::new(DeepPn::new(r, goal)))));
            }
            table(&roots, searches);
        }
        _ => println!("pgames BRANCHING DEPTH GAMES, or othello PLIES POSITIONS"),
    }
}
