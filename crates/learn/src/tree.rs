//! The search tree of one position, small enough that thousands of them fit in memory. It requests
//! one evaluation at a time: `begin`, then `advance` and `expand` in turn until the simulations are
//! done.
//!
//! Values are stored for the first player, in [0, 1]. The tree knows moves only by
//! [`Position::move_index`]. Positions are not stored: a simulation copies the root and replays the
//! moves. An ended position is scored by the rules and needs no evaluation.
//!
//! It serves self-play, and searches whose leaves another program evaluates (`batched.rs`); the agent
//! `zero` is a recipe of `tesuji_search::mcts`, which visits the same moves (`tests/engine.rs`).
//! `docs/decisions/0012-self-play-in-lockstep.md` says why there are two.

mod pending;
mod view;

pub use pending::{Gathered, Waiting};

use crate::gumbel::{Actions, Constants, gumbel, softmax, visits_before};
use std::ops::ControlFlow;
use tesuji_core::{Player, Position, Rng};

const NONE: u32 = u32::MAX;
/// In place of a child whose evaluation was asked for and has not come.
const PENDING: u32 = u32::MAX - 1;

/// Where a descent ended.
enum Descent {
    /// At a position that needs an evaluation.
    Leaf,
    /// At the end of the game; its score is backed up.
    Ended,
    /// At a position whose evaluation has not come. Nothing was changed.
    Pending,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    first: u32,
    count: u32,
    turn: Player,
    /// The network's value, for the side to move.
    value: f32,
}

/// How the root allocates its simulations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RootRule {
    /// Sequential halving over the number of simulations in [`Constants`].
    SequentialHalving,
    /// The rule below the root; the search can be stopped at any time.
    Anytime,
}

/// The number of simulations of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SimulationCap {
    /// The number in [`Constants`].
    Full,
    /// The reduced number of the tree, for positions that matter little.
    Reduced,
}

/// The tree.
#[derive(Debug)]
pub struct GumbelTree<P: Position> {
    constants: Constants,
    rule: RootRule,
    /// For both kinds of [`SimulationCap`]: the number of simulations, and the schedules of
    /// sequential halving by the number of root actions up to `constants.considered`.
    schedules: [(usize, Vec<Vec<u32>>); 2],
    cap: SimulationCap,
    nodes: Vec<Node>,
    // One entry for each action of each node; the actions of a node lie side by side.
    indices: Vec<u32>,
    logits: Vec<f32>,
    priors: Vec<f32>,
    visits: Vec<u32>,
    /// For the first player.
    totals: Vec<f32>,
    children: Vec<u32>,
    gumbels: Vec<f32>,
    done: usize,
    /// Actions of the current simulation.
    path: Vec<u32>,
    leaf: P,
    scratch: Vec<f32>,
    /// Simulations that reached an ended game.
    ended: u64,
}

/// Converts a value of `player` to the first player's, and back.
#[inline]
fn flip_for(value: f32, player: Player) -> f32 {
    match player {
        Player::First => value,
        Player::Second => 1.0 - value,
    }
}

impl<P: Position> GumbelTree<P> {
    /// A tree for positions of this game, with `reduced` simulations for
    /// [`SimulationCap::Reduced`]. Call `begin` before use.
    pub fn new(start: &P, constants: Constants, reduced: usize, rule: RootRule) -> GumbelTree<P> {
        let schedules = [constants.simulations, reduced].map(|simulations| match rule {
            RootRule::SequentialHalving => {
                (simulations, (0..=constants.considered).map(|count| visits_before(count, simulations)).collect())
            }
            RootRule::Anytime => (simulations, Vec::new()),
        });
        GumbelTree {
            constants,
            rule,
            schedules,
            cap: SimulationCap::Full,
            nodes: Vec::new(),
            indices: Vec::new(),
            logits: Vec::new(),
            priors: Vec::new(),
            visits: Vec::new(),
            totals: Vec::new(),
            children: Vec::new(),
            gumbels: Vec::new(),
            done: 0,
            path: Vec::new(),
            leaf: start.clone(),
            scratch: Vec::new(),
            ended: 0,
        }
    }

    /// Begins a search of a live position with its evaluation: logits by move index, and the value
    /// in [−1, 1] for the side to move. With a generator, the root's actions get Gumbel noise;
    /// without one the search is deterministic.
    pub fn begin(&mut self, root: &P, logits: &[f32], value: f32, noise: Option<&mut Rng>, cap: SimulationCap) {
        self.cap = cap;
        self.nodes.clear();
        for list in [&mut self.logits, &mut self.priors, &mut self.totals] {
            list.clear();
        }
        for list in [&mut self.indices, &mut self.visits, &mut self.children] {
            list.clear();
        }
        self.done = 0;
        self.path.clear();
        self.leaf.clone_from(root);
        self.add_node(logits, value);
        self.gumbels.clear();
        let scale = self.constants.noise;
        match noise {
            Some(rng) => self.gumbels.extend((0..self.visits.len()).map(|_| scale * gumbel(rng.unit()))),
            None => self.gumbels.resize(self.visits.len(), 0.0),
        }
    }

    /// Bytes of nodes and actions.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let action = 4 * size_of::<u32>() + 3 * size_of::<f32>();
        (self.nodes.capacity() * size_of::<Node>() + self.indices.capacity() * action) as u64
    }

    /// Adds the node of `self.leaf`.
    fn add_node(&mut self, logits: &[f32], value: f32) -> f32 {
        assert!(value.is_finite(), "a network's value must be a finite number, got {value}");
        let first = self.indices.len();
        let _ = self.leaf.visit_moves::<()>(|mv| {
            let index = self.leaf.move_index(mv);
            self.indices.push(index as u32);
            self.logits.push(logits[index]);
            ControlFlow::Continue(())
        });
        let end = self.indices.len();
        self.priors.extend_from_slice(&self.logits[first..]);
        softmax(&mut self.priors[first..]);
        self.visits.resize(end, 0);
        self.totals.resize(end, 0.0);
        self.children.resize(end, NONE);
        let turn = self.leaf.turn();
        let value = (value.clamp(-1.0, 1.0) + 1.0) * 0.5;
        self.nodes.push(Node { first: first as u32, count: (end - first) as u32, turn, value });
        flip_for(value, turn)
    }

    fn actions(&self, node: Node) -> Actions<'_> {
        let range = node.first as usize..(node.first + node.count) as usize;
        Actions {
            logits: &self.logits[range.clone()],
            priors: &self.priors[range.clone()],
            visits: &self.visits[range.clone()],
            totals: &self.totals[range],
            reversed: node.turn == Player::Second,
            value: node.value,
        }
    }

    /// Simulates until a position needs an evaluation; nothing once all simulations are done.
    pub fn advance(&mut self, root: &P) -> Option<&P> {
        while !self.is_done() {
            if matches!(self.descend(root), Descent::Leaf) {
                return Some(&self.leaf);
            }
        }
        None
    }

    /// One simulation. Returns the position whose evaluation it needs; nothing if it reached an
    /// ended game.
    pub fn simulate(&mut self, root: &P) -> Option<&P> {
        if matches!(self.descend(root), Descent::Leaf) { Some(&self.leaf) } else { None }
    }

    /// Whether the simulations are done. A single action needs none.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.done >= self.schedules[self.cap as usize].0
            || (self.rule == RootRule::SequentialHalving && self.nodes[0].count == 1)
    }

    /// One descent to a leaf.
    fn descend(&mut self, root: &P) -> Descent {
        self.leaf.clone_from(root);
        self.path.clear();
        let mut at = 0;
        loop {
            let node = self.nodes[at as usize];
            let mut scratch = std::mem::take(&mut self.scratch);
            let chosen = if at == 0 && self.rule == RootRule::SequentialHalving {
                let considered = (node.count as usize).min(self.constants.considered);
                let wanted = self.schedules[self.cap as usize].1[considered][self.done];
                self.actions(node)
                    .best_with(wanted, &self.gumbels, &self.constants, &mut scratch)
                    .expect("the schedule asks for visits that some action has")
            } else {
                self.actions(node).select(&self.constants, &mut scratch)
            };
            self.scratch = scratch;
            let action = node.first as usize + chosen;
            self.path.push(action as u32);
            let mv = self.leaf.move_at(self.indices[action] as usize).expect("a move of this game");
            self.leaf.play(mv);
            at = self.children[action];
            if at == PENDING {
                return Descent::Pending;
            }
            if at == NONE {
                if let Some(outcome) = self.leaf.outcome() {
                    self.ended += 1;
                    self.back_up(outcome.score.to_f64() as f32);
                    return Descent::Ended;
                }
                return Descent::Leaf;
            }
        }
    }

    /// Expands the position that [`advance`](GumbelTree::advance) returned by its evaluation.
    pub fn expand(&mut self, logits: &[f32], value: f32) {
        let node = self.nodes.len() as u32;
        let value = self.add_node(logits, value);
        let last = *self.path.last().expect("an evaluation that was requested");
        self.children[last as usize] = node;
        self.back_up(value);
    }

    fn back_up(&mut self, value: f32) {
        for &action in &self.path {
            self.visits[action as usize] += 1;
            self.totals[action as usize] += value;
        }
        self.done += 1;
    }

    /// The action to play, as an index of the root's actions: the most visited one, among equals
    /// the one with the largest g + logit + σ(q).
    #[must_use]
    pub fn decision(&mut self) -> usize {
        let mut scratch = std::mem::take(&mut self.scratch);
        let actions = self.actions(self.nodes[0]);
        let most = actions.visits.iter().copied().max().expect("a live game has moves");
        let best = actions.best_with(most, &self.gumbels, &self.constants, &mut scratch);
        self.scratch = scratch;
        best.expect("the most visited action")
    }

    /// The move index of a root action.
    #[must_use]
    pub fn move_index(&self, action: usize) -> usize {
        self.indices[action] as usize
    }

    /// The improved policy of the root, dense, by move index.
    pub fn write_policy(&mut self, policy: &mut [f32]) {
        let mut scratch = std::mem::take(&mut self.scratch);
        self.actions(self.nodes[0]).improved(&self.constants, &mut scratch);
        policy.fill(0.0);
        for (action, probability) in scratch.iter().enumerate() {
            policy[self.indices[action] as usize] = *probability;
        }
        self.scratch = scratch;
    }

    /// The value of the root after the search, for the first player: the mean of the visited
    /// actions' values, weighted by the improved policy; the network's value if none was visited.
    #[must_use]
    pub fn value(&mut self) -> f32 {
        let root = self.nodes[0];
        let mut policy = std::mem::take(&mut self.scratch);
        self.actions(root).improved(&self.constants, &mut policy);
        let (mut weight, mut sum) = (0.0, 0.0);
        for (action, probability) in policy.iter().enumerate().filter(|(action, _)| self.visits[*action] > 0) {
            weight += probability;
            sum += probability * self.totals[action] / self.visits[action] as f32;
        }
        self.scratch = policy;
        if weight > 0.0 { sum / weight } else { flip_for(root.value, root.turn) }
    }

    /// The root's actions: move index, visits, mean for the first player (if visited), prior.
    pub fn root_actions(&self) -> impl Iterator<Item = (usize, u32, Option<f32>, f32)> + '_ {
        (0..self.nodes[0].count as usize).map(|action| {
            let visits = self.visits[action];
            let mean = (visits > 0).then(|| self.totals[action] / visits as f32);
            (self.indices[action] as usize, visits, mean, self.priors[action])
        })
    }

    /// Move indices along the most visited actions from a root action on.
    #[must_use]
    pub fn line(&self, action: usize) -> Vec<usize> {
        let mut line = vec![self.indices[action] as usize];
        let mut at = self.children[action];
        while at != NONE {
            let node = self.nodes[at as usize];
            let range = node.first as usize..(node.first + node.count) as usize;
            let Some(best) = range.max_by_key(|action| self.visits[*action]) else { break };
            if self.visits[best] == 0 {
                break;
            }
            line.push(self.indices[best] as usize);
            at = self.children[best];
        }
        line
    }

    /// Simulations done since `begin`.
    #[must_use]
    pub fn simulations(&self) -> usize {
        self.done
    }

    /// Simulations that reached an ended game, since the tree was made.
    #[must_use]
    pub fn ended(&self) -> u64 {
        self.ended
    }
}

#[cfg(test)]
mod tests {
    use super::{GumbelTree, RootRule, SimulationCap};
    use crate::gumbel::Constants;
    use tesuji_core::{Notation, Player, Position, Rng, Seed};
    use tesuji_games::tictactoe::TicTacToe;

    fn search(position: &TicTacToe, constants: Constants, rule: RootRule, seed: Option<u64>) -> GumbelTree<TicTacToe> {
        let mut tree = GumbelTree::new(position, constants, 1, rule);
        let mut rng = seed.map(|seed| Rng::new(Seed(seed)));
        tree.begin(position, &[0.0; 9], 0.0, rng.as_mut(), SimulationCap::Full);
        while tree.advance(position).is_some() {
            tree.expand(&[0.0; 9], 0.0);
        }
        tree
    }

    /// With an uninformed network, the search alone finds near wins and losses.
    #[test]
    fn near_wins_are_found_with_an_uninformed_network() {
        // X: a3 wins at once. O: must block c3's line.
        for (text, best, turn) in [("XX.OO....", "c3", Player::First), ("XX..O....", "c3", Player::Second)] {
            let position = TicTacToe::from_text(text).expect("a position");
            assert_eq!(position.turn(), turn);
            for rule in [RootRule::SequentialHalving, RootRule::Anytime] {
                let constants = Constants { simulations: 400, ..Constants::default() };
                let mut tree = search(&position, constants, rule, None);
                let action = tree.decision();
                let mv = position.move_at(tree.move_index(action)).expect("a move");
                assert_eq!(position.show_move(mv), best, "{text} {rule:?}");
                let mut policy = vec![0.0; 9];
                tree.write_policy(&mut policy);
                assert!((policy.iter().sum::<f32>() - 1.0).abs() < 1e-5);
                let target = policy[tree.move_index(action)];
                assert!(policy.iter().all(|probability| *probability <= target), "{policy:?}");
            }
        }
    }

    #[test]
    fn the_root_follows_its_schedule() {
        let start = TicTacToe::new();
        let constants = Constants { simulations: 32, considered: 4, ..Constants::default() };
        let tree = search(&start, constants, RootRule::SequentialHalving, Some(5));
        let mut visits: Vec<u32> = tree.root_actions().map(|(_, visits, _, _)| visits).collect();
        visits.sort_unstable_by(|a, b| b.cmp(a));
        // Two phases: 4 × 4, then 2 × 8.
        assert_eq!(visits, [12, 12, 4, 4, 0, 0, 0, 0, 0]);
        assert_eq!(tree.simulations(), 32);
    }

    #[test]
    fn values_belong_to_the_first_player() {
        // X wins at once: the root's value is high.
        let position = TicTacToe::from_text("XX.OO....").expect("a position");
        let mut tree = search(
            &position,
            Constants { simulations: 100, ..Constants::default() },
            RootRule::SequentialHalving,
            None,
        );
        assert!(tree.value() > 0.7, "{}", tree.value());
        // O wins at once.
        let position = TicTacToe::from_text("XX.OO.X..").expect("a position");
        assert_eq!(position.turn(), Player::Second);
        let mut tree = search(
            &position,
            Constants { simulations: 100, ..Constants::default() },
            RootRule::SequentialHalving,
            None,
        );
        assert!(tree.value() < 0.3, "{}", tree.value());
    }
}
