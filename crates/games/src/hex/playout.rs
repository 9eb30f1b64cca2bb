//! Random playouts of Hex: colour the empty cells at random and determine the winner once.
//!
//! **Why this is equivalent.** Let two players place stones on random empty cells until one has
//! connected, and let *w* be the winner. (1) If they continued until the board is full, *w* would
//! still be connected, as no stone is ever removed, and the opponent would not be, as two
//! connections would have to cross. So the winner of the stopped game is the one winner of the
//! filled board. (2) Filling the board by uniformly random moves visits the m empty cells in a
//! uniformly random order, and the mover gets those at odd places; so the set of the mover's cells
//! is uniform among all sets of ⌈m/2⌉ empty cells. Hence drawing such a set and finding the winner
//! of the filled board has exactly the distribution of playing and stopping at the first
//! connection.
//!
//! **Drawing a set of k of m cells.** Random words pick each cell with probability ½; given their
//! number, the set is uniform among the sets of that size. Then uniformly chosen members are
//! dropped, or uniformly chosen others added, until there are k, which preserves uniformity. About
//! 0.4·√m cells change: four on an empty 11×11 board.
//!
//! **Swap.** On an empty board and after the first stone, the second move is the swap with
//! probability 1/size² (there are size² − 1 cells and the swap), whatever the first cell; otherwise
//! the moves are those of a random fill.
//!
//! **In order.** A trace that needs the order gets a shuffled list of the empty cells up to the
//! move that connects. Having connected is monotone in the number of moves, so that move is found
//! by bisection: log₂ m tests, not m.

use super::connection::{SHAPES, connects_rows};
use super::{Hex, MOST_CELLS, Move, SwapRule};
use crate::select::select;
use tesuji_core::{Outcome, Player, Position, Rng, Trace};

/// A playout on a board of `W` words.
#[inline]
pub(super) fn playout<const W: usize, T: Trace<Hex>>(position: &mut Hex, rng: &mut Rng, trace: &mut T) -> Outcome {
    if let Some(winner) = position.winner {
        return Outcome::won_by(winner);
    }
    if position.swap == SwapRule::Pieces && position.count <= 1 && rng.below(position.cells()) == 0 {
        swap_first(position, rng, trace);
    }
    if T::NEEDS_ORDER {
        return in_order::<W, T>(position, rng, trace);
    }
    let shape = &SHAPES[usize::from(position.size)];
    let stones: [[u64; W]; 2] = [position.stones[0].head().0, position.stones[1].head().0];
    let empty: [u64; W] = std::array::from_fn(|word| shape.board.0[word] & !(stones[0][word] | stones[1][word]));
    let left = position.cells() - u32::from(position.count);
    let chosen = random_subset(&empty, left, rng);
    for word in 0..W {
        report(position.turn, word, chosen[word], trace);
        report(position.turn.other(), word, empty[word] & !chosen[word], trace);
    }
    let black: [u64; W] = match position.turn {
        Player::First => std::array::from_fn(|word| stones[0][word] | chosen[word]),
        Player::Second => std::array::from_fn(|word| stones[0][word] | (empty[word] & !chosen[word])),
    };
    winner(connects_rows(&black, position.size()))
}

#[inline]
fn winner(black_connects: bool) -> Outcome {
    Outcome::won_by(if black_connects { Player::First } else { Player::Second })
}

/// Reports to the trace that `player` has taken these cells. The loop is counted, so that the
/// compiler removes it for an empty trace.
#[inline(always)]
fn report<T: Trace<Hex>>(player: Player, word: usize, mut cells: u64, trace: &mut T) {
    for _ in 0..cells.count_ones() {
        trace.played(player, Move((word * 64) as u16 + cells.trailing_zeros() as u16));
        cells &= cells.wrapping_sub(1);
    }
}

/// Plays until the swap has been made.
#[cold]
fn swap_first<T: Trace<Hex>>(position: &mut Hex, rng: &mut Rng, trace: &mut T) {
    if position.count == 0 {
        let mv = position.random_move(rng).expect("the board is empty");
        trace.played(position.turn, mv);
        position.play(mv);
    }
    // After a swap the board also has one stone, but no swap is left.
    if position.can_swap() {
        trace.played(position.turn, Move::SWAP);
        position.play(Move::SWAP);
    }
}

/// Half of the cells of `empty`, of which there are `left`, rounded up; all such sets are equally
/// likely.
#[inline(always)]
fn random_subset<const W: usize>(empty: &[u64; W], left: u32, rng: &mut Rng) -> [u64; W] {
    let wanted = left.div_ceil(2);
    let mut chosen: [u64; W] = std::array::from_fn(|word| rng.next_u64() & empty[word]);
    let count: u32 = chosen.iter().map(|word| word.count_ones()).sum();
    // Drop members of `chosen`, or of its complement: the same work with the colours exchanged.
    let surplus = count > wanted;
    let exchange = if surplus { [0; W] } else { *empty };
    for word in 0..W {
        chosen[word] ^= exchange[word];
    }
    let (count, excess) = if surplus { (count, count - wanted) } else { (left - count, wanted - count) };
    if left * 8 >= 64 * W as u32 {
        drop_by_rejection(&mut chosen, excess, rng);
    } else {
        drop_by_rank(&mut chosen, count, excess, rng);
    }
    for word in 0..W {
        chosen[word] ^= exchange[word];
    }
    chosen
}

/// Drops `excess` uniformly chosen members by rejection: cells are drawn until they are members.
/// Fast for dense sets.
#[inline(always)]
fn drop_by_rejection<const W: usize>(set: &mut [u64; W], mut excess: u32, rng: &mut Rng) {
    // Enough bits for any cell; one draw serves several tries.
    let width = (64 * W).next_power_of_two().trailing_zeros();
    let (mut bits, mut tries) = (0, 0);
    while excess > 0 {
        if tries == 0 {
            (bits, tries) = (rng.next_u64(), 64 / width);
        }
        let cell = bits as usize % (1 << width);
        (bits, tries) = (bits >> width, tries - 1);
        if cell < 64 * W && set[cell / 64] >> (cell % 64) & 1 == 1 {
            set[cell / 64] ^= 1 << (cell % 64);
            excess -= 1;
        }
    }
}

/// Drops `excess` uniformly chosen members of a set of `count`, by their rank.
#[inline(never)]
fn drop_by_rank<const W: usize>(set: &mut [u64; W], count: u32, excess: u32, rng: &mut Rng) {
    for count in (count - excess + 1..=count).rev() {
        let mut rank = rng.below(count);
        for members in set.iter_mut() {
            let here = members.count_ones();
            if rank < here {
                *members ^= 1 << select(*members, rank);
                break;
            }
            rank -= here;
        }
    }
}

/// Moves in order, up to the one that connects.
fn in_order<const W: usize, T: Trace<Hex>>(position: &Hex, rng: &mut Rng, trace: &mut T) -> Outcome {
    let mut order = [0_u16; MOST_CELLS];
    let mut left = 0;
    for word in 0..W {
        let mut empty = position.empty_word(word);
        while empty != 0 {
            order[left] = (word * 64) as u16 + empty.trailing_zeros() as u16;
            left += 1;
            empty &= empty - 1;
        }
    }
    let order = &mut order[..left];
    for place in (1..left).rev() {
        order.swap(place, rng.below(place as u32 + 1) as usize);
    }
    // `fixed`: the stones after `before` moves, when neither side has connected.
    let mut fixed: [[u64; W]; 2] = [position.stones[0].head().0, position.stones[1].head().0];
    let mover = position.turn.index();
    let put = |stones: &mut [[u64; W]; 2], from: usize, to: usize| {
        for (place, &cell) in (from..to).zip(&order[from..to]) {
            stones[(mover + place) % 2][usize::from(cell / 64)] |= 1 << (cell % 64);
        }
    };
    let mut full = fixed;
    put(&mut full, 0, left);
    let outcome = winner(connects_rows(&full[0], position.size()));
    let board = &SHAPES[usize::from(position.size)].board.0;
    let connected = |stones: &[[u64; W]; 2]| match outcome.winner() {
        Some(Player::First) => connects_rows(&stones[0], position.size()),
        _ => !connects_rows(&std::array::from_fn::<u64, W, _>(|word| board[word] & !stones[1][word]), position.size()),
    };
    let (mut before, mut after) = (0, left);
    while after - before > 1 {
        let middle = (before + after) / 2;
        let mut tried = fixed;
        put(&mut tried, before, middle);
        if connected(&tried) {
            after = middle;
        } else {
            (before, fixed) = (middle, tried);
        }
    }
    for (place, &cell) in order[..after].iter().enumerate() {
        trace.played(Player::BOTH[(mover + place) % 2], Move(cell));
    }
    outcome
}
