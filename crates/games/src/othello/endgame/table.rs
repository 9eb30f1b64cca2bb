//! What the endgame search knows of positions: an interval of margins and the best move.
//!
//! An entry holds both bitboards, so it answers for its own position and no other. Two entries a bucket: one for the
//! position with more empty squares, one for the latest.

/// What is known of a position, for its mover.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known {
    own: u64,
    other: u64,
    pub(super) lower: i8,
    pub(super) upper: i8,
    /// The best move known; 64 if none.
    pub(super) best: u8,
    empties: u8,
}

/// No square.
pub(super) const NO_MOVE: u8 = 64;

const BARE: Known = Known { own: 0, other: 0, lower: i8::MIN, upper: i8::MAX, best: NO_MOVE, empties: 0 };

/// The table of an endgame search.
#[derive(Debug)]
pub(super) struct Table {
    buckets: Vec<[Known; 2]>,
}

impl Table {
    /// The largest table within so many bytes; at least one bucket.
    pub(super) fn new(bytes: u64) -> Table {
        let count = usize::try_from(bytes / size_of::<[Known; 2]>() as u64).unwrap_or(usize::MAX).max(1);
        Table { buckets: vec![[BARE; 2]; count] }
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.buckets.len() * size_of::<[Known; 2]>()) as u64
    }

    #[inline]
    fn place(&self, own: u64, other: u64) -> usize {
        let mixed =
            (own ^ other.rotate_left(32).wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(mixed) * self.buckets.len() as u128) >> 64) as usize
    }

    #[inline]
    pub(super) fn get(&self, own: u64, other: u64) -> Option<&Known> {
        self.buckets[self.place(own, other)].iter().find(|known| known.own == own && known.other == other)
    }

    /// Adds what a search within (alpha, beta) found to what is known.
    #[inline]
    pub(super) fn put(&mut self, own: u64, other: u64, (alpha, beta): (i32, i32), value: i32, best: u8) {
        let place = self.place(own, other);
        let empties = (!(own | other)).count_ones() as u8;
        let bucket = &mut self.buckets[place];
        let same = bucket.iter().position(|known| known.own == own && known.other == other);
        let slot = same.unwrap_or(usize::from(bucket[0].empties > empties));
        let known = &mut bucket[slot];
        if same.is_none() {
            *known = Known { own, other, empties, ..BARE };
        }
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
    }
}
