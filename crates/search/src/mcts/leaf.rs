//! What happens at a leaf: the estimate that goes up the tree.
//!
//! | leaf | estimate |
//! |---|---|
//! | `random(n)` | n playouts of the game's own policy (uniform unless the game says otherwise) |
//! | `decisive(n)` | the same, but a playout's move that wins at once is played, and one that stops the other from winning at once |
//!
//! Reference for decisive and anti-decisive moves: Teytaud & Teytaud, "On the huge benefit of decisive moves in
//! Monte-Carlo Tree Search algorithms", 2010.

use tesuji_core::{Outcome, Player, Position, RecordMoves, Rng, Trace};

/// A kind of leaf.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaf {
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
}

impl Leaf {
    /// How many playouts a leaf gets.
    pub(super) fn playouts(self) -> u32 {
        match self {
            Leaf::Random { playouts } | Leaf::Decisive { playouts } => playouts,
        }
    }

    /// One playout from `position`, which is used up.
    pub(super) fn simulate<P: Position>(
        self,
        position: &mut P,
        rng: &mut Rng,
        record: Option<&mut RecordMoves<P::Move>>,
    ) -> Outcome {
        match (self, record) {
            (Leaf::Random { .. }, None) => position.playout(rng, &mut ()),
            (Leaf::Random { .. }, Some(record)) => position.playout(rng, record),
            (Leaf::Decisive { .. }, None) => decisive(position, rng, &mut ()),
            (Leaf::Decisive { .. }, Some(record)) => decisive(position, rng, record),
        }
    }
}

/// A playout in which nobody overlooks a win in one move, his own or the other's.
fn decisive<P: Position, T: Trace<P>>(position: &mut P, rng: &mut Rng, trace: &mut T) -> Outcome {
    let mut scratch = position.clone();
    loop {
        if let Some(outcome) = position.outcome() {
            return outcome;
        }
        let mover = position.turn();
        let mv = winning_move(position, &mut scratch, mover)
            .or_else(|| saving_move(position, &mut scratch, mover, rng))
            .or_else(|| position.random_move(rng))
            .expect("a live game has a move");
        trace.played(mover, mv);
        position.play(mv);
    }
}

/// A move after which `player` has won.
fn winning_move<P: Position>(position: &P, scratch: &mut P, player: Player) -> Option<P::Move> {
    let found = position.visit_moves(|mv| {
        scratch.clone_from(position);
        scratch.play(mv);
        let won = scratch.outcome().is_some_and(|outcome| outcome.winner() == Some(player));
        if won { std::ops::ControlFlow::Break(mv) } else { std::ops::ControlFlow::Continue(()) }
    });
    found.break_value()
}

/// A move that takes the point from which the other would win at once: if after a random move he could win by
/// some move, and the same move (by its number) is open to us now, we play it first.
fn saving_move<P: Position>(position: &P, scratch: &mut P, player: Player, rng: &mut Rng) -> Option<P::Move> {
    let mut after = position.clone();
    after.play(position.random_move(rng)?);
    if after.outcome().is_some() || after.turn() == player {
        return None;
    }
    let threat = winning_move(&after, scratch, player.other())?;
    let here = position.move_at(after.move_index(threat))?;
    position.is_legal(here).then_some(here)
}
