//! What specs mean, and what is said about wrong ones.

use super::{Description, Kind, Parameter, resolve};
use crate::spec::{Catalogue, Entry, Spec};
use std::borrow::Cow;

const KNOWN: [Description; 4] = [
    HEX,
    Description { name: "random", about: "", parameters: &[] },
    Description {
        name: "problems",
        about: "",
        parameters: &[Parameter { name: "problem", about: "", kind: Kind::Entry(CATALOGUE), default: None }],
    },
    Description {
        name: "vote",
        about: "",
        parameters: &[Parameter { name: "search", about: "", kind: Kind::Part(&[HEX]), default: None }],
    },
];

const HEX: Description = Description {
    name: "hex",
    about: "",
    parameters: &[
        Parameter { name: "size", about: "", kind: Kind::Integer(2, 26), default: Some("11") },
        Parameter { name: "swap", about: "", kind: Kind::Choice(&["true", "false"]), default: Some("true") },
        Parameter { name: "komi", about: "", kind: Kind::Number(-1.0, 1.0), default: Some("0.5") },
        Parameter { name: "file", about: "", kind: Kind::File(100), default: None },
        Parameter { name: "part", about: "", kind: Kind::Part(&PARTS), default: None },
    ],
};

const CATALOGUE: Catalogue = Catalogue { entries: || &ENTRIES };

static ENTRIES: [Entry; 2] = [entry("race-01"), entry("race-02")];

const fn entry(id: &'static str) -> Entry {
    Entry { id: Cow::Borrowed(id), about: Cow::Borrowed(""), text: Cow::Borrowed("") }
}

const PARTS: [Description; 3] = [
    Description {
        name: "ucb1",
        about: "",
        parameters: &[Parameter { name: "c", about: "", kind: Kind::Number(0.0, 100.0), default: Some("1.4") }],
    },
    Description { name: "greedy", about: "", parameters: &[] },
    Description {
        name: "other",
        about: "",
        parameters: &[Parameter { name: "c", about: "", kind: Kind::Number(-1.0, 1.0), default: Some("0.5") }],
    },
];

fn canonical(text: &str) -> Result<String, String> {
    let spec: Spec = text.parse().expect("well formed");
    resolve(&spec, "game", &KNOWN).map(|(_, arguments)| arguments.canonical().to_string()).map_err(|e| e.to_string())
}

#[test]
fn canonical_text_spells_everything_out_and_is_a_fixed_point() {
    for (text, full) in [
        ("hex", "hex(size=11,swap=true,komi=0.5)"),
        ("hex(komi=1,size=3)", "hex(size=3,swap=true,komi=1.0)"),
        ("hex(file=\"a b\")", "hex(size=11,swap=true,komi=0.5,file=\"a b\")"),
        ("hex(part=ucb1)", "hex(size=11,swap=true,komi=0.5,part=ucb1(c=1.4))"),
        ("hex(part=ucb1(c=2))", "hex(size=11,swap=true,komi=0.5,part=ucb1(c=2.0))"),
        ("random", "random"),
        ("problems(problem=race-02)", "problems(problem=race-02)"),
        ("problems(problem=\"race-02\")", "problems(problem=race-02)"),
    ] {
        assert_eq!(canonical(text), Ok(full.into()));
        assert_eq!(canonical(full), Ok(full.into()));
    }
}

#[test]
fn mistakes_name_what_would_be_right() {
    for (text, message) in [
        ("hexx", "unknown game \"hexx\"; did you mean \"hex\"? (column 1 of the spec)"),
        ("chess960", "unknown game \"chess960\"; known: hex, random, problems, vote (column 1 of the spec)"),
        ("hex(sise=3)", "hex has no parameter \"sise\"; did you mean \"size\"? (column 5 of the spec)"),
        ("hex(size=27)", "size of hex must be a whole number from 2 to 26, not 27 (column 5 of the spec)"),
        ("hex(size=2.5)", "size of hex must be a whole number from 2 to 26, not 2.5 (column 5 of the spec)"),
        ("hex(swap=maybe)", "swap of hex must be true or false, not maybe (column 5 of the spec)"),
        ("hex(komi=7)", "komi of hex must be a number from -1 to 1, not 7 (column 5 of the spec)"),
        ("hex(part=ucb)", "unknown part of hex \"ucb\"; did you mean \"ucb1\"? (column 10 of the spec)"),
        ("hex(part=ucb1(d=1))", "ucb1 has no parameter \"d\"; did you mean \"c\"? (column 15 of the spec)"),
        ("hex(part=ucb1(c=-1))", "c of ucb1 must be a number from 0 to 100, not -1 (column 15 of the spec)"),
        ("hex(part=3)", "part of hex must be ucb1 or greedy or other, not 3 (column 5 of the spec)"),
        ("random(x=1)", "random has no parameter \"x\"; it has none (column 8 of the spec)"),
        (
            "problems(problem=race-3)",
            "problem of problems must be an id such as race-01, not race-3; did you mean race-01? \
             (column 10 of the spec)",
        ),
        ("problems(problem=1)", "problem of problems must be an id such as race-01, not 1 (column 10 of the spec)"),
    ] {
        assert_eq!(canonical(text), Err(message.into()));
    }
}

/// `mcts(c=1)` was only told the names of the parameters of `mcts`.
#[test]
fn a_parameter_of_a_part_is_pointed_to() {
    for (text, message) in [
        ("hex(c=1)", "hex has no parameter \"c\"; did you mean part=ucb1(c=1)? (column 5 of the spec)"),
        // The part that was named comes first.
        ("hex(part=other,c=1)", "hex has no parameter \"c\"; did you mean part=other(c=1)? (column 16 of the spec)"),
        // A value that fits one part only belongs to that part.
        ("hex(c=-1)", "hex has no parameter \"c\"; did you mean part=other(c=-1)? (column 5 of the spec)"),
        ("hex(part=greedy,c=1)", "hex has no parameter \"c\"; did you mean part=ucb1(c=1)? (column 17 of the spec)"),
        // Parts of parts too.
        ("vote(c=1)", "vote has no parameter \"c\"; did you mean search=hex(part=ucb1(c=1))? (column 6 of the spec)"),
        (
            "vote(search=hex(part=other),c=1)",
            "vote has no parameter \"c\"; did you mean search=hex(part=other(c=1))? (column 29 of the spec)",
        ),
        ("ucb1(c=2)", "unknown game \"ucb1\"; did you mean hex(part=ucb1(c=2))? (column 1 of the spec)"),
    ] {
        assert_eq!(canonical(text), Err(message.into()));
    }
}
