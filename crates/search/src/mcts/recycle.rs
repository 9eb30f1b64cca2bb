//! What happens when the arena is full: the least visited subtrees make room.
//!
//! First nodes come from the untouched part of the arena. When that is used up, blocks of children are
//! given back in this order: what lies above and beside the root of a tree that was followed to a later position; then
//! the children of the least visited nodes, a quarter of the arena at a time. For that one pass over the arena counts how many nodes hang below parents
//! of so many visits, which gives the number of visits `t` below which a quarter lies; the next pass takes the children of every node visited
//! fewer than `t` times, and of every node whose value is proved. The node itself stays, with its statistics and what is proved about it,
//! and gets children again when it is visited again.
//!
//! The counting pass also joins free blocks that lie side by side: games whose positions have different numbers of moves would otherwise cut the arena
//! into pieces too small for any node near the root. A pass goes by bounded strides, between which the search goes on, so that a stop is answered at once. Never given back: the root's
//! children, and whatever a node's minimax node (Lin) is in: passes leave every node alone whose minimax node is
//! another one. Children shared by several nodes are given back with the last of them.
//!
//! Sweeping needs the tree alone: other threads must not be in it.

use super::publish::Published;
use super::tree::{Node, NodeId, ROOT, Tree};
use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;

/// Nodes looked at before a sweep answers.
const STRIDE: usize = 100_000;

/// Blocks that can be used again, by size; linked through the place where a record keeps its move.
#[derive(Default)]
pub(super) struct FreeBlocks(Mutex<Lists>);

#[derive(Default)]
struct Lists {
    /// The first block of each size; 0 for none.
    heads: Vec<NodeId>,
    /// A bit for each size of which there are blocks.
    present: Vec<u64>,
    nodes: usize,
    /// The largest block anybody asked for.
    largest: usize,
}

/// Joined free nodes are cut into pieces of this size, or of the largest block asked for.
const PIECE: usize = 4096;

impl FreeBlocks {
    /// A block of this size, cut from a larger one if need be.
    pub(super) fn take(&self, nodes: &[Node], count: u16) -> Option<NodeId> {
        let mut lists = self.0.lock().expect("nobody panics with free blocks in hand");
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

    fn lists(&mut self) -> &mut Lists {
        self.0.get_mut().expect("nobody panics with free blocks in hand")
    }

    /// Puts back a run of free nodes, in pieces.
    fn put_run(&mut self, nodes: &[Node], start: usize, end: usize) {
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
    fn forget(&mut self) {
        let lists = self.lists();
        lists.heads.fill(0);
        lists.present.fill(0);
        lists.nodes = 0;
    }

    /// How many nodes are in the lists.
    pub(super) fn nodes(&self) -> usize {
        self.0.lock().expect("nobody panics with free blocks in hand").nodes
    }
}

impl Lists {
    /// The smallest size of which there are blocks, at least this.
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
        nodes[block as usize].link(self.heads[size]);
        self.heads[size] = block;
        self.present[size / 64] |= 1 << (size % 64);
        self.nodes += size;
    }
}

/// Visits are counted in classes: exactly up to 31, then by their four leading bits.
const CLASSES: usize = 32 + 27 * 8;

fn class_of(visits: u32) -> usize {
    if visits < 32 {
        return visits as usize;
    }
    let shift = 28 - visits.leading_zeros();
    32 + (shift as usize - 2) * 8 + ((visits >> shift) & 7) as usize
}

/// What the next stride does.
enum Pass {
    /// Counts the nodes below parents of each class, and joins free blocks that lie side by side.
    Count { below: Box<[u64; CLASSES]>, run: Option<usize> },
    /// Takes the children of nodes below a class.
    Take { class: usize },
}

/// What is to be given back, and where the pass stands.
pub(super) struct Recycler {
    /// Blocks nobody can reach any more; their own children follow.
    garbage: Vec<(NodeId, u16)>,
    pass: Pass,
    at: usize,
    /// A count found nothing to take: what is left stays.
    spent: bool,
}

impl Default for Recycler {
    fn default() -> Recycler {
        Recycler { garbage: Vec::new(), pass: Pass::count(), at: 0, spent: false }
    }
}

/// The class below which so many nodes lie, at least one; nothing if there are none at all.
fn class_to_take(below: &[u64; CLASSES], wanted: u64) -> Option<usize> {
    let mut sum = 0;
    let enough = below.iter().position(|count| {
        sum += count;
        sum > wanted
    });
    let last = below.iter().rposition(|count| *count > 0)?;
    Some(enough.unwrap_or(last) + 1)
}

impl Pass {
    fn count() -> Pass {
        Pass::Count { below: Box::new([0; CLASSES]), run: None }
    }
}

impl Recycler {
    /// Whether there may be something left to give back.
    pub(super) fn can_help(&self) -> bool {
        !self.spent
    }

    /// Gives back a bounded amount.
    pub(super) fn work(&mut self, tree: &mut Tree) {
        let (mut looked, mut freed) = (0, 0);
        while looked < STRIDE && freed <= tree.nodes.len() / 16 {
            if let Some((first, count)) = self.garbage.pop() {
                looked += usize::from(count);
                freed += self.discard(tree, first, count);
                continue;
            }
            if self.at == 0
                && let Pass::Count { .. } = self.pass
            {
                tree.free.forget();
            }
            if self.at >= tree.next.load(Relaxed) as usize {
                let end = std::mem::replace(&mut self.at, 0);
                let done = std::mem::replace(&mut self.pass, Pass::count());
                if let Pass::Count { below, run } = done {
                    if let Some(start) = run {
                        tree.free.put_run(&tree.nodes, start, end);
                    }
                    let Some(class) = class_to_take(&below, tree.nodes.len() as u64 / 4) else {
                        self.spent = true;
                        return;
                    };
                    self.pass = Pass::Take { class };
                } else if freed > 0 {
                    return;
                }
                looked += 1;
                continue;
            }
            looked += 1;
            self.look_at(tree, self.at as NodeId);
            self.at += 1;
        }
    }

    /// Counts or takes a node's children.
    fn look_at(&mut self, tree: &mut Tree, id: NodeId) {
        if let Pass::Count { run, .. } = &mut self.pass {
            match (*run, tree.node(id).is_free()) {
                (None, true) => *run = Some(id as usize),
                (Some(start), false) => {
                    *run = None;
                    tree.free.put_run(&tree.nodes, start, id as usize);
                }
                _ => {}
            }
        }
        let node = tree.node(id);
        let Some(Published { first, count, .. }) = node.children().get() else { return };
        if id == ROOT || tree.minimax(id) != id {
            return;
        }
        let class = if node.bounds().proved().is_some() { 0 } else { class_of(node.visits()) };
        match &mut self.pass {
            Pass::Count { below, .. } => below[class] += u64::from(count),
            Pass::Take { class: limit } if class < *limit => {
                node.children().give_up();
                self.garbage.push((first, count));
            }
            Pass::Take { .. } => {}
        }
    }

    /// Frees a block whose parent is gone, unless it has another. Answers how many nodes came free.
    fn discard(&mut self, tree: &mut Tree, first: NodeId, count: u16) -> usize {
        if let Some(parents) = tree.parents.get_mut(first as usize) {
            let parents = parents.get_mut();
            *parents -= 1;
            if *parents > 0 {
                return 0;
            }
            *tree.keys[first as usize].get_mut() = 0;
        }
        for id in first..first + NodeId::from(count) {
            if let Some(below) = tree.node(id).children().get() {
                self.garbage.push((below.first, below.count));
            }
            tree.reset(id, 0, ROOT);
            tree.node(id).set_free();
        }
        tree.free.lists().put(&tree.nodes, first, usize::from(count));
        usize::from(count)
    }

    /// Makes a child of the root the new root; everything not below it becomes garbage.
    pub(super) fn follow(&mut self, tree: &mut Tree, child: NodeId) {
        let Some(old) = tree.node(ROOT).children().get() else { return };
        let new = tree.node(child);
        let kept = new.children().get();
        tree.node(ROOT).become_like(new);
        tree.copy_columns(child, ROOT);
        let minimax = tree.minimax(child);
        tree.set_minimax(ROOT, if minimax == child { ROOT } else { minimax });
        new.children().give_up();
        if let Some(kept) = kept {
            for id in kept.first..kept.first + NodeId::from(kept.count) {
                tree.set_parent(id, ROOT);
            }
        }
        self.garbage.push((old.first, old.count));
        *self = Recycler { garbage: std::mem::take(&mut self.garbage), ..Recycler::default() };
    }
}

#[cfg(test)]
mod tests {
    use super::{CLASSES, class_of, class_to_take};

    #[test]
    fn classes_are_in_order() {
        let samples: Vec<u32> =
            (0..2000).chain((11..32).flat_map(|bit| [(1 << bit) - 1, 1 << bit, (1 << bit) + 1])).collect();
        for pair in samples.windows(2) {
            assert!(class_of(pair[0]) <= class_of(pair[1]) || pair[0] > pair[1], "{pair:?}");
        }
        assert_eq!((class_of(31), class_of(32), class_of(35), class_of(36)), (31, 32, 32, 33));
        assert!(class_of(u32::MAX) < CLASSES);
    }

    #[test]
    fn a_quarter_is_taken() {
        let mut below = [0; CLASSES];
        assert_eq!(class_to_take(&below, 10), None);
        (below[2], below[5], below[9]) = (8, 8, 100);
        assert_eq!(class_to_take(&below, 10), Some(6));
        assert_eq!(class_to_take(&below, 1000), Some(10), "everything, if that is not enough");
    }
}
