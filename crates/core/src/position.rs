//! The contract of a game: what a position can say and do.

use crate::{Outcome, Player, PositionHash, Rng};
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::ControlFlow;

/// A position of a two-player game of perfect information, with its rules.
///
/// The rules know nothing of search. Every law stated here is checked by the
/// conformance kit; every search relies on them.
///
/// * Turns need not alternate: ask [`turn`](Position::turn) after every move.
/// * A position either has an [`outcome`](Position::outcome) and no moves, or no outcome and at
///   least one move (a forced pass is a move).
/// * `Eq` and [`hash`](Position::hash) cover all state the rules look at — stones, ko point,
///   passes, stones left in the turn — except boards that lie in the past. Where those count too,
///   [`history_matters`](Position::history_matters) says so.
///
/// ```
/// use tesuji_core::conformance::example::TakeAway;
/// use tesuji_core::{Player, Position, Rng, Seed};
///
/// // Take one, two or three of a heap; taking three gives another turn; the last one wins.
/// let mut position = TakeAway::new(5);
/// assert_eq!((position.turn(), position.moves()), (Player::First, vec![1, 2, 3]));
/// position.play(3);
/// assert_eq!(position.turn(), Player::First);
/// position.play(2);
/// assert_eq!(position.outcome().unwrap().winner(), Some(Player::First));
///
/// // A random game from the same start.
/// let mut rng = Rng::new(Seed(1));
/// let mut position = TakeAway::new(5);
/// while let Some(mv) = position.random_move(&mut rng) {
///     position.play(mv);
/// }
/// assert!(position.outcome().is_some() && position.moves().is_empty());
/// ```
pub trait Position: Clone + Eq + Debug + Send + Sync + 'static {
    /// A move. Small and free of references; what it means may depend on the position.
    type Move: Copy + Eq + Hash + Debug + Send + Sync + 'static;

    /// What [`unmake`](Position::unmake) needs to know.
    type Undo;

    /// Whether earlier positions of the same game bear on what is legal or on the
    /// outcome (superko, repetition). Searches then share nothing between equal positions blindly.
    fn history_matters(&self) -> bool {
        false
    }

    /// Who is to move. Unspecified in an ended game.
    fn turn(&self) -> Player;

    /// The result, once the game has ended.
    fn outcome(&self) -> Option<Outcome>;

    /// Shows every legal move once to `f`, in a fixed order, until `f` breaks. An ended game has
    /// none.
    fn visit_moves<B>(&self, f: impl FnMut(Self::Move) -> ControlFlow<B>) -> ControlFlow<B>;

    /// Plays a legal move. Trusts its caller: at the borders moves come from
    /// [`Notation::read_move`](crate::Notation::read_move), which refuses illegal ones.
    fn play(&mut self, mv: Self::Move);

    /// Plays a legal move and says how to take it back. Where a copy is cheap, `undo_by_copy!`
    /// writes this and [`unmake`](Position::unmake).
    fn make(&mut self, mv: Self::Move) -> Self::Undo;

    /// Takes back the last move made; the position is exactly what it was.
    fn unmake(&mut self, mv: Self::Move, undo: Self::Undo);

    /// The outcome and the hash after a legal move, where they can be told without making it; the
    /// hash means nothing if the game ends there. Nothing unless the game says otherwise.
    #[inline]
    fn glance(&self, _: Self::Move) -> Option<(Option<Outcome>, PositionHash)> {
        None
    }

    /// The hash, kept incrementally.
    fn hash(&self) -> PositionHash;

    /// The same hash, computed from the whole state: the reference for [`hash`](Position::hash).
    fn recomputed_hash(&self) -> PositionHash;

    /// Bytes that all positions of this game share, such as a tree kept in memory: for a bound on
    /// the games that a program keeps.
    fn shared_bytes(&self) -> usize {
        0
    }

    /// No game from here ends with a margin beyond this, either way; nothing if the game does not
    /// say. A claim about margins means nothing if it asks for no more than the least of them.
    fn widest_margin(&self) -> Option<u32> {
        None
    }

    /// A bound on [`move_index`](Position::move_index), the same for all positions of a game.
    fn move_space(&self) -> usize;

    /// A number below [`move_space`](Position::move_space) that tells the legal moves of a
    /// position apart and means the same thing throughout a game ("a stone on D4"), so that
    /// tables of replies, history and all-moves-as-first can be plain arrays.
    fn move_index(&self, mv: Self::Move) -> usize;

    /// The move with this index, if some position of this game could have it: undoes
    /// [`move_index`](Position::move_index). Not necessarily legal here.
    fn move_at(&self, index: usize) -> Option<Self::Move>;

    /// Whether the move is legal here.
    fn is_legal(&self, mv: Self::Move) -> bool {
        self.visit_moves(|legal| if legal == mv { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            .is_break()
    }

    /// Sets the bit of the [index](Position::move_index) of every legal move: bit i % 64 of word i / 64.
    /// `marks` has a bit for every index below [`move_space`](Position::move_space), all clear. Games that
    /// keep such sets copy them.
    fn mark_moves(&self, marks: &mut [u64]) {
        let _ = self.visit_moves::<()>(|mv| {
            let index = self.move_index(mv);
            marks[index / 64] |= 1 << (index % 64);
            ControlFlow::Continue(())
        });
    }

    /// All legal moves, in the order of [`visit_moves`](Position::visit_moves).
    #[inline]
    fn moves(&self) -> Vec<Self::Move> {
        // One allocation where games have about this many moves, not one for every doubling.
        let mut moves = Vec::with_capacity(32);
        let _ = self.visit_moves::<()>(|mv| {
            moves.push(mv);
            ControlFlow::Continue(())
        });
        moves
    }

    /// How many legal moves there are.
    #[inline]
    fn move_count(&self) -> usize {
        let mut count = 0;
        let _ = self.visit_moves::<()>(|_| {
            count += 1;
            ControlFlow::Continue(())
        });
        count
    }

    /// A legal move, each with the same probability; none in an ended game.
    fn random_move(&self, rng: &mut Rng) -> Option<Self::Move> {
        let count = u32::try_from(self.move_count()).expect("fewer than four billion moves");
        if count == 0 {
            return None;
        }
        let mut skip = rng.below(count);
        let chosen = self.visit_moves(|mv| {
            if skip == 0 {
                return ControlFlow::Break(mv);
            }
            skip -= 1;
            ControlFlow::Continue(())
        });
        match chosen {
            ControlFlow::Break(mv) => Some(mv),
            ControlFlow::Continue(()) => unreachable!("visit_moves showed fewer moves the second time"),
        }
    }

    /// One move as a playout would choose it: for playouts that choose some of their moves
    /// otherwise. Uniform unless the game says otherwise; none in an ended game.
    fn playout_move(&self, rng: &mut Rng) -> Option<Self::Move> {
        self.random_move(rng)
    }

    /// Plays random moves to the end, from here, in place, and tells the outcome.
    ///
    /// Uniform unless the game says otherwise; games override it for speed. What
    /// is left in `self` afterwards is unspecified. Of an ended game it is the outcome.
    fn playout<T: Trace<Self>>(&mut self, rng: &mut Rng, trace: &mut T) -> Outcome {
        loop {
            if let Some(outcome) = self.outcome() {
                return outcome;
            }
            let mv = self.random_move(rng).expect("a position without outcome has a move");
            trace.played(self.turn(), mv);
            self.play(mv);
        }
    }
}

/// Writes [`Undo`](Position::Undo), [`make`](Position::make) and [`unmake`](Position::unmake) in an
/// `impl Position`, by a copy of the position: for games where a copy is cheap.
#[macro_export]
macro_rules! undo_by_copy {
    () => {
        type Undo = Self;

        #[inline]
        fn make(&mut self, mv: Self::Move) -> Self {
            let before = self.clone();
            $crate::Position::play(self, mv);
            before
        }

        #[inline]
        fn unmake(&mut self, _: Self::Move, before: Self) {
            *self = before;
        }
    };
}

/// A listener to the moves of a playout.
pub trait Trace<P: Position> {
    /// Whether the moves must come in the order in which they were played, and stop
    /// where the game ended. A game may play moves in any order for listeners that do not care.
    const NEEDS_ORDER: bool;

    /// `player` played `mv`.
    fn played(&mut self, player: Player, mv: P::Move);
}

/// No listener; costs nothing.
impl<P: Position> Trace<P> for () {
    const NEEDS_ORDER: bool = false;

    #[inline]
    fn played(&mut self, _: Player, _: P::Move) {}
}

/// Counts the moves until the game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CountMoves(pub u64);

impl<P: Position> Trace<P> for CountMoves {
    const NEEDS_ORDER: bool = true;

    #[inline]
    fn played(&mut self, _: Player, _: P::Move) {
        self.0 += 1;
    }
}

/// Writes the moves down.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordMoves<M>(pub Vec<(Player, M)>);

impl<M> Default for RecordMoves<M> {
    fn default() -> Self {
        RecordMoves(Vec::new())
    }
}

impl<P: Position> Trace<P> for RecordMoves<P::Move> {
    const NEEDS_ORDER: bool = true;

    #[inline]
    fn played(&mut self, player: Player, mv: P::Move) {
        self.0.push((player, mv));
    }
}
