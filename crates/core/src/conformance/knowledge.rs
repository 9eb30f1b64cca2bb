//! The laws of [`Studied`]: what a game knows beyond its rules must not contradict them.

use super::laws::Inspector;
use super::{Law, Violation};
use crate::{EVALUATION_LIMIT, Notation, Player, Position, RecordMoves, Studied};

/// The most moves of one turn that are tried to see whether a move wins in it.
const LONGEST_TURN: u32 = 3;

impl<P: Notation + Studied> Inspector<'_, P> {
    /// What must hold at every position.
    pub(super) fn knowledge(&self, position: &P) -> Result<(), Violation> {
        let listed = position.moves();
        self.wins(position, &listed)?;
        let mut rng = self.rng.split(1);
        let saving = position.saving_move(&mut rng);
        self.demand(saving.is_none_or(|mv| listed.contains(&mv)), Law::SavingMoveIsLegal, || {
            format!("{saving:?} of {listed:?}")
        })?;
        if listed.is_empty() {
            return Ok(());
        }
        self.evaluation(position)?;
        self.weights(position, &listed)
    }

    fn wins(&self, position: &P, listed: &[P::Move]) -> Result<(), Violation> {
        let found = position.winning_move();
        let mover = position.turn();
        match found {
            Some(mv) => self.demand(
                listed.contains(&mv) && wins_in_turn(position, mv, mover, LONGEST_TURN),
                Law::WinningMoveWins,
                || format!("{mv:?} does not win"),
            ),
            None => {
                let overlooked = listed.iter().find(|mv| wins_in_turn(position, **mv, mover, 1));
                self.demand(overlooked.is_none(), Law::WinningMoveWins, || format!("overlooks {overlooked:?}"))
            }
        }
    }

    fn evaluation(&self, position: &P) -> Result<(), Violation> {
        let Some(evaluation) = position.evaluation() else { return Ok(()) };
        let (value, scale) = (evaluation.evaluate(position), evaluation.scale());
        self.demand(value.abs() < EVALUATION_LIMIT, Law::EvaluationIsSound, || format!("{value} is out of range"))?;
        self.demand(scale > 0.0 && scale.is_finite(), Law::EvaluationIsSound, || format!("the scale is {scale}"))?;
        let again = position.clone().evaluation().map(|fresh| fresh.evaluate(position));
        let copy = evaluation.evaluate(&position.clone());
        self.demand(again == Some(value) && copy == value, Law::EvaluationIsSound, || {
            format!("{value}, of a copy {copy}, of a second evaluation {again:?}")
        })?;
        let equal = self.by_hash.get(&position.hash()).filter(|_| !position.history_matters());
        let other = equal.map_or(value, |other| evaluation.evaluate(other));
        self.demand(other == value, Law::EvaluationIsSound, || format!("{value}, of an equal position {other}"))
    }

    fn weights(&self, position: &P, listed: &[P::Move]) -> Result<(), Violation> {
        let Some(preference) = position.preference() else { return Ok(()) };
        // What is left over from another call is overwritten.
        let mut weights = vec![f64::NAN; 3];
        preference.weigh(position, listed, &mut weights);
        let sound = weights.len() == listed.len() && weights.iter().all(|weight| *weight > 0.0 && weight.is_finite());
        self.demand(sound, Law::WeightsAreSound, || format!("{weights:?} for {} moves", listed.len()))?;
        let reversed: Vec<P::Move> = listed.iter().rev().copied().collect();
        let mut reversed_weights = Vec::new();
        preference.weigh(position, &reversed, &mut reversed_weights);
        reversed_weights.reverse();
        self.demand(weights == reversed_weights, Law::WeightsAreSound, || {
            format!("{weights:?}, and {reversed_weights:?} if the moves come the other way round")
        })
    }

    /// Some decisive playouts.
    pub(super) fn decisive_playouts(&mut self, position: &P) -> Result<(), Violation> {
        for _ in 0..(self.kit.samples / 100).max(4) {
            let mut record = RecordMoves::default();
            let told = position.clone().decisive_playout(&mut self.rng, &mut record);
            self.replay(position, &record.0, told, Law::DecisivePlayoutIsHonest)?;
        }
        Ok(())
    }
}

/// Whether a move wins for `mover` at once, or with further moves of the same turn.
fn wins_in_turn<P: Position>(position: &P, mv: P::Move, mover: Player, moves: u32) -> bool {
    let mut next = position.clone();
    next.play(mv);
    match next.outcome() {
        Some(outcome) => outcome.winner() == Some(mover),
        None => {
            moves > 1
                && next.turn() == mover
                && next.moves().into_iter().any(|mv| wins_in_turn(&next, mv, mover, moves - 1))
        }
    }
}
