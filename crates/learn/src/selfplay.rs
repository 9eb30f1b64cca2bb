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
//! **Deviations.** Games longer than `longest` moves are truncated and scored as they stand
//! ([`Encoding::count`]), or drawn if the rules cannot score them. Trees are not reused between
//! moves. No resignation.

use crate::encoding_of;
use crate::gumbel::Constants;
use crate::tree::{GumbelTree, RootRule, SimulationCap};
use tesuji_core::{Encoding, Playable, Player, Rng, Seed, Symmetry, TensorShape};

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
            seed: 1,
        }
    }
}

/// Positions of ended games with their targets, in flat arrays.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Samples {
    /// The number of positions.
    pub count: usize,
    /// Planes, as [`Encoding::write`] orders them.
    pub planes: Vec<u8>,
    /// Globals.
    pub globals: Vec<f32>,
    /// Policy targets, by move index.
    pub policies: Vec<f32>,
    /// Results for the side to move, in [−1, 1].
    pub outcomes: Vec<f32>,
    /// Searched values for the side to move, in [−1, 1].
    pub searched: Vec<f32>,
    /// Owners of the cells, +1 for the side to move.
    pub owners: Vec<i8>,
}

impl Samples {
    fn append(&mut self, other: &mut Samples) {
        self.count += other.count;
        self.planes.append(&mut other.planes);
        self.globals.append(&mut other.globals);
        self.policies.append(&mut other.policies);
        self.outcomes.append(&mut other.outcomes);
        self.searched.append(&mut other.searched);
        self.owners.append(&mut other.owners);
        other.count = 0;
    }
}

/// Counts of games, moves and evaluations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GameCounts {
    /// Games that ended.
    pub games: u64,
    /// Of these, truncated.
    pub cut: u64,
    /// Of these, won by the first player.
    pub first_wins: u64,
    /// Of these, drawn.
    pub draws: u64,
    /// Moves of the games that ended.
    pub moves: u64,
    /// Evaluations requested.
    pub evaluations: u64,
    /// Simulations that reached an ended game.
    pub ended: u64,
}

impl GameCounts {
    fn add(&mut self, other: &GameCounts) {
        self.games += other.games;
        self.cut += other.cut;
        self.first_wins += other.first_wins;
        self.draws += other.draws;
        self.moves += other.moves;
        self.evaluations += other.evaluations;
        self.ended += other.ended;
    }
}

/// One game under way.
struct Slot<P: Playable> {
    slot: u64,
    number: u64,
    rng: Rng,
    root: P,
    tree: GumbelTree<P>,
    /// Whether the root itself waits for its evaluation; else a leaf of the tree.
    at_root: bool,
    /// The waiting leaf, if it is not the root.
    leaf: P,
    moves: usize,
    /// Consecutive searched values by which the same side has won: positive for the first player,
    /// negative for the second.
    streak: i32,
    /// The mover of each recorded position.
    movers: Vec<Player>,
    /// Values by move, relabelled between the game's directions and the network's.
    relabelled: Vec<f32>,
    /// The game so far, without `outcomes` and `owners`; `searched` is for the first player.
    record: Samples,
    finished: Samples,
    counts: GameCounts,
}

/// What all games share.
struct SharedSettings<P: Playable> {
    start: P,
    encoding: Box<dyn Encoding<P>>,
    shape: TensorShape,
    config: SelfPlayConfig,
    longest: usize,
    seed: Seed,
}

impl<P: Playable> Slot<P> {
    fn new(settings: &SharedSettings<P>, slot: u64) -> Slot<P> {
        let (search, short) = (settings.config.search, settings.config.decided_simulations);
        Slot {
            slot,
            number: 0,
            rng: Rng::new(settings.seed.derive(slot)).split(0),
            root: settings.start.clone(),
            tree: GumbelTree::new(&settings.start, search, short, RootRule::SequentialHalving),
            at_root: true,
            leaf: settings.start.clone(),
            moves: 0,
            streak: 0,
            movers: Vec::new(),
            relabelled: Vec::new(),
            record: Samples::default(),
            finished: Samples::default(),
            counts: GameCounts::default(),
        }
    }

    fn gather(&self, settings: &SharedSettings<P>, planes: &mut [u8], globals: &mut [f32]) {
        settings.encoding.write(if self.at_root { &self.root } else { &self.leaf }, planes, globals);
    }

    fn apply(&mut self, settings: &SharedSettings<P>, logits: &[f32], value: f32) {
        self.counts.evaluations += 1;
        let mover = if self.at_root { self.root.turn() } else { self.leaf.turn() };
        let logits = match settings.encoding.orientation(mover) {
            Some(orientation) => {
                orientation.relabel(logits, &mut self.relabelled);
                &self.relabelled
            }
            None => logits,
        };
        if self.at_root {
            let cap =
                if self.streak.unsigned_abs() >= DECIDED_STREAK { SimulationCap::Reduced } else { SimulationCap::Full };
            self.tree.begin(&self.root, logits, value, Some(&mut self.rng), cap);
            self.at_root = false;
        } else {
            self.tree.expand(logits, value);
        }
        match self.tree.advance(&self.root) {
            Some(leaf) => self.leaf.clone_from(leaf),
            None => {
                let decided = self.streak.unsigned_abs() >= DECIDED_STREAK;
                if !decided || self.rng.unit() < f64::from(settings.config.decided_share) {
                    self.record_root(settings);
                }
                let value = self.tree.value();
                self.streak = if 2.0 * value - 1.0 > settings.config.decided {
                    self.streak.max(0) + 1
                } else if 1.0 - 2.0 * value > settings.config.decided {
                    self.streak.min(0) - 1
                } else {
                    0
                };
                let action = self.tree.decision();
                let mv = self.root.move_at(self.tree.move_index(action)).expect("a move of this game");
                self.root.play(mv);
                self.moves += 1;
                let outcome = self.root.outcome();
                if outcome.is_some() || self.moves >= settings.longest {
                    self.finish(settings);
                }
                self.at_root = true;
            }
        }
    }

    fn record_root(&mut self, settings: &SharedSettings<P>) {
        let shape = &settings.shape;
        let record = &mut self.record;
        let at = record.count;
        record.count += 1;
        record.planes.resize((at + 1) * shape.bytes(), 0);
        record.globals.resize((at + 1) * shape.globals, 0.0);
        record.policies.resize((at + 1) * shape.moves, 0.0);
        let planes = &mut record.planes[at * shape.bytes()..];
        settings.encoding.write(&self.root, planes, &mut record.globals[at * shape.globals..]);
        let policy = &mut record.policies[at * shape.moves..];
        self.tree.write_policy(policy);
        if let Some(orientation) = settings.encoding.orientation(self.root.turn()) {
            orientation.relabel(policy, &mut self.relabelled);
            policy.copy_from_slice(&self.relabelled);
        }
        record.searched.push(self.tree.value());
        self.movers.push(self.root.turn());
    }

    /// Completes the record of a game that has ended or is truncated, and begins the next game.
    fn finish(&mut self, settings: &SharedSettings<P>) {
        let ended = self.root.outcome();
        let outcome = ended.or_else(|| settings.encoding.count(&self.root));
        let result = outcome.map_or(0.0, |outcome| 2.0 * outcome.score.to_f64() as f32 - 1.0);
        let cells = settings.shape.cells();
        let mut owners = vec![0; cells];
        if !settings.encoding.owners(&self.root, &mut owners) {
            owners.fill(0);
        }
        let record = &mut self.record;
        for (at, mover) in self.movers.drain(..).enumerate() {
            let (sign, flip) = if mover == Player::First { (1.0, 1) } else { (-1.0, -1) };
            record.outcomes.push(sign * result);
            record.searched[at] = sign * (2.0 * record.searched[at] - 1.0);
            match settings.encoding.orientation(mover) {
                Some(orientation) => {
                    record.owners.extend(orientation.cells.iter().map(|&from| flip * owners[usize::from(from)]));
                }
                None => record.owners.extend(owners.iter().map(|owner| flip * owner)),
            }
        }
        self.finished.append(record);
        self.counts.games += 1;
        self.counts.cut += u64::from(ended.is_none());
        self.counts.first_wins += u64::from(result > 0.0);
        self.counts.draws += u64::from(result == 0.0);
        self.counts.moves += self.moves as u64;
        self.counts.ended = self.tree.ended();
        self.number += 1;
        self.moves = 0;
        self.streak = 0;
        self.rng = Rng::new(settings.seed.derive(self.slot)).split(self.number);
        self.root.clone_from(&settings.start);
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

    fn counts(&self) -> GameCounts {
        let mut counts = GameCounts::default();
        for slot in &self.slots {
            counts.add(&slot.counts);
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::{AnySelfPlay, GameCounts, Samples, SelfPlay, SelfPlayConfig};
    use crate::gumbel::Constants;
    use tesuji_core::Playable;
    use tesuji_games::go::{Go, GoRules};
    use tesuji_games::hex::{Hex, SwapRule};
    use tesuji_games::tictactoe::TicTacToe;

    /// Plays some rounds with a network that hashes the planes: arbitrary, but deterministic.
    fn play<P: Playable>(start: &P, config: &SelfPlayConfig, rounds: usize) -> (Samples, GameCounts) {
        let mut games = SelfPlay::new(start, config);
        let shape = games.shape();
        let (mut planes, mut globals) =
            (vec![0; config.games * shape.bytes()], vec![0.0; config.games * shape.globals]);
        games.gather(&mut planes, &mut globals);
        let mut samples = Samples::default();
        for _ in 0..rounds {
            let mut logits = Vec::new();
            let mut values = Vec::new();
            for planes in planes.chunks(shape.bytes()) {
                let hash = planes.iter().fold(7_u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(u32::from(*byte)));
                logits.extend((0..shape.moves as u32).map(|index| (hash.wrapping_mul(index + 1) >> 24) as f32 / 256.0));
                values.push((hash >> 16 & 255) as f32 / 256.0 - 0.5);
            }
            AnySelfPlay::step(&mut games, &logits, &values, &mut planes, &mut globals);
            samples.append(&mut games.drain());
        }
        (samples, games.counts())
    }

    /// The same games for any number of threads; other games for another seed.
    #[test]
    fn games_do_not_depend_on_threads() {
        let start = Go::new(GoRules::on(5)).expect("a board");
        let search = Constants { simulations: 8, considered: 4, ..Constants::default() };
        let config = SelfPlayConfig { games: 10, search, longest: 12, ..SelfPlayConfig::default() };
        let (alone, counts) = play(&start, &config, 300);
        assert!(alone.count > 100 && counts.games > 10, "{counts:?}");
        for threads in [2, 3, 10] {
            assert_eq!(play(&start, &SelfPlayConfig { threads, ..config }, 300), (alone.clone(), counts));
        }
        assert_ne!(play(&start, &SelfPlayConfig { seed: 2, ..config }, 300).0, alone);
    }

    /// If every value counts as decided, all but the first moves of a game are searched with fewer
    /// simulations and rarely recorded.
    #[test]
    fn decided_games_cost_little() {
        let start = Go::new(GoRules::on(5)).expect("a board");
        let search = Constants { simulations: 16, considered: 4, ..Constants::default() };
        let config = SelfPlayConfig { games: 4, search, longest: 20, ..SelfPlayConfig::default() };
        let lead = |decided: f32, share: f32| {
            let mut games = SelfPlay::new(&start, &SelfPlayConfig { decided, decided_share: share, ..config });
            while games.counts().games < 20 {
                games.apply(&[0.0; 4 * 26], &[0.9, -0.9, 0.9, -0.9]);
            }
            (games.drain().count as u64, games.counts())
        };
        let (recorded, counts) = lead(1.0, 0.0);
        assert_eq!(recorded, counts.moves);
        let full = counts.evaluations as f64 / counts.moves as f64;
        let (recorded, counts) = lead(-1.0, 0.0);
        assert!(recorded <= 6 * counts.games && recorded < counts.moves, "{recorded} {counts:?}");
        assert!((counts.evaluations as f64 / counts.moves as f64) < 0.8 * full, "{counts:?}");
    }

    /// Samples are complete, policies are distributions over empty points and the pass, and owners
    /// add up to the outcome.
    #[test]
    fn samples_are_consistent() {
        let start = Go::new(GoRules::on(5)).expect("a board");
        let search = Constants { simulations: 8, considered: 4, ..Constants::default() };
        let config = SelfPlayConfig { games: 4, search, longest: 20, ..SelfPlayConfig::default() };
        let (samples, counts) = play(&start, &config, 1_500);
        let (cells, moves) = (25, 26);
        assert_eq!(samples.planes.len(), samples.count * 8 * cells);
        assert_eq!(samples.globals.len(), samples.count * 4);
        assert_eq!(samples.count as u64, counts.moves);
        assert!(counts.cut > 0 && counts.cut <= counts.games, "{counts:?}");
        for at in 0..samples.count {
            let planes = &samples.planes[at * 8 * cells..(at + 1) * 8 * cells];
            let policy = &samples.policies[at * moves..(at + 1) * moves];
            assert!((policy.iter().sum::<f32>() - 1.0).abs() < 1e-4);
            assert!((0..cells).all(|cell| policy[cell] == 0.0 || planes[5 * cells + cell] == 1));
            // Komi 7.5 for the mover, in tens.
            let komi = samples.globals[at * 4 + 2] * 10.0;
            let lead: f32 = samples.owners[at * cells..(at + 1) * cells].iter().map(|owner| f32::from(*owner)).sum();
            assert_eq!(samples.outcomes[at], (lead + komi).signum());
            assert!(samples.searched[at].abs() <= 1.0);
        }
    }

    /// Hex is shown to the network as if the side to move always connected top and bottom. Policies
    /// and owners are turned like the planes: a policy is zero where stones stand and prefers what
    /// the network preferred; no cell of the winner's connection holds a stone of the loser.
    #[test]
    fn targets_are_turned_like_the_board() {
        let start = Hex::new(5, SwapRule::Off).expect("a board");
        let search = Constants { simulations: 2, considered: 2, ..Constants::default() };
        let config = SelfPlayConfig { games: 8, search, ..SelfPlayConfig::default() };
        let mut games = SelfPlay::new(&start, &config);
        let (cells, moves) = (25, 26);
        // Not the same when transposed.
        let wish: Vec<f32> = (0..moves).map(|cell| (cell % 5) as f32 + (cell / 5) as f32 * 0.2).collect();
        let logits: Vec<f32> = wish.iter().copied().cycle().take(8 * moves).collect();
        while games.counts().games < 40 {
            games.apply(&logits, &[0.0; 8]);
        }
        let samples = games.drain();
        assert!(samples.count > 400, "{}", samples.count);
        let mut owned = 0;
        for at in 0..samples.count {
            let planes = &samples.planes[at * 7 * cells..(at + 1) * 7 * cells];
            let policy = &samples.policies[at * moves..(at + 1) * moves];
            let owners = &samples.owners[at * cells..(at + 1) * cells];
            let free = |cell: &usize| planes[*cell] == 0 && planes[cells + cell] == 0;
            for cell in 0..cells {
                assert_eq!(policy[cell] > 0.0, free(&cell), "{policy:?}");
                assert!(owners[cell] != 1 || planes[cells + cell] == 0);
                assert!(owners[cell] != -1 || planes[cell] == 0);
                owned += usize::from(owners[cell] != 0);
            }
            // Values are all equal, so the improved policy is the network's.
            for (one, other) in (0..cells).filter(free).zip((0..cells).filter(free).skip(1)) {
                let ratio = (policy[one] / policy[other]).ln();
                assert!((ratio - (wish[one] - wish[other])).abs() < 0.01 || samples.searched[at] != 0.0);
            }
        }
        assert!(owned >= 5 * samples.count);
    }

    /// Tic-tac-toe with an uninformed network: with enough simulations the search alone nearly
    /// always reaches the game-theoretic result, a draw.
    #[test]
    fn searched_tictactoe_is_drawn() {
        let search = Constants { simulations: 3_000, considered: 9, scale: 1.0, ..Constants::default() };
        let config = SelfPlayConfig { games: 20, search, ..SelfPlayConfig::default() };
        let mut games = SelfPlay::new(&TicTacToe::new(), &config);
        while games.counts().games < 40 {
            games.apply(&[0.0; 20 * 9], &[0.0; 20]);
        }
        let counts = games.counts();
        assert!(counts.draws * 10 >= counts.games * 9, "{counts:?}");
        assert!(counts.ended > 0);
    }
}
