//! `go(size=9,komi=7.5,…)` for specs.

use super::position::Go;
use super::rules::{GoRules, Komi, PassRule, PlayoutRule};
use tesuji_core::Game;
use tesuji_core::spec::{ArgumentError, Arguments, Description, Kind, NamedFile, Parameter, SpecValue};

/// The largest file that is read.
const MOST_BYTES: u64 = 16 << 20;

impl Game for Go {
    type Position = Go;
    const TITLE: &'static str = "Go";
    const DESCRIPTION: Description = Description {
        name: "go",
        about: "Go: surround the larger area",
        parameters: &[
            Parameter { name: "size", about: "lines of the board", kind: Kind::Integer(2, 25), default: Some("19") },
            Parameter {
                name: "komi",
                about: "points for White, whole or half",
                kind: Kind::Number(-10_000.0, 10_000.0),
                default: Some("7.5"),
            },
            Parameter {
                name: "handicap",
                about: "black stones on the star points",
                kind: Kind::Integer(0, 9),
                default: Some("0"),
            },
            Parameter {
                name: "ko",
                about: "which repetitions are forbidden",
                kind: Kind::Choice(&["simple", "positional", "situational", "none"]),
                default: Some("positional"),
            },
            Parameter {
                name: "suicide",
                about: "whether a move may capture only its own chain; strict: nor capture without a liberty of its own",
                kind: Kind::Choice(&["forbidden", "allowed", "strict"]),
                default: Some("forbidden"),
            },
            Parameter {
                name: "scoring",
                about: "how the end is scored",
                kind: Kind::Choice(&["area", "territory", "vrun", "hawk"]),
                default: Some("area"),
            },
            Parameter {
                name: "passes",
                about: "two passes end the game (default), or it goes on while a side has a stone to play",
                kind: Kind::Choice(&["end", "continue"]),
                default: None,
            },
            Parameter {
                name: "playouts",
                about: "random games keep eyes (default) or one-chain eyes (V-Run), or are uniform (Hawk)",
                kind: Kind::Choice(&["eyes", "one-chain", "uniform"]),
                default: None,
            },
            Parameter {
                name: "sgf",
                about: "start from the main line of this file",
                kind: Kind::File(MOST_BYTES),
                default: None,
            },
            Parameter {
                name: "move",
                about: "with sgf: start after this many moves of the file (default: all)",
                kind: Kind::Integer(0, 1_000_000),
                default: None,
            },
        ],
    };
    const MOVES: &'static str = "points like D4 (columns A to Z without I, row 1 at the bottom), or pass";

    fn start(arguments: &Arguments) -> Result<Go, ArgumentError> {
        let read = |name: &'static str, text: &str| ArgumentError::of(name, format!("cannot read {text}"));
        let word = |name: &'static str| arguments.word(name);
        let optional = |name: &'static str| arguments.optional_word(name);
        let halves = arguments.number("komi") * 2.0;
        if halves.fract() != 0.0 {
            return Err(ArgumentError::of("komi", "expected whole or half points, like 7 or 7.5"));
        }
        let rules = GoRules {
            size: arguments.count("size") as usize,
            komi: Komi(halves as i32),
            handicap: arguments.count("handicap") as u8,
            ko: word("ko").parse().map_err(|_| read("ko", word("ko")))?,
            suicide: word("suicide").parse().map_err(|_| read("suicide", word("suicide")))?,
            scoring: word("scoring").parse().map_err(|_| read("scoring", word("scoring")))?,
            passes: optional("passes")
                .map_or(Ok(PassRule::End), |text| text.parse().map_err(|_| read("passes", text)))?,
            playouts: optional("playouts")
                .map_or(Ok(PlayoutRule::Eyes), |text| text.parse().map_err(|_| read("playouts", text)))?,
            move_limit: None,
        };
        let moves = arguments.optional_integer("move").map(|count| count as usize);
        match arguments.file("sgf")? {
            None if moves.is_some() => Err(ArgumentError::of("move", "allowed only with sgf")),
            None => Go::new(rules).map_err(ArgumentError::together),
            Some(NamedFile { path, bytes: text }) => {
                let problem = |error: &dyn std::fmt::Display| ArgumentError::of("sgf", format!("{path}: {error}"));
                if rules.handicap > 0 {
                    return Err(ArgumentError::of("handicap", "not allowed with sgf: a file has its own stones"));
                }
                let go = Go::from_sgf(&text, rules, moves).map_err(|error| problem(&error))?;
                match moves {
                    Some(most) if (go.moves_played() as usize) < most => {
                        let played = go.moves_played();
                        Err(ArgumentError::of("move", format!("{path} has only {played} moves since its last set-up")))
                    }
                    _ => Ok(go),
                }
            }
        }
    }

    fn settle(arguments: &mut Arguments, start: &Go) {
        arguments.correct("size", SpecValue::Integer(start.size() as i64));
        arguments.correct("komi", SpecValue::Number(f64::from(start.rules().komi.0) / 2.0));
    }
}
