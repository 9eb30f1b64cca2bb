//! Free blocks of nodes, in one list per size.

use super::node::{Node, NodeId};
use std::sync::Mutex;

/// The free blocks. The blocks of a list are linked through the field that otherwise holds the
/// move.
#[derive(Default)]
pub(crate) struct FreeBlocks(Mutex<FreeLists>);

#[derive(Default)]
struct FreeLists {
    /// The first block of each size; 0 for none.
    heads: Vec<NodeId>,
    /// One bit per size: whether its list has blocks.
    present: Vec<u64>,
    /// Nodes in all lists.
    nodes: usize,
    /// The largest block requested so far.
    largest: usize,
}

/// Merged runs of free nodes are split into pieces of this size, or of the largest block requested.
const PIECE: usize = 4096;

impl FreeBlocks {
    /// A block of `count` nodes, split off a larger one if necessary.
    pub(crate) fn take(&self, nodes: &[Node], count: u16) -> Option<NodeId> {
        let mut lists = self.0.lock().expect("no thread panics while it holds the free lists");
        lists.largest = lists.largest.max(usize::from(count));
        let size = lists.smallest_from(usize::from(count))?;
        let block = lists.heads[size];
        lists.heads[size] = nodes[block as usize].move_index();
        if lists.heads[size] == 0 {
            lists.present[size / 64] &= !(1 << (size % 64));
        }
        lists.nodes -= size;
        if size > usize::from(count) {
            lists.put(nodes, block + NodeId::from(count), size - usize::from(count));
        }
        Some(block)
    }

    /// The lists, without locking: the tree is owned exclusively.
    fn lists(&mut self) -> &mut FreeLists {
        self.0.get_mut().expect("no thread panics while it holds the free lists")
    }

    /// Adds a block.
    pub(crate) fn put(&mut self, nodes: &[Node], block: NodeId, size: usize) {
        self.lists().put(nodes, block, size);
    }

    /// Adds a run of free nodes, in pieces.
    pub(crate) fn put_run(&mut self, nodes: &[Node], start: usize, end: usize) {
        let lists = self.lists();
        let piece = lists.largest.max(PIECE);
        let mut at = start;
        while at < end {
            let size = piece.min(end - at);
            lists.put(nodes, at as NodeId, size);
            at += size;
        }
    }

    /// Empties the lists; the nodes stay marked as free.
    pub(crate) fn clear(&mut self) {
        let lists = self.lists();
        lists.heads.fill(0);
        lists.present.fill(0);
        lists.nodes = 0;
    }

    /// The number of nodes in the lists.
    pub(crate) fn nodes(&self) -> usize {
        self.0.lock().expect("no thread panics while it holds the free lists").nodes
    }
}

impl FreeLists {
    /// The smallest size of at least `count` that has blocks.
    fn smallest_from(&self, count: usize) -> Option<usize> {
        let first = self.present.get(count / 64)? & (u64::MAX << (count % 64));
        let rest = self.present.iter().enumerate().skip(count / 64 + 1).map(|(word, bits)| (word, *bits));
        let (word, bits) = std::iter::once((count / 64, first)).chain(rest).find(|(_, bits)| *bits != 0)?;
        Some(word * 64 + bits.trailing_zeros() as usize)
    }

    fn put(&mut self, nodes: &[Node], block: NodeId, size: usize) {
        if self.heads.len() <= size {
            self.heads.resize(size + 1, 0);
            self.present.resize(size / 64 + 1, 0);
        }
        nodes[block as usize].set_next_free(self.heads[size]);
        self.heads[size] = block;
        self.present[size / 64] |= 1 << (size % 64);
        self.nodes += size;
    }
}
