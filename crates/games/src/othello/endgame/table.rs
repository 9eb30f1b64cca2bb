//! The transposition table of the endgame search: an interval of margins and the best move.
//!
//! An entry holds both bitboards, so hash collisions cannot occur. Two entries per bucket: one for
//! the position with more empty squares, one for the latest.

/// What is known of a position, for its mover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known {
    pub(super) lower: i8,
    pub(super) upper: i8,
    /// The best move known; 64 if none.
    pub(super) best: u8,
    empties: u8,
}

/// No square.
pub(super) const NO_MOVE: u8 = 64;

const BARE: Known = Known { lower: i8::MIN, upper: i8::MAX, best: NO_MOVE, empties: 0 };

impl Known {
    #[inline]
    fn pack(self) -> u64 {
        u64::from(u32::from_le_bytes([self.lower as u8, self.upper as u8, self.best, self.empties]))
    }

    #[inline]
    fn unpack(word: u64) -> Known {
        let [lower, upper, best, empties] = (word as u32).to_le_bytes();
        Known { lower: lower as i8, upper: upper as i8, best, empties }
    }
}

/// The mover's discs, the opponent's discs, and the packed data. All zeros is an empty entry.
type Slot = [u64; 3];

/// The table of an endgame search.
#[derive(Debug)]
pub(super) struct Table {
    buckets: Vec<[Slot; 2]>,
}

impl Table {
    /// The largest table of at most this many bytes; at least one bucket. Zeroed words are reserved
    /// and touched as the table fills; the table is smaller where the system refuses.
    pub(super) fn new(bytes: u64) -> Table {
        let mut count = usize::try_from(bytes / size_of::<[Slot; 2]>() as u64).unwrap_or(usize::MAX).max(1);
        // Ask the system first: `vec!` aborts on failure.
        while count > 1 && Vec::<[Slot; 2]>::new().try_reserve_exact(count).is_err() {
            count /= 2;
        }
        Table { buckets: vec![[[0; 3]; 2]; count] }
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.buckets.len() * size_of::<[Slot; 2]>()) as u64
    }

    #[inline]
    fn place(&self, own: u64, other: u64) -> usize {
        let mixed =
            (own ^ other.rotate_left(32).wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(mixed) * self.buckets.len() as u128) >> 64) as usize
    }

    #[inline]
    pub(super) fn get(&self, own: u64, other: u64) -> Option<Known> {
        let slot = self.buckets[self.place(own, other)].iter().find(|slot| slot[0] == own && slot[1] == other)?;
        Some(Known::unpack(slot[2]))
    }

    /// Adds the result of a search within (alpha, beta).
    #[inline]
    pub(super) fn put(&mut self, own: u64, other: u64, (alpha, beta): (i32, i32), value: i32, best: u8) {
        let place = self.place(own, other);
        let empties = (!(own | other)).count_ones() as u8;
        let bucket = &mut self.buckets[place];
        let same = bucket.iter().position(|slot| slot[0] == own && slot[1] == other);
        let kept = || usize::from(Known::unpack(bucket[0][2]).empties > empties);
        let slot = same.unwrap_or_else(kept);
        let mut known = if same.is_some() { Known::unpack(bucket[slot][2]) } else { Known { empties, ..BARE } };
        let value8 = value.clamp(-127, 127) as i8;
        if value > alpha {
            known.lower = known.lower.max(value8);
        }
        if value < beta {
            known.upper = known.upper.min(value8);
        }
        if value > alpha || known.best == NO_MOVE {
            known.best = best;
        }
        bucket[slot] = [own, other, known.pack()];
    }
}
