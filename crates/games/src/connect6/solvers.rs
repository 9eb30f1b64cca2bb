//! The solvers of Connect6: df-pn with advisers that keep the initiative.

use super::{Connect6, DoubleThreats, Point, SingleThreats, VcstLimits};
use tesuji_core::solver::{Advisers, Plan, Settings, Solver};
use tesuji_core::spec::{ArgumentError, Arguments, Description, Kind, Parameter};
use tesuji_core::{Advice, Adviser, Aim, Certificate, Deadline, Player};

const E: Parameter = Parameter {
    name: "e",
    about: "leaves start at e^(d−depth); 1 is df-pn",
    kind: Kind::Number(1.0, 1e6),
    default: Some("1.0"),
};
const D: Parameter =
    Parameter { name: "d", about: "down to this depth, in units", kind: Kind::Integer(0, 1_000), default: Some("0") };
const UNIT: Parameter = Parameter {
    name: "unit",
    about: "what d counts: stones, or turns of two stones (Zhang 2019)",
    kind: Kind::Choice(&["stones", "turns"]),
    default: Some("stones"),
};
const EPSILON: Parameter = Parameter {
    name: "epsilon",
    about: "stay until another child is better by this share",
    kind: Kind::Number(0.0, 1_000.0),
    default: Some("0.0"),
};

/// All solvers of the game.
pub(super) const SOLVERS: &[Solver<Connect6>] = &[
    Solver {
        description: Description {
            name: "vcdt",
            about: "df-pn for a victory of the mover by continuous double threats; Connect6",
            parameters: &[
                Parameter {
                    name: "best",
                    about: "the most first and second stones of the attacker that are tried; 0 for all that make a \
                            threat",
                    kind: Kind::Integer(0, 1_000),
                    default: Some("0"),
                },
                E,
                D,
                UNIT,
                EPSILON,
            ],
        },
        parallel: true,
        plan: |arguments| {
            let adviser = DoubleThreats::new(arguments.count("best") as usize);
            Ok(Plan { settings: settings(arguments)?, ..Plan::advised(adviser) })
        },
    },
    Solver {
        description: Description {
            name: "vcst",
            about: "df-pn for a victory of the mover by double threats, single threats and quiet turns, with \
                    relevance zones; Connect6",
            parameters: &[
                Parameter {
                    name: "best",
                    about: "the most first and second stones of the attacker that are tried beside those of double \
                            threats",
                    kind: Kind::Integer(0, 1_000),
                    default: Some("5"),
                },
                Parameter {
                    name: "turns",
                    about: "the most turns of a line of double threats",
                    kind: Kind::Integer(1, 100),
                    default: Some("8"),
                },
                Parameter {
                    name: "line",
                    about: "the most nodes of a search for such a line",
                    kind: Kind::Integer(1, 1_000_000),
                    default: Some("100"),
                },
                E,
                D,
                UNIT,
                EPSILON,
            ],
        },
        parallel: true,
        plan: |arguments| {
            let limits = VcstLimits {
                best: arguments.count("best") as usize,
                turns: arguments.count("turns") as usize,
                nodes: arguments.count("line") as usize,
            };
            Ok(Plan { settings: settings(arguments)?, goal: None, advisers: limits.stages() })
        },
    },
];

/// The df-pn parameters that both solvers share.
fn settings(arguments: &Arguments) -> Result<Settings, ArgumentError> {
    let (e, d) = (arguments.number("e"), arguments.count("d"));
    if e == 1.0 && d > 0 {
        return Err(ArgumentError::of("d", "no effect with e=1: all leaves start alike; use e above 1"));
    }
    if e != 1.0 && d == 0 {
        return Err(ArgumentError::of("e", "no effect with d=0: no leaf is above that depth; use d of at least 1"));
    }
    let moves_per_turn = if arguments.word("unit") == "turns" { 2 } else { 1 };
    if moves_per_turn > 1 && d == 0 {
        return Err(ArgumentError::of("unit", "no effect with d=0; use d of at least 1"));
    }
    Ok(Settings { e, d, moves_per_turn, epsilon: arguments.number("epsilon"), ..Settings::default() })
}

/// The nodes that the two stages of `vcst` get in the first round: double threats alone, and with
/// other turns.
const FIRST_ROUND: [u64; 2] = [10_000, 2_000];

impl VcstLimits {
    /// The stages of a search within these limits: by double threats alone, then with other turns.
    #[must_use]
    pub fn stages(self) -> Advisers<Connect6> {
        let mut stages = vec![VcstLimits { best: 0, ..self }, self];
        stages.dedup();
        let stage = |(limits, nodes): (VcstLimits, u64)| {
            (Box::new(SingleThreats::new(limits)) as Box<dyn Adviser<Connect6>>, nodes)
        };
        Advisers::Stages(stages.into_iter().zip(FIRST_ROUND).map(stage).collect())
    }
}

impl Adviser<Connect6> for DoubleThreats {
    fn leaves_out(&self) -> bool {
        true
    }

    fn own_limit(&self) -> Option<&'static str> {
        DoubleThreats::own_limit(self)
    }

    fn begin(&mut self, _: &Connect6) {
        DoubleThreats::begin(self);
    }

    fn advise(&mut self, position: &Connect6, aim: Aim, advice: &mut Advice<Point>) {
        advice.winner = DoubleThreats::advise(self, position, aim.player, &mut advice.moves);
    }

    fn fork(&self) -> Option<Box<dyn Adviser<Connect6>>> {
        Some(Box::new(DoubleThreats::fork(self)))
    }

    fn certify(&mut self, position: &Connect6, claimant: Player, listed: &mut Vec<Point>) -> Option<Certificate> {
        self.certificate(position, claimant, listed)
    }
}

impl Adviser<Connect6> for SingleThreats {
    fn leaves_out(&self) -> bool {
        true
    }

    fn own_limit(&self) -> Option<&'static str> {
        Some("best, turns and line")
    }

    fn begin(&mut self, _: &Connect6) {
        SingleThreats::begin(self);
    }

    fn limit(&mut self, deadline: &Deadline) {
        SingleThreats::limit(self, deadline);
    }

    fn wants_memory(&self, _: u32) -> u64 {
        u64::MAX
    }

    fn memory(&mut self, bytes: u64, threads: u32) {
        SingleThreats::memory(self, bytes, threads);
    }

    fn memory_bytes(&self) -> u64 {
        SingleThreats::memory_bytes(self)
    }

    fn inner_nodes(&self) -> Option<u64> {
        Some(self.line_nodes())
    }

    fn advise(&mut self, position: &Connect6, aim: Aim, advice: &mut Advice<Point>) {
        advice.winner = SingleThreats::advise(self, position, aim.player, &mut advice.moves);
    }

    fn keeps_lists(&self) -> bool {
        true
    }

    fn fork(&self) -> Option<Box<dyn Adviser<Connect6>>> {
        Some(Box::new(SingleThreats::fork(self)))
    }

    fn certify(&mut self, position: &Connect6, claimant: Player, listed: &mut Vec<Point>) -> Option<Certificate> {
        self.certificate(position, claimant, listed)
    }
}
