//! What every leaf evaluator implements.

use tesuji_core::{Deadline, Outcome, Player, RecordMoves, Rng, Studied};

/// A player and the index of the move played.
pub(crate) type PlayedMove = (Player, u32);

/// A leaf evaluator. Each thread has its own.
pub(crate) trait Simulate<P: Studied>: Send {
    /// One playout from `position`, which is consumed; nothing if the stop flag or the clock cut it
    /// off. `history` holds the moves of the descent, for leaves that need them; `record` receives
    /// the moves of the playout, if given.
    fn simulate(
        &mut self,
        position: &mut P,
        history: &[PlayedMove],
        rng: &mut Rng,
        record: Option<&mut RecordMoves<P::Move>>,
    ) -> Option<Outcome>;

    /// Sets the end of the work at the latest, where an evaluator looks at it.
    fn set_deadline(&mut self, _: &Deadline) {}

    /// The same evaluator for another thread.
    fn fork(&self) -> Box<dyn Simulate<P>>;
}

/// Plays the game to its end by moves that `choose` returns; nothing if it returned none.
pub(crate) fn play_out<P: Studied>(
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
