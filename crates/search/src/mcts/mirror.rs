//! What one thread keeps to itself of the nodes every thread passes.
//!
//! Near the root all threads read the same records at every descent, and each descent writes some of them: cache lines
//! travel from core to core, and where an iteration takes two microseconds that is a third of it; with all-moves-as-first, whose
//! statistics half the moves of a playout change, two threads were slower than one. So each thread looks at a copy of the
//! children of a *busy* node and adds to the copy. After [`PATIENCE`] visits it gives the shared records what
//! it has added and copies them anew: sums are exact, sight is a few visits in a thousand late.
//!
//! Busy is what has been visited [`BUSY`] times and has a share of the root's visits that leaves room for all such nodes. There is
//! no virtual loss on a copy: what it is for, spreading threads over the leaves, is done below.

use super::publish::Published;
use super::tree::{Amaf, Node, NodeId, Tree, record};
use tesuji_core::Player;

/// Visits of a node by one thread between two looks at the shared records.
const PATIENCE: u32 = 64;
/// Visits before a node is worth a copy.
const BUSY: u32 = 512;
/// Most copies a thread keeps, and fewest that are worth the trouble.
const PLACES: std::ops::RangeInclusive<u64> = 8..=1024;
/// Most bytes the copies of a thread take.
const BYTES: u64 = 8 << 20;
/// Bytes a copied child takes.
const CHILD_BYTES: usize = size_of::<Sighting>() + size_of::<Owed>() + size_of::<u32>() + 2 * size_of::<Amaf>();

/// What has been added to a copied child and not yet to the child itself.
#[derive(Clone, Copy, Default)]
struct Owed {
    units: i64,
    visits: u32,
}

/// What a thread sees of a child: half of what the tree keeps of it, so that copies stay in its own cache.
#[derive(Clone, Copy, Default)]
pub(super) struct Sighting {
    /// Sum of the first player's rewards, in score units.
    units: i64,
    visits: u32,
    /// Not worth a visit: settled, or barred.
    pub(super) out: bool,
}

const _: () = assert!(size_of::<Sighting>() == 16, "a quarter of a cache line");

impl Sighting {
    /// What `player` has won here, in whole games, and in how many visits.
    #[inline]
    pub(super) fn record(&self, player: Player) -> (f64, f64) {
        record(self.units, self.visits, player)
    }
}

/// The children of one node, as one thread sees them.
#[derive(Default)]
pub(super) struct Mirror {
    /// Whose children; nobody's if there are none.
    parent: NodeId,
    first: NodeId,
    pub(super) children: Vec<Sighting>,
    /// The moves that lead to them, where all-moves-as-first are counted.
    pub(super) moves: Vec<u32>,
    pub(super) amaf: Vec<Amaf>,
    owed: Vec<Owed>,
    owed_amaf: Vec<Amaf>,
    /// Visits since the copy was made.
    age: u32,
}

impl Mirror {
    fn is_of(&self, parent: NodeId) -> bool {
        self.parent == parent && !self.children.is_empty()
    }

    /// Copies the children of a node.
    fn take(&mut self, tree: &Tree, parent: NodeId, children: Published, is_out: impl Fn(&Node) -> bool) {
        let count = usize::from(children.count);
        (self.parent, self.first) = (parent, children.first);
        self.children.resize(count, Sighting::default());
        self.owed.clear();
        self.owed.resize(count, Owed::default());
        if tree.columns.amaf {
            self.moves.clear();
            self.moves.extend(tree.nodes[children.first as usize..].iter().take(count).map(Node::move_index));
            self.amaf.resize_with(count, Amaf::default);
            self.owed_amaf.clear();
            self.owed_amaf.resize_with(count, Amaf::default);
        }
        self.look(tree, is_out);
    }

    /// Copies the shared records.
    fn look(&mut self, tree: &Tree, is_out: impl Fn(&Node) -> bool) {
        let place = self.first as usize;
        for (copy, node) in self.children.iter_mut().zip(&tree.nodes[place..]) {
            *copy = Sighting { units: node.units(), visits: node.visits(), out: is_out(node) };
        }
        if tree.columns.amaf {
            for (copy, amaf) in self.amaf.iter().zip(&tree.amaf[place..]) {
                copy.copy_from(amaf);
            }
        }
        self.age = 0;
    }

    /// Gives the shared records what is owed to them.
    fn pay(&mut self, tree: &Tree) {
        let place = self.first as usize;
        for (owed, node) in self.owed.iter_mut().zip(&tree.nodes[place..]) {
            if owed.visits > 0 {
                node.add(owed.units, owed.visits, true);
                *owed = Owed::default();
            }
        }
        if tree.columns.amaf {
            for (owed, amaf) in self.owed_amaf.iter().zip(&tree.amaf[place..]) {
                amaf.add_all(owed);
                owed.clear();
            }
        }
    }

    /// Adds rewards to a child.
    fn add(&mut self, child: NodeId, units: i64, visits: u32) {
        let number = (child - self.first) as usize;
        self.children[number].units += units;
        self.children[number].visits += visits;
        self.owed[number].units += units;
        self.owed[number].visits += visits;
    }

    /// Counts one playout for a child's move as if it had been first.
    pub(super) fn add_amaf(&mut self, number: usize, units: i64) {
        self.amaf[number].add(units);
        self.owed_amaf[number].add(units);
    }
}

/// How much a thread may copy.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    /// A power of two.
    places: u64,
    /// Nodes with more children are not copied.
    widest: u16,
}

impl Extent {
    /// The share of a thread of a search with so much memory, for a game with so many moves; nothing if it is too small to help.
    pub(super) fn of(memory: u64, threads: u32, moves: usize) -> Option<Extent> {
        let widest = moves.saturating_mul(2).clamp(64, usize::from(u16::MAX));
        let bytes = (memory / 16 / u64::from(threads)).min(BYTES);
        let places = (bytes / (widest * CHILD_BYTES) as u64).min(*PLACES.end());
        // The greatest power of two that is not greater.
        let places = 1 << places.checked_ilog2()?;
        (places >= *PLACES.start()).then_some(Extent { places, widest: widest as u16 })
    }

    /// The bytes that the copies of a thread may take.
    pub(super) fn bytes(self) -> u64 {
        self.places * u64::from(self.widest) * CHILD_BYTES as u64
    }
}

/// The copies of one thread. A node has one place, by its number, so that finding it is one comparison and siblings do
/// not meet.
pub(super) struct Mirrors {
    /// None, or a power of two.
    places: Vec<Mirror>,
    /// Nodes with more children are not copied.
    widest: u16,
}

impl Mirrors {
    pub(super) fn new(extent: Extent) -> Mirrors {
        Mirrors { places: (0..extent.places).map(|_| Mirror::default()).collect(), widest: extent.widest }
    }

    /// None at all.
    pub(super) fn none() -> Mirrors {
        Mirrors { places: Vec::new(), widest: 0 }
    }

    /// Whether a node is visited so often that a copy of its children pays.
    pub(super) fn are_for(&self, visits: u32, root_visits: u32, children: Published) -> bool {
        visits >= BUSY
            && !self.places.is_empty()
            && visits >= root_visits / self.places.len() as u32
            && children.open == children.count
            && children.count <= self.widest
    }

    fn place(&self, parent: NodeId) -> usize {
        parent as usize & self.places.len().wrapping_sub(1)
    }

    /// The copy of a busy node's children, fresh enough.
    pub(super) fn of(
        &mut self,
        tree: &Tree,
        parent: NodeId,
        children: Published,
        is_out: impl Fn(&Node) -> bool,
    ) -> &Mirror {
        let place = self.place(parent);
        let mirror = &mut self.places[place];
        if !mirror.is_of(parent) {
            mirror.pay(tree);
            mirror.take(tree, parent, children, is_out);
        } else if mirror.age >= PATIENCE {
            mirror.pay(tree);
            mirror.look(tree, is_out);
        }
        mirror.age += 1;
        mirror
    }

    /// The copy of a node's children, if it is at hand.
    pub(super) fn get(&mut self, parent: NodeId) -> Option<&mut Mirror> {
        let place = self.place(parent);
        self.places.get_mut(place).filter(|mirror| mirror.is_of(parent))
    }

    /// Adds rewards to a child that was chosen by a copy.
    pub(super) fn add(&mut self, tree: &Tree, parent: NodeId, child: NodeId, units: i64, visits: u32) {
        match self.get(parent) {
            Some(mirror) => mirror.add(child, units, visits),
            // Another node has taken the place since.
            None => tree.node(child).add(units, visits, true),
        }
    }

    /// Pays everything and forgets the copies: the tree may change.
    pub(super) fn close(&mut self, tree: &Tree) {
        for mirror in &mut self.places {
            mirror.pay(tree);
            mirror.children.clear();
            mirror.owed.clear();
            mirror.owed_amaf.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BYTES, Extent};

    #[test]
    fn copies_take_a_small_part_of_the_memory() {
        for moves in [1, 4, 81, 121, 362, 5_000, 65_535] {
            for threads in [2, 7, 1_024] {
                for memory in [0, 1 << 16, 1 << 22, 64 << 20, 1 << 30, 1 << 40] {
                    let Some(extent) = Extent::of(memory, threads, moves) else { continue };
                    assert!(extent.bytes() <= BYTES && extent.bytes() * u64::from(threads) <= memory / 16);
                    assert!(extent.places.is_power_of_two() && usize::from(extent.widest) >= moves);
                }
            }
        }
        assert!(Extent::of(1 << 30, 2, 121).is_some(), "Hex on the usual board");
        assert!(Extent::of(64 << 20, 2, 82).is_some(), "Go on the small board");
    }
}
