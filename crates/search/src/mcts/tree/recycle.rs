//! Reclaiming nodes when the arena is full: the least visited subtrees make room.
//!
//! New nodes come from the untouched part of the arena first. When it is used up, blocks of
//! children are reclaimed in this order:
//!
//! 1. what is not below the new root after the tree has followed a move;
//! 2. the children of the least visited nodes, a quarter of the arena at a time.
//!
//! For the second, a counting pass over the arena builds a histogram of nodes by the visits of
//! their parents. It gives the number of visits `t` below which a quarter of the nodes lies. The
//! next pass takes the children of every node with fewer than `t` visits, and of every proved node.
//! The node itself stays, with its statistics and bounds, and is expanded again when it is visited
//! again.
//!
//! The counting pass also merges adjacent free blocks: in games whose positions differ in their
//! number of moves the arena would otherwise fragment into pieces too small for nodes near the
//! root. A pass works in bounded strides, between which the search continues, so that a stop takes
//! effect at once. Never reclaimed: the root's children, and the subtree of a node whose minimax
//! node (Lin) is another node. A block that several nodes share is freed with the last of them.
//!
//! Reclaiming needs exclusive access to the tree.

use super::arena::Tree;
use super::node::{NodeId, ROOT};
use super::publish::Published;
use std::sync::atomic::Ordering::Relaxed;

/// Nodes visited in one call of [`Recycler::reclaim`].
const STRIDE: usize = 100_000;

/// Classes of the histogram of visits: exact up to 31, then by the four leading bits.
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
    /// Counts the children of nodes of each class, and merges adjacent free blocks.
    Count { children: Box<[u64; CLASSES]>, run: Option<usize> },
    /// Takes the children of nodes below this class.
    Take { class: usize },
}

/// The blocks to be freed, and the state of the current pass.
pub(crate) struct Recycler {
    /// Unreachable blocks; their own children follow.
    garbage: Vec<(NodeId, u16)>,
    pass: Pass,
    at: usize,
    /// A counting pass found nothing to take.
    exhausted: bool,
}

impl Default for Recycler {
    fn default() -> Recycler {
        Recycler { garbage: Vec::new(), pass: Pass::count(), at: 0, exhausted: false }
    }
}

/// The class below which at least `wanted` nodes lie, or all of them; nothing if there are none.
fn class_to_take(children: &[u64; CLASSES], wanted: u64) -> Option<usize> {
    let mut sum = 0;
    let enough = children.iter().position(|count| {
        sum += count;
        sum > wanted
    });
    let last = children.iter().rposition(|count| *count > 0)?;
    Some(enough.unwrap_or(last) + 1)
}

impl Pass {
    fn count() -> Pass {
        Pass::Count { children: Box::new([0; CLASSES]), run: None }
    }
}

impl Recycler {
    /// Whether there may be something left to reclaim.
    pub(crate) fn may_reclaim(&self) -> bool {
        !self.exhausted
    }

    /// Reclaims a bounded number of nodes.
    pub(crate) fn reclaim(&mut self, tree: &mut Tree) {
        let (mut visited, mut freed) = (0, 0);
        while visited < STRIDE && freed <= tree.nodes.len() / 16 {
            if let Some((first, count)) = self.garbage.pop() {
                visited += usize::from(count);
                freed += self.free_block(tree, first, count);
                continue;
            }
            if self.at == 0
                && let Pass::Count { .. } = self.pass
            {
                tree.free.clear();
            }
            if self.at >= tree.next.load(Relaxed) as usize {
                let end = std::mem::replace(&mut self.at, 0);
                let done = std::mem::replace(&mut self.pass, Pass::count());
                if let Pass::Count { children, run } = done {
                    if let Some(start) = run {
                        tree.free.put_run(&tree.nodes, start, end);
                    }
                    let Some(class) = class_to_take(&children, tree.nodes.len() as u64 / 4) else {
                        self.exhausted = true;
                        return;
                    };
                    self.pass = Pass::Take { class };
                } else if freed > 0 {
                    return;
                }
                visited += 1;
                continue;
            }
            visited += 1;
            self.visit(tree, self.at as NodeId);
            self.at += 1;
        }
    }

    /// Counts or takes the children of a node.
    fn visit(&mut self, tree: &mut Tree, id: NodeId) {
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
            Pass::Count { children, .. } => children[class] += u64::from(count),
            Pass::Take { class: limit } if class < *limit => {
                node.children().withdraw();
                self.garbage.push((first, count));
            }
            Pass::Take { .. } => {}
        }
    }

    /// Frees a block that has lost a parent, unless it has another one. Returns the number of nodes
    /// freed.
    fn free_block(&mut self, tree: &mut Tree, first: NodeId, count: u16) -> usize {
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
        tree.free.put(&tree.nodes, first, usize::from(count));
        usize::from(count)
    }

    /// Makes a child of the root the new root. Everything that is not below it becomes garbage.
    pub(crate) fn advance_root(&mut self, tree: &mut Tree, child: NodeId) {
        let Some(old) = tree.node(ROOT).children().get() else { return };
        let new = tree.node(child);
        let kept = new.children().get();
        tree.node(ROOT).copy_from(new);
        tree.copy_columns(child, ROOT);
        let minimax = tree.minimax(child);
        tree.set_minimax(ROOT, if minimax == child { ROOT } else { minimax });
        new.children().withdraw();
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
