//! Learned patterns of Hex: features of moves for playouts and for trees, and playouts by strength.
//!
//! | group | playout | tree |
//! |---|---|---|
//! | six | the six cells around, seen by the mover; the swap | the same |
//! | nearness | next to the last stone | the distance to it in cells |
//! | answer | completes a bridge into which the last stone intruded | the same |
//! | twelve | | the twelve cells around |
//! | edges | | the distances to the nearer own and the nearer enemy edge |
//!
//! Reference: Huang et al., "MoHex 2.0", 2013; `code.rs` has the numbers.

mod code;
mod features;
mod playout;

pub use features::{HexFeatures, PLAYOUT_FEATURES, TREE_FEATURES};
pub use playout::HexPlayout;

use super::Hex;
use std::sync::LazyLock;
use tesuji_core::{FeatureSet, Gammas, LearnedPreference, PatternPlayout, Patterns, Preference};

/// The strengths that are built in, fitted to games on 11×11; they serve all sizes.
static PLAYOUT: LazyLock<Gammas> = LazyLock::new(|| {
    let bytes = include_bytes!("../../../weights/hex-playout.tbt");
    Gammas::read_for(PLAYOUT_FEATURES, bytes).expect("the built-in file is whole")
});
static TREE: LazyLock<Gammas> = LazyLock::new(|| {
    let bytes = include_bytes!("../../../weights/hex-tree.tbt");
    Gammas::read_for(TREE_FEATURES, bytes).expect("the built-in file is whole")
});

/// What was learned about moves of Hex.
pub(super) struct HexPatterns;

impl Patterns<Hex> for HexPatterns {
    fn gammas(&self, set: FeatureSet) -> &'static Gammas {
        match set {
            FeatureSet::Playout => &PLAYOUT,
            FeatureSet::Tree => &TREE,
        }
    }

    fn preference(&self) -> Box<dyn Preference<Hex>> {
        Box::new(LearnedPreference { features: HexFeatures(FeatureSet::Tree), gammas: &TREE })
    }

    fn playouts(&self, temperature: f64) -> Box<dyn PatternPlayout<Hex>> {
        Box::new(HexPlayout::new(&PLAYOUT, temperature))
    }
}
