//! The conformance kit: the laws of [`Position`](crate::Position), [`Notation`] and [`Studied`],
//! checked on seeded random games. Every game of the workspace passes it; run it on a
//! new one:
//!
//! ```
//! # use tesuji_core::conformance::{Kit, example::TakeAway};
//! let summary = Kit::default().check(&TakeAway::new(11)).expect("the rules keep every law");
//! assert!(summary.positions > 100);
//! ```
//!
//! The kit itself is tested by breaking a correct game in one place at a time
//! and seeing that the kit names the law that was broken (`tests/conformance.rs`).

pub mod example;
mod knowledge;
mod laws;
mod statistics;

use crate::{Notation, Seed, Studied};
use std::fmt;

/// How the kit judges a game's own `playout`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayoutLaw {
    /// Uniform random moves: first moves and outcomes have the distribution of the slow default.
    Uniform,
    /// Only the mean score must be that of uniform random moves (a game that answers with an
    /// expectation).
    Mean,
    /// A policy of the game's own (no eye filling): the kit only checks that its moves are legal
    /// and lead where it says (past boards may be overlooked); the game's own tests judge the rest.
    Own,
}

/// What to check, and how hard.
#[derive(Clone, Debug)]
pub struct Kit {
    /// Random games to walk through.
    pub games: u32,
    /// A random game longer than this is a violation: games must end.
    pub longest: u32,
    /// How to judge playouts.
    pub playouts: PlayoutLaw,
    /// Draws for each statistical comparison.
    pub samples: u32,
    /// Positions on which statistics are taken.
    pub sampled_positions: u32,
    /// Everything random follows from it.
    pub seed: Seed,
}

impl Default for Kit {
    fn default() -> Kit {
        Kit {
            games: 50,
            longest: 10_000,
            playouts: PlayoutLaw::Uniform,
            samples: 4_000,
            sampled_positions: 6,
            seed: Seed(1),
        }
    }
}

/// What the kit saw in a game that keeps the laws.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Positions checked.
    pub positions: u64,
    /// Games walked to the end.
    pub games: u64,
    /// Moves after which the same player was to move again.
    pub turns_kept: u64,
    /// The length of the longest game.
    pub longest: u32,
}

/// A law that was broken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The law's name.
    pub law: Law,
    /// What was seen.
    pub detail: String,
    /// The moves that lead to the place, as the game writes them.
    pub moves: Vec<String>,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "law {:?} is broken after [{}]: {}", self.law, self.moves.join(" "), self.detail)
    }
}

impl std::error::Error for Violation {}

/// The laws, by name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Law {
    /// `is_legal` says yes to exactly the listed moves.
    LegalMeansListed,
    /// No move is listed twice.
    MovesAreDistinct,
    /// `moves`, `move_count` and `visit_moves` tell the same, each time, and a break stops the
    /// visit.
    ListingsAgree,
    /// Either an outcome or a move, never both, never neither.
    EndedOrMoves,
    /// The score and the margin of an outcome point the same way.
    OutcomeIsCoherent,
    /// `move_index` is in range and tells listed moves apart; `move_at` undoes it; the range stays;
    /// `mark_moves` marks the indices of the listed moves.
    IndicesFit,
    /// `make` does what `play` does, and `unmake` restores everything.
    UndoRestores,
    /// The incremental hash is the recomputed one.
    HashIsRecomputed,
    /// Equal positions have equal hashes, and the other way round.
    HashMeansEqual,
    /// Equal positions have the same turn, moves and outcome (unless history matters).
    EqualMeansSame,
    /// Shown moves read back; nonsense is refused.
    NotationRoundTrips,
    /// The board view has as many points as rows × columns.
    ViewFits,
    /// Playing on a copy leaves the original alone; `clone_from` is `clone`.
    ClonesAreIndependent,
    /// Random games end.
    GamesEnd,
    /// `random_move` is uniform over the legal moves.
    RandomMoveIsUniform,
    /// A playout plays legal moves and tells the outcome they lead to.
    PlayoutIsHonest,
    /// Playouts have the promised distribution.
    PlayoutIsFair,
    /// `winning_move` wins in the turn, and if a single move wins, there is one.
    WinningMoveWins,
    /// `saving_move` is legal.
    SavingMoveIsLegal,
    /// A decisive playout plays legal moves and tells the outcome they lead to.
    DecisivePlayoutIsHonest,
    /// An evaluation is in range, and the same for copies and equal positions.
    EvaluationIsSound,
    /// Weights are positive and finite, one for each move, whatever the order of the moves.
    WeightsAreSound,
}

impl Kit {
    /// Checks every law on random games from `start`.
    ///
    /// # Errors
    /// The first violation found.
    pub fn check<P: Notation + Studied>(&self, start: &P) -> Result<Summary, Violation> {
        laws::Inspector::new(self, start).inspect()
    }
}
