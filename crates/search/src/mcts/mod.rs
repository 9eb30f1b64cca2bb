//! Monte-Carlo tree search: one search, composed of the parts that a recipe names.
//!
//! An iteration *gathers* (descends from the root by the [selection](Selection) rule, opens a child
//! by the [expansion](Expansion) rule, estimates the [leaf](Leaf)) and then *applies* (adds the
//! [reward](Reward) along the path, updates all-moves-as-first statistics where the rule needs
//! them, backs up bounds and auxiliary values). The recipe is data that prints and parses:
//!
//! ```text
//! mcts(select=ucb1(c=0.7),expand=one,leaf=random(playouts=1),backup=mean,solver=true,…)
//! ```
//!
//! | folder or file | contents | sees the game |
//! |---|---|---|
//! | `recipe/` | the recipe as data and as text | |
//! | `select/` | the rules of selection (the UCB formula) and expansion | no |
//! | `leaf/` | playouts and evaluations | yes |
//! | `backup/` | reward, backup rules, solver, proof numbers | no |
//! | `tree/` | nodes, arena, publication, recycling, transpositions | no |
//! | `iteration/` | one iteration of one thread: gather and apply | yes |
//! | `lookahead/` | minimax inside the tree and at the root (Li's improved search) | yes |
//! | `parallel/` | the modes, shared counters, statistics caches, leaf parallelism | |
//! | `driver/` | one search: checks, threads, limits, memory, observer, root parallelism | |
//! | `view/` | what can be told of a node, when it is asked for | no |
//! | `decide.rs`, `report.rs` | the final choice and the report | |
//! | `reuse.rs` | tree reuse between moves | |
//! | `vote.rs` | majority voting among searches | |
//!
//! Named searches of the literature as recipes: *UCT solver* is
//! `mcts(select=uct,leaf=random,goal="first-wins",decide=secure-plus)`, *pure MCTS solver* the same
//! with `select=uct(c=0)` (Zhang 2019 §5); *UCT* as V-Run, Hawk and Zhang run it has `solver=false`;
//! Li's has `decide=max`; Lin's has `expand=each,decide=max`; PN-MCTS is `mcts(select=pn)`;
//! MCTS-MR, -MS and -MB of Baier & Winands are `leaf=guarded(depth=d)`,
//! `probe=look(depth=d,visits=n)` and `probe=backup(depth=d)`.
//!
//! References: Kocsis & Szepesvári 2006; Coulom 2006; Browne et al., "A Survey of Monte Carlo Tree
//! Search Methods", 2012.

mod backup;
mod decide;
mod driver;
mod iteration;
mod leaf;
mod lookahead;
mod parallel;
mod recipe;
mod report;
mod reuse;
mod select;
mod tree;
mod view;
mod vote;

pub use backup::{Backup, CombinedForm, Reward};
pub use decide::Decision;
pub use leaf::{Leaf, ReplyMemory};
pub use lookahead::Sudden;
pub use parallel::Parallel;
pub use recipe::{Mcts, Prior, Probe, TieBreak};
pub use reuse::TreeReuse;
pub use select::{Expansion, Selection};
pub use vote::Vote;
