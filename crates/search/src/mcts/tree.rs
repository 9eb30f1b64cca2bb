//! The tree of statistics. It knows no game: moves are numbers, values belong to the first player.
//!
//! One arena, 32-bit indices, the children of a node side by side. What every recipe needs is in a
//! record of 32 bytes; what only some need (squares, all-moves-as-first, priors, parents, …) lies in columns
//! beside it that exist only when asked for. The arena is reserved once, by the memory the search was given, and the
//! system gives it real memory only where it is used. What happens when it is full: `recycle.rs`.
//!
//! All fields are atomic, so that several threads may search one tree. With one thread additions are a
//! plain load and store, which on common machines cost what they would cost without atomics; with several they are atomic, so
//! that visits and sums always add up.

use super::publish::{Children, Published};
use super::recycle::FreeBlocks;
use bytemuck::Zeroable;
use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering::Relaxed};
use tesuji_core::{Bounds, Player, Score, Value};

/// The index of a node.
pub(super) type NodeId = u32;

/// The root.
pub(super) const ROOT: NodeId = 0;

/// The hot record.
#[derive(Zeroable)]
#[repr(C)]
pub(super) struct Node {
    /// Sum of the first player's rewards, in score units.
    units: AtomicI64,
    visits: AtomicU32,
    first_child: AtomicU32,
    child_counts: AtomicU32,
    /// The move that leads here.
    move_index: AtomicU32,
    /// What is proved, packed.
    bounds: AtomicU32,
    state: AtomicU32,
}

const _: () = assert!(size_of::<Node>() == 32, "the hot record is half a cache line");

/// The second player moves here.
const SECOND: u32 = 1;
/// Somebody has been here, and the mover is known.
const ENTERED: u32 = 2;
/// Selection and decision leave it out.
const BARRED: u32 = 4;
/// A look-ahead has been made from here.
const PROBED: u32 = 8;
/// A short playout that began here was lost, or won, by the root's mover.
const SHORT_LOSS: u32 = 16;
const SHORT_WIN: u32 = 32;
/// It is in a free block.
const FREE: u32 = 64;

impl Node {
    fn reset(&self, move_index: u32) {
        self.units.store(0, Relaxed);
        self.visits.store(0, Relaxed);
        self.children().give_up();
        self.move_index.store(move_index, Relaxed);
        self.bounds.store(Bounds::UNKNOWN.pack(), Relaxed);
        self.state.store(0, Relaxed);
    }

    /// Its children, if it has any.
    #[inline]
    pub(super) fn children(&self) -> Children<'_> {
        Children { first: &self.first_child, counts: &self.child_counts }
    }

    /// Links free blocks, which have no moves, through the place of the move.
    pub(super) fn link(&self, next: NodeId) {
        self.move_index.store(next, Relaxed);
    }

    pub(super) fn is_free(&self) -> bool {
        self.state.load(Relaxed) & FREE != 0
    }

    pub(super) fn set_free(&self) {
        self.state.fetch_or(FREE, Relaxed);
    }

    #[inline]
    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    #[inline]
    pub(super) fn units(&self) -> i64 {
        self.units.load(Relaxed)
    }

    #[inline]
    pub(super) fn move_index(&self) -> u32 {
        self.move_index.load(Relaxed)
    }

    #[inline]
    pub(super) fn bounds(&self) -> Bounds {
        let word = self.bounds.load(Relaxed);
        if word == UNKNOWN_WORD { Bounds::UNKNOWN } else { Bounds::unpack(word).expect("only bounds are stored") }
    }

    pub(super) fn set_bounds(&self, bounds: Bounds) {
        self.bounds.store(bounds.pack(), Relaxed);
    }

    /// Who moves here, if somebody has been here.
    #[inline]
    pub(super) fn mover(&self) -> Player {
        if self.state.load(Relaxed) & SECOND == 0 { Player::First } else { Player::Second }
    }

    #[inline]
    pub(super) fn is_entered(&self) -> bool {
        self.state.load(Relaxed) & ENTERED != 0
    }

    /// Notes who moves here. Answers whether this was the first time.
    pub(super) fn enter(&self, mover: Player) -> bool {
        let mark = ENTERED | if mover == Player::Second { SECOND } else { 0 };
        self.state.fetch_or(mark, Relaxed) & ENTERED == 0
    }

    #[inline]
    pub(super) fn is_barred(&self) -> bool {
        self.state.load(Relaxed) & BARRED != 0
    }

    pub(super) fn bar(&self, barred: bool) {
        if barred {
            self.state.fetch_or(BARRED, Relaxed);
        } else {
            self.state.fetch_and(!BARRED, Relaxed);
        }
    }

    /// Notes that a short playout from here was won or lost by the player who moved here.
    pub(super) fn mark_short(&self, won: bool) {
        self.state.fetch_or(if won { SHORT_WIN } else { SHORT_LOSS }, Relaxed);
    }

    /// Whether a short playout from here was won, or lost.
    pub(super) fn had_short(&self, won: bool) -> bool {
        self.state.load(Relaxed) & if won { SHORT_WIN } else { SHORT_LOSS } != 0
    }

    /// Claims the one look-ahead a node gets.
    pub(super) fn claim_probe(&self) -> bool {
        self.state.load(Relaxed) & PROBED == 0 && self.state.fetch_or(PROBED, Relaxed) & PROBED == 0
    }

    /// Counts a descent under way as so many visits that `chooser`, who chose this node, has lost.
    pub(super) fn take_off(&self, chooser: Player, losses: u32) {
        self.visits.fetch_add(losses, Relaxed);
        if chooser == Player::Second {
            self.units.fetch_add(i64::from(losses) * i64::from(Score::UNITS), Relaxed);
        }
    }

    /// Puts the real rewards in the place of the lost visits.
    pub(super) fn land(&self, chooser: Player, losses: u32, units: i64, count: u32) {
        let lost = if chooser == Player::Second { i64::from(losses) * i64::from(Score::UNITS) } else { 0 };
        self.units.fetch_add(units - lost, Relaxed);
        if count != losses {
            self.visits.fetch_add(count.wrapping_sub(losses), Relaxed);
        }
    }

    /// What `player` has won here, in whole games, and in how many visits.
    #[inline]
    pub(super) fn record(&self, player: Player) -> (f64, f64) {
        record(self.units(), self.visits(), player)
    }

    /// Whether anything is proved about it or it is barred: seldom, and cheap to see.
    #[inline]
    pub(super) fn may_be_settled(&self) -> bool {
        self.bounds.load(Relaxed) != UNKNOWN_WORD || self.is_barred()
    }

    /// Adds rewards; `shared` says whether other threads may do so at the same time.
    #[inline]
    pub(super) fn add(&self, units: i64, count: u32, shared: bool) {
        if shared {
            self.units.fetch_add(units, Relaxed);
            self.visits.fetch_add(count, Relaxed);
        } else {
            self.units.store(self.units() + units, Relaxed);
            self.visits.store(self.visits().saturating_add(count), Relaxed);
        }
    }

    /// The mean of the rewards; rewards beyond win and loss count as such.
    pub(super) fn mean(&self) -> Value {
        let sum = self.units().clamp(0, i64::from(self.visits()) * i64::from(Score::UNITS));
        Value::mean(sum as u64, u64::from(self.visits()))
    }

    /// The mean as `player` counts it; only of nodes that were visited.
    #[inline]
    pub(super) fn mean_for(&self, player: Player) -> f64 {
        let mean = self.units() as f64 / (f64::from(self.visits()) * f64::from(Score::UNITS));
        if player == Player::First { mean } else { 1.0 - mean }
    }

    /// Takes over another record's contents, except the move that leads here.
    pub(super) fn become_like(&self, other: &Node) {
        self.units.store(other.units(), Relaxed);
        self.visits.store(other.visits(), Relaxed);
        self.bounds.store(other.bounds.load(Relaxed), Relaxed);
        self.state.store(other.state.load(Relaxed) & (SECOND | ENTERED | PROBED), Relaxed);
        match other.children().get() {
            Some(children) => self.children().publish(children),
            None => self.children().give_up(),
        }
    }
}

/// What `player` has won, in whole games, and in how many visits.
#[inline]
pub(super) fn record(units: i64, visits: u32, player: Player) -> (f64, f64) {
    let visits = f64::from(visits);
    let sum = units as f64 * (1.0 / Score::UNITS as f64);
    (if player == Player::First { sum } else { visits - sum }, visits)
}

const UNKNOWN_WORD: u32 = Bounds::UNKNOWN.pack();

/// All-moves-as-first statistics of a node: playouts in which its parent's mover played its move later. One word, so that
/// counting is one addition: the playouts in the low bits, the sum of their rewards above. Full at two million playouts, when
/// they have long ceased to matter.
#[derive(Zeroable, Default)]
#[repr(transparent)]
pub(super) struct Amaf(AtomicU64);

/// Bits of the count.
const COUNT_BITS: u32 = 21;
/// Added to every reward, so that sums stay positive; greater than any reward is far from zero.
const SHIFT: i64 = 1 << 20;

impl Amaf {
    pub(super) fn clear(&self) {
        self.0.store(0, Relaxed);
    }

    pub(super) fn copy_from(&self, other: &Amaf) {
        self.0.store(other.0.load(Relaxed), Relaxed);
    }

    /// Counts all that another has counted, which is little.
    pub(super) fn add_all(&self, other: &Amaf) {
        let word = other.0.load(Relaxed);
        if word != 0 && !self.is_full() {
            self.0.fetch_add(word, Relaxed);
        }
    }

    /// Nearly, rather: there is room for what every thread may be about to add.
    fn is_full(&self) -> bool {
        self.0.load(Relaxed) & ((1 << COUNT_BITS) - 1) >= (1 << COUNT_BITS) - (1 << 16)
    }

    fn split(&self) -> (i64, u32) {
        let word = self.0.load(Relaxed);
        let count = word & ((1 << COUNT_BITS) - 1);
        ((word >> COUNT_BITS) as i64 - SHIFT * count as i64, count as u32)
    }

    pub(super) fn visits(&self) -> u32 {
        self.split().1
    }

    /// The mean as `player` counts it.
    pub(super) fn mean_for(&self, player: Player) -> f64 {
        let (won, visits) = self.record(player);
        won / visits
    }

    /// What `player` has won, in whole games, and in how many playouts.
    #[inline]
    pub(super) fn record(&self, player: Player) -> (f64, f64) {
        let (units, count) = self.split();
        let (sum, visits) = (units as f64 * (1.0 / Score::UNITS as f64), f64::from(count));
        (if player == Player::First { sum } else { visits - sum }, visits)
    }

    /// Counts one playout. Where two threads count at the same moment one of the two may be lost, both halves of it: a
    /// playout counts for half the moves of the board, and atomic additions would cost more than the playout.
    #[inline]
    pub(super) fn add(&self, units: i64) {
        if self.is_full() {
            return;
        }
        let word = self.0.load(Relaxed);
        let one = ((units.clamp(-SHIFT, SHIFT) + SHIFT) as u64) << COUNT_BITS | 1;
        self.0.store(word + one, Relaxed);
    }
}

/// Which columns a recipe needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Columns {
    /// Sums of squared rewards.
    pub(super) squares: bool,
    /// All-moves-as-first.
    pub(super) amaf: bool,
    /// The weight of a move before it is tried.
    pub(super) prior: bool,
    /// The node above.
    pub(super) parent: bool,
    /// Lin's minimax node.
    pub(super) minimax: bool,
    /// A second value of a node, backed up by its own rule.
    pub(super) guide: bool,
    /// Proof and disproof numbers.
    pub(super) proof: bool,
    /// Equal positions share their children.
    pub(super) shared: bool,
}

/// How many bytes of free-list bookkeeping and slack a node is counted with.
const SLACK: usize = 1;

impl Columns {
    /// Bytes a node takes.
    pub(super) fn bytes_per_node(self) -> usize {
        let column = |present: bool, bytes: usize| if present { bytes } else { 0 };
        size_of::<Node>()
            + column(self.squares, 8)
            + column(self.amaf, size_of::<Amaf>())
            + column(self.prior, 4)
            + column(self.parent, 4)
            + column(self.minimax, 4)
            + column(self.guide, 4)
            + column(self.proof, 8)
            + column(self.shared, 12)
    }
}

/// The arena.
pub(super) struct Tree {
    pub(super) nodes: Box<[Node]>,
    squares: Box<[AtomicU64]>,
    pub(super) amaf: Box<[Amaf]>,
    prior: Box<[AtomicU32]>,
    parent: Box<[AtomicU32]>,
    minimax: Box<[AtomicU32]>,
    guide: Box<[AtomicU32]>,
    proof: Box<[AtomicU64]>,
    /// For the first child of a block: the hash of the position above.
    pub(super) keys: Box<[AtomicU64]>,
    /// For the first child of a block: how many nodes have it for their children.
    pub(super) parents: Box<[AtomicU32]>,
    pub(super) columns: Columns,
    pub(super) next: AtomicU32,
    pub(super) free: FreeBlocks,
}

/// A reserved, untouched array; nothing if the system refuses.
fn reserve<T: Zeroable>(present: bool, length: usize) -> Option<Box<[T]>> {
    bytemuck::try_zeroed_slice_box(if present { length } else { 0 }).ok()
}

impl Tree {
    /// An arena with a root, of at most so many bytes; nothing if the system has not so much to reserve,
    /// or if not even the root fits.
    pub(super) fn new(columns: Columns, bytes: u64) -> Option<Tree> {
        let capacity = (bytes / (columns.bytes_per_node() + SLACK) as u64).min(u64::from(u32::MAX) - 1) as usize;
        if capacity == 0 {
            return None;
        }
        let tree = Tree {
            nodes: reserve(true, capacity)?,
            squares: reserve(columns.squares, capacity)?,
            amaf: reserve(columns.amaf, capacity)?,
            prior: reserve(columns.prior, capacity)?,
            parent: reserve(columns.parent, capacity)?,
            minimax: reserve(columns.minimax, capacity)?,
            guide: reserve(columns.guide, capacity)?,
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

    /// An untouched record.
    pub(super) fn reset(&self, id: NodeId, move_index: u32, parent: NodeId) {
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
        if let Some(cell) = self.parent.get(at) {
            cell.store(parent, Relaxed);
        }
        if let Some(cell) = self.minimax.get(at) {
            cell.store(id, Relaxed);
        }
        if let Some(cell) = self.guide.get(at) {
            cell.store(f32::NAN.to_bits(), Relaxed);
        }
        if let Some(cell) = self.proof.get(at) {
            cell.store(1 << 32 | 1, Relaxed);
        }
    }

    /// Room for so many nodes side by side, if there is any.
    pub(super) fn allocate(&self, count: u16) -> Option<NodeId> {
        let count = u32::from(count);
        let fits = |next: u32| next.checked_add(count).filter(|end| *end as usize <= self.nodes.len());
        self.next.fetch_update(Relaxed, Relaxed, fits).ok().or_else(|| self.free.take(&self.nodes, count as u16))
    }

    #[inline]
    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// The children of a node that are open to selection, and the place of the first.
    #[inline]
    pub(super) fn open_children(&self, id: NodeId) -> &[Node] {
        self.node(id).children().get().map_or(&[], |children| self.open_of(children))
    }

    /// The children that were open when these were read. Another thread may have opened more since.
    pub(super) fn open_of(&self, Published { first, open, .. }: Published) -> &[Node] {
        &self.nodes[first as usize..first as usize + usize::from(open)]
    }

    /// All children, open or not.
    pub(super) fn all_children(&self, id: NodeId) -> &[Node] {
        match self.node(id).children().get() {
            Some(Published { first, count, .. }) => &self.nodes[first as usize..first as usize + usize::from(count)],
            None => &[],
        }
    }

    pub(super) fn squares(&self, id: NodeId) -> u64 {
        self.squares.get(id as usize).map_or(0, |cell| cell.load(Relaxed))
    }

    /// Adds squared rewards, as far as they can be counted; `shared` says whether other threads may do so at the same time.
    pub(super) fn add_squares(&self, id: NodeId, squares: u64, shared: bool) {
        let Some(cell) = self.squares.get(id as usize) else { return };
        if shared {
            let _ = cell.fetch_update(Relaxed, Relaxed, |sum| Some(sum.saturating_add(squares)));
        } else {
            cell.store(cell.load(Relaxed).saturating_add(squares), Relaxed);
        }
    }

    pub(super) fn prior(&self, id: NodeId) -> f64 {
        self.prior.get(id as usize).map_or(0.0, |cell| f64::from(f32::from_bits(cell.load(Relaxed))))
    }

    pub(super) fn set_prior(&self, id: NodeId, prior: f64) {
        if let Some(cell) = self.prior.get(id as usize) {
            cell.store((prior as f32).to_bits(), Relaxed);
        }
    }

    /// The node above; the root's is the root.
    pub(super) fn parent(&self, id: NodeId) -> NodeId {
        self.parent[id as usize].load(Relaxed)
    }

    pub(super) fn set_parent(&self, id: NodeId, parent: NodeId) {
        if let Some(cell) = self.parent.get(id as usize) {
            cell.store(parent, Relaxed);
        }
    }

    /// Lin's minimax node: the node itself unless set otherwise.
    pub(super) fn minimax(&self, id: NodeId) -> NodeId {
        self.minimax.get(id as usize).map_or(id, |cell| cell.load(Relaxed))
    }

    pub(super) fn set_minimax(&self, id: NodeId, node: NodeId) {
        if let Some(cell) = self.minimax.get(id as usize) {
            cell.store(node, Relaxed);
        }
    }

    /// The second value of a node, for the first player, if it has one.
    pub(super) fn guide(&self, id: NodeId) -> Option<f64> {
        let value = f32::from_bits(self.guide.get(id as usize)?.load(Relaxed));
        (!value.is_nan()).then(|| f64::from(value))
    }

    pub(super) fn set_guide(&self, id: NodeId, value: f64) {
        if let Some(cell) = self.guide.get(id as usize) {
            cell.store((value as f32).to_bits(), Relaxed);
        }
    }

    /// Proof and disproof number of "the first player wins".
    pub(super) fn proof(&self, id: NodeId) -> (u32, u32) {
        let word = self.proof.get(id as usize).map_or(1 << 32 | 1, |cell| cell.load(Relaxed));
        ((word >> 32) as u32, word as u32)
    }

    pub(super) fn set_proof(&self, id: NodeId, proof: u32, disproof: u32) {
        if let Some(cell) = self.proof.get(id as usize) {
            cell.store(u64::from(proof) << 32 | u64::from(disproof), Relaxed);
        }
    }

    /// Copies what columns say of one node to another.
    pub(super) fn copy_columns(&self, from: NodeId, to: NodeId) {
        if let Some(cell) = self.squares.get(to as usize) {
            cell.store(self.squares(from), Relaxed);
        }
        if let Some(cell) = self.guide.get(to as usize) {
            cell.store(self.guide[from as usize].load(Relaxed), Relaxed);
        }
        if let Some(cell) = self.proof.get(to as usize) {
            cell.store(self.proof[from as usize].load(Relaxed), Relaxed);
        }
    }

    /// How many nodes are in use.
    pub(super) fn len(&self) -> usize {
        self.next.load(Relaxed) as usize - self.free.nodes()
    }

    /// Bytes of memory touched: what the arena takes from the system.
    pub(super) fn bytes(&self) -> u64 {
        self.next.load(Relaxed) as u64 * self.columns.bytes_per_node() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::{Amaf, COUNT_BITS};
    use tesuji_core::{Player, Score};

    #[test]
    fn one_word_counts_and_sums() {
        let (amaf, unit) = (Amaf::default(), i64::from(Score::UNITS));
        for reward in [unit, 0, unit / 2, -3 * unit, 5 * unit] {
            amaf.add(reward);
        }
        assert_eq!(amaf.split(), (3 * unit + unit / 2, 5));
        assert!((amaf.mean_for(Player::First) - 0.7).abs() < 1e-12);
        assert!((amaf.mean_for(Player::Second) - 0.3).abs() < 1e-12);
        let full = Amaf::default();
        for _ in 0..1 << COUNT_BITS {
            full.add(unit);
        }
        let (units, count) = full.split();
        assert_eq!(units, i64::from(count) * unit);
        assert!(count > 2_000_000);
    }
}
