//! Any tree, written down.
//!
//! ```text
//! node   = leaf | ("F" | "S") "(" child { child } ")"
//! child  = [ name ":" ] node          children are separated by blanks or commas
//! leaf   = a score in [0, 1] for the first player, such as 1, 0, 0.5
//! name   = letters, digits, "_" and "-"; without one a child is called by its number, from 0
//! ```
//!
//! `F(…)` is a position with the first player to move, `S(…)` one with the second, so
//! turns need not alternate: `F(left:F(1 0) S(0.5 F(0 1)))`.
//!
//! The text is read, and the tree walked and freed, without recursion: a chain of a
//! hundred thousand nodes is as good as any other tree.

mod registry;
mod text;

use super::text_view;
use std::ops::ControlFlow;
use std::sync::Arc;
use tesuji_core::{
    BoardView, MoveError, Notation, Outcome, Player, Position, PositionHash, Rng, Score, Zobrist, mix, undo_by_copy,
};

const KEYS: Zobrist = Zobrist::new("tree");
const MOST_NODES: usize = 4_000_000;

/// A text that is no tree, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("at byte {at} of the tree: {problem}")]
pub struct TreeError {
    /// Where, in bytes from the start of the text.
    pub at: usize,
    /// What is wrong there and what was expected.
    pub problem: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Node {
    Leaf(Score),
    /// Who moves, and where the children lie in `children`.
    Inner(Player, u32, u32),
}

#[derive(PartialEq, Eq, Debug)]
struct Nodes {
    kinds: Vec<Node>,
    children: Vec<u32>,
    names: Vec<Option<Box<str>>>,
    most_branches: u32,
    root: u32,
    /// Tells trees apart, so that positions of different trees hash differently.
    fingerprint: u64,
}

/// A position in a tree.
#[derive(Clone)]
pub struct Tree {
    nodes: Arc<Nodes>,
    at: u32,
}

impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at && (Arc::ptr_eq(&self.nodes, &other.nodes) || self.nodes == other.nodes)
    }
}

impl Eq for Tree {}

impl std::fmt::Debug for Tree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "node {} of {}: {:?}", self.at, self.nodes.kinds.len(), self.kind())
    }
}

/// The shape of a random tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RandomTree {
    /// The longest path, in plies.
    pub depth: u32,
    /// The most children of a node.
    pub branching: u32,
    /// Leaves score one of this many evenly spaced grades (2: won or lost, 3: draws as well).
    pub grades: u32,
    /// Whether turns alternate; otherwise each node's player is drawn.
    pub alternate: bool,
}

/// Collects nodes bottom up.
#[derive(Default)]
struct Builder {
    kinds: Vec<Node>,
    children: Vec<u32>,
    names: Vec<Option<Box<str>>>,
    most_branches: u32,
}

impl Builder {
    fn leaf(&mut self, score: Score) -> u32 {
        self.kinds.push(Node::Leaf(score));
        self.kinds.len() as u32 - 1
    }

    fn inner(&mut self, player: Player, children: Vec<(Option<Box<str>>, u32)>) -> u32 {
        let start = self.children.len() as u32;
        self.most_branches = self.most_branches.max(children.len() as u32);
        for (name, child) in children {
            self.names.push(name);
            self.children.push(child);
        }
        self.kinds.push(Node::Inner(player, start, self.children.len() as u32));
        self.kinds.len() as u32 - 1
    }

    fn finish(self, root: u32) -> Tree {
        let fingerprint = self.kinds.iter().fold(0, |print, kind| match kind {
            Node::Leaf(score) => mix(print ^ u64::from(score.units())),
            Node::Inner(player, start, end) => {
                mix(print ^ (u64::from(*start) << 33 | u64::from(*end) << 1 | player.index() as u64)).wrapping_add(1)
            }
        });
        let Builder { kinds, children, names, most_branches } = self;
        Tree { nodes: Arc::new(Nodes { kinds, children, names, most_branches, root, fingerprint }), at: root }
    }
}

impl Tree {
    /// Reads a tree.
    ///
    /// # Errors
    /// If the text is not one; says where and what was expected.
    pub fn from_text(text: &str) -> Result<Tree, TreeError> {
        text::read(text)
    }

    /// A random tree of this shape: each node above the last ply is a leaf with probability 1/8,
    /// else has 1 to `branching` children.
    #[must_use]
    pub fn random(shape: RandomTree, rng: &mut Rng) -> Tree {
        struct Open {
            player: Player,
            wanted: u32,
            children: Vec<(Option<Box<str>>, u32)>,
        }
        let mut builder = Builder::default();
        let grades = shape.grades.max(2);
        let mut open: Vec<Open> = Vec::new();
        loop {
            let depth = open.len() as u32;
            let ends = depth >= shape.depth
                || (depth > 0 && rng.below(8) == 0)
                || builder.kinds.len() + open.len() > MOST_NODES;
            if !ends {
                let player = match open.last() {
                    None => Player::First,
                    Some(parent) if shape.alternate => parent.player.other(),
                    Some(_) => Player::BOTH[rng.below(2) as usize],
                };
                open.push(Open { player, wanted: 1 + rng.below(shape.branching.max(1)), children: Vec::new() });
                continue;
            }
            let units = rng.below(grades) * Score::UNITS / (grades - 1);
            let mut done = builder.leaf(Score::from_units(units).expect("a grade of at most one"));
            loop {
                let Some(mut parent) = open.pop() else { return builder.finish(done) };
                parent.children.push((None, done));
                if (parent.children.len() as u32) < parent.wanted {
                    open.push(parent);
                    break;
                }
                done = builder.inner(parent.player, parent.children);
            }
        }
    }

    /// How many nodes the whole tree has.
    #[must_use]
    pub fn size(&self) -> usize {
        self.nodes.kinds.len()
    }

    fn kind(&self) -> Node {
        self.nodes.kinds[self.at as usize]
    }

    fn name(&self, branch: u32) -> Option<&str> {
        let Node::Inner(_, start, _) = self.kind() else { return None };
        self.nodes.names.get((start + branch) as usize)?.as_deref()
    }
}

impl Position for Tree {
    type Move = u32;

    fn turn(&self) -> Player {
        match self.kind() {
            Node::Inner(player, ..) => player,
            Node::Leaf(_) => Player::First,
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.kind() {
            Node::Leaf(score) => Some(Outcome::graded(score)),
            Node::Inner(..) => None,
        }
    }

    fn visit_moves<B>(&self, f: impl FnMut(u32) -> ControlFlow<B>) -> ControlFlow<B> {
        (0..self.move_count() as u32).try_for_each(f)
    }

    fn play(&mut self, branch: u32) {
        let Node::Inner(_, start, _) = self.kind() else { unreachable!("a leaf has no moves") };
        self.at = self.nodes.children[(start + branch) as usize];
    }

    /// The node's number is the whole state.
    fn hash(&self) -> PositionHash {
        PositionHash(KEYS.key(self.nodes.fingerprint.wrapping_add(u64::from(self.at))))
    }

    fn recomputed_hash(&self) -> PositionHash {
        self.hash()
    }

    fn widest_margin(&self) -> Option<u32> {
        Some(1)
    }

    fn move_space(&self) -> usize {
        self.nodes.most_branches as usize
    }

    fn move_index(&self, branch: u32) -> usize {
        branch as usize
    }

    fn move_at(&self, index: usize) -> Option<u32> {
        u32::try_from(index).ok().filter(|branch| *branch < self.nodes.most_branches)
    }

    fn is_legal(&self, branch: u32) -> bool {
        (branch as usize) < self.move_count()
    }

    fn move_count(&self) -> usize {
        match self.kind() {
            Node::Inner(_, start, end) => (end - start) as usize,
            Node::Leaf(_) => 0,
        }
    }

    fn random_move(&self, rng: &mut Rng) -> Option<u32> {
        let count = self.move_count() as u32;
        (count > 0).then(|| rng.below(count))
    }
}

undo_by_copy!(Tree);

impl tesuji_core::Studied for Tree {
    const CHARACTER: tesuji_core::Character =
        tesuji_core::Character { never_repeats: true, ..tesuji_core::Character::PLAIN };
}

impl Notation for Tree {
    fn show_move(&self, branch: u32) -> String {
        self.name(branch).map_or_else(|| branch.to_string(), str::to_string)
    }

    fn read_move(&self, text: &str) -> Result<u32, MoveError> {
        let count = self.move_count() as u32;
        if let Some(branch) = (0..count).find(|branch| self.name(*branch) == Some(text)) {
            return Ok(branch);
        }
        super::read_branch(text, count)
    }

    fn view(&self) -> BoardView {
        let caption = match self.kind() {
            Node::Leaf(score) => format!("a leaf worth {score}"),
            Node::Inner(player, start, end) => {
                let shown: Vec<String> = (0..(end - start).min(64)).map(|branch| self.show_move(branch)).collect();
                format!("{player} to move: {}", shown.join(" "))
            }
        };
        text_view(vec![caption])
    }
}

#[cfg(test)]
mod tests {
    use super::{RandomTree, Tree};
    use proptest::prelude::*;
    use tesuji_core::{Notation, Outcome, Player, Position, Rng, Score, Seed};

    #[test]
    fn reads_names_turns_and_grades() {
        let mut tree = Tree::from_text(" F(left:F(1 0), S(0.5 F(0 1)) )").expect("a tree");
        assert_eq!((tree.turn(), tree.move_count(), tree.size()), (Player::First, 2, 9));
        assert_eq!(tree.to_text(), "F(left:F(1 0) S(0.5 F(0 1)))");
        assert_eq!((tree.show_move(0), tree.show_move(1)), ("left".into(), "1".into()));
        tree.play(tree.read_move("left").expect("named"));
        assert_eq!(tree.turn(), Player::First, "turns need not alternate");
        tree.play(0);
        assert_eq!(tree.outcome(), Some(Outcome::graded(Score::WIN)));
    }

    #[test]
    fn mistakes_are_placed() {
        for (text, at) in [
            ("", 0),
            ("F(", 2),
            ("F()", 2),
            ("F(1 2)", 4),
            ("F(1) 0", 5),
            (")", 0),
            ("X(1)", 0),
            ("F 1", 1),
            ("a:F(1)", 0),
            ("F(3:1)", 2),
            ("F(a:1 a:0)", 9),
            ("F(nan)", 2),
            ("F(💥)", 2),
        ] {
            let error = Tree::from_text(text).expect_err(text);
            assert_eq!(error.at, at, "{text:?}: {error}");
        }
    }

    #[test]
    fn a_chain_of_a_hundred_thousand_is_fine() {
        let depth = 100_000;
        let text = format!("{}1{}", "F(".repeat(depth), ")".repeat(depth));
        let tree = Tree::from_text(&text).expect("a chain");
        assert_eq!(tree.to_text(), text);
        assert!(Tree::from_text(&text[..text.len() - 1]).expect_err("cut off").problem.contains("open"));
    }

    proptest! {
        #[test]
        fn random_trees_survive_their_text(seed in any::<u64>(), depth in 1_u32..7, branching in 1_u32..5, alternate in any::<bool>()) {
            let tree = Tree::random(RandomTree { depth, branching, grades: 3, alternate }, &mut Rng::new(Seed(seed)));
            prop_assert_eq!(Tree::from_text(&tree.to_text()), Ok(tree));
        }

        #[test]
        fn any_text_is_answered(text in "[FSfs(): ,.a-c01\\-]{0,60}") {
            if let Ok(tree) = Tree::from_text(&text) {
                prop_assert_eq!(Tree::from_text(&tree.to_text()), Ok(tree));
            }
        }
    }
}
