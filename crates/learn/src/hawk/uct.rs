//! The tree search that Hawk's agents share.
//!
//! > text: v + C·√(2·ln N / n), equation 1.1, C = √2
//! > program: v + C·√(ln(N + 1) / n), where n begins at 1
//!
//! | | text | program |
//! |---|---|---|
//! | one iteration | descends; tries one untried move of the first node that has any, at random; playout from the new node | playout from the node above the new one, which counts there |
//! | whose value | of the player who chooses | of the searching player, at every node |
//! | final move | the highest mean | the highest mean, where a child begins with one lost game |
//!
//! Deviation: the program's `findBest` scans the whole tree for the node of the highest value, in
//! time that grows with the tree; both settings descend.
//!
//! What the agents change is a [`Style`]: which moves of a node are dropped, what is added to the
//! value of a child, how a playout goes. Children of a node lie side by side, the tried ones first.
//! The five properties of a child are written once, when it is tried: another weighting of them
//! costs a dot product.

use super::ga::Members;
use super::table::StoneTable;
use tesuji_core::{Budget, Meter, Player, Rng, StopReason};

/// A child of a node, and the node below it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Node {
    /// The move that leads here.
    pub mv: u16,
    tried: u16,
    children: u16,
    first: u32,
    /// Iterations through it.
    pub visits: u32,
    /// Rewards, for the player whose value it is.
    pub sum: f64,
    /// The five properties, where the style asks for them.
    pub properties: [i16; 5],
}

impl Node {
    fn of(mv: u16) -> Node {
        Node { mv, tried: 0, children: 0, first: NONE, visits: 0, sum: 0.0, properties: [0; 5] }
    }
}

/// Not expanded.
const NONE: u32 = u32::MAX;

/// What an agent changes in the search.
pub trait Style: Send {
    /// A search begins.
    fn begin(&mut self, _table: &mut dyn StoneTable, _rng: &mut Rng) {}

    /// Removes moves of the node that the table shows, to which `path` leads from the root. At least
    /// one must stay; the table is left as it was.
    fn prune(&mut self, _table: &mut dyn StoneTable, _path: &[u16], _moves: &mut Vec<u16>) {}

    /// Whether nodes below the root are pruned too.
    fn prunes_below(&self) -> bool {
        false
    }

    /// Whether children have properties, and whether as programmed.
    fn properties(&self) -> Option<bool> {
        None
    }

    /// What is added to the value of a child, for the searching player; the opponent sees the
    /// negative of it.
    fn bias(&self, _node: &Node) -> f64 {
        0.0
    }

    /// A random game to its end; the reward for the first player.
    fn playout(&mut self, table: &mut dyn StoneTable, rng: &mut Rng) -> f64 {
        table.playout(rng)
    }

    /// An iteration ended with this reward for the searching player; `values` is the sum of the
    /// values that were compared on the way down.
    fn learn(&mut self, _reward: f64, _values: f64, _iteration: u64, _rng: &mut Rng) {}

    /// The weight vectors after a search; none but for the agent that has some.
    fn members(&self) -> Members {
        Members::new()
    }

    /// What is added to the mean of a root move in the final choice.
    fn final_bias(&self, _node: &Node) -> f64 {
        0.0
    }
}

/// Plain search.
pub struct Plain;

impl Style for Plain {}

/// Whose formulas are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum As {
    /// The thesis's text.
    Text,
    /// The program in its appendix.
    Code,
}

/// A search tree.
pub struct Tree {
    whose: As,
    nodes: Vec<Node>,
    capacity: usize,
    searcher: Player,
    path: Vec<u32>,
    players: Vec<Player>,
    moves: Vec<u16>,
    depth: usize,
}

/// Bytes of working memory beside the tree.
const BESIDE: u64 = 1 << 16;

impl Tree {
    /// An empty tree of a root, within the memory of a budget.
    #[must_use]
    pub fn new(table: &dyn StoneTable, whose: As, budget: &Budget) -> Tree {
        let bytes = budget.memory_bytes().saturating_sub(BESIDE);
        // The capacity of a vector doubles while the old one still exists.
        let capacity = (bytes / 3 / size_of::<Node>() as u64).clamp(2, u64::from(NONE)) as usize;
        Tree {
            whose,
            nodes: vec![Node::of(0)],
            capacity,
            searcher: table.turn(),
            path: Vec::new(),
            players: Vec::new(),
            moves: Vec::new(),
            depth: 0,
        }
    }

    /// The moves of the root: tried ones first.
    #[must_use]
    pub fn root(&self) -> &[Node] {
        self.children(0)
    }

    fn children(&self, node: u32) -> &[Node] {
        let node = &self.nodes[node as usize];
        if node.first == NONE { &[] } else { &self.nodes[node.first as usize..][..usize::from(node.children)] }
    }

    /// The mean reward of all iterations, for the searching player.
    #[must_use]
    pub fn mean(&self) -> f64 {
        if self.nodes[0].visits == 0 { 0.5 } else { self.nodes[0].sum / f64::from(self.nodes[0].visits) }
    }

    /// Bytes of the tree.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        (self.nodes.capacity() * size_of::<Node>()) as u64
    }

    /// The deepest node reached.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// The mean of a tried child, as the final choice sees it.
    #[must_use]
    pub fn mean_of(&self, node: &Node) -> Option<f64> {
        let games = self.games(node);
        (node.visits > 0 || self.whose == As::Code).then(|| node.sum / games)
    }

    /// Games of a node: in the program they begin at 1.
    fn games(&self, node: &Node) -> f64 {
        f64::from(node.visits) + f64::from(u8::from(self.whose == As::Code))
    }

    /// The best root move: the highest mean with its bias, among tried ones.
    #[must_use]
    pub fn best(&self, style: &dyn Style) -> Option<&Node> {
        let root = &self.nodes[0];
        let tried = &self.root()[..usize::from(root.tried)];
        let value = |node: &Node| self.mean_of(node).unwrap_or(0.0) + style.final_bias(node);
        tried.iter().fold(None, |best: Option<&Node>, node| match best {
            Some(known) if value(known) >= value(node) => Some(known),
            _ => Some(node),
        })
    }

    /// Writes the children of a node that the table shows.
    fn expand(&mut self, node: u32, table: &mut dyn StoneTable, style: &mut dyn Style) {
        let mut moves = std::mem::take(&mut self.moves);
        table.write_moves(&mut moves);
        if node == 0 || style.prunes_below() {
            let path: Vec<u16> = self.path[1..].iter().map(|node| self.nodes[*node as usize].mv).collect();
            style.prune(table, &path, &mut moves);
        }
        if self.nodes.len() + moves.len() <= self.capacity || node == 0 {
            let first = self.nodes.len() as u32;
            self.nodes.extend(moves.iter().map(|mv| Node::of(*mv)));
            let parent = &mut self.nodes[node as usize];
            (parent.first, parent.children) = (first, moves.len() as u16);
        }
        self.moves = moves;
    }

    /// The child to descend to, and the sum of the values compared.
    fn select(&self, node: u32, chooser: Player, style: &dyn Style) -> (u32, f64) {
        let parent = &self.nodes[node as usize];
        let own = self.whose == As::Code || chooser == self.searcher;
        let total = match self.whose {
            As::Text => 2.0 * libm::log(f64::from(parent.visits)),
            As::Code => libm::log(self.games(parent) + 1.0),
        };
        let (mut best, mut most, mut values) = (0, f64::MIN, 0.0);
        for (index, child) in self.children(node).iter().enumerate() {
            let games = self.games(child);
            let value = child.sum / games + std::f64::consts::SQRT_2 * (total / games).sqrt();
            let bias = style.bias(child);
            let biased = value + if own { bias } else { -bias };
            values += value;
            if biased > most {
                (best, most) = (index, biased);
            }
        }
        (parent.first + best as u32, values)
    }

    /// One iteration.
    pub fn iterate(&mut self, table: &mut dyn StoneTable, style: &mut dyn Style, rng: &mut Rng, number: u64) -> usize {
        table.reset();
        self.path.clear();
        self.players.clear();
        self.path.push(0);
        let (mut node, mut values) = (0, 0.0);
        let reward = loop {
            if let Some(reward) = table.ended() {
                break reward;
            }
            if self.nodes[node as usize].first == NONE {
                self.expand(node, table, style);
            }
            let Node { tried, children, first, .. } = self.nodes[node as usize];
            if first == NONE {
                // The memory is full.
                break style.playout(table, rng);
            }
            self.players.push(table.turn());
            if tried < children {
                let drawn = first + u32::from(tried) + rng.below(u32::from(children - tried));
                let child = first + u32::from(tried);
                self.nodes.swap(drawn as usize, child as usize);
                self.nodes[node as usize].tried += 1;
                let mv = self.nodes[child as usize].mv;
                let early = self.whose == As::Code;
                // The program's playout begins above the new node and counts there.
                let reward = early.then(|| style.playout(table, rng));
                if early {
                    if style.properties().is_some() {
                        table.reset();
                        for step in &self.path[1..] {
                            table.play(self.nodes[*step as usize].mv);
                        }
                        table.play(mv);
                    }
                } else {
                    table.play(mv);
                    self.path.push(child);
                }
                if let Some(as_programmed) = style.properties() {
                    self.nodes[child as usize].properties = table.properties(self.searcher, as_programmed);
                }
                break reward.unwrap_or_else(|| table.ended().unwrap_or_else(|| style.playout(table, rng)));
            }
            let (child, compared) = self.select(node, table.turn(), style);
            values += compared;
            table.play(self.nodes[child as usize].mv);
            self.path.push(child);
            node = child;
        };
        let own = if self.searcher == Player::First { reward } else { 1.0 - reward };
        for (depth, node) in self.path.iter().enumerate() {
            let node = &mut self.nodes[*node as usize];
            node.visits += 1;
            // The value of a child is that of the player who chose it.
            let theirs = self.whose == As::Text && depth > 0 && self.players[depth - 1] != self.searcher;
            node.sum += if theirs { 1.0 - own } else { own };
        }
        self.depth = self.depth.max(self.path.len() - 1);
        style.learn(own, values, number, rng);
        self.path.len() - 1
    }

    /// Searches until the meter ends it.
    pub fn run(
        &mut self,
        table: &mut dyn StoneTable,
        style: &mut dyn Style,
        meter: &mut Meter,
        rng: &mut Rng,
        look: &mut dyn FnMut(&Tree, &Meter, &dyn Style),
    ) -> StopReason {
        style.begin(table, rng);
        while meter.iteration() {
            let depth = self.iterate(table, style, rng, meter.iterations());
            meter.add_nodes(depth as u64);
            look(self, meter, style);
        }
        meter.reason()
    }
}
