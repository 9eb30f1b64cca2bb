//! The recipe as text: `alpha-beta(depth=…,pvs=…,tt=…,…)`.

use super::AlphaBeta;
use super::options::{EvaluationSource, MAX_DEPTH, Options, Quiescence, TableUse};
use crate::Technique;
use crate::table::BUCKET_BYTES;
use tesuji_core::spec::{ArgumentError, Arguments, Describe, Description, Kind, Parameter};

const fn switch(name: &'static str, about: &'static str) -> Parameter {
    Parameter { name, about, kind: Kind::Choice(&["true", "false"]), default: Some("true") }
}

impl Describe for AlphaBeta {
    const DESCRIPTION: Description = Description {
        name: "alpha-beta",
        about: "alpha-beta search over the game's evaluation",
        parameters: &[
            Parameter {
                name: "depth",
                about: "search depth in plies; limited by the budget alone if not given",
                kind: Kind::Integer(1, MAX_DEPTH as i64),
                default: None,
            },
            switch("pvs", "principal-variation search"),
            Parameter {
                name: "tt",
                about: "transposition table: off, entries of the same depth, or deeper ones too",
                kind: Kind::Choice(&["off", "same", "deeper"]),
                default: Some("deeper"),
            },
            Parameter {
                name: "bytes",
                about: "size of the transposition table in bytes; less if the budget allows less",
                kind: Kind::Integer(BUCKET_BYTES as i64, 1 << 44),
                default: Some("16777216"),
            },
            Parameter {
                name: "aspiration",
                about: "half width of the aspiration window in points; 0 is off",
                kind: Kind::Integer(0, 10_000),
                default: Some("30"),
            },
            switch("killers", "killer moves: quiet moves that refuted a sibling come first"),
            switch("history", "history heuristic: quiet moves that often caused cut-offs come first"),
            switch("preference", "order quiet moves by the game's preference too"),
            switch("null", "null-move pruning, in games that allow it"),
            switch("lmr", "late-move reductions"),
            Parameter {
                name: "quiescence",
                about: "quiescence search: off, all loud moves, or with delta pruning",
                kind: Kind::Choice(&["off", "plain", "delta"]),
                default: Some("delta"),
            },
            switch("extensions", "check extensions: one more ply under attack"),
            Parameter {
                name: "lines",
                about: "multi-PV: number of best moves with an exact value",
                kind: Kind::Integer(1, 1000),
                default: Some("1"),
            },
            Parameter {
                name: "evaluation",
                about: "the game's if it has one, the game's or an error, or none",
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
            return Err(ArgumentError::of(
                "bytes",
                "no effect with tt=off, which has no table; use tt=same or tt=deeper",
            ));
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
