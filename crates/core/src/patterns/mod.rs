//! Learned knowledge of moves: features, their strengths, and what is made of them.
//!
//! **Model** (Coulom, "Computing Elo ratings of move patterns in the game of Go", 2007): a legal
//! move is a team of features, each with a strength γ; the strength of the move is the product, and
//!
//! > P(move) = Π γ(features of the move) / Σ over legal moves of Π γ(features)
//!
//! A game states its features beside its rules ([`MoveFeatures`]), in two sets: what a playout can
//! afford to keep up to date from move to move, and what is looked at once when a node of a tree is
//! expanded. The strengths are fitted to played games (`tesuji learn fit`), written to a file
//! ([`Gammas`]) and built in. A game with such files has [`Patterns`]: a preference among moves
//! for trees, and playouts that sample by strength.
//!
//! A feature is a number: its group in the upper eight bits, its key within the group below. A
//! move has at most one feature of each group. Keys are the same for positions that are mirror
//! images of each other, so that every game counts once for each symmetry of the board.

mod by_temperature;
mod gammas;

pub use by_temperature::ByTemperature;
pub use gammas::{GammaError, Gammas};

use crate::{Outcome, Position, Preference, RecordMoves, Rng};

/// Which of a game's two sets of features.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FeatureSet {
    /// What playouts keep up to date.
    Playout,
    /// What a tree looks at when a node is expanded.
    Tree,
}

impl FeatureSet {
    /// Both sets.
    pub const ALL: [FeatureSet; 2] = [FeatureSet::Playout, FeatureSet::Tree];
}

impl std::fmt::Display for FeatureSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            FeatureSet::Playout => "playout",
            FeatureSet::Tree => "tree",
        })
    }
}

/// A feature of a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Feature(pub u32);

impl Feature {
    /// Keys are below this.
    pub const KEYS: u32 = 1 << 24;

    /// The feature of a group with this key.
    #[inline]
    #[must_use]
    pub const fn new(group: u8, key: u32) -> Feature {
        debug_assert!(key < Feature::KEYS, "a key has 24 bits");
        Feature((group as u32) << 24 | key)
    }

    /// Its group.
    #[inline]
    #[must_use]
    pub const fn group(self) -> usize {
        (self.0 >> 24) as usize
    }

    /// Its key within the group.
    #[inline]
    #[must_use]
    pub const fn key(self) -> u32 {
        self.0 & (Feature::KEYS - 1)
    }
}

/// The features of several moves, one team for each.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Teams {
    features: Vec<Feature>,
    ends: Vec<u32>,
}

impl Teams {
    /// Forgets all teams.
    pub fn clear(&mut self) {
        self.features.clear();
        self.ends.clear();
    }

    /// Adds a feature to the team that is being written.
    #[inline]
    pub fn add(&mut self, feature: Feature) {
        self.features.push(feature);
    }

    /// Ends the team that is being written.
    #[inline]
    pub fn end(&mut self) {
        self.ends.push(self.features.len() as u32);
    }

    /// The number of teams.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The teams, in order.
    pub fn iter(&self) -> impl Iterator<Item = &[Feature]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let team = &self.features[start..end as usize];
            start = end as usize;
            team
        })
    }
}

/// A game's features of moves.
pub trait MoveFeatures<P: Position>: Send + Sync {
    /// The name of the set with its version, which weight files carry.
    fn name(&self) -> &'static str;

    /// The names of the groups, in the order of their numbers.
    fn groups(&self) -> &'static [&'static str];

    /// What a feature means, in words.
    fn explain(&self, feature: Feature) -> String;

    /// Adds the team of each of `moves`, which are legal moves of `position`. A move has at most one
    /// feature of each group.
    fn list(&self, position: &P, moves: &[P::Move], teams: &mut Teams);
}

/// What a game has learned about its moves.
pub trait Patterns<P: Position>: Send + Sync {
    /// The strengths of a set of features.
    fn gammas(&self, set: FeatureSet) -> &'static Gammas;

    /// The learned preference among moves.
    fn preference(&self) -> Box<dyn Preference<P>>;

    /// Playouts that choose a move of strength γ with probability proportional to γ^(1/temperature).
    fn playouts(&self, temperature: f64) -> Box<dyn PatternPlayout<P>>;
}

/// Playouts by learned patterns. Each thread has its own.
pub trait PatternPlayout<P: Position>: Send {
    /// Plays to the end, in place; what is left in `position` is unspecified. `record` receives the
    /// moves, if given.
    fn play(&mut self, position: &mut P, rng: &mut Rng, record: Option<&mut RecordMoves<P::Move>>) -> Outcome;

    /// The same playouts for another thread.
    fn fork(&self) -> Box<dyn PatternPlayout<P>>;
}

/// A preference by features and their strengths: the product for each move.
pub struct LearnedPreference<F> {
    /// The features.
    pub features: F,
    /// Their strengths.
    pub gammas: &'static Gammas,
}

impl<P: Position, F: MoveFeatures<P>> Preference<P> for LearnedPreference<F> {
    fn weigh(&self, position: &P, moves: &[P::Move], weights: &mut Vec<f64>) {
        thread_local! {
            // Expansion happens in every iteration; the list keeps its memory.
            static TEAMS: std::cell::RefCell<Teams> = std::cell::RefCell::default();
        }
        TEAMS.with_borrow_mut(|teams| {
            teams.clear();
            self.features.list(position, moves, teams);
            weights.clear();
            weights.extend(teams.iter().map(|team| self.gammas.strength(team)));
        });
    }
}
