//! Learned patterns of Go: features of moves for playouts and for trees, and playouts by strength.
//!
//! | group | playout | tree |
//! |---|---|---|
//! | surroundings | the 3×3 pattern with atari bits (`code.rs`), seen by the mover; a pass | the same |
//! | nearness | next to the last stone: beside or diagonally | its distance, as Coulom measures it |
//! | answer | to a chain that the last stone put into atari: extend, in vain, capture | the same |
//! | before | | the distance to the last stone but one |
//! | line | | the distance to the edge |
//! | stones | | captures and self-atari by size, atari, what secures a group |
//!
//! The distance is |Δx| + |Δy| + max(|Δx|, |Δy|). *Secures a group* (V-Run 2016 names the feature
//! and does not define it): the move gives an own chain with two liberties three or more, or joins
//! two own chains of which one has at most two.
//!
//! References: Coulom 2007 (features of a tree); Huang 2011, chapter 4 (features of a playout).

mod code;
mod features;
mod playout;
mod tables;

pub use features::{GoFeatures, PLAYOUT_FEATURES, TREE_FEATURES};
pub use playout::GoPlayout;

use super::position::Go;
use super::rules::{PlayoutRule, SuicideRule};
use std::sync::LazyLock;
use tesuji_core::{FeatureSet, Gammas, LearnedPreference, PatternPlayout, Patterns, Preference};

/// The strengths that are built in, fitted to games on 9×9; they serve all sizes.
static PLAYOUT: LazyLock<Gammas> = LazyLock::new(|| {
    let bytes = include_bytes!("../../../weights/go-playout.tbt");
    Gammas::read_for(PLAYOUT_FEATURES, bytes).expect("the built-in file is whole")
});
static TREE: LazyLock<Gammas> = LazyLock::new(|| {
    let bytes = include_bytes!("../../../weights/go-tree.tbt");
    Gammas::read_for(TREE_FEATURES, bytes).expect("the built-in file is whole")
});

/// What was learned about moves of Go.
pub(super) struct GoPatterns;

impl GoPatterns {
    /// For games with the usual playouts.
    pub(super) fn of(go: &Go) -> Option<GoPatterns> {
        let usual = go.rules().playouts == PlayoutRule::Eyes && go.rules().suicide != SuicideRule::Strict;
        usual.then_some(GoPatterns)
    }
}

impl Patterns<Go> for GoPatterns {
    fn gammas(&self, set: FeatureSet) -> &'static Gammas {
        match set {
            FeatureSet::Playout => &PLAYOUT,
            FeatureSet::Tree => &TREE,
        }
    }

    fn preference(&self) -> Box<dyn Preference<Go>> {
        Box::new(LearnedPreference { features: GoFeatures(FeatureSet::Tree), gammas: &TREE })
    }

    fn playouts(&self, temperature: f64) -> Box<dyn PatternPlayout<Go>> {
        Box::new(GoPlayout::new(&PLAYOUT, temperature))
    }
}
