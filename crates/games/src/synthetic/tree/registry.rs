//! `tree(text="…")` and `randomtree(…)` for specs.

use super::{RandomTree, Tree};
use tesuji_core::spec::{ArgumentError, Arguments, Description, Kind, NamedFile, Parameter};
use tesuji_core::{Game, Rng, Seed};

/// The tree of the spec `tree` without parameters: the first player should go right, random play
/// prefers left.
const EXAMPLE: &str = "F(left:S(0 1 1) right:S(0.5 F(0.5 1)))";
/// The largest file that is read: 16 bytes for each of a million nodes.
pub const MOST_BYTES: u64 = 16 << 20;

impl Game for Tree {
    type Position = Tree;
    const TITLE: &'static str = "Tree";
    const DESCRIPTION: Description = Description {
        name: "tree",
        about: "any tree, written down: F(…) and S(…) say who moves, numbers are scores for the first player",
        parameters: &[
            Parameter { name: "text", about: "the tree", kind: Kind::Text, default: None },
            Parameter { name: "file", about: "a file with the tree", kind: Kind::File(MOST_BYTES), default: None },
        ],
    };
    const MOVES: &'static str = "the name of a branch, or its number from 0";

    fn start(arguments: &Arguments) -> Result<Tree, ArgumentError> {
        if arguments.has("text") && arguments.has("file") {
            return Err(ArgumentError::of("text", "text and file exclude each other"));
        }
        match (arguments.text("text"), arguments.file("file")?) {
            (_, Some(NamedFile { path, bytes })) => {
                let problem = |error: &dyn std::fmt::Display| ArgumentError::of("file", format!("{path}: {error}"));
                let text = String::from_utf8(bytes).map_err(|error| problem(&error))?;
                Tree::from_text(&text).map_err(|error| problem(&error))
            }
            (text, None) => Tree::from_text(text.unwrap_or(EXAMPLE)).map_err(|error| ArgumentError::of("text", error)),
        }
    }
}

impl Game for RandomTree {
    type Position = Tree;
    const TITLE: &'static str = "Random tree";
    const DESCRIPTION: Description = Description {
        name: "randomtree",
        about: "a random tree, kept in memory; turns alternate or not",
        parameters: &[
            Parameter {
                name: "depth",
                about: "plies of the longest game",
                kind: Kind::Integer(1, 1_000),
                default: Some("6"),
            },
            Parameter {
                name: "branching",
                about: "the most moves of a position",
                kind: Kind::Integer(1, 1_000),
                default: Some("3"),
            },
            Parameter {
                name: "grades",
                about: "different scores of leaves; 2 is won or lost",
                kind: Kind::Integer(2, 1_001),
                default: Some("3"),
            },
            Parameter {
                name: "alternate",
                about: "whether turns alternate",
                kind: Kind::Choice(&["true", "false"]),
                default: Some("true"),
            },
            Parameter { name: "seed", about: "which tree", kind: Kind::Integer(0, i64::MAX), default: Some("1") },
        ],
    };
    const MOVES: &'static str = "the number of a branch, from 0";

    fn start(arguments: &Arguments) -> Result<Tree, ArgumentError> {
        let shape = RandomTree {
            depth: arguments.count("depth"),
            branching: arguments.count("branching"),
            grades: arguments.count("grades"),
            alternate: arguments.word("alternate") == "true",
        };
        Ok(Tree::random(shape, &mut Rng::new(Seed(arguments.integer("seed") as u64))))
    }
}
