//! What a learned network answers about positions, for searches that do not know networks.
//!
//! A search that is guided by a network asks a [`Judge`] for a [`Verdict`]: a value, and one logit
//! for each [`Position::move_index`]. Who has networks (the crate `learn`) hands the search a
//! [`JudgeSource`], which makes judges for the game of a position.

use crate::Position;

/// What is said about one position.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Verdict {
    /// By move index: the probability of a legal move is the softmax over all legal moves.
    pub logits: Vec<f32>,
    /// In [−1, 1], for the side to move.
    pub value: f32,
}

/// Judges positions of one game. Each thread has its own.
pub trait Judge<P: Position>: Send {
    /// Judges live positions. Each verdict depends on its position alone.
    fn judge(&mut self, positions: &[&P]) -> Vec<Verdict>;

    /// The same judge for another thread.
    fn fork(&self) -> Box<dyn Judge<P>>;

    /// Facts about how it computes, for reports.
    fn figures(&self) -> Vec<(&'static str, f64)> {
        Vec::new()
    }
}

/// Makes judges.
pub trait JudgeSource<P: Position>: Send + Sync {
    /// A judge for the game of this position.
    ///
    /// # Errors
    /// Why there is none.
    fn judge_for(&self, root: &P) -> Result<Box<dyn Judge<P>>, String>;
}
