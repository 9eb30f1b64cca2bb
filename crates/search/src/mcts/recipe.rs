//! The recipe as text: `mcts(select=…,expand=…,leaf=…,…)`.

use super::{Decision, Expansion, Leaf, Mcts, Selection, Ties};
use crate::Technique;
use tesuji_core::spec::{ArgumentError, Arguments, Describe, Description, Kind, Parameter};

const C: Parameter =
    Parameter { name: "c", about: "exploration", kind: Kind::Number(0.0, 1000.0), default: Some("0.7") };
const NO_C: Parameter = Parameter { default: Some("0.0"), ..C };
const PLAYOUTS: Parameter =
    Parameter { name: "playouts", about: "at each leaf", kind: Kind::Integer(1, 1_000_000), default: Some("1") };

const SELECTIONS: [Description; 4] = [
    Description { name: "ucb1", about: "mean + c·√(2 ln N / n)", parameters: &[C] },
    Description {
        name: "ucb1-tuned",
        about: "the same with the measured variance",
        parameters: &[Parameter { default: Some("1.0"), ..C }],
    },
    Description {
        name: "rave",
        about: "all moves as first, weighted by least squared error",
        parameters: &[
            NO_C,
            Parameter {
                name: "bias",
                about: "of all-moves-as-first values",
                kind: Kind::Number(0.0, 1.0),
                default: Some("0.02"),
            },
        ],
    },
    Description {
        name: "rave-hand",
        about: "all moves as first, weighted by √(k/(3N+k))",
        parameters: &[
            NO_C,
            Parameter { name: "k", about: "equivalence", kind: Kind::Number(1.0, 1e9), default: Some("1000.0") },
        ],
    },
];

const LEAVES: [Description; 2] = [
    Description { name: "random", about: "the game's own playouts", parameters: &[PLAYOUTS] },
    Description { name: "decisive", about: "playouts that see wins in one move", parameters: &[PLAYOUTS] },
];

const DECISIONS: [Description; 4] = [
    Description { name: "max", about: "the highest mean", parameters: &[] },
    Description { name: "robust", about: "the most visits", parameters: &[] },
    Description { name: "robust-max", about: "the most visits, then the highest mean", parameters: &[] },
    Description {
        name: "secure",
        about: "the highest mean − a/√n",
        parameters: &[Parameter {
            name: "a",
            about: "the weight of uncertainty",
            kind: Kind::Number(0.0, 1000.0),
            default: Some("1.0"),
        }],
    },
];

impl Describe for Mcts {
    const DESCRIPTION: Description = Description {
        name: "mcts",
        about: "Monte-Carlo tree search",
        parameters: &[
            Parameter {
                name: "select",
                about: "which child to descend to",
                kind: Kind::Part(&SELECTIONS),
                default: Some("ucb1"),
            },
            Parameter {
                name: "expand",
                about: "open moves one by one, all at once, or all at once and simulate each",
                kind: Kind::Choice(&["one", "all", "each"]),
                default: Some("one"),
            },
            Parameter {
                name: "ripe",
                about: "visits before a leaf gets children",
                kind: Kind::Integer(0, 1_000_000),
                default: Some("1"),
            },
            Parameter {
                name: "leaf",
                about: "what a leaf is worth",
                kind: Kind::Part(&LEAVES),
                default: Some("random"),
            },
            Parameter {
                name: "solver",
                about: "keep and use proofs",
                kind: Kind::Choice(&["true", "false"]),
                default: Some("true"),
            },
            Parameter {
                name: "decide",
                about: "the final choice",
                kind: Kind::Part(&DECISIONS),
                default: Some("robust"),
            },
            Parameter {
                name: "fpu",
                about: "value of a move nobody has tried",
                kind: Kind::Number(-1e9, 1e9),
                default: Some("1000000.0"),
            },
            Parameter {
                name: "ties",
                about: "what decides between equals: the generator, or the game's order of moves",
                kind: Kind::Choice(&["random", "first"]),
                default: Some("random"),
            },
        ],
    };
}

impl Technique for Mcts {
    const ENDLESS: bool = true;

    fn configure(arguments: &Arguments) -> Result<Mcts, ArgumentError> {
        let select = match arguments.part("select") {
            ("ucb1-tuned", part) => Selection::Ucb1Tuned { c: part.number("c") },
            ("rave", part) => Selection::Rave { c: part.number("c"), bias: part.number("bias") },
            ("rave-hand", part) => Selection::RaveHand { c: part.number("c"), k: part.number("k") },
            (_, part) => Selection::Ucb1 { c: part.number("c") },
        };
        let leaf = match arguments.part("leaf") {
            ("decisive", part) => Leaf::Decisive { playouts: part.count("playouts") },
            (_, part) => Leaf::Random { playouts: part.count("playouts") },
        };
        let decide = match arguments.part("decide") {
            ("max", _) => Decision::Max,
            ("robust-max", _) => Decision::RobustMax,
            ("secure", part) => Decision::Secure { a: part.number("a") },
            _ => Decision::Robust,
        };
        if select.needs_amaf() && arguments.word("expand") == "each" {
            let why = "all-moves-as-first does not count simulations of every child; use one or all with rave";
            return Err(ArgumentError::of("expand", why));
        }
        Ok(Mcts {
            select,
            expand: match arguments.word("expand") {
                "all" => Expansion::All,
                "each" => Expansion::Each,
                _ => Expansion::One,
            },
            ripe: arguments.count("ripe"),
            leaf,
            solver: arguments.word("solver") == "true",
            decide,
            urgency: arguments.number("fpu"),
            ties: if arguments.word("ties") == "first" { Ties::First } else { Ties::Random },
        })
    }
}
