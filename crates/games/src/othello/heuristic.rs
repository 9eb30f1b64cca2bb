//! What Othello players look at: mobility, frontier, corners, stable discs, parity. For searches; the rules use none.
//!
//! **Stable discs** can never be turned over again. [`stable`] is a lower bound, exact for each edge taken alone: for
//! every arrangement of an edge, discs that survive every way of filling the edge — either player on any empty square,
//! whether or not that would be legal on the whole board — are stable (a table, 3^size arrangements). From there it
//! spreads inwards: a disc is stable if along each of the four lines through it the line is full or one neighbour is
//! a stable disc of the same colour or the edge of the board. (Edax does the same; the idea is Rosenbloom's, "A
//! World-Championship-Level Othello Program", 1982.)
//!
//! **Evaluation**, for each player, then the difference; *late* runs from 0 at the start to 1 on a full board:
//!
//! > 25·mobility − 10·frontier + 250·corners − 90·X-squares − 35·C-squares + 40·stable + (−4 + 24·late)·discs
//!
//! where X-squares lie diagonally beside an empty corner and C-squares along the edge beside one; whoever will make the last move (the
//! side to move, if the empty squares are odd) has 40 more once a third of the board is left.
//!
//! **Preference.** Corners 20, X-squares 0.15, C-squares 0.5, other squares of the edge 1.3, all others 1; times
//! 1 + 8/(1 + moves left to the opponent). All weights are made by hand.

use super::{Move, Othello, bits};
use std::sync::LazyLock;
use tesuji_core::{Evaluation, Player, Position, Preference, Studied};

const WEST_EDGE: u64 = 0x0101_0101_0101_0101;
const EAST_EDGE: u64 = WEST_EDGE << 7;

impl Studied for Othello {
    fn evaluation(&self) -> Option<Box<dyn Evaluation<Othello>>> {
        Some(Box::new(Features))
    }

    fn preference(&self) -> Option<Box<dyn Preference<Othello>>> {
        Some(Box::new(BySquare))
    }
}

/// The evaluation of Othello. See the head of this file.
#[derive(Clone, Copy, Debug, Default)]
pub struct Features;

impl Evaluation<Othello> for Features {
    fn evaluate(&self, position: &Othello) -> i32 {
        let empty = position.empty().count_ones() as i32;
        let area = position.board().count_ones() as i32;
        let disc = -4 + 24 * (area - empty) / area;
        let (diagonal, along) = beside_empty_corners(position);
        let last = empty * 3 <= area && empty > 0;
        let worth = |player: Player| {
            let discs = position.discs(player);
            let number = |set: u64| (set & discs).count_ones() as i32;
            let moves_last = last && (player == position.turn()) == (empty % 2 == 1);
            25 * mobility(position, player) as i32 - 10 * number(frontier(position, player))
                + 250 * number(corners(position))
                - 90 * number(diagonal)
                - 35 * number(along)
                + 40 * number(stable(position, player))
                + disc * number(u64::MAX)
                + if moves_last { 40 } else { 0 }
        };
        worth(Player::First) - worth(Player::Second)
    }

    /// Fitted roughly to games in which both sides drew moves by preference.
    fn scale(&self) -> f64 {
        450.0
    }
}

/// The preference of Othello. See the head of this file.
#[derive(Clone, Copy, Debug, Default)]
pub struct BySquare;

impl Preference<Othello> for BySquare {
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

/// The squares beside empty corners: diagonally (X-squares), and along the edge (C-squares).
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

/// How many squares `player` could play on if it were his turn.
#[must_use]
pub fn mobility(position: &Othello, player: Player) -> u32 {
    position.placements(player).count_ones()
}

/// The squares around the set, and the set itself.
const fn around(set: u64) -> u64 {
    let row = set | (set & !EAST_EDGE) << 1 | (set & !WEST_EDGE) >> 1;
    row | row << 8 | row >> 8
}

/// The discs of `player` that touch an empty square: each may one day be turned over from there.
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

/// Connected regions of empty squares (neighbours also diagonally), each as a set of squares, in the order of their
/// first square. Parity: whoever plays last into every region has the last word, so odd regions are good to enter.
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

/// Discs of `player` that can never be turned over: a lower bound (see the head of this file).
#[must_use]
pub fn stable(position: &Othello, player: Player) -> u64 {
    let (own, other) = (position.discs(player), position.discs(player.other()));
    let (size, board) = (position.size(), position.board());
    let mut stable = stable_on_edges(own, other, size);
    // Along a line, a neighbour off the board is as good as a stable one.
    let lines: [(u64, u32); 4] = [
        (full_rows(own | other, size), 1),
        (full_columns(own | other, size), 8),
        (full_diagonals(own | other, board, 9), 9),
        (full_diagonals(own | other, board, 7), 7),
    ];
    let all_full = lines.iter().fold(own, |all, (full, _)| all & full);
    stable |= all_full;
    loop {
        let safe = lines.iter().fold(own, |safe, &(full, step)| {
            let [forward, backward] = neighbours(stable, step);
            let edge = border(board, step);
            safe & (full | forward | backward | edge)
        });
        let grown = stable | safe;
        if grown == stable {
            return stable;
        }
        stable = grown;
    }
}

/// The set moved by one step of a line, both ways, without running around the edge.
const fn neighbours(set: u64, step: u32) -> [u64; 2] {
    match step {
        1 => [(set & !EAST_EDGE) << 1, (set & !WEST_EDGE) >> 1],
        9 => [(set & !EAST_EDGE) << 9, (set & !WEST_EDGE) >> 9],
        7 => [(set & !WEST_EDGE) << 7, (set & !EAST_EDGE) >> 7],
        _ => [set << 8, set >> 8],
    }
}

/// Squares of the board with a neighbour off it along this line.
const fn border(board: u64, step: u32) -> u64 {
    let [forward, backward] = neighbours(board, step);
    board & !(forward & backward)
}

fn full_rows(filled: u64, size: u32) -> u64 {
    let row = (1_u64 << size) - 1;
    (0..size).map(|number| row << (8 * number)).filter(|line| filled & line == *line).fold(0, |full, line| full | line)
}

fn full_columns(filled: u64, size: u32) -> u64 {
    let column = WEST_EDGE & (u64::MAX >> (64 - 8 * size));
    (0..size).map(|number| column << number).filter(|line| filled & line == *line).fold(0, |full, line| full | line)
}

/// Squares whose whole diagonal (step 7 or 9) is filled: what no hole spreads to.
fn full_diagonals(filled: u64, board: u64, step: u32) -> u64 {
    let mut holes = board & !filled;
    for _ in 0..7 {
        let [forward, backward] = neighbours(holes, step);
        holes |= (forward | backward) & board;
    }
    board & !holes
}

/// Stable squares of an edge by (own << 8 | other), for sizes 4, 6 and 8.
static EDGES: LazyLock<[Vec<u8>; 3]> = LazyLock::new(|| [4, 6, 8].map(edge_table));

fn edge_table(size: u32) -> Vec<u8> {
    let mut table = vec![0; 1 << 16];
    // Fuller edges first: an arrangement looks only at fuller ones.
    for filled in (0..1_u32 << size).rev() {
        let mut own = filled;
        loop {
            let other = filled & !own;
            table[(own << 8 | other) as usize] = edge_stable(own as u8, other as u8, size, &table);
            if own == 0 {
                break;
            }
            own = (own - 1) & filled;
        }
    }
    table
}

/// The own discs of one edge that every filling of it leaves alone, knowing the fuller arrangements.
fn edge_stable(own: u8, other: u8, size: u32, table: &[u8]) -> u8 {
    let mut stable = own;
    for square in (0..size).filter(|square| (own | other) >> square & 1 == 0) {
        let turned = edge_flips(own, other, square, size);
        stable &= table[usize::from(own | turned | 1 << square) << 8 | usize::from(other & !turned)];
        let turned = edge_flips(other, own, square, size);
        stable &= table[usize::from(own & !turned) << 8 | usize::from(other | turned | 1 << square)];
    }
    stable
}

fn edge_flips(own: u8, other: u8, square: u32, size: u32) -> u8 {
    let run = |squares: &mut dyn Iterator<Item = u32>| {
        let mut turned = 0;
        for place in squares {
            if other >> place & 1 == 1 {
                turned |= 1 << place;
            } else {
                return if own >> place & 1 == 1 { turned } else { 0 };
            }
        }
        0
    };
    run(&mut (square + 1..size)) | run(&mut (0..square).rev())
}

/// Stable discs of the four edges, each by itself.
fn stable_on_edges(own: u64, other: u64, size: u32) -> u64 {
    let table = &EDGES[(size as usize - 4) / 2];
    let last = size - 1;
    let row = |set: u64, number: u32| (set >> (8 * number) & 0xff) as usize;
    let column =
        |set: u64, number: u32| (0..size).fold(0, |bits, row| bits | ((set >> (8 * row + number) & 1) as usize) << row);
    let mut stable = 0;
    for edge in [0, last] {
        stable |= u64::from(table[row(own, edge) << 8 | row(other, edge)]) << (8 * edge);
        let upright = table[column(own, edge) << 8 | column(other, edge)];
        stable |= (0..size).fold(0, |bits, row| bits | u64::from(upright >> row & 1) << (8 * row + edge));
    }
    stable
}
