//! What a small network costs: the network 81 → 27 → 1 on a board of 54 stones.
//!
//! Here and not in the program, since only here it is compiled as it is for play.

use super::{Accumulator, FastNetwork, Mlp};
use std::hint::black_box;
use std::time::{Duration, Instant};
use tesuji_core::{Rng, Seed};

/// Nanoseconds of one call: the fastest batch, so that other processes do not count.
fn nanoseconds(time: Duration, call: &mut dyn FnMut(u32)) -> f64 {
    const BATCH: u32 = 256;
    let (started, mut least) = (Instant::now(), f64::INFINITY);
    while least.is_infinite() || started.elapsed() < time {
        let begun = Instant::now();
        call(BATCH);
        least = least.min(begun.elapsed().as_secs_f64() * 1e9 / f64::from(BATCH));
    }
    least
}

/// Nanoseconds of each way to evaluate it, each measured for this time.
#[must_use]
pub fn costs(time: Duration, seed: Seed) -> Vec<(&'static str, f64)> {
    let network = Mlp::hawk(81, &mut Rng::new(seed));
    let fast = FastNetwork::of(&network).expect("two layers and one output");
    let stones: Vec<i8> = (0..81).map(|point| [1, -1, 0][point % 3]).collect();
    let input: Vec<f64> = stones.iter().map(|stone| f64::from(*stone)).collect();
    let mut sums = Accumulator::default();
    let full = nanoseconds(time, &mut |count| {
        (0..count).for_each(|_| drop(black_box(network.evaluate(black_box(&input)))));
    });
    let whole = nanoseconds(time, &mut |count| {
        for _ in 0..count {
            fast.begin(black_box(&stones), &mut sums);
            black_box(fast.answer(&sums));
        }
    });
    let stone = nanoseconds(time, &mut |count| {
        for point in 0..count as usize {
            fast.change(&mut sums, point % 81, 1);
            black_box(fast.answer(&sums));
            fast.change(&mut sums, point % 81, -1);
        }
    });
    vec![
        ("81-27-1, double precision, from scratch", full),
        ("81-27-1 for play, a board of 54 stones from scratch", whole),
        ("81-27-1 for play, one stone set, judged and taken back", stone),
    ]
}

#[cfg(test)]
mod tests {
    use super::costs;
    use std::time::Duration;
    use tesuji_core::Seed;

    #[test]
    fn three_ways_are_measured() {
        let costs = costs(Duration::from_millis(1), Seed(1));
        assert!(costs.len() == 3 && costs.iter().all(|(_, time)| time.is_finite() && *time > 0.0));
    }
}
