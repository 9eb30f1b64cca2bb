//! Life-and-death problems of Go, after Lin 2017 §3.3: Black moves first and is to save black
//! stones or to kill white ones, playing on *feasible* points only. The game ends when the
//! *important* stones live, die or are in seki; a ko on the way costs its winner half.
//!
//! * [`Problem`] is the question: board, marks, and what is known of the answer. It is read and
//!   written in three formats: Lin's `Go.txt`, a readable text (`docs/problem-format.md`), and SGF
//!   with markup ([`mod@format`]).
//! * [`GoProblem`] is a position of its game; `rules.rs` states the rules.
//!
//! ```
//! use tesuji_core::{Notation, Position};
//! use tesuji_games::goproblem::{GoProblem, Problem};
//!
//! let problem: Problem = "kind: kill
//! board:
//! X X X X .
//! o o o X .
//! + + + o X
//! o o o X .
//! X X X X .
//! feasible: A3".parse().unwrap();
//! let mut position = GoProblem::new(problem).unwrap();
//! position.play(position.read_move("B3").unwrap());
//! assert!(position.outcome().is_none());
//! ```

mod alive;
mod catalogue;
mod check;
mod death;
mod ending;
pub mod format;
pub mod heuristic;
mod life;
mod notation;
mod problem;
mod region;
mod rules;
mod solvers;
mod table;
mod tables;

pub use catalogue::PROBLEMS;
pub use check::{LifeCertifier, STATIC_DEATH, UNCONDITIONAL_LIFE};
pub use ending::Ending;
pub use life::settled_certificate;
pub use problem::{Answer, LEAST_SIZE, MOST_SIZE, Mode, Place, Problem, ProblemError, ProblemKind, Site};
pub use region::Region;
pub use rules::{GoProblem, Move};
pub use solvers::LifeAndDeath;
pub use tables::most_plies;

use crate::built_in::at_most_one;
use tesuji_core::Game;
use tesuji_core::spec::{ArgumentError, Arguments, Description, Kind, NamedFile, Parameter};

/// The problem of the spec `goproblem` without parameters.
pub const EXAMPLE: &str = "title: The middle of three
kind: kill
answer: A2
value: 1
plies: 7
proved: yes
board:
  A B C D E
5 X X X . .
4 o o X . .
3 + o X . .
2 + o X . .
1 + o X . .
";

impl Game for GoProblem {
    type Position = GoProblem;
    const TITLE: &'static str = "Problem of Go";
    const DESCRIPTION: Description = Description {
        name: "goproblem",
        about: "a life-and-death problem of Go: Black saves or kills the important stones",
        parameters: &[
            Parameter {
                name: "problem",
                about: "a problem that is built in, by its id; `tesuji problems goproblem` lists them",
                kind: Kind::Entry(PROBLEMS),
                default: None,
            },
            Parameter {
                name: "file",
                about: "a file with the problem: Lin's Go.txt, the text format of docs/problem-format.md, or SGF",
                kind: Kind::File(format::MOST_BYTES),
                default: None,
            },
            Parameter {
                name: "text",
                about: "the problem itself, in any of these formats",
                kind: Kind::Text,
                default: None,
            },
        ],
    };
    const MOVES: &'static str = "points like D4 (no column I, row 1 at the bottom), or pass";

    fn start(arguments: &Arguments) -> Result<GoProblem, ArgumentError> {
        at_most_one(arguments, ["text", "file"])?;
        at_most_one(arguments, ["problem", "file"])?;
        at_most_one(arguments, ["problem", "text"])?;
        let problem_of = |bytes: &[u8]| -> Result<GoProblem, String> {
            let problem = Problem::from_bytes(bytes).map_err(|error| error.to_string())?;
            GoProblem::new(problem).map_err(|error| error.to_string())
        };
        match arguments.file("file")? {
            Some(NamedFile { path, bytes }) => {
                problem_of(&bytes).map_err(|error| ArgumentError::of("file", format!("{path}: {error}")))
            }
            None => {
                let built_in = arguments.entry("problem").map(|entry| entry.text.as_ref());
                let text = built_in.or(arguments.text("text")).unwrap_or(EXAMPLE);
                problem_of(text.as_bytes()).map_err(|error| ArgumentError::of("text", error))
            }
        }
    }
}
