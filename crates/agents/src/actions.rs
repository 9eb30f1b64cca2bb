//! Positions by numbers instead of text: what learning programs and the Python package hold.
//!
//! An action is a [`Position::move_index`]; an observation is what the game's encoding writes.

use crate::any::{AnyAgent, PlayoutTally};
use crate::erased::Erased;
use crate::features::AnyFeatures;
use crate::many::{AnyMany, Many};
use std::ops::ControlFlow;
use tesuji_core::{FeatureSet, Gammas, Playable, Position, RecordMoves, Rng, Seed, Studied, Symmetry, TensorShape};
use tesuji_learn::batched::{BatchEvaluator, BatchSearch, BatchSettings};
use tesuji_learn::encoding_of;
use tesuji_learn::selfplay::{AnySelfPlay, SelfPlay, SelfPlayConfig};

/// The part of [`AnyPosition`](crate::AnyPosition) that speaks in numbers.
pub trait Actions {
    /// The legal actions, ascending; none in an ended game.
    fn legal_actions(&self) -> Vec<usize>;
    /// Sets the bit of every legal action, as [`Position::mark_moves`] does.
    fn mark_legal(&self, marks: &mut [u64]);
    /// Plays an action; false, and nothing has changed, if it is not legal.
    fn play_action(&mut self, action: usize) -> bool;
    /// How people write an action; nothing if it is not legal here.
    fn action_text(&self, action: usize) -> Option<String>;
    /// The legal action that people write so.
    fn action_named(&self, text: &str) -> Option<usize>;
    /// The sizes of the game's tensors.
    fn tensor_shape(&self) -> TensorShape;
    /// The name of the game's encoding.
    fn encoding_name(&self) -> &'static str;
    /// The symmetries of the game.
    fn symmetries(&self) -> Vec<Symmetry>;
    /// The logit of a legal action in the policy of a network that sees the planes; nothing if it is
    /// not legal here.
    fn policy_index(&self, action: usize) -> Option<usize>;
    /// The planes and globals of a live position.
    fn observe(&self) -> (Vec<u8>, Vec<f32>);
    /// The features of moves to which strengths can be fitted, if the game states any.
    fn features(&self, set: FeatureSet) -> Option<Box<dyn AnyFeatures>>;
    /// The strengths of features that are built in for games like this one, if there are any.
    fn learned_gammas(&self, set: FeatureSet) -> Option<&'static Gammas>;
    /// Plays `count` playouts by learned patterns from here, at temperature 1: their sum, and the number
    /// of their moves. Nothing for games without patterns.
    fn pattern_playouts(&self, count: u64, rng: &mut Rng) -> Option<(PlayoutTally, u64)>;
    /// Self-play in lockstep from this position on.
    fn self_play(&self, config: &SelfPlayConfig) -> Box<dyn AnySelfPlay>;
    /// The search of `zero` with another's evaluation of positions, in batches.
    fn evaluated_agent(&self, evaluator: Box<dyn BatchEvaluator>, settings: BatchSettings) -> Box<dyn AnyAgent>;
    /// Many games from this position on, which threads step together; games of `longest` moves are cut
    /// off, 0 for none.
    fn many(&self, count: usize, longest: u32, threads: usize, seed: Seed) -> Box<dyn AnyMany>;
}

/// The move of an action, if it is legal.
pub(crate) fn legal<P: Position>(position: &P, action: usize) -> Option<P::Move> {
    if position.outcome().is_some() || action >= position.move_space() {
        return None;
    }
    position.move_at(action).filter(|mv| position.is_legal(*mv))
}

impl<P: Playable> Actions for P {
    fn legal_actions(&self) -> Vec<usize> {
        let mut actions = Vec::with_capacity(128);
        let _ = self.visit_moves::<()>(|mv| {
            actions.push(self.move_index(mv));
            ControlFlow::Continue(())
        });
        if !actions.is_sorted() {
            actions.sort_unstable();
        }
        actions
    }

    fn mark_legal(&self, marks: &mut [u64]) {
        self.mark_moves(marks);
    }

    fn play_action(&mut self, action: usize) -> bool {
        let mv = legal(self, action);
        if let Some(mv) = mv {
            self.play(mv);
        }
        mv.is_some()
    }

    fn action_text(&self, action: usize) -> Option<String> {
        legal(self, action).map(|mv| self.show_move(mv))
    }

    fn action_named(&self, text: &str) -> Option<usize> {
        self.read_move(text).ok().map(|mv| self.move_index(mv))
    }

    fn tensor_shape(&self) -> TensorShape {
        encoding_of(self).shape()
    }

    fn encoding_name(&self) -> &'static str {
        encoding_of(self).name()
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        encoding_of(self).symmetries()
    }

    fn policy_index(&self, action: usize) -> Option<usize> {
        legal(self, action)?;
        let encoding = encoding_of(self);
        Some(encoding.orientation(self.turn()).map_or(action, |turned| usize::from(turned.moves[action])))
    }

    fn observe(&self) -> (Vec<u8>, Vec<f32>) {
        let encoding = encoding_of(self);
        let shape = encoding.shape();
        let (mut planes, mut globals) = (vec![0; shape.bytes()], vec![0.0; shape.globals]);
        encoding.write(self, &mut planes, &mut globals);
        (planes, globals)
    }

    fn features(&self, set: FeatureSet) -> Option<Box<dyn AnyFeatures>> {
        Some(crate::features::erased(Studied::features(self, set)?))
    }

    fn learned_gammas(&self, set: FeatureSet) -> Option<&'static Gammas> {
        Some(self.patterns()?.gammas(set))
    }

    fn pattern_playouts(&self, count: u64, rng: &mut Rng) -> Option<(PlayoutTally, u64)> {
        let mut playouts = self.patterns()?.playouts(1.0);
        let mut tally = PlayoutTally { count, ..PlayoutTally::default() };
        let (mut scratch, mut record, mut moves) = (self.clone(), RecordMoves::default(), 0);
        for _ in 0..count {
            scratch.clone_from(self);
            record.0.clear();
            let outcome = playouts.play(&mut scratch, rng, Some(&mut record));
            moves += record.0.len() as u64;
            tally.units += u64::from(outcome.score.units());
            tally.margins += i64::from(outcome.margin);
        }
        Some((tally, moves))
    }

    fn self_play(&self, config: &SelfPlayConfig) -> Box<dyn AnySelfPlay> {
        Box::new(SelfPlay::new(self, config))
    }
    fn evaluated_agent(&self, evaluator: Box<dyn BatchEvaluator>, settings: BatchSettings) -> Box<dyn AnyAgent> {
        Erased::<P>::boxed(Box::new(BatchSearch::new(evaluator, settings)))
    }

    fn many(&self, count: usize, longest: u32, threads: usize, seed: Seed) -> Box<dyn AnyMany> {
        Box::new(Many::new(self, count, longest, threads, seed))
    }
}
