//! Lists of children that were put aside, for positions that are entered again.
//!
//! A position is left when its numbers exceed its thresholds, and may be entered again soon. Where
//! an adviser lists the children that is dear. So the list as it was when the position was left is
//! kept, as long as there is room: a ring of children, and an index by key. What others found out
//! about a child meanwhile is seen when the child is chosen, as with the lists on the path.
//!
//! Nothing is allocated until something is put aside. Without an adviser it does not pay: most
//! positions come back too late, and copying the lists costs a third of the speed (measured on
//! Othello and Hex).

use super::thresholds::Child;

/// Children that fit, and lists that the index tells apart. A list takes up what it needs, so few
/// of the lists are lost to the index.
const ROOM: usize = 1 << 15;
const PLACES: usize = 1 << 12;

#[derive(Clone, Copy, Default)]
struct Place {
    key: u64,
    /// Where it begins, counted from the first child ever put aside.
    from: u64,
    length: u32,
}

/// The shelf.
pub(super) struct ChildCache<M> {
    children: Vec<Child<M>>,
    places: Vec<Place>,
    /// Children put aside so far, and those skipped at the end of the ring.
    written: u64,
    closed: bool,
}

impl<M: Copy> ChildCache<M> {
    /// What it takes at most.
    pub(super) const BYTES: usize = ROOM * size_of::<Child<M>>() + PLACES * size_of::<Place>();

    /// An empty shelf.
    pub(super) fn open() -> ChildCache<M> {
        ChildCache { closed: false, ..ChildCache::closed() }
    }

    /// One that stays empty.
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

    /// Puts the children of the position with this key aside.
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

    /// The children of the position with this key, if they are still here.
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
