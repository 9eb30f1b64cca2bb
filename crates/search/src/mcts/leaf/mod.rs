//! What happens at a leaf: the estimate that goes up the tree.
//!
//! | leaf | estimate | file |
//! |---|---|---|
//! | `random(n)` | n playouts of the game's own policy (uniform unless the game says otherwise) | here |
//! | `decisive(n)` | the same, but nobody overlooks a win in one move, his own or the other's | here; `Studied` |
//! | `guarded(depth, n)` | playouts whose every move is checked by a minimax of this depth | `guarded.rs` |
//! | `replies(memory, forget, n)` | playouts that answer with the last good reply | `replies.rs` |
//! | `heuristic(temperature, n)` | playouts that draw moves by the game's preference | `heuristic.rs` |
//! | `cut(plies, n)` | so many random plies, then the game's evaluation | `cut.rs` |
//!
//! **Limits.** An estimate may have a million playouts and a guarded playout may look at millions of positions, so the stop flag
//! and the time are asked for before each playout but the first and inside the look-ahead. A playout that is cut off is
//! dropped, and the estimate is the mean of those that were finished; an iteration without one counts for nothing.
//!
//! Reference for decisive and anti-decisive moves: Teytaud & Teytaud, "On the huge benefit of decisive moves in
//! Monte-Carlo Tree Search algorithms", 2010.

mod cut;
mod guarded;
mod heuristic;
mod replies;

use crate::SearchError;
use tesuji_core::{Deadline, Outcome, Player, Pulse, RecordMoves, Rng, Studied};

/// A kind of leaf, as a recipe names it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Leaf {
    /// What suits the game: decisive playouts where games end suddenly, the game's own elsewhere.
    Auto {
        /// How many at each leaf.
        playouts: u32,
    },
    /// Playouts.
    Random {
        /// How many at each leaf.
        playouts: u32,
    },
    /// Playouts that see wins in one move.
    Decisive {
        /// How many at each leaf.
        playouts: u32,
    },
    /// Playouts whose moves are checked by a shallow minimax.
    Guarded {
        /// Plies of the check.
        depth: u32,
        /// How many at each leaf.
        playouts: u32,
    },
    /// Playouts with last good replies.
    Replies {
        /// Whether replies remember one move or two.
        memory: ReplyMemory,
        /// Whether replies of the loser are forgotten.
        forget: bool,
        /// How many at each leaf.
        playouts: u32,
    },
    /// Playouts by the game's preference.
    Heuristic {
        /// 1 draws by the weights, more evens them out, less sharpens them.
        temperature: f64,
        /// How many at each leaf.
        playouts: u32,
    },
    /// Short playouts, judged by the game's evaluation.
    Cut {
        /// Random plies before the judgement.
        plies: u32,
        /// How many at each leaf.
        playouts: u32,
    },
}

/// How much of the past a reply answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReplyMemory {
    /// The last move.
    One,
    /// The last two moves, else the last one.
    Two,
}

impl Leaf {
    /// How many playouts a leaf gets.
    #[must_use]
    pub fn playouts(self) -> u32 {
        match self {
            Leaf::Auto { playouts }
            | Leaf::Random { playouts }
            | Leaf::Decisive { playouts }
            | Leaf::Guarded { playouts, .. }
            | Leaf::Replies { playouts, .. }
            | Leaf::Heuristic { playouts, .. }
            | Leaf::Cut { playouts, .. } => playouts,
        }
    }

    /// Whether the moves of the descent matter to it.
    pub(super) fn needs_history(self) -> bool {
        matches!(self, Leaf::Replies { .. })
    }

    /// The leaf at work, for games like `root`.
    ///
    /// # Errors
    /// If the game lacks what it needs.
    pub(super) fn build<P: Studied>(self, root: &P, clock: &Deadline) -> Result<Box<dyn Simulate<P>>, SearchError> {
        let lacks = |leaf: &str, what: &str| {
            Err(SearchError::Unsupported(format!(
                "leaf={leaf} needs {what}, and this game has none; leaf=random serves every game"
            )))
        };
        Ok(match self {
            Leaf::Auto { .. } => unreachable!("a recipe is settled before it searches"),
            Leaf::Random { .. } => Box::new(Own::Random),
            Leaf::Decisive { .. } => Box::new(Own::Decisive),
            Leaf::Guarded { depth, .. } => Box::new(guarded::Guarded::new(depth, Pulse::new(clock.clone()))),
            Leaf::Replies { memory, forget, .. } => Box::new(replies::Replies::new(memory, forget, root.move_space())),
            Leaf::Heuristic { temperature, .. } => match root.preference() {
                Some(preference) => Box::new(heuristic::Heuristic::new(preference.into(), temperature)),
                None => return lacks("heuristic", "a preference among moves"),
            },
            Leaf::Cut { plies, .. } => match root.evaluation() {
                Some(evaluation) => Box::new(cut::Cut::new(evaluation.into(), plies)),
                None => return lacks("cut", "an evaluation"),
            },
        })
    }
}

/// A move of a player, by number.
pub(super) type Past = (Player, u32);

/// A leaf at work. Each thread has its own.
pub(super) trait Simulate<P: Studied>: Send {
    /// One playout from `position`, which is used up; nothing if the stop flag or the time cut it off. `past` are the moves
    /// of the descent, for leaves that asked for them; `record` gets the moves, where they are counted.
    fn simulate(
        &mut self,
        position: &mut P,
        past: &[Past],
        rng: &mut Rng,
        record: Option<&mut RecordMoves<P::Move>>,
    ) -> Option<Outcome>;

    /// The same leaf for another thread.
    fn fork(&self) -> Box<dyn Simulate<P>>;
}

/// Playouts the game itself brings.
#[derive(Clone, Copy)]
enum Own {
    Random,
    Decisive,
}

impl<P: Studied> Simulate<P> for Own {
    fn simulate(
        &mut self,
        position: &mut P,
        _: &[Past],
        rng: &mut Rng,
        record: Option<&mut RecordMoves<P::Move>>,
    ) -> Option<Outcome> {
        Some(match (self, record) {
            (Own::Random, None) => position.playout(rng, &mut ()),
            (Own::Random, Some(record)) => position.playout(rng, record),
            (Own::Decisive, None) => position.decisive_playout(rng, &mut ()),
            (Own::Decisive, Some(record)) => position.decisive_playout(rng, record),
        })
    }

    fn fork(&self) -> Box<dyn Simulate<P>> {
        Box::new(*self)
    }
}

/// Plays move by move to the end, the moves chosen by `choose`; nothing if it chose none.
fn play_out<P: Studied>(
    position: &mut P,
    mut record: Option<&mut RecordMoves<P::Move>>,
    mut choose: impl FnMut(&mut P) -> Option<P::Move>,
) -> Option<Outcome> {
    loop {
        if let Some(outcome) = position.outcome() {
            return Some(outcome);
        }
        let mv = choose(position)?;
        if let Some(record) = &mut record {
            record.0.push((position.turn(), mv));
        }
        position.play(mv);
    }
}
