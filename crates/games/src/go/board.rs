//! The fast board: stones, chains, liberties, legality, captures.
//!
//! **Idea.** One flat array of points with a rim of off-board points, so that the
//! neighbours of `v` are `v ± 1` and `v ± stride` without a test. Rows share one rim
//! column: `stride = size + 1`, and point (row, column), both from 1, is `row·stride + column`.
//!
//! * A *label* per point holds its colour and the number of its chain. When chains are joined, the
//!   smaller one is relabelled; the stones of a chain form a circular list, and joining two circles
//!   is one swap. (Union-find was measured and is slower: a move needs four look-ups, and rarely a
//!   relabelling.)
//! * Each chain keeps three sums over its **pseudo-liberties** (pairs of a stone and an empty
//!   neighbour `v`), packed in one word so that one addition maintains all of them:
//!
//!   > count in bits 0–11,  Σv in bits 12–32,  Σv² in bits 33–63
//!
//! The word is zero exactly if the chain has no liberty. By Cauchy–Schwarz count·Σv² ≥ (Σv)², with
//! equality exactly if all pseudo-liberties are the same point: then the chain is in atari and its
//! last liberty is Σv / count. The greatest possible sums (size 25) fit exactly.
//! * Each point counts its black, white and empty neighbours in one packed integer
//!   (the rim counts as both colours), so "four neighbours of one colour" is one bit.
//! * Empty points stand in an array with back-references: O(1) insert, remove, random choice.
//! * **Legality** in O(1): subtract the point's contribution from the four neighbouring chains. The
//!   move is legal if there was an empty neighbour, an enemy chain is at zero or an own chain is
//!   above zero. Points without stones have chain words too, which are never read, so the
//!   computation is branch-free.
//!
//! References: libEGO (Lew 2006–2010) for relabelling, packed neighbour counts and the list of
//! empty points; the sums are folklore of computer Go.

use super::queries::EyeTest;
use tesuji_core::{Player, Zobrist};

/// The largest board.
pub const MAX_SIZE: usize = 25;
/// The smallest board.
pub const MIN_SIZE: usize = 2;

/// Room for all points and the rim at size 25 (27·26 + 1 = 703).
pub(super) const SLOTS: usize = 704;
/// Labels: the low ten bits number the chain, the next four give the colour, one bit each: black,
/// white, empty, rim.
pub(super) const CHAIN: u16 = 1023;
const STONE_SHIFT: u16 = 10;
pub(super) const COLOUR: u16 = 15 << STONE_SHIFT;
pub(super) const EMPTY: u16 = 4 << STONE_SHIFT;
pub(super) const RIM: u16 = 8 << STONE_SHIFT;
/// The chain word of a point without a stone: never near zero, whatever its neighbours are.
const NO_CHAIN: u64 = 1 << 63;

/// The colour bit of a stone in a label.
#[inline(always)]
pub(super) const fn stone(colour: u16) -> u16 {
    1 << (STONE_SHIFT + colour)
}
/// Neighbour counts: black in bits 0–2, white in bits 4–6, empty in bits 8–10.
pub(super) const EMPTY_NEIGHBOURS: u16 = 7 << 8;
const ONE_EMPTY_NEIGHBOUR: u16 = 1 << 8;
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

/// The board: stones, simple ko, prisoners; not the side to move, nor passes.
///
/// All sizes share this type. The arrays have the maximum length; `clone_from` copies only the part
/// that the size uses. Moves do not allocate.
pub struct Board {
    pub(super) slots: Table<Slot>,
    pub(super) liberties: Table<u64>,
    pub(super) empties: Table<u16>,
    pub(super) state: Scalars,
}

/// The part of the board that is not an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Scalars {
    /// Of the stones only.
    pub(super) hash: u64,
    pub(super) size: u16,
    pub(super) stride: u16,
    pub(super) empty_count: u16,
    /// The point that may not be retaken, 0 for none.
    pub(super) ko: u16,
    /// On the board, black and white.
    pub(super) stones: [u16; 2],
    /// Taken off the board, by colour of the stones.
    pub(super) prisoners: [u32; 2],
}

/// The contribution of one pseudo-liberty at this point to the word of a chain.
#[inline(always)]
pub(super) const fn share(index: usize) -> u64 {
    let v = index as u64;
    1 | v << 12 | (v * v) << 33
}

static SHARES: [u64; SLOTS] = {
    let mut shares = [0; SLOTS];
    let mut index = 0;
    while index < SLOTS {
        shares[index] = share(index);
        index += 1;
    }
    shares
};

/// For one colour, where 0 is black: the bit that means "all four neighbours have it", and the
/// increment for one neighbour.
#[inline(always)]
pub(super) const fn surrounded(colour: u16) -> u16 {
    4 << (4 * colour)
}

#[inline(always)]
const fn one_more(colour: u16) -> u16 {
    (1u16 << (4 * colour)).wrapping_sub(ONE_EMPTY_NEIGHBOUR)
}

impl Board {
    /// An empty board.
    ///
    /// # Panics
    /// If the size is not within 2 to 25: the rules check it first.
    #[must_use]
    pub fn new(size: usize) -> Board {
        assert!((MIN_SIZE..=MAX_SIZE).contains(&size), "a Go board has 2 to 25 lines, not {size}");
        let stride = size + 1;
        let rim = Slot { label: RIM, link: 0, near: 0, size: 0 };
        let mut board = Board {
            slots: Table([rim; SLOTS]),
            liberties: Table([NO_CHAIN; SLOTS]),
            empties: Table([0; SLOTS]),
            state: Scalars {
                hash: 0,
                size: size as u16,
                stride: stride as u16,
                empty_count: (size * size) as u16,
                ko: 0,
                stones: [0; 2],
                prisoners: [0; 2],
            },
        };
        for (index, slot) in board.slots.0.iter_mut().enumerate() {
            slot.label = RIM | index as u16;
        }
        for place in 0..size * size {
            let point = (place / size + 1) * stride + place % size + 1;
            board.empties[place] = point as u16;
            board.slots[point].label = EMPTY | point as u16;
            board.slots[point].link = place as u16;
        }
        for place in 0..size * size {
            let point = board.empties[place] as usize;
            let outside =
                board.beside::<0>(point).iter().filter(|&&n| board.slots[n].label & COLOUR == RIM).count() as u16;
            board.slots[point].near =
                outside | outside << 4 | (4 - outside) << 8 | u16::from(outside > 0) << EDGE_SHIFT;
        }
        board
    }

    /// The distance between rows: the constant, or for 0 that of this board.
    ///
    /// With a constant, playouts need no arithmetic to find neighbours; the common sizes use one.
    #[inline(always)]
    pub(super) fn stride<const STRIDE: usize>(&self) -> usize {
        debug_assert!(STRIDE == 0 || STRIDE == self.state.stride as usize, "the code is compiled for another size");
        if STRIDE == 0 { self.state.stride as usize } else { STRIDE }
    }

    /// The indices of the four neighbours of a point of this board.
    #[inline(always)]
    fn beside<const STRIDE: usize>(&self, index: usize) -> [usize; 4] {
        let stride = self.stride::<STRIDE>();
        [index.wrapping_sub(stride), index.wrapping_sub(1), index.wrapping_add(1), index.wrapping_add(stride)]
    }

    /// Plays a stone on an empty point if that is legal under "no suicide" and simple ko, and
    /// returns whether it did.
    pub fn try_play(&mut self, player: Player, point: Point) -> bool {
        if !self.is_empty(point)
            || (self.is_surrounded(player.other(), point) && !self.captures_from_inside::<0>(point.index()))
        {
            return false;
        }
        self.settle::<true, 0>(player, point.index())
    }

    /// The move of a playout: plays a stone on an empty point if that is legal and fills no eye,
    /// and returns whether it did.
    ///
    /// Playouts do not use the hash, so it is not maintained.
    #[inline(always)]
    pub(super) fn try_playout_move<E: EyeTest, const STRIDE: usize>(&mut self, player: Player, point: Point) -> bool {
        let index = point.index();
        let near = self.slots[index].near;
        if near & (surrounded(0) | surrounded(1)) != 0 {
            let acceptable = if near & surrounded(player.index() as u16) != 0 {
                !E::is_eye::<STRIDE>(self, player, point)
            } else {
                self.captures_from_inside::<STRIDE>(index)
            };
            if !acceptable {
                return false;
            }
        }
        self.settle::<false, STRIDE>(player, index)
    }

    /// Plays a stone that captures only its own chain, which is removed.
    ///
    /// # Panics
    /// If it is not suicide.
    pub fn play_suicide(&mut self, player: Player, point: Point) {
        assert!(self.is_empty(point) && self.is_suicide(player, point), "the move is a suicide");
        let index = point.index();
        let around = self.beside::<0>(index);
        for n in around {
            let chain = (self.slots[n].label & CHAIN) as usize;
            self.liberties[chain] = self.liberties[chain].wrapping_sub(share(index));
        }
        self.put::<true, 0>(player, index, around.map(|n| self.slots[n].label));
        self.remove_chain::<true, 0>(player, index);
    }

    /// Plays a stone unless that is suicide; returns whether it did. Does not check ko, nor suicide
    /// of a single stone.
    #[inline(always)]
    fn settle<const HASHED: bool, const STRIDE: usize>(&mut self, player: Player, index: usize) -> bool {
        let labels = self.beside::<STRIDE>(index).map(|n| self.slots[n].label);
        let chains = labels.map(|label| (label & CHAIN) as usize);
        let lost = share(index);
        for chain in chains {
            self.liberties[chain] = self.liberties[chain].wrapping_sub(lost);
        }
        let mut taken = 0;
        let dead = chains.map(|chain| self.liberties[chain] == 0);
        if dead[0] | dead[1] | dead[2] | dead[3] {
            match self.resolve_captures::<STRIDE>(index, player.index() as u16) {
                None => return false,
                Some(sides) => taken = sides,
            }
        }
        self.put::<HASHED, STRIDE>(player, index, labels);
        if taken != 0 {
            self.capture::<HASHED, STRIDE>(player, index, taken);
        }
        true
    }

    /// Places the stone and joins it to friendly chains; `labels` are those of the four neighbours.
    #[inline(always)]
    fn put<const HASHED: bool, const STRIDE: usize>(&mut self, player: Player, index: usize, labels: [u16; 4]) {
        let colour = player.index() as u16;
        let around = self.beside::<STRIDE>(index);
        let mut friends = 0;
        let mut gained = 0_u64;
        for side in 0..4 {
            friends |= u32::from(labels[side] >> (STONE_SHIFT + colour) & 1) << side;
            // An arithmetic mask: the compiler turns a conditional into a branch that is
            // mispredicted half the time.
            let is_empty = u64::from(labels[side] >> (STONE_SHIFT + 2) & 1);
            gained += SHARES[around[side]] & 0_u64.wrapping_sub(is_empty);
        }
        self.place::<HASHED>(player, index);
        let change = one_more(colour);
        for n in around {
            self.slots[n].near = self.slots[n].near.wrapping_add(change);
        }
        self.join::<STRIDE>(index, stone(colour), friends, gained);
        self.state.ko = 0;
    }

    /// Handles a chain next to the new stone that has lost its last liberty. Returns the sides of
    /// captured enemy chains, or `None` if the stone would only capture its own chain; then the
    /// liberties are restored.
    #[cold]
    #[inline(never)]
    fn resolve_captures<const STRIDE: usize>(&mut self, index: usize, colour: u16) -> Option<u32> {
        let mut alive = self.slots[index].near & EMPTY_NEIGHBOURS != 0;
        let mut taken = 0;
        for (side, n) in self.beside::<STRIDE>(index).into_iter().enumerate() {
            let label = self.slots[n].label;
            let dead = self.liberties[(label & CHAIN) as usize] == 0;
            taken |= u32::from(dead & (label & stone(colour ^ 1) != 0)) << side;
            alive |= !dead & (label & stone(colour) != 0);
        }
        if taken | u32::from(alive) == 0 {
            for n in self.beside::<STRIDE>(index) {
                let chain = (self.slots[n].label & CHAIN) as usize;
                self.liberties[chain] = self.liberties[chain].wrapping_add(share(index));
            }
            return None;
        }
        Some(taken)
    }

    /// Whether a stone on a point with enemy neighbours only captures something and is not
    /// forbidden by ko.
    #[inline(always)]
    fn captures_from_inside<const STRIDE: usize>(&self, index: usize) -> bool {
        let last = share(index);
        let takes = self.beside::<STRIDE>(index).iter().fold(false, |takes, &n| {
            let word = self.liberties[(self.slots[n].label & CHAIN) as usize];
            takes | (word == (word & 7).wrapping_mul(last))
        });
        takes && self.state.ko != index as u16
    }

    /// Removes the point from the list of empty points and counts the stone.
    #[inline(always)]
    fn place<const HASHED: bool>(&mut self, player: Player, index: usize) {
        let hole = self.slots[index].link;
        self.state.empty_count -= 1;
        let last = self.empties[self.state.empty_count as usize];
        self.empties[hole as usize] = last;
        self.slots[last as usize].link = hole;
        self.state.stones[player.index()] += 1;
        if HASHED {
            self.state.hash ^= STONE_KEYS[player.index()][index];
        }
    }

    /// Joins the new stone to the chains of its friendly neighbours (a mask over the four sides).
    #[inline(always)]
    fn join<const STRIDE: usize>(&mut self, index: usize, own: u16, friends: u32, gained: u64) {
        if friends == 0 {
            self.slots[index].label = own | index as u16;
            self.slots[index].link = index as u16;
            self.slots[index].size = 1;
            self.liberties[index] = gained;
            return;
        }
        let around = self.beside::<STRIDE>(index);
        let first = around[friends.trailing_zeros() as usize & 3];
        let label = self.slots[first].label;
        let chain = (label & CHAIN) as usize;
        self.slots[index].label = label;
        self.slots[index].link = self.slots[first].link;
        self.slots[first].link = index as u16;
        self.slots[chain].size += 1;
        self.liberties[chain] = self.liberties[chain].wrapping_add(gained);
        let mut rest = friends & (friends - 1);
        while rest != 0 {
            let other = around[rest.trailing_zeros() as usize & 3];
            rest &= rest - 1;
            if self.slots[other].label != self.slots[index].label {
                self.merge(index, other);
            }
        }
    }

    /// Joins two different chains of one colour: the smaller takes the label of the larger.
    #[inline(always)]
    fn merge(&mut self, one: usize, other: usize) {
        let chain_of = |slot: &Slot| (slot.label & CHAIN) as usize;
        let (chain_one, chain_other) = (chain_of(&self.slots[one]), chain_of(&self.slots[other]));
        let (size_one, size_other) = (self.slots[chain_one].size, self.slots[chain_other].size);
        let (keep, give, start) =
            if size_one >= size_other { (chain_one, chain_other, other) } else { (chain_other, chain_one, one) };
        let label = self.slots[keep].label;
        self.slots[keep].size = size_one + size_other;
        self.liberties[keep] = self.liberties[keep].wrapping_add(self.liberties[give]);
        let mut stone = start;
        loop {
            self.slots[stone].label = label;
            stone = self.slots[stone].link as usize;
            if stone == start {
                break;
            }
        }
        let link = self.slots[one].link;
        self.slots[one].link = self.slots[other].link;
        self.slots[other].link = link;
    }

    /// Removes the enemy chains without liberties around a new stone and finds the ko.
    #[inline(never)]
    fn capture<const HASHED: bool, const STRIDE: usize>(&mut self, player: Player, index: usize, mut taken: u32) {
        let around = self.beside::<STRIDE>(index);
        let before = self.state.empty_count;
        while taken != 0 {
            let stone = around[taken.trailing_zeros() as usize & 3];
            taken &= taken - 1;
            if self.slots[stone].label & COLOUR != EMPTY {
                self.remove_chain::<HASHED, STRIDE>(player.other(), stone);
            }
        }
        let slot = &self.slots[index];
        let alone = slot.label & CHAIN == index as u16 && slot.size == 1;
        let one_liberty = (slot.near & EMPTY_NEIGHBOURS) == ONE_EMPTY_NEIGHBOUR;
        if self.state.empty_count == before + 1 && alone && one_liberty {
            self.state.ko = self.empties[before as usize];
        }
    }

    /// Removes a chain from the board; its points become liberties of its neighbours.
    #[inline(always)]
    fn remove_chain<const HASHED: bool, const STRIDE: usize>(&mut self, owner: Player, start: usize) {
        let change = 0_u16.wrapping_sub(one_more(owner.index() as u16));
        let chain = (self.slots[start].label & CHAIN) as usize;
        let mut stone = start;
        let mut count = 0;
        loop {
            let next = self.slots[stone].link as usize;
            let gained = share(stone);
            for n in self.beside::<STRIDE>(stone) {
                let slot = &mut self.slots[n];
                slot.near = slot.near.wrapping_add(change);
                let neighbour = (slot.label & CHAIN) as usize;
                self.liberties[neighbour] = self.liberties[neighbour].wrapping_add(gained);
            }
            self.slots[stone].label = EMPTY | stone as u16;
            self.slots[stone].link = self.state.empty_count;
            self.liberties[stone] = NO_CHAIN;
            self.empties[self.state.empty_count as usize] = stone as u16;
            self.state.empty_count += 1;
            if HASHED {
                self.state.hash ^= STONE_KEYS[owner.index()][stone];
            }
            count += 1;
            stone = next;
            if stone == start {
                break;
            }
        }
        // During the removal, stones of the chain became liberties of the chain itself.
        self.liberties[chain] = NO_CHAIN;
        self.state.stones[owner.index()] -= count;
        self.state.prisoners[owner.index()] += u32::from(count);
    }
}

impl Board {
    /// Clears the ko, as a pass does.
    #[inline]
    pub fn pass(&mut self) {
        self.state.ko = 0;
    }

    /// The empty points, in arbitrary order.
    #[inline(always)]
    pub(super) fn empty_list(&self) -> &[u16] {
        &self.empties.0[..(self.state.empty_count as usize)]
    }

    /// Exchanges two places of the list of empty points.
    #[inline(always)]
    pub(super) fn swap_empties(&mut self, one: usize, other: usize) {
        let (point, other_point) = (self.empties[one], self.empties[other]);
        self.empties[one] = other_point;
        self.empties[other] = point;
        self.slots[point as usize].link = other as u16;
        self.slots[other_point as usize].link = one as u16;
    }

    /// The number of entries of the arrays of points and of empty points that this size uses.
    fn used(&self) -> (usize, usize) {
        let size = (self.state.size as usize).min(MAX_SIZE);
        ((size + 2) * (size + 1) + 1, size * size)
    }

    /// A compact copy, to return to.
    #[must_use]
    pub(super) fn save(&self) -> SavedBoard {
        let (points, area) = self.used();
        SavedBoard {
            slots: self.slots.0[..points].into(),
            liberties: self.liberties.0[..points].into(),
            empties: self.empties.0[..area].into(),
            state: self.state,
        }
    }

    /// Overwrites a saved board.
    pub(super) fn save_into(&self, saved: &mut SavedBoard) {
        let (points, area) = self.used();
        if (saved.slots.len(), saved.empties.len()) != (points, area) {
            *saved = self.save();
            return;
        }
        saved.slots.copy_from_slice(&self.slots.0[..points]);
        saved.liberties.copy_from_slice(&self.liberties.0[..points]);
        saved.empties.copy_from_slice(&self.empties.0[..area]);
        saved.state = self.state;
    }

    /// Returns to a saved board of the same size.
    pub(super) fn restore(&mut self, saved: &SavedBoard) {
        self.slots.0[..saved.slots.len()].copy_from_slice(&saved.slots);
        self.liberties.0[..saved.liberties.len()].copy_from_slice(&saved.liberties);
        self.empties.0[..saved.empties.len()].copy_from_slice(&saved.empties);
        self.state = saved.state;
    }
}

/// The part of a board that its size uses.
#[derive(Clone, Debug)]
pub(super) struct SavedBoard {
    slots: Box<[Slot]>,
    liberties: Box<[u64]>,
    empties: Box<[u16]>,
    state: Scalars,
}

impl Clone for Board {
    #[inline(always)]
    fn clone(&self) -> Board {
        Board { slots: self.slots, liberties: self.liberties, empties: self.empties, state: self.state }
    }

    /// Copies only what the size uses: about 2 kB at size 9, 7.5 kB at size 19.
    #[inline]
    fn clone_from(&mut self, source: &Board) {
        if self.state.size != source.state.size {
            *self = source.clone();
            return;
        }
        let (points, area) = source.used();
        self.slots.0[..points].copy_from_slice(&source.slots.0[..points]);
        self.liberties.0[..points].copy_from_slice(&source.liberties.0[..points]);
        self.empties.0[..area].copy_from_slice(&source.empties.0[..area]);
        self.state = source.state;
    }
}

/// Boards are equal if they have the same stones and the same ko point.
impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        let (points, _) = self.used();
        self.state.size == other.state.size
            && self.state.hash == other.state.hash
            && self.state.ko == other.state.ko
            && self.slots.0[..points]
                .iter()
                .zip(&other.slots.0[..points])
                .all(|(a, b)| (a.label ^ b.label) & COLOUR == 0)
    }
}

impl Eq for Board {}
