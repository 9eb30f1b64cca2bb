//! The transposition table of df-pn, of fixed size in bytes.
//!
//! Entries of 16 bytes (the whole 64-bit key; proof and disproof number, 28 bits each; the work
//! spent below, as a logarithm) lie in buckets of four, one cache line each. A solved entry stores
//! the move that solves it in place of a number. A value outside the range of numbers marks solved
//! entries.
//!
//! **Replacement** keeps big subtrees: in a full bucket the entry with the least work is replaced.
//! **Small-tree collection** (Nagai 2002; Kishimoto et al. 2012): when three quarters are in use
//! and the table may not grow, the three tenths of all entries with the least work are dropped, so
//! that buckets do not fill with entries that are cheap to find again.
//!
//! **Filter.** Most probes miss, and each costs a cache line from main memory. So a small Bloom
//! filter, 16 bits per bucket, says which keys *may* be present; only those are probed. Every key
//! sets three bits of one word (a blocked Bloom filter, after Bloom 1970). In a half-full table
//! about one absent key in thirty passes; with one bit it was one in eight. The filter changes no
//! result.
//!
//! **Threads.** Several threads share a table and leave it while it grows or collects. An entry is
//! two words, written one after the other without a lock. The first holds key ⊕ second, so a torn
//! entry does not match its key (Hyatt & Mann 2002). A single thread writes the same words.
//!
//! A table starts small and grows to its limit in steps. It never holds more than the limit, also
//! while entries move.

use crate::pages::{LINE, Words};
use crate::proof::Status;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;
use tesuji_core::Deadline;

/// The largest finite number.
pub(super) const MAX_NUMBER: u32 = (1 << 28) - 2;

const MARK: u64 = (1 << 28) - 1;
const WAYS: usize = 4;
const FIRST_BUCKETS: usize = 256;

/// The move of an entry without one.
pub(super) const NO_MOVE: u32 = MAX_NUMBER;

/// The contents of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Found {
    pub(super) status: Status,
    /// Proof and disproof number, at most [`MAX_NUMBER`]; without meaning once it is solved.
    pub(super) numbers: [u32; 2],
    /// The index of the move that solves it, or [`NO_MOVE`].
    pub(super) best: u32,
    /// Positions entered below, approximately.
    pub(super) work: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Entry {
    /// 0 if the entry is free.
    key: u64,
    word: u64,
}

/// A cache line: for each entry key ⊕ word, and word.
#[derive(Clone, Copy)]
struct Bucket<'a>(&'a [AtomicU64; LINE]);

impl<'a> Bucket<'a> {
    #[inline]
    fn get(self, way: usize) -> Entry {
        let word = self.0[way * 2 + 1].load(Ordering::Relaxed);
        Entry { key: self.0[way * 2].load(Ordering::Relaxed) ^ word, word }
    }

    #[inline]
    fn set(self, way: usize, entry: Entry) {
        self.0[way * 2 + 1].store(entry.word, Ordering::Relaxed);
        self.0[way * 2].store(entry.key ^ entry.word, Ordering::Relaxed);
    }

    #[inline]
    fn entries(self) -> impl Iterator<Item = Entry> + 'a {
        (0..WAYS).map(move |way| self.get(way)).filter(|entry| entry.key != 0)
    }
}

const _: () = assert!(WAYS * 2 == LINE, "a bucket is a cache line");
/// Bits of the filter for each bucket.
const FILTER_BITS: usize = 16;
/// A bucket and its share of the filter.
const BUCKET_BYTES: usize = 8 * LINE + FILTER_BITS / 8;

impl Entry {
    fn code(self) -> u64 {
        self.word >> 56
    }

    #[inline]
    fn found(self) -> Found {
        let (proof, disproof) = (self.word & MARK, self.word >> 28 & MARK);
        let (status, best) = match (proof, disproof) {
            (_, MARK) => (Status::Proved, proof as u32),
            (MARK, _) => (Status::Disproved, disproof as u32),
            _ => (Status::Unknown, NO_MOVE),
        };
        let numbers = [proof.min(u64::from(MAX_NUMBER)) as u32, disproof.min(u64::from(MAX_NUMBER)) as u32];
        Found { status, numbers, best, work: work_of(self.code()) }
    }

    fn word(found: &Found) -> u64 {
        let number = |side: usize| u64::from(found.numbers[side].min(MAX_NUMBER));
        let best = u64::from(found.best.min(NO_MOVE));
        let (proof, disproof) = match found.status {
            Status::Unknown => (number(0), number(1)),
            Status::Proved => (best, MARK),
            Status::Disproved => (MARK, best),
        };
        code_of(found.work) << 56 | disproof << 28 | proof
    }
}

/// The binary logarithm with three fractional bits.
fn code_of(work: u64) -> u64 {
    let work = work.max(1);
    let exponent = u64::from(work.ilog2());
    let fraction = if exponent >= 3 { work >> (exponent - 3) & 7 } else { work << (3 - exponent) & 7 };
    (exponent.min(31) * 8 + fraction).min(255)
}

fn work_of(code: u64) -> u64 {
    let (exponent, fraction) = (code / 8, code % 8);
    ((8 + fraction) << exponent) >> 3
}

/// Memory for this number of buckets and their filter; `None` if the system refuses.
fn zeroed(buckets: usize) -> Option<(Words, Words)> {
    let room = Words::in_large_pages;
    Some((room(buckets.checked_mul(LINE)?)?, room((buckets * FILTER_BITS).div_ceil(64).next_multiple_of(LINE))?))
}

/// The table.
pub(super) struct Table {
    /// A cache line for each bucket.
    words: Words,
    /// The Bloom filter.
    filter: Words,
    /// Entries in use; approximate while several threads write.
    used: AtomicUsize,
    most_buckets: usize,
    collections: u64,
    /// The largest size in bytes so far.
    peak: u64,
    /// The table does not start to grow where that would take longer than this.
    pub(super) deadline: Deadline,
}

impl Table {
    /// A table of at most this number of bytes.
    pub(super) fn new(bytes: u64) -> Table {
        let most_buckets = (bytes / BUCKET_BYTES as u64).clamp(1, 1 << 40) as usize;
        Table::of(FIRST_BUCKETS.min(most_buckets), most_buckets)
    }

    fn of(buckets: usize, most_buckets: usize) -> Table {
        let peak = (buckets * BUCKET_BYTES) as u64;
        let (words, filter) = zeroed(buckets).expect("the first table is small");
        Table {
            words,
            filter,
            used: AtomicUsize::new(0),
            most_buckets,
            collections: 0,
            peak,
            deadline: Deadline::default(),
        }
    }

    /// The number of buckets.
    #[inline]
    fn size(&self) -> usize {
        self.words.len() / LINE
    }

    /// The number of a key's bucket.
    #[inline]
    fn number(&self, key: u64) -> usize {
        ((u128::from(key) * self.size() as u128) >> 64) as usize
    }

    /// The bucket of a key.
    #[inline]
    fn bucket(&self, key: u64) -> Bucket<'_> {
        Bucket(self.words.line(self.number(key)))
    }

    fn buckets(&self) -> impl Iterator<Item = Bucket<'_>> {
        self.words.as_chunks().0.iter().map(Bucket)
    }

    /// The word and the three bits of a key in the filter; independent of its bucket.
    #[inline]
    fn filter_bits(&self, key: u64) -> (usize, u64) {
        let mixed = key.rotate_left(32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let word = ((u128::from(mixed) * self.filter.len() as u128) >> 64) as usize;
        (word, 1 << (key & 63) | 1 << (key >> 6 & 63) | 1 << (key >> 12 & 63))
    }

    /// Whether the key may be present. If not, it is absent.
    #[inline]
    pub(super) fn may_know(&self, key: u64) -> bool {
        let (word, bits) = self.filter_bits(Table::stored(key));
        self.filter[word].load(Ordering::Relaxed) & bits == bits
    }

    /// Prefetches the word that [`may_know`](Table::may_know) reads.
    #[inline]
    pub(super) fn prefetch_filter(&self, key: u64) {
        self.filter.prefetch(self.filter_bits(Table::stored(key)).0 / LINE);
    }

    /// The key as it is stored: 0 marks a free entry.
    #[inline]
    fn stored(key: u64) -> u64 {
        if key == 0 { 1 } else { key }
    }

    /// Prefetches the bucket of this key.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        self.words.prefetch(self.number(Table::stored(key)));
    }

    /// The entry of this key.
    #[inline]
    pub(super) fn probe(&self, key: u64) -> Option<Found> {
        let key = Table::stored(key);
        let bucket = self.bucket(key);
        (0..WAYS).map(|way| bucket.get(way)).find(|entry| entry.key == key).map(Entry::found)
    }

    /// Stores an entry, replacing the one with the least work if the bucket is full; then grows or
    /// collects if the table is crowded.
    pub(super) fn store(&mut self, key: u64, found: &Found) {
        self.share(key, found);
        if self.is_crowded() {
            self.make_room();
        }
    }

    /// Whether the table should grow. Buckets overflow long before the table is full, so it grows
    /// early and collects late.
    #[inline]
    pub(super) fn is_crowded(&self) -> bool {
        self.entries() * 2 > self.size() * WAYS
    }

    /// Whether [`make_room`](Table::make_room) would do anything.
    pub(super) fn has_room_to_make(&self) -> bool {
        self.is_crowded() && (self.next_size() > self.size() || self.entries() * 4 > self.size() * WAYS * 3)
    }

    /// The number of buckets after the next step. Both tables exist while entries move; the last
    /// step takes what is left beside the old one. Growing takes about a nanosecond per byte; the
    /// size stays if the deadline comes first.
    fn next_size(&self) -> usize {
        let now = self.size();
        let next = if now * 4 <= self.most_buckets / 4 { now * 4 } else { self.most_buckets.saturating_sub(now) };
        let takes = Duration::from_nanos((next * BUCKET_BYTES) as u64);
        if next > now && self.deadline.is_before(takes) { now } else { next }
    }

    /// Stores an entry without growing; safe while other threads do the same.
    #[inline]
    pub(super) fn share(&self, key: u64, found: &Found) {
        let key = Table::stored(key);
        let bucket = self.bucket(key);
        // A free slot is replaced before any entry.
        let cost = |slot: Entry| if slot.key == 0 { 0 } else { slot.code() + 1 };
        let (mut chosen, mut least) = (0, u64::MAX);
        for way in 0..WAYS {
            let slot = bucket.get(way);
            if slot.key == key {
                (chosen, least) = (way, 1);
                break;
            }
            if cost(slot) < least {
                (chosen, least) = (way, cost(slot));
            }
        }
        if least == 0 {
            self.used.store(self.entries() + 1, Ordering::Relaxed);
        }
        bucket.set(chosen, Entry { key, word: Entry::word(found) });
        self.filter_in(key);
    }

    #[inline]
    fn filter_in(&self, key: u64) {
        let (word, bits) = self.filter_bits(key);
        if self.filter[word].load(Ordering::Relaxed) & bits != bits {
            self.filter[word].fetch_or(bits, Ordering::Relaxed);
        }
    }

    /// Grows or collects small trees, if the table is crowded.
    #[cold]
    pub(super) fn make_room(&mut self) {
        let (now, next) = (self.size(), self.next_size());
        if next > now {
            self.grow(next);
        } else if self.entries() * 4 > now * WAYS * 3 {
            self.collect();
        }
    }

    fn grow(&mut self, buckets: usize) {
        self.peak = self.peak.max(((self.size() + buckets) * BUCKET_BYTES) as u64);
        let Some((words, filter)) = zeroed(buckets) else {
            // The system refuses the memory: the table keeps its size.
            self.most_buckets = self.size();
            return;
        };
        let old = std::mem::replace(&mut self.words, words);
        self.filter = filter;
        let mut used = 0;
        for entry in old.as_chunks().0.iter().map(Bucket).flat_map(Bucket::entries) {
            // A bucket may overflow while entries move; then the least work is dropped.
            let bucket = self.bucket(entry.key);
            let least = (0..WAYS).min_by_key(|way| bucket.get(*way).code()).unwrap_or(0);
            if let Some(free) = (0..WAYS).find(|way| bucket.get(*way).key == 0) {
                bucket.set(free, entry);
                used += 1;
            } else if bucket.get(least).code() < entry.code() {
                bucket.set(least, entry);
            }
        }
        self.used = AtomicUsize::new(used);
        self.fill_filter();
    }

    /// Inserts all keys into the empty filter.
    fn fill_filter(&self) {
        self.buckets().flat_map(Bucket::entries).for_each(|entry| self.filter_in(entry.key));
    }

    /// Drops the three tenths of all entries with the least work.
    fn collect(&mut self) {
        self.collections += 1;
        let mut counts = [0_usize; 256];
        for entry in self.buckets().flat_map(Bucket::entries) {
            counts[entry.code() as usize] += 1;
        }
        let wanted = self.entries() * 3 / 10 + 1;
        let (mut cut, mut below) = (0, 0);
        while below < wanted && cut < 256 {
            below += counts[cut];
            cut += 1;
        }
        // Of the last class only the first entries are dropped, up to the target: half of a table
        // may have equal work.
        let mut spared = below.saturating_sub(wanted);
        for (bucket, way) in self.buckets().flat_map(|bucket| (0..WAYS).map(move |way| (bucket, way))) {
            let entry = bucket.get(way);
            let code = entry.code() as usize;
            if entry.key == 0 || code + 1 > cut {
                continue;
            }
            if code + 1 == cut && spared > 0 {
                spared -= 1;
            } else {
                bucket.set(way, Entry::default());
            }
        }
        self.used = AtomicUsize::new(self.entries() - wanted.min(self.entries()));
        self.filter.iter_mut().for_each(|word| *word.get_mut() = 0);
        self.fill_filter();
    }

    /// Entries in use.
    pub(super) fn entries(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }

    /// Number of small-tree collections.
    pub(super) fn collections(&self) -> u64 {
        self.collections
    }

    /// Its largest size in bytes.
    pub(super) fn peak_bytes(&self) -> u64 {
        self.peak
    }
}

#[cfg(test)]
mod tests {
    use super::{FIRST_BUCKETS, Found, MAX_NUMBER, NO_MOVE, Table, code_of, work_of};
    use crate::proof::Status;
    use std::time::Duration;
    use tesuji_core::{Budget, mix};

    fn unknown(work: u64) -> Found {
        Found { status: Status::Unknown, numbers: [3, 5], best: NO_MOVE, work }
    }

    #[test]
    fn what_is_stored_is_found() {
        let mut table = Table::new(1 << 20);
        for status in [Status::Proved, Status::Disproved] {
            let solved = Found { status, numbers: [0, 0], best: 77, work: 12 };
            table.store(9, &solved);
            let found = table.probe(9).expect("just stored");
            assert_eq!((found.status, found.best, found.work), (status, 77, 12));
        }
        let huge = Found { numbers: [u32::MAX, 0], ..unknown(1) };
        table.store(0, &huge);
        let found = table.probe(0).expect("key 0 is as good as any");
        assert_eq!(
            (found.status, found.numbers),
            (Status::Unknown, [MAX_NUMBER, 0]),
            "finite numbers stay below the mark"
        );
    }

    #[test]
    fn work_is_kept_as_a_logarithm() {
        for work in (1..2_000).chain([1 << 20, (1 << 31) + 12_345]) {
            let kept = work_of(code_of(work));
            assert!(kept <= work && work - kept <= work / 8, "{work} becomes {kept}");
        }
        assert_eq!(code_of(u64::MAX), 255);
    }

    #[test]
    fn it_never_grows_and_keeps_what_took_work() {
        let bytes = 200_000;
        let mut table = Table::new(bytes);
        for number in 1..400_000_u64 {
            let work = if number % 100 == 0 { 1_000 } else { 1 };
            table.store(mix(number), &unknown(work));
            assert!(table.peak_bytes() <= bytes && table.size() * 64 <= bytes as usize);
        }
        let counted = table.buckets().flat_map(super::Bucket::entries).count();
        assert_eq!(counted, table.entries());
        assert!(table.collections() > 10);
        let kept = |step: usize| {
            let of = (300_000..400_000_u64).filter(|number| (number % 100 == 0) == (step == 100));
            let (mut here, mut all) = (0, 0);
            for number in of {
                here += usize::from(table.probe(mix(number)).is_some());
                all += 1;
            }
            here as f64 / f64::from(all)
        };
        assert!(kept(100) > 0.95, "big subtrees stay: {}", kept(100));
        assert!(kept(1) < 0.2, "small ones go: {}", kept(1));
    }

    /// Every key has its place, whatever the number of buckets.
    #[test]
    fn odd_sizes_have_whole_lines() {
        for bytes in (1..40).map(|step| step * 997) {
            let mut table = Table::new(bytes);
            for number in 1..2_000_u64 {
                table.prefetch(mix(number));
                table.prefetch_filter(mix(number));
                table.store(mix(number), &unknown(number));
            }
        }
    }

    #[test]
    fn it_does_not_grow_when_the_time_is_up() {
        let mut table = Table::new(1 << 24);
        let budget = Budget { hard_time: Some(Duration::ZERO), ..Budget::default() };
        table.deadline = budget.meter().deadline();
        for number in 1..20_000_u64 {
            table.store(mix(number), &unknown(number));
        }
        assert!(table.size() == FIRST_BUCKETS && table.collections() > 0, "it collects instead");
    }

    #[test]
    fn growing_keeps_entries() {
        let mut table = Table::new(1 << 24);
        for number in 1..20_000_u64 {
            table.store(mix(number), &unknown(number));
        }
        let lost = (1..20_000_u64).filter(|number| table.probe(mix(*number)).is_none()).count();
        // Half full, buckets hold two on average; the Poisson tail above four is about 3 %.
        assert!(lost < 1_000, "{lost} of 20,000 lost to full buckets");
        assert!(table.size() > FIRST_BUCKETS && table.collections() == 0);
    }
}
