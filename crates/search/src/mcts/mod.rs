//! Monte-Carlo tree search: one engine, recipes of parts.
//!
//! An iteration *gathers* (descends from the root by the [selection](Selection) rule, opens a child by the
//! [expansion](Expansion) rule, estimates the [leaf](Leaf)) and then *applies* (adds the [reward](Reward) along the path, counts
//! all-moves-as-first where the rule needs it, carries proofs and second values up). The recipe is data that prints and parses:
//!
//! ```text
//! mcts(select=ucb1(c=0.7),expand=one,leaf=random(playouts=1),backup=mean,solver=true,decide=robust-max,…)
//! ```
//!
//! | phase | file | sees the game |
//! |---|---|---|
//! | selection | `select.rs` (the rules), `choose.rs` (the way down), `proof_numbers.rs` | no |
//! | expansion | `expand.rs` | no |
//! | leaf | `leaf/` | yes |
//! | backup | `guide.rs`, `reward.rs`, `solver.rs` | no |
//! | look-ahead | `lookahead.rs` (probes in selection, expansion, backup), `sudden.rs` (Li's improved search) | yes |
//! | decision | `decide.rs` | no |
//! | tree | `tree.rs`, `publish.rs`, `recycle.rs`, `table.rs` | no |
//! | threads | `worker.rs`, `mirror.rs` (copies of what all pass), `parallel.rs`, `engine.rs` | |
//! | around it | `vote.rs` (majority voting), `keep.rs` (tree reuse between moves) | |
//!
//! Named searches of the literature as recipes: *UCT solver* is `mcts(select=ucb1(c=0.7),leaf=random,solver=true)`, *pure MCTS solver*
//! `mcts(select=ucb1(c=0),leaf=random,decide=max)` (Zhang 2019 §5); *UCT* as V-Run, Hawk and Zhang run it has `solver=false`; Lin's has `expand=each,decide=max`;
//! PN-MCTS is `mcts(select=pn)`; MCTS-MR, -MS and -MB of Baier & Winands are `leaf=guarded(depth=d)`, `probe=look(depth=d,visits=n)` and
//! `probe=look(depth=d,backup=true)`.
//!
//! References: Kocsis & Szepesvári 2006; Coulom 2006; Browne et al., "A Survey of Monte Carlo Tree Search Methods", 2012.

mod choose;
mod decide;
mod engine;
mod expand;
mod guide;
mod keep;
mod leaf;
mod lookahead;
mod mirror;
mod parallel;
mod proof_numbers;
mod publish;
mod recipe;
mod recycle;
mod report;
mod reward;
mod select;
mod solver;
mod sudden;
mod table;
mod tree;
mod vote;
mod worker;

pub use decide::Decision;
pub use expand::Expansion;
pub use guide::{Backup, CombinedForm};
pub use keep::TreeReuse;
pub use leaf::{Leaf, ReplyMemory};
pub use parallel::Parallel;
pub use reward::Reward;
pub use select::Selection;
pub use sudden::Sudden;
pub use vote::Vote;

use tesuji_core::Studied;

/// What decides between equals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TieBreak {
    /// The seeded generator, which also shuffles the moves of a new node.
    Random,
    /// The game's own order of moves.
    First,
}

/// Minimax inside the tree (Baier & Winands 2013): each node is looked at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Probe {
    /// Plies.
    pub depth: u32,
    /// After how many visits of a node; 0 looks when it is opened.
    pub visits: u32,
    /// Whether a node is also looked at when a proof on its way up stops there.
    pub backup: bool,
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
    /// What a playout is worth.
    pub reward: Reward,
    /// How values go up.
    pub backup: Backup,
    /// Whether proved results are kept and used.
    pub solver: bool,
    /// Minimax in selection, expansion and backup.
    pub probe: Option<Probe>,
    /// Minimax against sudden death and win.
    pub sudden: Sudden,
    /// The final choice.
    pub decide: Decision,
    /// First-play urgency: the value of a move nobody has tried.
    pub urgency: f64,
    /// What decides between equals.
    pub ties: TieBreak,
    /// Whether equal positions share their children.
    pub share: bool,
    /// What several threads do.
    pub parallel: Parallel,
    /// How many lost visits a descent under way counts for, where threads share the tree.
    pub virtual_loss: u32,
    /// Whether the tree is kept from move to move.
    pub reuse: bool,
    /// The value below which the player resigns.
    pub resign: f64,
    /// How much less than the best move a pass may be worth in a decided game.
    pub pass: f64,
}

impl Mcts {
    /// Plain UCT: UCB1, one child a visit, one playout of the game's own policy, nothing proved or kept.
    #[must_use]
    pub fn plain() -> Mcts {
        Mcts {
            select: Selection::Ucb1 { c: 0.7 },
            leaf: Leaf::Random { playouts: 1 },
            solver: false,
            reuse: false,
            ..Mcts::default()
        }
    }

    /// The recipe with what suits the game in place of `auto`.
    #[must_use]
    pub fn settled<P: Studied>(self) -> Mcts {
        let select = match self.select {
            // All-moves-as-first does not count simulations of every child.
            Selection::Auto if P::CHARACTER.moves_commute && self.expand != Expansion::Each => {
                Selection::Rave { c: 0.0, bias: 0.02 }
            }
            Selection::Auto => Selection::Ucb1 { c: 0.7 },
            named => named,
        };
        let leaf = match self.leaf {
            Leaf::Auto { playouts } if P::CHARACTER.ends_suddenly => Leaf::Decisive { playouts },
            Leaf::Auto { playouts } => Leaf::Random { playouts },
            named => named,
        };
        Mcts { select, leaf, ..self }
    }
}

impl Default for Mcts {
    fn default() -> Mcts {
        Mcts {
            select: Selection::Auto,
            expand: Expansion::One,
            ripe: 1,
            leaf: Leaf::Auto { playouts: 1 },
            reward: Reward::Outcome,
            backup: Backup::Mean,
            solver: true,
            probe: None,
            sudden: Sudden::Never,
            decide: Decision::RobustMax,
            urgency: 1e6,
            ties: TieBreak::Random,
            share: false,
            parallel: Parallel::Tree,
            virtual_loss: 1,
            reuse: true,
            resign: 0.0,
            pass: 0.0,
        }
    }
}
