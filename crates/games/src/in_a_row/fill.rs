//! Random games of in-a-row, in batches of moves.
//!
//! Where every empty point is a legal move, a uniform random game is a uniform random order of the
//! empty points, cut off where the first winning row is complete. So the moves are drawn without
//! looking (a Fisher–Yates shuffle, one step per move) and the board is searched for rows only
//! after each batch, all rows of all directions at once:
//!
//! > horizontal = r(y) & r(y)≫1 & …,   vertical = r(y) & r(y+1) & …,
//! > diagonal = r(y) & r(y+1)≫1 & …
//!
//! with r the bit rows of one player, a loop that compilers vectorise. When a row has appeared, its
//! time is that of its last stone, and the earliest row ends the game: the moves drawn after it are
//! discarded. If only rows of exactly the winning length count, the stones next to the row must be
//! missing at that time. A row that was too long when it was completed does not count then or
//! later.
//!
//! One random word serves four moves (`Fraction`): the range left after them still has at least
//! 2⁶⁴/625⁴ (more than 10⁸) steps, so the probability of a point of the largest board deviates by
//! at most 10⁻⁸ of its value.

use super::{LARGEST, Point, Stones};
use tesuji_core::{Player, Rng};

/// Moves between two searches for rows.
const BATCH: usize = 32;

/// Moves drawn from one random word.
const DRAWS: usize = 4;

/// Rows are searched in multiples of this number.
const BLOCK: usize = 8;

/// Rows stored for each player: those of the board, of the last block, and as many above them as a
/// line can reach; a power of two.
const PADDED: usize = 64;

/// Log₂ of the distance between rows: points are numbered 32·row + column here.
pub(super) const STRIDE: u32 = 5;

/// The longest row of points.
const WIDTH: usize = 1 << STRIDE;

/// A random game: its winner and its moves.
pub(crate) struct Fill {
    /// `None` if the board was filled without a row.
    pub(crate) winner: Option<Player>,
    order: Order,
    length: usize,
}

/// Points in the order of play, then those never played; room for one more row.
pub(super) type Order = [u16; LARGEST * LARGEST + WIDTH];

impl Fill {
    /// A buffer for a game.
    #[inline]
    pub(crate) fn new() -> Fill {
        Fill { winner: None, order: [0; LARGEST * LARGEST + WIDTH], length: 0 }
    }

    /// The moves of the game, in order.
    #[inline]
    pub(crate) fn moves(&self) -> impl Iterator<Item = Point> + '_ {
        self.order[..self.length].iter().map(|&code| Point::new((code & 31) as u8, (code >> STRIDE) as u8))
    }

    /// Plays a uniform random game from here, in which rows of `LINE` (and, unless `exact`, longer
    /// ones) win and a turn is `1 << TURN` stones, `early` of which are played. The game must not
    /// have been won.
    #[inline]
    pub(crate) fn play<const LINE: usize, const TURN: usize>(
        &mut self,
        stones: &Stones,
        (turn, early): (Player, usize),
        exact: bool,
        rng: &mut Rng,
    ) {
        let size = stones.size();
        let mut rows = Rows([0; 2 * PADDED]);
        rows.0[..LARGEST].copy_from_slice(&stones.rows[0]);
        rows.0[PADDED..PADDED + LARGEST].copy_from_slice(&stones.rows[1]);
        let order = &mut self.order;
        let count = list_empty(stones, order);
        (self.winner, self.length) = (None, count);
        let mut done = 0;
        while done < count {
            let start = done;
            let end = (start + BATCH).min(count);
            while done < end {
                let mut fraction = rng.fraction();
                for _ in 0..DRAWS.min(end - done) {
                    let chosen = done + fraction.below((count - done) as u32) as usize;
                    let code = order[chosen];
                    order.swap(chosen, done);
                    let player = mover::<TURN>(turn, early, done);
                    rows.0[(player * PADDED + usize::from(code >> STRIDE)) % (2 * PADDED)] |= 1 << (code & 31);
                    done += 1;
                }
            }
            let mut earliest = None;
            for player in Player::BOTH {
                if has_row::<LINE>(rows.of(player), size) {
                    let found = first_row::<LINE>(rows.of(player), size, &order[start..done], exact);
                    earliest = [earliest, found].into_iter().flatten().min();
                }
            }
            if let Some(last) = earliest {
                self.winner = Some(Player::BOTH[mover::<TURN>(turn, early, start + last)]);
                self.length = start + last + 1;
                return;
            }
        }
    }
}

/// Both players' stones: row y of player p is word `PADDED`·p + y.
struct Rows([u32; 2 * PADDED]);

impl Rows {
    #[inline]
    fn of(&self, player: Player) -> &[u32; PADDED] {
        self.0[player.index() * PADDED..].first_chunk().expect("there are two players' rows")
    }
}

/// The player of move number `number` of the rest of the game, if `early` of this turn's `1 <<
/// TURN` stones are already played.
#[inline]
const fn mover<const TURN: usize>(turn: Player, early: usize, number: usize) -> usize {
    turn.index() ^ ((number + early) >> TURN & 1)
}

/// Lists the empty points, row by row, and returns their number.
#[inline]
pub(super) fn list_empty(stones: &Stones, order: &mut Order) -> usize {
    let mut count = 0;
    for row in 0..stones.size() {
        let free = stones.free(row);
        let slots: &mut [u16; WIDTH] = order[count..].first_chunk_mut().expect("there is room for one more row");
        let mut filled = 0;
        for column in 0..stones.size() {
            slots[filled % WIDTH] = (row << STRIDE | column) as u16;
            filled += (free >> column & 1) as usize;
        }
        count += filled;
    }
    count
}

/// The first points of rows, as bits, for the lines that begin in row `at`; per direction right,
/// up, up and right, up and left.
#[inline(always)]
fn starts<const LINE: usize>(rows: &[u32; PADDED], at: usize) -> [u32; 4] {
    let mut found = [rows[at]; 4];
    for step in 1..LINE {
        let above = rows[at + step];
        found[0] &= rows[at] >> step;
        found[1] &= above;
        found[2] &= above >> step;
        found[3] &= above << step;
    }
    found
}

/// Whether there is any row of `LINE` stones.
#[inline]
fn has_row<const LINE: usize>(rows: &[u32; PADDED], size: usize) -> bool {
    let mut any = 0;
    // A multiple of every vector width; the rows above the board are empty.
    for at in 0..size.next_multiple_of(BLOCK).min(WIDTH) {
        let [right, up, up_right, up_left] = starts::<LINE>(rows, at);
        any |= right | up | up_right | up_left;
    }
    any != 0
}

/// The index in `batch` of the move that first completed a winning row.
#[cold]
#[inline(never)]
fn first_row<const LINE: usize>(rows: &[u32; PADDED], size: usize, batch: &[u16], exact: bool) -> Option<usize> {
    let mut codes = [u16::MAX; BATCH];
    codes[..batch.len()].copy_from_slice(batch);
    // 0: before the batch; 1: its first move. Without an early exit, so that it can be vectorised.
    let when = |(column, row): (isize, isize)| {
        let code = (row << STRIDE | column) as u16;
        let times: [u16; BATCH] =
            std::array::from_fn(|number| if codes[number] == code { number as u16 + 1 } else { 0 });
        times.into_iter().fold(0, |time, other| time | other)
    };
    let owned = |(column, row): (isize, isize)| {
        let on_board = (0..size as isize).contains(&column) && (0..size as isize).contains(&row);
        on_board && rows[row as usize] >> column & 1 == 1
    };
    let mut earliest = None;
    for at in 0..size {
        for (mut bits, (right, up)) in starts::<LINE>(rows, at).into_iter().zip([(1, 0), (0, 1), (1, 1), (-1, 1)]) {
            while bits != 0 {
                let (column, row) = (bits.trailing_zeros() as isize, at as isize);
                bits &= bits - 1;
                let cell = |step: isize| (column + right * step, row + up * step);
                let time = (0..LINE as isize).map(|step| when(cell(step))).max().expect("a row has stones");
                let ends = [-1, LINE as isize];
                let longer = || ends.into_iter().any(|step| owned(cell(step)) && when(cell(step)) <= time);
                if time > 0 && !(exact && longer()) {
                    let number = usize::from(time) - 1;
                    earliest = Some(earliest.map_or(number, |other: usize| other.min(number)));
                }
            }
        }
    }
    earliest
}
