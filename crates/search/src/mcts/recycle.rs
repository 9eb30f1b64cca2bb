//! What happens when the arena is full: the least visited subtrees make room.
//!
//! First nodes come from the untouched part of the arena. When that is used up, blocks of children are
//! given back in this order: what lies above and beside the root of a tree that was followed to a later position; then, sweeping over the
//! arena again and again, the children of every node visited fewer than `t` times, `t` doubling with each sweep that
//! found too little; nodes whose value is proved lose their children at any `t`. The node itself stays, with
//! its statistics and what is proved about it, and gets children again when it is visited again.
//!
//! A sweep looks at a bounded number of nodes, so that a stop is answered at once. Never given back: the root's
//! children, and whatever a node's minimax node (Lin) is in: `t` passes over every node whose minimax node is
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
    nodes: usize,
}

impl FreeBlocks {
    /// A block of this size, cut from a larger one if need be.
    pub(super) fn take(&self, nodes: &[Node], count: u16) -> Option<NodeId> {
        let mut lists = self.0.lock().expect("nobody panics with free blocks in hand");
        let size = (usize::from(count)..lists.heads.len()).find(|size| lists.heads[*size] != 0)?;
        let block = lists.heads[size];
        lists.heads[size] = nodes[block as usize].move_index();
        lists.nodes -= size;
        if size > usize::from(count) {
            lists.put(nodes, block + NodeId::from(count), size - usize::from(count));
        }
        Some(block)
    }

    fn put(&mut self, nodes: &[Node], block: NodeId, size: usize) {
        self.0.get_mut().expect("nobody panics with free blocks in hand").put(nodes, block, size);
    }

    /// How many nodes are free.
    pub(super) fn nodes(&self) -> usize {
        self.0.lock().expect("nobody panics with free blocks in hand").nodes
    }
}

impl Lists {
    fn put(&mut self, nodes: &[Node], block: NodeId, size: usize) {
        if self.heads.len() <= size {
            self.heads.resize(size + 1, 0);
        }
        nodes[block as usize].link(self.heads[size]);
        self.heads[size] = block;
        self.nodes += size;
    }
}

/// What is to be given back, and where the sweep stands.
pub(super) struct Recycler {
    /// Blocks nobody can reach any more; their own children follow.
    garbage: Vec<(NodeId, u16)>,
    threshold: u32,
    at: usize,
    /// Nodes freed since the sweep began.
    freed: usize,
    /// A sweep at the highest threshold found nothing: what is left stays.
    spent: bool,
}

impl Default for Recycler {
    fn default() -> Recycler {
        Recycler { garbage: Vec::new(), threshold: 2, at: 0, freed: 0, spent: false }
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
                let nodes = self.discard(tree, first, count);
                freed += nodes;
                self.freed += nodes;
                continue;
            }
            if self.at >= tree.next.load(Relaxed) as usize {
                if freed > 0 {
                    // Enough for now; the next call begins another sweep.
                    return;
                }
                let highest = self.threshold > tree.node(ROOT).visits();
                if self.freed == 0 && highest {
                    self.spent = true;
                    return;
                }
                let plenty = self.freed > tree.nodes.len() / 8;
                self.threshold = if plenty { (self.threshold / 2).max(2) } else { self.threshold.saturating_mul(2) };
                (self.at, self.freed) = (0, 0);
            }
            looked += 1;
            let id = self.at as NodeId;
            self.at += 1;
            self.sweep(tree, id);
        }
    }

    /// Takes a node's children if it is little visited.
    fn sweep(&mut self, tree: &mut Tree, id: NodeId) {
        let node = tree.node(id);
        let Some(Published { first, count, .. }) = node.children().get() else { return };
        let referred = tree.minimax(id) != id;
        let idle = node.visits() < self.threshold || node.bounds().proved().is_some();
        if id == ROOT || referred || !idle {
            return;
        }
        node.children().give_up();
        self.garbage.push((first, count));
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
        }
        tree.free.put(&tree.nodes, first, usize::from(count));
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
