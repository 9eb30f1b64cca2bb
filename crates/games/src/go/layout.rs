//! The memory layout of the board: labels, neighbour counts, chain words, points, tables.

use tesuji_core::Zobrist;

/// The largest board.
pub const MAX_SIZE: usize = 25;
/// The smallest board.
pub const MIN_SIZE: usize = 2;

/// Room for all points and the rim at size 25 (27·26 + 1 = 703).
pub(super) const SLOTS: usize = 704;
/// Labels: the low ten bits number the chain, the next four give the colour, one bit each: black,
/// white, empty, rim.
pub(super) const CHAIN: u16 = 1023;
pub(super) const STONE_SHIFT: u16 = 10;
pub(super) const COLOUR: u16 = 15 << STONE_SHIFT;
pub(super) const EMPTY: u16 = 4 << STONE_SHIFT;
pub(super) const RIM: u16 = 8 << STONE_SHIFT;
/// The chain word of a point without a stone: never near zero, whatever its neighbours are.
pub(super) const NO_CHAIN: u64 = 1 << 63;

/// The colour bit of a stone in a label.
#[inline(always)]
pub(super) const fn stone(colour: u16) -> u16 {
    1 << (STONE_SHIFT + colour)
}
/// Neighbour counts: black in bits 0–2, white in bits 4–6, empty in bits 8–10.
pub(super) const EMPTY_NEIGHBOURS: u16 = 7 << 8;
pub(super) const ONE_EMPTY_NEIGHBOUR: u16 = 1 << 8;
/// The top bit of the counts marks points on the edge.
pub(super) const EDGE_SHIFT: u16 = 15;

const ZOBRIST: Zobrist = Zobrist::new("go");
pub(super) static STONE_KEYS: [[u64; SLOTS]; 2] = {
    let keys: [u64; 2 * SLOTS] = ZOBRIST.keys();
    let mut table = [[0; SLOTS]; 2];
    let mut at = 0;
    while at < SLOTS {
        table[0][at] = keys[at];
        table[1][at] = keys[SLOTS + at];
        at += 1;
    }
    table
};

/// A point of the board, as an index into the padded array. Its column and row depend on the size
/// of the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Point(pub(super) u16);

impl Point {
    /// No point of any board: an index of the rim.
    pub(super) const NONE: Point = Point(0);

    #[inline]
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// An array with an entry for every index of the padded board.
///
/// Indices are not bounds-checked: with the checks, or with masked indices, playouts are 3 to 4 %
/// slower. Debug builds, and so the tests, check them.
#[derive(Clone, Copy)]
pub(super) struct Table<T>(pub(super) [T; SLOTS]);

impl<T> std::ops::Index<usize> for Table<T> {
    type Output = T;

    #[inline(always)]
    #[allow(unsafe_code)]
    fn index(&self, index: usize) -> &T {
        debug_assert!(index < SLOTS, "index {index} is beyond the tables");
        // SAFETY: tables are private to the board and its queries, which use four kinds of indices,
        // all below SLOTS = 704:
        // * `Point`s: only boards make them, for points of boards of at most 25 lines (or 0 for
        //   none): at most 675;
        // * entries of the list of empty points, links between stones and numbers of chains (`label
        //   & CHAIN`): indices of points of this board or, in labels, of its rim, at most 702,
        //   written by `new`, `place`, `join`, `merge`, `remove_chain` and `swap_empties`, which
        //   only permute them;
        // * places in the list: below the number of points, at most 625, since every empty point
        //   stands there once;
        // * neighbours and diagonal neighbours of a point of this board, which is at least stride +
        //   1 and at most size·stride + size: they lie in 0 ..= 702 (`Playout::run` ensures that a
        //   constant `STRIDE` is the board's own). Functions that take a point from outside
        //   (`try_play`, `play_suicide`) first check that it is an empty point of this board; the
        //   rim never is. `queries.rs`, which also accepts points of other boards, clamps its
        //   neighbours.
        unsafe { self.0.get_unchecked(index) }
    }
}

impl<T> std::ops::IndexMut<usize> for Table<T> {
    #[inline(always)]
    #[allow(unsafe_code)]
    fn index_mut(&mut self, index: usize) -> &mut T {
        debug_assert!(index < SLOTS, "index {index} is beyond the tables");
        // SAFETY: as in `index`.
        unsafe { self.0.get_unchecked_mut(index) }
    }
}

/// All data of one point. Eight bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(8))]
pub(super) struct Slot {
    /// Colour and chain.
    pub(super) label: u16,
    /// For a stone, the next stone of its chain. For an empty point, its place in the list of empty
    /// points.
    pub(super) link: u16,
    /// Black, white and empty neighbours.
    pub(super) near: u16,
    /// For the stone that names a chain, the number of stones of the chain.
    pub(super) size: u16,
}

const _: () = assert!(size_of::<Slot>() == 8);

/// The contribution of one pseudo-liberty at this point to the word of a chain.
#[inline(always)]
pub(super) const fn share(index: usize) -> u64 {
    let v = index as u64;
    1 | v << 12 | (v * v) << 33
}

/// [`share`] of every index.
pub(super) static SHARES: [u64; SLOTS] = {
    let mut shares = [0; SLOTS];
    let mut index = 0;
    while index < SLOTS {
        shares[index] = share(index);
        index += 1;
    }
    shares
};

/// The bit of the neighbour counts that means "all four neighbours have this colour", 0 for black.
#[inline(always)]
pub(super) const fn surrounded(colour: u16) -> u16 {
    4 << (4 * colour)
}

/// The change of the neighbour counts when an empty neighbour becomes a stone of this colour.
#[inline(always)]
pub(super) const fn one_more(colour: u16) -> u16 {
    (1u16 << (4 * colour)).wrapping_sub(ONE_EMPTY_NEIGHBOUR)
}
