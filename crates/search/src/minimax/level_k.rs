//! Level-k minimax: finds sudden deaths and sudden wins within k plies.
//!
//! Reference: Li 2018 §4.1, Definition 1 and Proposition 2. The tree is expanded to level k; an
//! ended game scores −1, 0 or +1, an undecided position at level k scores 0; scores are backed up
//! by minimax. The score is +1 exactly if the side to move can force a win within k plies (k odd: a
//! level-k sudden win), −1 exactly if it loses by force within k plies (k even: sudden death).
//!
//! Deviations: any k, and turns need not alternate (Li's program has k = 4 and alternates). Grades
//! above ½ count as wins and below ½ as losses in the value; the bounds keep the grades.

use super::plain::Minimax;
use crate::{Search, SearchError, Technique};
use tesuji_core::spec::{ArgumentError, Arguments, Describe, Description, Kind, Parameter};
use tesuji_core::{Budget, Meter, Observer, Outcome, Player, Position, Report, Score, Seed, Studied};

/// The level-k search. Its root table shows the *decisive moves*: those that preserve the level-k
/// score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LevelK {
    /// Plies, at least one.
    pub level: u32,
}

fn sign_of(outcome: Outcome) -> Score {
    match outcome.winner() {
        Some(winner) => Score::won_by(winner),
        None => Score::DRAW,
    }
}

/// The player who wins by force within `level` plies, if any; outer `None` if the meter stopped the
/// search. The position is restored.
pub fn level_k_score<P: Position>(position: &mut P, level: u32, meter: &mut Meter) -> Option<Option<Player>> {
    let minimax = Minimax { depth: Some(level), leaf: sign_of };
    minimax.verdict(position, level, meter, |_| ()).map(|verdict| verdict.value.winner())
}

impl<P: Studied> Search<P> for LevelK {
    fn search(
        &mut self,
        root: &P,
        budget: &Budget,
        seed: Seed,
        watch: &mut dyn Observer<P::Move>,
    ) -> Result<Report<P::Move>, SearchError> {
        Minimax { depth: Some(self.level), leaf: sign_of }.search(root, budget, seed, watch)
    }
}

impl Describe for LevelK {
    const DESCRIPTION: Description = Description {
        name: "level-k",
        about: "minimax over wins and losses within k plies (Li 2018)",
        parameters: &[Parameter {
            name: "k",
            about: "search depth in plies",
            kind: Kind::Integer(1, u32::MAX as i64),
            default: Some("4"),
        }],
    };
}

impl Technique for LevelK {
    fn configure(arguments: &Arguments) -> Result<Self, ArgumentError> {
        Ok(LevelK { level: arguments.count("k") })
    }
}
