//! The number of windows still open to either side, by the stones they hold.
//!
//! A window is `LINE` points in a row; it is open to a player if it holds no stone of the opponent.
//! All windows that begin in one row of the board are counted at once: the `LINE` bit rows they
//! cross are added bit by bit, in three words that hold the digits of 32 counters (a ripple-carry
//! adder), and the windows with k stones are the bits where the digits equal k.

use super::{LARGEST, Stones};

/// Empty rows below and above the board.
const PAD: usize = 8;

/// By player and number of own stones, 1 to 6: the number of windows with that many own and no
/// opposing stones.
pub(crate) type Open = [[u32; 8]; 2];

/// Counts the open windows. Where `exact`, windows with an own stone right before or behind them do
/// not count: a row there would be too long.
pub(crate) fn open_windows<const LINE: usize>(stones: &Stones, exact: [bool; 2]) -> Open {
    let size = stones.size();
    let mut open = Open::default();
    if size < LINE {
        return open;
    }
    let mut rows = [[0_u32; LARGEST + 2 * PAD]; 2];
    for (padded, rows) in rows.iter_mut().zip(&stones.rows) {
        padded[PAD..PAD + LARGEST].copy_from_slice(rows);
    }
    let board = (1_u32 << size) - 1;
    let ahead = (1_u32 << (size - LINE + 1)) - 1;
    for (right, up, starts) in [(1, 0, ahead), (0, 1, board), (1, 1, ahead), (-1, 1, board & !((1 << (LINE - 1)) - 1))]
    {
        let last = if up == 0 { size } else { size - LINE + 1 };
        for at in PAD..PAD + last {
            for me in 0..2 {
                let cell = |rows: &[u32; LARGEST + 2 * PAD], step: usize| {
                    let row = rows[at + up * step];
                    if right < 0 { row << step } else { row >> (right as usize * step) }
                };
                let (mut ones, mut twos, mut fours, mut closed) = (0, 0, 0, 0);
                for step in 0..LINE {
                    let own = cell(&rows[me], step);
                    let carry = ones & own;
                    ones ^= own;
                    fours ^= twos & carry;
                    twos ^= carry;
                    closed |= cell(&rows[me ^ 1], step);
                }
                if exact[me] {
                    let before = rows[me][at - up];
                    closed |= cell(&rows[me], LINE);
                    closed |= if right < 0 { before >> 1 } else { before << right };
                }
                let free = starts & !closed & (ones | twos | fours);
                if free == 0 {
                    continue;
                }
                for (count, total) in open[me].iter_mut().enumerate().take(LINE + 1).skip(1) {
                    let digit = |word: u32, bit: usize| if count >> bit & 1 == 1 { word } else { !word };
                    *total += (free & digit(ones, 0) & digit(twos, 1) & digit(fours, 2)).count_ones();
                }
            }
        }
    }
    open
}

#[cfg(test)]
mod tests {
    use super::super::{DIRECTIONS, Stones};
    use super::{Open, open_windows};
    use tesuji_core::{Player, Rng, Seed};

    fn slow<const LINE: usize>(stones: &Stones, exact: [bool; 2]) -> Open {
        let mut open = Open::default();
        for point in stones.points() {
            for direction in DIRECTIONS {
                let at = |steps: isize| point.step(direction, steps, stones.size());
                let cells: Vec<_> = (0..LINE as isize).filter_map(at).map(|point| stones.owner(point)).collect();
                if cells.len() < LINE {
                    continue;
                }
                for player in Player::BOTH {
                    let owned = |steps: isize| at(steps).is_some_and(|point| stones.owner(point) == Some(player));
                    let longer = exact[player.index()] && (owned(-1) || owned(LINE as isize));
                    if !longer && !cells.contains(&Some(player.other())) {
                        let count = cells.iter().filter(|owner| **owner == Some(player)).count();
                        open[player.index()][count] += u32::from(count > 0);
                    }
                }
            }
        }
        open
    }

    #[test]
    fn counts_are_those_of_looking_at_every_window() {
        let mut rng = Rng::new(Seed(4));
        for size in [5, 6, 9, 15, 19, 25] {
            for share in [10, 4, 2] {
                let mut stones = Stones::new(size);
                for _ in 0..size * size / share {
                    let point = stones.random_empty(&mut rng);
                    stones.put(point, Player::BOTH[rng.below(2) as usize]);
                }
                for exact in [[false, false], [true, true], [true, false]] {
                    assert_eq!(open_windows::<5>(&stones, exact), slow::<5>(&stones, exact), "{stones:?}");
                    assert_eq!(open_windows::<6>(&stones, exact), slow::<6>(&stones, exact), "{stones:?}");
                }
            }
        }
    }
}
