//! 64- against 128-bit position hashes: what an update and a table probe cost. `cargo bench -p
//! tesuji-core --bench hash_width`; the result is in docs/decisions/0002-hash-width.md.
#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::ops::BitXorAssign;
use std::time::Instant;
use tesuji_core::{Rng, Seed, Zobrist};

const POINTS: usize = 722;
const STEPS: usize = 20_000_000;

/// Nanoseconds per (update, update and probe of a table of `slots` entries with this key and an
/// 8-byte value).
fn measure<K: Copy + Default + PartialEq + BitXorAssign>(keys: &[K], slots: usize, low: fn(K) -> usize) -> (f64, f64) {
    let mut rng = Rng::new(Seed(1));
    let walk: Vec<u16> = (0..1 << 16).map(|_| rng.below(POINTS as u32) as u16).collect();
    let timed = |mut step: Box<dyn FnMut(K) + '_>| {
        let mut hash = K::default();
        let started = Instant::now();
        for number in 0..STEPS {
            hash ^= keys[usize::from(walk[number & 0xffff])];
            step(hash);
        }
        black_box(hash == K::default());
        started.elapsed().as_secs_f64() * 1e9 / STEPS as f64
    };
    let update = timed(Box::new(|hash| {
        black_box(low(hash));
    }));
    let mut table = vec![(K::default(), 0_u64); slots];
    let probe = timed(Box::new(|hash| {
        let entry = &mut table[low(hash) & (slots - 1)];
        if entry.0 == hash {
            entry.1 += 1;
        } else {
            *entry = (hash, 0);
        }
    }));
    (update, probe)
}

fn main() {
    let zobrist = Zobrist::new("bench");
    let narrow: Vec<u64> = (0..POINTS as u64).map(|index| zobrist.key(index)).collect();
    let wide: Vec<u128> = (0..POINTS as u64)
        .map(|index| u128::from(zobrist.key(index)) << 64 | u128::from(zobrist.key(index + 10_000)))
        .collect();
    println!("slots      64 bit: update  probe   128 bit: update  probe   (ns; entries of 16 and 32 bytes)");
    for slots in [1 << 12, 1 << 16, 1 << 20, 1 << 24] {
        let (update, probe) = measure(&narrow, slots, |hash| hash as usize);
        let (wide_update, wide_probe) = measure(&wide, slots, |hash| hash as usize);
        println!("{slots:>9} {update:>14.2} {probe:>7.2} {wide_update:>16.2} {wide_probe:>7.2}");
    }
}
