//! What self-play costs on the processor, without a network: microseconds of one core for each
//! evaluation (descent, features, copy). `cargo run --release -p tesuji-learn --example
//! selfplay_speed [SIZE] [THREADS]`

use std::time::Instant;
use tesuji_core::{Rng, Seed};
use tesuji_games::go::{Go, GoRules};
use tesuji_learn::selfplay::{AnySelfPlay, SelfPlay, SelfPlayConfig};

#[allow(clippy::print_stdout)]
fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<usize>().expect("a number"));
    let (size, threads) = (arguments.next().unwrap_or(9), arguments.next().unwrap_or(1));
    let games = 256 * threads;
    let start = Go::new(GoRules::on(size)).expect("a board");
    let mut play = SelfPlay::new(&start, &SelfPlayConfig { games, threads, ..SelfPlayConfig::default() });
    let shape = play.shape();
    let (mut planes, mut globals) = (vec![0; games * shape.bytes()], vec![0.0; games * shape.globals]);
    let mut rng = Rng::new(Seed(1));
    let logits: Vec<f32> = (0..games * shape.moves).map(|_| rng.unit() as f32 * 3.0).collect();
    let values: Vec<f32> = (0..games).map(|_| rng.unit() as f32 - 0.5).collect();
    play.gather(&mut planes, &mut globals);
    let (mut rounds, begin) = (0, Instant::now());
    while begin.elapsed().as_secs() < 10 {
        AnySelfPlay::step(&mut play, &logits, &values, &mut planes, &mut globals);
        rounds += 1;
    }
    let evaluations = (rounds * games) as f64;
    let seconds = begin.elapsed().as_secs_f64();
    println!("{size}x{size}, {threads} threads: {:.0} evaluations/s", evaluations / seconds);
    println!("{:.2} µs of wall time × threads for each", seconds * threads as f64 / evaluations * 1e6);
    println!("{:?}", play.counts());
}
