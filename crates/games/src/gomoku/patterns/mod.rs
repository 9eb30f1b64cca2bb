//! Learned patterns of Gomoku: line shapes, and playouts by their strength.
//!
//! A stone makes a shape of each of the four lines through its point, and takes from the opponent
//! the shapes that a stone of theirs would make there (`shape.rs`):
//!
//! | group | what |
//! |---|---|
//! | made | the best and the second best shape that the mover makes |
//! | taken | the best and the second best shape that the opponent would make |
//! | line | the distance to the edge; trees only |
//!
//! Shapes tell what the last stone threatens, so the last move itself is no feature. Turning and
//! mirroring the board only exchanges lines, and the order of the four does not count.
//!
//! The strengths are fitted to freestyle games; they serve the standard rule too, whose shapes are
//! its own. Under renju there are no patterns: what is forbidden changes with every stone.

mod features;
mod playout;

pub use features::{GomokuFeatures, PLAYOUT_FEATURES, TREE_FEATURES};
pub use playout::GomokuPlayout;

use super::{Gomoku, Rule};
use std::sync::LazyLock;
use tesuji_core::{FeatureSet, Gammas, LearnedPreference, PatternPlayout, Patterns, Preference};

static PLAYOUT: LazyLock<Gammas> = LazyLock::new(|| {
    let bytes = include_bytes!("../../../weights/gomoku-playout.tbt");
    Gammas::read_for(PLAYOUT_FEATURES, bytes).expect("the built-in file is whole")
});
static TREE: LazyLock<Gammas> = LazyLock::new(|| {
    let bytes = include_bytes!("../../../weights/gomoku-tree.tbt");
    Gammas::read_for(TREE_FEATURES, bytes).expect("the built-in file is whole")
});

/// What was learned about moves of Gomoku.
pub(super) struct GomokuPatterns;

impl GomokuPatterns {
    /// For games without forbidden points.
    pub(super) fn of(position: &Gomoku) -> Option<GomokuPatterns> {
        (position.rule() != Rule::Renju).then_some(GomokuPatterns)
    }
}

impl Patterns<Gomoku> for GomokuPatterns {
    fn gammas(&self, set: FeatureSet) -> &'static Gammas {
        match set {
            FeatureSet::Playout => &PLAYOUT,
            FeatureSet::Tree => &TREE,
        }
    }

    fn preference(&self) -> Box<dyn Preference<Gomoku>> {
        Box::new(LearnedPreference { features: GomokuFeatures(FeatureSet::Tree), gammas: &TREE })
    }

    fn playouts(&self, temperature: f64) -> Box<dyn PatternPlayout<Gomoku>> {
        Box::new(GomokuPlayout::new(&PLAYOUT, temperature))
    }
}
