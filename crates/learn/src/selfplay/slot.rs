//! One game of self-play: it searches, records, plays, and begins again.

use super::samples::{GameCounts, Samples};
use super::{DECIDED_STREAK, SelfPlayConfig};
use crate::tree::{GumbelTree, RootRule, SimulationCap};
use tesuji_core::{Encoding, Playable, Player, Rng, Score, Seed, TensorShape};

/// One game under way.
pub(super) struct Slot<P: Playable> {
    slot: u64,
    number: u64,
    rng: Rng,
    pub(super) root: P,
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
    pub(super) finished: Samples,
    /// The result of the slot's first game for the first player, in [−1, 1].
    pub(super) first_result: Option<f32>,
    pub(super) counts: GameCounts,
}

/// What all games share.
pub(super) struct SharedSettings<P: Playable> {
    pub(super) start: P,
    pub(super) encoding: Box<dyn Encoding<P>>,
    pub(super) shape: TensorShape,
    pub(super) config: SelfPlayConfig,
    /// The most moves of a game.
    pub(super) longest: usize,
    pub(super) seed: Seed,
}

impl<P: Playable> Slot<P> {
    pub(super) fn new(settings: &SharedSettings<P>, slot: u64) -> Slot<P> {
        let (search, short) = (settings.config.search, settings.config.decided_simulations);
        let mut game = Slot {
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
            first_result: None,
            counts: GameCounts::default(),
        };
        game.open(settings);
        game
    }

    /// Sets up the first position of a game, after random moves in some games.
    fn open(&mut self, settings: &SharedSettings<P>) {
        self.root.clone_from(&settings.start);
        let config = &settings.config;
        if config.opening_share <= 0.0 || self.rng.unit() >= f64::from(config.opening_share) {
            return;
        }
        for _ in 0..=self.rng.below(config.opening_plies.max(1) as u32) {
            match self.root.random_move(&mut self.rng) {
                Some(mv) => self.root.play(mv),
                None => break,
            }
        }
        if self.root.outcome().is_some() {
            self.root.clone_from(&settings.start);
        }
    }

    pub(super) fn gather(&self, settings: &SharedSettings<P>, planes: &mut [u8], globals: &mut [f32]) {
        settings.encoding.write(if self.at_root { &self.root } else { &self.leaf }, planes, globals);
    }

    pub(super) fn apply(&mut self, settings: &SharedSettings<P>, logits: &[f32], value: f32) {
        self.counts.evaluations += 1;
        let mover = if self.at_root { self.root.turn() } else { self.leaf.turn() };
        let logits = match settings.encoding.orientation(mover) {
            Some(orientation) => {
                orientation.relabel(logits, &mut self.relabelled);
                &self.relabelled
            }
            None => logits,
        };
        if self.at_root
            && let Some(pass) = self.root.winning_move().filter(|mv| self.root.is_pass(*mv))
        {
            let (index, won) = (self.root.move_index(pass), Score::won_by(self.root.turn()).to_f64() as f32);
            self.record_root(settings, won, |_, policy| policy[index] = 1.0);
            self.root.play(pass);
            self.moves += 1;
            self.finish(settings);
            return;
        }
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
                let value = self.tree.value();
                if !decided || self.rng.unit() < f64::from(settings.config.decided_share) {
                    self.record_root(settings, value, GumbelTree::write_policy);
                }
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

    /// Records the root with its value for the first player and the policy that `write` puts over
    /// zeros.
    fn record_root(
        &mut self,
        settings: &SharedSettings<P>,
        value: f32,
        write: impl FnOnce(&mut GumbelTree<P>, &mut [f32]),
    ) {
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
        write(&mut self.tree, policy);
        if let Some(orientation) = settings.encoding.orientation(self.root.turn()) {
            orientation.relabel(policy, &mut self.relabelled);
            policy.copy_from_slice(&self.relabelled);
        }
        record.searched.push(value);
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
        self.first_result.get_or_insert(result);
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
        self.open(settings);
    }
}
