//! The recipe: the parts of a Monte-Carlo tree search as data.

mod parts;
mod text;

use super::backup::{Backup, Reward};
use super::decide::Decision;
use super::leaf::Leaf;
use super::lookahead::Sudden;
use super::parallel::Parallel;
use super::select::{Expansion, Selection};
use tesuji_core::{Goal, Measure, Studied};

/// How ties are broken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TieBreak {
    /// The seeded generator, which also shuffles the moves of a new node.
    Random,
    /// The game's own order of moves.
    First,
}

/// Where the preference among moves comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prior {
    /// The game's hand-made preference.
    Hand,
    /// Learned patterns.
    Patterns,
}

/// Minimax inside the tree (Baier & Winands 2013): one look-ahead per node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Probe {
    /// Plies.
    pub depth: u32,
    /// Visits of a node before its look-ahead; 0 looks ahead when the node is first reached,
    /// [`NEVER`](Probe::NEVER) not at all.
    pub visits: u32,
    /// Whether a look-ahead also runs where a proof stops on its way up.
    pub backup: bool,
}

impl Probe {
    /// More visits than a node counts: no look-ahead in selection and expansion.
    pub const NEVER: u32 = u32::MAX;

    /// MCTS-MB: a look-ahead only where a proof stops on its way up.
    #[must_use]
    pub fn in_backup(depth: u32) -> Probe {
        Probe { depth, visits: Probe::NEVER, backup: true }
    }
}

/// A recipe: the parts of a Monte-Carlo tree search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mcts {
    /// The selection rule: which child to descend to.
    pub select: Selection,
    /// The expansion rule: how many children are open.
    pub expand: Expansion,
    /// Visits of a leaf before it is expanded: 1 expands it on the second visit.
    pub ripe: u32,
    /// The evaluation of a leaf.
    pub leaf: Leaf,
    /// The preference among moves, for rules that need one.
    pub prior: Prior,
    /// The reward of a playout.
    pub reward: Reward,
    /// The backup rule.
    pub backup: Backup,
    /// Whether bounds are backed up and used.
    pub solver: bool,
    /// What the solver proves: the exact score, or the answer to one question.
    pub goal: Goal,
    /// Minimax in selection, expansion and backup.
    pub probe: Option<Probe>,
    /// Minimax at the root against sudden death and sudden win.
    pub sudden: Sudden,
    /// The final choice.
    pub decide: Decision,
    /// First-play urgency: the value of an untried move.
    pub urgency: f64,
    /// How ties are broken.
    pub ties: TieBreak,
    /// Whether equal positions share their children.
    pub share: bool,
    /// What several threads share.
    pub parallel: Parallel,
    /// Virtual loss: the lost visits that a descent under way counts for, where threads share the
    /// tree.
    pub virtual_loss: u32,
    /// Whether the tree is kept from move to move.
    pub reuse: bool,
    /// The value below which the search resigns; 0 never.
    pub resign: f64,
    /// How much less than the best move a pass may be worth in a decided game; 0 disables the rule.
    pub pass: f64,
    /// Whether a pass is answered by a pass where that ends the game.
    pub imitate: bool,
}

impl Mcts {
    /// Plain UCT: UCB1, one new child per visit, one playout of the game's own policy, no solver,
    /// no tree reuse.
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

    /// The recipe with every `auto` replaced by what suits the game.
    #[must_use]
    pub fn resolved<P: Studied>(self) -> Mcts {
        let select = match self.select {
            // All-moves-as-first statistics do not cover `expand=each`.
            Selection::Auto if self.leaf.is_net() => Selection::gumbel(16, 0.0),
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
        // A network judges all moves at once.
        let expand = if leaf.is_net() { Expansion::All } else { self.expand };
        Mcts { select, leaf, expand, ..self }
    }

    /// Whether what the solver proves is the score itself.
    pub(crate) fn proves_scores(&self) -> bool {
        self.solver && self.goal == Goal::Exact(Measure::Score)
    }
}

impl Default for Mcts {
    fn default() -> Mcts {
        Mcts {
            select: Selection::Auto,
            expand: Expansion::One,
            ripe: 1,
            leaf: Leaf::Auto { playouts: 1 },
            prior: Prior::Hand,
            reward: Reward::Outcome,
            backup: Backup::Mean,
            solver: true,
            goal: Goal::Exact(Measure::Score),
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
            imitate: false,
        }
    }
}
