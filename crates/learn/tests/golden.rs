//! The network in Rust computes what JAX computes; damaged files are refused.
//! The golden files come from `python/tests/make_golden.py`.

use std::path::Path;
use tesuji_core::TensorShape;
use tesuji_learn::network::{Instructions, Network, WeightError};

fn golden(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    std::fs::read(path).expect("a golden file")
}

const CELLS: TensorShape = TensorShape { planes: 8, rows: 5, columns: 5, globals: 4, moves: 26, moves_are_cells: true };
const DENSE: TensorShape = TensorShape { planes: 3, rows: 3, columns: 4, globals: 1, moves: 7, moves_are_cells: false };

#[test]
fn evaluations_agree_with_jax() {
    for (name, shape) in [("cells", CELLS), ("dense", DENSE)] {
        let network = Network::read(&golden(&format!("{name}.tzw"))).expect("a network");
        let data = golden(&format!("{name}.out"));
        let (count, mut rest) = data.split_at(4);
        let count = u32::from_le_bytes(count.try_into().expect("four bytes"));
        assert!(count >= 4);
        for _ in 0..count {
            let (planes, after) = rest.split_at(shape.bytes());
            let (globals, after) = after.split_at(4 * shape.globals);
            let (expected, after) = after.split_at(4 * (shape.moves + 1));
            rest = after;
            let numbers = |bytes: &[u8]| -> Vec<f32> {
                bytes.chunks(4).map(|four| f32::from_le_bytes(four.try_into().expect("four bytes"))).collect()
            };
            let (globals, expected) = (numbers(globals), numbers(expected));
            for instructions in Instructions::all() {
                let found = network.evaluate(instructions, (shape.rows, shape.columns), planes, &globals);
                assert_eq!(found.logits.len(), shape.moves);
                for (index, logit) in found.logits.iter().chain([&found.value]).enumerate() {
                    let wanted = expected[index];
                    assert!((logit - wanted).abs() < 2e-4, "{name} {index} {instructions:?}: {logit}, not {wanted}");
                }
            }
        }
        assert!(rest.is_empty());
    }
}

/// Every truncation, every flipped bit and every appended byte is an error, and no input panics.
#[test]
fn damaged_files_are_refused() {
    let good = golden("dense.tzw");
    assert!(Network::read(&good).is_ok());
    for length in 0..good.len() {
        assert!(Network::read(&good[..length]).is_err(), "cut to {length} bytes");
    }
    for byte in 0..good.len() {
        let mut bad = good.clone();
        bad[byte] ^= 1 << (byte % 8);
        assert!(Network::read(&bad).is_err(), "byte {byte}");
    }
    let mut long = good.clone();
    long.push(0);
    assert!(matches!(Network::read(&long), Err(WeightError::Length { .. })));
    assert_eq!(Network::read(b"something else entirely").map(|_| ()), Err(WeightError::Foreign));
    let mut later = good;
    later[8] = 9;
    assert_eq!(Network::read(&later).map(|_| ()), Err(WeightError::Version(9)));
}

#[test]
fn networks_know_their_game() {
    let cells = Network::read(&golden("cells.tzw")).expect("a network");
    assert_eq!(cells.incompatibility("go-1", &CELLS), None);
    // Another board size is supported: all weights are convolutions.
    let larger = TensorShape { rows: 9, columns: 9, moves: 82, ..CELLS };
    assert_eq!(cells.incompatibility("go-1", &larger), None);
    let found = cells.evaluate(Instructions::best(), (9, 9), &[0; 8 * 81], &[0.0; 4]);
    assert_eq!(found.logits.len(), 82);
    assert!(cells.incompatibility("hex-1", &CELLS).expect("another game").contains("hex-1"));
    let dense = Network::read(&golden("dense.tzw")).expect("a network");
    assert_eq!(dense.incompatibility("view-1", &DENSE), None);
    assert!(dense.incompatibility("view-1", &TensorShape { rows: 4, ..DENSE }).is_some());
}
