//! Light Go playouts from the empty board: playouts/s, moves/s, nanoseconds a move, in processor
//! time of one core.
//!
//! `cargo run --release -p tesuji-games --example go_bench [scale]`; scale 1 takes about five
//! seconds.
#![allow(clippy::print_stdout)]

use std::sync::OnceLock;
use std::time::Instant;
use tesuji_core::{Outcome, Position, Rng, Seed, Trace};
use tesuji_games::go::{Go, GoMove, GoRules, Komi};

/// Counts moves without asking for their order.
struct Count(u64);

impl Trace<Go> for Count {
    const NEEDS_ORDER: bool = false;

    fn played(&mut self, _: tesuji_core::Player, _: GoMove) {
        self.0 += 1;
    }
}

/// Seconds this process has spent on a processor (Linux counts them to the nanosecond), elsewhere
/// by the clock.
fn seconds_used() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let on_processor = std::fs::read_to_string("/proc/self/schedstat")
        .ok()
        .and_then(|text| text.split_whitespace().next().and_then(|nanoseconds| nanoseconds.parse::<f64>().ok()));
    on_processor
        .map_or_else(|| START.get_or_init(Instant::now).elapsed().as_secs_f64(), |nanoseconds| nanoseconds * 1e-9)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scale: f64 = std::env::args().nth(1).map_or(Ok(1.0), |text| text.parse())?;
    for (size, playouts) in [(9, 400_000.0), (19, 80_000.0)] {
        let playouts = (playouts * scale) as u32;
        let root = Go::new(GoRules { komi: Komi(13), ..GoRules::on(size) })?;
        let mut scratch = root.clone();
        let mut rng = Rng::new(Seed(1));
        let mut black_wins = 0_u32;
        let started = seconds_used();
        for _ in 0..playouts {
            scratch.clone_from(&root);
            let outcome: Outcome = scratch.playout(&mut rng, &mut ());
            black_wins += u32::from(outcome.margin > 0);
        }
        let seconds = seconds_used() - started;
        // The lengths are counted in a second pass over the same games: a listener costs time.
        let mut rng = Rng::new(Seed(1));
        let mut moves = Count(0);
        for _ in 0..playouts {
            scratch.clone_from(&root);
            scratch.playout(&mut rng, &mut moves);
        }
        let moves = moves.0 as f64;
        println!(
            "{size}: {:.1} k playouts/s, {:.2} M moves/s, {:.1} ns a move, mean length {:.2}, P(Black wins, komi 6.5) {:.4}",
            f64::from(playouts) / seconds / 1e3,
            moves / seconds / 1e6,
            seconds * 1e9 / moves,
            moves / f64::from(playouts),
            f64::from(black_wins) / f64::from(playouts),
        );
    }
    Ok(())
}
