//! What one evaluation of the embedded network costs: the shortest of many, by instruction set.
//! `cargo run --release -p tesuji-learn --example network_speed [SIZE]`

use std::time::{Duration, Instant};
use tesuji_learn::network::{Instructions, Network};

#[allow(clippy::print_stdout)]
fn main() {
    let size = std::env::args().nth(1).map_or(9, |text| text.parse::<usize>().expect("a number"));
    let network = Network::read(include_bytes!("../weights/go9.tzw")).expect("the embedded weights");
    let planes: Vec<u8> = (0..8 * size * size).map(|cell| u8::from(cell % 3 == 0)).collect();
    for instructions in Instructions::all() {
        let mut best = Duration::MAX;
        for _ in 0..2_000 {
            let begin = Instant::now();
            std::hint::black_box(network.evaluate(instructions, (size, size), &planes, &[1.0, 0.0, -0.75, 0.0]));
            best = best.min(begin.elapsed());
        }
        println!("{size}x{size}, {instructions:?}: {:.3} ms", best.as_secs_f64() * 1e3);
    }
}
