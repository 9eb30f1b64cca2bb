//! What a game knows beyond its rules: judgements of positions, preferences among moves, tactics,
//! solvers, abilities at a board.
//!
//! The rules do not need it and searches do not require it: a search that wants an evaluation asks
//! for one at its start and refuses games that have none. It lives beside the rules, in files of
//! its own (`heuristic.rs`, `tactics.rs`, `solvers.rs`, `table.rs` of each game), never in them.
//!
//! **Tactics.** Searches by evaluation want more than rules and an evaluation: which moves are loud
//! (a position in the middle of an exchange must not be evaluated), whether the mover is under
//! attack (then no horizon should cut in), and what would happen after a pass (a bound from below
//! in games where moving is never a burden).
//!
//! **Solvers** are df-pn with advisers of the game, as data ([`Solver`]).

use crate::solver::Solver;
use crate::{
    Certifier, Encoding, FeatureSet, Meter, MoveFeatures, NoTable, Outcome, Patterns, Position, Rng, Stones, Table,
    Trace,
};
use std::ops::ControlFlow;

/// No evaluation reaches this far; ended games may.
pub const EVALUATION_LIMIT: i32 = 10_000;

/// A judgement of positions that have not ended.
///
/// The number belongs to the first player, lies strictly within ±[`EVALUATION_LIMIT`], and says
/// nothing about proof.
///
/// ```
/// use tesuji_core::conformance::example::TakeAway;
/// use tesuji_core::{Evaluation, Player, Position};
///
/// /// A hundred points for the side to move.
/// struct Turn;
///
/// impl Evaluation<TakeAway> for Turn {
///     fn evaluate(&self, position: &TakeAway) -> i32 {
///         if position.turn() == Player::First { 100 } else { -100 }
///     }
///     fn scale(&self) -> f64 {
///         100.0 // odds of e to 1
///     }
/// }
/// let value = Turn.expectation(&TakeAway::new(5));
/// assert!((value - 0.731).abs() < 0.001);
/// ```
pub trait Evaluation<P: Position>: Send + Sync {
    /// The judgement, for the first player.
    fn evaluate(&self, position: &P) -> i32;

    /// How many points are worth odds of e to 1: the value of a judgement v is 1/(1 +
    /// e^(−v/scale)).
    fn scale(&self) -> f64;

    /// The judgement as an expected score of the first player, in (0, 1).
    fn expectation(&self, position: &P) -> f64 {
        1.0 / (1.0 + libm::exp(-f64::from(self.evaluate(position)) / self.scale()))
    }
}

/// A preference among the moves of a position.
///
/// ```
/// use tesuji_core::Preference;
/// use tesuji_core::conformance::example::TakeAway;
///
/// /// Taking more is better.
/// struct Greedy;
///
/// impl Preference<TakeAway> for Greedy {
///     fn weigh(&self, _: &TakeAway, moves: &[u8], weights: &mut Vec<f64>) {
///         weights.clear();
///         weights.extend(moves.iter().map(|taken| f64::from(*taken)));
///     }
/// }
/// let mut weights = Vec::new();
/// Greedy.weigh(&TakeAway::new(5), &[1, 2, 3], &mut weights);
/// assert_eq!(weights, [1.0, 2.0, 3.0]);
/// ```
pub trait Preference<P: Position>: Send + Sync {
    /// Writes one weight for each of `moves`, which are legal moves of `position`: positive and
    /// finite, a move of weight 2 being twice as likely to be the good one as a move of weight 1.
    /// `weights` is overwritten.
    fn weigh(&self, position: &P, moves: &[P::Move], weights: &mut Vec<f64>);
}

/// Facts about a game that help to choose a search for it. A default is a sound choice, not a tuned
/// one.
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
///
/// ```
/// use tesuji_core::conformance::example::TakeAway;
/// use tesuji_core::{Position, Studied};
///
/// // Nothing was stated about this game: it has no evaluation, and wins are found by trying.
/// let position = TakeAway::new(3);
/// assert!(position.evaluation().is_none());
/// assert_eq!(position.winning_move(), Some(3));
/// assert_eq!((position.strongest(), position.solver()), ("mcts", "df-pn"));
/// ```
pub trait Studied: Position {
    /// What kind of game it is.
    const CHARACTER: Character = Character::PLAIN;

    /// The game's own solvers, besides those that serve every game.
    const SOLVERS: &'static [Solver<Self>] = &[];

    /// Whether the game tells loud moves from quiet ones. Without that there is no quiescence
    /// search.
    const SHARP: bool = false;

    /// The agent that plays positions like this one best, of all that are known, as the text of its
    /// spec. It answers within any time limit. `docs/defaults.md` has the matches behind each
    /// choice.
    fn strongest(&self) -> &'static str {
        "mcts"
    }

    /// The name of the agent that `solve` uses for positions like this one: the one that answers
    /// wins and losses alike with the fewest nodes.
    fn solver(&self) -> &'static str {
        "df-pn"
    }

    /// What the game can do at a board beyond moves: komi, handicaps, set-up stones.
    fn table(&self) -> &'static dyn Table<Self> {
        &NoTable
    }

    /// The game's evaluation, if it has one for games like this one.
    fn evaluation(&self) -> Option<Box<dyn Evaluation<Self>>> {
        None
    }

    /// The game's preference among moves, if it has one for games like this one.
    fn preference(&self) -> Option<Box<dyn Preference<Self>>> {
        None
    }

    /// The features of moves to which strengths can be fitted, if the game states any.
    fn features(&self, _: FeatureSet) -> Option<Box<dyn MoveFeatures<Self>>> {
        None
    }

    /// What was learned about the moves of games like this one, if anything was.
    fn patterns(&self) -> Option<Box<dyn Patterns<Self>>> {
        None
    }

    /// How positions become the input of a neural network, if the game says so. Without it,
    /// networks see what [`Notation::view`](crate::Notation::view) draws.
    fn encoding(&self) -> Option<Box<dyn Encoding<Self>>> {
        None
    }

    /// The board as stones, with five properties of it, if it is one: for the learned agents of Hawk.
    fn stone_board(&self) -> Option<&'static dyn Stones<Self>> {
        None
    }

    /// What checks the game's own kinds of certificates in proofs, if it has any for games like
    /// this one.
    fn certifier(&self) -> Option<Box<dyn Certifier<Self>>> {
        None
    }

    /// Whether the move gives up the turn, where that is a choice (Go).
    fn is_pass(&self, _: Self::Move) -> bool {
        false
    }

    /// A move with which the side to move wins at once: after it it has won, or, where its turn
    /// goes on (Connect6), can win before the turn ends. If a single move wins, there is an answer.
    /// The default tries single moves, all of them.
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

    /// A move that prevents an immediate win of the opponent. The default plays a random move,
    /// looks for the opponent's win after it, and answers with the move of the same number, if that
    /// is legal here.
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

    /// A playout in which neither player overlooks a win in one move, of its own or of the opponent
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

    /// Whether the mover is under an attack that must be answered.
    #[inline]
    fn under_attack(&self) -> bool {
        false
    }

    /// What a legal move takes at once, in points of the game's evaluation; 0 for a quiet move.
    #[inline]
    fn gain(&self, _: Self::Move) -> i32 {
        0
    }

    /// What the moving piece is worth, in the same points: less is risked by capturing with less.
    #[inline]
    fn stake(&self, _: Self::Move) -> i32 {
        0
    }

    /// Shows every legal loud move once, until `f` breaks: those with a gain.
    #[inline]
    fn visit_loud<B>(&self, mut f: impl FnMut(Self::Move) -> ControlFlow<B>) -> ControlFlow<B> {
        self.visit_moves(|mv| if self.gain(mv) > 0 { f(mv) } else { ControlFlow::Continue(()) })
    }

    /// The same position with the turn given up, where doing so is almost never better than the
    /// best move (a null move). Nothing where it would be illegal, unsafe, or a relief.
    fn passed(&self) -> Option<Self> {
        None
    }

    /// The game's own exact solver of late positions, if it has one for games like this one.
    fn endgame(&self) -> Option<Box<dyn Endgame<Self>>> {
        None
    }
}

/// What an exact solver knows of a position: everything, if both margins are equal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solved<M> {
    /// The final margin under best play is at least this, for the first player, as
    /// [`Outcome::margin`](crate::Outcome::margin) counts it.
    pub least: i32,
    /// And at most this.
    pub most: i32,
    /// The best line as far as it is known; its first move keeps what the mover is sure of.
    pub line: Vec<M>,
}

/// A game's exact solver.
pub trait Endgame<P: Position>: Send {
    /// Solves a live position, asking the meter as it goes, and tells what it knew when it was done
    /// or stopped. `memory` is the most bytes its tables may take. `look` is shown what is known so
    /// far about as often as the meter is asked.
    fn solve(
        &mut self,
        position: &P,
        memory: u64,
        meter: &mut Meter,
        look: &mut dyn FnMut(&Meter, &Solved<P::Move>),
    ) -> Solved<P::Move>;

    /// Bytes its tables take now.
    fn memory_bytes(&self) -> u64;
}
