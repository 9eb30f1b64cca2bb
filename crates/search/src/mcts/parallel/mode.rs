//! The modes of parallelism.

/// What the threads of a search share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Parallel {
    /// The tree.
    Tree,
    /// Nothing.
    Root,
    /// The leaf.
    Leaf,
}
