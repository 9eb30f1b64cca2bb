//! What a game knows beyond its rules: judgements of positions, preferences among moves, wins at once.
//!
//! The rules do not need it and searches do not require it: a search that wants an evaluation
//! asks for one at its start and refuses games that have none. It lives beside the rules, in a file of its own
//! (`heuristic.rs` of each game), never in them.

use crate::{Certifier, Encoding, Outcome, Position, Rng, Trace};
use std::ops::ControlFlow;

/// No evaluation reaches this far; ended games may.
pub const EVALUATION_LIMIT: i32 = 10_000;

/// A judgement of positions that have not ended.
///
/// The number belongs to the first player, lies strictly within ±[`EVALUATION_LIMIT`], and says nothing about proof.
pub trait Evaluation<P: Position>: Send + Sync {
    /// The judgement, for the first player.
    fn evaluate(&self, position: &P) -> i32;

    /// How many points are worth odds of e to 1: the value of a judgement v is 1/(1 + e^(−v/scale)).
    fn scale(&self) -> f64;

    /// The judgement as an expected score of the first player, in (0, 1).
    fn expectation(&self, position: &P) -> f64 {
        1.0 / (1.0 + libm::exp(-f64::from(self.evaluate(position)) / self.scale()))
    }
}

/// A preference among the moves of a position.
pub trait Preference<P: Position>: Send + Sync {
    /// Writes one weight for each of `moves`, which are legal moves of `position`: positive and finite, a
    /// move of weight 2 being twice as likely to be the good one as a move of weight 1. `weights` is overwritten.
    fn weigh(&self, position: &P, moves: &[P::Move], weights: &mut Vec<f64>);
}

/// Facts about a game that help to choose a search for it. A default is a sound choice, not a tuned one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Character {
    /// A move that was good later is likely to be good now (Go, Hex): all-moves-as-first helps.
    pub moves_commute: bool,
    /// Games end suddenly, by one winning move (Gomoku, Connect6): seeing it helps.
    pub ends_suddenly: bool,
    /// No position comes twice in a game, whatever is played: stones stay, boards fill.
    pub never_repeats: bool,
}

impl Character {
    /// Nothing special.
    pub const PLAIN: Character = Character { moves_commute: false, ends_suddenly: false, never_repeats: false };
}

/// A game with what is known about it. Every part may be missing.
pub trait Studied: Position {
    /// What kind of game it is.
    const CHARACTER: Character = Character::PLAIN;

    /// The agent that plays positions like this one best, of all that are known, as the text of its
    /// spec. It answers within any time limit. `docs/defaults.md` has the matches behind each
    /// choice.
    fn strongest(&self) -> &'static str {
        "mcts"
    }

    /// The game's evaluation, if it has one for games like this one.
    fn evaluation(&self) -> Option<Box<dyn Evaluation<Self>>> {
        None
    }

    /// The game's preference among moves, if it has one for games like this one.
    fn preference(&self) -> Option<Box<dyn Preference<Self>>> {
        None
    }

    /// How positions become the input of a neural network, if the game says so. Without it, networks see what
    /// [`Notation::view`](crate::Notation::view) draws.
    fn encoding(&self) -> Option<Box<dyn Encoding<Self>>> {
        None
    }

    /// What checks the game's own kinds of certificates in proofs, if it has any for games like this one.
    fn certifier(&self) -> Option<Box<dyn Certifier<Self>>> {
        None
    }

    /// Whether the move gives up the turn, where that is a choice (Go).
    fn is_pass(&self, _: Self::Move) -> bool {
        false
    }

    /// A move with which the side to move wins at once: after it it has won, or, where its turn goes on (Connect6), can
    /// win before the turn ends. If a single move wins, there is an answer. The default tries single moves, all of them.
    fn winning_move(&self) -> Option<Self::Move> {
        let mover = self.turn();
        let mut scratch = self.clone();
        self.visit_moves(|mv| {
            scratch.clone_from(self);
            scratch.play(mv);
            let won = scratch.outcome().is_some_and(|outcome| outcome.winner() == Some(mover));
            if won { ControlFlow::Break(mv) } else { ControlFlow::Continue(()) }
        })
        .break_value()
    }

    /// A move that stands in the way of a win the other side would have at once. The default lets a random move
    /// pass, looks for the other's win, and answers with the move of the same number, if that is legal here.
    fn saving_move(&self, rng: &mut Rng) -> Option<Self::Move> {
        let mover = self.turn();
        let mut after = self.clone();
        after.play(self.random_move(rng)?);
        if after.outcome().is_some() || after.turn() == mover {
            return None;
        }
        let threat = after.winning_move()?;
        let here = self.move_at(after.move_index(threat))?;
        self.is_legal(here).then_some(here)
    }

    /// A playout in which nobody overlooks a win in one move, his own or the other's
    /// (Teytaud & Teytaud 2010). What is left in `self` afterwards is unspecified.
    fn decisive_playout<T: Trace<Self>>(&mut self, rng: &mut Rng, trace: &mut T) -> Outcome {
        loop {
            if let Some(outcome) = self.outcome() {
                return outcome;
            }
            let mv = self
                .winning_move()
                .or_else(|| self.saving_move(rng))
                .or_else(|| self.playout_move(rng))
                .expect("a live game has a move");
            trace.played(self.turn(), mv);
            self.play(mv);
        }
    }
}
