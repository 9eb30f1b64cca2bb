//! Children are published once and complete, and opened once each: all interleavings of two
//! threads, by loom.

/// The atomics that the code under test uses.
mod sync {
    pub(crate) use loom::sync::atomic::{AtomicU32, Ordering};
}

#[path = "../src/mcts/tree/publish.rs"]
mod publish;

use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, Ordering};
use loom::thread;
use publish::{Children, Published};

/// A node with room for what its children would hold.
struct Node {
    first: AtomicU32,
    counts: AtomicU32,
    /// Stands for the records of two children.
    records: [AtomicU32; 2],
    claims: AtomicU32,
}

impl Node {
    fn new() -> Arc<Node> {
        Arc::new(Node {
            first: AtomicU32::new(0),
            counts: AtomicU32::new(0),
            records: [AtomicU32::new(0), AtomicU32::new(0)],
            claims: AtomicU32::new(0),
        })
    }

    fn children(&self) -> Children<'_> {
        Children { first: &self.first, counts: &self.counts }
    }

    /// What a thread does at a node: expand it if it has no children, and read what is there.
    fn visit(&self) -> Option<Published> {
        if self.children().get().is_none() && self.children().claim() {
            self.claims.fetch_add(1, Ordering::Relaxed);
            self.records.iter().for_each(|record| record.store(7, Ordering::Relaxed));
            self.children().publish(Published { first: 1, count: 2, open: 0 });
        }
        let seen = self.children().get();
        if seen.is_some() {
            for record in &self.records {
                assert_eq!(record.load(Ordering::Relaxed), 7, "published children are complete");
            }
        }
        seen
    }
}

#[test]
fn children_are_published_once_and_complete() {
    loom::model(|| {
        let node = Node::new();
        let other = node.clone();
        let thread = thread::spawn(move || other.visit());
        let here = node.visit();
        let there = thread.join().expect("no panic");
        assert!(here.is_some() || there.is_some(), "a thread expanded it");
        assert_eq!(node.claims.load(Ordering::Relaxed), 1);
        for seen in [here, there].into_iter().flatten() {
            assert_eq!((seen.first, seen.count), (1, 2));
        }
    });
}

#[test]
fn every_child_is_opened_once() {
    loom::model(|| {
        let node = Node::new();
        node.visit();
        let open = |node: Arc<Node>| thread::spawn(move || [node.children().open_next(), node.children().open_next()]);
        let threads = [open(node.clone()), open(node.clone())];
        let mut opened: Vec<u16> = threads.into_iter().flat_map(|t| t.join().expect("no panic")).flatten().collect();
        opened.sort_unstable();
        assert_eq!(opened, [0, 1]);
        assert_eq!(node.children().get().expect("published").open, 2);
    });
}

/// A withdrawn claim can be taken again.
#[test]
fn a_withdrawn_claim_is_free() {
    loom::model(|| {
        let node = Node::new();
        let other = node.clone();
        let thread = thread::spawn(move || {
            let claimed = other.children().claim();
            if claimed {
                other.children().withdraw();
            }
            claimed
        });
        let here = node.children().claim();
        if here {
            node.children().withdraw();
        }
        let there = thread.join().expect("no panic");
        assert!(here || there);
        assert!(node.children().claim(), "free again");
    });
}
