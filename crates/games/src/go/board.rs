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

use super::layout::{
    CHAIN, COLOUR, EDGE_SHIFT, EMPTY, EMPTY_NEIGHBOURS, MAX_SIZE, MIN_SIZE, NO_CHAIN, ONE_EMPTY_NEIGHBOUR, Point, RIM,
    SHARES, SLOTS, STONE_KEYS, STONE_SHIFT, Slot, Table, one_more, share, stone,
};
use tesuji_core::Player;

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

/// The same function of each of the four sides. `<[T; 4]>::map` is a call unless the whole program
/// is optimised at once, and here every call counts.
#[inline(always)]
pub(super) fn at_sides<T: Copy, U>([one, two, three, four]: [T; 4], of: impl Fn(T) -> U) -> [U; 4] {
    [of(one), of(two), of(three), of(four)]
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
        self.put::<true, 0>(player, index, at_sides(around, |n| self.slots[n].label));
        self.remove_chain::<true, 0>(player, index);
    }

    /// Plays a stone unless that is suicide; returns whether it did. Does not check ko, nor suicide
    /// of a single stone.
    #[inline(always)]
    pub(super) fn settle<const HASHED: bool, const STRIDE: usize>(&mut self, player: Player, index: usize) -> bool {
        let labels = at_sides(self.beside::<STRIDE>(index), |n| self.slots[n].label);
        let chains = at_sides(labels, |label| (label & CHAIN) as usize);
        let lost = share(index);
        for chain in chains {
            self.liberties[chain] = self.liberties[chain].wrapping_sub(lost);
        }
        let mut taken = 0;
        let dead = at_sides(chains, |chain| self.liberties[chain] == 0);
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
    pub(super) fn captures_from_inside<const STRIDE: usize>(&self, index: usize) -> bool {
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
}
