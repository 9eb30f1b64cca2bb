//! Playouts guarded by a shallow minimax: a move that wins by force within `depth` plies is played; moves
//! that lose by force within it are avoided; among the others the game's own policy chooses.
//!
//! Reference: Baier & Winands, "Monte-Carlo Tree Search and Minimax Hybrids", 2013: MCTS-MR-d.

use super::{Past, Simulate, play_out};
use crate::mcts::lookahead;
use tesuji_core::{Deadline, Outcome, Player, RecordMoves, Rng, Score, Studied, Undoable};

pub(super) struct Guarded<M> {
    depth: u32,
    clock: Deadline,
    safe: Vec<M>,
    /// Room for the lists of the look-ahead.
    stack: Vec<M>,
}

impl<M> Guarded<M> {
    pub(super) fn new(depth: u32, clock: Deadline) -> Guarded<M> {
        Guarded { depth, clock, safe: Vec::new(), stack: Vec::new() }
    }
}

impl<P: Undoable + Studied> Simulate<P> for Guarded<P::Move> {
    fn simulate(
        &mut self,
        position: &mut P,
        _: &[Past],
        rng: &mut Rng,
        record: Option<&mut RecordMoves<P::Move>>,
    ) -> Outcome {
        let Guarded { depth, clock, safe, stack } = self;
        play_out(position, record, |position| {
            if let Some(mv) = position.winning_move() {
                return mv;
            }
            let mover = position.turn();
            let mut leads_to = |position: &mut P, mv: P::Move, winner: Player| {
                let undo = position.make(mv);
                let forced = lookahead::forces(position, winner, Score::WIN, *depth - 1, stack, &mut clock.watch());
                position.unmake(mv, undo);
                forced == Some(true)
            };
            if *depth >= 3 {
                safe.clear();
                lookahead::push_moves(position, safe);
                if let Some(mv) = safe.iter().find(|mv| leads_to(position, **mv, mover)) {
                    return *mv;
                }
            }
            // Most moves are harmless: look at the others only when the one drawn loses.
            let drawn = position.playout_move(rng).expect("a live game has a move");
            if *depth < 2 || !leads_to(position, drawn, mover.other()) {
                return drawn;
            }
            safe.clear();
            lookahead::push_moves(position, safe);
            safe.retain(|mv| !leads_to(position, *mv, mover.other()));
            if safe.is_empty() { drawn } else { safe[rng.below(safe.len() as u32) as usize] }
        })
    }

    fn fork(&self) -> Box<dyn Simulate<P>> {
        Box::new(Guarded::new(self.depth, self.clock.clone()))
    }
}
