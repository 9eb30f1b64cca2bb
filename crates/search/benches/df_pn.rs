//! df-pn without knowledge, with one thread and with two: nodes, and processor time of all threads.
//! `cargo bench -p tesuji-search --bench df_pn`.
//!
//! Processor time divided by the number of threads is the least that can pass on a machine with
//! free cores.

use std::num::NonZeroU32;
use tesuji_core::solver::Settings;
use tesuji_core::{Budget, Goal, NoObserver, Player, Position, Rng, Seed, Studied};
use tesuji_games::hex::{Hex, SwapRule};
use tesuji_games::othello::{Empties, Othello};
use tesuji_search::Search;
use tesuji_search::proof::DfPn;
use tesuji_testing::figures::{Figures, Unit};
use tesuji_testing::processor::process_time;

/// Solves the positions with both numbers of threads.
fn measure<P: Studied>(figures: &mut Figures, name: &str, positions: &[P], goal: Goal) {
    for threads in [1, 2] {
        let (before, mut nodes) = (process_time(), 0);
        for position in positions {
            let budget = Budget { memory: Some(1 << 28), threads: NonZeroU32::new(threads), ..Budget::default() };
            let mut search = DfPn::new(Settings::default(), goal);
            nodes += search.search(position, &budget, Seed(1), &mut NoObserver).expect("live").nodes;
        }
        let used = process_time().saturating_sub(before).as_secs_f64();
        figures.add(format!("{name}, {threads} threads: million nodes"), nodes as f64 / 1e6, Unit::Count);
        figures.add(format!("{name}, {threads} threads: processor"), used, Unit::Seconds);
    }
}

fn main() {
    let mut figures = Figures::new("df_pn");
    let hex = |seed| {
        let mut rng = Rng::new(Seed(seed));
        let mut hex = Hex::new(5, SwapRule::Off).expect("a board");
        (0..3).for_each(|_| hex.play(hex.random_move(&mut rng).expect("live")));
        hex
    };
    let end = |seed| {
        let start = Othello::new(8, Empties::None).expect("a board");
        start.after_random_plies(40, seed).expect("goes on")
    };
    let positions: Vec<Hex> = (10..16).map(hex).collect();
    measure(&mut figures, "6 Hex 5×5 after 3 random moves", &positions, Goal::default());
    let positions: Vec<Othello> = (10..16).map(end).collect();
    measure(&mut figures, "6 Othello with 20 empty squares", &positions, Goal::win_of(Player::First));
    figures.finish();
}
