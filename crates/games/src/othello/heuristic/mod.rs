//! Knowledge of Othello: mobility, frontier, corners, stable discs, parity. For searches; the rules
//! do not use it.
//!
//! **Evaluation**: a sum of features (`features.rs`), each with a weight that depends on the stage
//! of the game (`weights.rs`); the weights are fitted to self-play by `tesuji fit othello`.
//!
//! **Preference.** Corners 20, X-squares 0.15, C-squares 0.5, other squares of the edge 1.3, all
//! others 1; times 1 + 8/(1 + moves left to the opponent). These weights are hand-made.

mod features;
mod stable;
mod weights;

pub use features::{FEATURES, NAMES, features};
pub use stable::{stable, stable_of_both};
pub use weights::{KNOTS, WeightedFeatures, Weights, WeightsError};

use super::{Move, Othello, OthelloEndgame, OthelloPlanes, bits, solving};
use std::sync::LazyLock;
use tesuji_core::solver::Solver;
use tesuji_core::{Encoding, Endgame, Evaluation, Player, Position, Preference, Studied};

const WEST_EDGE: u64 = 0x0101_0101_0101_0101;
const EAST_EDGE: u64 = WEST_EDGE << 7;

impl Studied for Othello {
    const SOLVERS: &'static [Solver<Othello>] = solving::SOLVERS;

    /// Alpha-beta with the evaluation beats Monte-Carlo search (docs/defaults.md).
    fn strongest(&self) -> &'static str {
        "alpha-beta"
    }

    fn solver(&self) -> &'static str {
        "othello-solver"
    }

    fn evaluation(&self) -> Option<Box<dyn Evaluation<Othello>>> {
        Some(Box::new(WeightedFeatures::new(DEFAULT_WEIGHTS.clone())))
    }

    fn encoding(&self) -> Option<Box<dyn Encoding<Othello>>> {
        Some(Box::new(OthelloPlanes::of(self)))
    }

    fn preference(&self) -> Option<Box<dyn Preference<Othello>>> {
        Some(Box::new(SquarePreference))
    }

    /// There are no captures to resolve and no null moves (passing is often a relief), but late
    /// positions are solved exactly.
    fn endgame(&self) -> Option<Box<dyn Endgame<Othello>>> {
        Some(Box::new(OthelloEndgame::default()))
    }
}

/// The default weights.
static DEFAULT_WEIGHTS: LazyLock<Weights> =
    LazyLock::new(|| include_str!("weights.txt").parse().expect("a test reads the embedded table"));

/// The preference of Othello. See the head of this file.
#[derive(Clone, Copy, Debug, Default)]
pub struct SquarePreference;

impl Preference<Othello> for SquarePreference {
    fn weigh(&self, position: &Othello, moves: &[Move], weights: &mut Vec<f64>) {
        let mover = position.turn();
        let (own, other) = (position.discs(mover), position.discs(mover.other()));
        let (diagonal, along) = beside_empty_corners(position);
        let board = position.board();
        let edge = board & !inner_squares(position);
        weights.clear();
        weights.extend(moves.iter().map(|mv| {
            if *mv == Move::PASS {
                return 1.0;
            }
            let square = 1 << mv.0;
            let kind = match square {
                _ if square & corners(position) != 0 => 20.0,
                _ if square & diagonal != 0 => 0.15,
                _ if square & along != 0 => 0.5,
                _ if square & edge != 0 => 1.3,
                _ => 1.0,
            };
            let turned = bits::flips(own, other, u32::from(mv.0));
            let replies = bits::placements(other & !turned, own | turned | square, board).count_ones();
            kind * (1.0 + 8.0 / (1.0 + f64::from(replies)))
        }));
    }
}

/// The squares adjacent to empty corners: diagonally (X-squares), and along the edge (C-squares).
fn beside_empty_corners(position: &Othello) -> (u64, u64) {
    let empty_corners = corners(position) & position.empty();
    let near = around(empty_corners) & position.board() & !empty_corners;
    let inside = inner_squares(position);
    (near & inside, near & !inside)
}

/// The squares that are not on the edge of the board.
const fn inner_squares(position: &Othello) -> u64 {
    let size = position.size();
    let row = ((1 << (size - 2)) - 1) << 1;
    let mut inside = 0;
    let mut number = 1;
    while number + 1 < size {
        inside |= row << (8 * number);
        number += 1;
    }
    inside
}

/// The number of squares where `player` could play if to move.
#[must_use]
pub fn mobility(position: &Othello, player: Player) -> u32 {
    position.placements(player).count_ones()
}

/// The squares adjacent to the set, and the set itself.
const fn around(set: u64) -> u64 {
    let row = set | (set & !EAST_EDGE) << 1 | (set & !WEST_EDGE) >> 1;
    row | row << 8 | row >> 8
}

/// The discs of `player` that touch an empty square, from which they may be turned over later.
#[must_use]
pub fn frontier(position: &Othello, player: Player) -> u64 {
    around(position.empty()) & position.discs(player)
}

/// The four corners of the board.
#[must_use]
pub const fn corners(position: &Othello) -> u64 {
    let last = position.size() - 1;
    1 | 1 << last | 1 << (8 * last) | 1 << (9 * last)
}

/// The corners that `player` holds.
#[must_use]
pub fn corners_of(position: &Othello, player: Player) -> u64 {
    corners(position) & position.discs(player)
}

/// Connected regions of empty squares (neighbours also diagonally), each as a set of squares, in
/// the order of their first square. Parity: the player who plays last in every region has the
/// advantage, so odd regions are good to enter.
pub fn regions(position: &Othello) -> impl Iterator<Item = u64> {
    let mut left = position.empty();
    std::iter::from_fn(move || {
        if left == 0 {
            return None;
        }
        let mut region = left & left.wrapping_neg();
        loop {
            let grown = around(region) & left;
            if grown == region {
                break;
            }
            region = grown;
        }
        left &= !region;
        Some(region)
    })
}

/// All squares of regions with an odd number of squares.
#[must_use]
pub fn odd_regions(position: &Othello) -> u64 {
    regions(position).filter(|region| region.count_ones() % 2 == 1).fold(0, |odd, region| odd | region)
}
