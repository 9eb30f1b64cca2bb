//! The arena: one array of nodes, 32-bit indices, the children of a node side by side.
//!
//! What every recipe needs is in the record of 32 bytes (`node.rs`). What only some need (squares,
//! all-moves-as-first, priors, parents, …) lies in columns that exist only if the recipe asks for
//! them. The arena is reserved once, by the memory the search was given; the system provides real
//! memory only where it is touched. `recycle.rs` reclaims nodes when the arena is full.

use super::amaf::Amaf;
use super::free::FreeBlocks;
use super::node::{Node, NodeId, ROOT};
use super::publish::Published;
use bytemuck::Zeroable;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// Which columns a recipe needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Columns {
    /// Sums of squared rewards.
    pub(crate) squares: bool,
    /// All-moves-as-first.
    pub(crate) amaf: bool,
    /// The prior probability of a move.
    pub(crate) prior: bool,
    /// A network's value of a node.
    pub(crate) judged: bool,
    /// The parent.
    pub(crate) parent: bool,
    /// Lin's minimax node.
    pub(crate) minimax: bool,
    /// An auxiliary value of a node, backed up by a rule of its own.
    pub(crate) auxiliary: bool,
    /// Proof and disproof numbers.
    pub(crate) proof: bool,
    /// Equal positions share their children.
    pub(crate) shared: bool,
}

/// Bytes of free-list bookkeeping and slack counted per node.
const SLACK: usize = 1;

impl Columns {
    /// Bytes of a node.
    pub(crate) fn bytes_per_node(self) -> usize {
        let column = |present: bool, bytes: usize| if present { bytes } else { 0 };
        size_of::<Node>()
            + column(self.squares, 8)
            + column(self.amaf, size_of::<Amaf>())
            + column(self.prior, 4)
            + column(self.judged, 4)
            + column(self.parent, 4)
            + column(self.minimax, 4)
            + column(self.auxiliary, 4)
            + column(self.proof, 8)
            + column(self.shared, 12)
    }
}

/// The arena.
pub(crate) struct Tree {
    pub(crate) nodes: Box<[Node]>,
    squares: Box<[AtomicU64]>,
    pub(crate) amaf: Box<[Amaf]>,
    prior: Box<[AtomicU32]>,
    judged: Box<[AtomicU32]>,
    parent: Box<[AtomicU32]>,
    minimax: Box<[AtomicU32]>,
    auxiliary: Box<[AtomicU32]>,
    proof: Box<[AtomicU64]>,
    /// For the first child of a block: the hash of the parent's position.
    pub(crate) keys: Box<[AtomicU64]>,
    /// For the first child of a block: the number of nodes that share the block.
    pub(crate) parents: Box<[AtomicU32]>,
    pub(crate) columns: Columns,
    pub(crate) next: AtomicU32,
    pub(crate) free: FreeBlocks,
}

/// A zeroed array that is reserved but not touched; nothing if the system refuses.
fn reserve<T: Zeroable>(present: bool, length: usize) -> Option<Box<[T]>> {
    bytemuck::try_zeroed_slice_box(if present { length } else { 0 }).ok()
}

impl Tree {
    /// An arena with a root, of at most `bytes` bytes; nothing if the system refuses to reserve
    /// them or the root does not fit.
    pub(crate) fn new(columns: Columns, bytes: u64) -> Option<Tree> {
        let capacity = (bytes / (columns.bytes_per_node() + SLACK) as u64).min(u64::from(u32::MAX) - 1) as usize;
        if capacity == 0 {
            return None;
        }
        let tree = Tree {
            nodes: reserve(true, capacity)?,
            squares: reserve(columns.squares, capacity)?,
            amaf: reserve(columns.amaf, capacity)?,
            prior: reserve(columns.prior, capacity)?,
            judged: reserve(columns.judged, capacity)?,
            parent: reserve(columns.parent, capacity)?,
            minimax: reserve(columns.minimax, capacity)?,
            auxiliary: reserve(columns.auxiliary, capacity)?,
            proof: reserve(columns.proof, capacity)?,
            keys: reserve(columns.shared, capacity)?,
            parents: reserve(columns.shared, capacity)?,
            columns,
            next: AtomicU32::new(1),
            free: FreeBlocks::default(),
        };
        tree.reset(ROOT, 0, ROOT);
        Some(tree)
    }

    /// Initialises a record.
    pub(crate) fn reset(&self, id: NodeId, move_index: u32, parent: NodeId) {
        let at = id as usize;
        self.nodes[at].reset(move_index);
        if let Some(cell) = self.squares.get(at) {
            cell.store(0, Relaxed);
        }
        if let Some(amaf) = self.amaf.get(at) {
            amaf.clear();
        }
        if let Some(cell) = self.prior.get(at) {
            cell.store(0, Relaxed);
        }
        if let Some(cell) = self.judged.get(at) {
            cell.store(f32::NAN.to_bits(), Relaxed);
        }
        if let Some(cell) = self.parent.get(at) {
            cell.store(parent, Relaxed);
        }
        if let Some(cell) = self.minimax.get(at) {
            cell.store(id, Relaxed);
        }
        if let Some(cell) = self.auxiliary.get(at) {
            cell.store(f32::NAN.to_bits(), Relaxed);
        }
        if let Some(cell) = self.proof.get(at) {
            cell.store(1 << 32 | 1, Relaxed);
        }
    }

    /// Allocates `count` nodes side by side; nothing if there is no room.
    pub(crate) fn allocate(&self, count: u16) -> Option<NodeId> {
        let count = u32::from(count);
        let fits = |next: u32| next.checked_add(count).filter(|end| *end as usize <= self.nodes.len());
        self.next.fetch_update(Relaxed, Relaxed, fits).ok().or_else(|| self.free.take(&self.nodes, count as u16))
    }

    #[inline]
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// The children of a node that are open to selection.
    #[inline]
    pub(crate) fn open_children(&self, id: NodeId) -> &[Node] {
        self.node(id).children().get().map_or(&[], |children| self.open_of(children))
    }

    /// The children that were open when `Published` was read. Another thread may have opened more.
    pub(crate) fn open_of(&self, Published { first, open, .. }: Published) -> &[Node] {
        &self.nodes[first as usize..first as usize + usize::from(open)]
    }

    /// All children, open or not.
    pub(crate) fn all_children(&self, id: NodeId) -> &[Node] {
        match self.node(id).children().get() {
            Some(Published { first, count, .. }) => &self.nodes[first as usize..first as usize + usize::from(count)],
            None => &[],
        }
    }

    pub(crate) fn squares(&self, id: NodeId) -> u64 {
        self.squares.get(id as usize).map_or(0, |cell| cell.load(Relaxed))
    }

    /// Adds squared rewards, saturating; `shared` says whether other threads may do so at the same
    /// time.
    pub(crate) fn add_squares(&self, id: NodeId, squares: u64, shared: bool) {
        let Some(cell) = self.squares.get(id as usize) else { return };
        if shared {
            let _ = cell.fetch_update(Relaxed, Relaxed, |sum| Some(sum.saturating_add(squares)));
        } else {
            cell.store(cell.load(Relaxed).saturating_add(squares), Relaxed);
        }
    }

    pub(crate) fn prior(&self, id: NodeId) -> f64 {
        self.prior.get(id as usize).map_or(0.0, |cell| f64::from(f32::from_bits(cell.load(Relaxed))))
    }

    pub(crate) fn set_prior(&self, id: NodeId, prior: f64) {
        if let Some(cell) = self.prior.get(id as usize) {
            cell.store((prior as f32).to_bits(), Relaxed);
        }
    }

    /// A network's value of the node, for its mover, in [0, 1], if one has judged it.
    pub(crate) fn judged(&self, id: NodeId) -> Option<f32> {
        let value = f32::from_bits(self.judged.get(id as usize)?.load(Relaxed));
        (!value.is_nan()).then_some(value)
    }

    pub(crate) fn set_judged(&self, id: NodeId, value: f32) {
        if let Some(cell) = self.judged.get(id as usize) {
            cell.store(value.to_bits(), Relaxed);
        }
    }

    /// The parent; the root's is the root.
    pub(crate) fn parent(&self, id: NodeId) -> NodeId {
        self.parent[id as usize].load(Relaxed)
    }

    pub(crate) fn set_parent(&self, id: NodeId, parent: NodeId) {
        if let Some(cell) = self.parent.get(id as usize) {
            cell.store(parent, Relaxed);
        }
    }

    /// Lin's minimax node; by default the node itself.
    pub(crate) fn minimax(&self, id: NodeId) -> NodeId {
        self.minimax.get(id as usize).map_or(id, |cell| cell.load(Relaxed))
    }

    pub(crate) fn set_minimax(&self, id: NodeId, node: NodeId) {
        if let Some(cell) = self.minimax.get(id as usize) {
            cell.store(node, Relaxed);
        }
    }

    /// The auxiliary value of a node, for the first player, if it has one.
    pub(crate) fn auxiliary(&self, id: NodeId) -> Option<f64> {
        let value = f32::from_bits(self.auxiliary.get(id as usize)?.load(Relaxed));
        (!value.is_nan()).then(|| f64::from(value))
    }

    pub(crate) fn set_auxiliary(&self, id: NodeId, value: f64) {
        if let Some(cell) = self.auxiliary.get(id as usize) {
            cell.store((value as f32).to_bits(), Relaxed);
        }
    }

    /// Proof and disproof number of "the first player wins".
    pub(crate) fn proof(&self, id: NodeId) -> (u32, u32) {
        let word = self.proof.get(id as usize).map_or(1 << 32 | 1, |cell| cell.load(Relaxed));
        ((word >> 32) as u32, word as u32)
    }

    pub(crate) fn set_proof(&self, id: NodeId, proof: u32, disproof: u32) {
        if let Some(cell) = self.proof.get(id as usize) {
            cell.store(u64::from(proof) << 32 | u64::from(disproof), Relaxed);
        }
    }

    /// Copies the columns of one node to another.
    pub(crate) fn copy_columns(&self, from: NodeId, to: NodeId) {
        if let Some(cell) = self.squares.get(to as usize) {
            cell.store(self.squares(from), Relaxed);
        }
        if let Some(cell) = self.judged.get(to as usize) {
            cell.store(self.judged[from as usize].load(Relaxed), Relaxed);
        }
        if let Some(cell) = self.auxiliary.get(to as usize) {
            cell.store(self.auxiliary[from as usize].load(Relaxed), Relaxed);
        }
        if let Some(cell) = self.proof.get(to as usize) {
            cell.store(self.proof[from as usize].load(Relaxed), Relaxed);
        }
    }

    /// The number of nodes in use.
    pub(crate) fn len(&self) -> usize {
        self.next.load(Relaxed) as usize - self.free.nodes()
    }

    /// Bytes of the arena that have been touched.
    pub(crate) fn bytes(&self) -> u64 {
        self.next.load(Relaxed) as u64 * self.columns.bytes_per_node() as u64
    }
}
