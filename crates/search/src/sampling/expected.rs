//! The exact expected score of random play.
//!
//! Reference: Li 2018 §2.2, eq. (3): s(P) = (1/K) Σ s(child) over the K moves of P, down to the
//! ends of the game. Random playout search converges to it, and it shows the *prediction
//! distortion* of that search without noise.
//!
//! Computed in exact fractions. Li's scores are −1…+1 for the side to move at the root;
//! [`ExpectedScore::for_player`] returns them.

use crate::exhaustive::{Exhaustive, Fold};
use crate::{Search, SearchError, Technique, root_moves};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use tesuji_core::spec::{ArgumentError, Arguments, Describe, Description};
use tesuji_core::{Bounds, Budget, Observer, Outcome, Player, Position, Report, Rng, Score, Seed, Studied, Value};

struct Mean;

impl<P: Position> Fold<P> for Mean {
    type Value = BigRational;
    // Two small integers, with the overhead of the allocator.
    const HEAP_BYTES: usize = 96;

    fn leaf(&self, outcome: Outcome) -> BigRational {
        BigRational::new(BigInt::from(outcome.score.units()), BigInt::from(Score::UNITS))
    }

    fn join(&self, _: &P, successors: &[BigRational]) -> BigRational {
        let sum = successors.iter().fold(BigRational::zero(), |sum, value| sum + value);
        sum / BigInt::from(successors.len())
    }
}

/// An exact expectation, for the first player in [0, 1].
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ExpectedScore(BigRational);

impl ExpectedScore {
    /// On Li's scale: −1…+1 for `player`.
    #[must_use]
    pub fn for_player(&self, player: Player) -> BigRational {
        let signed = &self.0 * BigInt::from(2) - BigRational::one();
        if player == Player::First { signed } else { -signed }
    }

    /// For the first player, in [0, 1].
    #[must_use]
    pub fn value(&self) -> Value {
        Value::new(self.0.to_f64().unwrap_or(0.5).clamp(0.0, 1.0))
    }
}

/// Plays the move with the best expectation: random playout search with infinitely many playouts.
pub struct Expected<P: Position> {
    seen: Exhaustive<P, Mean>,
}

impl<P: Position> Default for Expected<P> {
    fn default() -> Self {
        Expected { seen: Exhaustive::new(Mean) }
    }
}

impl<P: Position> Expected<P> {
    /// The exact expected score of uniform random play from a position.
    ///
    /// # Errors
    /// If the game is too large for an exhaustive search, or repeats positions.
    pub fn score(&mut self, position: &P) -> Result<ExpectedScore, SearchError> {
        self.seen.begin(None);
        let found = self.seen.value(position, &mut Budget::unlimited().meter(), |_| ())?;
        Ok(ExpectedScore(found.expect("without limits the walk is not stopped")))
    }
}

impl<P: Studied> Search<P> for Expected<P> {
    fn search(
        &mut self,
        root: &P,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError> {
        let turn = root.turn();
        let (mut report, found) = self.seen.survey(root, budget, seed, watch, |entry, value, next| {
            let score = ExpectedScore(value.clone());
            entry.value = Some(score.value());
            entry.bounds = next.outcome().map_or(Bounds::UNKNOWN, |outcome| Bounds::exact(outcome.score));
            entry.note = Some(format!("S = {}", score.for_player(turn)));
        })?;
        let mut scores: Vec<_> = found.into_iter().map(|value| Some(ExpectedScore(value).for_player(turn))).collect();
        // Moves that were not reached rank below all that were.
        scores.resize(report.root.len(), None);
        let mut rng = Rng::new(seed);
        let known = scores.iter().any(Option::is_some);
        let chosen =
            if known { root_moves::best_index(scores, &mut rng) } else { root_moves::preferred_move(root, &mut rng) };
        if let Some(chosen) = chosen {
            root_moves::set_choice(&mut report, chosen);
        }
        Ok(report)
    }
}

impl<P: Position> Describe for Expected<P> {
    const DESCRIPTION: Description = Description {
        name: "expected",
        about: "plays the move with the best exact expectation of random play (Li 2018 eq. 3); small games only",
        parameters: &[],
    };
}

impl<P: Position> Technique for Expected<P> {
    fn configure(_: &Arguments) -> Result<Self, ArgumentError> {
        Ok(Expected::default())
    }
}
