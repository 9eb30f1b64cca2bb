//! Any game with an arbitrary evaluation, and plain negamax over it by the definition.

use crate::wrapped::rules_of;
use std::ops::ControlFlow;
use tesuji_core::{Evaluation, Outcome, Player, Position, PositionHash, Preference, Score, Studied, Trace, mix};

/// A game whose evaluation is a hash of the position, from −range to range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judged<P, const RANGE: u32 = 60>(pub P);

struct Made<const RANGE: u32>;

fn points<P: Position>(position: &P, range: u32) -> i32 {
    (mix(position.hash().0 ^ 0x5eed) % u64::from(2 * range + 1)) as i32 - range as i32
}

impl<P: Position, const RANGE: u32> Evaluation<Judged<P, RANGE>> for Made<RANGE> {
    fn evaluate(&self, position: &Judged<P, RANGE>) -> i32 {
        points(&position.0, RANGE)
    }
    fn scale(&self) -> f64 {
        100.0
    }
}

/// Arbitrary as well: it may change the traversal, never the value.
impl<P: Position, const RANGE: u32> Preference<Judged<P, RANGE>> for Made<RANGE> {
    fn weigh(&self, position: &Judged<P, RANGE>, moves: &[P::Move], weights: &mut Vec<f64>) {
        weights.clear();
        let weight = |mv: &P::Move| (1 + mix(position.hash().0 ^ position.move_index(*mv) as u64) % 100) as f64;
        weights.extend(moves.iter().map(weight));
    }
}

impl<P: Position, const RANGE: u32> Position for Judged<P, RANGE> {
    rules_of!(P);
    fn playout<T: Trace<Self>>(&mut self, _: &mut tesuji_core::Rng, _: &mut T) -> Outcome {
        unreachable!("these are never played out")
    }

    type Undo = P::Undo;
    fn make(&mut self, mv: P::Move) -> P::Undo {
        self.0.make(mv)
    }
    fn unmake(&mut self, mv: P::Move, undo: P::Undo) {
        self.0.unmake(mv, undo);
    }
}

impl<P: Studied, const RANGE: u32> Studied for Judged<P, RANGE> {
    const SHARP: bool = P::SHARP;
    fn evaluation(&self) -> Option<Box<dyn Evaluation<Self>>> {
        Some(Box::new(Made::<RANGE>))
    }
    fn preference(&self) -> Option<Box<dyn Preference<Self>>> {
        Some(Box::new(Made::<RANGE>))
    }
    fn under_attack(&self) -> bool {
        self.0.under_attack()
    }
    fn gain(&self, mv: P::Move) -> i32 {
        self.0.gain(mv)
    }
    fn stake(&self, mv: P::Move) -> i32 {
        self.0.stake(mv)
    }
    fn visit_loud<B>(&self, f: impl FnMut(P::Move) -> ControlFlow<B>) -> ControlFlow<B> {
        self.0.visit_loud(f)
    }
    fn passed(&self) -> Option<Self> {
        self.0.passed().map(Judged)
    }
}

/// The value of an ended game on the scale of `alphabeta/value.rs`, for the first player.
pub fn end_value(outcome: Outcome, ply: i32) -> i32 {
    match outcome.score {
        Score::WIN => 60_000 - ply,
        Score::LOSS => ply - 60_000,
        score => {
            let difference = score.units() as i32 - 30_000;
            difference.signum() * 10_000 + difference
        }
    }
}

/// What the reference does at and below the horizon.
#[derive(Clone, Copy, Debug)]
pub struct Below {
    pub quiescence: bool,
    pub extensions: bool,
}

/// Minimax to a depth, for the first player, by the definition: no windows, no memory, no order.
pub fn plain<P: Studied>(position: &P, depth: i32, ply: i32, below: Below) -> i32 {
    if let Some(outcome) = position.outcome() {
        return end_value(outcome, ply);
    }
    let attacked = position.under_attack();
    let depth = depth + i32::from(below.extensions && attacked && ply > 0);
    if depth <= 0 {
        return if below.quiescence && P::SHARP { quiet(position, ply) } else { evaluation(position) };
    }
    best(position, position.moves(), None, |next| plain(next, depth - 1, ply + 1, below))
}

fn quiet<P: Studied>(position: &P, ply: i32) -> i32 {
    if let Some(outcome) = position.outcome() {
        return end_value(outcome, ply);
    }
    if position.under_attack() {
        return best(position, position.moves(), None, |next| quiet(next, ply + 1));
    }
    let loud: Vec<P::Move> = position.moves().into_iter().filter(|mv| position.gain(*mv) > 0).collect();
    best(position, loud, Some(evaluation(position)), |next| quiet(next, ply + 1))
}

fn evaluation<P: Studied>(position: &P) -> i32 {
    position.evaluation().map_or(0, |evaluation| evaluation.evaluate(position))
}

fn best<P: Position>(position: &P, moves: Vec<P::Move>, standing: Option<i32>, value: impl Fn(&P) -> i32) -> i32 {
    let values = moves.into_iter().map(|mv| {
        let mut next = position.clone();
        next.play(mv);
        value(&next)
    });
    let all = standing.into_iter().chain(values);
    if position.turn() == Player::First { all.max() } else { all.min() }.expect("a move")
}
