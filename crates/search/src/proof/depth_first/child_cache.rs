//! Child lists of nodes that were left, kept for their next visit.
//!
//! df-pn leaves a node when its numbers exceed its thresholds, and often enters it again soon.
//! Where an adviser lists the children, listing is slow. So the list is cached when the node is
//! left: a ring buffer of children, and an index by key. Changes made meanwhile by other paths or
//! threads are seen when a child is selected, as for the lists on the path.
//!
//! Nothing is allocated before the first list. Without an adviser the cache does not pay: most
//! nodes return too late, and copying the lists costs a third of the speed (measured on Othello and
//! Hex).

use super::thresholds::Child;

/// Capacity of the ring in children, and of the index in lists.
const ROOM: usize = 1 << 15;
const PLACES: usize = 1 << 12;

#[derive(Clone, Copy, Default)]
struct Place {
    key: u64,
    /// The beginning of the list, counted from the first child ever written.
    from: u64,
    length: u32,
}

/// The cache.
pub(super) struct ChildCache<M> {
    children: Vec<Child<M>>,
    places: Vec<Place>,
    /// Children written so far, including those skipped at the end of the ring.
    written: u64,
    closed: bool,
}

impl<M: Copy> ChildCache<M> {
    /// Its size in bytes once it is used.
    pub(super) const BYTES: usize = ROOM * size_of::<Child<M>>() + PLACES * size_of::<Place>();

    /// An empty cache.
    pub(super) fn open() -> ChildCache<M> {
        ChildCache { closed: false, ..ChildCache::closed() }
    }

    /// A cache that stays empty.
    pub(super) fn closed() -> ChildCache<M> {
        ChildCache { children: Vec::new(), places: Vec::new(), written: 0, closed: true }
    }

    pub(super) fn is_open(&self) -> bool {
        !self.closed
    }

    #[inline]
    fn place(key: u64) -> usize {
        (key >> 20) as usize % PLACES
    }

    /// Stores the children of the position with this key.
    #[inline]
    pub(super) fn put(&mut self, key: u64, children: &[Child<M>]) {
        if self.closed || children.is_empty() || children.len() > ROOM / 8 {
            return;
        }
        if self.places.is_empty() {
            self.places = vec![Place::default(); PLACES];
            self.children = vec![children[0]; ROOM];
        }
        let mut at = self.written as usize % ROOM;
        if at + children.len() > ROOM {
            self.written += (ROOM - at) as u64;
            at = 0;
        }
        self.children[at..at + children.len()].copy_from_slice(children);
        self.places[ChildCache::<M>::place(key)] = Place { key, from: self.written, length: children.len() as u32 };
        self.written += children.len() as u64;
    }

    /// The children of the position with this key, if they were not overwritten.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<&[Child<M>]> {
        let place = self.places.get(ChildCache::<M>::place(key))?;
        let here = place.key == key && place.length > 0 && self.written - place.from <= ROOM as u64;
        let from = place.from as usize % ROOM;
        here.then(|| &self.children[from..from + place.length as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::{Child, ChildCache, ROOM};
    use crate::proof::Status;

    fn list(key: u64, length: usize) -> Vec<Child<u32>> {
        let child = |mv: u32| Child {
            mv,
            key: key + u64::from(mv),
            numbers: [1, 2],
            virtual_number: 0,
            status: Status::Unknown,
        };
        (0..length as u32).map(child).collect()
    }

    #[test]
    fn what_is_here_is_what_was_put() {
        let mut child_cache = ChildCache::open();
        assert!(child_cache.get(0).is_none());
        let key = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let length = |number: u64| 1 + number as usize * 7 % 40;
        let (mut here, mut gone) = (0, 0);
        for number in 0..5_000 {
            child_cache.put(key(number), &list(key(number) >> 1, length(number)));
            assert_eq!(child_cache.get(key(number)).map(<[_]>::len), Some(length(number)), "the newest is here");
            for old in [number / 2, number.saturating_sub(20), number.saturating_sub(3_000)] {
                match child_cache.get(key(old)) {
                    None => gone += 1,
                    Some(found) => {
                        here += 1;
                        assert_eq!(found.len(), length(old));
                        let right = |(mv, child): (usize, &Child<u32>)| {
                            child.mv as usize == mv && child.key == (key(old) >> 1) + mv as u64
                        };
                        assert!(found.iter().enumerate().all(right), "{old} was overwritten");
                    }
                }
            }
        }
        assert!(here > 1_000 && gone > 1_000, "{here} {gone}");
    }

    #[test]
    fn what_is_closed_or_too_long_is_not_kept() {
        let mut child_cache = ChildCache::closed();
        child_cache.put(5, &list(5, 3));
        assert!(child_cache.get(5).is_none() && child_cache.children.is_empty());
        let mut child_cache = ChildCache::open();
        child_cache.put(5, &list(5, ROOM));
        assert!(child_cache.get(5).is_none(), "too long a list");
    }
}
