//! Each thread's cache of the statistics near the root.
//!
//! Near the root all threads read the same records in every descent, and each descent writes some
//! of them. The cache lines travel from core to core. Where an iteration takes two microseconds,
//! that is a third of it; with all-moves-as-first, of which a playout updates half the moves, two
//! threads were slower than one. Each thread therefore selects by a copy of the children of a
//! *frequently visited* node and adds to the copy. After [`REFRESH_INTERVAL`] visits it adds its
//! pending changes to the shared records and copies them again. Sums are exact; a thread sees the
//! others' visits a few per thousand late.
//!
//! A node is cached if it has [`MIN_VISITS`] visits and a share of the root's visits that leaves
//! room for all such nodes. There is no virtual loss in a copy: below the cached nodes it spreads
//! the threads over the leaves.

use crate::mcts::tree::{Amaf, Node, NodeId, Published, Tree, record};
use tesuji_core::Player;

/// Visits of a node by one thread between two refreshes.
const REFRESH_INTERVAL: u32 = 64;
/// Visits before a node is cached.
const MIN_VISITS: u32 = 512;
/// The number of slots of a useful cache.
const SLOTS: std::ops::RangeInclusive<u64> = 8..=1024;
/// The most bytes of one thread's cache.
const MAX_BYTES: u64 = 8 << 20;
/// Bytes of a cached child.
const CHILD_BYTES: usize = size_of::<CachedChild>() + size_of::<Pending>() + size_of::<u32>() + 2 * size_of::<Amaf>();

/// What has been added to a cached child and not yet to the shared record.
#[derive(Clone, Copy, Default)]
struct Pending {
    units: i64,
    visits: u32,
}

/// A copy of what selection needs of a child: half the size of a node, so that more copies fit into
/// the processor's cache.
#[derive(Clone, Copy, Default)]
pub(crate) struct CachedChild {
    /// Sum of the first player's rewards, in score units.
    units: i64,
    visits: u32,
    /// Selection skips it: settled or excluded.
    pub(crate) skipped: bool,
}

const _: () = assert!(size_of::<CachedChild>() == 16, "a quarter of a cache line");

impl CachedChild {
    /// The sum of `player`'s rewards, in games, and the number of visits.
    #[inline]
    pub(crate) fn record(&self, player: Player) -> (f64, f64) {
        record(self.units, self.visits, player)
    }
}

/// The cached children of one node.
#[derive(Default)]
pub(crate) struct CachedNode {
    /// The node; meaningless if there are no children.
    parent: NodeId,
    first: NodeId,
    pub(crate) children: Vec<CachedChild>,
    /// The moves that lead to them, where all-moves-as-first statistics are kept.
    pub(crate) moves: Vec<u32>,
    pub(crate) amaf: Vec<Amaf>,
    pending: Vec<Pending>,
    pending_amaf: Vec<Amaf>,
    /// Visits since the last refresh.
    age: u32,
}

impl CachedNode {
    fn holds(&self, parent: NodeId) -> bool {
        self.parent == parent && !self.children.is_empty()
    }

    /// Loads the children of a node.
    fn load(&mut self, tree: &Tree, parent: NodeId, children: Published, is_skipped: impl Fn(&Node) -> bool) {
        let count = usize::from(children.count);
        (self.parent, self.first) = (parent, children.first);
        self.children.resize(count, CachedChild::default());
        self.pending.clear();
        self.pending.resize(count, Pending::default());
        if tree.columns.amaf {
            self.moves.clear();
            self.moves.extend(tree.nodes[children.first as usize..].iter().take(count).map(Node::move_index));
            self.amaf.resize_with(count, Amaf::default);
            self.pending_amaf.clear();
            self.pending_amaf.resize_with(count, Amaf::default);
        }
        self.refresh(tree, is_skipped);
    }

    /// Copies the shared records.
    fn refresh(&mut self, tree: &Tree, is_skipped: impl Fn(&Node) -> bool) {
        let place = self.first as usize;
        for (copy, node) in self.children.iter_mut().zip(&tree.nodes[place..]) {
            *copy = CachedChild { units: node.units(), visits: node.visits(), skipped: is_skipped(node) };
        }
        if tree.columns.amaf {
            for (copy, amaf) in self.amaf.iter().zip(&tree.amaf[place..]) {
                copy.copy_from(amaf);
            }
        }
        self.age = 0;
    }

    /// Adds the pending changes to the shared records.
    fn flush(&mut self, tree: &Tree) {
        let place = self.first as usize;
        for (pending, node) in self.pending.iter_mut().zip(&tree.nodes[place..]) {
            if pending.visits > 0 {
                node.add(pending.units, pending.visits, true);
                *pending = Pending::default();
            }
        }
        if tree.columns.amaf {
            for (pending, amaf) in self.pending_amaf.iter().zip(&tree.amaf[place..]) {
                amaf.add_all(pending);
                pending.clear();
            }
        }
    }

    /// Adds rewards to a child.
    fn add(&mut self, child: NodeId, units: i64, visits: u32) {
        let number = (child - self.first) as usize;
        self.children[number].units += units;
        self.children[number].visits += visits;
        self.pending[number].units += units;
        self.pending[number].visits += visits;
    }

    /// Counts one playout in a child's all-moves-as-first statistics.
    pub(crate) fn add_amaf(&mut self, number: usize, units: i64) {
        self.amaf[number].add(units);
        self.pending_amaf[number].add(units);
    }
}

/// The size of one thread's cache.
#[derive(Clone, Copy)]
pub(crate) struct CacheSize {
    /// A power of two.
    slots: u64,
    /// Nodes with more children are not cached.
    max_children: u16,
}

impl CacheSize {
    /// The size for each of `threads` threads of a search with this memory at a root with `moves`
    /// moves; nothing if a useful cache does not fit.
    pub(crate) fn for_search(memory: u64, threads: u32, moves: usize) -> Option<CacheSize> {
        let max_children = moves.saturating_mul(2).clamp(64, usize::from(u16::MAX));
        let bytes = (memory / 16 / u64::from(threads)).min(MAX_BYTES);
        let slots = (bytes / (max_children * CHILD_BYTES) as u64).min(*SLOTS.end());
        // Rounded down to a power of two.
        let slots = 1 << slots.checked_ilog2()?;
        (slots >= *SLOTS.start()).then_some(CacheSize { slots, max_children: max_children as u16 })
    }

    /// The most bytes that the cache takes.
    pub(crate) fn bytes(self) -> u64 {
        self.slots * u64::from(self.max_children) * CHILD_BYTES as u64
    }
}

/// The cache of one thread, direct-mapped by the index of the node: a lookup is one comparison, and
/// siblings do not collide.
pub(crate) struct StatisticsCache {
    /// Empty, or a power of two.
    slots: Vec<CachedNode>,
    /// Nodes with more children are not cached.
    max_children: u16,
}

impl StatisticsCache {
    pub(crate) fn new(size: CacheSize) -> StatisticsCache {
        let slots = (0..size.slots).map(|_| CachedNode::default()).collect();
        StatisticsCache { slots, max_children: size.max_children }
    }

    /// A cache without slots.
    pub(crate) fn empty() -> StatisticsCache {
        StatisticsCache { slots: Vec::new(), max_children: 0 }
    }

    /// Whether a node is visited often enough to be cached.
    pub(crate) fn admits(&self, visits: u32, root_visits: u32, children: Published) -> bool {
        visits >= MIN_VISITS
            && !self.slots.is_empty()
            && visits >= root_visits / self.slots.len() as u32
            && children.open == children.count
            && children.count <= self.max_children
    }

    fn slot(&self, parent: NodeId) -> usize {
        parent as usize & self.slots.len().wrapping_sub(1)
    }

    /// The cached children of a node, loaded or refreshed if necessary.
    pub(crate) fn fetch(
        &mut self,
        tree: &Tree,
        parent: NodeId,
        children: Published,
        is_skipped: impl Fn(&Node) -> bool,
    ) -> &CachedNode {
        let slot = self.slot(parent);
        let cached = &mut self.slots[slot];
        if !cached.holds(parent) {
            cached.flush(tree);
            cached.load(tree, parent, children, is_skipped);
        } else if cached.age >= REFRESH_INTERVAL {
            cached.flush(tree);
            cached.refresh(tree, is_skipped);
        }
        cached.age += 1;
        cached
    }

    /// The cached children of a node, if present.
    pub(crate) fn get(&mut self, parent: NodeId) -> Option<&mut CachedNode> {
        let slot = self.slot(parent);
        self.slots.get_mut(slot).filter(|cached| cached.holds(parent))
    }

    /// Adds rewards to a child that was selected by its cached statistics.
    pub(crate) fn add(&mut self, tree: &Tree, parent: NodeId, child: NodeId, units: i64, visits: u32) {
        match self.get(parent) {
            Some(cached) => cached.add(child, units, visits),
            // Another node has taken the slot since.
            None => tree.node(child).add(units, visits, true),
        }
    }

    /// Flushes and empties all slots: the tree may change.
    pub(crate) fn flush_all(&mut self, tree: &Tree) {
        for cached in &mut self.slots {
            cached.flush(tree);
            cached.children.clear();
            cached.pending.clear();
            cached.pending_amaf.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CacheSize, MAX_BYTES};

    #[test]
    fn caches_take_a_small_part_of_the_memory() {
        for moves in [1, 4, 81, 121, 362, 5_000, 65_535] {
            for threads in [2, 7, 1_024] {
                for memory in [0, 1 << 16, 1 << 22, 64 << 20, 1 << 30, 1 << 40] {
                    let Some(size) = CacheSize::for_search(memory, threads, moves) else { continue };
                    assert!(size.bytes() <= MAX_BYTES && size.bytes() * u64::from(threads) <= memory / 16);
                    assert!(size.slots.is_power_of_two() && usize::from(size.max_children) >= moves);
                }
            }
        }
        assert!(CacheSize::for_search(1 << 30, 2, 121).is_some(), "Hex 11×11");
        assert!(CacheSize::for_search(64 << 20, 2, 82).is_some(), "Go 9×9");
    }
}
