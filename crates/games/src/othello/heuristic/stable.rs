//! **Stable discs** can never be turned over again. [`stable`] is a lower bound, exact for each
//! edge taken alone: for every arrangement of an edge, discs that survive every filling of the edge
//! (either player on any empty square, whether or not that would be legal on the whole board) are
//! stable (a table, 3^size arrangements). From there stability spreads inwards: a disc is stable if
//! along each of the four lines through it the line is full or one neighbour is a stable disc of
//! the same colour or the edge of the board. (Edax does the same; the idea is Rosenbloom's, "A
//! World-Championship-Level Othello Program", 1982.)
//!
//! Without a disc that is stable by its edge or by four full lines there is nothing to spread.

use super::super::Othello;
use super::{EAST_EDGE, WEST_EDGE};
use std::sync::LazyLock;
use tesuji_core::Player;

/// Discs of `player` that can never be turned over: a lower bound (see the head of this file).
#[must_use]
pub fn stable(position: &Othello, player: Player) -> u64 {
    let (own, other) = (position.discs(player), position.discs(player.other()));
    let (size, board) = (position.size(), position.board());
    let edges = stable_on_edges([own, other], size)[0];
    let full = full_lines(own | other, size, board);
    spread(own, edges, &full, board)
}

/// The same for both players, cheaper than two calls.
#[must_use]
pub fn stable_of_both(position: &Othello) -> [u64; 2] {
    let discs = Player::BOTH.map(|player| position.discs(player));
    let (size, board) = (position.size(), position.board());
    let edges = stable_on_edges(discs, size);
    let full = full_lines(discs[0] | discs[1], size, board);
    [spread(discs[0], edges[0], &full, board), spread(discs[1], edges[1], &full, board)]
}

/// Spreads stability from the edges inwards.
#[inline]
fn spread(own: u64, edges: u64, full: &[u64; 4], board: u64) -> u64 {
    let mut stable = edges | (own & full[0] & full[1] & full[2] & full[3]);
    if stable == 0 {
        return 0;
    }
    loop {
        let mut safe = own;
        for (full, step) in full.iter().zip(STEPS) {
            let [forward, backward] = neighbours(stable, step);
            // Along a line, a neighbour off the board is equivalent to a stable one.
            safe &= full | forward | backward | border(board, step);
        }
        let grown = stable | safe;
        if grown == stable {
            return stable;
        }
        stable = grown;
    }
}

/// The distances of neighbours along the four lines.
const STEPS: [u32; 4] = [1, 8, 9, 7];

/// The set moved by one step along a line, in both directions, without wrapping around the edge.
#[inline(always)]
const fn neighbours(set: u64, step: u32) -> [u64; 2] {
    match step {
        1 => [(set & !EAST_EDGE) << 1, (set & !WEST_EDGE) >> 1],
        9 => [(set & !EAST_EDGE) << 9, (set & !WEST_EDGE) >> 9],
        7 => [(set & !WEST_EDGE) << 7, (set & !EAST_EDGE) >> 7],
        _ => [set << 8, set >> 8],
    }
}

/// Squares of the board with a neighbour off it along this line.
#[inline(always)]
const fn border(board: u64, step: u32) -> u64 {
    let [forward, backward] = neighbours(board, step);
    board & !(forward & backward)
}

/// For each of the four kinds of lines the squares whose whole line is filled: those that no hole
/// spreads to.
#[inline]
fn full_lines(filled: u64, size: u32, board: u64) -> [u64; 4] {
    let holes = board & !filled;
    // Rows: fold the bits of each to its first, and spread that over the row again.
    let mut rows = holes | holes >> 4;
    rows |= rows >> 2;
    rows = (rows | rows >> 1) & WEST_EDGE;
    let mut columns = holes | holes >> 32;
    columns |= columns >> 16;
    columns = (columns | columns >> 8) & 0xff;
    let [mut down, mut up] = [holes; 2];
    // A diagonal has at most size − 1 steps; doubling covers them in three rounds.
    let rounds = if size > 4 { 3 } else { 2 };
    for round in 0..rounds {
        let (times, west, east) = (1_u32 << round, WESTERN[round], EASTERN[round]);
        down |= (down & !east) << (9 * times) | (down & !west) >> (9 * times);
        up |= (up & !west) << (7 * times) | (up & !east) >> (7 * times);
    }
    [board & !(rows * 0xff), board & !(columns * WEST_EDGE), board & !down, board & !up]
}

/// The first one, two and four columns, and the last ones.
const WESTERN: [u64; 3] = [WEST_EDGE, WEST_EDGE * 3, WEST_EDGE * 15];
const EASTERN: [u64; 3] = [EAST_EDGE, WEST_EDGE * 0xc0, WEST_EDGE * 0xf0];

/// Stable squares of an edge by (own << 8 | other), for sizes 4, 6 and 8.
static EDGES: LazyLock<[Vec<u8>; 3]> = LazyLock::new(|| [4, 6, 8].map(edge_table));

fn edge_table(size: u32) -> Vec<u8> {
    let mut table = vec![0; 1 << 16];
    // Fuller edges first: an arrangement depends only on fuller ones.
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

/// The own discs of one edge that survive every filling, given the results of fuller arrangements.
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

/// The squares of a column as a byte, the top row first: a multiplication gathers the bits in the
/// highest byte.
#[inline(always)]
const fn column(set: u64, number: u32) -> usize {
    ((set >> number & WEST_EDGE).wrapping_mul(0x0102_0408_1020_4080) >> 56) as usize
}

/// The byte as a column.
#[inline(always)]
const fn upright(byte: u8, number: u32) -> u64 {
    let byte = byte as u64;
    ((byte & 0x7f).wrapping_mul(0x0002_0408_1020_4081) & WEST_EDGE | (byte & 0x80) << 49) << number
}

/// Stable discs of the four edges, each by itself, of both players.
#[inline]
fn stable_on_edges([one, two]: [u64; 2], size: u32) -> [u64; 2] {
    let table = &EDGES[(size as usize - 4) / 2];
    let last = size - 1;
    let row = |set: u64, number: u32| (set >> (8 * number) & 0xff) as usize;
    let mut stable = [0; 2];
    for edge in [0, last] {
        let (lying, standing) = ((row(one, edge), row(two, edge)), (column(one, edge), column(two, edge)));
        stable[0] |= u64::from(table[lying.0 << 8 | lying.1]) << (8 * edge);
        stable[1] |= u64::from(table[lying.1 << 8 | lying.0]) << (8 * edge);
        stable[0] |= upright(table[standing.0 << 8 | standing.1], edge);
        stable[1] |= upright(table[standing.1 << 8 | standing.0], edge);
    }
    stable
}

#[cfg(test)]
mod tests {
    use super::{column, full_lines, upright};
    use tesuji_core::{Rng, Seed};

    /// A line is full if every square of it is, checked one by one.
    #[test]
    fn lines_columns_and_back() {
        let mut rng = Rng::new(Seed(1));
        for (size, board) in [(4_i32, 0x0f0f_0f0f_u64), (6, 0x3f3f_3f3f_3f3f), (8, u64::MAX)] {
            for _ in 0..2_000 {
                let filled = (rng.next_u64() | rng.next_u64() | rng.next_u64()) & board;
                let found = full_lines(filled, size as u32, board);
                for (kind, (down, right)) in [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().enumerate() {
                    for (row, place) in (0..size).flat_map(|row| (0..size).map(move |place| (row, place))) {
                        let full = (-7..=7).all(|step| {
                            let (row, place) = (row + step * down, place + step * right);
                            let off = row < 0 || row >= size || place < 0 || place >= size;
                            off || filled >> (8 * row + place) & 1 == 1
                        });
                        assert_eq!(found[kind] >> (8 * row + place) & 1 == 1, full, "{filled:x} {kind} {row} {place}");
                    }
                }
                for number in 0..8 {
                    let bits = column(filled, number);
                    assert!((0..8).all(|row| bits >> row & 1 == (filled >> (8 * row + number) & 1) as usize));
                    assert_eq!(upright(bits as u8, number), filled & 0x0101_0101_0101_0101 << number);
                }
            }
        }
    }
}
