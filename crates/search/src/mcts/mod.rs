//! Monte-Carlo tree search: one engine, recipes of parts.
//!
//! An iteration *gathers* (descends from the root by the [selection](Selection) rule, opens a child by the
//! [expansion](Expansion) rule, estimates the [leaf](Leaf)) and then *applies* (adds the estimate along the path, counts
//! all-moves-as-first where the rule needs it, carries proofs up). The recipe is data that prints and parses:
//!
//! ```text
//! mcts(select=ucb1(c=0.7),expand=one,leaf=random(playouts=1),solver=true,decide=robust,fpu=1000000.0,ties=random)
//! ```
//!
//! | phase | file | sees the game |
//! |---|---|---|
//! | selection | `select.rs` | no |
//! | expansion | here | no |
//! | leaf | `leaf.rs` | yes |
//! | backup | here, `solver.rs` | no |
//! | decision | `decide.rs` | no |
//!
//! References: Kocsis & Szepesvári 2006; Coulom 2006; Browne et al., "A Survey of Monte Carlo Tree Search Methods", 2012.

mod decide;
mod engine;
mod leaf;
mod recipe;
mod select;
mod solver;
mod tree;

pub use decide::Decision;
pub use leaf::Leaf;
pub use select::Selection;

/// How many of a node's moves are open to selection. The moves of a node are shuffled when it gets its children.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expansion {
    /// One more each visit; the selection rule begins when all are open (Coulom, Kocsis & Szepesvári).
    One,
    /// All at once; a move nobody has tried has the value of the first-play urgency.
    All,
    /// All at once, each simulated at once (Lin 2017).
    Each,
}

/// What decides between equals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ties {
    /// The seeded generator, which also shuffles the moves of a new node.
    Random,
    /// The game's own order of moves.
    First,
}

/// A recipe.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mcts {
    /// Which child to descend to.
    pub select: Selection,
    /// How many children are open.
    pub expand: Expansion,
    /// After how many visits a leaf gets children: 1 gives them on the second visit.
    pub ripe: u32,
    /// What a leaf is worth.
    pub leaf: Leaf,
    /// Whether proved results are kept and used.
    pub solver: bool,
    /// The final choice.
    pub decide: Decision,
    /// First-play urgency: the value of a move nobody has tried.
    pub urgency: f64,
    /// What decides between equals.
    pub ties: Ties,
}

impl Default for Mcts {
    fn default() -> Mcts {
        Mcts {
            select: Selection::Ucb1 { c: 0.7 },
            expand: Expansion::One,
            ripe: 1,
            leaf: Leaf::Random { playouts: 1 },
            solver: true,
            decide: Decision::Robust,
            urgency: 1e6,
            ties: Ties::Random,
        }
    }
}
