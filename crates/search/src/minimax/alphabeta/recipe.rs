//! The recipe as text: `alpha-beta(depth=…,pvs=…,tt=…,…)`.

use super::{AlphaBeta, EvaluationSource, MAX_DEPTH, Options, Quiescence, TableUse};
use crate::Technique;
use crate::table::BUCKET_BYTES;
use tesuji_core::spec::{ArgumentError, Arguments, Describe, Description, Kind, Parameter};

const fn switch(name: &'static str, about: &'static str) -> Parameter {
    Parameter { name, about, kind: Kind::Choice(&["true", "false"]), default: Some("true") }
}

impl Describe for AlphaBeta {
    const DESCRIPTION: Description = Description {
        name: "alpha-beta",
        about: "depth-first minimax with cut-offs, over the game's evaluation",
        parameters: &[
            Parameter {
                name: "depth",
                about: "plies to look ahead; as the budget allows if not given",
                kind: Kind::Integer(1, MAX_DEPTH as i64),
                default: None,
            },
            switch("pvs", "principal-variation search"),
            Parameter {
                name: "tt",
                about: "transposition table: none, entries of the same depth, deeper ones too",
                kind: Kind::Choice(&["off", "same", "deeper"]),
                default: Some("deeper"),
            },
            Parameter {
                name: "bytes",
                about: "size of the table; memory that the budget allows beyond it is not used",
                kind: Kind::Integer(BUCKET_BYTES as i64, 1 << 44),
                default: Some("16777216"),
            },
            Parameter {
                name: "aspiration",
                about: "points on either side of the last value; 0 is off",
                kind: Kind::Integer(0, 10_000),
                default: Some("30"),
            },
            switch("killers", "try what refuted a sibling"),
            switch("history", "try what refuted often"),
            switch("preference", "the game's preference among moves decides what is tried first"),
            switch("null", "null moves, where the game has them"),
            switch("lmr", "late-move reductions"),
            Parameter {
                name: "quiescence",
                about: "below the horizon: nothing, all loud moves, or those that may matter",
                kind: Kind::Choice(&["off", "plain", "delta"]),
                default: Some("delta"),
            },
            switch("extensions", "a ply more under attack"),
            Parameter {
                name: "lines",
                about: "best moves with an exact value",
                kind: Kind::Integer(1, 1000),
                default: Some("1"),
            },
            Parameter {
                name: "evaluation",
                about: "the game's if it has one, the game's or nothing doing, or none",
                kind: Kind::Choice(&["auto", "game", "none"]),
                default: Some("auto"),
            },
        ],
    };
}

impl Technique for AlphaBeta {
    const PARALLEL: bool = true;

    fn configure(arguments: &Arguments) -> Result<AlphaBeta, ArgumentError> {
        let on = |name| arguments.word(name) == "true";
        let bytes = arguments.integer("bytes").unsigned_abs();
        if arguments.word("tt") == "off" && bytes != Options::default().bytes {
            return Err(ArgumentError::of("bytes", "no effect with tt=off, which has no table; use tt=same or deeper"));
        }
        Ok(AlphaBeta::new(Options {
            depth: arguments.optional_integer("depth").map(|depth| depth as u32),
            cutoffs: true,
            pvs: on("pvs"),
            table: match arguments.word("tt") {
                "off" => TableUse::Off,
                "same" => TableUse::Same,
                _ => TableUse::Deeper,
            },
            bytes,
            aspiration: arguments.count("aspiration") as i32,
            killers: on("killers"),
            history: on("history"),
            preference: on("preference"),
            null: on("null"),
            lmr: on("lmr"),
            quiescence: match arguments.word("quiescence") {
                "off" => Quiescence::Off,
                "plain" => Quiescence::Plain,
                _ => Quiescence::Delta,
            },
            extensions: on("extensions"),
            lines: arguments.count("lines"),
            evaluation: match arguments.word("evaluation") {
                "game" => EvaluationSource::Game,
                "none" => EvaluationSource::None,
                _ => EvaluationSource::Auto,
            },
        }))
    }
}
