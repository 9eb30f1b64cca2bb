//! A transposition table of fixed size for searches by values.
//!
//! A bucket of four entries fills a cache line. An entry is two words, the data and key ⊕ data
//! (Hyatt & Mann 2002, "A lock-less transposition table implementation"). A reader recomputes the
//! key from both words, so an entry of another position, or an entry torn by two writers, does not
//! match. The whole 64-bit hash is compared. A stored move is only an index; the reader must check
//! that the move is legal.
//!
//! **Replacement**: the entry of the same position, otherwise the one of least depth, where every
//! search since the entry was written counts like four plies less.
//!
//! **Pages.** The system provides memory when it is first touched. A page that is read first and
//! written later faults twice, and the second fault interrupts every processor that runs a thread
//! of the search: two threads were slower than one. A bit per page therefore records whether
//! anything was written there, and pages without it are not read.

use crate::pages::{LINE, Words};
use std::sync::atomic::{AtomicU64, Ordering};
use tesuji_core::PositionHash;

/// The size of a bucket in bytes: the smallest table.
pub const BUCKET_BYTES: u64 = 64;
/// The depth of a final entry: no horizon was met below it, so it holds at any depth.
pub const FINAL: u32 = (1 << DEPTH_BITS) - 1;

const ENTRIES: usize = 4;
const WORDS: usize = 2 * ENTRIES;
const _: () = assert!(WORDS == LINE, "a bucket is a cache line");
const VALUE_BITS: u32 = 18;
const DEPTH_BITS: u32 = 10;
const MOVE_BITS: u32 = 20;
const GENERATION_BITS: u32 = 6;
const VALUE_OFFSET: i32 = 1 << (VALUE_BITS - 1);

/// Buckets in a page of memory.
const PAGE_BUCKETS: usize = 64;

/// The relation of an entry's value to the value of the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// Equal.
    Exact = 1,
    /// A lower bound.
    Lower = 2,
    /// An upper bound.
    Upper = 3,
}

/// An entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// For the side to move; within ±131,071.
    pub value: i32,
    /// Whether the value is exact or a bound.
    pub bound: Bound,
    /// The depth of the search below; at most [`FINAL`].
    pub depth: u32,
    /// The index of the best move, if it is known and below 2²⁰ − 1.
    pub best: Option<u32>,
}

/// Check and data of each entry of a bucket.
type Bucket = [AtomicU64; WORDS];

/// The table. Threads share it by reference.
pub struct TranspositionTable {
    words: Words,
    buckets: usize,
    /// One bit per page of buckets: whether anything was written there.
    written: Box<[AtomicU64]>,
    generation: u64,
}

impl TranspositionTable {
    /// The largest table within `bytes` bytes, at least one bucket; nothing if the system refuses.
    /// The memory is reserved at once and touched as it fills.
    #[must_use]
    pub fn new(bytes: u64) -> Option<TranspositionTable> {
        let buckets = usize::try_from(bytes / BUCKET_BYTES).ok()?.max(1);
        let words = Words::new(buckets.checked_mul(WORDS)?)?;
        let written = bytemuck::try_zeroed_slice_box(buckets.div_ceil(64 * PAGE_BUCKETS)).ok()?;
        Some(TranspositionTable { words, buckets, written, generation: 0 })
    }

    /// Bytes of all buckets.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.buckets as u64 * BUCKET_BYTES
    }

    /// Starts a new generation of entries; called before each search.
    pub fn advance_generation(&mut self) {
        self.generation = (self.generation + 1) % (1 << GENERATION_BITS);
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        for number in (0..self.buckets).step_by(PAGE_BUCKETS) {
            if self.is_written(number) {
                let page = self.words[number * WORDS..].iter_mut().take(PAGE_BUCKETS * WORDS);
                page.for_each(|word| *word.get_mut() = 0);
            }
        }
        self.written.iter_mut().for_each(|pages| *pages.get_mut() = 0);
        self.generation = 0;
    }

    /// The bucket of a position.
    #[inline]
    fn number(&self, key: u64) -> usize {
        // The high word of the product is below the number of buckets and as uniform as the hash.
        ((u128::from(key) * self.buckets as u128) >> 64) as usize
    }

    #[inline]
    fn bucket(&self, number: usize) -> &Bucket {
        self.words.line(number)
    }

    /// Whether anything was written to the page of a bucket.
    #[inline]
    fn is_written(&self, number: usize) -> bool {
        let page = number / PAGE_BUCKETS;
        self.written[page / 64].load(Ordering::Relaxed) >> (page % 64) & 1 != 0
    }

    /// The entry of a position.
    #[inline]
    #[must_use]
    pub fn get(&self, hash: PositionHash) -> Option<Entry> {
        let number = self.number(hash.0);
        if !self.is_written(number) {
            return None;
        }
        self.bucket(number).chunks_exact(2).find_map(|slot| {
            let data = slot[1].load(Ordering::Relaxed);
            if slot[0].load(Ordering::Relaxed) ^ data == hash.0 { unpack(data) } else { None }
        })
    }

    /// Stores an entry in place of the least valuable one.
    #[inline]
    pub fn put(&self, hash: PositionHash, entry: Entry) {
        let number = self.number(hash.0);
        let bucket = self.bucket(number);
        let mut chosen = &bucket[..2];
        if self.is_written(number) {
            let mut least = i64::MAX;
            for slot in bucket.chunks_exact(2) {
                let data = slot[1].load(Ordering::Relaxed);
                if slot[0].load(Ordering::Relaxed) ^ data == hash.0 && data != 0 {
                    // A shallow bound does not replace a deeper one of the same search.
                    let kept = unpack(data);
                    let same_age = data >> GENERATION_AT & ((1 << GENERATION_BITS) - 1) == self.generation;
                    if entry.bound != Bound::Exact && same_age && kept.is_some_and(|kept| kept.depth > entry.depth + 3)
                    {
                        return;
                    }
                    chosen = slot;
                    break;
                }
                let worth = self.worth(data);
                if worth < least {
                    (chosen, least) = (slot, worth);
                }
            }
        } else {
            let page = number / PAGE_BUCKETS;
            self.written[page / 64].fetch_or(1 << (page % 64), Ordering::Relaxed);
        }
        let data = pack(entry, self.generation);
        chosen[0].store(hash.0 ^ data, Ordering::Relaxed);
        chosen[1].store(data, Ordering::Relaxed);
    }

    /// The value of keeping an entry.
    #[inline]
    fn worth(&self, data: u64) -> i64 {
        if data == 0 {
            return i64::MIN;
        }
        let written = data >> GENERATION_AT & ((1 << GENERATION_BITS) - 1);
        let age = (self.generation + (1 << GENERATION_BITS) - written) % (1 << GENERATION_BITS);
        (data >> DEPTH_AT & ((1 << DEPTH_BITS) - 1)) as i64 - 4 * age as i64
    }

    /// The fraction of entries of the current generation, estimated from the first 1,000 entries.
    #[must_use]
    pub fn fullness(&self) -> f64 {
        let (mut all, mut used) = (0, 0);
        for slot in self.words.chunks_exact(2).take(self.buckets.min(250) * ENTRIES) {
            let data = slot[1].load(Ordering::Relaxed);
            all += 1;
            used += i32::from(data != 0 && data >> GENERATION_AT & ((1 << GENERATION_BITS) - 1) == self.generation);
        }
        f64::from(used) / f64::from(all)
    }

    /// Fills the whole table by `words` (check and data of each entry), for tests of corrupted
    /// entries.
    #[doc(hidden)]
    pub fn poison(&mut self, mut words: impl FnMut(u64) -> (u64, u64)) {
        self.written.iter_mut().for_each(|pages| *pages.get_mut() = u64::MAX);
        let all = self.words.chunks_exact_mut(2).take(self.buckets * ENTRIES);
        for (number, slot) in all.enumerate() {
            (*slot[0].get_mut(), *slot[1].get_mut()) = words(number as u64);
        }
    }
}

// From the lowest bit: value, bound, depth, generation, move + 1.
const BOUND_AT: u32 = VALUE_BITS;
const DEPTH_AT: u32 = BOUND_AT + 2;
const GENERATION_AT: u32 = DEPTH_AT + DEPTH_BITS;
const MOVE_AT: u32 = GENERATION_AT + GENERATION_BITS;
const _: () = assert!(MOVE_AT + MOVE_BITS <= 64);

#[inline]
fn pack(entry: Entry, generation: u64) -> u64 {
    debug_assert!(entry.value.abs() < VALUE_OFFSET, "values have {VALUE_BITS} bits");
    let value = (entry.value + VALUE_OFFSET) as u64;
    let best = entry.best.map_or(0, |best| u64::from(best) + 1);
    let best = if best < 1 << MOVE_BITS { best } else { 0 };
    value
        | (entry.bound as u64) << BOUND_AT
        | u64::from(entry.depth.min(FINAL)) << DEPTH_AT
        | generation << GENERATION_AT
        | best << MOVE_AT
}

#[inline]
fn unpack(data: u64) -> Option<Entry> {
    let bound = match data >> BOUND_AT & 3 {
        1 => Bound::Exact,
        2 => Bound::Lower,
        3 => Bound::Upper,
        _ => return None,
    };
    let best = (data >> MOVE_AT & ((1 << MOVE_BITS) - 1)) as u32;
    Some(Entry {
        value: (data & ((1 << VALUE_BITS) - 1)) as i32 - VALUE_OFFSET,
        bound,
        depth: (data >> DEPTH_AT) as u32 & FINAL,
        best: best.checked_sub(1),
    })
}

#[cfg(test)]
mod tests {
    use super::{BUCKET_BYTES, Bound, Entry, FINAL, TranspositionTable, pack, unpack};
    use tesuji_core::{PositionHash, Rng, Seed};

    #[test]
    fn packing_is_lossless() {
        let mut rng = Rng::new(Seed(1));
        for _ in 0..100_000 {
            let best = rng.below(1 << 20);
            let entry = Entry {
                value: rng.below(262_143) as i32 - 131_071,
                bound: [Bound::Exact, Bound::Lower, Bound::Upper][rng.below(3) as usize],
                depth: rng.below(FINAL + 1),
                best: best.checked_sub(1),
            };
            assert_eq!(unpack(pack(entry, u64::from(rng.below(64)))), Some(entry));
        }
        let far = Entry { value: 0, bound: Bound::Exact, depth: 1, best: Some(1 << 20) };
        assert_eq!(unpack(pack(far, 0)), Some(Entry { best: None, ..far }), "an index too large is not stored");
    }

    /// A table much smaller than the number of insertions: every entry found belongs to the
    /// position.
    #[test]
    fn answers_are_never_those_of_another_position() {
        let table = TranspositionTable::new(64 * BUCKET_BYTES).expect("little memory");
        let value = |number: u64| (number % 1000) as i32 - 500;
        let mut found = 0;
        for number in 0..10_000_u64 {
            let hash = PositionHash(tesuji_core::mix(number));
            table.put(hash, Entry { value: value(number), bound: Bound::Exact, depth: 3, best: None });
            let earlier = number.saturating_sub(u64::from(number as u32 % 300));
            if let Some(entry) = table.get(PositionHash(tesuji_core::mix(earlier))) {
                assert_eq!(entry.value, value(earlier));
                found += 1;
            }
        }
        assert!(found > 2_000, "{found}");
        assert_eq!(table.bytes(), 4096);
    }

    #[test]
    fn old_entries_go_first_and_deep_ones_last() {
        let mut table = TranspositionTable::new(BUCKET_BYTES).expect("little memory");
        let entry = |depth| Entry { value: 1, bound: Bound::Lower, depth, best: None };
        for number in 1..=4 {
            table.put(PositionHash(number), entry(10));
        }
        table.put(PositionHash(5), entry(2));
        let kept = (1..=4).filter(|number| table.get(PositionHash(*number)).is_some()).count();
        assert_eq!(kept, 3, "something must go, even for a shallow entry");
        for _ in 0..3 {
            table.advance_generation();
        }
        for number in 11..=13 {
            table.put(PositionHash(number), entry(1));
        }
        assert!((11..=13).all(|number| table.get(PositionHash(number)).is_some()), "the old ones went");
        table.clear();
        assert_eq!(table.get(PositionHash(11)), None);
        let mut large = TranspositionTable::new(300 * BUCKET_BYTES).expect("little memory");
        for round in 0..2 {
            let hashes = || (0..100).map(|number| PositionHash(tesuji_core::mix(number)));
            assert!(hashes().all(|hash| large.get(hash).is_none()), "empty, round {round}");
            hashes().for_each(|hash| large.put(hash, entry(1)));
            assert!(hashes().filter(|hash| large.get(*hash).is_some()).count() > 95);
            large.clear();
        }
        assert_eq!(TranspositionTable::new(1).map(|table| table.bytes()), Some(BUCKET_BYTES));
        assert!(TranspositionTable::new(1 << 60).is_none(), "more than there is");
    }
}
