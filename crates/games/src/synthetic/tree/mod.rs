//! Arbitrary game trees, given as text.
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
//! The text is read, and the tree traversed and freed, without recursion: the depth is not limited
//! by the stack. A node takes 16 bytes, plus its name; reading takes up to 32 more. A text of more
//! than a million nodes is refused.

mod registry;
mod text;

pub use registry::MOST_BYTES;

use std::ops::ControlFlow;
use std::sync::Arc;
use tesuji_core::{
    BoardView, MoveError, Notation, Outcome, Player, Position, PositionHash, Rng, Score, Zobrist, mix, undo_by_copy,
};

const KEYS: Zobrist = Zobrist::new("tree");
/// The most nodes of a tree given as text.
pub const MOST_NODES: usize = 1_000_000;
/// Beyond this number of nodes a random tree gets leaves only.
const MOST_RANDOM_NODES: usize = 4_000_000;

/// A text that is not a tree, and where.
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
    /// The player to move, and the range of its children in `children`.
    Inner(Player, u32, u32),
}

/// A [`Node`] in eight bytes: the first 30 bits are the start of the children or the units of a
/// leaf's score, then two bits give the variant, and the upper half is the end of the children.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Packed(u64);

const _: () = assert!(MOST_RANDOM_NODES < 1 << 30 && MOST_NODES < 1 << 30);

impl From<Node> for Packed {
    fn from(node: Node) -> Packed {
        let (kind, low, high) = match node {
            Node::Leaf(score) => (2, u64::from(score.units()), 0),
            Node::Inner(player, start, end) => (player.index() as u64, u64::from(start), u64::from(end)),
        };
        Packed(low | kind << 30 | high << 32)
    }
}

impl From<Packed> for Node {
    fn from(Packed(bits): Packed) -> Node {
        let low = bits as u32 & ((1 << 30) - 1);
        match bits >> 30 & 3 {
            2 => Node::Leaf(Score::from_units(low).expect("the units of a score")),
            player => Node::Inner(Player::BOTH[player as usize], low, (bits >> 32) as u32),
        }
    }
}

/// The names of children in one text: the end of each, by its index among the children. Empty if no
/// child has one.
#[derive(PartialEq, Eq, Debug, Default)]
struct Names {
    text: String,
    ends: Vec<u32>,
}

impl Names {
    /// Names the child with this index, which is at least the number of those named before.
    fn push(&mut self, place: usize, name: &str) {
        self.ends.resize(place, self.text.len() as u32);
        self.text.push_str(name);
        self.ends.push(self.text.len() as u32);
    }

    /// The name of the child with this index, if it has one.
    fn get(&self, place: usize) -> Option<&str> {
        let end = *self.ends.get(place)? as usize;
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        Some(&self.text[start..end]).filter(|name| !name.is_empty())
    }
}

#[derive(PartialEq, Eq, Debug)]
struct Nodes {
    kinds: Vec<Packed>,
    children: Vec<u32>,
    names: Names,
    most_branches: u32,
    root: u32,
    /// Distinguishes trees, so that positions of different trees hash differently.
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
    /// Leaves have one of this many evenly spaced scores (2: won or lost, 3: draws as well).
    pub grades: u32,
    /// Whether turns alternate; otherwise each node's player is random.
    pub alternate: bool,
}

/// Collects nodes bottom up.
#[derive(Default)]
struct Builder {
    kinds: Vec<Packed>,
    children: Vec<u32>,
    names: Names,
    most_branches: u32,
}

impl Builder {
    fn leaf(&mut self, score: Score) -> u32 {
        self.kinds.push(Node::Leaf(score).into());
        self.kinds.len() as u32 - 1
    }

    /// A position whose children are given with their names, empty for none.
    fn inner<'a>(&mut self, player: Player, children: impl Iterator<Item = (&'a str, u32)>) -> u32 {
        let start = self.children.len() as u32;
        for (name, child) in children {
            if !name.is_empty() {
                self.names.push(self.children.len(), name);
            }
            self.children.push(child);
        }
        let end = self.children.len() as u32;
        self.most_branches = self.most_branches.max(end - start);
        self.kinds.push(Node::Inner(player, start, end).into());
        self.kinds.len() as u32 - 1
    }

    fn finish(self, root: u32) -> Tree {
        let fingerprint = self.kinds.iter().fold(0, |print, kind| match Node::from(*kind) {
            Node::Leaf(score) => mix(print ^ u64::from(score.units())),
            Node::Inner(player, start, end) => {
                mix(print ^ (u64::from(start) << 33 | u64::from(end) << 1 | player.index() as u64)).wrapping_add(1)
            }
        });
        let Builder { mut kinds, mut children, mut names, most_branches } = self;
        kinds.shrink_to_fit();
        children.shrink_to_fit();
        names.text.shrink_to_fit();
        names.ends.shrink_to_fit();
        Tree { nodes: Arc::new(Nodes { kinds, children, names, most_branches, root, fingerprint }), at: root }
    }
}

impl Tree {
    /// Reads a tree.
    ///
    /// # Errors
    /// If the text is not a tree; states where and what was expected.
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
            children: Vec<u32>,
        }
        let mut builder = Builder::default();
        let grades = shape.grades.max(2);
        let mut open: Vec<Open> = Vec::new();
        loop {
            let depth = open.len() as u32;
            let ends = depth >= shape.depth
                || (depth > 0 && rng.below(8) == 0)
                || builder.kinds.len() + open.len() > MOST_RANDOM_NODES;
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
                parent.children.push(done);
                if (parent.children.len() as u32) < parent.wanted {
                    open.push(parent);
                    break;
                }
                done = builder.inner(parent.player, parent.children.into_iter().map(|child| ("", child)));
            }
        }
    }

    /// The number of nodes of the whole tree.
    #[must_use]
    pub fn size(&self) -> usize {
        self.nodes.kinds.len()
    }

    fn kind(&self) -> Node {
        self.nodes.kinds[self.at as usize].into()
    }

    fn name(&self, branch: u32) -> Option<&str> {
        let Node::Inner(_, start, _) = self.kind() else { return None };
        self.nodes.names.get((start + branch) as usize)
    }
}

impl Position for Tree {
    type Move = u32;

    undo_by_copy!();

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

    fn shared_bytes(&self) -> usize {
        let Nodes { kinds, children, names, .. } = self.nodes.as_ref();
        size_of_val(&kinds[..]) + size_of_val(&children[..]) + size_of_val(&names.ends[..]) + names.text.len()
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

impl tesuji_core::Studied for Tree {
    const CHARACTER: tesuji_core::Character =
        tesuji_core::Character { never_repeats: true, ..tesuji_core::Character::PLAIN };

    /// The exact solution where it takes milliseconds; else Monte-Carlo search, whose averages are
    /// more informative than a look-ahead without evaluation (docs/defaults.md).
    fn strongest(&self) -> &'static str {
        if self.size() <= super::SMALL { "oracle" } else { "mcts" }
    }
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
                format!("{}: {}", self.sides().to_move(player), shown.join(" "))
            }
        };
        BoardView::text(self.sides(), vec![caption])
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

    #[test]
    fn too_many_nodes_are_refused() {
        let text = format!("F({})", "1 ".repeat(super::MOST_NODES));
        let error = Tree::from_text(&text).expect_err("a node too many");
        assert!(error.problem.contains("more than 1000000 nodes"), "{error}");
    }

    /// Names are stored in one text; children without one may stand among named ones.
    #[test]
    fn names_stay_with_their_children() {
        let text = "F(a:S(1 b:0) S(0 1 c:S(d:0.5 0 1)) e:1 0 f:F(1))";
        let mut tree = Tree::from_text(text).expect("a tree");
        assert_eq!(tree.to_text(), text);
        for (mv, then) in [("1", "0 1 c"), ("c", "d 1 2")] {
            tree.play(tree.read_move(mv).expect("legal"));
            let shown: Vec<String> = tree.moves().into_iter().map(|mv| tree.show_move(mv)).collect();
            assert_eq!(shown.join(" "), then);
        }
    }

    proptest! {
        #[test]
        fn random_trees_survive_their_text(
            seed in any::<u64>(),
            depth in 1_u32..7,
            branching in 1_u32..5,
            alternate in any::<bool>(),
        ) {
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
