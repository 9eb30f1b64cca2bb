//! Playouts guarded by a shallow minimax: a move that wins by force within `depth` plies is played,
//! moves that lose by force within it are avoided, and the game's own policy chooses among the
//! others.
//!
//! Reference: Baier & Winands, "Monte-Carlo Tree Search and Minimax Hybrids", 2013: MCTS-MR-d.

use super::simulate::{PlayedMove, Simulate, play_out};
use crate::mcts::lookahead;
use tesuji_core::{Deadline, Outcome, Player, Pulse, RecordMoves, Rng, Score, Studied};

pub(crate) struct Guarded<M> {
    depth: u32,
    /// Cuts off a look-ahead that outlasts the budget, and its playout.
    pulse: Pulse,
    safe: Vec<M>,
    /// Move lists of the look-ahead.
    stack: Vec<M>,
}

impl<M> Guarded<M> {
    pub(crate) fn new(depth: u32, pulse: Pulse) -> Guarded<M> {
        Guarded { depth, pulse, safe: Vec::new(), stack: Vec::new() }
    }
}

impl<P: Studied> Simulate<P> for Guarded<P::Move> {
    fn simulate(
        &mut self,
        position: &mut P,
        _: &[PlayedMove],
        rng: &mut Rng,
        record: Option<&mut RecordMoves<P::Move>>,
    ) -> Option<Outcome> {
        let Guarded { depth, pulse, safe, stack } = self;
        play_out(position, record, |position| {
            if let Some(mv) = position.winning_move() {
                return Some(mv);
            }
            let mover = position.turn();
            // `None` if the look-ahead was cut off.
            let mut leads_to = |position: &mut P, mv: P::Move, winner: Player| {
                let undo = position.make(mv);
                let mut go_on = || pulse.goes_on();
                let forced = lookahead::forces(position, winner, Score::WIN, *depth - 1, stack, &mut go_on);
                position.unmake(mv, undo);
                forced
            };
            if *depth >= 3 {
                safe.clear();
                lookahead::push_moves(position, safe);
                for mv in safe.iter() {
                    if leads_to(position, *mv, mover)? {
                        return Some(*mv);
                    }
                }
            }
            // Most moves are safe: the others are examined only if the sampled move loses.
            let drawn = position.playout_move(rng).expect("a live game has a move");
            if *depth < 2 || !leads_to(position, drawn, mover.other())? {
                return Some(drawn);
            }
            safe.clear();
            lookahead::push_moves(position, safe);
            let (mut kept, count) = (0, safe.len());
            for number in 0..count {
                if !leads_to(position, safe[number], mover.other())? {
                    safe.swap(kept, number);
                    kept += 1;
                }
            }
            safe.truncate(kept);
            Some(if safe.is_empty() { drawn } else { safe[rng.below(safe.len() as u32) as usize] })
        })
    }

    fn set_deadline(&mut self, deadline: &Deadline) {
        self.pulse = Pulse::new(deadline.clone());
    }

    fn fork(&self) -> Box<dyn Simulate<P>> {
        Box::new(Guarded::new(self.depth, Pulse::new(self.pulse.deadline().clone())))
    }
}
