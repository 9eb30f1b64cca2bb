//! Self-play in lockstep: many games, each with a tree of its own, request their evaluations in one
//! batch.
//!
//! **Idea.** An accelerator evaluates thousands of positions in the time of a few. N games
//! therefore advance together: every game runs its own Gumbel search ([`crate::tree`]) up to the
//! position whose evaluation it needs next; [`SelfPlay::gather`] writes these N positions as one
//! batch; [`SelfPlay::apply`] takes the N evaluations and advances every game to its next request.
//! A game that ends delivers its positions with their targets and is replaced by a new one, so the
//! batch is always full.
//!
//! Targets of a position (Danihelka et al. 2022; Wu 2019 for the owners):
//!
//! | target | meaning |
//! |---|---|
//! | policy | the improved policy π′ of the root after the search |
//! | outcome | the result of the game for the side to move, in [−1, 1] |
//! | searched | the root's value after the search for the side to move, in [−1, 1] |
//! | owners | the owner of each cell at the end: +1 the side to move, −1 the other, 0 neither |
//!
//! **Threads.** Each thread advances its own share of the games, without locks. Every game has its
//! own random stream, derived from its slot and its number, so results do not depend on the number
//! of threads.
//!
//! **Decided games.** If the last six searched values agree that one side has won (all beyond
//! `decided`), the rest of the game teaches little. Its moves are searched with fewer simulations
//! and few of its positions are recorded, but it is played to its end, so that outcomes and owners
//! stay exact. (KataGo reduces visits and weights too: Wu 2019, KataGoMethods.)
//!
//! **Openings.** A share of the games begins with a few uniformly random moves, which are not
//! recorded, so that the network also knows positions that good play avoids. (KataGo varies its
//! openings by other means: Wu 2019, §D.)
//!
//! **Passes.** After the opponent's pass, a pass that wins by the rules is played without a search
//! and recorded as certain: a network that is sure of winning has no other reason to end a game.
//!
//! **Deviations.** Games longer than `longest` moves are truncated and scored as they stand
//! ([`tesuji_core::Encoding::count`]), or drawn if the rules cannot score them. Trees are not reused
//! between moves. No resignation.

mod samples;
mod slot;
#[cfg(test)]
mod tests;

pub use samples::{GameCounts, Samples};

use crate::encoding_of;
use crate::gumbel::Constants;
use slot::{SharedSettings, Slot};
use tesuji_core::{Playable, Player, Seed, Symmetry, TensorShape};

/// Consecutive searched values that must agree before a game counts as decided.
const DECIDED_STREAK: u32 = 6;

/// The settings of self-play.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SelfPlayConfig {
    /// Concurrent games: the size of a batch.
    pub games: usize,
    /// Threads that share them.
    pub threads: usize,
    /// The search of each move.
    pub search: Constants,
    /// A game is truncated after this many moves; 0 means twice the number of cells.
    pub longest: usize,
    /// Values in [−1, 1] beyond ± this count as decided; 1 disables the rule.
    pub decided: f32,
    /// Simulations of a move in a decided game.
    pub decided_simulations: usize,
    /// The fraction of positions of decided games that are recorded.
    pub decided_share: f32,
    /// The fraction of games that begin with random moves.
    pub opening_share: f32,
    /// The most random moves of such a game; it has 1 to this many.
    pub opening_plies: usize,
    /// The seed of all random streams.
    pub seed: u64,
}

impl Default for SelfPlayConfig {
    fn default() -> SelfPlayConfig {
        SelfPlayConfig {
            games: 256,
            threads: 1,
            search: Constants::default(),
            longest: 0,
            decided: 1.0,
            decided_simulations: 4,
            decided_share: 0.25,
            opening_share: 0.0,
            opening_plies: 1,
            seed: 1,
        }
    }
}

/// Self-play of one game, statically typed.
pub struct SelfPlay<P: Playable> {
    settings: SharedSettings<P>,
    slots: Vec<Slot<P>>,
    threads: usize,
}

impl<P: Playable> SelfPlay<P> {
    /// Games from `start` on.
    ///
    /// # Panics
    /// If there are no games, no threads, or `start` has ended.
    #[must_use]
    pub fn new(start: &P, config: &SelfPlayConfig) -> SelfPlay<P> {
        assert!(config.games > 0 && config.threads > 0, "self-play needs games and threads");
        let least = config.search.simulations.min(config.search.considered).min(config.decided_simulations);
        assert!(least > 0, "a search needs simulations and moves to consider");
        assert!(start.outcome().is_none(), "self-play begins with a live game");
        let encoding = encoding_of(start);
        let shape = encoding.shape();
        let longest = if config.longest == 0 { 2 * shape.cells() } else { config.longest };
        let settings =
            SharedSettings { start: start.clone(), encoding, shape, config: *config, longest, seed: Seed(config.seed) };
        let slots = (0..config.games as u64).map(|slot| Slot::new(&settings, slot)).collect();
        SelfPlay { settings, slots, threads: config.threads.min(config.games) }
    }

    fn step(&mut self, evaluations: Option<(&[f32], &[f32])>, batch: Option<(&mut [u8], &mut [f32])>) {
        let shape = self.settings.shape;
        let games = self.slots.len();
        if let Some((logits, values)) = evaluations {
            assert_eq!((logits.len(), values.len()), (games * shape.moves, games), "one evaluation per game");
        }
        let share = games.div_ceil(self.threads);
        let settings = &self.settings;
        let work =
            |slots: &mut [Slot<P>], evaluations: Option<(&[f32], &[f32])>, batch: Option<(&mut [u8], &mut [f32])>| {
                if let Some((logits, values)) = evaluations {
                    for ((slot, logits), value) in slots.iter_mut().zip(logits.chunks(shape.moves)).zip(values) {
                        slot.apply(settings, logits, *value);
                    }
                }
                if let Some((planes, globals)) = batch {
                    for (at, slot) in slots.iter().enumerate() {
                        let planes = &mut planes[at * shape.bytes()..(at + 1) * shape.bytes()];
                        slot.gather(settings, planes, &mut globals[at * shape.globals..(at + 1) * shape.globals]);
                    }
                }
            };
        if self.threads == 1 {
            return work(&mut self.slots, evaluations, batch);
        }
        let (mut planes, mut globals) = match batch {
            Some((planes, globals)) => (Some(planes), Some(globals)),
            None => (None, None),
        };
        std::thread::scope(|scope| {
            for (number, slots) in self.slots.chunks_mut(share).enumerate() {
                let range = number * share..number * share + slots.len();
                let evaluations = evaluations.map(|(logits, values)| {
                    (&logits[range.start * shape.moves..range.end * shape.moves], &values[range.clone()])
                });
                let batch = planes.take().zip(globals.take()).map(|(all_planes, all_globals)| {
                    let (own_planes, rest) = all_planes.split_at_mut(slots.len() * shape.bytes());
                    planes = Some(rest);
                    let (own_globals, rest) = all_globals.split_at_mut(slots.len() * shape.globals);
                    globals = Some(rest);
                    (own_planes, own_globals)
                });
                scope.spawn(move || work(slots, evaluations, batch));
            }
        });
    }
}

/// Self-play behind a type-erased interface.
pub trait AnySelfPlay: Send + Sync {
    /// The sizes of the tensors.
    fn shape(&self) -> TensorShape;
    /// The name of the encoding.
    fn encoding(&self) -> &'static str;
    /// The symmetries of the game.
    fn symmetries(&self) -> Vec<Symmetry>;
    /// The number of concurrent games.
    fn games(&self) -> usize;
    /// Writes the positions that wait for an evaluation, one per game.
    ///
    /// # Panics
    /// If the slices are too short.
    fn gather(&mut self, planes: &mut [u8], globals: &mut [f32]);
    /// Takes the evaluations of the gathered positions (logits by move index; values in [−1, 1] for
    /// the side to move) and advances every game to its next request.
    ///
    /// # Panics
    /// If there is not exactly one evaluation per game, or a value is not finite.
    fn apply(&mut self, logits: &[f32], values: &[f32]);
    /// [`apply`](AnySelfPlay::apply), then [`gather`](AnySelfPlay::gather).
    ///
    /// # Panics
    /// As both.
    fn step(&mut self, logits: &[f32], values: &[f32], planes: &mut [u8], globals: &mut [f32]);
    /// The positions of the games that ended since the last call, in the order of their slots.
    fn drain(&mut self) -> Samples;
    /// The player who searches in each game: the mover of its root. In a match each player has a
    /// network of its own.
    fn searching(&self) -> Vec<Player>;
    /// The result of the first game of each slot for the first player, in [−1, 1]; nothing while it
    /// lasts. A match counts these: games that end early are not counted more often.
    fn first_results(&self) -> Vec<Option<f32>>;
    /// The counts so far.
    fn counts(&self) -> GameCounts;
}

impl<P: Playable> AnySelfPlay for SelfPlay<P> {
    fn shape(&self) -> TensorShape {
        self.settings.shape
    }

    fn encoding(&self) -> &'static str {
        self.settings.encoding.name()
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        self.settings.encoding.symmetries()
    }

    fn games(&self) -> usize {
        self.slots.len()
    }

    fn gather(&mut self, planes: &mut [u8], globals: &mut [f32]) {
        self.step(None, Some((planes, globals)));
    }

    fn apply(&mut self, logits: &[f32], values: &[f32]) {
        self.step(Some((logits, values)), None);
    }

    fn step(&mut self, logits: &[f32], values: &[f32], planes: &mut [u8], globals: &mut [f32]) {
        SelfPlay::step(self, Some((logits, values)), Some((planes, globals)));
    }

    fn drain(&mut self) -> Samples {
        let mut all = Samples::default();
        for slot in &mut self.slots {
            all.append(&mut slot.finished);
        }
        all
    }

    fn searching(&self) -> Vec<Player> {
        self.slots.iter().map(|slot| slot.root.turn()).collect()
    }

    fn first_results(&self) -> Vec<Option<f32>> {
        self.slots.iter().map(|slot| slot.first_result).collect()
    }

    fn counts(&self) -> GameCounts {
        let mut counts = GameCounts::default();
        for slot in &self.slots {
            counts.add(&slot.counts);
        }
        counts
    }
}
