//! The tree of statistics. It knows no game: moves are numbers, values belong to the first player.
//!
//! One arena, 32-bit indices, the children of a node side by side. What every recipe needs is in a
//! record of 32 bytes; what only some need (squares, all-moves-as-first) lies in columns beside it that
//! exist only when asked for. The arena's size is fixed by the memory the search was given: when it is
//! full, nodes are no longer opened, and the search goes on with the leaves it has.

use tesuji_core::{Bounds, Player, Score, Value};

/// The index of a node.
pub(super) type NodeId = u32;

/// The root.
pub(super) const ROOT: NodeId = 0;

/// The hot record.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Node {
    /// Sum of the first player's scores, in score units.
    pub(super) units: u64,
    pub(super) visits: u32,
    /// Where the children begin; 0 while there are none (the root is nobody's child).
    pub(super) first_child: NodeId,
    /// How many moves there are, and how many of them are open to selection.
    pub(super) children: u16,
    pub(super) opened: u16,
    /// The move that leads here.
    pub(super) move_index: u32,
    /// What is proved.
    pub(super) bounds: Bounds,
    /// Who moves here; known from the first visit on.
    pub(super) mover: Player,
    /// Whether somebody has been here.
    pub(super) entered: bool,
}

const _: () = assert!(size_of::<Node>() == 32, "the hot record is half a cache line");

impl Node {
    fn new(move_index: u32) -> Node {
        Node {
            units: 0,
            visits: 0,
            first_child: 0,
            children: 0,
            opened: 0,
            move_index,
            bounds: Bounds::UNKNOWN,
            mover: Player::First,
            entered: false,
        }
    }

    /// The mean of the scores.
    pub(super) fn mean(&self) -> Value {
        Value::mean(self.units, u64::from(self.visits))
    }

    /// The mean as `player` counts it.
    #[inline]
    pub(super) fn mean_for(&self, player: Player) -> f64 {
        let mean = self.units as f64 / (f64::from(self.visits) * f64::from(Score::UNITS));
        if player == Player::First { mean } else { 1.0 - mean }
    }
}

/// All-moves-as-first statistics of a node: playouts in which its parent's mover played its move later.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Amaf {
    pub(super) units: u64,
    pub(super) visits: u32,
}

/// Which columns a recipe needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Columns {
    /// Sums of squared scores.
    pub(super) squares: bool,
    /// All-moves-as-first.
    pub(super) amaf: bool,
}

impl Columns {
    fn bytes_per_node(self) -> usize {
        size_of::<Node>()
            + if self.squares { size_of::<u64>() } else { 0 }
            + if self.amaf { size_of::<Amaf>() } else { 0 }
    }
}

/// The arena.
pub(super) struct Tree {
    nodes: Vec<Node>,
    pub(super) squares: Vec<u64>,
    pub(super) amaf: Vec<Amaf>,
    columns: Columns,
    capacity: usize,
}

impl Tree {
    /// An arena with a root, of at most so many bytes.
    pub(super) fn new(columns: Columns, bytes: u64) -> Tree {
        let capacity = (bytes / columns.bytes_per_node() as u64).clamp(1, u64::from(u32::MAX)) as usize;
        let mut tree = Tree { nodes: Vec::new(), squares: Vec::new(), amaf: Vec::new(), columns, capacity };
        tree.push(0);
        tree
    }

    fn push(&mut self, move_index: u32) {
        self.nodes.push(Node::new(move_index));
        if self.columns.squares {
            self.squares.push(0);
        }
        if self.columns.amaf {
            self.amaf.push(Amaf::default());
        }
    }

    /// Gives a node its children, none of them open. Answers whether there was room.
    pub(super) fn grow(&mut self, parent: NodeId, moves: &[u32]) -> bool {
        let Ok(children) = u16::try_from(moves.len()) else { return false };
        if self.nodes.len() + moves.len() > self.capacity {
            return false;
        }
        let first_child = self.nodes.len() as NodeId;
        moves.iter().for_each(|move_index| self.push(*move_index));
        let node = &mut self.nodes[parent as usize];
        node.first_child = first_child;
        node.children = children;
        true
    }

    #[inline]
    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    #[inline]
    pub(super) fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id as usize]
    }

    /// The open children of a node.
    #[inline]
    pub(super) fn open_children(&self, id: NodeId) -> &[Node] {
        let node = &self.nodes[id as usize];
        let first = node.first_child as usize;
        &self.nodes[first..first + usize::from(node.opened)]
    }

    /// All children, open or not.
    pub(super) fn all_children(&self, id: NodeId) -> &[Node] {
        let node = &self.nodes[id as usize];
        let first = node.first_child as usize;
        &self.nodes[first..first + usize::from(node.children)]
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> u64 {
        (self.nodes.len() * self.columns.bytes_per_node()) as u64
    }
}
